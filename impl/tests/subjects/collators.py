"""Maskers as they are found in pipelines: with random numbers of their own, and without a seed to be asked for."""

import secrets

from goldpiece.reference.masking import Masked, Masking

Rows = list[list[int]]
WordIds = list[list[int | None]] | None


class BlackBox:
    """Right, with random numbers that nobody can ask for again."""

    def __init__(self, vocab: list[str], unit: str = "subword", rate: float = 0.15) -> None:
        self.vocab, self.unit, self.rate = vocab, unit, rate

    def mask(
        self,
        ids: Rows,
        word_ids: WordIds,
        attention_mask: Rows | None,
        indexes: object,  # noqa: ARG002
        epoch: object,  # noqa: ARG002
    ) -> Masked:
        masking = Masking(self.vocab, unit=self.unit, rate=self.rate, seed=self.seed())
        return masking.mask(ids, word_ids, attention_mask, list(range(len(ids))))

    def seed(self) -> int:
        return secrets.randbits(60)


class CopiedWorker(BlackBox):
    """Begins with the same random numbers in each worker and each epoch."""

    def seed(self) -> int:
        return 7
