"""What a page shows: what is judged of each workload, in words, beside what was measured."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

from goldpiece.suite.benchmarks.record import Measured
from goldpiece.suite.benchmarks.standings import Between, Standing


class Tone(Enum):
    """How a verdict is set: what is told by colour is told by words as well."""

    WORSE = "worse"
    BETTER = "better"
    UNSURE = "unsure"
    SAME = "same"


@dataclass(frozen=True)
class Judgement:
    """A verdict in words, with what it rests on."""

    words: str
    tone: Tone
    reason: str = ""  # what would have to happen to know more, or why nothing is known
    interval: Between | None = None


@dataclass(frozen=True)
class Row:
    """What a comparison says of a workload."""

    workload: str
    time: Judgement
    memory: Judgement
    peaks: tuple[int | None, int | None]  # bytes, of A and of B
    noise: Between | None = None  # what comparing A with itself gave

    @property
    def is_notable(self) -> bool:
        return {self.time.tone, self.memory.tone} != {Tone.SAME}


@dataclass(frozen=True)
class Moment:
    """How a workload did in one of several saved runs: how many times as long as in the first, and between what."""

    number: int  # of the run, the oldest of which is 0
    run: str
    times: Between


@dataclass(frozen=True)
class Side:
    """What was measured of a workload on one side: A or B, or a subject."""

    label: str
    measured: Measured


@dataclass(frozen=True)
class Detail:
    """All that was measured of a workload, to look at."""

    workload: str
    says: str
    verdicts: Mapping[str, Judgement]  # of the time, of the memory
    sides: Sequence[Side]
    history: Mapping[str, Sequence[Moment]] = field(default_factory=dict)  # of each side, the oldest first

    @property
    def is_notable(self) -> bool:
        return any(each.tone is not Tone.SAME for each in self.verdicts.values())


@dataclass(frozen=True)
class Page:
    """A page: of a comparison, with rows, or of subjects side by side, with standings."""

    title: str
    lead: str
    labels: Sequence[tuple[str, str]]  # what A and B are
    facts: Sequence[tuple[str, str]]  # name and text
    details: Sequence[Detail]
    no_change: float  # up to this ratio, or its inverse, nothing counts as changed
    rows: Sequence[Row] = ()
    noise: str = ""  # what comparing A with itself came to, in words
    standings: Sequence[Standing] = ()
    notes: Sequence[str] = ()
