"""The first pass over a text: where its words are, and where in the cache each of them should be.

Words are found in blocks of 64 bytes, of which the machine makes two numbers of 64 bits at once:

    text     T h e   d o g ,   ( b a r k i n g )   . . .
    spaces   . . . 1 . . . . 1 . . . . . . . . . 1
    ends     . . . 1 . . . 1 . 1 . . . . . . . 1 .        white space behind what ends a word ends nothing

A word ends at ASCII white space and at ASCII punctuation, whatever the tokenizer. Other code points at which words end
are rare, and words are remembered together with these: "naïve—so" is one word here, and its pieces are those of naïve,
of the dash and of so. Ideographs alone are frequent: what begins with a byte as theirs is looked up.

Pass 1 reads nothing of the cache: it has the machine fetch each slot, so that pass 2 waits for none.
"""

from goldpiece.fast.wordpiece.cache import ENTRY, KEY_MASKS, SHORT, hash_of_long, hash_of_short, key_of_long
from goldpiece.fast.wordpiece.characters import ALONE, SPACE
from goldpiece.fast.wordpiece.compilation import part, rare
from goldpiece.fast.wordpiece.layout import (
    ADDED,
    ALONE_IDS,
    ASCII,
    CLASSES,
    KEY,
    KEY_END,
    KEYS,
    LENGTH,
    MAY_BEGIN,
    MOST_RECORDS,
    RECORD,
    RECORDS,
    SHIFT,
    SLOT,
    START,
    TABLE,
    TAIL,
    TAIL_CHARS,
    TAIL_SHIFT,
    field,
)
from goldpiece.fast.wordpiece.memory import (
    ALL,
    BLOCK,
    NONE,
    ONE,
    Bits,
    bits,
    bits_at,
    boundaries,
    byte_at,
    prefetch,
    put_bits,
    put_int,
    signed,
    trailing_zeros,
    u32_at,
)
from goldpiece.fast.wordpiece.trie import child, value
from goldpiece.fast.wordpiece.utf8 import code_point

IDEOGRAPH = 3  # bytes of those that begin like one


@part
def scan(state: int, place: int, end: int) -> tuple[int, int]:
    """Records the words from `place` on until the text ends or there are records enough; where it stopped, and where
    the records do. At `end` there is a space.
    """
    ascii_, classes = field(state, ASCII), field(state, CLASSES)
    table, shift, keys = field(state, TABLE), bits(field(state, SHIFT)), field(state, KEYS)
    record = field(state, RECORDS)
    last = record + MOST_RECORDS * RECORD
    while place < end and record < last:
        block = place
        spaces, ends = boundaries(block)
        ends &= ~(spaces & (ends << ONE))
        if end - block < BLOCK - 1:
            ends &= (ONE << bits(end - block + 1)) - ONE
        while ends != NONE:
            at = trailing_zeros(ends)
            found = block + at
            byte = byte_at(found)
            if byte >= 0x80:
                point = code_point(found, IDEOGRAPH)
                kind = byte_at(classes + point)
                if kind in (ALONE, SPACE):
                    tail = u32_at(field(state, ALONE_IDS) + 4 * point)
                    record = note(record, place, found - place, tail, 1, table, shift, keys)
                    place = found + IDEOGRAPH
                ends &= ends - ONE
                continue
            about = u32_at(ascii_ + 4 * byte)
            if about & MAY_BEGIN:
                tail, length, chars = added_token(field(state, ADDED), found, end)
                if length > 0:
                    record = note(record, place, found - place, tail, chars, table, shift, keys)
                    place = found + length
                    if place >= block + BLOCK:
                        break
                    ends &= ALL << bits(place - block)
                    continue
            record = note(record, place, found - place, about >> TAIL_SHIFT, 1, table, shift, keys)
            place = found + 1 + trailing_zeros(~(spaces >> bits(at) >> ONE))
            ends &= ends - ONE
        if place == block:  # a word fills all of the block
            found = end_of_word(ascii_, classes, block + BLOCK, end)
            record = note(record, place, found - place, 0, 1, table, shift, keys)
            place = found
    return place, record


@part
def note(record: int, start: int, length: int, tail: int, chars: int, table: int, shift: Bits, keys: int) -> int:
    """Writes a record of a word, and of the token behind it: its id and 1, or 0 for none. Returns the next."""
    if length <= SHORT:
        mask = keys + KEY_MASKS * length
        key = bits_at(start) & bits_at(mask)
        key_end = bits_at(start + 8) & bits_at(mask + 8) | bits_at(mask + 16)
        hashed = hash_of_short(key, key_end)
    else:
        key, key_end = key_of_long(start, length)
        hashed = hash_of_long(key)
    slot = table + ENTRY * signed(hashed >> shift)
    prefetch(slot)
    put_int(record + START, start)
    put_int(record + LENGTH, length)
    put_int(record + TAIL, tail)
    put_int(record + TAIL_CHARS, chars)
    put_bits(record + KEY, key)
    put_bits(record + KEY_END, key_end)
    put_int(record + SLOT, slot)
    return record + RECORD


@rare
def end_of_word(ascii_: int, classes: int, place: int, end: int) -> int:
    """Where a word ends that goes on up to `place`, which may be within a code point."""
    while place < end:
        byte = byte_at(place)
        if u32_at(ascii_ + 4 * byte):
            break
        if 0xE3 <= byte <= 0xE9 or byte == 0xEF:
            kind = byte_at(classes + code_point(place, IDEOGRAPH))
            if kind in (ALONE, SPACE):
                break
        place += 1
    return place


@rare
def added_token(trie: int, place: int, end: int) -> tuple[int, int, int]:
    """The longest added token that begins at an address: its id and 1, its bytes and its characters; else 0, 0, 0."""
    node = length = chars = found = found_length = found_chars = 0
    while place + length < end:
        byte = byte_at(place + length)
        node = child(trie, node, byte)
        if node < 0:
            break
        length += 1
        chars += not 0x80 <= byte < 0xC0
        if value(trie, node):
            found, found_length, found_chars = value(trie, node), length, chars
    return found, found_length, found_chars
