"""What is found out about a workload on a subject."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import quantiles
from typing import Any


@dataclass(frozen=True)
class Ratio:
    """How many times as fast as the reference: the median of pairs, and where their middle half lies."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, pairs: Sequence[tuple[float, float]]) -> "Ratio":
        """From the seconds of the reference and those of the subject, measured one right behind the other."""
        ratios = [reference / subject for reference, subject in pairs]
        low, middle, high = quantiles(ratios, n=4, method="inclusive") if len(ratios) > 1 else ratios * 3
        return cls(middle, low, high)


@dataclass(frozen=True)
class Figures:
    """None stands for what was not asked for, or could not be found out."""

    workload: str
    subject: str
    inputs: int
    utf8_bytes: int  # of all inputs
    tokens: int | None = None
    rounds: int | None = None  # behind the next three
    mb_per_s: float | None = None  # 10^6 bytes of UTF-8, by the median round
    tokens_per_s: float | None = None
    ratio: Ratio | None = None  # None for the reference itself
    calls: int | None = None  # behind the next two
    p50_s: float | None = None
    p99_s: float | None = None
    peak_memory_bytes: int | None = None
    no_memory_because: str | None = None

    def as_info(self) -> dict[str, Any]:
        """The same for the JSON of pytest-benchmark."""
        info = {name: value for name, value in vars(self).items() if value is not None}
        return info | ({"ratio": vars(self.ratio)} if self.ratio else {})
