"""The table of merges that workloads need, made of the words of their vocabulary."""

from collections.abc import Sequence

UNKNOWN = "<unk>"


def table(vocab: Sequence[str]) -> tuple[list[str], list[tuple[str, str]]]:
    """Entries and merges that build each word of the vocabulary letter by letter, in the order of the vocabulary.

    Merges are written as a trainer writes them: what makes a part stands before what takes it.
    """
    words = [entry for entry in vocab if not entry.startswith("##")]
    merges = {(word[: end - 1], word[end - 1]): None for word in words for end in range(2, len(word) + 1)}
    letters = {letter: None for word in words for letter in word}
    return list(dict.fromkeys([UNKNOWN, *letters, *map("".join, merges)])), list(merges)
