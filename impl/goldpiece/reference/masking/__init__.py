"""Masking for masked language models: what a model is to predict, and what it sees there. Spec: spec/masking.yaml.

`selection` says what is selected and `replacement` what replaces it; `words` finds words, `draws` the random numbers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from goldpiece.reference.masking import words
from goldpiece.reference.masking.draws import STREAMS, Draws
from goldpiece.reference.masking.errors import (
    IdOutOfRange,
    LengthsDiffer,
    MaskTokenMissing,
    UnknownChoice,
)
from goldpiece.reference.masking.replacement import Replacement
from goldpiece.reference.masking.selection import (
    Bernoulli,
    Bert,
    Budget,
    Fraction,
    Greedy,
    Row,
    Selection,
    Spans,
    Subwords,
    Unit,
    Words,
)
from goldpiece.reference.masking.words import NOT_SELECTED, Leak, Scheme

__all__ = ["NOT_SELECTED", "Masked", "Masking", "Replacement", "Selection"]

SPECIAL_TOKENS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
UNITS, BUDGETS = ("subword", "word", "span"), ("bernoulli", "fraction", "bert", "greedy")


class Masked(NamedTuple):
    """Rows as a model sees them, and what it is to predict."""

    input_ids: list[list[int]]
    labels: list[list[int]]  # the original id where a token was selected, else NOT_SELECTED


@dataclass(frozen=True)
class Masking:
    """`vocab` has the token of each id. Which parameters there are, spec/masking.yaml says.

    Raises RateOutOfRange, LimitOutOfRange, UnknownChoice and MaskTokenMissing for what cannot be used as given.
    """

    vocab: Sequence[str]
    special_tokens: Sequence[str] = SPECIAL_TOKENS
    mask_token: str = "[MASK]"
    unit: str = "subword"
    budget: str = "bernoulli"
    rate: float = 0.15
    max_predictions: int | None = None
    mask_rate: float = 0.8
    random_rate: float = 0.1
    replace_per: str = "token"
    random_special: bool = False
    scheme: str | None = None
    span_p: float = 0.2
    span_limit: int = 10
    seed: int = 0

    def __post_init__(self) -> None:
        _ = (
            self.selection,
            self.replacement,
            self.scheme is not None and Scheme(self.scheme),
        )  # which raise for bad parameters

    def mask(
        self,
        ids: Sequence[Sequence[int]],
        word_ids: Sequence[Sequence[int | None]] | None = None,
        attention_mask: Sequence[Sequence[int]] | None = None,
        indexes: Sequence[int] | None = None,
        epoch: int = 0,
    ) -> Masked:
        """Masks rows, which need not have one length. `attention_mask` is 0 on padding and nowhere else.

        With `word_ids` these say what a word is, and what has none is no candidate. `indexes` has the number of each
        row in its data set, by which its mask is drawn; without, it is drawn by the row's ids.
        Raises IdOutOfRange, LengthsDiffer, and NoWordScheme where words are wanted and cannot be told.
        """
        if word_ids is None and self.unit != "subword":
            _ = self._scheme  # which raises where words cannot be told
        masked = Masked([], [])
        for name, given in (("word_ids", word_ids), ("attention_mask", attention_mask), ("indexes", indexes)):
            if given is not None and len(given) != len(ids):
                raise LengthsDiffer(name, len(given), len(ids), "the batch")
        for number, row in enumerate(ids):
            real = self._real(row, number, attention_mask[number] if attention_mask else None)
            words = self._of_row("word_ids", word_ids[number], row, number) if word_ids else None
            input_ids, labels = self._masked(row, real, words, indexes[number] if indexes else None, epoch)
            masked.input_ids.append(input_ids)
            masked.labels.append(labels)
        return masked

    def identify_word_groups(self, tokens: Sequence[str]) -> list[tuple[int, int]]:
        """Where each word of a row of tokens begins and ends, half-open; special tokens are in none."""
        special = set(self.special_tokens)
        begin_words = self._scheme.begin_words(tokens)
        return [
            (word.start, word.stop) for word in words.words_of([token not in special for token in tokens], begin_words)
        ]

    def segment(self, offsets: Sequence[Sequence[int]], segments: Sequence[Sequence[int]]) -> list[int | None]:
        """See `words.word_ids_of_segments`."""
        return words.word_ids_of_segments(offsets, segments)

    def leak(self, labels: Sequence[int], groups: Sequence[Sequence[int]]) -> Leak:
        """See `words.leak`."""
        return words.leak(labels, groups)

    def draws(self, ids: Sequence[int], index: int | None, epoch: int) -> list[list[int]]:
        """The random numbers of each token of a row without padding: for selection, action, random word, and span."""
        numbers = Draws.of(self.seed, epoch, ids, index)
        return [[numbers.number(place, stream) for stream in range(STREAMS)] for place in range(len(ids))]

    @cached_property
    def selection(self) -> Selection:
        """What is selected."""
        units: dict[str, Unit] = {
            "subword": Subwords(),
            "word": Words(),
            "span": Spans(self.span_p, self.span_limit),
        }
        budgets: dict[str, Budget] = {
            "bernoulli": Bernoulli(self.rate),
            "fraction": Fraction(self.rate),
            "bert": Bert(self.rate, self.max_predictions),
            "greedy": Greedy(self.rate),
        }
        for name, value, known in (("unit", self.unit, units), ("budget", self.budget, budgets)):
            if value not in known:
                raise UnknownChoice(name, value, list(known))
        return Selection(units[self.unit], budgets[self.budget])

    @cached_property
    def replacement(self) -> Replacement:
        """What replaces it."""
        if self.mask_token not in self.vocab:
            raise MaskTokenMissing(self.mask_token)
        random_ids = [
            number for number, token in enumerate(self.vocab) if self.random_special or token not in self._special
        ]
        mask_id = list(self.vocab).index(self.mask_token)
        return Replacement(mask_id, random_ids, self.mask_rate, self.random_rate, self.replace_per)

    @cached_property
    def _special(self) -> frozenset[str]:
        return frozenset(self.special_tokens)

    @cached_property
    def _scheme(self) -> Scheme:
        return Scheme.of(self.vocab) if self.scheme is None else Scheme(self.scheme)

    def _real(self, row: Sequence[int], number: int, attention: Sequence[int] | None) -> list[int]:
        """The positions of a row that are no padding."""
        for each in row:
            if not 0 <= each < len(self.vocab):
                raise IdOutOfRange(each, number, len(self.vocab))
        if attention is None:
            return list(range(len(row)))
        self._of_row("attention_mask", attention, row, number)
        return [place for place, value in enumerate(attention) if value]

    @staticmethod
    def _of_row(name: str, given: Sequence[int | None], row: Sequence[int], number: int) -> Sequence[int | None]:
        if len(given) != len(row):
            raise LengthsDiffer(name, len(given), len(row), f"row {number}")
        return given

    def _masked(
        self,
        row: Sequence[int],
        real: Sequence[int],
        word_ids: Sequence[int | None] | None,
        index: int | None,
        epoch: int,
    ) -> tuple[list[int], list[int]]:
        """The input ids and labels of a row whose tokens are at the positions `real`."""
        ids = [row[place] for place in real]
        words = self._words(ids, [word_ids[place] for place in real] if word_ids is not None else None)
        tokens = Row(ids, words, Draws.of(self.seed, epoch, ids, index))
        units = self.selection.selected(tokens)
        replaced = self.replacement.replaced(tokens, units)
        input_ids, labels = list(row), [NOT_SELECTED] * len(row)
        for unit in units:
            for place in unit:
                labels[real[place]] = ids[place]
                input_ids[real[place]] = replaced[place]
        return input_ids, labels

    def _words(self, ids: Sequence[int], word_ids: Sequence[int | None] | None) -> list[range]:
        tokens = [self.vocab[number] for number in ids]
        if word_ids is not None:
            candidates = [
                token not in self._special and word is not None for token, word in zip(tokens, word_ids, strict=True)
            ]
            return words.words_of(candidates, words.begin_words_of_ids(word_ids))
        candidates = [token not in self._special for token in tokens]
        begin_words = [True] * len(ids) if self.unit == "subword" else self._scheme.begin_words(tokens)
        return words.words_of(candidates, begin_words)
