"""The byte-level BPE tokenizer with the efficient model: what users get."""

from dataclasses import dataclass
from functools import cached_property

from goldpiece.fast.bpe import BPE
from goldpiece.reference import bpe_tokenizer


@dataclass(frozen=True)
class BPETokenizer(bpe_tokenizer.BPETokenizer):
    """See goldpiece.reference.bpe_tokenizer.BPETokenizer: the same, with goldpiece.fast.bpe for its model."""

    @cached_property
    def _model(self) -> BPE:
        return BPE(self.vocab, self.merges, ignore_merges=self.ignore_merges)
