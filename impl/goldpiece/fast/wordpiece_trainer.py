"""WordPiece training that looks at no more than each merge changes: the twin of goldpiece.reference.wordpiece_trainer.

A merge takes from the frequencies of both its parts. The scores of all their other pairs rise by it, though nothing of
them has changed: they are pushed again, and so nothing waits under a score that is too low.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from goldpiece.fast.training import Corpus, IdPair, Incremental, Key
from goldpiece.reference import wordpiece_trainer
from goldpiece.reference.training import IDS
from goldpiece.reference.wordpiece_trainer import FREQUENCY


@dataclass(frozen=True)
class WordPieceTrainer(
    wordpiece_trainer.WordPieceTrainer, Incremental
):  # in this order: the defaults are those of the reference
    """See goldpiece.reference.wordpiece_trainer.WordPieceTrainer: the same, equal by test on all that the laws draw."""

    def _rank(self, pair: IdPair, corpus: Corpus) -> Key:
        often = super()._rank(pair, corpus)
        if self.rule == FREQUENCY:
            return often
        first, second = pair
        # A whole number that orders as the fraction does: two fractions that differ do so by more than 2^-bits.
        likelihood = (corpus.pairs[pair] << corpus.bits) // (corpus.singles[first] * corpus.singles[second])
        return (-likelihood, *often) if self.ties == IDS else (-likelihood,)

    def _risen(self, merged: IdPair, joined: int, changed: set[IdPair], corpus: Corpus) -> Iterable[IdPair]:
        if self.rule == FREQUENCY:
            return super()._risen(merged, joined, changed, corpus)
        return set().union(*(corpus.beside[symbol] for symbol in (*merged, joined)))
