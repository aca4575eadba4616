"""Whether something got slower: a ratio with its interval, and what may be said from that.

The ratio is the median over pairs of measurements that followed each other, so that what else the machine does at the
time is in both. Its interval is a percentile bootstrap of that median, on the logarithm: whatever the distribution,
it leaves the true ratio out about once in a hundred.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import ceil, log

import numpy as np
from numpy.typing import NDArray

CONFIDENCE = 0.99
MINIMUM_EFFECT = 0.05
FEWEST_PAIRS = 8  # with fewer, all of them lie on one side of the true ratio more than once in a hundred times
RESAMPLES = 4_000
SEED = 1  # of the bootstrap: the same measurements have the same verdict
MOST_PAIRS = 2_000  # that are named as needed


class Verdict(StrEnum):
    """What became of a workload."""

    SLOWER = "slower"
    FASTER = "faster"
    NO_CHANGE = "no change"
    CANNOT_TELL = "can't tell"
    MISSING = "missing"


@dataclass(frozen=True)
class Ratio:
    """How many times as long B took as A: the median, and between what the true one lies."""

    estimate: float
    low: float
    high: float

    @property
    def verdict(self) -> Verdict:
        """Slower or faster where it is surely another, and by the minimum effect as far as one can see; no change where
        it is surely less than that effect.
        """
        limit = 1 + MINIMUM_EFFECT
        if self.low > 1 and self.estimate >= limit:
            return Verdict.SLOWER
        if self.high < 1 and self.estimate <= 1 / limit:
            return Verdict.FASTER
        if self.high < limit and self.low > 1 / limit:
            return Verdict.NO_CHANGE
        return Verdict.CANNOT_TELL

    def settled(self, pairs: int) -> bool:
        """Whether more pairs are not called for. A difference has to last: that one of many workloads looks slower
        after a few pairs happens often.
        """
        if self.verdict is Verdict.NO_CHANGE:
            return pairs >= FEWEST_PAIRS
        return self.verdict is not Verdict.CANNOT_TELL and pairs >= 2 * FEWEST_PAIRS

    def pairs_needed(self, pairs: int) -> int | None:
        """How many it would take to tell, as the interval narrows with their square root; None for more than one has
        patience for.
        """
        limit, distance = log(1 + MINIMUM_EFFECT), abs(log(self.estimate))
        room = distance if distance >= limit else limit - distance
        half = max(log(self.high / self.estimate), log(self.estimate / self.low))
        needed = ceil(pairs * (half / room) ** 2) if room > 0 else MOST_PAIRS + 1
        return max(pairs + 1, needed) if needed <= MOST_PAIRS else None


def ratio_of_pairs(a: Sequence[float], b: Sequence[float]) -> Ratio:
    """From measurements of which those at one place followed each other."""
    logs = np.log(b) - np.log(a)
    return _ratio(float(np.median(logs)), np.median(logs[_drawn(len(logs), 0)], axis=1))


def ratio_of_runs(a: Sequence[float], b: Sequence[float]) -> Ratio:
    """From measurements of two runs, which have nothing to do with each other."""
    first, second = np.log(a), np.log(b)
    medians = [np.median(each[_drawn(len(each), place)], axis=1) for place, each in enumerate((first, second))]
    return _ratio(float(np.median(second) - np.median(first)), medians[1] - medians[0])


def _drawn(count: int, place: int) -> NDArray[np.int64]:
    """Places of measurements, drawn with replacement: a row for each resample."""
    return np.random.default_rng([SEED, place]).integers(0, count, (RESAMPLES, count))


def _ratio(estimate: float, resampled: NDArray[np.float64]) -> Ratio:
    low, high = np.quantile(resampled, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    return Ratio(*(float(np.exp(each)) for each in (estimate, low, high)))
