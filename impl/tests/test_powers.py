"""What a spec says of the power of a law is so: it is summed, for a subject whose chance is another."""

from importlib import import_module
from math import exp, lgamma, log, log1p

import pytest

from goldpiece.suite.loader import load_specs

chance = import_module("goldpiece.properties.chance")
DROPOUT = "4,000 words tell a chance of 0.1 from 0.05 and 0.15, and of 0.75 from 0.68 and 0.82, with power 0.999"


def probability(count: int, of: int, share: float) -> float:
    ways = lgamma(of + 1) - lgamma(count + 1) - lgamma(of - count + 1)
    return exp(ways + count * log(share) + (of - count) * log1p(-share))


def power(of: int, expected: float, actual: float, tests: int) -> float:
    """The probability that a law which makes `tests` tests objects to a count, looked at `of` times."""

    alpha: float = chance.ALPHA

    def fails(count: int) -> bool:
        p_value: float = chance.Share("", count, of, expected).p_value
        return p_value * tests < alpha

    middle = round(of * expected)
    few = next((count for count in range(middle, -1, -1) if fails(count)), -1)
    many = next((count for count in range(middle, of + 1) if fails(count)), of + 1)
    return sum(probability(count, of, actual) for count in (*range(few + 1), *range(many, of + 1)))


@pytest.mark.parametrize(("dropout", "other"), [(0.1, 0.05), (0.1, 0.15), (0.75, 0.68), (0.75, 0.82)])
def test_the_power_of_dropout_chance(dropout: float, other: float) -> None:
    """By how often the first two letters are merged, one of two shares at two rates."""
    assert load_specs().clause("bpe.dropout-chance").power.startswith(DROPOUT)
    assert power(4_000, 1 - dropout, 1 - other, chance.LOOKS * 2 * 2) >= 0.999
