"""Whether something takes more memory. Peaks repeat, so that a tolerance is enough, and no interval is needed."""

from dataclasses import dataclass
from enum import StrEnum

from goldpiece.suite.benchmarks.record import Measured

TOLERANCE = 0.02  # of what memray counts: what lies in memory by its address lies otherwise in each process
RSS_TOLERANCE = 0.05  # of the whole process, which the system gives memory by the page, and libraries ahead of need
SMALLEST = 4_096  # bytes: less is no difference, whatever its ratio


class MemoryVerdict(StrEnum):
    """What became of the memory that a workload takes."""

    MORE = "more"
    LESS = "less"
    NO_CHANGE = "no change"
    NOT_MEASURED = "not measured"


@dataclass(frozen=True)
class MemoryChange:
    """The peaks of both sides: of what is allocated in a pass, and of the whole process."""

    a: int | None
    b: int | None
    rss_a: int | None
    rss_b: int | None

    @classmethod
    def between(cls, a: Measured, b: Measured) -> "MemoryChange":
        peak_a, peak_b = (each.memory.peak_bytes if each.memory else None for each in (a, b))
        return cls(peak_a, peak_b, a.peak_rss_bytes, b.peak_rss_bytes)

    @property
    def ratio(self) -> float | None:
        """How many times as much of what is allocated."""
        return _ratio(self.a, self.b)

    @property
    def rss_ratio(self) -> float | None:
        """How many times as much of the whole process."""
        return _ratio(self.rss_a, self.rss_b)

    @property
    def worst(self) -> float:
        """The larger ratio of those that are no mere noise; 1 where both are."""
        found = [ratio for ratio in self._beyond_tolerance() if ratio > 1]
        return max(found, default=1.0)

    @property
    def verdict(self) -> MemoryVerdict:
        """By either peak, where it is more."""
        if (self.a is None) != (self.b is None) or (self.ratio is None and self.rss_ratio is None):
            return MemoryVerdict.NOT_MEASURED
        if self.worst > 1:
            return MemoryVerdict.MORE
        return MemoryVerdict.LESS if self._beyond_tolerance() else MemoryVerdict.NO_CHANGE

    def _beyond_tolerance(self) -> list[float]:
        peaks = ((self.a, self.b, TOLERANCE), (self.rss_a, self.rss_b, RSS_TOLERANCE))
        return [
            b / a
            for a, b, tolerance in peaks
            if a and b and abs(b - a) > SMALLEST and not 1 / (1 + tolerance) <= b / a <= 1 + tolerance
        ]


def _ratio(a: int | None, b: int | None) -> float | None:
    return b / a if a and b else None
