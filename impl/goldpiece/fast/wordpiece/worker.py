"""What one thread encodes with: a state of its own, with buffers and a word cache."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldpiece.fast.wordpiece import kernels, layout
from goldpiece.fast.wordpiece.cache import ENTRY, FIRST_PLACE
from goldpiece.fast.wordpiece.memory import BLOCK
from goldpiece.fast.wordpiece.outputs import IDS, OUTPUTS, arrays_in, bytes_of
from goldpiece.fast.wordpiece.tables import Ints, Tables

FIRST_BITS = 16  # of the number of a slot in the first table of a cache: half of the slots are filled before it turns
LEAST_ROOM = 1 << 14  # bytes of a text that a new worker has room for
SEQUENCE = layout.SEQUENCE // 8
UTF8_BYTES = 4  # of a character at most

YOUNG = layout.TABLE, layout.ARENA, layout.POOL
OLD = layout.OLD_TABLE, layout.OLD_ARENA, layout.OLD_POOL


class Worker:
    """For one thread at a time."""

    def __init__(self, tables: Tables, cache_bytes: int) -> None:
        self._tables = tables
        self.state: Ints = np.zeros(layout.FIELDS, np.int64)
        self.address = self.state.ctypes.data
        self._buffers: dict[int, NDArray[np.generic]] = {}
        tables.fill(self.state)
        self._make_cache(cache_bytes)
        records = (layout.MOST_RECORDS + 2 * BLOCK) * layout.RECORD
        self._hold(layout.RECORDS, np.empty(records, np.uint8))
        self._seen, self._starts = np.zeros(layout.SEEN // 8, np.int64), np.zeros(2, np.int64)
        self.room = 0  # bytes of a text that the buffers have room for
        self.make_room(LEAST_ROOM)

    def make_room(self, size: int) -> None:
        """Has the buffers take a text of `size` bytes."""
        if size <= self.room:
            return
        self.room = size
        chars = size * self._tables.chars_growth
        normal = size * self._tables.bytes_growth
        self._hold(layout.TEXT, np.empty(size + 4 * BLOCK, np.uint8))
        self._hold(layout.NORMAL, np.empty(normal, np.uint8))
        self._hold(layout.SOURCES, np.empty(normal, np.uint32))
        self._hold(layout.PIECES, np.empty((chars, layout.PIECE // 4), np.uint32))
        self._hold(layout.STARTS, np.empty((size // BLOCK + 2, 2), np.int64))
        # The tokens of one text.
        names, self._tokens = list(OUTPUTS), chars + kernels.SLACK
        self._arrays = arrays_in(np.empty(self._tokens * bytes_of(names), np.uint8), self._tokens, names)
        self._addresses = [array.ctypes.data for array in self._arrays.values()]
        self._ids = self._addresses[0]

    def ids(self, text: str, before: int, behind: int) -> NDArray[np.int32] | None:
        """The ids of a text, framed by two unless these are NO_TOKEN; None where it is left to the reference."""
        count = kernels.encode_text(self.address, id(text), before, behind, self.room, self._ids)
        if count == kernels.TOO_LONG:
            self.make_room(UTF8_BYTES * len(text))
            count = kernels.encode_text(self.address, id(text), before, behind, self.room, self._ids)
        return self._arrays[IDS][:count].copy() if count >= 0 else None

    def tokens(self, text: str, before: int, behind: int) -> dict[str, NDArray[Any]] | None:
        """The same with all that is known of them, by the names that it has in Encodings."""
        texts, starts = self._seen.ctypes.data, self._starts.ctypes.data
        self.make_room(kernels.see_texts(id(row := (text,)), len(row), texts))
        self._seen[SEQUENCE] = 0
        self.write(texts, 0, len(row), (before, behind), self._tokens, starts, self._addresses)
        if self._seen[SEQUENCE] == kernels.LEFT:
            return None
        count = self._starts[-1]
        return {name: array[:count].copy() for name, array in self._arrays.items()}

    def write(
        self, texts: int, first: int, stop: int, frame: tuple[int, int], room: int, starts: int, out: Sequence[int]
    ) -> int:
        """See goldpiece.fast.wordpiece.kernels: `encode_texts` if there is one address to write to, else all."""
        self.state[layout.IDS_OUT : layout.IDS_OUT + len(out[:3])] = out[:3]
        about = self.address, texts, first, stop, *frame, self._tables.chars_growth, room, starts
        return kernels.encode_texts_with_all(*about, *out[3:]) if len(out) > 1 else kernels.encode_texts(*about)

    def _hold(self, place: int, buffer: NDArray[np.generic]) -> None:
        self._buffers[place] = buffer
        self.state[place] = buffer.ctypes.data

    @property
    def cache_bytes(self) -> int:
        """How many bytes both generations of the cache have room for."""
        return sum(self._buffers[place].nbytes for place in (*YOUNG, *OLD))

    def _make_cache(self, cache_bytes: int) -> None:
        """Two generations, which share the bytes: half for the tables, a quarter each for what is beside them."""
        bits = (cache_bytes // (4 * ENTRY)).bit_length() - 1
        first = min(FIRST_BITS, bits)
        side = cache_bytes // 8
        for table, arena, pool in (YOUNG, OLD):
            self._hold(table, np.empty(ENTRY << bits, np.uint8))
            self._hold(arena, np.empty(side, np.uint8))
            self._hold(pool, np.empty(side, np.uint8))
        self._buffers[layout.TABLE][: ENTRY << first] = 0xFF
        self.state[layout.SHIFT] = 64 - first
        self.state[layout.OLD_SHIFT] = 64
        self.state[layout.ARENA_USED] = FIRST_PLACE
        self.state[layout.LEAST_SHIFT] = 64 - bits
        self.state[layout.ARENA_SIZE] = self.state[layout.POOL_SIZE] = side
