"""real-wordpiece and rustbpe, called as users of these trainers call them, with words in the place of texts.

Trainers of WordPiece have rules of their own, and learn other pieces than the definition says: whether an output is
right is then whether it is a vocabulary of the words, of the size that was asked for.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from goldpiece.suite.subjects.rival_trainers import HAVE, REAL_WORDPIECE, RustBPE, Spelling
from goldpiece.suite.values import Value

from ..workloads import Builder, Ready, Setup

if HAVE[REAL_WORDPIECE]:
    import tokenizers as hf
    from real_wordpiece.trainer import RealWordPieceTrainer

PREFIX = "##"


def learn_pieces(setup: Setup) -> Ready[list[str], "hf.Tokenizer"]:
    size, special, least = (setup.config[name] for name in ("size", "special_tokens", "min_frequency"))

    def call(words: list[str]) -> "hf.Tokenizer":
        trainer = RealWordPieceTrainer(size, least, False, special)
        trainer.calculate_word_counts = lambda *_: Counter(words)  # its own would cut them
        whole = hf.Tokenizer(hf.models.WordPiece({"[UNK]": 0}, unk_token="[UNK]"))
        trainer.train_tokenizer(words, whole)
        return whole

    return Ready(call, pieces, is_right=is_vocabulary(setup))


def learn_merges(setup: Setup) -> Ready[Spelling, Any]:
    """It has bytes for symbols, so that words are spelt in these before."""
    trainer = RustBPE(setup.config["size"])

    def plain(result: Any) -> Value:
        entries, merges = trainer.spelt(result)
        return [entries, [list(pair) for pair in merges]]

    return Ready(trainer.trained, plain, trainer.in_bytes)


def pieces(whole: "hf.Tokenizer") -> Value:
    """Of a trainer of pieces only the entries are known."""
    ids = whole.get_vocab()
    return sorted(ids, key=lambda token: ids[token])


def is_vocabulary(setup: Setup) -> Callable[[Value, Value], bool]:
    """Whether entries are as many as there may be, each once, and of the words they were learnt from."""

    def judge(words: Any, entries: Any) -> bool:
        begin = {*"".join(words)} | {word[:end] for word in words for end in range(1, len(word) + 1)}
        within = {word[start:end] for word in words for end in range(len(word) + 1) for start in range(1, end)}
        known = begin | {PREFIX + part for part in within} | {*setup.config["special_tokens"]}
        return len(entries) == len({*entries}) == setup.config["size"] and {*entries} <= known

    return judge


OF_REAL_WORDPIECE: Mapping[str, Builder] = {"wordpiece_trainer.train": learn_pieces}
OF_RUSTBPE: Mapping[str, Builder] = {"bpe_trainer.train": learn_merges}
