"""The second pass over a text: the tokens of the words that were recorded, from the cache or from the trie.

Every word writes three ids, whatever it has, and goes on by as many as it has: a branch on their number could not be
foretold, and what is written too much is written over. So there must be room for three tokens more than there are.
"""

from goldpiece.fast.wordpiece.cache import (
    ENDS,
    IDS,
    IN_POOL,
    NUMBER,
    THIRD,
    find,
    recall,
    remember,
    slot_of,
    table_end,
)
from goldpiece.fast.wordpiece.compilation import part, rare
from goldpiece.fast.wordpiece.layout import (
    ARENA,
    IDS_OUT,
    LENGTH,
    MISSES,
    OFFSETS_OUT,
    PIECE,
    PIECE_END,
    PIECE_START,
    PIECE_WORD,
    PIECES,
    POOL,
    RECORD,
    SHIFT,
    START,
    STARTS,
    TABLE,
    TAIL,
    TAIL_CHARS,
    TEXT,
    WORDS_OUT,
    field,
    set_field,
)
from goldpiece.fast.wordpiece.match import resolve
from goldpiece.fast.wordpiece.memory import (
    ALL,
    bits_at,
    byte_at,
    int_at,
    put_bits,
    put_int,
    put_u32,
    u32_at,
)
from goldpiece.fast.wordpiece.utf8 import chars_before

ID, OFFSETS = 4, 8  # bytes of an id, and of a first character with the end


@part
def known_ids(state: int, record: int, stop: int, out: int) -> tuple[int, int]:
    """Writes the ids of records, up to the first of a word that is not in the young generation: that record, and the
    place behind the ids.
    """
    table, arena, pool = field(state, TABLE), field(state, ARENA), field(state, POOL)
    end = table_end(table, field(state, SHIFT))
    while record < stop:
        entry = find(slot_of(record), table, end, arena, record)
        if bits_at(entry + 8) == ALL:
            break
        count = byte_at(entry + NUMBER)
        if count != IN_POOL:
            put_bits(out, bits_at(entry + IDS))
            put_u32(out + 2 * ID, u32_at(entry + THIRD))
        else:
            count = u32_at(entry + THIRD)
            place = pool + u32_at(entry + IDS)
            for number in range(count):
                put_u32(out + ID * number, u32_at(place + 8 * number))
        out += ID * count
        tail = int_at(record + TAIL)
        put_u32(out, tail - 1)
        out += ID * (tail != 0)
        record += RECORD
    return record, out


@rare
def pieces_of_unknown(state: int, record: int) -> int:
    """Puts the pieces of a word that is not in the young generation into PIECES, and remembers them; -1 if it is beyond
    the tables.
    """
    count = recall(state, record)
    if count < 0:
        count = resolve(state, int_at(record + START), int_at(record + LENGTH))
        if count < 0:
            return -1
        set_field(state, MISSES, field(state, MISSES) + 1)
    remember(state, record, count)
    return count


@part
def new_ids(state: int, record: int, out: int) -> int:
    """Writes the ids of one record whose word is not in the young generation; the place behind them, or -1."""
    count = pieces_of_unknown(state, record)
    if count < 0:
        return -1
    pieces = field(state, PIECES)
    for number in range(count):
        put_u32(out + ID * number, u32_at(pieces + PIECE * number))
    out += ID * count
    tail = int_at(record + TAIL)
    put_u32(out, tail - 1)
    return out + ID * (tail != 0)


@part
def put_span(offsets: int, start: int, end: int) -> None:
    """Writes where a token begins and ends."""
    put_int(offsets, start | end << 32)


@part
def put_token(ids: int, offsets: int, words: int, number: int, start: int, end: int, word: int) -> None:
    """Writes all that is known of a token, to three places; those of the next are 4, 8 and 4 bytes behind."""
    put_u32(ids, number)
    put_span(offsets, start, end)
    put_u32(words, word)


@part
def places_of(state: int, token: int) -> tuple[int, int, int]:
    """Where the id, the offsets and the word number of a token are written."""
    ids, offsets, words = field(state, IDS_OUT), field(state, OFFSETS_OUT), field(state, WORDS_OUT)
    return ids + ID * token, offsets + OFFSETS * token, words + ID * token


@part
def char_at(text: int, starts: int, place: int, is_ascii: bool) -> int:
    """The number of the character that begins at an address within TEXT, of which STARTS knows."""
    return place - text if is_ascii else chars_before(starts, place - text)


@part
def known_tokens(state: int, record: int, stop: int, token: int, word: int, is_ascii: bool) -> tuple[int, int, int]:
    """What `known_ids` does, with offsets and word numbers: the record, the next token, and the next word."""
    table, arena, pool = field(state, TABLE), field(state, ARENA), field(state, POOL)
    text, starts = field(state, TEXT), field(state, STARTS)
    end = table_end(table, field(state, SHIFT))
    ids, offsets, words = places_of(state, token)
    first_id = ids
    while record < stop:
        entry = find(slot_of(record), table, end, arena, record)
        if bits_at(entry + 8) == ALL:
            break
        start = char_at(text, starts, int_at(record + START), is_ascii)
        count = byte_at(entry + NUMBER)
        if count != IN_POOL:
            put_bits(ids, bits_at(entry + IDS))
            put_u32(ids + 2 * ID, u32_at(entry + THIRD))
            one, two, three = byte_at(entry + ENDS), byte_at(entry + ENDS + 1), byte_at(entry + ENDS + 2)
            put_span(offsets, start, start + one)
            put_span(offsets + OFFSETS, start + one, start + two)
            put_span(offsets + 2 * OFFSETS, start + two, start + three)
            put_int(words, word | word << 32)
            put_u32(words + 2 * ID, word)
            word += count != 0
        else:
            count = u32_at(entry + THIRD)
            last = word
            for number in range(count):
                piece = pool + u32_at(entry + IDS) + 8 * number
                last = word + byte_at(piece + 6)
                at = ids + ID * number, offsets + OFFSETS * number, words + ID * number
                put_token(*at, u32_at(piece), start + byte_at(piece + 4), start + byte_at(piece + 5), last)
            word = last + 1
        ids, offsets, words = ids + ID * count, offsets + OFFSETS * count, words + ID * count
        tail = int_at(record + TAIL)
        start = char_at(text, starts, int_at(record + START) + int_at(record + LENGTH), is_ascii)
        put_token(ids, offsets, words, tail - 1, start, start + int_at(record + TAIL_CHARS), word)
        count = tail != 0
        ids, offsets, words, word = ids + ID * count, offsets + OFFSETS * count, words + ID * count, word + count
        record += RECORD
    return record, token + (ids - first_id) // ID, word


@part
def new_tokens(state: int, record: int, token: int, word: int, is_ascii: bool) -> tuple[int, int]:
    """What `new_ids` does, with offsets and word numbers: the next token, or -1, and the next word."""
    count = pieces_of_unknown(state, record)
    if count < 0:
        return -1, word
    text, starts, place, last = field(state, TEXT), field(state, STARTS), int_at(record + START), word - 1
    start = char_at(text, starts, place, is_ascii)
    for number in range(count):
        piece = field(state, PIECES) + PIECE * number
        begin, end = start + u32_at(piece + PIECE_START), start + u32_at(piece + PIECE_END)
        last = word + u32_at(piece + PIECE_WORD)
        put_token(*places_of(state, token + number), u32_at(piece), begin, end, last)
    token, tail = token + count, int_at(record + TAIL)
    start = char_at(text, starts, place + int_at(record + LENGTH), is_ascii)
    put_token(*places_of(state, token), tail - 1, start, start + int_at(record + TAIL_CHARS), last + 1)
    return token + (tail != 0), last + 1 + (tail != 0)
