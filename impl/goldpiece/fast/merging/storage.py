"""The arrays of a training as NumPy holds them: made, enlarged, and shown to kernels."""

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldpiece.fast.merging.arrays import BLOCK, NONE, PAIRS, TOTALS, USED, Arrays

Ints: TypeAlias = NDArray[Any]  # whole numbers; counts that 64 bits do not hold are objects

OF_SYMBOLS = ("singles", "as_first", "as_second", "ahead", "behind")
OF_PAIRS = ("first", "second", "counts", "start", "end", "next_first", "next_second", "scores")
WITHIN_CALL = ("begun", "renumbered")
ROOM = 2 * BLOCK  # of whatever grows: what a few words need
LISTS = ("as_first", "as_second", "ahead", "behind")  # of pairs, which are NONE at first; all else is 0


@dataclass(frozen=True, eq=False)
class Laid:
    """The words of a corpus as a row: symbols by number, with a gap in front of the first word and behind each."""

    symbols: Ints  # int32
    word: Ints  # int32: which one each place is of
    times: Ints  # how often the corpus has each word; int64, or objects if its symbols are 2^63 or more


def arrays_of(laid: Laid, symbols: int) -> Arrays:
    """What is known of a corpus of so many different symbols before its pairs are numbered."""
    size = len(laid.symbols)
    symbols += ROOM
    place = np.int32 if size < 2**31 else np.int64
    count = laid.times.dtype
    return Arrays(
        totals=np.zeros(TOTALS, np.int64),
        symbols=laid.symbols,
        following=np.arange(1, size + 1, dtype=place),
        before=np.arange(-1, size - 1, dtype=place),
        word=laid.word,
        pair=np.full(size, NONE, np.int32),
        times=laid.times,
        singles=np.zeros(symbols, count),
        as_first=np.full(symbols, NONE, np.int32),
        as_second=np.full(symbols, NONE, np.int32),
        ahead=np.full(symbols, NONE, np.int32),
        behind=np.full(symbols, NONE, np.int32),
        first=np.zeros(ROOM, np.int32),
        second=np.zeros(ROOM, np.int32),
        counts=np.zeros(ROOM, count),
        start=np.zeros(ROOM, np.int64),
        end=np.zeros(ROOM, np.int64),
        next_first=np.zeros(ROOM, np.int32),
        next_second=np.zeros(ROOM, np.int32),
        scores=np.zeros(ROOM),
        bounds=np.zeros(ROOM // BLOCK),
        places=np.zeros(ROOM, place),
        begun=np.zeros(ROOM, place),
        renumbered=np.zeros(ROOM, np.int32),
    )


def with_room(arrays: Arrays, *, pairs: int, places: int, begun: int = 0, symbols: int = 0) -> Arrays:
    """Arrays with room for so many pairs more at so many places, and for so many places begun and symbols in all."""
    all_pairs = int(arrays.totals[PAIRS]) + pairs
    needed = {
        **dict.fromkeys(WITHIN_CALL, begun),
        **dict.fromkeys(OF_SYMBOLS, symbols),
        **dict.fromkeys(OF_PAIRS, all_pairs),
        "bounds": all_pairs // BLOCK + 1,
        "places": int(arrays.totals[USED]) + places,
    }
    larger = {
        name: _enlarged(getattr(arrays, name), size, NONE if name in LISTS else 0)
        for name, size in needed.items()
        if size > len(getattr(arrays, name))
    }
    return arrays._replace(**larger)


def _enlarged(values: Ints, size: int, filling: int) -> Ints:
    more = max(size, len(values) * 3 // 2) - len(values)
    return np.concatenate((values, np.full(more, filling, values.dtype)))


def shown_to_python(arrays: Arrays) -> Arrays:
    """The same memory for kernels that are not compiled. Objects cannot be seen in this way, and stay in arrays."""
    return Arrays(*(each if each.dtype == object else memoryview(each) for each in arrays))
