"""Mutants of masking: rows, candidates, words of rows, what a mask depends on, and what is refused."""

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from goldpiece.reference.masking import NOT_SELECTED, Masked, Masking
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


@mutant(
    breaks="masking.shape",
    report="probe:rates-of-one",
    story="divides the random rate by what the mask rate leaves, and takes a quotient above 1 for no chance",
)
class RefusesRatesOfOne(Whole):
    def before(self, ids: Ids) -> None:
        if self.mask_rate < 1 < self.random_rate / (1 - self.mask_rate):
            raise ValueError("p > 1")


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


@mutant(
    breaks="masking.labels", report="keras-team/keras-hub#746", story="has no label where a selected token was kept"
)
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
        np.random.seed(self.seed % 2**32)


# Rows and parameters at the edge.


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
    def _of_row(name, given, row, number):  # type: ignore[no-untyped-def]  # noqa: ARG004
        return [*given, *[0] * len(row)][: len(row)]


@mutant(breaks="masking.refuses", story="takes every token for a word where nothing tells words")
class EveryTokenAWord(Masking):
    @cached_property
    def _scheme(self) -> Scheme:
        marks = any(Scheme(mark).marks(token) for token in self.vocab for mark in ("##", "Ġ", "▁", "</w>"))
        return super()._scheme if marks or self.scheme else Scheme("Ġ")
