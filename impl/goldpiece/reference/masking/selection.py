"""What is selected: the units of a row, and the budget that says which of them.

A unit is what is selected or left as a whole; a new one is a class with `units`. A new budget is one with `chosen`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from goldpiece.reference.masking.draws import SELECTION, SPAN, Draws
from goldpiece.reference.masking.errors import LimitOutOfRange, RateOutOfRange


@dataclass(frozen=True)
class Row:
    """A row without its padding."""

    ids: Sequence[int]
    words: Sequence[range]  # positions of the candidates of each word; every candidate is in one
    draws: Draws


class Unit(Protocol):
    """What is selected as a whole."""

    def units(self, row: Row) -> list[range]:
        """The units of a row, in order: every candidate is in exactly one."""


class Budget(Protocol):
    """Which units are selected."""

    def chosen(self, units: Sequence[range], row: Row) -> list[range]:
        """Those of the units that are selected, in any order."""


@dataclass(frozen=True)
class Selection:
    """A unit and a budget."""

    unit: Unit
    budget: Budget

    def selected(self, row: Row) -> list[range]:
        """The units of a row that are selected."""
        return self.budget.chosen(self.unit.units(row), row)


# Units.


class Subwords:
    """Each token alone."""

    def units(self, row: Row) -> list[range]:
        return [range(place, place + 1) for word in row.words for place in word]


class Words:
    """Each word."""

    def units(self, row: Row) -> list[range]:
        return list(row.words)


@dataclass(frozen=True)
class Spans:
    """Words that stand together, as SpanBERT masks them: each stretch of words is cut into spans of random length.

    Lengths in words are geometric with the parameter `p`, and none is longer than `limit`.
    """

    p: float = 0.2
    limit: int = 10

    def __post_init__(self) -> None:
        if not 0 < self.p <= 1:
            raise RateOutOfRange("span_p", self.p)
        if self.limit < 1:
            raise LimitOutOfRange("span_limit", self.limit, 1)

    @property
    def chances(self) -> list[float]:
        """The chance that a span has no more than 1, 2, … limit - 1 words."""
        whole = 1 - (1 - self.p) ** self.limit
        return [(1 - (1 - self.p) ** length) / whole for length in range(1, self.limit)]

    def units(self, row: Row) -> list[range]:
        chances = self.chances
        spans: list[range] = []
        left = 0  # how many words the last span may still take
        for word in row.words:
            if left and spans[-1].stop == word.start:
                spans[-1] = range(spans[-1].start, word.stop)
            else:
                drawn = row.draws.fraction(word.start, SPAN)
                left = 1 + sum(chance <= drawn for chance in chances)
                spans.append(word)
            left -= 1
        return spans


# Budgets. In random order means by the selection numbers of the units' first tokens.


@dataclass(frozen=True)
class Bernoulli:
    """Each unit on its own with the chance `rate`."""

    rate: float

    def __post_init__(self) -> None:
        check_rate("rate", self.rate)

    def chosen(self, units: Sequence[range], row: Row) -> list[range]:
        return [unit for unit in units if row.draws.fraction(unit.start, SELECTION) < self.rate]


@dataclass(frozen=True)
class Fraction:
    """So many units that `rate` of them are selected on average, and each row has no more than one beside it."""

    rate: float

    def __post_init__(self) -> None:
        check_rate("rate", self.rate)

    def chosen(self, units: Sequence[range], row: Row) -> list[range]:
        count = int(self.rate * len(units) + row.draws.fraction_of_row())
        return in_random_order(units, row)[:count]


@dataclass(frozen=True)
class Bert:
    """Units in random order while they fit, as google-research/bert selects them; one that does not fit is skipped.

    The target is `rate` of the row's tokens, special ones included, 1 at least and `max_predictions` at most.
    """

    rate: float
    max_predictions: int | None = None

    def __post_init__(self) -> None:
        check_rate("rate", self.rate)
        if self.max_predictions is not None and self.max_predictions < 0:
            raise LimitOutOfRange("max_predictions", self.max_predictions, 0)

    def chosen(self, units: Sequence[range], row: Row) -> list[range]:
        target = max(1, round(len(row.ids) * self.rate))
        if self.max_predictions is not None:
            target = min(target, self.max_predictions)
        return filled(units, row, target, target)


@dataclass(frozen=True)
class Greedy:
    """The tutorials' way: units in random order until the target is reached, which they may pass by two tokens."""

    rate: float

    def __post_init__(self) -> None:
        check_rate("rate", self.rate)

    def chosen(self, units: Sequence[range], row: Row) -> list[range]:
        target = int(len(row.ids) * self.rate)
        return filled(units, row, target, target + 2)


def in_random_order(units: Sequence[range], row: Row) -> list[range]:
    """The units by their selection numbers, of which no two are the same."""
    return sorted(units, key=lambda unit: row.draws.number(unit.start, SELECTION))


def filled(units: Sequence[range], row: Row, target: int, limit: int) -> list[range]:
    """Units in random order until they hold `target` tokens; one that would pass `limit` is skipped."""
    chosen: list[range] = []
    total = 0
    for unit in in_random_order(units, row):
        if total < target and total + len(unit) <= limit:
            chosen.append(unit)
            total += len(unit)
    return chosen


def check_rate(name: str, value: float) -> None:
    """Raises RateOutOfRange unless `value` is a probability."""
    if not 0 <= value <= 1:
        raise RateOutOfRange(name, value)
