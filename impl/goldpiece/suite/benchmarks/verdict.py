"""Whether something got slower: a ratio with its interval, and what may be said from that.

The ratio is the median over pairs of measurements that were made by turns, so that what else the machine does at the
time is in both. Its interval is a percentile bootstrap of that median, on the logarithm. From few pairs such an
interval is too narrow; by how much is known for a mean, and it is widened by as much (Hesterberg 2015, What Teachers
Should Know About the Bootstrap, section 5.3). Of eight pairs it then reaches from the least ratio to the largest, which
leaves the true one out once in 128 times, whatever the distribution.

With so many workloads, one that looks slower is to be expected from time to time. So what looks slower is not told: it
is measured again, and the new measurements, which nobody has chosen, have to say the same by themselves. That noise
says so twice, on the same side of 1 and by the minimum effect, happens to a workload less than once in ten thousand
times, and in a run of a hundred workloads less than once in a hundred.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from math import ceil, log, sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

CONFIDENCE = 0.99
MINIMUM_EFFECT = 0.05
LARGEST_EFFECT = 0.10  # that a machine's noise may make the minimum effect
FEWEST_PAIRS = 8  # with fewer, all of them lie on one side of the true ratio more than once in a hundred times
RESAMPLES = 10_000
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

    def verdict(self, effect: float = MINIMUM_EFFECT) -> Verdict:
        """Slower or faster where it is surely another, and by the minimum effect as far as one can see; no change where
        it is surely less than that effect.
        """
        limit = 1 + effect
        if self.low > 1 and self.estimate >= limit:
            return Verdict.SLOWER
        if self.high < 1 and self.estimate <= 1 / limit:
            return Verdict.FASTER
        if self.high < limit and self.low > 1 / limit:
            return Verdict.NO_CHANGE
        return Verdict.CANNOT_TELL

    @property
    def reach(self) -> float:
        """How far from 1 the interval goes, as a minimum effect is written."""
        return max(self.high, 1 / self.low) - 1

    def pairs_needed(self, pairs: int, effect: float = MINIMUM_EFFECT) -> int | None:
        """How many it would take to tell, as the interval narrows with their square root; None for more than one has
        patience for.
        """
        limit, distance = log(1 + effect), abs(log(self.estimate))
        room = distance if distance >= limit else limit - distance
        half = max(log(self.high / self.estimate), log(self.estimate / self.low))
        needed = ceil(pairs * (half / room) ** 2) if room > 0 else MOST_PAIRS + 1
        return max(pairs + 1, needed) if needed <= MOST_PAIRS else None


WAITS = "the clock on the wall says {verdict}, and processor time does not: it waits, or works on other cores"
NOISY = "A differs from itself: {verdict}, {estimate:.2f} ({low:.2f}-{high:.2f})"
UNCONFIRMED = "{verdict} at first sight, and no {pairs} new measurements have said the same by themselves"


@dataclass(frozen=True)
class Verdicts:
    """What is said of one workload, and why no more is."""

    ratio: Ratio  # of processor time
    wall: Ratio | None = None
    noise: Ratio | None = None  # A against A
    least: float = MINIMUM_EFFECT  # even without noise
    confirmed: bool = True  # whether a difference was seen again by new measurements

    @property
    def effect(self) -> float:
        """The minimum effect here: what noise reaches is none. Beyond the largest, more is to be measured, and not less
        to be told.
        """
        return min(max(self.least, self.noise.reach if self.noise else 0.0), LARGEST_EFFECT)

    @property
    def seen(self) -> Verdict:
        """What processor time says by itself."""
        return self.ratio.verdict(self.effect)

    @property
    def noisy(self) -> bool:
        """Whether A surely differs from itself."""
        return self.noise is not None and self.noise.verdict() in (Verdict.SLOWER, Verdict.FASTER)

    @property
    def reason(self) -> str:
        """Why nothing can be told whatever the ratio; empty where something can."""
        if self.noise and self.noisy:
            return NOISY.format(verdict=self.noise.verdict(), **vars(self.noise))
        if not self.confirmed:
            return UNCONFIRMED.format(verdict=self.seen, pairs=FEWEST_PAIRS)
        limit = 1 + self.effect
        if self.wall and self.seen is Verdict.NO_CHANGE and (self.wall.low > limit or self.wall.high < 1 / limit):
            return WAITS.format(verdict=Verdict.SLOWER if self.wall.low > limit else Verdict.FASTER)
        return ""

    @property
    def verdict(self) -> Verdict:
        return Verdict.CANNOT_TELL if self.reason else self.seen


def ratio_of_pairs(a: Sequence[float], b: Sequence[float]) -> Ratio:
    """From measurements of which those at one place were made by turns."""
    logs = np.log(b) - np.log(a)
    return _ratio(float(np.median(logs)), _medians(logs, 0), len(logs))


def ratio_of_runs(a: Sequence[float], b: Sequence[float]) -> Ratio:
    """From measurements of two runs, which have nothing to do with each other."""
    first, second = np.log(a), np.log(b)
    resampled = _medians(second, 1) - _medians(first, 0)
    return _ratio(float(np.median(second) - np.median(first)), resampled, min(len(first), len(second)))


def _medians(values: NDArray[np.float64], place: int) -> NDArray[np.float64]:
    """Those of the resamples."""
    found: NDArray[np.float64] = np.sort(values)[_middles(len(values), place)].mean(axis=1)
    return found


@cache
def _middles(count: int, place: int) -> NDArray[np.int64]:
    """The ranks of both middle values of each resample, of so many drawn with replacement: whatever the values are."""
    drawn = np.random.default_rng([SEED, place]).integers(0, count, (RESAMPLES, count))
    return np.sort(drawn, axis=1)[:, [(count - 1) // 2, count // 2]]


def _ratio(estimate: float, resampled: NDArray[np.float64], pairs: int) -> Ratio:
    tail = _tail(pairs)
    low, high = np.quantile(resampled, [tail, 1 - tail])
    return Ratio(*(float(np.exp(each)) for each in (estimate, low, high)))


@cache
def _tail(pairs: int) -> float:
    """What share of the resampled medians lies beyond either end: that of a normal distribution beyond the quantile of
    Student's t, which is expanded about the normal one here (Abramowitz and Stegun 26.7.5).
    """
    z, freedom = NormalDist().inv_cdf((1 + CONFIDENCE) / 2), pairs - 1
    t = (
        z
        + (z**3 + z) / (4 * freedom)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
    )
    return NormalDist().cdf(-sqrt(pairs / freedom) * t)
