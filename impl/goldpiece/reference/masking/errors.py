"""What masking refuses, by the names of spec/masking.yaml."""

from collections.abc import Sequence

from goldpiece.errors import GoldpieceError


class RateOutOfRange(GoldpieceError):
    """A probability that is none, or two that sum to more than 1."""

    def __init__(self, name: str, value: float) -> None:
        super().__init__(f"{name} is {value}: give a number from 0 to 1")


class LimitOutOfRange(GoldpieceError):
    """A count that no row can have."""

    def __init__(self, name: str, value: int, least: int) -> None:
        super().__init__(f"{name} is {value}: give {least} or more")


class UnknownChoice(GoldpieceError):
    """A name that stands for nothing."""

    def __init__(self, name: str, value: str, known: Sequence[str]) -> None:
        super().__init__(f"there is no {name} {value!r}: there are {', '.join(known)}")


class MaskTokenMissing(GoldpieceError):
    """The vocabulary lacks the token that stands for what is masked."""

    def __init__(self, token: str) -> None:
        super().__init__(f"the vocabulary has no {token!r}: add it, or name its mask token as mask_token")


class NoWordScheme(GoldpieceError):
    """Words are wanted, and nothing says where they begin."""

    def __init__(self) -> None:
        super().__init__(
            "no entry of the vocabulary has a mark of words (##, Ġ, ▁, </w>), so that every token would be a word: "
            "give word_ids, or name the mark as scheme"
        )


class IdOutOfRange(GoldpieceError):
    """An id that no token has."""

    def __init__(self, number: int, row: int, size: int) -> None:
        super().__init__(f"row {row} has the id {number}: ids go from 0 to {size - 1}")


class LengthsDiffer(GoldpieceError):
    """Two things that belong together, and have not one length."""

    def __init__(self, name: str, length: int, wanted: int, where: str) -> None:
        super().__init__(f"{name} of {where} has {length} entries: give one for each, {wanted}")


class SegmentsOutOfOrder(GoldpieceError):
    """Segments of a text that overlap, or go backwards."""

    def __init__(self, start: int, end: int) -> None:
        super().__init__(
            f"the segment from {start} to {end} is empty, or begins before another ends: give them in order"
        )
