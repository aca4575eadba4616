"""Which tokenizer a path stands for: a tokenizer.json of either model, a vocab.txt, GPT-2's files, tiktoken's ranks."""

from pathlib import Path
from typing import TypeAlias

from goldpiece import BPETokenizer, Tokenizer
from goldpiece.errors import UsageError
from goldpiece.formats import tokenizer_json

Encoder: TypeAlias = Tokenizer | BPETokenizer

WHOLE = "tokenizer.json"
PAIRS = (("encoder.json", "vocab.bpe"), ("vocab.json", "merges.txt"))  # as GPT-2 and as Hugging Face call them
PATTERNS = {"gpt2": "gpt2", "r50k": "gpt2", "p50k": "gpt2", "cl100k": "cl100k", "o200k": "o200k"}  # of files of ranks


def encoder_at(path: Path) -> Encoder:
    """The tokenizer at `path`. Raises FileError, and UsageError for what stands for none."""
    if path.is_dir():
        return _of_folder(path)
    if path.suffix == ".txt":
        return Tokenizer.from_vocab(path)
    if path.suffix == ".tiktoken":
        known = [pattern for start, pattern in PATTERNS.items() if path.name.startswith(start)]
        if not known:
            raise UsageError(
                f"{path} holds ranks, and not how text is cut before them: let its name begin with the name of "
                f"the encoding, which is one of {', '.join(PATTERNS)}"
            )
        return BPETokenizer.from_tiktoken(path, known[0])
    return BPETokenizer.from_file(path) if tokenizer_json.model_of(path) == "BPE" else Tokenizer.from_file(path)


def _of_folder(path: Path) -> Encoder:
    """Of its tokenizer.json where it has one, which says more than the files beside it."""
    if (path / WHOLE).is_file():
        return encoder_at(path / WHOLE)
    for encoder, merges in PAIRS:
        if (path / encoder).is_file() and (path / merges).is_file():
            return BPETokenizer.from_files(path / encoder, path / merges)
    pairs = " or ".join(" and ".join(pair) for pair in PAIRS)
    raise UsageError(
        f"the folder {path} has neither {WHOLE} nor files of a BPE model: let it have {pairs}, or name a file"
    )
