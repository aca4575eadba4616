"""The loop of training without counting all again: after each merge only what it has changed is looked at."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, Protocol

import numpy as np

from goldpiece.errors import GoldpieceError
from goldpiece.fast.ranking import Ranking
from goldpiece.fast.row import Changes, Numbers, Row
from goldpiece.reference.bpe import Pair
from goldpiece.reference.training import FIRST_SEEN, Trained, Trainer


class MergeDoesNotFit(GoldpieceError):
    """A merge that is said to be made already, and that the corpus does not have."""

    def __init__(self, rank: int, pair: Pair) -> None:
        super().__init__(
            f"the merge of rank {rank}, {pair[0]!r} + {pair[1]!r}, is none that training on these words can have made: "
            "go on with the same words and parameters, or begin anew"
        )


class Merge(NamedTuple):
    """A merge, and how often its pair and both parts occurred right before."""

    rank: int
    pair: Pair
    joined: str
    of_pair: int
    of_first: int
    of_second: int
    place: int  # in the corpus, of the first of them; see Merging.word_at


class Rule(Protocol):
    """What decides which pair of a row is merged."""

    def scores(self, pairs: Numbers) -> Numbers:
        """The higher, the sooner a pair is merged; right to within what Ranking calls close."""

    def highest(self, pairs: Numbers) -> Numbers:
        """Of some pairs those that are exactly as good as the best."""

    def touched(self, pair: int, changes: Changes) -> Numbers:
        """The pairs whose scores a merge may have changed, and those that are new."""

    def score_of(self, merge: Merge) -> Fraction:
        """The score that a merge had, exactly."""


class Frequency:
    """The most frequent pair is merged."""

    def __init__(self, row: Row) -> None:
        self._row = row

    def scores(self, pairs: Numbers) -> Numbers:
        scores: Numbers = self._row.counts[pairs].astype(np.float64)
        return scores

    def highest(self, pairs: Numbers) -> Numbers:
        counts = self._row.counts[pairs]
        found: Numbers = pairs[counts == counts.max()]
        return found

    def touched(self, pair: int, changes: Changes) -> Numbers:  # noqa: ARG002
        return np.concatenate(changes)

    def score_of(self, merge: Merge) -> Fraction:
        return Fraction(merge.of_pair)


@dataclass(frozen=True)
class Incremental(Trainer):
    """A trainer whose merges look at no more of the corpus than they change."""

    def train_from_counts(self, words: Sequence[str], counts: Sequence[int]) -> Trained:
        """See the reference."""
        merging = self.merging(words, counts)
        for _ in merging:
            pass
        return merging.trained

    def merging(self, words: Sequence[str], counts: Sequence[int], begun: Iterable[Pair] = ()) -> "Merging":
        """The same merge by merge, so that something may be done in between; those of `begun` are made at once.

        Raises CountsDoNotFit and NoRoom, and MergeDoesNotFit.
        """
        tokens, parts = self._begin(words, counts)
        ids = {token: number for number, token in enumerate(tokens)}
        rows = (([ids[symbol] for symbol in symbols], times) for symbols, times in parts)
        row = Row(rows, len(tokens), self._floor)
        merging = Merging(
            tokens, row, self._rule(row), size=self.size, ties=self.ties, joined=self._joined, may_be=self._may_be
        )
        for pair in begun:
            merging.make(pair)
        return merging

    def _rule(self, row: Row) -> Rule:
        return Frequency(row)


class Merging(Iterator[Merge]):
    """Training under way. Each step makes a merge; it ends where there are `size` tokens, or no pair is left."""

    def __init__(
        self,
        tokens: list[str],
        row: Row,
        rule: Rule,
        *,
        size: int,
        ties: str,
        joined: Callable[[Pair], str],
        may_be: Callable[[Pair], bool],
    ) -> None:
        self.tokens = tokens
        self.merges: list[Pair] = []
        self.counts: list[int] = []
        self._ids = {token: number for number, token in enumerate(tokens)}
        self._row, self._rule, self._ranking = row, rule, Ranking()
        self._size, self._ties, self._joined, self._may_be = size, ties, joined, may_be
        self._rank(np.arange(row.pairs))

    @property
    def trained(self) -> Trained:
        """What has been learnt so far."""
        return Trained(self.tokens, self.merges, self.counts, self._size - len(self.tokens))

    def __next__(self) -> Merge:
        if len(self.tokens) >= self._size or (pair := self._best()) is None:
            raise StopIteration
        return self._make(pair)

    def make(self, pair: Pair) -> Merge:
        """Makes a merge without asking whether it is the best. Raises MergeDoesNotFit."""
        first, second = map(self._ids.get, pair)
        found = None if first is None or second is None else self._row.find(first, second)
        if found is None or len(self.tokens) >= self._size:
            raise MergeDoesNotFit(len(self.merges), pair)
        return self._make(found)

    def score_of(self, merge: Merge) -> Fraction:
        """The score for which a merge was made: how often its pair occurred, or its likelihood."""
        return self._rule.score_of(merge)

    def word_of(self, merge: Merge) -> list[str]:
        """The symbols of the first word that a merge has changed, as they are now."""
        return [self.tokens[symbol] for symbol in self._row.word_at(merge.place)]

    def _best(self) -> int | None:
        """The pair to merge; None if there is none."""
        while len(close := self._ranking.best()):
            best = self._first(self._rule.highest(close) if len(close) > 1 else close)
            if self._may_be(self._texts(best)):
                return best
            self._row.drop(best)
            self._rank(np.array([best]))
        return None

    def _first(self, equal: Numbers) -> int:
        """Of pairs that are equally good the one to merge."""
        if len(equal) == 1:
            return int(equal[0])
        row = self._row
        if self._ties == FIRST_SEEN:
            return min(map(int, equal), key=row.first_place)
        return int(equal[np.argmin(row.first[equal].astype(np.int64) << 32 | row.second[equal])])

    def _texts(self, pair: int) -> Pair:
        return self.tokens[self._row.first[pair]], self.tokens[self._row.second[pair]]

    def _make(self, pair: int) -> Merge:
        row, texts = self._row, self._texts(pair)
        first, second = row.first[pair], row.second[pair]
        joined = self._joined(texts)
        number = self._ids.setdefault(joined, len(self.tokens))
        is_new = number == len(self.tokens)
        if is_new:
            self.tokens.append(joined)
        merge = Merge(
            *(
                len(self.merges),
                texts,
                joined,
                int(row.counts[pair]),
                int(row.singles[first]),
                int(row.singles[second]),
            ),
            place=row.first_place(pair),
        )
        changes = row.merge(pair, number)
        if not is_new:
            again = row.take_anew(number)
            changes = Changes(np.concatenate((changes.fallen, again.fallen)), again.new)
        self.merges.append(texts)
        self.counts.append(merge.of_pair)
        self._rank(self._rule.touched(pair, changes))
        return merge

    def _rank(self, pairs: Numbers) -> None:
        """Notes the scores of pairs."""
        scores = self._rule.scores(pairs)
        scores[self._row.counts[pairs] < self._row.floor] = 0
        self._ranking.put(pairs, scores)
