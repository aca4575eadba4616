"""Words cut into pieces."""

from collections.abc import Iterable

from goldpiece.reference.wordpiece import WordPiece

__all__ = ["wordpiece_tokenize"]


def wordpiece_tokenize(word: str, vocab: Iterable[str]) -> list[str]:
    """The pieces of `word`; `["[UNK]"]` if it has no segmentation, whether or not the vocabulary has that."""
    return WordPiece([*vocab, "[UNK]"]).tokenize(word)
