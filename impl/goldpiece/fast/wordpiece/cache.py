"""The word cache: the pieces of words that were met before, by the bytes of the words as they stand in texts.

An entry has 32 bytes, two to a line of the machine's cache. Most words have 16 bytes at most and three pieces at most,
and all of it is in the entry:

             0         8               16            24     28      29   30   31
    short    the word, zeros, E0 + n   id 0 | id 1   id 2   count   ends of the pieces, in characters
    longer   hash      FF n, place     …
    pieces   …                         place         how many   FF

- A word of 16 bytes or fewer is its own key: equal bytes are the same word. What is left of the 16 bytes is zero, and
  the last of them tells the length, for a word may have zeros itself. No code point in UTF-8 ends with a byte as great.
- A longer word is known by a hash of 64 bits, and then by its bytes, which are in the ARENA. Beyond LONGEST bytes words
  are not remembered.
- Pieces that are too many, or do not lie side by side, are in the POOL, in eight bytes each: an id, and the first
  character, the end, and the number of the word.

Two words of one slot stand side by side: who seeks one goes on until there is an entry of it or a free one.

Room is bounded. Once half of the slots are taken, or the arena or the pool is full, the young generation becomes the
old one, in whose place an empty one begins, of twice as many slots up to the bound. What is found in the old one alone
moves to the young one, so that words in use survive a turn; the others are gone with the next.
"""

import numpy as np
from numpy.typing import NDArray

from goldpiece.fast.wordpiece.compilation import part, rare
from goldpiece.fast.wordpiece.layout import (
    ARENA,
    ARENA_SIZE,
    ARENA_USED,
    COUNT,
    IS_FULL,
    KEY,
    KEY_END,
    LEAST_SHIFT,
    LENGTH,
    OLD_ARENA,
    OLD_POOL,
    OLD_SHIFT,
    OLD_TABLE,
    PIECE,
    PIECE_END,
    PIECE_START,
    PIECE_WORD,
    PIECES,
    POOL,
    POOL_SIZE,
    POOL_USED,
    SHIFT,
    SLOT,
    START,
    TABLE,
    TURNS,
    field,
    set_field,
)
from goldpiece.fast.wordpiece.memory import (
    ALL,
    Bits,
    bits,
    bits_at,
    byte_at,
    copy,
    fill,
    put_bits,
    put_byte,
    put_u32,
    signed,
    u32_at,
)

ENTRY = 32
IDS, THIRD, NUMBER, ENDS = 16, 24, 28, 29  # where in an entry they are
MOST_INLINE, IN_POOL = 3, 0xFF
LONGEST = 64  # bytes
KEY_MASKS = 24  # bytes of KEYS for each length
SHORT = 16  # bytes of a word that is its own key
FIRST_PLACE = 1  # in an arena: with the place 0 the key of a longer word would be its hash and length alone

_MIX, _MIX_END = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93)  # odd, with bits all over
_LONG, _HALF = np.uint64(0xFF), np.uint64(32)
_KIND = np.uint64(56)  # from which bit on the last byte of a key is
_KNOWN = np.uint64(48)  # from which bit on the end of a longer word's key is the word's, and no place
_PLACE = np.uint64((1 << 48) - 1)


def key_masks() -> NDArray[np.uint64]:
    """KEYS: for each length up to 16, which bits of two times eight bytes are the word's, and what tells the length."""
    rows = [
        [(1 << 8 * min(length, 8)) - 1, (1 << 8 * max(length - 8, 0)) - 1, 0xE0 + length << 56 if length < SHORT else 0]
        for length in range(SHORT + 1)
    ]
    return np.array(rows, np.uint64)


@part
def hash_of_short(key: Bits, key_end: Bits) -> Bits:
    """The hash of a word that is its own key. Of its bits the highest are the best."""
    return key * _MIX ^ key_end * _MIX_END


@part
def hash_of_long(key: Bits) -> Bits:
    """The hash of a longer word, whose key is one already, but of which the arena's place must be no part."""
    return key * _MIX


@rare
def key_of_long(start: int, length: int) -> tuple[Bits, Bits]:
    """The key of a word of more than 16 bytes, without its place in the arena."""
    mixed, place, end = bits(length) * _MIX_END, start, start + length
    while place + 8 < end:
        mixed = (mixed ^ bits_at(place)) * _MIX
        mixed ^= mixed >> _HALF
        place += 8
    mixed = (mixed ^ bits_at(end - 8)) * _MIX  # the last eight, of which some may have been taken before
    mixed ^= mixed >> _HALF
    return mixed, _LONG << _KIND | bits(min(length, LONGEST + 1)) << _KNOWN


@part
def is_same(one: int, other: int, length: int) -> bool:
    """Whether two words of more than eight bytes are equal."""
    place = 0
    while place + 8 < length:
        if bits_at(one + place) != bits_at(other + place):
            return False
        place += 8
    return bool(bits_at(one + length - 8) == bits_at(other + length - 8))


@part
def find(slot: int, table: int, table_end: int, arena: int, record: int) -> int:
    """The entry of a word, or the free one where it would be."""
    key, key_end = bits_at(record + KEY), bits_at(record + KEY_END)
    while True:
        end = bits_at(slot + 8)
        if end == ALL:
            return slot
        if bits_at(slot) == key:
            if end == key_end:
                return slot
            if end >> _KNOWN == key_end >> _KNOWN and key_end >> _KIND == _LONG:
                place = signed(end & _PLACE)
                length = u32_at(record + LENGTH)
                if is_same(arena + place, signed(bits_at(record + START)), length):
                    return slot
        slot += ENTRY
        if slot == table_end:
            slot = table


@rare
def remember(state: int, record: int, count: int) -> None:
    """Makes an entry of a word that has none, with the pieces that are in PIECES, if it is short enough."""
    length, arena, used = u32_at(record + LENGTH), field(state, ARENA), field(state, ARENA_USED)
    if length > LONGEST:
        return
    pool_used = field(state, POOL_USED)
    if used + LONGEST > field(state, ARENA_SIZE) or pool_used + 8 * count > field(state, POOL_SIZE):
        set_field(state, IS_FULL, 1)
        return
    table = field(state, TABLE)
    slot = find(slot_of(record), table, table_end(table, field(state, SHIFT)), arena, record)
    key_end = bits_at(record + KEY_END)
    if length > SHORT:
        copy(arena + used, signed(bits_at(record + START)), length)
        key_end |= bits(used)
        set_field(state, ARENA_USED, used + length)
    put_bits(slot, bits_at(record + KEY))
    put_bits(slot + 8, key_end)
    pieces = field(state, PIECES)
    if fits_inline(pieces, count):
        put_byte(slot + NUMBER, count)
        for number in range(count):
            put_u32(slot + IDS + 4 * number, u32_at(pieces + PIECE * number))
            put_byte(slot + ENDS + number, u32_at(pieces + PIECE * number + PIECE_END))
    else:
        put_byte(slot + NUMBER, IN_POOL)
        put_u32(slot + IDS, pool_used)
        put_u32(slot + THIRD, count)
        keep(field(state, POOL) + pool_used, pieces, count)
        set_field(state, POOL_USED, pool_used + 8 * count)
    set_field(state, COUNT, field(state, COUNT) + 1)


@part
def slot_of(record: int) -> int:
    """Where in TABLE the entry of a word is sought first."""
    return signed(bits_at(record + SLOT))


@part
def table_end(table: int, shift: int) -> int:
    """The address behind a table."""
    return table + (ENTRY << (64 - shift))


@part
def fits_inline(pieces: int, count: int) -> bool:
    """Whether pieces are few, of one word, and side by side from the first character on."""
    if count > MOST_INLINE:
        return False
    end = 0
    for number in range(count):
        piece = pieces + PIECE * number
        if u32_at(piece + PIECE_START) != end or u32_at(piece + PIECE_WORD) != 0:
            return False
        end = u32_at(piece + PIECE_END)
    return True


@part
def keep(place: int, pieces: int, count: int) -> None:
    """Writes pieces into a pool."""
    for number in range(count):
        piece = pieces + PIECE * number
        put_u32(place, u32_at(piece))
        put_byte(place + 4, u32_at(piece + PIECE_START))
        put_byte(place + 5, u32_at(piece + PIECE_END))
        put_byte(place + 6, u32_at(piece + PIECE_WORD))
        place += 8


@rare
def recall(state: int, record: int) -> int:
    """Writes the pieces of a word that is in the old generation into PIECES, and tells how many; -1 if it is not."""
    shift = field(state, OLD_SHIFT)
    if shift == 64:
        return -1
    key, key_end = bits_at(record + KEY), bits_at(record + KEY_END)
    hashed = hash_of_long(key) if key_end >> _KIND == _LONG else hash_of_short(key, key_end)
    table = field(state, OLD_TABLE)
    first = table + ENTRY * signed(hashed >> bits(shift))
    entry = find(first, table, table_end(table, shift), field(state, OLD_ARENA), record)
    if bits_at(entry + 8) == ALL:
        return -1
    pieces, count, end = field(state, PIECES), byte_at(entry + NUMBER), 0
    if count == IN_POOL:
        return from_pool(field(state, OLD_POOL) + u32_at(entry + IDS), pieces, u32_at(entry + THIRD))
    for number in range(count):
        piece = pieces + PIECE * number
        put_u32(piece, u32_at(entry + IDS + 4 * number))
        put_u32(piece + PIECE_START, end)
        end = byte_at(entry + ENDS + number)
        put_u32(piece + PIECE_END, end)
        put_u32(piece + PIECE_WORD, 0)
    return count


@part
def from_pool(place: int, pieces: int, count: int) -> int:
    """Reads pieces from a pool, and tells how many."""
    for number in range(count):
        piece = pieces + PIECE * number
        put_u32(piece, u32_at(place))
        put_u32(piece + PIECE_START, byte_at(place + 4))
        put_u32(piece + PIECE_END, byte_at(place + 5))
        put_u32(piece + PIECE_WORD, byte_at(place + 6))
        place += 8
    return count


@part
def turn_if_full(state: int) -> None:
    """Lets the young generation be the old one if it is full. No record may point into it any more."""
    if field(state, COUNT) << 1 > 1 << (64 - field(state, SHIFT)) or field(state, IS_FULL):
        turn(state)


@rare
def turn(state: int) -> None:
    """Begins an empty young generation in the place of the old one."""
    swap(state, TABLE, OLD_TABLE)
    swap(state, ARENA, OLD_ARENA)
    swap(state, POOL, OLD_POOL)
    shift = field(state, SHIFT)
    set_field(state, OLD_SHIFT, shift)
    shift = max(shift - 1, field(state, LEAST_SHIFT))
    set_field(state, SHIFT, shift)
    fill(field(state, TABLE), 0xFF, ENTRY << (64 - shift))
    set_field(state, COUNT, 0)
    set_field(state, ARENA_USED, FIRST_PLACE)
    set_field(state, POOL_USED, 0)
    set_field(state, IS_FULL, 0)
    set_field(state, TURNS, field(state, TURNS) + 1)


@part
def swap(state: int, one: int, other: int) -> None:
    """Exchanges two fields."""
    kept = field(state, one)
    set_field(state, one, field(state, other))
    set_field(state, other, kept)
