"""Exact tests of chances, for laws that judge a sample of fixed size.

A law that holds fails with a probability of no more than ALPHA, whatever it looks at and however often: the level is
shared out evenly. Binomial tails are summed, not approximated.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp, inf, lgamma, log, log1p

from goldpiece.suite.component import Disagreement

ALPHA = 1e-9  # of a clause under one seed
LOOKS = 2  # how often a law may look: at a small sample, where a gross fault shows, and at the one that has the power


@dataclass(frozen=True)
class Share:
    """Something that should happen with a known chance in each of `of` independent trials, and did `count` times."""

    what: str
    count: int
    of: int
    chance: float

    @property
    def p_value(self) -> float:
        """The probability of a count as far out as this one, on either side."""
        return min(1.0, 2 * min(self._tail(range(self.count, -1, -1)), self._tail(range(self.count, self.of + 1))))

    def _tail(self, counts: range) -> float:
        total = 0.0
        for count in counts:
            term = self._probability(count)
            total += term
            beyond_the_middle = (count > self.of * self.chance) == (counts.step > 0)
            if term < total * 1e-12 and beyond_the_middle:
                break
        return total

    def _probability(self, count: int) -> float:
        if self.chance in (0, 1):
            return float(count == self.of * self.chance)
        ways = lgamma(self.of + 1) - lgamma(count + 1) - lgamma(self.of - count + 1)
        return exp(ways + count * log(self.chance) + (self.of - count) * log1p(-self.chance))


@dataclass(frozen=True)
class Mixed(Share):
    """Something whose chance is not the same in each trial; `chance` is their mean."""

    @property
    def p_value(self) -> float:
        """A bound on the probability, for counts on either side: Hoeffding (1963), theorem 1."""
        share, divergence = self.count / self.of, 0.0
        for found, expected in ((share, self.chance), (1 - share, 1 - self.chance)):
            if found > 0:
                divergence += found * log(found / expected) if expected > 0 else inf
        return min(1.0, 2 * exp(-self.of * divergence))


def expect_shares(shares: Sequence[Share], tests: int) -> None:
    """Raises Disagreement where a count cannot be chance. `tests` is how many a law makes in all its looks."""
    assert 0 < len(shares) <= tests
    for share in shares:
        if share.p_value * tests < ALPHA:
            note = f"{share.what}: chance gives what is as far out as this with probability {share.p_value:.1g}"
            expected = f"about {share.of * share.chance:,.0f} of {share.of:,} ({share.chance:.1%})"
            actual = f"{share.count:,} of {share.of:,} ({share.count / max(1, share.of):.1%})"
            raise Disagreement(expected, actual, note)


def looks(small: int, large: int) -> Iterator[tuple[int, int]]:
    """The number of each look at a subject, and the size of its sample."""
    return enumerate((small, large))
