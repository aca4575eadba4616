"""Goldpiece: prove your tokenizer.

A spec-driven conformance suite for subword tokenizers and masked-language-model data, with a reference implementation
of every component. `goldpiece check` runs it; README.md shows how.
"""

from importlib.metadata import version as _version
from pathlib import Path as _Path

from goldpiece.collator import MaskingCollator
from goldpiece.corpus.corpus import Corpus
from goldpiece.encoding import Encoding, Encodings
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
from goldpiece.training import train_bpe, train_wordpiece

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
__version__ = _version("goldpiece")

# The rooms spec/, properties/, golden/ and bench/ lie inside this package in a wheel, and beside impl/ in a checkout.
# Either way they are goldpiece.spec, goldpiece.properties, goldpiece.golden and goldpiece.bench.
if not (_Path(__file__).parent / "spec").is_dir():
    __path__.append(str(_Path(__file__).parents[2]))
