"""Mutants of padding."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from goldpiece.reference.padding import Padded, Padding, PadTokenMissing, RowTooLong, UnequalLengths
from goldpiece.suite.mutants import mutant

Rows = Sequence[Sequence[int]]


@mutant(breaks="padding.longest", story="pads to the first row, or to the longest if that is the first")
class WidthOfTheFirst(Padding):
    def pad(self, ids: Rows, type_ids: Rows | None = None, special_tokens_mask: Rows | None = None) -> Padded:
        padded = super().pad(ids, type_ids, special_tokens_mask)
        width = len(ids[0]) if ids and self.max_length is None and self.multiple_of is None else None
        return Padded(*([row[:width] for row in rows] for rows in vars(padded).values()))


@mutant(breaks="padding.longest", story="pads to one more than the longest")
class OneMore(Padding):
    def width(self, lengths: Iterable[int]) -> int:
        width = super().width(lengths)
        return width + (self.max_length is None and self.multiple_of is None)


@mutant(breaks="padding.max-length", story="pads to the longest row, whatever max_length is")
class IgnoresMaxLength(Padding):
    def width(self, lengths: Iterable[int]) -> int:
        return Padding.width(replace(self, max_length=None), lengths)


@mutant(
    breaks="padding.multiple-of",
    report="huggingface/transformers#12999",
    story="takes multiple_of, and does nothing with it",
)
class IgnoresMultiple(Padding):
    def width(self, lengths: Iterable[int]) -> int:
        return Padding.width(replace(self, multiple_of=None), lengths)


@mutant(breaks="padding.multiple-of", story="adds a whole multiple where the width is one already")
class OneMultipleMore(Padding):
    def width(self, lengths: Iterable[int]) -> int:
        width = Padding.width(replace(self, multiple_of=None), lengths)
        return (width // self.multiple_of + 1) * self.multiple_of if self.multiple_of else width


@mutant(
    breaks="padding.one-width",
    report="huggingface/transformers#2138",
    story="leaves every row behind the first as it is, as if it had overflowed from that",
)
class SkipsOverflow(Padding):
    def pad(self, ids: Rows, type_ids: Rows | None = None, special_tokens_mask: Rows | None = None) -> Padded:
        padded = super().pad(ids, type_ids, special_tokens_mask)
        others = Padding(self.pad_id, max_length=None)
        for row in range(1, len(ids)):
            alone = others.pad([ids[row]])
            for name, rows in vars(padded).items():
                rows[row] = getattr(alone, name)[0]
        return padded


@mutant(breaks="padding.one-width", story="rounds the width of the ids, and not that of the masks")
class ShortMasks(Padding):
    def pad(self, ids: Rows, type_ids: Rows | None = None, special_tokens_mask: Rows | None = None) -> Padded:
        narrow = Padding.pad(replace(self, multiple_of=None), ids, type_ids, special_tokens_mask)
        return replace(narrow, ids=super().pad(ids).ids)


@mutant(breaks="padding.side", story="pads on the right, whatever the side")
class AlwaysRight(Padding):
    def _filled(self, row: Sequence[int], width: int, value: int) -> list[int]:
        return [*row, *[value] * (width - len(row))]


@mutant(breaks="padding.side", story="turns rows round to fill them on the left")
class TurnsRound(Padding):
    def _filled(self, row: Sequence[int], width: int, value: int) -> list[int]:
        return super()._filled(row[::-1] if self.side == "left" else row, width, value)


@mutant(
    breaks="padding.attention-mask",
    report="NVIDIA-NeMo/Automodel#3704",
    story="takes padding of id 0 for none, and padding on the left as well: the mask is 1 throughout",
)
class MaskOfOnes(Padding):
    def pad(self, ids: Rows, type_ids: Rows | None = None, special_tokens_mask: Rows | None = None) -> Padded:
        padded = super().pad(ids, type_ids, special_tokens_mask)
        if self.pad_id and self.side == "right":
            return padded
        return replace(padded, attention_mask=[[1] * len(row) for row in padded.ids])


@mutant(breaks="padding.attention-mask", story="knows padding by its id, so that a token of that id is hidden")
class MaskById(Padding):
    def pad(self, ids: Rows, type_ids: Rows | None = None, special_tokens_mask: Rows | None = None) -> Padded:
        padded = super().pad(ids, type_ids, special_tokens_mask)
        return replace(padded, attention_mask=[[int(each != self.pad_id) for each in row] for row in padded.ids])


@mutant(breaks="padding.pad-id", story="takes a pad_id of 0 for none, and fills with 1")
class ZeroIsNone(Padding):
    def _filled(self, row: Sequence[int], width: int, value: int) -> list[int]:
        return super()._filled(row, width, value or 1)

    def pad(self, ids: Rows, type_ids: Rows | None = None, special_tokens_mask: Rows | None = None) -> Padded:
        return replace(Padding(**vars(self)).pad(ids, type_ids, special_tokens_mask), ids=super().pad(ids).ids)


@mutant(breaks="padding.special-tokens-mask", story="gives padding 0, as if it were text")
class PaddingIsText(Padding):
    def pad(self, ids: Rows, type_ids: Rows | None = None, special_tokens_mask: Rows | None = None) -> Padded:
        padded = super().pad(ids, type_ids, special_tokens_mask)
        return replace(padded, special_tokens_mask=[[0] * len(row) for row in padded.ids])


@mutant(breaks="padding.special-tokens-mask", story="marks every token that has the id of padding")
class MarksById(Padding):
    def pad(self, ids: Rows, type_ids: Rows | None = None, special_tokens_mask: Rows | None = None) -> Padded:
        padded = super().pad(ids, type_ids, special_tokens_mask)
        return replace(padded, special_tokens_mask=[[int(each == self.pad_id) for each in row] for row in padded.ids])


@mutant(breaks="padding.type-ids", story="gives padding type id 0, whatever is asked for")
class TypeZero(Padding):
    def pad(self, ids: Rows, type_ids: Rows | None = None, special_tokens_mask: Rows | None = None) -> Padded:
        return Padding.pad(Padding(**vars(self) | {"pad_type_id": 0}), ids, type_ids, special_tokens_mask)


@mutant(breaks="padding.type-ids", story="gives padding the id of the padding token for a type id")
class TypeIsId(Padding):
    def pad(self, ids: Rows, type_ids: Rows | None = None, special_tokens_mask: Rows | None = None) -> Padded:
        return Padding.pad(
            Padding(**vars(self) | {"pad_type_id": self.pad_id or 0}), ids, type_ids, special_tokens_mask
        )


@mutant(breaks="padding.keeps-what-is-given", story="makes type ids and mask anew")
class MakesAnew(Padding):
    def pad(self, ids: Rows, type_ids: Rows | None = None, special_tokens_mask: Rows | None = None) -> Padded:
        super().pad(ids, type_ids, special_tokens_mask)
        return super().pad(ids)


@mutant(breaks="padding.keeps-what-is-given", story="fills the right side of what is given, whatever the side")
class FillsGivenRight(Padding):
    def pad(self, ids: Rows, type_ids: Rows | None = None, special_tokens_mask: Rows | None = None) -> Padded:
        right = Padding.pad(replace(self, side="right"), ids, type_ids, special_tokens_mask)
        return replace(super().pad(ids), type_ids=right.type_ids, special_tokens_mask=right.special_tokens_mask)


@mutant(breaks="padding.keeps-what-is-given", story="takes type ids of another length than the ids")
class TakesAnyLength(Padding):
    def pad(self, ids: Rows, type_ids: Rows | None = None, special_tokens_mask: Rows | None = None) -> Padded:
        try:
            return super().pad(ids, type_ids, special_tokens_mask)
        except UnequalLengths:
            return super().pad(ids)


@mutant(breaks="padding.empty-rows", story="leaves rows without tokens out")
class DropsEmpty(Padding):
    def pad(self, ids: Rows, type_ids: Rows | None = None, special_tokens_mask: Rows | None = None) -> Padded:
        return super().pad([row for row in ids if row])


@mutant(breaks="padding.empty-rows", story="lets a row of padding see its first place, so that no mask is all 0")
class OneIsSeen(Padding):
    def pad(self, ids: Rows, type_ids: Rows | None = None, special_tokens_mask: Rows | None = None) -> Padded:
        padded = super().pad(ids, type_ids, special_tokens_mask)
        masks = [row if any(row) else [1, *row[1:]] for row in padded.attention_mask]
        return replace(padded, attention_mask=masks)


@mutant(breaks="padding.empty-rows", story="breaks on a batch without rows")
class BreaksWithoutRows(Padding):
    def width(self, lengths: Iterable[int]) -> int:
        return max(super().width(list(known)) for known in [list(lengths)] if known)


@mutant(breaks="padding.pad-token-missing", story="fills with 0 where there is no padding token")
class ZeroForMissing(Padding):
    def pad(self, ids: Rows, type_ids: Rows | None = None, special_tokens_mask: Rows | None = None) -> Padded:
        return Padding.pad(replace(self, pad_id=self.pad_id or 0), ids, type_ids, special_tokens_mask)


@mutant(breaks="padding.pad-token-missing", story="says so only where a row has to be filled")
class SaysSoLate(Padding):
    def pad(self, ids: Rows, type_ids: Rows | None = None, special_tokens_mask: Rows | None = None) -> Padded:
        padded = Padding.pad(replace(self, pad_id=self.pad_id or 0), ids, type_ids, special_tokens_mask)
        if self.pad_id is None and padded.ids != [list(row) for row in ids]:
            raise PadTokenMissing
        return padded


@mutant(breaks="padding.row-too-long", story="leaves a row that is longer than max_length as it is")
class LeavesLongRows(Padding):
    def width(self, lengths: Iterable[int]) -> int:
        try:
            return super().width(lengths)
        except RowTooLong:
            return self.max_length or 0


@mutant(breaks="padding.row-too-long", story="is content where the multiple is wide enough")
class RoundsFirst(Padding):
    def width(self, lengths: Iterable[int]) -> int:
        known = list(lengths)
        rounded = Padding.width(self, [])
        return rounded if self.multiple_of and max(known, default=0) <= rounded else super().width(known)


@mutant(breaks="padding.row-needs-both", story="leaves a row as it is that it cannot pad or has no length for")
class LeavesIt(Padding):
    def pad_or_truncate(self, ids: Sequence[int]) -> list[int]:
        return list(ids) if None in (self.pad_id, self.max_length) else super().pad_or_truncate(ids)


@mutant(breaks="padding.pad-or-truncate", story="leaves a row that is longer as it is")
class PadsOnly(Padding):
    def pad_or_truncate(self, ids: Sequence[int]) -> list[int]:
        padded = super().pad_or_truncate(ids)
        return padded if len(ids) < len(padded) else list(ids)


@mutant(breaks="padding.pad-or-truncate", story="keeps the last ids")
class KeepsTheLast(Padding):
    def pad_or_truncate(self, ids: Sequence[int]) -> list[int]:
        return super().pad_or_truncate(ids[max(0, len(ids) - (self.max_length or 0)) :])
