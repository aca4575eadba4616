"""A word that no cache knows: it is normalized, cut at what is no letter, and cut into the longest pieces."""

from goldpiece.fast.wordpiece.characters import ALONE, BEYOND, CHARS_SHIFT, PLACE_SHIFT, WORD
from goldpiece.fast.wordpiece.compilation import part, rare
from goldpiece.fast.wordpiece.layout import (
    ALONE_IDS,
    CLASSES,
    CONTINUATION,
    FORM_BYTES,
    FORMS,
    MOST_CHARS,
    NORMAL,
    PIECE,
    PIECE_END,
    PIECE_START,
    PIECE_WORD,
    PIECES,
    SOURCES,
    TRIE,
    UNKNOWN,
    field,
)
from goldpiece.fast.wordpiece.memory import ONE, bits, bits_at, byte_at, put_byte, put_u32, signed, u32_at
from goldpiece.fast.wordpiece.trie import ROOT, child, value
from goldpiece.fast.wordpiece.utf8 import code_point, length_of

UNSEGMENTED = -1


@rare
def resolve(state: int, place: int, length: int) -> int:
    """Writes the pieces of the bytes from `place` on into PIECES, and tells how many; -1 if any is beyond tables."""
    classes, forms, alone = field(state, CLASSES), field(state, FORMS), field(state, ALONE_IDS)
    end, source, size, chars, count, word = place + length, 0, 0, 0, 0, 0
    while place < end:
        width = length_of(byte_at(place))
        point = code_point(place, width)
        kind = byte_at(classes + point)
        if kind == WORD:
            form = signed(bits_at(forms + 8 * point) & ~(ONE << bits(63)))
            if bits_at(forms + 8 * point) == bits(0):
                size = append(state, place, width, size, source)
                chars += 1
            else:
                size = append(state, field(state, FORM_BYTES) + (form >> PLACE_SHIFT), form & 0xFF, size, source)
                chars += form >> CHARS_SHIFT & 0xFF
        elif kind == BEYOND:
            return -1
        else:
            if size > 0:
                count = cut(state, size, chars, count, word)
                word += 1
            if kind == ALONE:
                count = put_piece(state, count, u32_at(alone + 4 * point) - 1, source, source + 1, word)
                word += 1
            size = chars = 0
        place += width
        source += 1
    return cut(state, size, chars, count, word) if size > 0 else count


@part
def append(state: int, place: int, width: int, size: int, source: int) -> int:
    """Puts bytes behind the `size` bytes of NORMAL, all of which came from one character; how many there are now."""
    normal, sources = field(state, NORMAL), field(state, SOURCES)
    for number in range(width):
        put_byte(normal + size + number, byte_at(place + number))
        put_u32(sources + 4 * (size + number), source)
    return size + width


@part
def put_piece(state: int, count: int, number: int, start: int, end: int, word: int) -> int:
    """Puts a piece behind the `count` of PIECES; how many there are now."""
    piece = field(state, PIECES) + PIECE * count
    put_u32(piece, number)
    put_u32(piece + PIECE_START, start)
    put_u32(piece + PIECE_END, end)
    put_u32(piece + PIECE_WORD, word)
    return count + 1


@rare
def cut(state: int, size: int, chars: int, count: int, word: int) -> int:
    """Puts the pieces of the word in NORMAL behind the `count` of PIECES: the longest first; how many there are now."""
    trie, normal, sources = field(state, TRIE), field(state, NORMAL), field(state, SOURCES)
    first, start, root = count, 0, ROOT
    while start < size and chars <= field(state, MOST_CHARS):
        number, end = longest(trie, root, normal, start, size)
        if end == start:
            break
        begins, ends = u32_at(sources + 4 * start), u32_at(sources + 4 * end - 4) + 1
        count = put_piece(state, count, number, begins, ends, word)
        start, root = end, field(state, CONTINUATION)
    if start < size:
        begins, ends = u32_at(sources), u32_at(sources + 4 * size - 4) + 1
        return put_piece(state, first, field(state, UNKNOWN), begins, ends, word)
    return count


@part
def longest(trie: int, node: int, normal: int, start: int, size: int) -> tuple[int, int]:
    """The longest entry from `node` on that the word has at `start`: its id, and where it ends; `start` if none is."""
    number, end, place = 0, start, start
    while place < size:
        node = child(trie, node, byte_at(normal + place))
        if node < 0:
            break
        place += 1
        if value(trie, node):
            number, end = value(trie, node) - 1, place
    return number, end
