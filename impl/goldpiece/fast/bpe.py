"""BPE without looking at the whole word again after each merge: the efficient twin of goldpiece.reference.bpe.

Pairs wait in a heap, by rank and place, and symbols are a linked list: a word of n symbols makes no more than 3n
look-ups of pairs, and no more than 3n pairs pass through the heap. (Under dropout every pair that could be merged is
drawn for at each merge, by definition: that stays quadratic.)
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property, lru_cache
from heapq import heapify, heappop, heappush
from itertools import pairwise
from random import Random

from goldpiece.reference import bpe
from goldpiece.reference.bpe import Merge, Symbol

LONGEST = 48  # characters of a word whose pieces are kept
KEPT = 1 << 15  # words, so that the cache stays within some megabytes whatever texts hold


@dataclass(frozen=True)
class BPE(bpe.BPE):
    """See goldpiece.reference.bpe.BPE: the same, equal by test on all that the laws draw."""

    def tokenize(self, word: str) -> tuple[list[str], list[tuple[int, int]]]:
        """See the reference."""
        symbols = self._merged(word) if len(word) > LONGEST or self.dropout else self._kept(word)
        return [text for text, _, _ in symbols], [(start, end) for _, start, end in symbols]

    def merges_made(self, word: str) -> list[Merge]:
        """See the reference."""
        made: list[Merge] = []
        self._merged(word, made)
        return made

    def __getstate__(self) -> Mapping[str, object]:
        """What is pickled: the fields, since the cache cannot be, and all else follows from them."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @cached_property
    def _kept(self) -> Callable[[str], Sequence[Symbol]]:
        """The pieces of a word, remembered if it comes again."""
        return lru_cache(KEPT)(self._merged)

    def _merged(self, word: str, made: list[Merge] | None = None) -> Sequence[Symbol]:
        """The pieces of a word. What each merge makes is put into `made`, where that is asked for."""
        if self.ignore_merges and word in self._entries:
            return [Symbol(word, 0, len(word))]
        symbols = self._symbols(word)
        ranks = [*map(self._ranks.get, pairwise([symbol.text for symbol in symbols]))]
        if ranks.count(None) == len(ranks):  # as in a word of one letter: most of the work would be for nothing
            return symbols
        return _Merging(symbols, ranks, self._ranks.get, made).run(self._passes_over(word))

    def _passes_over(self, word: str) -> Callable[[], bool] | None:
        """Draws whether a merge is passed over; None if none ever is."""
        if not self.dropout:
            return None
        dropout, draws = self.dropout, Random(f"{self.seed} {word}".encode("utf-8", "surrogatepass"))
        return lambda: draws.random() < dropout


class _Merging:
    """The symbols of one word as a linked list. A symbol that has joined its left neighbour is out of it."""

    def __init__(
        self,
        symbols: Sequence[Symbol],
        ranks: Sequence[int | None],
        rank_of: Callable[[tuple[str, str]], int | None],
        made: list[Merge] | None,
    ) -> None:
        count = len(symbols)
        self.texts = [symbol.text for symbol in symbols]
        self.starts = [symbol.start for symbol in symbols]
        self.ends = [symbol.end for symbol in symbols]
        self.following = [*range(1, count), -1]
        self.before = list(range(-1, count - 1))
        self.rank_of = rank_of
        self.made = made
        # The rank of the pair that begins at each place; a pair in the heap of another rank is a pair no more.
        self.ranks = [*ranks, None]
        self.heap = [(rank, place) for place, rank in enumerate(self.ranks) if rank is not None]
        heapify(self.heap)

    def run(self, passes_over: Callable[[], bool] | None) -> list[Symbol]:
        """Merges until nothing is left to merge; what the word has become."""
        passed: list[tuple[int, int]] = []  # over at this merge
        while self.heap:
            rank, place = heappop(self.heap)
            if self.ranks[place] != rank:
                continue
            if passes_over is not None and passes_over():
                passed.append((rank, place))
                continue
            self._join(place)
            for pair in passed:
                heappush(self.heap, pair)
            passed.clear()
        return self._left()

    def _join(self, place: int) -> None:
        """The symbol at `place` takes up the one behind it."""
        gone = self.following[place]
        behind = self.following[gone]
        self.texts[place] += self.texts[gone]
        if self.made is not None:
            self.made.append(Merge(self.texts[place], self.starts[place], self.ends[place], self.ends[gone]))
        self.ends[place] = self.ends[gone]
        self.following[place] = behind
        self.ranks[gone] = None
        if behind >= 0:
            self.before[behind] = place
        self._look(place)
        if (left := self.before[place]) >= 0:
            self._look(left)

    def _look(self, place: int) -> None:
        """Notes the rank of the pair that begins at `place` now."""
        behind = self.following[place]
        rank = self.rank_of((self.texts[place], self.texts[behind])) if behind >= 0 else None
        self.ranks[place] = rank
        if rank is not None:
            heappush(self.heap, (rank, place))

    def _left(self) -> list[Symbol]:
        symbols: list[Symbol] = []
        place = 0
        while place >= 0:
            symbols.append(Symbol(self.texts[place], self.starts[place], self.ends[place]))
            place = self.following[place]
        return symbols
