"""BERT post-processor: sequences of tokens in their frame of special tokens. Spec: spec/post_processor.yaml."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Framed:
    """Tokens in their frame; all lists have one length."""

    tokens: list[str]
    type_ids: list[int]  # 1 on the second sequence and the separator behind it
    special_tokens_mask: list[int]  # 1 on what the frame added
    attention_mask: list[int]  # 1 throughout: there is no padding yet
    sequence_ids: list[int | None]  # None on what the frame added


@dataclass(frozen=True)
class PostProcessor:
    """`[CLS] A [SEP]` or `[CLS] A [SEP] B [SEP]`."""

    cls_token: str = "[CLS]"
    sep_token: str = "[SEP]"

    def process(self, first: Sequence[str], second: Sequence[str] | None = None) -> Framed:
        """The tokens of one sequence or two, framed. An empty second sequence is a sequence still."""
        cls: list[tuple[str, int, int | None]] = [(self.cls_token, 0, None)]
        framed = [*cls, *self._closed(first, 0), *(() if second is None else self._closed(second, 1))]
        return Framed(
            tokens=[token for token, _, _ in framed],
            type_ids=[type_id for _, type_id, _ in framed],
            special_tokens_mask=[int(sequence is None) for _, _, sequence in framed],
            attention_mask=[1] * len(framed),
            sequence_ids=[sequence for _, _, sequence in framed],
        )

    def _closed(self, tokens: Sequence[str], number: int) -> list[tuple[str, int, int | None]]:
        """Token, type id and sequence id of a sequence and the separator behind it."""
        return [*((token, number, number) for token in tokens), (self.sep_token, number, None)]
