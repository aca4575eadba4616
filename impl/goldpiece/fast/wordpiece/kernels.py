"""What Python calls: whole texts to ids, with what else is known of their tokens or without."""

from goldpiece.fast.wordpiece.cache import turn_if_full
from goldpiece.fast.wordpiece.compilation import kernel, part
from goldpiece.fast.wordpiece.emit import ID, known_ids, known_tokens, new_ids, new_tokens, places_of, put_token
from goldpiece.fast.wordpiece.layout import (
    CHARS,
    END,
    IDS_OUT,
    KIND,
    PLACE,
    RECORD,
    RECORDS,
    SEEN,
    SEQUENCE,
    TEXT,
    field,
)
from goldpiece.fast.wordpiece.memory import characters_of, fill, int_at, item_of, put_byte, put_int, put_u32
from goldpiece.fast.wordpiece.scan import scan
from goldpiece.fast.wordpiece.strings import NOT_UTF8, most_bytes, write_utf8
from goldpiece.fast.wordpiece.utf8 import count_starts

SPACE = 0x20
NO_TOKEN = -1  # where a frame has none
NO_WORD = -1  # of a token of the frame
NO_SEQUENCE = 0xFF  # -1 in a byte
LEFT = -1  # the SEQUENCE of a text that the kernels leave to the reference
SLACK = 16  # tokens: a frame, and what is written too much
# Why a text has no ids, where there should be the place behind them; or it is NOT_UTF8.
TOO_LONG, IS_BEYOND = -2, -3


@part
def ids_of_text(state: int, size: int, before: int, behind: int, out: int) -> int:
    """Writes the ids of the text in TEXT, and around them those of a frame; the place behind, or IS_BEYOND."""
    if before != NO_TOKEN:
        put_u32(out, before)
        out += ID
    place = field(state, TEXT)
    end = place + size
    put_byte(end, SPACE)
    while place < end:
        turn_if_full(state)
        place, stop = scan(state, place, end)
        record = field(state, RECORDS)
        while True:
            record, out = known_ids(state, record, stop, out)
            if record == stop:
                break
            out = new_ids(state, record, out)
            if out < 0:
                return IS_BEYOND
            record += RECORD
    if behind != NO_TOKEN:
        put_u32(out, behind)
        out += ID
    return out


@part
def tokens_of_text(state: int, size: int, before: int, behind: int, token: int) -> int:
    """Writes all that is known of the tokens of the text in TEXT, the first of which has the number `token`; the number
    behind the last, or IS_BEYOND.
    """
    if before != NO_TOKEN:
        put_token(*places_of(state, token), before, 0, 0, NO_WORD)
        token += 1
    place = field(state, TEXT)
    end = place + size
    put_byte(end, SPACE)
    is_ascii, word = not count_starts(state, size), 0
    while place < end:
        turn_if_full(state)
        place, stop = scan(state, place, end)
        record = field(state, RECORDS)
        while True:
            record, token, word = known_tokens(state, record, stop, token, word, is_ascii)
            if record == stop:
                break
            token, word = new_tokens(state, record, token, word, is_ascii)
            if token < 0:
                return IS_BEYOND
            record += RECORD
    if behind != NO_TOKEN:
        put_token(*places_of(state, token), behind, 0, 0, NO_WORD)
        token += 1
    return token


@kernel(holds_gil=True)
def encode_text(state: int, text: int, before: int, behind: int, room: int, out: int) -> int:
    """How many ids the `str` object at `text` has, which are written to `out`; negative if it was not encoded.

    `room` is how many bytes a text may have.
    """
    place, length, kind = characters_of(text)
    if place == 0:
        return NOT_UTF8
    if most_bytes(length, kind) > room:
        return TOO_LONG
    size = write_utf8(field(state, TEXT), place, length, kind)
    if size == NOT_UTF8:
        return NOT_UTF8
    end = ids_of_text(state, size, before, behind, out)
    return end if end < 0 else (end - out) // ID


@kernel(holds_gil=True)
def see_texts(row: int, count: int, texts: int) -> int:
    """Notes what the `str` objects of a `tuple` have, but for their SEQUENCE; the PLACE of what is none is 0. Returns
    how many bytes any of them has at most.
    """
    longest = end = 0
    for number in range(count):
        place, length, kind = characters_of(item_of(row, number))
        most = most_bytes(length, kind)
        longest, end = max(longest, most), end + most
        text = texts + SEEN * number
        put_int(text + PLACE, place)
        put_int(text + CHARS, length)
        put_int(text + KIND, kind)
        put_int(text + END, end)
    return longest


@part
def utf8_of(state: int, text: int) -> int:
    """Writes the UTF-8 of a text that was seen to TEXT, and tells how many bytes it has, or NOT_UTF8."""
    place = int_at(text + PLACE)
    if place == 0:
        return NOT_UTF8
    return write_utf8(field(state, TEXT), place, int_at(text + CHARS), int_at(text + KIND))


@kernel()
def encode_texts(
    state: int, texts: int, first: int, stop: int, before: int, behind: int, growth: int, room: int, starts: int
) -> int:
    """Writes the ids of texts from `first` on, as long as there is room for all ids that the next might have; the
    number of the first that is not done. `starts` gets where each row begins, and the end of the last.

    The SEQUENCE of a text says whether it is the first of a row, 0, or the second, 1, which nothing stands before. A
    text that has no ids keeps its place, and its SEQUENCE becomes LEFT.
    """
    out = field(state, IDS_OUT)
    for number in range(first, stop):
        text, row = texts + SEEN * number, int_at(starts + 8 * number)
        size = utf8_of(state, text)
        if row + size * growth + SLACK > room:
            return number
        end = IS_BEYOND
        if size != NOT_UTF8:
            opens = before if int_at(text + SEQUENCE) == 0 else NO_TOKEN
            end = ids_of_text(state, size, opens, behind, out + ID * row)
        if end < 0:
            put_int(text + SEQUENCE, LEFT)
            end = out + ID * row
        put_int(starts + 8 * number + 8, (end - out) // ID)
    return stop


@part
def put_rest(
    types: int, sequences: int, specials: int, first: int, end: int, sequence: int, before: int, behind: int
) -> None:
    """Writes what does not depend on the text, of the tokens from `first` to `end`, which are one sequence of a row."""
    fill(types + first, sequence, end - first)
    fill(sequences + first, sequence, end - first)
    fill(specials + first, 0, end - first)
    if before != NO_TOKEN:
        put_byte(sequences + first, NO_SEQUENCE)
        put_byte(specials + first, 1)
    if behind != NO_TOKEN:
        put_byte(sequences + end - 1, NO_SEQUENCE)
        put_byte(specials + end - 1, 1)


@kernel()
def encode_texts_with_all(
    state: int,
    texts: int,
    first: int,
    stop: int,
    before: int,
    behind: int,
    growth: int,
    room: int,
    starts: int,
    types: int,
    sequences: int,
    specials: int,
) -> int:
    """What `encode_texts` does, with all that is known of the tokens."""
    for number in range(first, stop):
        text, row = texts + SEEN * number, int_at(starts + 8 * number)
        size, sequence = utf8_of(state, text), int_at(text + SEQUENCE)
        if row + size * growth + SLACK > room:
            return number
        end, opens = IS_BEYOND, before if sequence == 0 else NO_TOKEN
        if size != NOT_UTF8:
            end = tokens_of_text(state, size, opens, behind, row)
        if end < 0:
            put_int(text + SEQUENCE, LEFT)
            end = row
        else:
            put_rest(types, sequences, specials, row, end, sequence, opens, behind)
        put_int(starts + 8 * number + 8, end)
    return stop
