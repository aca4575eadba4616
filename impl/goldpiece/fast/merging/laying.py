"""The words of a corpus laid out in a row of numbers, by way of their characters."""

from collections.abc import Callable, Mapping
from operator import mul

import numpy as np

from goldpiece.fast.merging.arrays import GAP
from goldpiece.fast.merging.storage import Ints, Laid
from goldpiece.reference.training import Form

ENOUGH = 2**63  # what counts of 64 bits stay under


class Characters:
    """Those of all words, end to end; `marks` says of which of them the form is that with a mark.

    It is given how long each word is, of which none is empty, and gives a truth value for each character.
    """

    def __init__(self, corpus: Mapping[str, int], marks: Callable[[Ints], Ints]) -> None:
        self._times = list(corpus.values())
        self._lengths = np.fromiter(map(len, corpus), np.int64, len(corpus))
        points = np.frombuffer("".join(corpus).encode("utf-32-le", "surrogatepass"), "<u4")
        self._forms = points << 1 | marks(self._lengths)  # a number for each form, in their order
        self._end = int(self._forms.max(initial=0)) + 1

    def forms(self) -> dict[Form, int]:
        """The forms that there are, and the number of each."""
        is_met = np.zeros(self._end, bool)
        is_met[self._forms] = True
        return {(chr(number >> 1), bool(number & 1)): number for number in np.flatnonzero(is_met).tolist()}

    def counts(self) -> dict[str, int]:
        """How often the corpus has each character."""
        times = np.array(self._times, self._count)
        counts = np.zeros(self._end // 2 + 1, self._count)
        np.add.at(counts, self._forms >> 1, np.repeat(times, self._lengths))
        return {chr(point): int(counts[point]) for point in np.flatnonzero(counts).tolist()}

    def laid(self, symbols: Mapping[int, int], closing: int | None) -> Laid:
        """The row, with the symbol of each form by number; what has none parts words. `closing` ends each word."""
        table = np.full(self._end, GAP, np.int32)
        table[list(symbols)] = list(symbols.values())
        lengths = self._lengths + (1 if closing is None else 2)
        gaps = np.cumsum(lengths)
        row = np.full(int(lengths.sum()) + 1, GAP, np.int32)
        is_character = np.ones(len(row), bool)
        is_character[0] = is_character[gaps] = False
        if closing is not None:
            is_character[gaps - 1] = False
            row[gaps - 1] = closing
        row[is_character] = table[self._forms]
        word = np.zeros(len(row), np.int32)
        word[1:] = np.repeat(np.arange(len(lengths), dtype=np.int32), lengths)
        return Laid(row, word, np.array(self._times, self._count))

    @property
    def _count(self) -> np.dtype[np.generic]:
        """What counts of the corpus are: the number of its symbols, a mark for each word included, is the highest."""
        highest = sum(map(mul, (self._lengths + 1).tolist(), self._times))
        return np.dtype(np.int64 if highest < ENOUGH else object)
