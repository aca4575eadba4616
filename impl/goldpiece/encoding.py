"""What a tokenizer makes of texts: rows of tokens that lie end to end in flat arrays, and views of single rows."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

NONE = -1  # in arrays of integers, where a list has None


@dataclass(frozen=True, eq=False)
class Encodings(Sequence["Encoding"]):
    """The encodings of several texts. The flat arrays have one entry for each token of all rows.

    Row r is the tokens from `row_starts[r]` to `row_starts[r + 1]`; taking a row copies nothing.
    """

    flat_ids: NDArray[np.int32]  # (tokens,)
    flat_offsets: NDArray[np.int32]  # (tokens, 2), in code points of the original text; (0, 0) on what a frame added
    flat_type_ids: NDArray[np.int8]  # (tokens,)
    flat_word_ids: NDArray[np.int32]  # (tokens,), NONE on what a frame added
    flat_sequence_ids: NDArray[np.int8]  # (tokens,), 0 or 1, NONE on what a frame added
    flat_special_tokens_mask: NDArray[np.int8]  # (tokens,), 1 on what a frame added
    row_starts: NDArray[np.int64]  # (rows + 1,)
    texts: Sequence[tuple[str, str | None]]  # the text and its pair, for each row
    vocab: Sequence[str]  # the token of each id
    examples: NDArray[np.int64] | None = None  # (rows,), of which text each row is; None if each is of its own
    uncut_lengths: NDArray[np.int64] | None = None  # (rows,), before truncation; None if nothing was truncated

    def take(self, tokens: NDArray[np.int64], row_starts: NDArray[np.int64], rows: Sequence[int]) -> "Encodings":
        """New rows of some of these tokens, named by their places in the flat arrays; `rows` are those they were of."""
        lengths = np.diff(self.row_starts) if self.uncut_lengths is None else self.uncut_lengths
        before = np.asarray(rows, np.int64)
        return Encodings(
            flat_ids=self.flat_ids[tokens],
            flat_offsets=self.flat_offsets[tokens],
            flat_type_ids=self.flat_type_ids[tokens],
            flat_word_ids=self.flat_word_ids[tokens],
            flat_sequence_ids=self.flat_sequence_ids[tokens],
            flat_special_tokens_mask=self.flat_special_tokens_mask[tokens],
            row_starts=row_starts,
            texts=[self.texts[row] for row in rows],
            vocab=self.vocab,
            examples=before if self.examples is None else self.examples[before],
            uncut_lengths=lengths[before],
        )

    def __len__(self) -> int:
        return len(self.texts)

    def __getitem__(self, row: int) -> "Encoding":  # type: ignore[override]
        places = range(len(self))  # which takes negative rows, and raises where there is none
        return Encoding(self, places[row])

    def __iter__(self) -> Iterator["Encoding"]:
        return (Encoding(self, row) for row in range(len(self)))

    @property
    def ids(self) -> list[list[int]]:
        """The ids of each row."""
        return [row.ids for row in self]

    @property
    def offsets(self) -> list[list[tuple[int, int]]]:
        """The offsets of each row."""
        return [row.offsets for row in self]


@dataclass(frozen=True, eq=False)
class IdRows(Sequence[NDArray[np.int32]]):
    """The ids of several texts and nothing else. Taking a row copies nothing."""

    flat: NDArray[np.int32]  # (tokens,)
    row_starts: NDArray[np.int64]  # (rows + 1,)

    def __len__(self) -> int:
        return len(self.row_starts) - 1

    def __getitem__(self, row: int) -> NDArray[np.int32]:  # type: ignore[override]
        place = range(len(self))[row]
        return self.flat[self.row_starts[place] : self.row_starts[place + 1]]

    def tolist(self) -> list[list[int]]:
        """The ids of each row."""
        return [row.tolist() for row in self]


@dataclass(frozen=True, eq=False)
class Encoding:
    """One row of `Encodings`. All its lists have one length."""

    rows: Encodings
    row: int

    @property
    def _span(self) -> slice:
        return slice(int(self.rows.row_starts[self.row]), int(self.rows.row_starts[self.row + 1]))

    def __len__(self) -> int:
        return len(range(self._span.start, self._span.stop))

    @property
    def ids(self) -> list[int]:
        return list(map(int, self.rows.flat_ids[self._span]))

    @property
    def tokens(self) -> list[str]:
        return [self.rows.vocab[number] for number in self.ids]

    @property
    def offsets(self) -> list[tuple[int, int]]:
        """Where each token begins and ends in the text that it is of: `text[start:end]`, in code points."""
        return [(start, end) for start, end in self.rows.flat_offsets[self._span].tolist()]

    @property
    def type_ids(self) -> list[int]:
        return list(map(int, self.rows.flat_type_ids[self._span]))

    @property
    def word_ids(self) -> list[int | None]:
        """The number of each token's word within its sequence; None on what the frame added."""
        return _with_none(self.rows.flat_word_ids[self._span].tolist())

    @property
    def sequence_ids(self) -> list[int | None]:
        """0 on the text's tokens, 1 on its pair's, None on what the frame added."""
        return _with_none(self.rows.flat_sequence_ids[self._span].tolist())

    @property
    def attention_mask(self) -> list[int]:
        """1 on every token: there is no padding yet."""
        return [1] * len(self)

    @property
    def special_tokens_mask(self) -> list[int]:
        """1 on what the frame added; a special token that stood in the text has 0."""
        return list(map(int, self.rows.flat_special_tokens_mask[self._span]))

    @property
    def text(self) -> str:
        """The text that was encoded."""
        return self.rows.texts[self.row][0]

    @property
    def pair(self) -> str | None:
        """The text that was encoded behind it."""
        return self.rows.texts[self.row][1]


def _with_none(numbers: list[int]) -> list[int | None]:
    return [None if number == NONE else number for number in numbers]
