"""What batches are like: how long their rows are, and what was cut off and filled up."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from goldpiece.errors import UsageError
from goldpiece.reference.batch import Batch

PERCENTILES = (50, 95, 99)


@dataclass(frozen=True)
class BatchStatistics:
    """Shares go from 0 to 1. Lengths are those before truncation, special tokens included."""

    rows: int
    tokens: int  # in the rows as they are
    percentiles: dict[int, int]  # the least length that so many per cent of the rows do not exceed
    longest: int
    truncated: float  # share of the rows that have less tokens than before truncation
    padding: float  # share of all places
    all_padding: int  # rows without any token, whose attention mask is all 0
    without_text: int  # rows without a token but those of the frame, these rows among them
    lengths: tuple[int, ...]  # of each row


def batch_statistics(batches: Batch | Sequence[Batch]) -> BatchStatistics:
    """The figures of one batch or of several together. Raises UsageError where there are no rows."""
    several = [batches] if isinstance(batches, Batch) else list(batches)
    if not sum(map(len, several)):
        raise UsageError("there are no rows, and nothing to tell of them: give a batch with rows")
    kept = np.concatenate([batch.lengths for batch in several])
    lengths = np.concatenate([batch.uncut_lengths for batch in several])
    places = sum(batch.ids.size for batch in several)
    return BatchStatistics(
        rows=len(kept),
        tokens=int(kept.sum()),
        percentiles={percent: int(np.percentile(lengths, percent, method="inverted_cdf")) for percent in PERCENTILES},
        longest=int(lengths.max()),
        truncated=float((kept < lengths).mean()),
        padding=1 - int(kept.sum()) / places if places else 0.0,
        all_padding=int((kept == 0).sum()),
        without_text=sum(int((batch.special_tokens_mask.min(axis=1, initial=1) == 1).sum()) for batch in several),
        lengths=tuple(map(int, lengths)),
    )
