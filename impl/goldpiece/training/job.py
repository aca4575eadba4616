"""Training from files to a vocabulary: counted, learnt, and kept on the way where a checkpoint is wanted."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from importlib.metadata import version
from math import inf
from pathlib import Path
from typing import Literal, NamedTuple, Protocol

from goldpiece.corpus.corpus import Corpus
from goldpiece.corpus.word_counts import read_counts
from goldpiece.errors import UsageError
from goldpiece.fast.training import Incremental, Merge, Merging
from goldpiece.reference.training import Trained
from goldpiece.training import checkpoint
from goldpiece.training.buckets import Tally, TemporaryShelf
from goldpiece.training.checkpoint import Checkpoint, Identity
from goldpiece.training.counting import Counted, Counting, count_words
from goldpiece.training.cutting import Cutting
from goldpiece.training.learning import learn
from goldpiece.training.pace import SECONDS, Pace

LAYOUT = 1  # of what is in a checkpoint


class NothingToLearn(UsageError):
    """A corpus without words, or without any that is frequent enough."""


class Listener(Protocol):
    """Who is told how far a job is."""

    def counted(self, tally: Tally) -> None:
        """A block more of the corpus is counted."""
        ...

    def merged(self, merging: Merging, merge: Merge) -> None:
        """A merge more is made."""
        ...


@dataclass(frozen=True)
class Keeping:
    """Where work is kept, and after how many seconds at the latest. `resume` goes on with what is there."""

    folder: Path
    resume: bool = False
    seconds: float = SECONDS

    def __post_init__(self) -> None:
        """Raises UsageError for less than no time."""
        if not self.seconds >= 0:
            raise UsageError(f"seconds = {self.seconds}: give a number from 0 on")


class Outcome(NamedTuple):
    """What a job gives."""

    counted: Counted
    trained: Trained
    engine: Literal["python", "compiled"]  # what made the last merge

    @property
    def measured(self) -> Mapping[str, int]:
        """The words to measure on: those that were held out, and if none were, those that were learnt from."""
        return self.counted.held_out or dict(zip(self.counted.words, self.counted.counts, strict=True))


@dataclass(frozen=True)
class Job:
    """What is to be learnt from what. The outcome is the same with any number of workers, and however often resumed.

    `source` is a corpus, or the path of a table of words that are counted already and cut as `cutting` cuts. With
    `hold_out` one text in a hundred is not learnt from. Words that occur less often than `min_word_count` are
    left out.
    """

    trainer: Incremental
    cutting: Cutting
    source: Corpus | Path
    hold_out: bool = False
    min_word_count: int = 1
    workers: int = 1

    def __post_init__(self) -> None:
        """Raises UsageError for a number out of range."""
        for name in ("min_word_count", "workers"):
            if (value := getattr(self, name)) < 1:
                raise UsageError(f"{name} = {value}: give a whole number from 1 on")

    def run(self, listener: Listener, keeping: Keeping | None = None) -> Outcome:
        """Counts and learns. Raises NothingToLearn, NoRoom, FileError, WorkerDied, and Stopped if work is kept."""
        pace = Pace(keeping.seconds if keeping else inf)
        with ExitStack() as stack:
            kept: Checkpoint | None = None
            if keeping:
                stack.enter_context(pace.heeding_signals())
                kept = stack.enter_context(checkpoint.opened(keeping.folder, self.identity(), keeping.resume))
            counted = self._counted(kept, pace, listener)
            if not counted.words:
                raise self._nothing(counted)
            learnt = learn(self.trainer, counted.words, counted.counts, kept=kept, pace=pace, listener=listener.merged)
        return Outcome(counted, learnt.trained, learnt.engine_in_use)

    def _counted(self, kept: Checkpoint | None, pace: Pace, listener: Listener) -> Counted:
        if isinstance(self.source, Path):
            return self._read(*read_counts(self.source))
        counting = Counting(self.source, self.cutting, self.hold_out)
        with TemporaryShelf() as temporary:
            return count_words(
                counting,
                kept or temporary,
                workers=self.workers,
                least=self.min_word_count,
                pace=pace,
                listener=listener.counted,
            )

    def _read(self, words: Sequence[str], counts: Sequence[int]) -> Counted:
        """What a table has, in its order. Raises NotAWord."""
        for word in words:
            self.cutting.require(word)
        table: Counter[str] = Counter()
        for word, count in zip(words, counts, strict=True):
            table[word] += count
        pruned = [count for count in table.values() if count < self.min_word_count]
        kept = {word: count for word, count in table.items() if count >= self.min_word_count}
        return Counted(list(kept), list(kept.values()), {}, Tally(words=sum(counts)), len(pruned), sum(pruned))

    def _nothing(self, counted: Counted) -> NothingToLearn:
        sources = [self.source] if isinstance(self.source, Path) else self.source.sources
        pruned = (
            f", since none of {counted.pruned:,} words occurs {self.min_word_count} times" if counted.pruned else ""
        )
        return NothingToLearn(
            f"{', '.join(map(str, sources))}: there is nothing to learn from{pruned}: give files with text"
        )

    def identity(self) -> Identity:
        """What a checkpoint of this job is of. Raises FileError, and UsageError for standard input."""
        corpus = self.source if isinstance(self.source, Corpus) else Corpus([self.source])
        parameters: dict[str, object] = {
            "model": type(self.trainer).__name__,
            **asdict(self.trainer),
            **asdict(self.cutting),
            "hold_out": self.hold_out,
            "min_word_count": self.min_word_count,
            "counted": isinstance(self.source, Path),
        }
        del parameters["engine"]  # which changes nothing
        return {
            "version": f"{version('goldpiece')}, layout {LAYOUT}",
            "corpus": corpus.fingerprint(),
            **{name: json.dumps(value) for name, value in parameters.items()},
        }
