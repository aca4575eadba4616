"""Merges learnt from counts, from the beginning or from where they were left."""

from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from math import inf
from typing import Protocol

from goldpiece.fast.training import Incremental, Merge, MergeDoesNotFit, Merging
from goldpiece.training.pace import Pace


class Merges(Protocol):
    """Where merges are kept."""

    def merges(self) -> Sequence[Merge]:
        """Those that were made before. Raises FileError."""
        ...

    def append(self, merges: Sequence[Merge]) -> None:
        """Keeps some more, all or none of them. Raises FileError."""
        ...


def learn(
    trainer: Incremental,
    words: Sequence[str],
    counts: Sequence[int],
    *,
    kept: Merges | None = None,
    pace: Pace | None = None,
    listener: Callable[[Merging, Merge], None] = lambda *_: None,
) -> Merging:
    """A training that is over; merges that are kept are made without looking for the best.

    The listener hears of each merge, also of those. Raises what that raises, MergeDoesNotFit for merges of other
    counts, FileError, and Stopped.
    """
    pace = pace or Pace(inf)
    before = kept.merges() if kept else []
    merging = trainer.merging(words, counts)
    unsaved: list[Merge] = []
    for merge in chain(_made_again(merging, before), merging):
        listener(merging, merge)
        if kept and merge.rank >= len(before):
            unsaved.append(merge)
            if pace.is_time(len(unsaved)):
                kept.append(unsaved)
                pace.kept()
                unsaved = []
        pace.check()
    if kept:
        kept.append(unsaved)
    return merging


def _made_again(merging: Merging, before: Iterable[Merge]) -> Iterable[Merge]:
    for merge in before:
        if (again := merging.make(merge.pair)) != merge:
            raise MergeDoesNotFit(merge.rank, merge.pair)
        yield again
