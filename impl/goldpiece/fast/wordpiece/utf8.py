"""Code points in UTF-8: to read one, and to find how many stand before a byte."""

from goldpiece.fast.wordpiece.compilation import part
from goldpiece.fast.wordpiece.layout import STARTS, TEXT, field
from goldpiece.fast.wordpiece.memory import (
    BLOCK,
    ONE,
    beginnings,
    bits,
    bits_at,
    byte_at,
    count_ones,
    int_at,
    put_bits,
    put_int,
)

ENTRY = 16  # bytes of STARTS for a block


@part
def length_of(lead: int) -> int:
    """How many bytes a code point has that begins with this one."""
    if lead < 0x80:
        return 1
    if lead < 0xE0:
        return 2
    return 3 if lead < 0xF0 else 4


@part
def code_point(place: int, length: int) -> int:
    """The code point of so many bytes at an address."""
    lead = byte_at(place)
    if length == 1:
        return lead
    second = byte_at(place + 1) & 0x3F
    if length == 2:
        return (lead & 0x1F) << 6 | second
    third = byte_at(place + 2) & 0x3F
    if length == 3:
        return (lead & 0x0F) << 12 | second << 6 | third
    return (lead & 0x07) << 18 | second << 12 | third << 6 | byte_at(place + 3) & 0x3F


@part
def count_starts(state: int, size: int) -> bool:
    """Notes where the code points of the text begin, and tells whether any has more than one byte."""
    place, text, entry, count = 0, field(state, TEXT), field(state, STARTS), 0
    while place <= size:
        starts = beginnings(text + place)
        put_bits(entry, starts)
        put_int(entry + 8, count)
        count += count_ones(starts)
        place += BLOCK
        entry += ENTRY
    return chars_before(field(state, STARTS), size) != size


@part
def chars_before(starts: int, place: int) -> int:
    """How many code points begin before a byte of the text of which STARTS knows."""
    entry = starts + (place >> 6) * ENTRY
    before = (ONE << bits(place & 63)) - ONE
    return int_at(entry + 8) + count_ones(bits_at(entry) & before)
