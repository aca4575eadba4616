"""The vocabulary as a double array: a tree of bytes in which a step from node to node is one look.

    node        0     1     2     3     4     5     6          The children of a node lie `base` behind their bytes.
    base        1     3     .     .     .                      From `node`, the byte `b` leads to `base + b` if there
    check       -     0     1     1     0                      stands `node` in `check`; else nothing goes on with it.
    value             ·    id 7  id 2  id 5                    `value` is the id of what ends at the node, and 1.

The nodes of all parents lie in one another's gaps. Aoe, An Efficient Digital Search Algorithm by Using a Double-Array
Structure, 1989. A piece that continues a word is sought from the node that the prefix, such as ##, leads to.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from goldpiece.fast.wordpiece.compilation import kernel, part, rare
from goldpiece.fast.wordpiece.memory import byte_at, int_at, put_int, put_u32, u32_at

BASE, CHECK, VALUE, NODE = 0, 4, 8, 16  # where in a node they are, and bytes of a node
FREE, NOBODY = 0xFFFFFFFF, 0xFFFFFFFE  # in `check`: of no node, and of the root
ROOT = 0
STEP = 32  # bytes of an entry of the queue: a node, the entries below it, and how many bytes lead to it


@part
def child(trie: int, node: int, byte: int) -> int:
    """The node that a byte leads to; -1 if there is none."""
    found = u32_at(trie + NODE * node + BASE) + byte
    return found if u32_at(trie + NODE * found + CHECK) == node else -1


@part
def value(trie: int, node: int) -> int:
    """The id of what ends at a node, and 1; 0 if nothing does."""
    return u32_at(trie + NODE * node + VALUE)


def build(entries: Mapping[bytes, int]) -> NDArray[np.uint32]:
    """The double array of entries with their ids; an empty one is never found."""
    ordered = sorted(entry for entry in entries if entry)
    text = np.frombuffer(b"".join(ordered) + bytes(1), np.uint8)
    starts = np.cumsum([0, *map(len, ordered)], dtype=np.int64)
    ids = np.array([entries[entry] for entry in ordered], np.int64)
    queue = np.empty((len(text) + 1) * STEP // 8, np.int64)
    size = 2 * len(text) + 1024
    while True:
        trie = np.zeros((size, NODE // 4), np.uint32)
        trie[:, CHECK // 4] = FREE
        at = [each.ctypes.data for each in (text, starts, ids, queue, trie)]
        if _build(at[0], at[1], at[2], at[3], at[4], len(ordered), size):
            return trie
        size *= 2


def walk(trie: NDArray[np.uint32], spelling: bytes) -> int:
    """The node that a spelling leads to; one that nothing goes on from if there is none."""
    node = ROOT
    for byte in spelling:
        found = int(trie[node, BASE // 4]) + byte
        if trie[found, CHECK // 4] != node:
            return len(trie) - 1
        node = found
    return node


@kernel()
def _build(text: int, starts: int, ids: int, queue: int, trie: int, count: int, size: int) -> bool:
    """Lays out the tree of sorted entries, from the root on level by level. False if `size` nodes do not suffice."""
    put_u32(trie + CHECK, NOBODY)
    _push(queue, ROOT, 0, count, 0)
    free = gaps = 256  # where a place for one child is sought, and one for several; a base is never below 1
    done, waiting = queue, queue + STEP
    while done < waiting:
        node, entry, stop, depth = int_at(done), int_at(done + 8), int_at(done + 16), int_at(done + 24)
        done += STEP
        if int_at(starts + 8 * entry + 8) - int_at(starts + 8 * entry) == depth:
            put_u32(trie + NODE * node + VALUE, int_at(ids + 8 * entry) + 1)
            entry += 1
        children = waiting
        while entry < stop:
            byte, first = _byte(text, starts, entry, depth), entry
            while entry < stop and _byte(text, starts, entry, depth) == byte:
                entry += 1
            _push(waiting, byte, first, entry, depth + 1)
            waiting += STEP
        if children == waiting:
            continue
        while u32_at(trie + NODE * free + CHECK) != FREE:
            free += 1
        is_one = waiting == children + STEP
        base = _fitting(trie, children, waiting, free if is_one else max(free, gaps), size)
        if base < 0:
            return False
        if not is_one:
            gaps = base + int_at(children)  # to look through the gaps before it each time would take longest of all
        put_u32(trie + NODE * node + BASE, base)
        while children < waiting:
            place = base + int_at(children)
            put_u32(trie + NODE * place + CHECK, node)
            put_int(children, place)
            children += STEP
    return True


@rare
def _fitting(trie: int, children: int, end: int, free: int, size: int) -> int:
    """The first base at which all children of a node find free places; -1 if that is beyond `size`."""
    first = int_at(children)
    place = free
    while place + 256 < size:
        child_ = children
        while child_ < end and u32_at(trie + NODE * (place - first + int_at(child_)) + CHECK) == FREE:
            child_ += STEP
        if child_ == end:
            return place - first
        place += 1
    return -1


@part
def _byte(text: int, starts: int, entry: int, depth: int) -> int:
    return byte_at(text + int_at(starts + 8 * entry) + depth)


@part
def _push(step: int, node: int, entry: int, stop: int, depth: int) -> None:
    put_int(step, node)
    put_int(step + 8, entry)
    put_int(step + 16, stop)
    put_int(step + 24, depth)
