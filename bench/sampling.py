"""What a fresh process measures of a workload: how long a pass takes, how much memory, and how that grows.

Processor time is what is judged. What else the machine does makes a pass wait, which does not count, and spoils its
caches, which does, for either side alike. The time on the wall stands beside it: of what waits for a disk, or computes
on several cores at once, it says more.
"""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from goldpiece.errors import GoldpieceError
from goldpiece.suite.benchmarks.record import Growth, Memory, Sample
from goldpiece.suite.values import Value

from .calibration import calibration
from .clock import cpu_clock, peak_rss
from .measuring import LONG, Contender, Entry, Pass
from .memory import APART, NOT_RUN, traced
from .subjects import builder_of
from .workloads import Setup

LAP = 0.005  # seconds of processor time, about: as many passes as they take are timed together
FEWEST_LAPS = 3
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


@dataclass(frozen=True)
class Lap:
    """The seconds of a pass, as the mean of some that follow each other, and those of the calibration behind them."""

    cpu_s: float
    wall_s: float
    passes: int
    calibration_s: float


def lap(each: Pass, passes: int) -> tuple[Lap, list[Any]]:
    """One lap, and the results of its last pass."""
    results: list[Any] = []
    cpu, wall = cpu_clock(), time.perf_counter()
    for _ in range(passes):
        results = each.run()
    cpu, wall = cpu_clock() - cpu, time.perf_counter() - wall
    before = cpu_clock()
    calibration()
    return Lap(cpu / passes, wall / passes, passes, cpu_clock() - before), results


def passes_of(each: Pass) -> int:
    """How many make a lap."""
    return max(1, round(LAP / max(each.seconds, 1e-9)))


def sample(prepared: Prepared, subject: str, folder: Path, seconds: float, calls: int) -> Sample:
    """As many laps as there is processor time for; raises WrongOutput for an output that is not right."""
    entry = prepared.entry(subject, folder)
    each, check = entry.checked_pass()
    laps: list[Lap] = []
    begin = cpu_clock()
    while len(laps) < (FEWEST_LAPS if each.seconds < LONG else 1) or cpu_clock() - begin < seconds:
        found, results = lap(each, passes_of(each))
        laps.append(found)
    check(results)
    p50, p99 = (None, None) if prepared.long else entry.latencies(calls)
    return Sample(
        cpu_s=median(lap.cpu_s for lap in laps),
        wall_s=median(lap.wall_s for lap in laps),
        passes=sum(lap.passes for lap in laps),
        calibration_s=median(lap.calibration_s for lap in laps),
        p50_s=p50,
        p99_s=p99,
    )


def sample_of_import(cpu_s: float, wall_s: float) -> Sample:
    """That the import of a package took so long, in this process."""
    laps = [lap(Pass(list, 0.0), 1)[0].calibration_s for _ in range(FEWEST_LAPS)]
    return Sample(cpu_s, wall_s, 1, median(laps))


def memory(prepared: Prepared, subject: str, folder: Path) -> tuple[int | None, Memory | str]:
    """The most memory of a process that makes one pass, with all that it has to import for it, or None where the system
    does not tell; then what is allocated in a pass behind that, which has read what is read once, or why there is none.
    """
    entry = prepared.entry(subject, folder)
    entry.checked_pass()
    rss = peak_rss()
    if prepared.apart or NOT_RUN:
        return rss, APART if prepared.apart else str(NOT_RUN)
    return rss, traced(entry.use, folder)


def growth(sizes: Sequence[Prepared], subject: str, folder: Path) -> Growth:
    """The least processor time of a pass at each size, by turns, and the slope of its logarithm.

    Raises WrongOutput for an output that is not right.
    """
    import numpy as np  # noqa: PLC0415 (most processes have no use for it)

    made: list[tuple[Pass, Callable[[list[Any]], None]]] = []
    for number, prepared in enumerate(sizes):
        own = folder / f"size{number}"  # else files of one size would be those of another
        own.mkdir(exist_ok=True)
        made.append(prepared.entry(subject, own).checked_pass())
    rounds: list[list[float]] = []
    for _ in range(GROWTH_LAPS):
        laps = [lap(each, passes_of(each)) for each, _ in made]
        rounds.append([found.cpu_s for found, _ in laps])
        for (_, check), (_, results) in zip(made, laps, strict=True):
            check(results)
    least = [min(times) for times in zip(*rounds, strict=True)]
    slope: Any = np.polyfit(np.log([each.size for each in sizes]), np.log(least), 1)[0]
    return Growth(tuple(each.size for each in sizes), tuple(least), float(slope))
