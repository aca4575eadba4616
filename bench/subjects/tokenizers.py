"""Hugging Face tokenizers, called as a user of the library calls it.

Its encodings make their lists when they are asked for. A call asks for those that the caller came for: the ids of an
encoding, and elsewhere what is compared with the definition.
"""

import json
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from goldpiece.reference.byte_level import PATTERNS
from goldpiece.reference.tokenizer import SPECIAL_TOKENS
from goldpiece.suite.values import Value

from .. import tables
from ..workloads import Builder, Ready, Setup
from .reference import saved
from .trainers import is_vocabulary, pieces

HAVE_IT = find_spec("tokenizers") is not None  # it is in the extra `peers`
if HAVE_IT:
    import tokenizers as hf

UNKNOWN = "[UNK]"

# Any below: an object of a class in Rust, for which there are no types.


def normalize(setup: Setup) -> Ready[str, str]:
    return Ready(hf.normalizers.BertNormalizer(**setup.config).normalize_str)


def pre_tokenize(setup: Setup) -> Ready[str, list[tuple[str, tuple[int, int]]]]:  # noqa: ARG001 (it has no parameters)
    return Ready(
        hf.pre_tokenizers.BertPreTokenizer().pre_tokenize_str,
        lambda result: [[word for word, _ in result], [list(span) for _, span in result]],
    )


def split(setup: Setup) -> Ready[str, tuple[str, list[int], list[tuple[int, int]]]]:
    """It has no call for this alone. Encoding with a model to which all other text is unknown comes nearest: that it
    makes an encoding is timed as well.
    """
    tokens = setup.config["tokens"]
    unknown = "".join(tokens) + "?"
    whole = hf.Tokenizer(hf.models.WordLevel({unknown: 0}, unk_token=unknown))
    whole.add_tokens([hf.AddedToken(token, normalized=False) for token in tokens])

    def call(text: str) -> tuple[str, list[int], list[tuple[int, int]]]:
        encoding = whole.encode(text)
        return text, encoding.ids, encoding.offsets

    def plain(result: tuple[str, list[int], list[tuple[int, int]]]) -> Value:
        text, ids, offsets = result
        return [[text[start:end] for start, end in offsets], [tokens[number - 1] if number else None for number in ids]]

    return Ready(call, plain)


def tokenize(setup: Setup) -> Ready[str, list[Any]]:
    model = hf.models.WordPiece(_ids(setup.config["vocab"]), unk_token=UNKNOWN)
    return Ready(model.tokenize, lambda result: [token.value for token in result])


def merge(setup: Setup) -> Ready[str, list[Any]]:
    entries, merges = tables.table(setup.config["vocab"])
    model = hf.models.BPE(_ids(entries), merges, unk_token=tables.UNKNOWN)
    return Ready(model.tokenize, lambda result: [token.value for token in result])


def cut_bytes(setup: Setup) -> Ready[str, list[tuple[str, tuple[int, int]]]]:
    pattern = PATTERNS.get(setup.config.get("pattern", ""))
    split = [hf.pre_tokenizers.Split(hf.Regex(pattern), "isolated")] if pattern else []
    in_bytes = hf.pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=not pattern)
    return Ready(
        hf.pre_tokenizers.Sequence([*split, in_bytes]).pre_tokenize_str,
        lambda result: [[word for word, _ in result], [list(span) for _, span in result]],
    )


def join_bytes(setup: Setup) -> Ready[list[str], str]:  # noqa: ARG001 (it has no parameters)
    return Ready(hf.decoders.ByteLevel().decode)


def process(setup: Setup) -> Ready[tuple[Any, Any], list[Value]]:  # noqa: ARG001 (its tokens are those of the spec)
    """It frames encodings, so the tokens are given as such."""
    framing = hf.processors.BertProcessing(("[SEP]", 1), ("[CLS]", 0)).process

    def take(pair: Sequence[Sequence[str]]) -> tuple[Any, Any]:
        ids = _ids(list(dict.fromkeys(["[CLS]", "[SEP]", UNKNOWN, *pair[0], *pair[1]])))
        whole = hf.Tokenizer(hf.models.WordLevel(ids, unk_token=UNKNOWN))
        first, second = (whole.encode(list(each), is_pretokenized=True, add_special_tokens=False) for each in pair)
        return first, second

    def call(pair: tuple[Any, Any]) -> list[Value]:
        framed = framing(*pair)
        return [framed.tokens, framed.type_ids, framed.special_tokens_mask]

    return Ready(call, take=take)


def join(setup: Setup) -> Ready[list[str], str]:  # noqa: ARG001 (its prefix is that of the spec)
    return Ready(hf.decoders.WordPiece(cleanup=False).decode)


def encode(setup: Setup) -> Ready[str, list[int]]:
    encode_ = _tokenizer(setup).encode
    return Ready(lambda text: encode_(text).ids)


def encode_batch(setup: Setup) -> Ready[list[str], list[list[int]]]:
    """It takes all cores for a batch, unless TOKENIZERS_PARALLELISM says otherwise."""
    encode_ = _tokenizer(setup).encode_batch
    return Ready(lambda texts: [row.ids for row in encode_(texts)])


def decode(setup: Setup) -> Ready[list[int], str]:
    return Ready(_tokenizer(setup).decode)


def encode_bytes(setup: Setup) -> Ready[str, list[int]]:
    encode_ = _byte_tokenizer(setup).encode
    return Ready(lambda text: encode_(text).ids)


def decode_bytes(setup: Setup) -> Ready[list[int], str]:
    return Ready(_byte_tokenizer(setup).decode)


def _byte_tokenizer(setup: Setup) -> Any:
    entries, merges = tables.byte_table(setup.config["vocab"])
    whole = hf.Tokenizer(hf.models.BPE(_ids(entries), merges))
    whole.pre_tokenizer = hf.pre_tokenizers.ByteLevel(add_prefix_space=False)
    whole.decoder = hf.decoders.ByteLevel()
    return whole


def windows(setup: Setup) -> Ready[Any, list[list[str]]]:
    """It cuts an encoding in place, so that each call makes a copy first; that is timed as well."""
    max_length, stride = setup.config["max_length"], setup.config["stride"]

    def call(encoding: Any) -> list[list[str]]:
        row = hf.Encoding.merge([encoding], False)
        row.truncate(max_length, stride)
        return [each.tokens for each in (row, *row.overflowing)]

    return Ready(call, take=lambda tokens: _encoding(tokens, _ids(list(dict.fromkeys(tokens)))))


def pad(setup: Setup) -> Ready[list[Any], list[Value]]:  # noqa: ARG001 (its parameters are those of the spec)
    """It fills encodings in place, so that each call makes copies first; that is timed as well."""

    def call(encodings: list[Any]) -> list[Value]:
        rows = [hf.Encoding.merge([encoding], False) for encoding in encodings]
        width = max(map(len, rows))
        for row in rows:
            row.pad(width)
        return [[row.ids for row in rows], [row.attention_mask for row in rows]]

    def take(rows: Sequence[Sequence[int]]) -> list[Any]:
        return [_encoding([str(number) for number in row], {str(number): number for number in row}) for row in rows]

    return Ready(call, take=take)


def _encoding(tokens: Sequence[str], ids: dict[str, int]) -> Any:
    """The encoding of tokens that have these ids."""
    whole = hf.Tokenizer(hf.models.WordLevel(ids, unk_token=tokens[0]))
    return whole.encode(list(tokens), is_pretokenized=True)


def read_vocab(setup: Setup) -> Ready[str, dict[str, int]]:
    def file(tokens: Sequence[str]) -> str:
        path = setup.folder / "read.txt"
        path.write_bytes("".join(f"{token}\n" for token in tokens).encode())
        return str(path)

    return Ready(hf.models.WordPiece.read_file, take=file)


def write_vocab(setup: Setup) -> Ready[Any, str]:
    """The model that holds the tokens is made before; it writes in place, and leaves it to the system when."""
    folder = str(setup.folder)
    return Ready(
        lambda model: str(model.save(folder)[0]),
        lambda path: Path(path).read_bytes().decode(),
        lambda tokens: hf.models.WordPiece(_ids(tokens)),
    )


def load(setup: Setup) -> Ready[str, Any]:
    """From the file that ours writes."""

    def call(path: str) -> Any:
        whole = hf.Tokenizer.from_file(path)
        whole.encode("a")
        return whole

    return Ready(call, lambda whole: whole.get_vocab(), lambda tokens: str(saved(setup.folder, tokens)))


def _ids(tokens: Sequence[str]) -> dict[str, int]:
    return {token: number for number, token in enumerate(tokens)}


def _tokenizer(setup: Setup) -> Any:
    vocab = setup.config["vocab"]
    ids = _ids(vocab)
    whole = hf.Tokenizer(hf.models.WordPiece(ids, unk_token=UNKNOWN))
    whole.normalizer = hf.normalizers.BertNormalizer()
    whole.pre_tokenizer = hf.pre_tokenizers.BertPreTokenizer()
    whole.post_processor = hf.processors.BertProcessing(("[SEP]", ids["[SEP]"]), ("[CLS]", ids["[CLS]"]))
    whole.decoder = hf.decoders.WordPiece(cleanup=False)
    whole.add_special_tokens([token for token in SPECIAL_TOKENS if token in ids])
    return whole


def learn_merges(setup: Setup) -> Ready[list[str], "hf.Tokenizer"]:
    """Without a pre-tokenizer each text is a word."""

    def call(words: list[str]) -> "hf.Tokenizer":
        whole = hf.Tokenizer(hf.models.BPE())
        trainer = hf.trainers.BpeTrainer(vocab_size=setup.config["size"], min_frequency=2, show_progress=False)
        whole.train_from_iterator(words, trainer)
        return whole

    def plain(whole: "hf.Tokenizer") -> Value:
        return [pieces(whole), json.loads(whole.to_str())["model"]["merges"]]

    return Ready(call, plain)


def learn_pieces(setup: Setup) -> Ready[list[str], "hf.Tokenizer"]:
    """By frequency, which is the only rule that it has."""

    def call(words: list[str]) -> "hf.Tokenizer":
        whole = hf.Tokenizer(hf.models.WordPiece({UNKNOWN: 0}, unk_token=UNKNOWN))
        options = {"min_frequency": setup.config["min_frequency"], "special_tokens": setup.config["special_tokens"]}
        trainer = hf.trainers.WordPieceTrainer(vocab_size=setup.config["size"], show_progress=False, **options)
        whole.train_from_iterator(words, trainer)
        return whole

    return Ready(call, pieces, is_right=is_vocabulary(setup))


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
    "tokenizer.encode": encode,
    "tokenizer.encode_batch": encode_batch,
    "tokenizer.decode": decode,
    "bpe_tokenizer.encode": encode_bytes,
    "bpe_tokenizer.decode": decode_bytes,
    "truncation.windows": windows,
    "padding.pad": pad,
    "persistence.read_vocab": read_vocab,
    "persistence.write_vocab": write_vocab,
    "persistence.read_tokenizer": load,
}
