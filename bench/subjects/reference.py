"""Our reference, called as a user of the library calls it."""

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from goldpiece.formats import vocab_txt
from goldpiece.reference.added_tokens import AddedTokens
from goldpiece.reference.bpe import BPE
from goldpiece.reference.bpe_tokenizer import BPETokenizer
from goldpiece.reference.bpe_trainer import BPETrainer
from goldpiece.reference.byte_level import ByteLevel
from goldpiece.reference.decoder import Decoder
from goldpiece.reference.masking import Masked, Masking
from goldpiece.reference.normalizer import Normalizer
from goldpiece.reference.packing import Packed, Packing
from goldpiece.reference.padding import Padded, Padding
from goldpiece.reference.post_processor import Framed, PostProcessor
from goldpiece.reference.pre_tokenizer import PreTokenizer
from goldpiece.reference.tokenizer import Tokenizer
from goldpiece.reference.training import Trained
from goldpiece.reference.truncation import Truncation
from goldpiece.reference.vocabulary import Counted, Vocabulary
from goldpiece.reference.word_splitter import WordSplitter
from goldpiece.reference.wordpiece import WordPiece
from goldpiece.reference.wordpiece_trainer import WordPieceTrainer
from goldpiece.suite.values import Value

from ..tables import UNKNOWN, byte_table, table
from ..workloads import Builder, Ready, Setup


def normalize(setup: Setup) -> Ready[str, str]:
    return Ready(Normalizer(**setup.config).normalize)


def pre_tokenize(setup: Setup) -> Ready[str, tuple[list[str], list[tuple[int, int]]]]:
    def plain(result: tuple[list[str], list[tuple[int, int]]]) -> Value:
        words, offsets = result
        return [words, [list(span) for span in offsets]]

    return Ready(PreTokenizer(**setup.config).pre_tokenize, plain)


def split(setup: Setup) -> Ready[str, tuple[list[str], list[tuple[int, int]], list[str | None]]]:
    return Ready(AddedTokens(**setup.config).split, lambda result: [result[0], result[2]])


def tokenize(setup: Setup) -> Ready[str, list[str]]:
    return Ready(WordPiece(**setup.config).tokenize)


def merge(setup: Setup) -> Ready[str, tuple[list[str], list[tuple[int, int]]]]:
    return Ready(BPE(*table(setup.config["vocab"]), UNKNOWN).tokenize, lambda result: result[0])


def cut_bytes(setup: Setup) -> Ready[str, tuple[list[str], list[tuple[int, int]]]]:
    def plain(result: tuple[list[str], list[tuple[int, int]]]) -> Value:
        words, offsets = result
        return [words, [list(span) for span in offsets]]

    return Ready(ByteLevel(**setup.config).pre_tokenize, plain)


def join_bytes(setup: Setup) -> Ready[list[str], str]:
    return Ready(ByteLevel(**setup.config).decode)


def process(setup: Setup) -> Ready[tuple[list[str], list[str]], Framed]:
    framing = PostProcessor(**setup.config).process
    return Ready(
        lambda pair: framing(*pair),
        lambda result: [result.tokens, result.type_ids, result.special_tokens_mask],
        tuple,
    )


def join(setup: Setup) -> Ready[list[str], str]:
    decode_ = Decoder(**setup.config).decode
    return Ready(lambda tokens: decode_(tokens, skip_special_tokens=False))


def mask(setup: Setup) -> Ready[list[list[int]], Masked]:
    return Ready(Masking(**setup.config).mask, list)


def encode(setup: Setup) -> Ready[str, list[int]]:
    encode_ = Tokenizer(**setup.config).encode
    return Ready(lambda text: encode_(text).ids)


def encode_batch(setup: Setup) -> Ready[list[str], list[list[int]]]:
    encode_ = Tokenizer(**setup.config).encode_batch
    return Ready(lambda texts: encode_(texts).ids)


def decode(setup: Setup) -> Ready[list[int], str]:
    return Ready(Tokenizer(**setup.config).decode)


def encode_bytes(setup: Setup) -> Ready[str, list[int]]:
    encode_ = BPETokenizer(*byte_table(setup.config["vocab"])).encode
    return Ready(lambda text: encode_(text).ids)


def decode_bytes(setup: Setup) -> Ready[list[int], str]:
    return Ready(BPETokenizer(*byte_table(setup.config["vocab"])).decode)


def windows(setup: Setup) -> Ready[list[str], list[list[str]]]:
    spans = Truncation(**setup.config).spans

    def call(tokens: list[str]) -> list[list[str]]:
        return [tokens[span.start : span.stop] for span, _ in spans(len(tokens), None, 0)]

    return Ready(call)


def pad(setup: Setup) -> Ready[list[list[int]], Padded]:
    return Ready(Padding(**setup.config).pad, lambda padded: [padded.ids, padded.attention_mask])


def pack(setup: Setup) -> Ready[list[list[int]], Packed]:
    return Ready(Packing(**setup.config).pack, lambda packed: [packed.ids, packed.sequence_ids])


def read_vocab(setup: Setup) -> Ready[Path, Mapping[str, int]]:
    def file(tokens: Sequence[str]) -> Path:
        path = setup.folder / "read.txt"
        path.write_bytes("".join(f"{token}\n" for token in tokens).encode())
        return path

    return Ready(lambda path: vocab_txt.look_up(vocab_txt.read(path)), dict, file)


def write_vocab(setup: Setup) -> Ready[list[str], Path]:
    def write(tokens: list[str]) -> Path:
        path = setup.folder / "vocab.txt"
        vocab_txt.write(path, tokens)
        return path

    return Ready(write, lambda path: path.read_bytes().decode())


def load(setup: Setup) -> Ready[Path, Tokenizer]:
    """What it makes when it is used first belongs to it."""

    def call(path: Path) -> Tokenizer:
        tokenizer = Tokenizer.from_file(path)
        tokenizer.encode("a")
        return tokenizer

    def plain(tokenizer: Tokenizer) -> Value:
        return {token: number for number, token in enumerate(tokenizer.all_tokens)}

    return Ready(call, plain, partial(saved, setup.folder))


def saved(folder: Path, tokens: Sequence[str]) -> Path:
    """The tokenizer.json of a vocabulary."""
    path = folder / "tokenizer.json"
    Tokenizer(tokens).save(path)
    return path


def split_words(setup: Setup) -> Ready[str, tuple[list[str], list[tuple[int, int]]]]:
    return Ready(WordSplitter(**setup.config).split, lambda result: [result[0], [list(span) for span in result[1]]])


def count(_: Setup) -> Ready[list[str], Counted]:
    return Ready(lambda corpus: Vocabulary(corpus).entries(), lambda result: [result.tokens, result.counts])


def look_up(setup: Setup) -> Ready[list[str], list[int]]:
    return Ready(Vocabulary(**setup.config).encode)


def learn_merges(setup: Setup) -> Ready[list[str], Trained]:
    return Ready(BPETrainer(**setup.config).train, plain_training)


def learn_pieces(setup: Setup) -> Ready[list[str], Trained]:
    return Ready(WordPieceTrainer(**setup.config).train, plain_training)


def check(setup: Setup) -> Ready[None, Path]:
    """From the start of the command to its end."""
    path = setup.folder / "report.json"

    def run(_: None) -> Path:
        command = [sys.executable, "-m", "goldpiece", "check", "--spec", setup.config["spec"], "--json", str(path)]
        subprocess.run(command, cwd=setup.folder, capture_output=True, check=True, timeout=600)
        return path

    def plain(report: Path) -> Value:
        """How many clauses hold; none where one does not."""
        summary: dict[str, int] = json.loads(report.read_text(encoding="utf-8"))["summary"]
        return summary["holds"] if sum(summary.values()) == summary["holds"] else 0

    return Ready(run, plain)


def plain_training(result: Trained) -> Value:
    return [list(result.tokens), [list(pair) for pair in result.merges]]


OPERATIONS: Mapping[str, Builder] = {
    "normalizer.normalize": normalize,
    "pre_tokenizer.pre_tokenize": pre_tokenize,
    "added_tokens.split": split,
    "wordpiece.tokenize": tokenize,
    "bpe.tokenize": merge,
    "bpe_trainer.train": learn_merges,
    "wordpiece_trainer.train": learn_pieces,
    "byte_level.pre_tokenize": cut_bytes,
    "byte_level.decode": join_bytes,
    "post_processor.process": process,
    "decoder.decode": join,
    "masking.mask": mask,
    "tokenizer.encode": encode,
    "tokenizer.encode_batch": encode_batch,
    "tokenizer.decode": decode,
    "bpe_tokenizer.encode": encode_bytes,
    "bpe_tokenizer.decode": decode_bytes,
    "truncation.windows": windows,
    "padding.pad": pad,
    "packing.pack": pack,
    "word_splitter.split": split_words,
    "vocabulary.entries": count,
    "vocabulary.encode": look_up,
    "persistence.read_vocab": read_vocab,
    "persistence.write_vocab": write_vocab,
    "persistence.read_tokenizer": load,
    "package.check": check,
}
