"""Where Python meets the kernels: texts in batches, in parts for each thread at work."""

import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from ctypes import memmove
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldpiece.fast.wordpiece import kernels, layout
from goldpiece.fast.wordpiece.layout import SEEN
from goldpiece.fast.wordpiece.outputs import IDS, OUTPUTS, Blocks, arrays_in, bytes_of, grown
from goldpiece.fast.wordpiece.tables import MISSING, Ints, Tables
from goldpiece.fast.wordpiece.worker import Worker

PLACE, SEQUENCE, END = (place // 8 for place in (layout.PLACE, layout.SEQUENCE, layout.END))
LAST_SHARE = 0.97  # of the bytes of another part: who has the last looks at the texts before, and joins them behind
# How much room there is for tokens: so many for a byte at first, and then as many as there were in texts of so many
# bytes or more, and half as many again.
FIRST_TOKENS, TELLING, RESERVE = 0.3, 1 << 16, 1.5


@dataclass(frozen=True, eq=False)
class Found:
    """The tokens of texts, which lie end to end. Those of texts that were left to the reference are lacking."""

    arrays: dict[str, NDArray[Any]]  # by the names that they have in Encodings, one entry for each token
    starts: Ints  # (texts + 1,)
    left: list[int]  # the numbers of the texts that were left


class Engine:
    """Encodes texts by the kernels, with a worker for each thread at work."""

    def __init__(self, tables: Tables, cache_bytes: int) -> None:
        self._tables, self._cache_bytes, self._blocks = tables, cache_bytes, Blocks()
        # Those that are not at work. They are taken from the end and put back there, which no other thread can
        # interrupt: a thread finds the warmest cache, and one at work when the process forked is lacking in the child.
        self.workers: list[Worker] = []
        self._tokens_per_byte = FIRST_TOKENS
        self._pool = os.getpid(), 0, ThreadPoolExecutor(1)

    def _take(self) -> Worker:
        try:
            return self.workers.pop()
        except IndexError:
            return Worker(self._tables, self._cache_bytes)

    def ids_of_text(self, text: str, before: int, behind: int) -> NDArray[np.int32] | None:
        """The ids of one text, framed by two unless these are NO_TOKEN; None where it is left to the reference."""
        worker = self._take()
        ids = worker.ids(text, before, behind)
        self.workers.append(worker)
        if self._tables.lacks_unknown and ids is not None and MISSING in ids:
            return None
        return ids

    def tokens_of_text(self, text: str, before: int, behind: int) -> dict[str, NDArray[Any]] | None:
        """The same with all that is known of the tokens."""
        worker = self._take()
        arrays = worker.tokens(text, before, behind)
        self.workers.append(worker)
        if self._tables.lacks_unknown and arrays is not None and MISSING in arrays[IDS]:
            return None
        return arrays

    def encode(
        self,
        texts: Sequence[str],
        numbers: NDArray[np.uint8],
        frame: tuple[int, int],
        *,
        left: Sequence[int] = (),
        workers: int = 1,
        with_all: bool = False,
    ) -> Found:
        """The tokens of texts, of which `numbers` says which of its row each is: a row is framed by two ids, the second
        behind each text, unless these are NO_TOKEN. Those whose places are in `left` are left to the reference.
        """
        seen = _see(texts, numbers)
        if left:
            seen.table[left, PLACE] = 0
        names = list(OUTPUTS) if with_all else [IDS]
        parts = seen.parts(workers)
        rooms = [self._room(part) for part in parts]
        whole = arrays_in(self._blocks.take(sum(rooms) * bytes_of(names)), sum(rooms), names)
        starts = list(accumulate(rooms, initial=0))
        places = [{name: array[a:b] for name, array in whole.items()} for a, b in pairwise(starts)]
        crew = [self._take() for _ in parts][::-1]
        given = [(worker, part, frame, place) for worker, part, place in zip(crew, parts, places, strict=True)]
        # The last part is for this thread: it moves what it wrote itself, and may have made these texts just now.
        others = [self._helpers(len(parts) - 1).submit(self._encode_part, *each) for each in given[:-1]]
        last = self._encode_part(*given[-1])
        found = [*(each.result() for each in others), last]
        self.workers += crew  # in this order, so that each has the same part the next time, and words that it knows
        made = found[0] if len(found) == 1 else _joined(found, whole)
        if seen.bytes >= TELLING:
            self._tokens_per_byte = int(made.starts[-1]) / seen.bytes
        return made

    def _helpers(self, count: int) -> ThreadPoolExecutor:
        """At least so many threads beside the one that asks. They stay, for to start one takes as long as a text of
        30 kB; but the child of a fork has none of them.
        """
        process, known, pool = self._pool
        if process != os.getpid() or known < count:
            known = max(count, os.cpu_count() or 1)  # at most: they are started as they are needed
            pool = ThreadPoolExecutor(known, "goldpiece")
            self._pool = os.getpid(), known, pool  # the threads of the one before end when nobody needs them any more
        return pool

    def _room(self, texts: "Texts") -> int:
        """So many tokens as texts are likely to have after those before, and all that the longest of them may have."""
        likely = int(texts.bytes * self._tokens_per_byte * RESERVE)
        return likely + texts.longest * self._tables.chars_growth + kernels.SLACK

    def _encode_part(
        self, worker: Worker, texts: "Texts", frame: tuple[int, int], arrays: dict[str, NDArray[Any]]
    ) -> Found:
        """What one worker makes of texts, in these arrays or, where they are too small, in larger ones."""
        count, room, done = len(texts), len(arrays[IDS]), 0
        starts = np.zeros(count + 1, np.int64)
        worker.make_room(texts.longest)
        while True:
            out = [each.ctypes.data for each in arrays.values()]
            done = worker.write(texts.address, done, count, frame, room, starts.ctypes.data, out)
            if done == count:
                break
            room *= 2
            arrays = {name: grown(array, room, int(starts[done])) for name, array in arrays.items()}
        found = {name: array[: int(starts[-1])] for name, array in arrays.items()}
        left = set(np.flatnonzero(texts.table[:, SEQUENCE] == kernels.LEFT).tolist())
        if self._tables.lacks_unknown:
            places = np.flatnonzero(found[IDS] == MISSING)
            left.update((np.searchsorted(starts, places, side="right") - 1).tolist())
        return Found(found, starts, sorted(left))


@dataclass(frozen=True, eq=False)
class Texts:
    """Texts as the kernels see them."""

    objects: tuple[str, ...]  # which keep the characters where they are
    table: Ints  # (texts, fields): see goldpiece.fast.wordpiece.layout
    bytes: int  # of all of them at most,
    longest: int  # and of any

    def __len__(self) -> int:
        return len(self.table)

    @property
    def address(self) -> int:
        return self.table.ctypes.data

    def parts(self, count: int) -> list["Texts"]:
        """All of them in so many parts or fewer, each with about as many bytes, and the last with a little less."""
        if count <= 1 or not len(self):
            return [self]
        ends = self.table[:, END]
        shares = [self.bytes * part / (count - 1 + LAST_SHARE) for part in range(1, count)]
        borders = sorted({0, *np.searchsorted(ends, shares).tolist(), len(self)})
        before = {border: int(ends[border - 1]) if border else 0 for border in borders}
        return [
            Texts(self.objects, self.table[first:stop], before[stop] - before[first], self.longest)
            for first, stop in pairwise(borders)
        ]


def _see(texts: Sequence[str], numbers: NDArray[np.uint8]) -> Texts:
    """Looks at texts, of which `numbers` says which of its row each is."""
    objects, table = tuple(texts), np.empty((len(texts), SEEN // 8), np.int64)
    longest = kernels.see_texts(id(objects), len(objects), table.ctypes.data)
    table[:, SEQUENCE] = numbers
    return Texts(objects, table, int(table[-1, END]) if len(table) else 0, longest)


def _joined(parts: Sequence[Found], whole: Mapping[str, NDArray[Any]]) -> Found:
    """What was found of several parts of texts, as of all of them. It moves together in the arrays where it is."""
    texts = list(accumulate((len(part.starts) - 1 for part in parts), initial=0))
    tokens = list(accumulate((int(part.starts[-1]) for part in parts), initial=0))
    stayed = all(part.arrays[IDS].base is whole[IDS].base for part in parts)
    joined = {}
    for name, array in whole.items():
        pieces = [part.arrays[name] for part in parts]
        if stayed:
            for piece, start in zip(pieces, tokens, strict=False):
                memmove(array.ctypes.data + start * array.strides[0], piece.ctypes.data, piece.nbytes)
        joined[name] = array[: tokens[-1]] if stayed else np.concatenate(pieces)
    starts = np.zeros(texts[-1] + 1, np.int64)
    for part, first, before in zip(parts, texts, tokens, strict=False):
        np.add(part.starts[1:], before, out=starts[first + 1 : first + len(part.starts)])
    left = [first + text for part, first in zip(parts, texts, strict=False) for text in part.left]
    return Found(joined, starts, left)
