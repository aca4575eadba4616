"""Mutants of packing."""

from collections.abc import Sequence
from dataclasses import replace

from goldpiece.reference.packing import DocumentTooLong, Packed, Packing
from goldpiece.reference.padding import PadTokenMissing
from goldpiece.suite.mutants import mutant

Documents = Sequence[Sequence[int]]


@mutant(breaks="packing.nothing-lost", story="drops what does not fill the last row")
class DropsTheRest(Packing):
    def pack(self, documents: Documents) -> Packed:
        packed = super().pack(documents)
        full = len(packed.ids) - any(0 in row for row in packed.attention_mask[-1:])
        return Packed(*(rows[:full] for rows in vars(packed).values()))


@mutant(breaks="packing.nothing-lost", story="begins a row with the token that ended the one before")
class DoublesATokenAtTheCut(Packing):
    def pack(self, documents: Documents) -> Packed:
        packed = super().pack(documents)
        for before, behind in zip(packed.sequence_ids, packed.sequence_ids[1:], strict=False):
            if before[-1] is not None and before[-1] == behind[0] and self.length > 1:
                behind[1:] = behind[:-1]
        return packed


@mutant(breaks="packing.nothing-lost", story="gives the number of the row instead of that of the document")
class NumbersWithinRows(Packing):
    def pack(self, documents: Documents) -> Packed:
        packed = super().pack(documents)
        first = [min((number for number in row if number is not None), default=0) for row in packed.sequence_ids]
        numbers = [
            [None if number is None else number - start for number in row]
            for row, start in zip(packed.sequence_ids, first, strict=True)
        ]
        return replace(packed, sequence_ids=numbers)


@mutant(breaks="packing.row-length", story="leaves the last row short")
class ShortLastRow(Packing):
    def pack(self, documents: Documents) -> Packed:
        packed = super().pack(documents)
        size = sum(packed.attention_mask[-1]) if packed.attention_mask else 0
        return Packed(*([*rows[:-1], *(row[:size] for row in rows[-1:])] for rows in vars(packed).values()))


@mutant(breaks="packing.row-length", story="adds a row of padding")
class RowOfPadding(Packing):
    def pack(self, documents: Documents) -> Packed:
        packed = super().pack(documents)
        packed.ids.append([self.pad_id or 0] * self.length)
        packed.sequence_ids.append([None] * self.length)
        packed.positions.append([0] * self.length)
        packed.attention_mask.append([0] * self.length)
        return packed


@mutant(breaks="packing.positions", story="counts positions in the row")
class PositionsOfTheRow(Packing):
    def pack(self, documents: Documents) -> Packed:
        packed = super().pack(documents)
        return replace(
            packed, positions=[[place * bit for place, bit in enumerate(row)] for row in packed.attention_mask]
        )


@mutant(breaks="packing.positions", story="begins anew where a document goes on in the next row")
class PositionsBeginAnew(Packing):
    def pack(self, documents: Documents) -> Packed:
        packed = super().pack(documents)
        return replace(packed, positions=[
            [row[:place].count(number) if number is not None else 0 for place, number in enumerate(row)]
            for row in packed.sequence_ids
        ])  # fmt: skip


@mutant(breaks="packing.positions", story="counts on in padding")
class PositionsOfPadding(Packing):
    def pack(self, documents: Documents) -> Packed:
        packed = super().pack(documents)
        for row, mask in zip(packed.positions, packed.attention_mask, strict=True):
            for place in range(1, self.length):
                if not mask[place]:
                    row[place] = row[place - 1] + 1
        return packed


@mutant(breaks="packing.attention-mask", story="knows padding by its id")
class MaskById(Packing):
    def pack(self, documents: Documents) -> Packed:
        packed = super().pack(documents)
        return replace(packed, attention_mask=[[int(each != self.pad_id) for each in row] for row in packed.ids])


@mutant(breaks="packing.attention-mask", story="pads with 0, whatever pad_id is")
class PadsWithZero(Packing):
    def pack(self, documents: Documents) -> Packed:
        return Packing.pack(replace(self, pad_id=None if self.pad_id is None else 0), documents)


@mutant(breaks="packing.split", story="begins a row with each document")
class RowForEach(Packing):
    def pack(self, documents: Documents) -> Packed:
        packed = Packed([], [], [], [])
        for number, document in enumerate(documents):
            alone = super().pack([document])
            for name, rows in vars(packed).items():
                rows.extend(getattr(alone, name))
            for row in packed.sequence_ids[len(packed.sequence_ids) - len(alone.ids) :]:
                row[:] = [None if each is None else number for each in row]
        return packed


@mutant(breaks="packing.split", story="keeps documents whole where they fit a row")
class KeepsWhole(Packing):
    def pack(self, documents: Documents) -> Packed:
        fits = max(map(len, documents), default=0) <= self.length
        return Packing.pack(replace(self, split=self.split and not fits), documents)


@mutant(breaks="packing.whole", story="splits documents, whatever is asked for")
class AlwaysSplits(Packing):
    def pack(self, documents: Documents) -> Packed:
        return Packing.pack(replace(self, split=True), documents)


@mutant(breaks="packing.whole", story="begins a row where a document would fill the last one just so")
class FearsTheBrim(Packing):
    def _fits(self, room: int, size: int) -> bool:
        return super()._fits(room, size) and (self.split or room == self.length or size < room)


@mutant(breaks="packing.document-too-long", story="splits a document that is too long, and says nothing")
class SplitsLong(Packing):
    def pack(self, documents: Documents) -> Packed:
        try:
            return super().pack(documents)
        except DocumentTooLong:
            return Packing.pack(replace(self, split=True), documents)


@mutant(breaks="packing.document-too-long", story="cuts off what does not fit")
class CutsLong(Packing):
    def pack(self, documents: Documents) -> Packed:
        return super().pack(documents if self.split else [document[: self.length] for document in documents])


@mutant(breaks="packing.empty-documents", story="counts only documents that have tokens")
class SkipsEmpty(Packing):
    def pack(self, documents: Documents) -> Packed:
        return super().pack([document for document in documents if document])


@mutant(breaks="packing.pad-token-missing", story="fills with 0 where there is no padding token")
class ZeroForMissing(Packing):
    def pack(self, documents: Documents) -> Packed:
        return Packing.pack(replace(self, pad_id=self.pad_id or 0), documents)


@mutant(breaks="packing.pad-token-missing", story="wants a padding token also where every row is full")
class AlwaysWantsIt(Packing):
    def pack(self, documents: Documents) -> Packed:
        if self.pad_id is None:
            raise PadTokenMissing
        return super().pack(documents)
