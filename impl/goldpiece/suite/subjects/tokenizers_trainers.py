"""Adapters for the trainers of Hugging Face tokenizers, which take words and no counts."""

import json
from collections.abc import Sequence
from typing import Any, ClassVar

from goldpiece.reference.wordpiece_trainer import FREQUENCY, LIKELIHOOD, SPECIAL_TOKENS
from goldpiece.suite.subjects.ready import HAVE_IT

if HAVE_IT:
    import tokenizers as hf


class BPETrainer:
    """trainers.BpeTrainer"""

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
        whole = _trained(hf.models.BPE(), self.trainer, words)
        return _tokens(whole), json.loads(whole.to_str())["model"]["merges"]


class WordPieceTrainer:
    """trainers.WordPieceTrainer, which goes by frequency, and does not say what it merges"""

    outputs: ClassVar = {"train": ["tokens"]}

    def __init__(
        self,
        size: int,
        *,
        special_tokens: Sequence[str] = SPECIAL_TOKENS,
        initial_alphabet: Sequence[str] = (),
        limit_alphabet: int | None = None,
        min_frequency: int | None = None,
        prefix: str = "##",
        rule: str = LIKELIHOOD,
    ) -> None:
        if rule != FREQUENCY:
            raise NotImplementedError("a rule but that of frequency")
        given: dict[str, Any] = {"limit_alphabet": limit_alphabet, "min_frequency": min_frequency}
        self.trainer = hf.trainers.WordPieceTrainer(
            vocab_size=size,
            special_tokens=list(special_tokens),
            initial_alphabet=list(initial_alphabet),
            continuing_subword_prefix=prefix,
            show_progress=False,
            **{name: value for name, value in given.items() if value is not None},  # it refuses None
        )

    def train(self, words: list[str]) -> object:
        return _tokens(_trained(hf.models.WordPiece({"[UNK]": 0}, unk_token="[UNK]"), self.trainer, words))


def _trained(model: Any, trainer: Any, words: list[str]) -> Any:
    whole = hf.Tokenizer(model)  # without a pre-tokenizer each text is a word
    whole.train_from_iterator(words, trainer)
    return whole


def _tokens(whole: Any) -> list[str]:
    ids = whole.get_vocab()
    return sorted(ids, key=lambda token: ids[token])
