"""Adapter for the BPE trainer of Hugging Face tokenizers, which takes words and no counts."""

import json
from collections.abc import Sequence
from typing import Any

from goldpiece.suite.subjects.ready import HAVE_IT

if HAVE_IT:
    import tokenizers as hf


class BPETrainer:
    """trainers.BpeTrainer. (WordPieceTrainer does not say what it merges, and so is no subject.)"""

    def __init__(
        self,
        size: int,
        *,
        special_tokens: Sequence[str] = (),
        initial_alphabet: Sequence[str] = (),
        limit_alphabet: int | None = None,
        min_frequency: int = 2,
        max_token_length: int | None = None,
        end_of_word: str = "",
    ) -> None:
        given: dict[str, Any] = {
            "limit_alphabet": limit_alphabet,
            "max_token_length": max_token_length,
            "end_of_word_suffix": end_of_word or None,
        }
        self.trainer = hf.trainers.BpeTrainer(
            vocab_size=size,
            special_tokens=list(special_tokens),
            initial_alphabet=list(initial_alphabet),
            min_frequency=min_frequency,
            show_progress=False,
            **{name: value for name, value in given.items() if value is not None},  # it refuses None
        )

    def train(self, words: list[str]) -> object:
        whole = hf.Tokenizer(hf.models.BPE())  # without a pre-tokenizer each text is a word
        whole.train_from_iterator(words, self.trainer)
        model = json.loads(whole.to_str())["model"]
        ids = whole.get_vocab()
        return sorted(ids, key=lambda token: ids[token]), model["merges"]
