"""Truncation: sequences cut to fit into a row, or into several rows that overlap. Spec: spec/truncation.yaml."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, TypeVar, get_args

from goldpiece.errors import GoldpieceError, UsageError

Strategy: TypeAlias = Literal["longest_first", "only_first", "only_second"]
Side: TypeAlias = Literal["right", "left"]
T = TypeVar("T")


class MaxLengthTooSmall(GoldpieceError):
    """The special tokens alone are more than a row may have."""

    def __init__(self, max_length: int, special_tokens: int) -> None:
        super().__init__(
            f"max_length = {max_length} has no room for {special_tokens} special tokens: "
            f"give {special_tokens + 1} or more, or encode with add_special_tokens=False"
        )


class SequenceTooShort(GoldpieceError):
    """The other sequence of a pair leaves nothing to the one that is to be cut."""

    def __init__(self, whole: int, room: int, strategy: str) -> None:
        super().__init__(
            f"{strategy} leaves {whole} tokens of the other sequence whole, where {room} find room: "
            "raise max_length, or cut by longest_first"
        )


class SecondSequenceMissing(GoldpieceError):
    """The second sequence is to be cut, and there is none."""

    def __init__(self, first: int, room: int) -> None:
        super().__init__(
            f"only_second leaves {first} tokens whole, where {room} find room, and there is no second sequence: "
            "give it, raise max_length, or cut by longest_first"
        )


class StrideTooLarge(GoldpieceError):
    """A window would hold nothing but what it shares with the one before it."""

    def __init__(self, stride: int, size: int) -> None:
        super().__init__(
            f"stride = {stride}, where a window has {size} tokens, so that windows never reach the end: "
            "lower stride, or raise max_length"
        )


@dataclass(frozen=True)
class Truncation:
    """`max_length` counts the tokens of a row, special ones included. `profile` says which of a pair keeps the odd one.

    `stride` tokens of a window are those of the one before it. Raises UsageError for values that mean nothing.
    """

    max_length: int
    profile: Literal["hf", "google"] = "hf"
    strategy: Strategy = "longest_first"
    side: Side = "right"
    stride: int = 0

    def __post_init__(self) -> None:
        for name, least in (("max_length", 0), ("stride", 0)):
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or value < least:
                raise UsageError(f"{name} = {value!r}: give a whole number from {least} on")
        for name, known in (("strategy", get_args(Strategy)), ("side", get_args(Side)), ("profile", ("hf", "google"))):
            value = getattr(self, name)
            if value not in known:
                raise UsageError(f"there is no {name} {value!r} of truncation; there are {', '.join(known)}")

    def truncate(
        self, first: Sequence[T], second: Sequence[T] | None, special_tokens: int
    ) -> tuple[Sequence[T], Sequence[T] | None]:
        """What is kept of the ids, or whatever there is of each token, of one sequence or two.

        Raises MaxLengthTooSmall, SequenceTooShort and SecondSequenceMissing.
        """
        one, other = self.row(len(first), None if second is None else len(second), special_tokens)
        return first[one.start : one.stop], None if second is None else second[other.start : other.stop]

    def windows(
        self, first: int, second: int | None, special_tokens: int
    ) -> tuple[list[list[int]], list[list[int]] | None]:
        """The rows of sequences of these lengths: for each row the positions in the first, and in the second.

        Raises what `truncate` raises, and StrideTooLarge.
        """
        rows = self.spans(first, second, special_tokens)
        firsts = [list(one) for one, _ in rows]
        return firsts, None if second is None else [list(other) for _, other in rows]

    def windows_of_batch(self, lengths: Sequence[int], special_tokens: int) -> tuple[list[int], list[list[int]]]:
        """The rows of sequences of these lengths: for each row the number of its sequence, and the positions."""
        rows = [
            (number, list(span))
            for number, length in enumerate(lengths)
            for span, _ in self.spans(length, None, special_tokens)
        ]
        return [number for number, _ in rows], [positions for _, positions in rows]

    def spans(self, first: int, second: int | None, special_tokens: int) -> list[tuple[range, range]]:
        """See `windows`; the positions of a row are without gaps in each sequence."""
        sizes = self.sizes(first, second, special_tokens)
        others = self._spans(second or 0, sizes[1])
        return [(one, other) for one in self._spans(first, sizes[0]) for other in others]

    def row(self, first: int, second: int | None, special_tokens: int) -> tuple[range, range]:
        """The positions that `truncate` keeps of sequences of these lengths."""
        sizes = self.sizes(first, second, special_tokens)
        return self._kept(first, sizes[0]), self._kept(second or 0, sizes[1])

    def sizes(self, first: int, second: int | None, special_tokens: int) -> tuple[int, int]:
        """How many tokens are kept of each sequence, from how many there are."""
        room = self.max_length - special_tokens
        if room < 0:
            raise MaxLengthTooSmall(self.max_length, special_tokens)
        if first + (second or 0) <= room:
            return first, second or 0
        if second is None:
            if self.strategy == "only_second":
                raise SecondSequenceMissing(first, room)
            return room, 0
        if self.strategy == "longest_first":
            return self._longest_first(first, second, room)
        whole = second if self.strategy == "only_first" else first
        if whole >= room:
            raise SequenceTooShort(whole, room, self.strategy)
        return (room - whole, whole) if self.strategy == "only_first" else (whole, room - whole)

    def _longest_first(self, first: int, second: int, room: int) -> tuple[int, int]:
        """Half of the room for each, and what one does not need for the other."""
        odd_in_first = self.profile == "google" or first > second
        half = (room + odd_in_first) // 2
        kept = min(first, max(half, room - second))
        return kept, room - kept

    def _kept(self, length: int, size: int) -> range:
        return range(length - size, length) if self.side == "left" else range(size)

    def _spans(self, length: int, size: int) -> list[range]:
        """The windows of `size` tokens over a sequence, from the side that is kept."""
        if length <= size:
            return [range(length)]
        if self.stride >= size:
            raise StrideTooLarge(self.stride, size)
        starts = range(0, length - self.stride, size - self.stride)
        spans = [range(start, min(start + size, length)) for start in starts]
        return [range(length - span.stop, length - span.start) for span in spans] if self.side == "left" else spans
