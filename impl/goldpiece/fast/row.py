"""All words of a corpus in one row of numbers, and where each pair of neighbours stands in it.

Between words lies a gap. What a merge changes is found by the places of its pair, and no others are looked at. All of
it is flat arrays of whole numbers, so that a few calls of NumPy do the work of a merge, however many places it has, and
a compiled twin could share them.
"""

from array import array
from collections.abc import Iterable, Sequence
from operator import mul
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Numbers: TypeAlias = NDArray[Any]  # whole numbers; counts that 64 bits do not hold are objects
GAP = -1  # a symbol that is none: what lies between words, and what has joined its left neighbour
NONE = -1  # a pair that is none
ENOUGH = 2**63  # what counts of 64 bits stay under


class Changes(NamedTuple):
    """What a merge has changed, by the numbers of pairs."""

    fallen: Numbers  # those that occur less often than before, or are no more
    new: Numbers


class Row:
    """`words` are symbols in a row, by number, and how often the corpus has them; `symbols` says how many there are.

    A pair that occurs less often than `floor` is never merged, and its places are not kept: it cannot become more
    frequent unless one of its symbols is made again, and then all pairs of that are taken anew.
    """

    def __init__(self, words: Iterable[tuple[Sequence[int], int]], symbols: int, floor: int) -> None:
        row, lengths, times = array("i", [GAP]), array("q"), list[int]()
        for word, often in words:
            row.extend(word)
            row.append(GAP)
            lengths.append(len(word) + 1)
            times.append(often)
        kind = np.dtype(np.int64 if sum(map(mul, lengths, times)) < ENOUGH else object)
        size = len(row)
        number = np.dtype(np.int32 if size < 2**31 else np.int64)
        self.floor = floor
        self._symbols: Numbers = np.frombuffer(row, dtype=np.intc)
        self._following = np.arange(1, size + 1, dtype=number)
        self._before = np.arange(-1, size - 1, dtype=number)
        self._word = np.zeros(size, dtype=np.int32)  # which one each place is in
        self._word[1:] = np.repeat(np.arange(len(times), dtype=np.int32), lengths)
        self._times = np.array(times, dtype=kind)  # of each word
        self._pair = np.full(size, NONE, dtype=np.int32)  # which one begins at each place

        inside = np.flatnonzero(self._symbols != GAP)
        self.singles: Numbers = np.zeros(symbols, dtype=kind)  # how often each symbol occurs
        np.add.at(self.singles, self._symbols[inside], self._times[self._word[inside]])

        # Of each pair, by number:
        self.pairs = 0
        self.first: Numbers = np.zeros(0, dtype=np.int32)
        self.second: Numbers = np.zeros(0, dtype=np.int32)
        self.counts: Numbers = np.zeros(0, dtype=kind)  # how often it occurs
        self._start: Numbers = np.zeros(0, dtype=np.int64)  # where its places begin among all
        self._end: Numbers = np.zeros(0, dtype=np.int64)
        self._places: Numbers = np.zeros(0, dtype=number)  # of all, ascending for each; some where it is no more
        self._used = 0
        self._enter(inside[self._symbols[inside + 1] != GAP].astype(number))

    def live(self, pairs: Numbers) -> Numbers:
        """Those that are frequent enough to be merged."""
        found: Numbers = pairs[self.counts[pairs] >= self.floor]
        return found

    def find(self, first: int, second: int) -> int | None:
        """The number of a pair; None where it is not frequent enough."""
        found = self.live(np.flatnonzero((self.first[: self.pairs] == first) & (self.second[: self.pairs] == second)))
        return int(found[0]) if len(found) else None

    def first_place(self, pair: int) -> int:
        """Where the row has a pair first. It has to occur."""
        place, start = self._places, int(self._start[pair])
        while self._pair[place[start]] != pair:
            start += 1
        self._start[pair] = start
        return int(place[start])

    def word_at(self, place: int) -> list[int]:
        """The symbols of the word around a place that holds one of them, as they are now."""
        while self._symbols[self._before[place]] != GAP:
            place = self._before[place]
        found = []
        while self._symbols[place] != GAP:
            found.append(int(self._symbols[place]))
            place = self._following[place]
        return found

    def drop(self, pair: int) -> None:
        """Forgets a pair: it will not be merged."""
        places = self._places_of(pair)
        self._pair[places] = NONE
        self.counts[pair] = 0

    def merge(self, pair: int, joined: int) -> Changes:
        """Joins a pair wherever it stands, from left to right, to the symbol `joined`."""
        places = self._places_of(pair)
        if self.first[pair] == self.second[pair]:
            places = self._every_second(places)
        gone, before = self._following[places], self._before[places]
        behind = self._following[gone]
        left = self._symbols[before] != GAP
        left[1:] &= before[1:] != gone[:-1]  # else it has just been joined as well
        left_places = before[left]
        fallen = self._leave(np.concatenate((places, gone, left_places)))
        self._count_symbols(pair, joined, self._times[self._word[places]].sum())
        self._symbols[places], self._symbols[gone] = joined, GAP
        self._following[places], self._before[behind] = behind, places
        begun = np.concatenate((places[self._symbols[behind] != GAP], left_places))
        return Changes(fallen, self._enter(np.sort(begun)))

    def take_anew(self, symbol: int) -> Changes:
        """Counts the pairs of a symbol again: for one that has been made a second time, and may have more of them."""
        places = np.flatnonzero(self._symbols == symbol)
        begun = np.union1d(places, self._before[places])
        begun = begun[(self._symbols[begun] != GAP) & (self._symbols[self._following[begun]] != GAP)]
        return Changes(self._leave(begun), self._enter(begun))

    def _places_of(self, pair: int) -> Numbers:
        places = self._places[self._start[pair] : self._end[pair]]
        found: Numbers = places[self._pair[places] == pair]
        return found

    def _every_second(self, places: Numbers) -> Numbers:
        """Of places in a run, one behind the other, the first, the third, …"""
        begins = np.ones(len(places), dtype=bool)
        begins[1:] = self._following[places[:-1]] != places[1:]
        ordinal = np.arange(len(places))
        found: Numbers = places[(ordinal - np.maximum.accumulate(np.where(begins, ordinal, 0))) % 2 == 0]
        return found

    def _count_symbols(self, pair: int, joined: int, times: int) -> None:
        if joined >= len(self.singles):
            self.singles = with_room(self.singles, joined + 1)
        self.singles[self.first[pair]] -= times
        self.singles[self.second[pair]] -= times
        self.singles[joined] += times

    def _leave(self, places: Numbers) -> Numbers:
        """No pair begins at these places any more. Those that did; some stand twice."""
        known = places[self._pair[places] != NONE]
        pairs: Numbers = self._pair[known]
        np.subtract.at(self.counts, pairs, self._times[self._word[known]])
        self._pair[known] = NONE
        return pairs

    def _enter(self, places: Numbers) -> Numbers:
        """Numbers the pairs that begin at these places, which are ascending. The numbers; all are new."""
        keys = self._symbols[places].astype(np.int64) << 32 | self._symbols[self._following[places]]
        order = np.argsort(keys, kind="stable")
        places, keys = places[order], keys[order]
        begins = np.empty(len(keys), dtype=bool)
        begins[:1], begins[1:] = True, keys[1:] != keys[:-1]
        starts = begins.nonzero()[0]
        if not len(starts):
            return starts
        lengths = np.empty_like(starts)
        lengths[:-1], lengths[-1] = starts[1:] - starts[:-1], len(places) - starts[-1]
        counts = np.add.reduceat(self._times[self._word[places]], starts)
        kept = counts >= self.floor
        places, keys, lengths = places[np.repeat(kept, lengths)], keys[starts[kept]], lengths[kept]
        new = np.arange(self.pairs, self.pairs + len(keys))
        self._make_room(self.pairs + len(keys), self._used + len(places))
        self._pair[places] = np.repeat(new, lengths)
        self.first[new], self.second[new], self.counts[new] = keys >> 32, keys & 0xFFFF_FFFF, counts[kept]
        self._end[new] = self._used + np.cumsum(lengths)
        self._start[new] = self._end[new] - lengths
        self._places[self._used : self._used + len(places)] = places
        self.pairs += len(keys)
        self._used += len(places)
        return new

    def _make_room(self, pairs: int, places: int) -> None:
        self.first, self.second, self.counts, self._start, self._end = (
            with_room(each, pairs) for each in (self.first, self.second, self.counts, self._start, self._end)
        )
        self._places = with_room(self._places, places)


def with_room(values: Numbers, size: int) -> Numbers:
    """An array that begins with these and has at least so many places, and zeros behind them."""
    if size <= len(values):
        return values
    more = max(size, len(values) * 3 // 2) - len(values)
    return np.concatenate((values, np.zeros((more, *values.shape[1:]), dtype=values.dtype)))
