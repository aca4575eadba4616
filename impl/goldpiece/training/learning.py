"""Merges learnt from counts, from the beginning or from where they were left."""

from collections.abc import Callable, Sequence
from math import inf
from typing import Protocol

from goldpiece.fast.training import DoesNotFollow, Incremental, Step
from goldpiece.reference.training import Trained
from goldpiece.training.pace import Pace


class Merges(Protocol):
    """Where merges are kept."""

    def merges(self) -> list[Step]:
        """Those that were made before. Raises FileError."""
        ...

    def append(self, steps: Sequence[Step]) -> None:
        """Keeps some more, all or none of them. Raises FileError."""
        ...


def learn(
    trainer: Incremental,
    words: Sequence[str],
    counts: Sequence[int],
    *,
    kept: Merges | None = None,
    pace: Pace | None = None,
    listener: Callable[[int], None] = lambda _: None,
) -> Trained:
    """What `trainer.train_from_counts` gives; what is `kept` is not sought again. The listener hears of each entry.

    Raises what that raises, DoesNotFollow for merges of other counts, FileError, and Stopped.
    """
    pace = pace or Pace(inf)
    before = kept.merges() if kept else []
    training = trainer.begin(words, counts, [step.pair for step in before])
    steps: list[Step] = []
    saved = len(before)
    for step in training:
        if len(steps) < len(before) and step != before[len(steps)]:
            raise DoesNotFollow(len(steps), step.pair)
        steps.append(step)
        listener(len(training.tokens))
        if kept and len(steps) > saved and pace.is_time(len(steps) - saved):
            kept.append(steps[saved:])
            saved = len(steps)
            pace.kept()
        pace.check()
    if kept:
        kept.append(steps[saved:])
    missing = trainer.size - len(training.tokens)
    return Trained(training.tokens, [step.pair for step in steps], [step.occurrences for step in steps], missing)
