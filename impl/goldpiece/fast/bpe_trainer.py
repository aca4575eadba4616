"""BPE training that looks at no more than each merge changes: the efficient twin of goldpiece.reference.bpe_trainer."""

from dataclasses import dataclass

from goldpiece.fast.training import Incremental
from goldpiece.reference import bpe_trainer


@dataclass(frozen=True)
class BPETrainer(bpe_trainer.BPETrainer, Incremental):  # in this order: the defaults are those of the reference
    """See goldpiece.reference.bpe_trainer.BPETrainer: the same, equal by test on all that the laws draw."""
