"""Where tokens are written: arrays side by side in one block of memory, which serves again when nobody holds it.

    block    flat_ids │ flat_offsets │ flat_word_ids │ …       as much room as tokens are likely to need

Fresh memory is slow: a system hands it out in pages which it has to clear at the first touch, and that takes half as
long again as encoding. So a block comes back when the last array in it is gone, and what is encoded next is written
where its pages are at hand. Few blocks are kept, and none that is small, for which malloc does the same, or much too
large.
"""

from dataclasses import dataclass, field
from math import prod
from typing import Any
from weakref import finalize

import numpy as np
from numpy.typing import NDArray

# The arrays of Encodings: the kind of their numbers, and the shape of what each token has; the larger numbers first.
# The kernels know the first three by the state, in this order.
IDS = "flat_ids"
OUTPUTS: dict[str, tuple[type[np.generic], tuple[int, ...]]] = {
    IDS: (np.int32, ()),
    "flat_offsets": (np.int32, (2,)),
    "flat_word_ids": (np.int32, ()),
    "flat_type_ids": (np.int8, ()),
    "flat_sequence_ids": (np.int8, ()),
    "flat_special_tokens_mask": (np.int8, ()),
}

LEAST_KEPT, MOST_KEPT = 1 << 20, 1 << 26  # bytes of a block, and of all that wait
TOO_LARGE = 2  # times the bytes that are needed


@dataclass(eq=False)
class Blocks:
    """Blocks of memory that wait to be used again."""

    waiting: dict[int, NDArray[np.uint8]] = field(default_factory=dict)  # by their ids, who waits longest first

    def take(self, size: int) -> NDArray[np.uint8]:
        """A block of at least so many bytes. It comes back when it is gone, with all arrays that are parts of it."""
        if size < LEAST_KEPT:
            return np.empty(size, np.uint8)
        block = self._waiting_for(size)
        if block is None:
            block = np.empty(size, np.uint8)
        lent = np.frombuffer(block.data, np.uint8)  # an array of its own, whose end can be told
        finalize(lent, self._take_back, block).atexit = False
        return lent

    def _waiting_for(self, size: int) -> NDArray[np.uint8] | None:
        """One of the blocks that wait, which does so no longer. Of two threads only one gets it."""
        for name, block in list(self.waiting.items()):
            if size <= len(block) <= TOO_LARGE * size and self.waiting.pop(name, None) is not None:
                return block
        return None

    def _take_back(self, block: NDArray[np.uint8]) -> None:
        """Keeps a block, and lets those go that wait longest where that makes too much."""
        self.waiting[id(block)] = block
        for name in list(self.waiting):
            if sum(map(len, list(self.waiting.values()))) <= MOST_KEPT:
                break
            self.waiting.pop(name, None)


def arrays_in(block: NDArray[np.uint8], room: int, names: list[str]) -> dict[str, NDArray[Any]]:
    """The arrays of these names with room for so many tokens each, side by side in a block."""
    arrays, place = {}, 0
    for name in names:
        kind, shape = OUTPUTS[name]
        end = place + room * bytes_of([name])
        arrays[name] = block[place:end].view(kind).reshape(room, *shape)
        place = end
    return arrays


def bytes_of(names: list[str]) -> int:
    """How many bytes a token has in the arrays of these names."""
    return sum(np.dtype(kind).itemsize * prod(shape) for kind, shape in (OUTPUTS[name] for name in names))


def grown(array: NDArray[Any], room: int, count: int) -> NDArray[Any]:
    """A larger array with the first `count` entries of this one."""
    larger = np.empty((room, *array.shape[1:]), array.dtype)
    larger[:count] = array[:count]
    return larger
