"""Padding: the rows of a batch filled up to one width. Spec: spec/padding.yaml."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from goldpiece.errors import GoldpieceError, UsageError


class PadTokenMissing(GoldpieceError):
    """There is no id to fill rows with."""

    def __init__(self) -> None:
        super().__init__("pad_id is None: add a padding token to the vocabulary, and give its id, or do not pad")


class RowTooLong(GoldpieceError):
    """A row is longer than the width that was asked for; padding cuts nothing."""

    def __init__(self, row: int, length: int, max_length: int) -> None:
        super().__init__(
            f"row {row} has {length} tokens, and max_length is {max_length}: truncate first, or raise max_length"
        )


class UnequalLengths(GoldpieceError):
    """Something that is known of the tokens of a row has another length than its ids."""

    def __init__(self, row: int, name: str, length: int, ids: int) -> None:
        super().__init__(f"row {row} has {length} {name} for {ids} ids: give one for each token")


class MaxLengthMissing(GoldpieceError):
    """One row alone has nothing to be as wide as."""

    def __init__(self) -> None:
        super().__init__("max_length is None: say to what length a row is brought")


@dataclass(frozen=True)
class Padded:
    """A batch of rows that all have one width."""

    ids: list[list[int]]
    type_ids: list[list[int]]
    special_tokens_mask: list[list[int]]  # 1 on padding, too
    attention_mask: list[list[int]]  # 1 on tokens, 0 on padding


@dataclass(frozen=True)
class Padding:
    """Rows get the width of the longest, or `max_length`, rounded up to a multiple of `multiple_of`.

    Padding is known by its place: a token may have the id `pad_id`. Raises UsageError for values that mean nothing.
    """

    pad_id: int | None = 0
    pad_type_id: int = 0
    side: Literal["right", "left"] = "right"
    max_length: int | None = None
    multiple_of: int | None = None

    def __post_init__(self) -> None:
        optional = (("pad_id", 0), ("max_length", 0), ("multiple_of", 1))
        for name, least in (
            ("pad_type_id", 0),
            *((name, least) for name, least in optional if getattr(self, name) is not None),
        ):
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or value < least:
                raise UsageError(f"{name} = {value!r}: give a whole number from {least} on")
        if self.side not in ("right", "left"):
            raise UsageError(f"there is no side {self.side!r} of padding; there are right, left")

    def pad(
        self,
        ids: Sequence[Sequence[int]],
        type_ids: Sequence[Sequence[int]] | None = None,
        special_tokens_mask: Sequence[Sequence[int]] | None = None,
    ) -> Padded:
        """The rows of a batch in one width; type ids and mask are 0 on all their tokens if they are not given.

        Raises PadTokenMissing, RowTooLong and UnequalLengths.
        """
        if self.pad_id is None:
            raise PadTokenMissing
        zeros = [[0] * len(row) for row in ids]
        types = zeros if type_ids is None else _as_long(ids, type_ids, "type ids")
        marks = zeros if special_tokens_mask is None else _as_long(ids, special_tokens_mask, "marks of special tokens")
        width = self.width(map(len, ids))
        return Padded(
            ids=[self._filled(row, width, self.pad_id) for row in ids],
            type_ids=[self._filled(row, width, self.pad_type_id) for row in types],
            special_tokens_mask=[self._filled(row, width, 1) for row in marks],
            attention_mask=[self._filled([1] * len(row), width, 0) for row in ids],
        )

    def pad_or_truncate(self, ids: Sequence[int]) -> list[int]:
        """The first `max_length` ids of a row, and padding where it has fewer.

        Raises PadTokenMissing and MaxLengthMissing.
        """
        if self.max_length is None:
            raise MaxLengthMissing
        if self.pad_id is None:
            raise PadTokenMissing
        return self._filled(ids[: self.max_length], self.max_length, self.pad_id)

    def width(self, lengths: Iterable[int]) -> int:
        """How wide rows of these lengths become. Raises RowTooLong."""
        known = list(lengths)
        width = max(known, default=0) if self.max_length is None else self.max_length
        for row, length in enumerate(known):
            if length > width:
                raise RowTooLong(row, length, width)
        multiple = self.multiple_of or 1
        return (width + multiple - 1) // multiple * multiple

    def _filled(self, row: Sequence[int], width: int, value: int) -> list[int]:
        filling = [value] * (width - len(row))
        return [*filling, *row] if self.side == "left" else [*row, *filling]


def pad_or_truncate(ids: Sequence[int], max_length: int, pad_id: int) -> list[int]:
    """Exactly `max_length` ids: the first of `ids`, and `pad_id` behind them where they are fewer."""
    return Padding(pad_id, max_length=max_length).pad_or_truncate(ids)


def _as_long(ids: Sequence[Sequence[int]], values: Sequence[Sequence[int]], name: str) -> Sequence[Sequence[int]]:
    """`values`, which have one entry for each id. Raises UnequalLengths."""
    for row in range(max(len(ids), len(values))):
        known, wanted = (len(rows[row]) if row < len(rows) else 0 for rows in (values, ids))
        if known != wanted or row >= min(len(ids), len(values)):
            raise UnequalLengths(row, name, known, wanted)
    return values
