"""Subjects side by side: how each stands to the reference, which was measured in the same processes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from goldpiece.suite.benchmarks.account import aligned, duration, kilobytes, number
from goldpiece.suite.benchmarks.record import Measured, NotMeasured, Run

REFERENCE = "reference"  # the subject that the others are compared with
COLUMNS = ("workload", "subject", "equal", "tokens/s", "p99", "memory", "× reference")


@dataclass(frozen=True)
class Between:
    """A ratio, and the ends between which it lies."""

    ratio: float
    low: float
    high: float

    @classmethod
    def of(cls, ratios: Sequence[float]) -> "Between":
        """The median of some, and the least and the largest of them."""
        return cls(median(ratios), min(ratios), max(ratios))


@dataclass(frozen=True)
class Standing:
    """A subject in a workload. Nothing is measured of one whose output is not that of the reference."""

    workload: str
    subject: str
    found: Measured | NotMeasured
    speed: Between | None = None  # how many times as fast as the reference; None for that itself

    @property
    def is_equal(self) -> bool:
        return isinstance(self.found, Measured)


def standings(run: Run) -> list[Standing]:
    """Each subject in each workload, as they were asked for; what is not there is left out."""
    wrong = [each for each in run.not_measured if each.is_fault]
    workloads = dict.fromkeys([*(each.workload for each in run.measured), *(each.workload for each in wrong)])
    return [each for workload in workloads for each in _of(run, workload, wrong)]


def _of(run: Run, workload: str, wrong: Sequence[NotMeasured]) -> Iterator[Standing]:
    reference = run.of(workload, REFERENCE)
    for each in run.measured:
        if each.workload == workload:
            yield Standing(workload, each.subject, each, _speed(each, reference))
    for lacking in wrong:
        if lacking.workload == workload:
            yield Standing(workload, lacking.subject, lacking)


def _speed(measured: Measured, reference: Measured | None) -> Between | None:
    if reference is None or measured is reference:
        return None
    pairs = zip(reference.samples, measured.samples, strict=False)
    return Between.of([one.cpu_s / other.cpu_s for one, other in pairs])


def not_run(run: Run) -> Iterator[str]:
    """Why something is not there, once for each reason."""
    lacking = [each for each in run.not_measured if not each.is_fault]
    for reason in dict.fromkeys(each.reason for each in lacking):
        workloads = list(dict.fromkeys(each.workload for each in lacking if each.reason == reason))
        yield f"{workloads[0] if len(workloads) == 1 else f'{len(workloads)} workloads'}: {reason}"


def account_of_standings(run: Run) -> Iterator[tuple[str, str]]:
    """Lines of text, each with a style."""
    found = standings(run)
    yield f"{run.side} {run.version}, {run.machine.cpu}, {run.machine.python}", "bold"
    yield from aligned([COLUMNS, *map(_cells, found)], 3)
    yield "", ""
    yield "equal: whether the output is that of the reference; where it is not, nothing is measured.", "dim"
    yield (
        "× reference: how many times as fast, in processor time of one core; in brackets the least and the largest",
        "dim",
    )
    yield "of the processes, each of which measured both. memory: the peak of one pass.", "dim"
    for each in found:
        if isinstance(each.found, NotMeasured):
            yield f"{each.workload}: {each.found.reason}", "red"
    for line in not_run(run):
        yield line, "yellow"


def _cells(each: Standing) -> tuple[str, ...]:
    if isinstance(each.found, NotMeasured):
        return (each.workload, each.subject, "no", "–", "–", "–", "–")
    speed = each.speed
    return (
        each.workload,
        each.subject,
        "yes",
        number(each.found.tokens_per_s, ",.0f"),
        duration(each.found.latency("p99_s")),
        kilobytes(each.found.memory.peak_bytes if each.found.memory else None),
        f"{speed.ratio:.2f} ({speed.low:.2f}-{speed.high:.2f})" if speed else "1" if each.subject == REFERENCE else "–",
    )
