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
def put_token(state: int, token: int, number: int, start: int, end: int, word: int) -> None:
    """Writes all that is known of a token."""
    put_u32(field(state, IDS_OUT) + ID * token, number)
    put_offsets(field(state, OFFSETS_OUT) + OFFSETS * token, start, end)
    put_u32(field(state, WORDS_OUT) + ID * token, word)


@part
def put_offsets(place: int, start: int, end: int) -> None:
    """Writes two numbers of four bytes."""
    put_int(place, start | end << 32)


@part
def char_at(state: int, place: int, is_ascii: bool) -> int:
    """The number of the character that begins at an address within TEXT."""
    place -= field(state, TEXT)
    return place if is_ascii else chars_before(state, place)


@part
def known_tokens(state: int, record: int, stop: int, token: int, word: int, is_ascii: bool) -> tuple[int, int, int]:
    """What `known_ids` does, with offsets and word numbers: the record, the next token, and the next word."""
    table, arena, pool = field(state, TABLE), field(state, ARENA), field(state, POOL)
    ids, offsets, words = field(state, IDS_OUT), field(state, OFFSETS_OUT), field(state, WORDS_OUT)
    end = table_end(table, field(state, SHIFT))
    while record < stop:
        entry = find(slot_of(record), table, end, arena, record)
        if bits_at(entry + 8) == ALL:
            break
        start = char_at(state, int_at(record + START), is_ascii)
        count = byte_at(entry + NUMBER)
        if count != IN_POOL:
            first, second, third = (byte_at(entry + ENDS), byte_at(entry + ENDS + 1), byte_at(entry + ENDS + 2))
            put_bits(ids + ID * token, bits_at(entry + IDS))
            put_u32(ids + ID * token + 2 * ID, u32_at(entry + THIRD))
            put_offsets(offsets + OFFSETS * token, start, start + first)
            put_offsets(offsets + OFFSETS * token + OFFSETS, start + first, start + second)
            put_offsets(offsets + OFFSETS * token + 2 * OFFSETS, start + second, start + third)
            put_u32(words + ID * token, word)
            put_u32(words + ID * token + ID, word)
            put_u32(words + ID * token + 2 * ID, word)
            token += count
            word += count != 0
        else:
            count = u32_at(entry + THIRD)
            place = pool + u32_at(entry + IDS)
            for _ in range(count):
                put_token(
                    state,
                    token,
                    u32_at(place),
                    start + byte_at(place + 4),
                    start + byte_at(place + 5),
                    word + byte_at(place + 6),
                )
                place += 8
                token += 1
            word += byte_at(place - 2) + 1
        token, word = put_tail(state, record, token, word, is_ascii)
        record += RECORD
    return record, token, word


@part
def put_tail(state: int, record: int, token: int, word: int, is_ascii: bool) -> tuple[int, int]:
    """Writes the token behind the word of a record, if there is one; the next token, and the next word."""
    tail = int_at(record + TAIL)
    start = char_at(state, int_at(record + START) + int_at(record + LENGTH), is_ascii)
    put_token(state, token, tail - 1, start, start + int_at(record + TAIL_CHARS), word)
    return token + (tail != 0), word + (tail != 0)


@part
def new_tokens(state: int, record: int, token: int, word: int, is_ascii: bool) -> tuple[int, int]:
    """What `new_ids` does, with offsets and word numbers: the next token, or -1, and the next word."""
    count = pieces_of_unknown(state, record)
    if count < 0:
        return -1, word
    piece, start, words = field(state, PIECES), char_at(state, int_at(record + START), is_ascii), 0
    for _ in range(count):
        put_token(
            state,
            token,
            u32_at(piece),
            start + u32_at(piece + PIECE_START),
            start + u32_at(piece + PIECE_END),
            word + u32_at(piece + PIECE_WORD),
        )
        words = u32_at(piece + PIECE_WORD) + 1
        piece += PIECE
        token += 1
    return put_tail(state, record, token, word + words, is_ascii)
