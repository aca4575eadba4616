"""Mutants of truncation."""

from collections.abc import Sequence
from dataclasses import replace

from goldpiece.reference.truncation import MaxLengthTooSmall, SequenceTooShort, StrideTooLarge, Truncation
from goldpiece.suite.mutants import mutant

Sizes = tuple[int, int]


@mutant(breaks="truncation.leaves-what-fits", story="cuts what fits just so")
class CutsWhatFits(Truncation):
    def sizes(self, first: int, second: int | None, special_tokens: int) -> Sizes:
        if first and first + (second or 0) == self.max_length - special_tokens:
            return first - 1, second or 0
        return super().sizes(first, second, special_tokens)


@mutant(breaks="truncation.leaves-what-fits", story="refuses only_second for a sequence alone, also where it fits")
class RefusesOneAlone(Truncation):
    def sizes(self, first: int, second: int | None, special_tokens: int) -> Sizes:
        if second is None and self.strategy == "only_second":
            raise SequenceTooShort(first, self.max_length, self.strategy)
        return super().sizes(first, second, special_tokens)


@mutant(
    breaks="truncation.fills-max-length",
    report="huggingface/tokenizers#174",
    story="breaks where the first of a pair fills the row alone, and exceeds the row where it is longer",
)
class BreaksAtTheBrim(Truncation):
    def sizes(self, first: int, second: int | None, special_tokens: int) -> Sizes:
        room = self.max_length - special_tokens
        if second and first == room:
            raise OverflowError("attempt to subtract with overflow")
        return (room, 1) if second and first > room else super().sizes(first, second, special_tokens)


@mutant(breaks="truncation.fills-max-length", story="forgets that special tokens take room")
class SpecialTokensExtra(Truncation):
    def sizes(self, first: int, second: int | None, special_tokens: int) -> Sizes:
        return super().sizes(first, second, 0)


@mutant(breaks="truncation.side", story="cuts off the end, whatever the side")
class AlwaysRight(Truncation):
    def _kept(self, length: int, size: int) -> range:
        return range(size)


@mutant(breaks="truncation.fills-max-length", story="takes the last 0 tokens for all of them")
class MinusZero(Truncation):
    def _kept(self, length: int, size: int) -> range:
        return range(length)[-size:] if self.side == "left" else range(size)


@mutant(breaks="truncation.longest-first", story="takes from both in turns, so that the shorter one is cut as well")
class CutsBoth(Truncation):
    def _longest_first(self, first: int, second: int, room: int) -> Sizes:
        cut = (first + second - room + 1) // 2
        kept = min(room, max(first - cut, room - second, 0))
        return kept, room - kept


@mutant(breaks="truncation.odd-token-of-the-longer", story="keeps the odd token in the second, whichever was longer")
class OddInSecond(Truncation):
    def _longest_first(self, first: int, second: int, room: int) -> Sizes:
        kept = min(first, max(room // 2, room - second))
        return kept, room - kept


@mutant(breaks="truncation.odd-token-of-the-longer", story="keeps the odd token as the original does")
class OddAsInTheOriginal(Truncation):
    def _longest_first(self, first: int, second: int, room: int) -> Sizes:
        return replace(Truncation(self.max_length), profile="google")._longest_first(first, second, room)


@mutant(breaks="truncation.odd-token-of-the-first", story="keeps the odd token as Hugging Face tokenizers does")
class OddInTheLonger(Truncation):
    def _longest_first(self, first: int, second: int, room: int) -> Sizes:
        return Truncation(self.max_length)._longest_first(first, second, room)


@mutant(
    breaks="truncation.only-one",
    report="huggingface/tokenizers#108",
    story="cuts the one to max_length without counting the other",
)
class CountsOne(Truncation):
    def sizes(self, first: int, second: int | None, special_tokens: int) -> Sizes:
        kept = super().sizes(first, second, special_tokens)
        if second is None or self.strategy == "longest_first" or kept == (first, second):
            return kept
        room = self.max_length - special_tokens
        return (min(first, room), second) if self.strategy == "only_first" else (first, min(second, room))


@mutant(breaks="truncation.sequence-too-short", story="keeps nothing of the one, and cuts the other")
class CutsTheOther(Truncation):
    def sizes(self, first: int, second: int | None, special_tokens: int) -> Sizes:
        try:
            return super().sizes(first, second, special_tokens)
        except SequenceTooShort:
            room = self.max_length - special_tokens
            return (0, room) if self.strategy == "only_first" else (room, 0)


@mutant(breaks="truncation.no-room", story="leaves the other whole where special tokens fill the row")
class OverfullBySpecialTokens(Truncation):
    def sizes(self, first: int, second: int | None, special_tokens: int) -> Sizes:
        if self.max_length > special_tokens or self.strategy == "longest_first":
            return super().sizes(first, second, special_tokens)
        return (0, second or 0) if self.strategy == "only_first" else (first, 0)


@mutant(breaks="truncation.no-room", story="keeps one token where there is room for none")
class OneAtLeast(Truncation):
    def sizes(self, first: int, second: int | None, special_tokens: int) -> Sizes:
        kept = super().sizes(first, second, special_tokens)
        return kept if sum(kept) or not first else (1, 0)


@mutant(breaks="truncation.second-sequence-missing", story="cuts the first where there is no second")
class CutsTheFirst(Truncation):
    def sizes(self, first: int, second: int | None, special_tokens: int) -> Sizes:
        other = replace(self, strategy="longest_first") if second is None else self
        return Truncation.sizes(other, first, second, special_tokens)


@mutant(
    breaks="truncation.max-length-too-small",
    report=("huggingface/transformers#26201", "probe:maxlen-below-specials"),
    story="leaves the text whole where max_length is below the number of special tokens",
)
class LeavesItWhole(Truncation):
    def sizes(self, first: int, second: int | None, special_tokens: int) -> Sizes:
        try:
            return super().sizes(first, second, special_tokens)
        except MaxLengthTooSmall:
            return first, second or 0


@mutant(breaks="truncation.max-length-too-small", story="gives special tokens alone, more than max_length")
class SpecialTokensAlone(Truncation):
    def sizes(self, first: int, second: int | None, special_tokens: int) -> Sizes:
        return super().sizes(first, second, min(special_tokens, self.max_length))


@mutant(breaks="truncation.first-window", story="gives the windows in the order of the text, whatever the side")
class WindowsInTextOrder(Truncation):
    def _spans(self, length: int, size: int) -> list[range]:
        return sorted(super()._spans(length, size), key=lambda span: span.start)


@mutant(breaks="truncation.first-window", story="windows of one token more than a row has room for")
class OneTooMany(Truncation):
    def _spans(self, length: int, size: int) -> list[range]:
        return super()._spans(length, min(length, size + 1))


@mutant(breaks="truncation.first-window", story="cuts what fits into windows")
class WindowsOfWhatFits(Truncation):
    def _spans(self, length: int, size: int) -> list[range]:
        return super()._spans(length, size if size < length or size < 2 else size - 1)


@mutant(
    breaks="truncation.windows",
    report="huggingface/tokenizers#2098",
    story="stops as soon as a row is full, so that later windows are missing",
)
class FirstWindowOnly(Truncation):
    def _spans(self, length: int, size: int) -> list[range]:
        return super()._spans(length, size)[:1]


@mutant(breaks="truncation.windows", story="drops the last window if it is not full")
class DropsTheLast(Truncation):
    def _spans(self, length: int, size: int) -> list[range]:
        spans = super()._spans(length, size)
        return spans if len(spans) == 1 else [span for span in spans if len(span) == size]


@mutant(breaks="truncation.windows", story="goes on by stride tokens instead of sharing them")
class StrideIsStep(Truncation):
    def _spans(self, length: int, size: int) -> list[range]:
        other = replace(self, stride=size - self.stride if 0 < self.stride < size else self.stride)
        return Truncation._spans(other, length, size)


@mutant(breaks="truncation.windows", story="adds a window that has nothing new")
class OneWindowMore(Truncation):
    def _spans(self, length: int, size: int) -> list[range]:
        spans = super()._spans(length, size)
        if len(spans) == 1 or not self.stride:
            return spans
        last = spans[-1]
        return [*spans, last[: self.stride] if self.side == "left" else last[-self.stride :]]


@mutant(breaks="truncation.windows-of-pairs", story="walks along both at once, so that most tokens never meet")
class InStep(Truncation):
    def spans(self, first: int, second: int | None, special_tokens: int) -> list[tuple[range, range]]:
        sizes = self.sizes(first, second, special_tokens)
        firsts, seconds = self._spans(first, sizes[0]), self._spans(second or 0, sizes[1])
        rows = max(len(firsts), len(seconds))
        return [(firsts[min(row, len(firsts) - 1)], seconds[min(row, len(seconds) - 1)]) for row in range(rows)]


@mutant(breaks="truncation.windows-of-pairs", story="leaves the whole sequence out of all rows but the first")
class WholeOnce(Truncation):
    def spans(self, first: int, second: int | None, special_tokens: int) -> list[tuple[range, range]]:
        rows = super().spans(first, second, special_tokens)
        return rows[:1] + [(one, range(0)) if len(one) < first else (range(0), other) for one, other in rows[1:]]


@mutant(breaks="truncation.stride-too-large", story="lowers a stride that is too large, and says nothing")
class LowersStride(Truncation):
    def _spans(self, length: int, size: int) -> list[range]:
        return Truncation._spans(replace(self, stride=max(0, min(self.stride, size - 1))), length, max(1, size))


@mutant(breaks="truncation.stride-too-large", story="gives the first window alone where stride is too large")
class GivesUp(Truncation):
    def _spans(self, length: int, size: int) -> list[range]:
        try:
            return super()._spans(length, size)
        except StrideTooLarge:
            return [range(size)]


@mutant(breaks="truncation.no-room-for-windows", story="gives an empty row, and all that overflows in another")
class AllOverflows(Truncation):
    def _spans(self, length: int, size: int) -> list[range]:
        return [range(0), range(length)] if length > size == 0 else super()._spans(length, size)


@mutant(breaks="truncation.rows-of-examples", story="numbers rows instead of sequences")
class NumbersRows(Truncation):
    def windows_of_batch(self, lengths: Sequence[int], special_tokens: int) -> tuple[list[int], list[list[int]]]:
        _, positions = super().windows_of_batch(lengths, special_tokens)
        return list(range(len(positions))), positions


@mutant(breaks="truncation.rows-of-examples", story="puts what overflows behind the rows of the whole batch")
class OverflowBehindAll(Truncation):
    def windows_of_batch(self, lengths: Sequence[int], special_tokens: int) -> tuple[list[int], list[list[int]]]:
        rows = list(zip(*super().windows_of_batch(lengths, special_tokens), strict=True))
        seen: set[int] = set()
        firsts = [row for row in rows if row[0] not in seen and not seen.add(row[0])]  # type: ignore[func-returns-value]
        others = [row for row in rows if row not in firsts]
        return [number for number, _ in firsts + others], [positions for _, positions in firsts + others]


@mutant(breaks="truncation.rows-of-examples", story="has no row for a sequence without tokens")
class SkipsEmpty(Truncation):
    def windows_of_batch(self, lengths: Sequence[int], special_tokens: int) -> tuple[list[int], list[list[int]]]:
        rows = zip(*super().windows_of_batch(lengths, special_tokens), strict=True)
        kept = [row for row in rows if row[1]]
        return [number for number, _ in kept], [positions for _, positions in kept]
