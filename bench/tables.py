"""The tables of merges that workloads need, made of the words of their vocabulary.

Merges build each word symbol by symbol, in the order of the vocabulary, and stand as a trainer writes them: what makes
a part before what takes it.
"""

from collections.abc import Iterable, Sequence

from goldpiece.reference.byte_level import ALPHABET, written

UNKNOWN = "<unk>"


def table(vocab: Sequence[str]) -> tuple[list[str], list[tuple[str, str]]]:
    """Entries and merges of characters."""
    words = _words(vocab)
    merges = _merges(words)
    letters = {letter: None for word in words for letter in word}
    return list(dict.fromkeys([UNKNOWN, *letters, *map("".join, merges)])), merges


def byte_table(vocab: Sequence[str]) -> tuple[list[str], list[tuple[str, str]]]:
    """Entries and merges of bytes, of each word behind a space.

    So no entry of several bytes ends another, and ranks of entries, as tiktoken has them, say the same.
    """
    merges = _merges(written(f" {word}".encode()) for word in _words(vocab))
    return list(dict.fromkeys([*ALPHABET, *map("".join, merges)])), merges


def _words(vocab: Sequence[str]) -> list[str]:
    return [entry for entry in vocab if not entry.startswith("##")]


def _merges(words: Iterable[str]) -> list[tuple[str, str]]:
    return list({(word[: end - 1], word[end - 1]): None for word in words for end in range(2, len(word) + 1)})
