"""Mutants of masking: which units are selected, and how many."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from goldpiece.reference.masking import Masked, Masking
from goldpiece.reference.masking.selection import Bert, Fraction, Row, Selection, Spans, filled, in_random_order
from goldpiece.suite.mutants import mutant

from .masking import Ids, Whole


def right_selection(masking: Masking) -> Selection:
    """What the reference selects under the same parameters."""
    names = ("unit", "budget", "rate", "max_predictions", "span_p", "span_limit")
    return Masking(["[MASK]"], **{name: getattr(masking, name) for name in names}).selection


class OtherBudget(Masking):
    """A mutant that chooses among units in its own way."""

    @cached_property
    def selection(self) -> Selection:
        return Selection(right_selection(self).unit, self)

    def chosen(self, units: Sequence[range], row: Row) -> list[range]:
        """See `goldpiece.reference.masking.selection.Budget`."""
        return right_selection(self).budget.chosen(units, row)

    def target(self, row: Row) -> int:
        """The right target of the budget `bert`."""
        return min(
            max(1, round(len(row.ids) * self.rate)), 512 if self.max_predictions is None else self.max_predictions
        )


@mutant(breaks="masking.whole-words", story="fills what is left of a budget with the first pieces of a word")
class FillsUpWithPieces(OtherBudget):
    def chosen(self, units: Sequence[range], row: Row) -> list[range]:
        chosen = super().chosen(units, row)
        left = self.target(row) - sum(map(len, chosen))
        rest = [unit for unit in units if unit not in chosen]
        return chosen + [unit[:left] for unit in rest[:1] if left > 0]


@mutant(
    breaks="masking.budget-bert", report="facebookresearch/fairseq#752", story="may draw one position several times"
)
class DrawsWithReplacement(OtherBudget):
    def chosen(self, units: Sequence[range], row: Row) -> list[range]:
        count = len(super().chosen(units, row))
        return list({units[row.draws.below(len(units), lot, 0)] for lot in range(count)})


@mutant(breaks="masking.budget-bert", report="huggingface/course#291", story="leaves the labels of all tokens")
class LabelsEverything(Whole):
    def batch(self, ids: Ids, masked: Masked) -> Masked:
        return Masked(masked.input_ids, [list(row) for row in ids])


@mutant(breaks="masking.budget-bert", story="rounds a half up")
class RoundsUp(OtherBudget):
    def chosen(self, units: Sequence[range], row: Row) -> list[range]:
        target = max(1, int(len(row.ids) * self.rate + 0.5))
        target = target if self.max_predictions is None else min(target, self.max_predictions)
        return filled(units, row, target, target)


@mutant(breaks="masking.budget-bert", story="selects nothing in short rows")
class NoLeast(OtherBudget):
    def chosen(self, units: Sequence[range], row: Row) -> list[range]:
        target = min(self.target(row), round(len(row.ids) * self.rate))
        return filled(units, row, target, target)


@mutant(breaks="masking.budget-bert", story="does not look at max_predictions")
class NoMost(OtherBudget):
    def chosen(self, units: Sequence[range], row: Row) -> list[range]:
        return Bert(self.rate).chosen(units, row)


@mutant(breaks="masking.budget-bert", story="counts the tokens that can be selected, and not those of the row")
class CountsCandidates(OtherBudget):
    def chosen(self, units: Sequence[range], row: Row) -> list[range]:
        candidates = [row.ids[place] for word in row.words for place in word]
        return super().chosen(units, replace(row, ids=candidates))


@mutant(
    breaks="masking.budget-bert-words",
    report="NVIDIA/Megatron-LM#196",
    story="takes words again that are selected already, and counts them again",
)
class TakesAgain(OtherBudget):
    def chosen(self, units: Sequence[range], row: Row) -> list[range]:
        twice = [unit for unit in in_random_order(units, row) for _ in range(2)]
        chosen: list[range] = []
        for unit in twice:
            if sum(map(len, chosen)) + len(unit) <= self.target(row):
                chosen.append(unit)
        return list(dict.fromkeys(chosen))


@mutant(breaks="masking.budget-bert-words", story="stops at the first word that does not fit")
class StopsAtMisfit(OtherBudget):
    def chosen(self, units: Sequence[range], row: Row) -> list[range]:
        chosen: list[range] = []
        for unit in in_random_order(units, row):
            if sum(map(len, chosen)) + len(unit) > self.target(row):
                break
            chosen.append(unit)
        return chosen


@mutant(breaks="masking.budget-bert-words", story="looks at the budget before a word and not behind it")
class PassesTheBudget(OtherBudget):
    def chosen(self, units: Sequence[range], row: Row) -> list[range]:
        return filled(units, row, self.target(row), len(row.ids))


@mutant(breaks="masking.budget-greedy", story="lets the target be passed by three")
class PassesByThree(OtherBudget):
    def chosen(self, units: Sequence[range], row: Row) -> list[range]:
        target = int(len(row.ids) * self.rate)
        return filled(units, row, target, target + 3)


@mutant(breaks="masking.budget-greedy", story="never passes the target")
class NeverPasses(OtherBudget):
    def chosen(self, units: Sequence[range], row: Row) -> list[range]:
        target = int(len(row.ids) * self.rate)
        return filled(units, row, target, target)


@mutant(breaks="masking.budget-greedy", story="goes on behind the target while words fit")
class GoesOn(OtherBudget):
    def chosen(self, units: Sequence[range], row: Row) -> list[range]:
        limit = int(len(row.ids) * self.rate) + 2
        return filled(units, row, limit, limit)


@mutant(breaks="masking.budget-fraction", story="selects each word on its own")
class CoinsForFraction(OtherBudget):
    def chosen(self, units: Sequence[range], row: Row) -> list[range]:
        return [unit for unit in units if row.draws.fraction(unit.start, 0) < self.rate]


@mutant(breaks="masking.budget-fraction", story="counts tokens where it selects words")
class CountsTokens(OtherBudget):
    def chosen(self, units: Sequence[range], row: Row) -> list[range]:
        tokens = [range(place, place + 1) for unit in units for place in unit]
        return in_random_order(units, row)[: len(Fraction(self.rate).chosen(tokens, row))]


@mutant(breaks="masking.span-words", story="counts the tokens of a span, and cuts words")
class SpansOfTokens(Masking):
    @cached_property
    def selection(self) -> Selection:
        return Selection(_SpansOfTokens(self.span_p, self.span_limit), right_selection(self).budget)


class _SpansOfTokens(Spans):
    def units(self, row: Row) -> list[range]:
        tokens = [range(place, place + 1) for word in row.words for place in word]
        return super().units(replace(row, words=tokens))


@mutant(
    breaks="masking.small-rows",
    report="huggingface/transformers#22246",
    story="fails where more is to be selected than a row has",
)
class NeedsEnough(OtherBudget):
    def chosen(self, units: Sequence[range], row: Row) -> list[range]:
        if self.budget == "bert" and self.target(row) > len(units):
            raise IndexError("cannot choose more than there are")
        return super().chosen(units, row)


# Chances of units, and spans.


@mutant(
    breaks="masking.equal-chances",
    report="google-research/text-to-text-transfer-transformer#905",
    story="always leaves the first unit, so that each row begins clean",
)
class BeginsClean(OtherBudget):
    def chosen(self, units: Sequence[range], row: Row) -> list[range]:
        return super().chosen(units[1:], row)


@mutant(breaks="masking.equal-chances", story="selects a word where the lot of any of its tokens is in it")
class LongWordsMore(OtherBudget):
    def chosen(self, units: Sequence[range], row: Row) -> list[range]:
        return [unit for unit in units if any(row.draws.fraction(place, 0) < self.rate for place in unit)]


@mutant(breaks="masking.equal-chances-of-fraction", story="rounds the number of units down, and never up")
class RoundsDown(OtherBudget):
    def chosen(self, units: Sequence[range], row: Row) -> list[range]:
        by_lot = sorted(units, key=lambda unit: row.draws.number(unit.start, 0))
        return by_lot[: int(self.rate * len(units))]


@mutant(breaks="masking.equal-chances-of-fraction", story="takes units that stand side by side, from a random one on")
class TakesNeighbours(OtherBudget):
    def chosen(self, units: Sequence[range], row: Row) -> list[range]:
        count = len(super().chosen(units, row))
        begin = row.draws.below(max(1, len(units) - count + 1), 0, 2)
        return list(units[begin : begin + count])


@mutant(breaks="masking.independence", story="has one lot for two units that stand side by side")
class SelectsInPairs(OtherBudget):
    def chosen(self, units: Sequence[range], row: Row) -> list[range]:
        return [unit for place, unit in enumerate(units) if row.draws.fraction(place // 2, 0) < self.rate]


class OtherSpans(Masking):
    """A mutant that cuts spans with other parameters."""

    @cached_property
    def selection(self) -> Selection:
        return Selection(self.spans(), right_selection(self).budget)

    def spans(self) -> Spans:
        """How it cuts them."""
        return Spans(self.span_p, self.span_limit)


@mutant(breaks="masking.span-lengths", story="has 0.2 for span_p, whatever is asked for")
class SpansFixed(OtherSpans):
    def spans(self) -> Spans:
        return Spans(0.2, self.span_limit)


@mutant(breaks="masking.span-lengths", story="has spans of up to ten words, whatever limit is asked for")
class LimitFixed(OtherSpans):
    def spans(self) -> Spans:
        return Spans(self.span_p, 10)


class _Even(Spans):
    @property
    def chances(self) -> list[float]:
        return [length / self.limit for length in range(1, self.limit)]


@mutant(breaks="masking.span-lengths", story="has spans of each length alike")
class SpansEven(OtherSpans):
    def spans(self) -> Spans:
        return _Even(self.span_p, self.span_limit)
