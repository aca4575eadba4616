"""What a fresh process measures of a workload: how long a pass takes, how much memory, and how that grows.

Processor time is what is judged. What else the machine does makes a pass wait, which does not count, and spoils its
caches, which does, for either side alike. The time on the wall stands beside it: of what waits for a disk, or computes
on several cores at once, it says more.
"""

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf
from pathlib import Path

from goldpiece.errors import GoldpieceError
from goldpiece.suite.benchmarks.record import Growth, Lap, Memory, Sample, undisturbed
from goldpiece.suite.values import Value

from .calibration import calibration
from .clock import cpu_clock, peak_rss
from .measuring import Contender, Entry
from .memory import APART, NOT_RUN, traced
from .subjects import builder_of
from .workloads import Setup

LAP = 0.0015  # seconds of processor time, about: as many passes as they take are timed together
COLD = 0.005  # seconds of a pass, up to which one that is not timed fetches into the caches what it needs
FEWEST_LAPS = 3
CALIBRATIONS = 3
GROWTH_LAPS = 5  # of each size


@dataclass(frozen=True, eq=False)
class Prepared:
    """A workload as it lies in a file: what all processes measure it with."""

    workload: str
    call: str
    config: Mapping[str, Value]
    inputs: Sequence[Value]
    right: Sequence[Value]
    size: int  # bytes of UTF-8, or tokens where there is no text
    long: bool
    apart: bool

    @classmethod
    def read(cls, path: str) -> "Prepared":
        return cls(**json.loads(Path(path).read_text(encoding="ascii")))

    def entry(self, subject: str, folder: Path) -> Entry:
        build = builder_of(subject, self.workload, self.call)
        if not build:
            raise GoldpieceError(f"{subject} does not do {self.workload}: leave it out")
        setup = Setup(self.config, folder)
        return Entry(self.workload, Contender(subject, partial(build, setup)), self.inputs, self.right)


class Seat:
    """A workload in this process, ready to be measured: a first pass was right, which read what is read once. Of what
    is a process of its own there is nothing to read, and no pass yet. Raises WrongOutput where the first was not right.
    """

    def __init__(self, prepared: Prepared, subject: str, folder: Path) -> None:
        self.entry = prepared.entry(subject, folder)
        self.apart = prepared.apart
        self._ready, self._taken = self.entry.warm
        self._least = inf  # seconds of a pass so far
        if not self.apart:
            self._timed(1)
            self.check()

    def lap(self) -> Lap:
        """Some passes that follow each other. What other workloads left in the caches is no part of them."""
        if self._least <= COLD:
            self._timed(1)
        return self._timed(max(1, round(LAP / max(self._least, 1e-9))))

    def _timed(self, passes: int) -> Lap:
        call, taken = self._ready.call, self._taken
        cpu, wall = cpu_clock(), time.perf_counter()
        for _ in range(passes):
            self._results = [call(each) for each in taken]
        cpu, wall = cpu_clock() - cpu, time.perf_counter() - wall
        self._least = min(self._least, cpu / passes)
        return Lap(cpu / passes, wall / passes, passes)

    def check(self) -> None:
        """Raises WrongOutput where the results of the last pass are not right."""
        self.entry.check(self._ready, [self._ready.plain(result) for result in self._results])


class Imported:
    """The import of a package, which took this process so long. There is nothing to check."""

    def __init__(self, cpu_s: float, wall_s: float) -> None:
        self._lap = Lap(cpu_s, wall_s, 1)

    def lap(self) -> Lap:
        return self._lap

    def check(self) -> None:
        pass


def calibrated() -> float:
    """The seconds of processor time that the calibration takes."""

    def once() -> float:
        before = cpu_clock()
        calibration()
        return cpu_clock() - before

    return undisturbed([once() for _ in range(CALIBRATIONS)])


def sample(prepared: Prepared, subject: str, folder: Path, seconds: float, calls: int) -> Sample:
    """As many laps as there is processor time for, which is one of what is a process of its own; raises WrongOutput for
    an output that is not right.
    """
    seat = Seat(prepared, subject, folder)
    begin = cpu_clock()
    laps = [seat.lap()]
    while not seat.apart and (len(laps) < FEWEST_LAPS or cpu_clock() - begin < seconds):
        laps.append(seat.lap())
    seat.check()
    latencies = (None, None) if prepared.long else seat.entry.latencies(calls)
    return Sample.of(laps, calibrated(), *latencies)


def sample_of_import(cpu_s: float, wall_s: float) -> Sample:
    """That the import of a package took so long, in this process."""
    return Sample.of([Lap(cpu_s, wall_s, 1)], calibrated())


def memory(prepared: Prepared, subject: str, folder: Path) -> tuple[int | None, Memory | str]:
    """The most memory of a process that makes one pass, with all that it has to import for it, or None where the system
    does not tell; then what is allocated in a pass behind that, which has read what is read once, or why there is none.
    """
    seat = Seat(prepared, subject, folder)
    if seat.apart:
        seat.lap()
        seat.check()
    rss = peak_rss()
    if prepared.apart or NOT_RUN:
        return rss, APART if prepared.apart else str(NOT_RUN)
    return rss, traced(seat.entry.use, folder)


def growth(sizes: Sequence[Prepared], subject: str, folder: Path) -> Growth:
    """The least processor time of a pass at each size, by turns, and the slope of its logarithm.

    Raises WrongOutput for an output that is not right.
    """
    seats: list[Seat] = []
    for number, prepared in enumerate(sizes):
        own = folder / f"size{number}"  # else files of one size would be those of another
        own.mkdir(exist_ok=True)
        seats.append(Seat(prepared, subject, own))
    rounds = [[seat.lap().cpu_s for seat in seats] for _ in range(GROWTH_LAPS)]
    for seat in seats:
        seat.check()
    least = [min(times) for times in zip(*rounds, strict=True)]
    return Growth.of([each.size for each in sizes], least)
