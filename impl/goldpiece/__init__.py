"""Goldpiece: prove your tokenizer.

A spec-driven conformance suite for subword tokenizers and masked-language-model data, with a reference implementation
of every component. `goldpiece check` runs it; README.md shows how.

A name is imported when it is first asked for, and what it needs with it: NumPy, regular expressions, and the rest.
"""

from importlib import import_module as _import_module
from pathlib import Path as _Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldpiece.collator import MaskingCollator
    from goldpiece.corpus.corpus import Corpus
    from goldpiece.encoding import Encoding, Encodings, IdRows
    from goldpiece.errors import GoldpieceError
    from goldpiece.fast.bpe_tokenizer import BPETokenizer
    from goldpiece.fast.bpe_trainer import BPETrainer
    from goldpiece.fast.tokenizer import Tokenizer
    from goldpiece.fast.wordpiece_trainer import WordPieceTrainer
    from goldpiece.reference.added_tokens import AddedToken
    from goldpiece.reference.batch import Batch
    from goldpiece.reference.bpe import bpe_encode, count_pairs, merge_pair
    from goldpiece.reference.byte_level import StreamDecoder
    from goldpiece.reference.masking.tokens import identify_word_groups, random_subword_masking, whole_word_masking
    from goldpiece.reference.packing import Packing
    from goldpiece.reference.padding import Padding, pad_or_truncate
    from goldpiece.reference.statistics import BatchStatistics, batch_statistics
    from goldpiece.reference.truncation import Truncation
    from goldpiece.reference.vocabulary import Vocabulary
    from goldpiece.reference.word_splitter import WordSplitter
    from goldpiece.reference.word_statistics import WordStatistics, word_statistics
    from goldpiece.reference.word_tokenizer import WordTokenizer
    from goldpiece.training.texts import train_bpe, train_wordpiece

    __version__: str

__all__ = [
    "AddedToken",
    "BPETokenizer",
    "BPETrainer",
    "Batch",
    "BatchStatistics",
    "Corpus",
    "Encoding",
    "Encodings",
    "GoldpieceError",
    "IdRows",
    "MaskingCollator",
    "Packing",
    "Padding",
    "StreamDecoder",
    "Tokenizer",
    "Truncation",
    "Vocabulary",
    "WordPieceTrainer",
    "WordSplitter",
    "WordStatistics",
    "WordTokenizer",
    "__version__",
    "batch_statistics",
    "bpe_encode",
    "count_pairs",
    "identify_word_groups",
    "merge_pair",
    "pad_or_truncate",
    "random_subword_masking",
    "train_bpe",
    "train_wordpiece",
    "whole_word_masking",
    "word_statistics",
]
_HOME = {
    "AddedToken": "goldpiece.reference.added_tokens",
    "BPETokenizer": "goldpiece.fast.bpe_tokenizer",
    "BPETrainer": "goldpiece.fast.bpe_trainer",
    "Batch": "goldpiece.reference.batch",
    "BatchStatistics": "goldpiece.reference.statistics",
    "Corpus": "goldpiece.corpus.corpus",
    "Encoding": "goldpiece.encoding",
    "Encodings": "goldpiece.encoding",
    "GoldpieceError": "goldpiece.errors",
    "IdRows": "goldpiece.encoding",
    "MaskingCollator": "goldpiece.collator",
    "Packing": "goldpiece.reference.packing",
    "Padding": "goldpiece.reference.padding",
    "StreamDecoder": "goldpiece.reference.byte_level",
    "Tokenizer": "goldpiece.fast.tokenizer",
    "Truncation": "goldpiece.reference.truncation",
    "Vocabulary": "goldpiece.reference.vocabulary",
    "WordPieceTrainer": "goldpiece.fast.wordpiece_trainer",
    "WordSplitter": "goldpiece.reference.word_splitter",
    "WordStatistics": "goldpiece.reference.word_statistics",
    "WordTokenizer": "goldpiece.reference.word_tokenizer",
    "batch_statistics": "goldpiece.reference.statistics",
    "bpe_encode": "goldpiece.reference.bpe",
    "count_pairs": "goldpiece.reference.bpe",
    "identify_word_groups": "goldpiece.reference.masking.tokens",
    "merge_pair": "goldpiece.reference.bpe",
    "pad_or_truncate": "goldpiece.reference.padding",
    "random_subword_masking": "goldpiece.reference.masking.tokens",
    "train_bpe": "goldpiece.training.texts",
    "train_wordpiece": "goldpiece.training.texts",
    "whole_word_masking": "goldpiece.reference.masking.tokens",
    "word_statistics": "goldpiece.reference.word_statistics",
}


def __getattr__(name: str) -> object:
    if name == "__version__":
        found: object = _import_module("importlib.metadata").version("goldpiece")
    elif name in _HOME:
        found = getattr(_import_module(_HOME[name]), name)
    else:
        raise AttributeError(f"module 'goldpiece' has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


# The rooms spec/, properties/, golden/ and bench/ lie inside this package in a wheel, and beside impl/ in a checkout.
# Either way they are goldpiece.spec, goldpiece.properties, goldpiece.golden and goldpiece.bench.
if not (_Path(__file__).parent / "spec").is_dir():
    __path__.append(str(_Path(__file__).parents[2]))
