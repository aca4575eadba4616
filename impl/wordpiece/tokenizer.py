"""Text to ids and back, under the names that models use."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Self

import goldpiece

__all__ = ["Tokenizer"]


class Tokenizer:
    """A tokenizer of a vocabulary, given as the tokens in the order of their ids."""

    def __init__(self, vocab: Sequence[str]) -> None:
        self._tokenizer = goldpiece.Tokenizer.from_vocab(vocab, profile="google")

    @classmethod
    def from_file(cls, path: Path | str) -> Self:
        """The tokenizer of a tokenizer.json. Raises FileError."""
        tokenizer = cls([])
        tokenizer._tokenizer = goldpiece.Tokenizer.from_file(path)
        return tokenizer

    def encode(self, text: str, pair: str | None = None) -> dict[str, list[int]]:
        """`input_ids`, `token_type_ids` and `attention_mask`, framed."""
        encoding = self._tokenizer.encode(text, pair)
        return {
            "input_ids": encoding.ids,
            "token_type_ids": encoding.type_ids,
            "attention_mask": encoding.attention_mask,
        }

    def decode(self, ids: Iterable[int]) -> list[str]:
        """The words of `ids`, without special tokens."""
        return self._tokenizer.decode_words(ids)
