"""BPE training that looks at no more than each merge changes: the efficient twin of goldpiece.reference.bpe_trainer."""

from dataclasses import dataclass

import numpy as np

from goldpiece.fast.merging.storage import Ints
from goldpiece.fast.training import Incremental
from goldpiece.reference import bpe_trainer


@dataclass(frozen=True)
class BPETrainer(bpe_trainer.BPETrainer, Incremental):  # in this order: the defaults are those of the reference
    """See goldpiece.reference.bpe_trainer.BPETrainer: the same, equal by test on all that the laws draw."""

    def _marks(self, lengths: Ints) -> Ints:
        """The last character of each word."""
        marks = np.zeros(int(lengths.sum()), bool)
        marks[np.cumsum(lengths) - 1] = True
        return marks

    @property
    def _closing(self) -> str:
        return self.end_of_word if self.end_of_word_apart else ""
