"""WordPiece training that looks at no more than each merge changes: the twin of goldpiece.reference.wordpiece_trainer.

A merge takes from the frequencies of both its parts. The scores of all their other pairs rise by it, though nothing of
them has changed: each symbol knows the pairs that it is part of, and they are scored again.
"""

from array import array
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from goldpiece.fast.row import Changes, Numbers, Row
from goldpiece.fast.training import Frequency, Incremental, Merge, Rule
from goldpiece.reference import wordpiece_trainer
from goldpiece.reference.training import IDS
from goldpiece.reference.wordpiece_trainer import FREQUENCY

EXACT = 2**47  # floating point tells fractions of numbers apart whose product stays under this


class Likelihood:
    """The pair of the highest freq(ab) / (freq(a) · freq(b)) is merged; `by_count`: of equals the most frequent."""

    def __init__(self, row: Row, by_count: bool) -> None:
        self._row, self._by_count = row, by_count
        self._beside: list[array[int]] = []  # of each symbol the pairs that it is part of; some are no more
        self._note(np.arange(row.pairs))

    def scores(self, pairs: Numbers) -> Numbers:
        counts, first, second = self._frequencies(pairs)
        product = first.astype(np.float64) * second
        scores: Numbers = counts / np.maximum(product, 1)  # symbols that are no more have no pairs
        return scores.astype(np.float64, copy=False)

    def highest(self, pairs: Numbers) -> Numbers:
        counts, first, second = self._frequencies(pairs)
        # Two fractions that differ do so by one part in the product of the one's numerator and the other's denominator.
        if float(counts.max()) * float(first.max()) * float(second.max()) >= EXACT:
            fractions = [Fraction(*each) for each in zip(counts.tolist(), (first.astype(object) * second), strict=True)]
            best = max(fractions)
            is_best = np.array([each == best for each in fractions])
            pairs, counts = pairs[is_best], counts[is_best]
        return pairs[counts == counts.max()] if self._by_count else pairs

    def touched(self, pair: int, changes: Changes) -> Numbers:
        self._note(changes.new)
        parts = {int(self._row.first[pair]), int(self._row.second[pair])}
        return np.concatenate((*changes, *map(self._pairs_of, parts)))

    def score_of(self, merge: Merge) -> Fraction:
        return Fraction(merge.of_pair, merge.of_first * merge.of_second)

    def _frequencies(self, pairs: Numbers) -> tuple[Numbers, Numbers, Numbers]:
        row = self._row
        return row.counts[pairs], row.singles[row.first[pairs]], row.singles[row.second[pairs]]

    def _note(self, pairs: Numbers) -> None:
        row = self._row
        self._beside += (array("i") for _ in range(len(row.singles) - len(self._beside)))
        for pair, *parts in zip(pairs.tolist(), row.first[pairs].tolist(), row.second[pairs].tolist(), strict=True):
            for symbol in {*parts}:
                self._beside[symbol].append(pair)

    def _pairs_of(self, symbol: int) -> Numbers:
        known = np.array(self._beside[symbol], dtype=np.int64)
        live = self._row.live(known)
        if len(live) < len(known) // 2:
            self._beside[symbol] = array("i", live)
        return live


@dataclass(frozen=True)
class WordPieceTrainer(
    wordpiece_trainer.WordPieceTrainer, Incremental
):  # in this order: the defaults are those of the reference
    """See goldpiece.reference.wordpiece_trainer.WordPieceTrainer: the same, equal by test on all that the laws draw."""

    def _rule(self, row: Row) -> Rule:
        return Frequency(row) if self.rule == FREQUENCY else Likelihood(row, by_count=self.ties == IDS)
