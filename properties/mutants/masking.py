"""Mutants of masking: what is selected, and of what a mask depends. Those of chances are in masking_chance.py."""

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from goldpiece.reference.masking import NOT_SELECTED, Masked, Masking
from goldpiece.reference.masking.selection import Bert, Fraction, Row, Selection, Spans, filled, in_random_order
from goldpiece.reference.masking.words import Scheme, begin_words_of_ids, words_of
from goldpiece.suite.mutants import mutant

WordIds = Sequence[int | None] | None
Ids = Sequence[Sequence[int]]


# Rows in, rows out.


class Whole(Masking):
    """A mutant that looks at the batch as a whole: `batch` has its rows before and after."""

    def mask(  # type: ignore[no-untyped-def]
        self, ids: Ids, word_ids=None, attention_mask=None, indexes=None, epoch: int = 0
    ) -> Masked:
        self.before(ids)
        return self.batch(ids, super().mask(ids, word_ids, attention_mask, indexes, epoch))

    def before(self, ids: Ids) -> None:
        """What it does first."""

    def batch(self, ids: Ids, masked: Masked) -> Masked:
        """What it makes of the right result."""
        return masked


@mutant(
    breaks="masking.shape",
    report=("probe:wwm-unequal", "huggingface/transformers#13890"),
    story="fails on rows of unequal length under the unit word",
)
class NeedsEqualRows(Whole):
    def before(self, ids: Ids) -> None:
        if self.unit == "word" and len(set(map(len, ids))) > 1:
            raise IndexError("list index out of range")


@mutant(breaks="masking.shape", report="huggingface/transformers#8397", story="fails on every batch")
class FailsAlways(Whole):
    def before(self, ids: Ids) -> None:
        raise AttributeError("'list' object has no attribute 'size'")


@mutant(
    breaks="masking.shape",
    report="huggingface/transformers#42144",
    story="cannot be built for words that are not all masked",
)
class CannotBeBuilt(Masking):
    def __post_init__(self) -> None:
        super().__post_init__()
        if self.unit == "word" and self.mask_rate < 1:
            raise TypeError("warn() takes a message")


@mutant(breaks="masking.shape", report="facebookresearch/fairseq#2297", story="puts another token into each long row")
class InsertsNoise(Whole):
    def batch(self, ids: Ids, masked: Masked) -> Masked:
        return Masked([[*row, 0] if len(row) > 3 else row for row in masked.input_ids], masked.labels)


@mutant(breaks="masking.labels", story="takes what the model sees for the label")
class LabelsWhatIsSeen(Whole):
    def batch(self, ids: Ids, masked: Masked) -> Masked:
        labels = [
            [label if label == NOT_SELECTED else seen for seen, label in zip(*rows, strict=True)]
            for rows in zip(masked.input_ids, masked.labels, strict=True)
        ]
        return Masked(masked.input_ids, labels)


@mutant(breaks="masking.labels", report="keras-team/keras-hub#746", story="has no label where a selected token was kept")
class LabelsWhatChanged(Whole):
    def batch(self, ids: Ids, masked: Masked) -> Masked:
        labels = [
            [NOT_SELECTED if seen == number else label for number, seen, label in zip(*rows, strict=True)]
            for rows in zip(ids, masked.input_ids, masked.labels, strict=True)
        ]
        return Masked(masked.input_ids, labels)


@mutant(breaks="masking.unselected", story="hides the token before each selected one as well")
class HidesNeighbours(Whole):
    def batch(self, ids: Ids, masked: Masked) -> Masked:
        for seen, labels in zip(masked.input_ids, masked.labels, strict=True):
            for place in range(len(seen) - 1):
                if labels[place + 1] != NOT_SELECTED:
                    seen[place] = self.replacement.mask_id
        return masked


# Candidates.


@mutant(breaks="masking.special-tokens", report="huggingface/transformers#7578", story="knows [CLS] and [SEP] only")
class KnowsTheFrame(Masking):
    @cached_property
    def _special(self) -> frozenset[str]:
        return frozenset({"[CLS]", "[SEP]"})


@mutant(
    breaks="masking.special-tokens",
    report=("huggingface/transformers#1395", "PaddlePaddle/PaddleNLP#1380"),
    story="takes no token for special",
)
class KnowsNoSpecialTokens(Masking):
    @cached_property
    def _special(self) -> frozenset[str]:
        return frozenset()


@mutant(
    breaks="masking.special-tokens",
    report="probe:user-special-in-mask",
    story="takes for special what a frame added, and not what stood in the text",
)
class TrustsTheFrame(Masking):
    def _words(self, ids: Sequence[int], word_ids: WordIds) -> list[range]:
        if word_ids is None:
            return super()._words(ids, word_ids)
        return words_of([word is not None for word in word_ids], begin_words_of_ids(word_ids))


@mutant(breaks="masking.special-tokens", story="has five special tokens, whatever is asked for")
class SpecialTokensFixed(Masking):
    @cached_property
    def _special(self) -> frozenset[str]:
        return frozenset(Masking.special_tokens)


class Padded(Masking):
    """A mutant that takes other positions for padding."""

    def _masked(self, row, real, word_ids, index, epoch):  # type: ignore[no-untyped-def]
        return super()._masked(row, self.tokens(row, real), word_ids, index, epoch)

    def tokens(self, row: Sequence[int], real: Sequence[int]) -> list[int]:
        """The positions that it takes for tokens."""
        return list(real)


@mutant(breaks="masking.padding", report="keras-team/keras-hub#935", story="knows padding by the id of [PAD]")
class PaddingById(Padded):
    def tokens(self, row: Sequence[int], real: Sequence[int]) -> list[int]:
        return [place for place, number in enumerate(row) if self.vocab[number] != "[PAD]"]


@mutant(
    breaks="masking.padding",
    report="huggingface/transformers#23530",
    story="takes a token for padding that has an id which padding has too",
)
class PaddingTakesTokens(Padded):
    def tokens(self, row: Sequence[int], real: Sequence[int]) -> list[int]:
        hidden = {number for place, number in enumerate(row) if place not in real}
        return [place for place in real if row[place] not in hidden]


@mutant(breaks="masking.padding", report="huggingface/transformers#19890", story="counts padding for the budget")
class PaddingCounts(Masking):
    def _masked(self, row, real, word_ids, index, epoch):  # type: ignore[no-untyped-def]
        rate = min(1.0, self.rate * len(row) / max(1, len(real)))
        return Masking._masked(replace(self, rate=rate), row, real, word_ids, index, epoch)


# Words.


@mutant(breaks="masking.whole-words", story="selects pieces where words are asked for")
class PiecesForWords(Masking):
    def _words(self, ids: Sequence[int], word_ids: WordIds) -> list[range]:
        return [range(place, place + 1) for word in super()._words(ids, word_ids) for place in word]


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
        return min(max(1, round(len(row.ids) * self.rate)), 512 if self.max_predictions is None else self.max_predictions)


@mutant(breaks="masking.whole-words", story="fills what is left of a budget with the first pieces of a word")
class FillsUpWithPieces(OtherBudget):
    def chosen(self, units: Sequence[range], row: Row) -> list[range]:
        chosen = super().chosen(units, row)
        left = self.target(row) - sum(map(len, chosen))
        rest = [unit for unit in units if unit not in chosen]
        return chosen + [unit[:left] for unit in rest[:1] if left > 0]


@mutant(breaks="masking.words-by-ids", story="looks at marks where there are word ids")
class MarksOverIds(Masking):
    def _words(self, ids: Sequence[int], word_ids: WordIds) -> list[range]:
        return super()._words(ids, None)


@mutant(breaks="masking.words-by-ids", report="huggingface/transformers#39485", story="takes what touches for one word")
class TouchingIsOneWord(Masking):
    def _words(self, ids: Sequence[int], word_ids: WordIds) -> list[range]:
        candidates = [self.vocab[number] not in self._special for number in ids]
        return words_of(candidates, [False] * len(ids))


@mutant(breaks="masking.words-by-ids", story="takes tokens without a word id for a word")
class NoIdIsAnId(Masking):
    def _words(self, ids: Sequence[int], word_ids: WordIds) -> list[range]:
        return super()._words(ids, word_ids and [-1 if word is None else word for word in word_ids])


@mutant(
    breaks="masking.words-by-marks",
    report="huggingface/transformers#11768",
    story="knows ## alone, and takes each piece of another vocabulary for a word",
)
class KnowsHashesAlone(Masking):
    @cached_property
    def _scheme(self) -> Scheme:
        return Scheme("##")


# Budgets.


@mutant(breaks="masking.budget-bert", report="facebookresearch/fairseq#752", story="may draw one position several times")
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


# What a mask depends on.


class OtherDraws(Masking):
    """A mutant whose random numbers follow from something else."""

    def _masked(self, row, real, word_ids, index, epoch):  # type: ignore[no-untyped-def]
        seed, index, epoch = self.key(row, index, epoch)
        return Masking._masked(replace(self, seed=seed), row, real, word_ids, index, epoch)

    def key(self, row: Sequence[int], index: int | None, epoch: int) -> tuple[int, int | None, int]:
        """Seed, index and epoch that it draws by."""
        return self.seed, index, epoch


@mutant(breaks="masking.reproducible", story="has random numbers of its own, which go on from call to call")
class HiddenState(OtherDraws):
    hidden = random.Random(0)

    def key(self, row: Sequence[int], index: int | None, epoch: int) -> tuple[int, int | None, int]:
        return self.hidden.getrandbits(60), index, epoch


@mutant(breaks="masking.reproducible", story="draws by the place of a row in its batch")
class KeyedByPlace(Masking):
    def mask(self, ids, word_ids=None, attention_mask=None, indexes=None, epoch=0):  # type: ignore[no-untyped-def]
        return super().mask(ids, word_ids, attention_mask, list(range(len(ids))), epoch)


@mutant(breaks="masking.reproducible", story="draws by the row with its padding")
class KeyedByPadding(OtherDraws):
    def key(self, row: Sequence[int], index: int | None, epoch: int) -> tuple[int, int | None, int]:
        return self.seed + len(row), index, epoch


@mutant(breaks="masking.global-state", story="draws from Python's global generator")
class DrawsFromPython(OtherDraws):
    def key(self, row: Sequence[int], index: int | None, epoch: int) -> tuple[int, int | None, int]:
        return random.getrandbits(60), index, epoch


@mutant(breaks="masking.global-state", story="seeds NumPy's global generator")
class SeedsNumPy(Whole):
    def before(self, ids: Ids) -> None:
        np.random.seed(self.seed % 2**32)  # noqa: NPY002 (the fault)


# Rows and parameters at the edge.


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


@mutant(breaks="masking.small-rows", story="fails on a batch without rows")
class NeedsARow(Whole):
    def before(self, ids: Ids) -> None:
        max(map(len, ids))


@mutant(breaks="masking.refuses", story="brings rates into their range without a word")
class ClipsRates(Masking):
    def __post_init__(self) -> None:
        for name in ("rate", "mask_rate", "random_rate"):
            object.__setattr__(self, name, min(1.0, max(0.0, getattr(self, name))))
        object.__setattr__(self, "random_rate", min(self.random_rate, 1 - self.mask_rate))
        super().__post_init__()


@mutant(breaks="masking.refuses", story="takes ids below 0 for those at the end of the vocabulary")
class WrapsIds(Masking):
    def _real(self, row, number, attention):  # type: ignore[no-untyped-def]
        return super()._real([each % len(self.vocab) if each < 0 else each for each in row], number, attention)


@mutant(breaks="masking.refuses", story="fills up word ids that are too few")
class FillsUpWordIds(Masking):
    @staticmethod
    def _of_row(name, given, row, number):  # type: ignore[no-untyped-def]
        return [*given, *[0] * len(row)][: len(row)]


@mutant(breaks="masking.refuses", story="takes every token for a word where nothing tells words")
class EveryTokenAWord(Masking):
    @cached_property
    def _scheme(self) -> Scheme:
        marks = any(Scheme(mark).marks(token) for token in self.vocab for mark in ("##", "Ġ", "▁", "</w>"))
        return super()._scheme if marks or self.scheme else Scheme("Ġ")

