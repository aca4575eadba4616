"""Rows of one width, each written once to where it stays: cut, framed and filled up."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from goldpiece.encoding import IdRows
from goldpiece.fast.wordpiece.compilation import kernel, part
from goldpiece.fast.wordpiece.emit import ID
from goldpiece.fast.wordpiece.kernels import NO_TOKEN
from goldpiece.fast.wordpiece.memory import int_at, put_int, u32_at
from goldpiece.reference.padding import Padding, PadTokenMissing
from goldpiece.reference.truncation import Truncation

NO_PAIR = -1  # where a row has no second sequence
CUT = 4  # numbers of a row: begin and end of what is kept of each sequence, in all ids


@dataclass(frozen=True, eq=False)
class Laid:
    """What models take: (rows, width) each."""

    ids: NDArray[np.int64]
    type_ids: NDArray[np.int64]
    attention_mask: NDArray[np.int64]


def lay_out(
    firsts: IdRows,
    seconds: IdRows | None,
    has_second: NDArray[np.bool_] | None,
    frame: tuple[int, int],
    truncation: Truncation | None,
    padding: Padding,
) -> Laid:
    """Rows of one sequence each, or of two, without a frame, as an array. Raises what truncating and padding raise."""
    if padding.pad_id is None:
        raise PadTokenMissing
    spans, lengths = _kept(firsts, seconds, has_second, frame, truncation)
    width = padding.width(lengths.tolist())
    laid = Laid(*(np.empty((len(spans), width), np.int64) for _ in range(3)))
    other = firsts if seconds is None else seconds
    at = [each.ctypes.data for each in (spans, firsts.flat, other.flat, laid.ids, laid.type_ids, laid.attention_mask)]
    (before, behind), is_left = frame, padding.side == "left"
    filling = padding.pad_id, padding.pad_type_id
    _lay(at[0], at[1], at[2], len(spans), before, behind, width, *filling, is_left, at[3], at[4], at[5])
    return laid


def _kept(
    firsts: IdRows,
    seconds: IdRows | None,
    has_second: NDArray[np.bool_] | None,
    frame: tuple[int, int],
    truncation: Truncation | None,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each row where what is kept begins and ends in all ids of the first and second sequences, and its length."""
    spans = np.full((len(firsts), CUT), NO_PAIR, np.int64)
    spans[:, 0], spans[:, 1] = firsts.row_starts[:-1], firsts.row_starts[1:]
    special = np.full(len(firsts), 0 if frame[0] == NO_TOKEN else 2)
    if seconds is not None and has_second is not None:
        spans[has_second, 2] = seconds.row_starts[:-1][has_second]
        spans[has_second, 3] = seconds.row_starts[1:][has_second]
        special += has_second if frame[0] != NO_TOKEN else 0
    lengths = special + spans[:, 1] - spans[:, 0] + spans[:, 3] - spans[:, 2]
    if truncation:
        for row in np.flatnonzero(lengths > truncation.max_length):
            first, end, second, second_end = spans[row].tolist()
            known = None if second == NO_PAIR else second_end - second
            one, other = truncation.row(end - first, known, int(special[row]))
            spans[row, :2] = first + one.start, first + one.stop
            if known is not None:
                spans[row, 2:] = second + other.start, second + other.stop
            lengths[row] = special[row] + len(one) + len(other)
    return spans, lengths


@kernel()
def _lay(
    spans: int,
    firsts: int,
    seconds: int,
    count: int,
    before: int,
    behind: int,
    width: int,
    pad_id: int,
    pad_type: int,
    is_left: bool,
    ids: int,
    types: int,
    mask: int,
) -> None:
    """Writes rows: a frame if there is one, the sequences, and padding on one side."""
    for row in range(count):
        span = spans + 8 * CUT * row
        first, end, second, second_end = int_at(span), int_at(span + 8), int_at(span + 16), int_at(span + 24)
        frame = 0 if before == NO_TOKEN else (2 if second == NO_PAIR else 3)
        padding = width - frame - (end - first) - (second_end - second)
        place = 8 * width * row
        stop = place + 8 * width
        if is_left:
            place = _put(ids, types, mask, place, padding, pad_id, pad_type, 0)
        if before != NO_TOKEN:
            place = _put(ids, types, mask, place, 1, before, 0, 1)
        place = _copy_ids(ids, types, mask, place, firsts, first, end, 0)
        if behind != NO_TOKEN:
            place = _put(ids, types, mask, place, 1, behind, 0, 1)
        if second != NO_PAIR:
            place = _copy_ids(ids, types, mask, place, seconds, second, second_end, 1)
            if behind != NO_TOKEN:
                place = _put(ids, types, mask, place, 1, behind, 1, 1)
        if place < stop:
            _put(ids, types, mask, place, padding, pad_id, pad_type, 0)


@part
def _put(ids: int, types: int, mask: int, place: int, count: int, number: int, kind: int, is_token: int) -> int:
    """Writes the same token so many times; the place behind them."""
    for _ in range(count):
        put_int(ids + place, number)
        put_int(types + place, kind)
        put_int(mask + place, is_token)
        place += 8
    return place


@part
def _copy_ids(ids: int, types: int, mask: int, place: int, source: int, first: int, end: int, kind: int) -> int:
    """Writes the tokens of a sequence; the place behind them."""
    for token in range(first, end):
        put_int(ids + place, u32_at(source + ID * token))
        put_int(types + place, kind)
        put_int(mask + place, 1)
        place += 8
    return place
