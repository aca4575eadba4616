"""The characters of a `str`, where CPython has them, as UTF-8 where a kernel wants it.

A `str` has one, two or four bytes for each of its characters, as many as its greatest needs:

    kind    a character            in UTF-8 at most
      0     1 byte,  to U+7F       1 byte: the same
      1     1 byte,  to U+FF       2 bytes
      2     2 bytes, to U+FFFF     3 bytes
      4     4 bytes                4 bytes

CPython would make UTF-8 as well, but by one thread at a time, into memory that it then keeps with each `str`. Here only
the address, the length and the kind are asked for while the GIL is held; a `str` never changes, so that threads may
read the characters without it, as long as somebody keeps the object.
"""

from goldpiece.fast.wordpiece.compilation import part, rare
from goldpiece.fast.wordpiece.memory import (
    NARROW,
    NONE,
    Bits,
    byte_at,
    copy,
    count_ones,
    narrow_bytes,
    narrow_pairs,
    narrow_quads,
    put_u32,
    trailing_zeros,
    u16_at,
    u32_at,
)

ASCII, WIDEST = 0, 4  # kinds
FEW = 4  # characters beyond ASCII of NARROW, up to which it is worth to look for each
NOT_UTF8 = -1  # the size of a text that has none, for it has lone surrogates
SURROGATE, SURROGATE_BITS = 0xD800, 0xFFFFF800


@part
def most_bytes(length: int, kind: int) -> int:
    """How many bytes so many characters of a kind have in UTF-8 at most."""
    return length << 2 if kind == WIDEST else length * (kind + 1)


@part
def write_utf8(to: int, text: int, length: int, kind: int) -> int:
    """Writes the UTF-8 of characters, and tells how many bytes it has, or NOT_UTF8. Three bytes more may be written."""
    if kind == ASCII:
        copy(to, text, length)
        return length
    return transcode(to, text, text + length * kind, kind)


@rare
def transcode(to: int, place: int, end: int, width: int) -> int:
    """`write_utf8` of characters of `width` bytes, which may be beyond ASCII."""
    start, is_lone = to, False
    while place < end:
        stop = min(place + NARROW * width, end)
        if stop == place + NARROW * width:
            beyond_ascii, beyond_two = narrow(to, place, width)
            if count_ones(beyond_ascii) <= FEW:
                letters = min(trailing_zeros(beyond_ascii), NARROW)
                to += letters
                place += letters * width
                if letters == NARROW:
                    continue
                stop = place + width
            elif beyond_two == NONE:
                while place < stop:
                    to = put_short(to, character_at(place, width))
                    place += width
        while place < stop:
            point = character_at(place, width)
            is_lone |= point & SURROGATE_BITS == SURROGATE
            to = put_code_point(to, point)
            place += width
    return NOT_UTF8 if is_lone else to - start


@part
def narrow(to: int, place: int, width: int) -> tuple[Bits, Bits]:
    """Writes NARROW characters as if they were ASCII, and tells which are not, and which have more than two bytes."""
    if width == 1:
        return narrow_bytes(to, place)
    return narrow_pairs(to, place) if width == 2 else narrow_quads(to, place)


@part
def character_at(place: int, width: int) -> int:
    """The code point of a character."""
    if width == 1:
        return byte_at(place)
    return u16_at(place) if width == 2 else u32_at(place)


@part
def put_short(to: int, point: int) -> int:
    """Writes the UTF-8 of a code point below 0x800; the place behind it."""
    two = (point << 8 | point >> 6) & 0x3F1F | 0x80C0
    put_u32(to, point if point < 0x80 else two)
    return to + 1 + (point >= 0x80)


@part
def put_code_point(to: int, point: int) -> int:
    """Writes the UTF-8 of a code point; the place behind it. Four bytes are written, whatever it has: no branch."""
    two = (point << 8 | point >> 6) & 0x3F1F | 0x80C0
    three = point >> 12 | point << 2 & 0x3F00 | point << 16 & 0x3F0000 | 0x8080E0
    four = point >> 18 | point >> 4 & 0x3F00 | point << 10 & 0x3F0000 | point << 24 & 0x3F000000 | 0x808080F0
    short = point if point < 0x80 else two
    long = three if point < 0x10000 else four
    put_u32(to, short if point < 0x800 else long)
    return to + 1 + (point >= 0x80) + (point >= 0x800) + (point >= 0x10000)
