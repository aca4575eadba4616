"""Packing: several documents in rows of one length, their boundaries kept. Spec: spec/packing.yaml."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from goldpiece.errors import GoldpieceError, UsageError
from goldpiece.reference.padding import PadTokenMissing


class DocumentTooLong(GoldpieceError):
    """A document that is to stay whole is longer than a row."""

    def __init__(self, number: int, size: int, length: int) -> None:
        super().__init__(
            f"document {number} has {size} tokens, and a row {length}: "
            "raise length, truncate it, or pack with split=True"
        )


@dataclass(frozen=True)
class Packed:
    """Rows of one length."""

    ids: list[list[int]]
    sequence_ids: list[list[int | None]]  # the number of each token's document; None on padding
    positions: list[list[int]]  # of each token in its document, from 0; 0 on padding
    attention_mask: list[list[int]]  # 1 on tokens, 0 on padding


@dataclass(frozen=True)
class Packing:
    """Rows of `length` tokens. With `split` a document goes on in the next row; without, it is in one row.

    Raises UsageError for values that mean nothing.
    """

    length: int
    pad_id: int | None = 0
    split: bool = True

    def __post_init__(self) -> None:
        for name, value, least in (("length", self.length, 1), ("pad_id", self.pad_id or 0, 0)):
            if not isinstance(value, int) or isinstance(value, bool) or value < least:
                raise UsageError(f"{name} = {getattr(self, name)!r}: give a whole number from {least} on")

    def pack(self, documents: Sequence[Sequence[int]]) -> Packed:
        """The ids of documents in rows. Raises DocumentTooLong, and PadTokenMissing where a row needs padding."""
        packed = Packed([], [], [], [])
        for row in self._rows(documents):
            missing = self.length - len(row)
            if missing and self.pad_id is None:
                raise PadTokenMissing
            packed.ids.append([documents[number][place] for number, place in row] + [self.pad_id or 0] * missing)
            packed.sequence_ids.append([*(number for number, _ in row), *[None] * missing])
            packed.positions.append([place for _, place in row] + [0] * missing)
            packed.attention_mask.append([1] * len(row) + [0] * missing)
        return packed

    def _rows(self, documents: Sequence[Sequence[int]]) -> Iterator[list[tuple[int, int]]]:
        """The tokens of each row, as the number of the document and the place in it."""
        row: list[tuple[int, int]] = []
        for number, document in enumerate(documents):
            if not self.split and len(document) > self.length:
                raise DocumentTooLong(number, len(document), self.length)
            if row and not self._fits(self.length - len(row), len(document)):
                yield row
                row = []
            for place in range(len(document)):
                if len(row) == self.length:
                    yield row
                    row = []
                row.append((number, place))
        if row:
            yield row

    def _fits(self, room: int, size: int) -> bool:
        """Whether a document of that size may begin where a row has that room."""
        return self.split or size <= room
