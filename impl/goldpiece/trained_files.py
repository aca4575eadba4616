"""A trained tokenizer as the files of a folder."""

from collections.abc import Sequence
from pathlib import Path

from goldpiece.errors import FileError
from goldpiece.formats import bpe_files, vocab_txt
from goldpiece.reference.bpe import Pair
from goldpiece.reference.bpe_tokenizer import BPETokenizer
from goldpiece.reference.tokenizer import Tokenizer


def write_trained(folder: Path, tokenizer: Tokenizer | BPETokenizer, merges: Sequence[Pair]) -> list[Path]:
    """Writes a tokenizer and the merges that its training made; the folder is made if need be. The files.

    All of them have tokenizer.json and merges.txt. WordPiece has vocab.txt besides, and BPE vocab.json: the ids of its
    tokens, special tokens among them. Raises FileError, and TokenNotWritable, SymbolNotWritable and NotWritable for
    what a file cannot carry.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(folder, None, f"it cannot be made ({error.strerror})", "Give the path of a folder") from error
    vocab, whole, pairs = folder / "vocab.txt", folder / "tokenizer.json", folder / "merges.txt"
    if isinstance(tokenizer, BPETokenizer):
        vocab = folder / "vocab.json"
        bpe_files.write_encoder(vocab, tokenizer.all_tokens)
    else:
        vocab_txt.write(vocab, tokenizer.vocab)
    tokenizer.save(whole)
    bpe_files.write_merges(pairs, merges)
    return [vocab, whole, pairs]
