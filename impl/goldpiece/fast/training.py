"""The loop of training without counting all again: after each merge only what it has changed is looked at.

All different words lie in one row of symbols, as numbers, with a gap between words. Each pair knows the places where it
begins; a merge visits those and no others, and what changes in the counts of the pairs beside them is added up as it
goes. Counts are Python's whole numbers, of any size.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import NamedTuple, TypeAlias

from goldpiece.errors import GoldpieceError
from goldpiece.reference.bpe import Pair
from goldpiece.reference.training import IDS, Part, Trainer

IdPair: TypeAlias = tuple[int, int]
Key: TypeAlias = tuple[int, ...]  # of what is merged first the lowest
GAP = -1  # a symbol that is none: what lies between words, and what has joined its left neighbour


class Corpus:
    """`parts` are symbols in a row, by number, and how often the corpus has them."""

    def __init__(self, parts: Iterable[tuple[Sequence[int], int]]) -> None:
        self._symbols: list[int] = [GAP]
        self._times: list[int] = [0]  # of the word of each place
        for symbols, times in parts:
            self._symbols += [*symbols, GAP]
            self._times += [times] * (len(symbols) + 1)
        count = len(self._symbols)
        self._following = list(range(1, count + 1))
        self._before = list(range(-1, count - 1))
        self.pairs: dict[IdPair, int] = {}  # how often each occurs; none that does not
        self.singles: defaultdict[int, int] = defaultdict(int)  # the same of symbols
        self.beside: defaultdict[int, set[IdPair]] = defaultdict(set)  # the pairs that a symbol is part of
        self._places: dict[IdPair, list[int]] = {}  # ascending; some where the pair is no more
        self._skipped: dict[IdPair, int] = {}  # how many places at the beginning of the list are known to be such
        for place in range(1, count - 1):
            if (first := self._symbols[place]) != GAP:
                self.singles[first] += self._times[place]
                if (second := self._symbols[place + 1]) != GAP:
                    self._add((first, second), place)
        # No symbol is more frequent than all are, n: fractions whose denominators are products of two frequencies, and
        # which differ, do so by n^-4 at least.
        self.bits = 4 * sum(self.singles.values()).bit_length()

    def first_place(self, pair: IdPair) -> int:
        """Where the corpus has a pair first. It has to occur."""
        places, skipped = self._places[pair], self._skipped.get(pair, 0)
        while not self._is_at(pair, places[skipped]):
            skipped += 1
        self._skipped[pair] = skipped
        return places[skipped]

    def merge(self, pair: IdPair, joined: int) -> set[IdPair]:
        """Joins the pair wherever it stands, from left to right. The pairs whose counts are others now."""
        changed: set[IdPair] = set()
        is_new = joined not in self.singles
        for place in self._places[pair]:
            if self._is_at(pair, place):
                self._join(place, joined, changed)
        if not is_new:  # its pairs may have places that the new ones come before
            for each in changed:
                if joined in each and each in self._places:
                    self._places[each].sort()
                    self._skipped[each] = 0
        return changed

    def _is_at(self, pair: IdPair, place: int) -> bool:
        symbols = self._symbols
        return symbols[place] == pair[0] and symbols[self._following[place]] == pair[1]

    def _join(self, place: int, joined: int, changed: set[IdPair]) -> None:
        symbols, times = self._symbols, self._times[place]
        gone = self._following[place]
        behind, before = self._following[gone], self._before[place]
        first, second, left, right = symbols[place], symbols[gone], symbols[before], symbols[behind]
        if left != GAP:
            self._take((left, first), times, changed)
        if right != GAP:
            self._take((second, right), times, changed)
        self._take((first, second), times, changed)
        self.singles[first] -= times
        self.singles[second] -= times
        self.singles[joined] += times
        symbols[place], symbols[gone] = joined, GAP
        self._following[place] = behind
        self._before[behind] = place
        if left != GAP:
            changed.add((left, joined))
            self._add((left, joined), before)
        if right != GAP:
            changed.add((joined, right))
            self._add((joined, right), place)

    def _add(self, pair: IdPair, place: int) -> None:
        if pair in self.pairs:
            self.pairs[pair] += self._times[place]
            self._places[pair].append(place)
        else:
            self.pairs[pair] = self._times[place]
            self._places[pair] = [place]
            self.beside[pair[0]].add(pair)
            self.beside[pair[1]].add(pair)

    def _take(self, pair: IdPair, times: int, changed: set[IdPair]) -> None:
        changed.add(pair)
        left = self.pairs[pair] - times
        if left:
            self.pairs[pair] = left
        else:
            del self.pairs[pair]
            self._places.pop(pair, None)
            self._skipped.pop(pair, None)
            self.beside[pair[0]].discard(pair)
            self.beside[pair[1]].discard(pair)


class Queue:
    """Pairs that wait to be merged, that of the lowest key first.

    A key that has risen in the meantime is noticed when its turn comes: the pair is put back under what it is now. One
    that has fallen has to be pushed again. `key` is None for a pair that is not to be merged.
    """

    def __init__(self, key: Callable[[IdPair], Key | None]) -> None:
        self._key = key
        self._heap: list[tuple[Key, IdPair]] = []
        self._waiting: dict[IdPair, Key] = {}  # under which key; others in the heap are past

    def push(self, pair: IdPair) -> None:
        """Lets a pair wait, unless it does so under a key as low."""
        key = self._key(pair)
        if key is not None and (pair not in self._waiting or key < self._waiting[pair]):
            self._waiting[pair] = key
            heappush(self._heap, (key, pair))

    def pop(self) -> IdPair | None:
        """The pair of the lowest key; None if none is left."""
        while self._heap:
            key, pair = heappop(self._heap)
            if self._waiting.get(pair) != key:
                continue
            del self._waiting[pair]
            if self._key(pair) == key:
                return pair
            self.push(pair)
        return None


class DoesNotFollow(GoldpieceError):
    """A merge to go on from that training on these words has not made."""

    def __init__(self, rank: int, pair: Pair) -> None:
        super().__init__(
            f"the merge of rank {rank}, of {pair[0]!r} and {pair[1]!r}, does not follow from the corpus and the merges "
            "before it: give those of training on the same corpus, or begin anew"
        )


class Step(NamedTuple):
    """A merge that was made."""

    pair: Pair
    occurrences: int  # of the pair, when it was merged


@dataclass(frozen=True)
class Training(Iterator[Step]):
    """Training under way: each merge is made when it is asked for. `tokens` are the entries so far."""

    size: int
    tokens: list[str]
    steps: Iterator[Step]

    def __next__(self) -> Step:
        return next(self.steps)


@dataclass(frozen=True)
class Incremental(Trainer):
    """A trainer whose merges look at no more of the corpus than they change."""

    def begin(self, words: Sequence[str], counts: Sequence[int], made: Sequence[Pair] = ()) -> Training:
        """Training on counts, step by step; what `made` names is merged first, as it was before.

        So it goes on where it was left, if corpus and parameters are the same. Raises what `train_from_counts` does;
        a step raises DoesNotFollow for a merge of `made` that cannot be.
        """
        tokens, parts = self._begun(words, counts)
        return Training(self.size, tokens, self._steps(tokens, parts, made))

    def _learn(self, tokens: list[str], parts: Sequence[Part]) -> tuple[list[Pair], list[int]]:
        """See the reference."""
        merges: list[Pair] = []
        counts: list[int] = []
        for pair, count in self._steps(tokens, parts, ()):
            merges.append(pair)
            counts.append(count)
        return merges, counts

    def _steps(self, tokens: list[str], parts: Sequence[Part], made: Sequence[Pair]) -> Iterator[Step]:
        """Each merge, as soon as it is made; `tokens` has grown by then."""
        ids = {token: number for number, token in enumerate(tokens)}
        corpus = Corpus(([ids[symbol] for symbol in symbols], times) for symbols, times in parts)
        for rank, pair in enumerate(made):
            again = ids.get(pair[0], GAP), ids.get(pair[1], GAP)
            if again not in corpus.pairs:
                raise DoesNotFollow(rank, pair)
            step = Step(pair, corpus.pairs[again])
            corpus.merge(again, self._number(pair, tokens, ids))
            yield step
        queue = Queue(lambda pair: self._key(pair, corpus, tokens))
        for waiting in corpus.pairs:
            queue.push(waiting)
        while len(tokens) < self.size and (best := queue.pop()):
            step = Step((tokens[best[0]], tokens[best[1]]), corpus.pairs[best])
            number = self._number(step.pair, tokens, ids)
            for changed in self._risen(best, number, corpus.merge(best, number), corpus):
                queue.push(changed)
            yield step

    def _number(self, pair: Pair, tokens: list[str], ids: dict[str, int]) -> int:
        """The id of what a merge makes, which becomes an entry if it is none."""
        joined = self._joined(pair)
        number = ids.setdefault(joined, len(tokens))
        if number == len(tokens):
            tokens.append(joined)
        return number

    def _key(self, pair: IdPair, corpus: Corpus, tokens: Sequence[str]) -> Key | None:
        if corpus.pairs.get(pair, 0) < self._floor or not self._may_be((tokens[pair[0]], tokens[pair[1]])):
            return None
        return (*self._rank(pair, corpus), *(pair if self.ties == IDS else (corpus.first_place(pair),)))

    def _rank(self, pair: IdPair, corpus: Corpus) -> Key:
        """The score of the reference, the other way round: what is merged first has the lowest."""
        return (-corpus.pairs[pair],)

    def _risen(self, merged: IdPair, joined: int, changed: set[IdPair], corpus: Corpus) -> Iterable[IdPair]:  # noqa: ARG002
        """The pairs that a merge may have brought forward: here those of what it made."""
        return (pair for pair in changed if joined in pair)
