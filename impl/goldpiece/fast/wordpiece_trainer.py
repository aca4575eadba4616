"""WordPiece training that looks at no more than each merge changes: the twin of goldpiece.reference.wordpiece_trainer.

A merge takes from the frequencies of both its parts. The scores of all their other pairs rise by it, though nothing of
them has changed: each symbol knows the pairs that it is part of, and they are scored again.
"""

from dataclasses import dataclass

import numpy as np

from goldpiece.fast.merging.arrays import Rule
from goldpiece.fast.merging.storage import Ints
from goldpiece.fast.training import Incremental
from goldpiece.reference import wordpiece_trainer
from goldpiece.reference.training import IDS
from goldpiece.reference.wordpiece_trainer import FREQUENCY


@dataclass(frozen=True)
class WordPieceTrainer(
    wordpiece_trainer.WordPieceTrainer, Incremental
):  # in this order: the defaults are those of the reference
    """See goldpiece.reference.wordpiece_trainer.WordPieceTrainer: the same, equal by test on all that the laws draw."""

    def _marks(self, lengths: Ints) -> Ints:
        """All characters but the first of each word."""
        marks = np.ones(int(lengths.sum()), bool)
        marks[np.cumsum(lengths) - lengths] = False
        return marks

    @property
    def _rule(self) -> Rule:
        if self.rule == FREQUENCY:
            return super()._rule
        return super()._rule._replace(by_likelihood=True, by_count=self.ties == IDS)
