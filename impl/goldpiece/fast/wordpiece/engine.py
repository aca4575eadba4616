"""Where Python meets the kernels: the tables of a tokenizer, a worker for each thread at work, and texts in batches."""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from ctypes import memmove
from dataclasses import dataclass, fields
from itertools import pairwise, repeat
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldpiece.fast.wordpiece import kernels, layout, trie
from goldpiece.fast.wordpiece.cache import ENTRY, FIRST_PLACE, key_masks
from goldpiece.fast.wordpiece.characters import ALONE, POINTS, character_tables
from goldpiece.fast.wordpiece.memory import BLOCK
from goldpiece.reference.normalizer import Normalizer

Ints: TypeAlias = NDArray[np.int64]

LEAST_BITS = 10  # of the number of a slot, in the first table of a cache: twice as many as are filled between turns
LEAST_ROOM = 1 << 14  # bytes of a text that a new worker has room for
MISSING = (1 << 29) - 1  # stands for the unknown token where the vocabulary has none
ASCII_SPACES = b" \t\n\r"

YOUNG = layout.TABLE, layout.ARENA, layout.POOL
OLD = layout.OLD_TABLE, layout.OLD_ARENA, layout.OLD_POOL

IDS = "flat_ids"
# The arrays of Encodings: the kind of their numbers, and the shape of what each token has. The kernels know the first
# three by the state, in this order.
OUTPUTS: dict[str, tuple[type[np.generic], tuple[int, ...]]] = {
    IDS: (np.int32, ()),
    "flat_offsets": (np.int32, (2,)),
    "flat_word_ids": (np.int32, ()),
    "flat_type_ids": (np.int8, ()),
    "flat_sequence_ids": (np.int8, ()),
    "flat_special_tokens_mask": (np.int8, ()),
}


class Tables:
    """What the kernels know of a tokenizer: arrays that nothing changes."""

    def __init__(
        self,
        normalizer: Normalizer,
        ids: dict[str, int],
        unknown: int | None,
        prefix: str,
        most_chars: int,
        added: dict[str, int],
    ) -> None:
        chars = character_tables(normalizer)
        encoded = {entry.encode("utf-8", "surrogatepass"): number for entry, number in ids.items()}
        self.lacks_unknown = unknown is None
        self.unknown = MISSING if unknown is None else unknown
        self.bytes_growth, self.chars_growth = chars.bytes_growth, chars.chars_growth
        alone = np.zeros(POINTS, np.uint32)
        alone[chars.alone] = self.unknown + 1
        if most_chars >= 1:
            by_char = {entry: number for entry, number in ids.items() if len(entry) == 1}
            for entry, number in by_char.items():
                if chars.classes[ord(entry)] == ALONE and ord(entry) not in chars.written:
                    alone[ord(entry)] = number + 1
            for point, word in chars.written.items():
                alone[point] = by_char.get(word, self.unknown) + 1
        self._ids = trie.build(encoded)
        self._added = trie.build({token.encode(): number for token, number in added.items()})
        firsts = {ord(token[0]) for token in added}
        self._arrays: dict[int, NDArray[np.generic]] = {
            layout.CLASSES: chars.classes,
            layout.FORMS: chars.forms,
            layout.FORM_BYTES: chars.form_bytes,
            layout.ALONE_IDS: alone,
            layout.ASCII: ascii_table(alone, firsts),
            layout.KEYS: key_masks(),
            layout.TRIE: self._ids,
            layout.ADDED: self._added,
        }
        self._numbers = {
            layout.CONTINUATION: trie.walk(self._ids, prefix.encode("utf-8", "surrogatepass")),
            layout.UNKNOWN: self.unknown,
            layout.MOST_CHARS: max(-1, min(most_chars, 1 << 62)),
        }

    def fill(self, state: Ints) -> None:
        """Puts the addresses of the tables into the state of a worker, which must not outlive them."""
        for place, array in self._arrays.items():
            state[place] = array.ctypes.data
        for place, number in self._numbers.items():
            state[place] = number


def ascii_table(alone: NDArray[np.uint32], firsts: set[int]) -> NDArray[np.uint32]:
    """See goldpiece.fast.wordpiece.layout; `firsts` are the first characters of added tokens."""
    table = np.zeros(256, np.uint32)
    for byte in range(0x21, 0x7F):
        if not chr(byte).isalnum():
            table[byte] = int(alone[byte]) << layout.TAIL_SHIFT | (layout.MAY_BEGIN if byte in firsts else 0)
    for byte in ASCII_SPACES:
        table[byte] = layout.IS_SPACE
    return table


class Worker:
    """A state with buffers and a word cache of its own, for one thread at a time."""

    def __init__(self, tables: Tables, cache_bytes: int) -> None:
        self._tables = tables
        self.state: Ints = np.zeros(layout.FIELDS, np.int64)
        self.address = self.state.ctypes.data
        self._buffers: dict[int, NDArray[np.generic]] = {}
        tables.fill(self.state)
        self._make_cache(cache_bytes)
        records = (layout.MOST_RECORDS + 2 * BLOCK) * layout.RECORD
        self._hold(layout.RECORDS, np.empty(records, np.uint8))
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
        self.one_text = np.empty(chars + kernels.SLACK, np.int32)  # the ids of one text
        self.one_address = self.one_text.ctypes.data

    def _hold(self, place: int, buffer: NDArray[np.generic]) -> None:
        self._buffers[place] = buffer
        self.state[place] = buffer.ctypes.data

    @property
    def cache_bytes(self) -> int:
        """How many bytes both generations of the cache have room for."""
        return sum(self._buffers[place].nbytes for place in (*YOUNG, *OLD))

    def _make_cache(self, cache_bytes: int) -> None:
        """Two generations, which share the bytes: half for the tables, a quarter each for what is beside them."""
        bits = max(LEAST_BITS, (cache_bytes // (4 * ENTRY)).bit_length() - 1)
        side = cache_bytes // 8
        for table, arena, pool in (YOUNG, OLD):
            self._hold(table, np.empty(ENTRY << bits, np.uint8))
            self._hold(arena, np.empty(side, np.uint8))
            self._hold(pool, np.empty(side, np.uint8))
        self._buffers[layout.TABLE][: ENTRY << LEAST_BITS] = 0xFF
        self.state[layout.SHIFT] = 64 - LEAST_BITS
        self.state[layout.OLD_SHIFT] = 64
        self.state[layout.ARENA_USED] = FIRST_PLACE
        self.state[layout.LEAST_SHIFT] = 64 - bits
        self.state[layout.ARENA_SIZE] = self.state[layout.POOL_SIZE] = side


@dataclass(frozen=True, eq=False)
class Found:
    """The tokens of texts, which lie end to end. Those of texts that were left to the reference are lacking."""

    arrays: dict[str, NDArray[Any]]  # by the names that they have in Encodings, one entry for each token
    starts: Ints  # (texts + 1,)
    left: list[int]  # the numbers of the texts that were left


@dataclass(frozen=True, eq=False)
class Texts:
    """Texts as the kernels see them, and whether each is the first of its row or the second."""

    objects: NDArray[np.object_]  # which keep the UTF-8 where it is
    places: Ints
    sizes: Ints
    numbers: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.numbers)

    def part(self, first: int, stop: int) -> "Texts":
        """Some of them, side by side."""
        return Texts(*(getattr(self, each.name)[first:stop] for each in fields(self)))

    def parts(self, count: int) -> list["Texts"]:
        """All of them in so many parts or fewer, each with about as many bytes."""
        ends = np.cumsum(self.sizes)
        total = int(ends[-1]) if len(ends) else 0
        borders = [int(np.searchsorted(ends, total * number / count)) for number in range(1, count)]
        return [self.part(*each) for each in pairwise([0, *borders, len(self)])]


class Engine:
    """Encodes texts by the kernels, with a worker for each thread at work."""

    def __init__(self, tables: Tables, cache_bytes: int) -> None:
        self._tables, self._cache_bytes = tables, cache_bytes
        # Those that are not at work. They are taken from the end and put back there, which no other thread can
        # interrupt: a thread finds the warmest cache, and one at work when the process forked is lacking in the child.
        self.workers: list[Worker] = []

    def _take(self) -> Worker:
        try:
            return self.workers.pop()
        except IndexError:
            return Worker(self._tables, self._cache_bytes)

    def ids_of_text(self, text: str, before: int, behind: int) -> NDArray[np.int32] | None:
        """The ids of one text, framed by two unless these are NO_TOKEN; None where it is left to the reference."""
        worker = self._take()
        count = kernels.encode_text(worker.address, id(text), before, behind, worker.one_address, worker.room)
        if count == kernels.TOO_LONG:
            worker.make_room(int(worker.state[layout.SIZE]))
            count = kernels.encode_text(worker.address, id(text), before, behind, worker.one_address, worker.room)
        ids = worker.one_text[:count].copy() if count >= 0 else None
        self.workers.append(worker)
        if ids is not None and self._tables.lacks_unknown and MISSING in ids:
            return None
        return ids

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
        seen = self._see(texts, numbers)
        seen.places[left] = 0
        names = list(OUTPUTS) if with_all else [IDS]
        parts = seen.parts(workers) if workers > 1 else [seen]
        rooms = [self._room(part) for part in parts]
        whole = {name: np.empty((sum(rooms), *OUTPUTS[name][1]), OUTPUTS[name][0]) for name in names}
        starts = np.cumsum([0, *rooms]).tolist()
        places = [{name: array[a:b] for name, array in whole.items()} for a, b in pairwise(starts)]
        if len(parts) == 1:
            return self._encode_part(seen, frame, places[0])
        with ThreadPoolExecutor(len(parts)) as pool:
            return _joined(list(pool.map(self._encode_part, parts, repeat(frame), places)), places, whole)

    def _room(self, texts: Texts) -> int:
        """So many tokens as texts are likely to have, and all that the longest of them may have."""
        longest = int(texts.sizes.max(initial=0))
        return int(texts.sizes.sum()) // 2 + longest * self._tables.chars_growth + kernels.SLACK

    def _see(self, texts: Sequence[str], numbers: NDArray[np.uint8]) -> Texts:
        count = len(texts)
        objects = np.fromiter(texts, object, count)
        seen = Texts(objects, np.empty(count, np.int64), np.empty(count, np.int64), numbers.copy())
        worker = self._take()
        addresses = (each.ctypes.data for each in (seen.places, seen.sizes))
        kernels.find_texts(worker.address, objects.ctypes.data, count, *addresses)
        self.workers.append(worker)
        return seen

    def _encode_part(self, texts: Texts, frame: tuple[int, int], arrays: dict[str, NDArray[Any]]) -> Found:
        """What one worker makes of texts, in these arrays or, where they are too small, in larger ones."""
        worker, count, growth = self._take(), len(texts), self._tables.chars_growth
        worker.make_room(int(texts.sizes.max(initial=0)))
        starts, done = np.zeros(count + 1, np.int64), 0
        given = [each.ctypes.data for each in (texts.places, texts.sizes, texts.numbers)]
        room = len(arrays[IDS])
        while True:
            out = [each.ctypes.data for each in arrays.values()]
            worker.state[layout.IDS_OUT : layout.IDS_OUT + len(out[:3])] = out[:3]
            about = (worker.address, *given, done, count, *frame, growth, room, starts.ctypes.data)
            done = kernels.encode_texts_with_all(*about, *out[3:]) if len(out) > 1 else kernels.encode_texts(*about)
            if done == count:
                break
            room *= 2
            arrays = {name: _grown(array, room, int(starts[done])) for name, array in arrays.items()}
        self.workers.append(worker)
        found = {name: array[: int(starts[-1])] for name, array in arrays.items()}
        left = set(np.flatnonzero(texts.numbers == kernels.LEFT).tolist())
        if self._tables.lacks_unknown:
            places = np.flatnonzero(found[IDS] == MISSING)
            left.update((np.searchsorted(starts, places, side="right") - 1).tolist())
        return Found(found, starts, sorted(left))


def _grown(array: NDArray[Any], room: int, count: int) -> NDArray[Any]:
    """A larger array with the first `count` entries of this one."""
    larger = np.empty((room, *array.shape[1:]), array.dtype)
    larger[:count] = array[:count]
    return larger


def _joined(
    parts: Sequence[Found], places: Sequence[Mapping[str, NDArray[Any]]], whole: Mapping[str, NDArray[Any]]
) -> Found:
    """What was found of several parts of texts, as of all of them. It moves together in the arrays where it is."""
    texts = np.cumsum([0, *(len(part.starts) - 1 for part in parts)])
    tokens = np.cumsum([0, *(int(part.starts[-1]) for part in parts)]).tolist()
    stayed = all(part.arrays[IDS].base is place[IDS].base for part, place in zip(parts, places, strict=True))
    joined = {}
    for name, array in whole.items():
        pieces = [part.arrays[name] for part in parts]
        if stayed:
            for piece, start in zip(pieces, tokens, strict=False):
                memmove(array.ctypes.data + start * array.strides[0], piece.ctypes.data, piece.nbytes)
        joined[name] = array[: tokens[-1]] if stayed else np.concatenate(pieces)
    starts = [part.starts[1:] + before for part, before in zip(parts, tokens, strict=False)]
    left = [int(before) + text for part, before in zip(parts, texts, strict=False) for text in part.left]
    return Found(joined, np.concatenate([np.zeros(1, np.int64), *starts]), left)
