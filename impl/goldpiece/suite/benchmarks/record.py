"""What a run has measured, and the file that keeps it. Its form is run.schema.json beside this module."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import log
from pathlib import Path
from statistics import linear_regression, mean, median
from typing import Any

from goldpiece.errors import FileError
from goldpiece.formats.content import read_content
from goldpiece.formats.strict_json import parse
from goldpiece.suite.benchmarks.machine import Machine

SCHEMA = Path(__file__).with_name("run.schema.json")
VERSION = 1  # of the form
LARGEST = 100_000_000  # bytes of a saved run
REMEDY = "Name a file that `goldpiece bench run --json FILE` has written"


@dataclass(frozen=True)
class Lap:
    """Passes that followed each other. A pass is one call for each input; the seconds are those of one."""

    cpu_s: float  # processor time: of all threads, and of child processes that have ended
    wall_s: float
    passes: int


def undisturbed(seconds: Sequence[float]) -> float:
    """What something takes where nothing interferes: the mean of the faster half of several measurements.

    Other programs only ever make it slower, by what they throw out of the caches, or by sharing the core, and do so for
    some time. The least would be steadier by a little, and blind to what happens in every second pass.
    """
    return mean(sorted(seconds)[: (len(seconds) + 1) // 2])


@dataclass(frozen=True)
class Sample:
    """What one fresh process found out about a workload."""

    cpu_s: float  # of an undisturbed pass
    wall_s: float
    passes: int  # behind these two
    calibration_s: float  # processor time of the calibration, in the same process
    p50_s: float | None = None  # latency of a call, by the clock on the wall; None where one call is long
    p99_s: float | None = None

    @classmethod
    def of(
        cls, laps: Sequence[Lap], calibration_s: float, p50_s: float | None = None, p99_s: float | None = None
    ) -> "Sample":
        cpu, wall = (undisturbed([getattr(lap, name) for lap in laps]) for name in ("cpu_s", "wall_s"))
        return cls(cpu, wall, sum(lap.passes for lap in laps), calibration_s, p50_s, p99_s)


@dataclass(frozen=True)
class Site:
    """Where memory was allocated that was in use when the most was."""

    place: str  # file:line function
    bytes: int
    allocations: int


@dataclass(frozen=True)
class Memory:
    """What memray saw of one pass, from before the operation was built, with Python's own allocators traced."""

    peak_bytes: int  # in use at once, beyond what was before
    allocations: int
    sites: tuple[Site, ...]  # the largest first
    over_time: tuple[tuple[float, int], ...]  # seconds since the beginning, bytes in use


@dataclass(frozen=True)
class Growth:
    """How processor time grows with the input: measured at n, 2n and 4n."""

    sizes: tuple[int, ...]  # bytes of UTF-8, or tokens where there is no text
    cpu_s: tuple[float, ...]
    exponent: float  # 1 is linear, 2 quadratic

    @classmethod
    def of(cls, sizes: Sequence[int], cpu_s: Sequence[float]) -> "Growth":
        """The exponent is the slope of the logarithms."""
        slope = linear_regression(list(map(log, sizes)), list(map(log, cpu_s))).slope
        return cls(tuple(sizes), tuple(cpu_s), slope)


@dataclass(frozen=True)
class Measured:
    """A workload on a subject. Samples, memory and growth are each empty or None where they were not asked for."""

    workload: str  # component/name
    subject: str
    inputs: int
    utf8_bytes: int  # of all inputs, or of all outputs where ids go in
    tokens: int | None
    digest: str  # of inputs and right outputs: times of others cannot be compared
    samples: tuple[Sample, ...] = ()
    peak_rss_bytes: int | None = None  # of a whole process that makes one pass
    memory: Memory | None = None
    no_memory_because: str | None = None
    growth: Growth | None = None

    @property
    def key(self) -> tuple[str, str]:
        return self.workload, self.subject

    @property
    def cpu_s(self) -> float:
        """Processor time of a pass: the median of the processes."""
        return median(sample.cpu_s for sample in self.samples)

    @property
    def wall_s(self) -> float:
        return median(sample.wall_s for sample in self.samples)

    @property
    def mb_per_s(self) -> float | None:
        """10^6 bytes of UTF-8 for each second of processor time."""
        return self.utf8_bytes / 1e6 / self.cpu_s if self.utf8_bytes and self.samples else None

    @property
    def tokens_per_s(self) -> float | None:
        return None if self.tokens is None or not self.samples else self.tokens / self.cpu_s

    def latency(self, name: str) -> float | None:
        """`p50_s` or `p99_s`: the median of the processes."""
        found = [value for sample in self.samples if (value := getattr(sample, name)) is not None]
        return median(found) if found else None

    @property
    def calibrations(self) -> tuple[float, ...]:
        """How many times as long as the calibration in the same process a pass took: what other machines can be
        compared by.
        """
        return tuple(sample.cpu_s / sample.calibration_s for sample in self.samples)


@dataclass(frozen=True)
class NotMeasured:
    """A workload on a subject of which there are no figures, and why."""

    workload: str
    subject: str
    reason: str

    @property
    def is_fault(self) -> bool:
        """Whether something is wrong: a library or a file that is not there is no fault."""
        return not self.reason.startswith("not run: ")


@dataclass(frozen=True)
class Run:
    """All that was measured of one side."""

    side: str  # as it was named
    version: str  # what that was: a commit, or versions of packages
    date: str  # UTC, ISO 8601
    machine: Machine
    depth: str
    corpus: str | None  # None: of each workload its own
    vocab: str | None
    measured: tuple[Measured, ...]
    not_measured: tuple[NotMeasured, ...]

    def of(self, workload: str, subject: str) -> Measured | None:
        return next((each for each in self.measured if each.key == (workload, subject)), None)


def run_to_json(run: Run) -> dict[str, Any]:
    """The run as JSON values, as run.schema.json describes them."""
    return {"goldpiece_bench": VERSION, "kind": "run", **asdict(run)}


def write_run(path: Path, run: Run) -> None:
    """Saves a run."""
    path.write_text(json.dumps(run_to_json(run), indent=1) + "\n", encoding="utf-8")


def read_run(path: Path) -> Run:
    """A run that was saved. Raises FileError where the file is none."""
    import jsonschema  # noqa: PLC0415 (whatever is measured imports this module, and seldom reads a run)

    found: Any = parse(read_content(path, LARGEST, REMEDY), path).value
    try:
        jsonschema.validate(found, json.loads(SCHEMA.read_text(encoding="utf-8")))
    except jsonschema.ValidationError as error:
        raise FileError(path, None, f"it is no saved run of this form: {error.message[:200]}", REMEDY) from error
    fields = {name: value for name, value in found.items() if name not in ("goldpiece_bench", "kind")}
    return Run(
        **fields
        | {
            "machine": Machine(**found["machine"]),
            "measured": tuple(map(measured_from_json, found["measured"])),
            "not_measured": tuple(NotMeasured(**each) for each in found["not_measured"]),
        }
    )


def measured_from_json(found: Mapping[str, Any]) -> Measured:
    """One entry of `measured`."""
    return Measured(
        **dict(found)
        | {
            "samples": samples_from_json(found["samples"]),
            "memory": memory_from_json(found["memory"]) if found["memory"] else None,
            "growth": growth_from_json(found["growth"]) if found["growth"] else None,
        }
    )


def samples_from_json(found: Sequence[Mapping[str, Any]]) -> tuple[Sample, ...]:
    return tuple(Sample(**each) for each in found)


def memory_from_json(found: Mapping[str, Any]) -> Memory:
    sites = tuple(Site(**each) for each in found["sites"])
    return Memory(**dict(found) | {"sites": sites, "over_time": tuple(map(tuple, found["over_time"]))})


def growth_from_json(found: Mapping[str, Any]) -> Growth:
    return Growth(tuple(found["sizes"]), tuple(found["cpu_s"]), found["exponent"])
