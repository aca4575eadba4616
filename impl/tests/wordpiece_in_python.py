"""Runs the kernels of the WordPiece path as Python, as they are and with one fault each, beside the reference.

Started with NUMBA_DISABLE_JIT=1 by test_fast_wordpiece.py, it prints as JSON the first text of each that differs, or
null: first of what must be right, then of what must not, of which some may end by a signal. A fault is put in wherever
a module knows the function, so that it is what a change of the source would be.
"""

import json
import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import product
from typing import Any, TypeAlias

import numpy as np

from goldpiece import Encodings, Tokenizer
from goldpiece.fast.wordpiece import cache, layout, match, memory, scan, strings, trie, utf8
from goldpiece.fast.wordpiece.twin import Twin

from .fuzz_wordpiece import LETTERS

PACKAGE = "goldpiece.fast.wordpiece"
TEXTS = [
    "The unaffable naïve, [MASK] don’t. e\u0301e\u0301 한国 a—b",
    *(f"{'x' * length}a {'x' * length}b, {'x' * length}a" for length in (7, 14, 15, 16, 17, 40, 62, 63, 64, 65)),
    *(f"a{'x' * length} b{'x' * length} a{'x' * length}" for length in (16, 20, 40)),
    *(f"{'é' * length}a. {'é' * length}b [SEP]" for length in (7, 8, 15, 31, 32, 40)),
    "a" * 63 + " b",
    "a" * 60 + "東 b" + " " * 70 + "c",
    "b a\0 a ab\0\0 ab " + "x" * 101,
    "a quick 𝔘 😀 é" + "é" * 20 + "b",
    "a東 " * 8,
]
FORGETFUL = "forgets at each text"  # of a mutant that shows only where generations turn


def compare(mutant: str) -> str | None:
    """The first text whose tokens differ, of each several times, so that its words are new at first and known then."""
    for clean, right_ones in RIGHT.items():
        twin = Twin(Tokenizer(LETTERS, clean_text=clean), True, 1 << 17)
        for text, right in [*right_ones, *right_ones[::-1]]:
            for with_all in (True, False, True):
                if FORGETFUL in mutant:
                    for worker in twin.engine.workers:
                        worker.state[layout.IS_FULL] = 1
                if not is_right(twin, text, right, with_all):
                    return text
    return None


def is_right(twin: Twin, text: str, right: Encodings, with_all: bool) -> bool:
    if not with_all:
        return twin.ids([text], None, True, "strict", 1).tolist() == right.ids
    ours = twin.encodings([text], None, True, "strict", 1)
    return all(np.array_equal(getattr(ours, name), getattr(right, name)) for name in COMPARED)


COMPARED = ("flat_ids", "flat_offsets", "flat_word_ids")
RIGHT = {
    clean: [(text, Tokenizer(LETTERS, clean_text=clean, engine="reference").encode_batch([text])) for text in TEXTS]
    for clean in (True, False)
}


@contextmanager
def replaced(changes: Mapping[Callable[..., Any], Callable[..., Any]]) -> Iterator[None]:
    """Each function by another, in all modules that know it."""
    modules = [module for name, module in sys.modules.items() if name.startswith(PACKAGE)]
    places = [
        (module, name, change)
        for module, change in product(modules, changes.items())
        for name, value in vars(module).items()
        if value is change[0]
    ]
    for module, name, (_, other) in places:
        setattr(module, name, other)
    try:
        yield
    finally:
        for module, name, (function, _) in places:
            setattr(module, name, function)


ZERO = np.uint64(0)


def one_hash(start: int, length: int) -> Any:
    """All longer words of one length have the same hash."""
    return ZERO, original_key_of_long(start, length)[1]


original_key_of_long, original_find, original_recall = cache.key_of_long, cache.find, cache.recall
original_key_masks, original_longest, original_chars = cache.key_masks, match.longest, utf8.chars_before
original_end_of_word, original_fill, original_narrow = scan.end_of_word, memory.fill, strings.narrow


def any_entry(slot: int, table: int, table_end: int, arena: int, record: int) -> int:
    """The first entry in the slot is that of the word."""
    found = original_find(slot, table, table_end, arena, record)
    return slot if memory.bits_at(slot + 8) != memory.ALL else found


def without_last_byte() -> Any:
    masks = original_key_masks()
    masks[16, 1] >>= np.uint64(8)
    return masks


def without_length() -> Any:
    masks = original_key_masks()
    masks[:, 2] = 0
    return masks


def shortest(trie_: int, node: int, normal: int, start: int, size: int) -> Any:
    for end in range(start + 1, size + 1):
        found = original_longest(trie_, node, normal, start, end)
        if found[1] > start:
            return found
    return 0, start


def ends_alike(one: int, other: int, length: int) -> bool:
    """Compares all of two words but their first eight bytes."""
    return bool(memory.bits_at(one + length - 8) == memory.bits_at(other + length - 8))


def begins_alike(one: int, other: int, length: int) -> bool:
    """Compares all of two words but their last byte."""
    return all(memory.byte_at(one + place) == memory.byte_at(other + place) for place in range(length - 1))


def blind(sees: int) -> Callable[..., Any]:
    """Tells of 16 characters which are beyond ASCII at most, and writes what is to be written."""

    def narrow(to: int, place: int, width: int) -> Any:
        return original_narrow(to, place, width)[0] if sees else ZERO, ZERO

    return narrow


def every_second_slot(to: int, value: int, count: int) -> None:
    """Empties every second slot of a table, and leaves what is in the others."""
    for slot in range(to + cache.ENTRY, to + count, 2 * cache.ENTRY):
        original_fill(slot, value, cache.ENTRY)


def recall_from_the_wrong_pool(state: int, record: int) -> int:
    """Takes the pieces of an old entry from where the young ones are."""
    with replaced({cache.from_pool: lambda _place, _pieces, count: count}):
        return original_recall(state, record)


Changes: TypeAlias = Mapping[Callable[..., Any], Callable[..., Any]]

RIGHT_ONES: Mapping[str, Changes] = {
    "the kernels as they are": {},
    f"the kernels as they are, one that {FORGETFUL}": {},
    "a hash of longer words that is always the same": {cache.key_of_long: one_hash},
    "a hash of short words that is always the same": {cache.hash_of_short: lambda *_: ZERO},
}
MUTANTS: Mapping[str, Changes] = {
    "a hash collision of short words taken for a hit": {cache.hash_of_short: lambda *_: ZERO, cache.find: any_entry},
    "a hash collision of longer words taken for a hit": {cache.key_of_long: one_hash, cache.is_same: lambda *_: True},
    "longer words compared by their ends": {cache.key_of_long: one_hash, cache.is_same: ends_alike},
    "longer words compared but for the last byte": {cache.key_of_long: one_hash, cache.is_same: begins_alike},
    f"an entry that survives its eviction: it {FORGETFUL}": {memory.fill: every_second_slot},
    f"pieces of an old entry taken from the young pool: it {FORGETFUL}": {cache.recall: recall_from_the_wrong_pool},
    "a word that fills a block ends with it": {scan.end_of_word: lambda _ascii, _classes, place, _end: place},
    "a word that fills a block ends a byte early": {scan.end_of_word: lambda *about: original_end_of_word(*about) - 1},
    "the byte 15 of a key is overlooked": {cache.key_masks: without_last_byte},
    "a key that does not tell the length": {cache.key_masks: without_length},
    "the shortest piece first": {match.longest: shortest},
    "offsets in bytes": {utf8.chars_before: lambda _, place: place},
    "a block counted twice": {utf8.chars_before: lambda starts, place: original_chars(starts, place) + (place >> 6)},
    "characters beyond ASCII cut to a byte": {strings.narrow: blind(0)},
    "characters of three bytes written in two": {strings.narrow: blind(1)},
    "added tokens as plain text": {scan.added_token: lambda *_: (0, 0, 0)},
    "pieces in an entry that do not lie side by side": {cache.fits_inline: lambda _, count: count <= cache.MOST_INLINE},
    "a child of another node": {trie.child: lambda trie_, node, byte: memory.u32_at(trie_ + trie.NODE * node) + byte},
}


def main() -> None:
    right = {name: outcome(name, changes) for name, changes in RIGHT_ONES.items()}
    wrong = {name: fate(name, changes) for name, changes in MUTANTS.items()}
    sys.stdout.write(json.dumps([right, wrong]))


def outcome(name: str, changes: Changes) -> str | None:
    with replaced(changes):
        return compare(name)


def fate(name: str, changes: Changes) -> str | None:
    """The same of a mutant, in a process of its own: it may look where there is no memory, which finds it out too."""
    reading, writing = os.pipe()
    if not (child := os.fork()):
        os.write(writing, json.dumps(outcome(name, changes)).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, encoding="ascii") as pipe:
        said = pipe.read()
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGSEGV, signal.SIGBUS):
        return f"ended by {signal.Signals(os.WTERMSIG(status)).name}"
    difference: str | None = json.loads(said)
    return difference


if __name__ == "__main__":
    main()
