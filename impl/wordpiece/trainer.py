"""Vocabularies learnt from text."""

from collections.abc import Sequence
from pathlib import Path

from goldpiece import train_wordpiece
from goldpiece.corpus.corpus import Corpus
from goldpiece.formats import vocab_txt
from goldpiece.formats.fingerprint import fingerprint

__all__ = ["train_vocab", "train_wordpiece"]


def train_vocab(
    files: Sequence[Path | str], out: Path | str, size: int, min_frequency: int | None = None
) -> dict[str, int | str]:
    """Writes a vocab.txt of `size` entries, learnt from the lines of files, and says how many there are after all."""
    tokens = train_wordpiece(Corpus(files).texts(), size, min_frequency=min_frequency).tokens
    vocab_txt.write(out, tokens)
    return {"entries": len(tokens), "fingerprint": fingerprint(tokens)}
