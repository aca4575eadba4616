"""What Python calls: whole texts to ids, with what else is known of their tokens or without."""

from goldpiece.fast.wordpiece.cache import turn_if_full
from goldpiece.fast.wordpiece.compilation import kernel, part
from goldpiece.fast.wordpiece.emit import ID, known_ids, known_tokens, new_ids, new_tokens, places_of, put_token
from goldpiece.fast.wordpiece.layout import IDS_OUT, RECORD, RECORDS, SIZE, TEXT, field
from goldpiece.fast.wordpiece.memory import byte_at, copy, fill, int_at, put_byte, put_int, put_u32, utf8_of
from goldpiece.fast.wordpiece.scan import scan
from goldpiece.fast.wordpiece.utf8 import count_starts

SPACE = 0x20
NO_TOKEN = -1  # where a frame has none
NO_WORD = -1  # of a token of the frame
NO_SEQUENCE = 0xFF  # -1 in a byte
LEFT = 0xFF  # the number of a text that the kernels leave to the reference
SLACK = 16  # tokens: a frame, and what is written too much
# Why a text has no ids, where there should be the place behind them.
NOT_UTF8, TOO_LONG, IS_BEYOND = -1, -2, -3


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
def encode_text(state: int, text: int, before: int, behind: int, out: int, room: int) -> int:
    """How many ids the `str` object at `text` has, which are written to `out`; negative if it was not encoded.

    `room` is how many bytes a text may have.
    """
    source = utf8_of(text, state + 8 * SIZE)
    if source == 0:
        return NOT_UTF8
    size = field(state, SIZE)
    if size > room:
        return TOO_LONG
    copy(field(state, TEXT), source, size)
    end = ids_of_text(state, size, before, behind, out)
    return end if end < 0 else (end - out) // ID


@kernel(holds_gil=True)
def find_texts(state: int, objects: int, count: int, places: int, sizes: int) -> int:
    """Notes where in memory the UTF-8 of `str` objects is, and how many bytes it has; those of all together. A text
    without has the address 0.
    """
    total = 0
    for number in range(count):
        put_int(places + 8 * number, utf8_of(int_at(objects + 8 * number), state + 8 * SIZE))
        size = field(state, SIZE) if int_at(places + 8 * number) else 0
        put_int(sizes + 8 * number, size)
        total += size
    return total


@kernel()
def encode_texts(
    state: int,
    places: int,
    sizes: int,
    numbers: int,
    first: int,
    stop: int,
    before: int,
    behind: int,
    growth: int,
    room: int,
    starts: int,
) -> int:
    """Writes the ids of texts from `first` on, as long as there is room for all ids that the next might have; the
    number of the first that is not done. `starts` gets where each row begins, and the end of the last.

    `numbers` says of each text whether it is the first of a row, 0, or the second, 1, which nothing stands before. A
    text that has no ids keeps its place, and its number becomes LEFT.
    """
    out = field(state, IDS_OUT)
    for text in range(first, stop):
        size, row = int_at(sizes + 8 * text), int_at(starts + 8 * text)
        if row + size * growth + SLACK > room:
            return text
        end = IS_BEYOND
        if int_at(places + 8 * text) != 0:
            copy(field(state, TEXT), int_at(places + 8 * text), size)
            opens = before if byte_at(numbers + text) == 0 else NO_TOKEN
            end = ids_of_text(state, size, opens, behind, out + ID * row)
        if end < 0:
            put_byte(numbers + text, LEFT)
            end = out + ID * row
        put_int(starts + 8 * text + 8, (end - out) // ID)
    return stop


@kernel()
def encode_texts_with_all(
    state: int,
    places: int,
    sizes: int,
    numbers: int,
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
    for text in range(first, stop):
        size, row, number = int_at(sizes + 8 * text), int_at(starts + 8 * text), byte_at(numbers + text)
        if row + size * growth + SLACK > room:
            return text
        end, opens = IS_BEYOND, before if number == 0 else NO_TOKEN
        if int_at(places + 8 * text) != 0:
            copy(field(state, TEXT), int_at(places + 8 * text), size)
            end = tokens_of_text(state, size, opens, behind, row)
        if end < 0:
            put_byte(numbers + text, LEFT)
            end = row
        else:
            fill(types + row, number, end - row)
            fill(sequences + row, number, end - row)
            fill(specials + row, 0, end - row)
            if opens != NO_TOKEN:
                put_byte(sequences + row, NO_SEQUENCE)
                put_byte(specials + row, 1)
            if behind != NO_TOKEN:
                put_byte(sequences + end - 1, NO_SEQUENCE)
                put_byte(specials + end - 1, 1)
        put_int(starts + 8 * text + 8, end)
    return stop
