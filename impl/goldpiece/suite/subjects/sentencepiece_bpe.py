"""The subject `sentencepiece`: its BPE model, built from whatever table a law asks for."""

import struct
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from importlib.util import find_spec

from goldpiece.errors import UsageError
from goldpiece.suite.spec import Specs
from goldpiece.suite.subject import Declaration, Subject
from goldpiece.suite.subjects.objects import ObjectSubject, declare
from goldpiece.suite.subjects.tiktoken import refuse_what_ranks_cannot_say

HAVE_SENTENCEPIECE = find_spec("sentencepiece") is not None  # it is in the extra `rivals`
if HAVE_SENTENCEPIECE:
    import sentencepiece as google

BYTES = [f"<0x{byte:02X}>" for byte in range(256)]
NO_UNKNOWN = "\ue000unknown"  # it has to have a token for what is unknown, also where a law gives none
NORMAL, UNKNOWN, BYTE = 1, 2, 6  # types of pieces
BPE_MODEL = 2


class BPE:
    """SentencePieceProcessor, of a model whose scores are the ranks, and which leaves text as it is"""

    def __init__(
        self,
        vocab: list[str],
        merges: list[list[str]],
        *,
        unk_token: str | None = None,
        fuse_unk: bool = False,
        byte_fallback: bool = False,
        dropout: float | None = None,
    ) -> None:
        bytes_ = set(BYTES) if byte_fallback else set[str]()
        if byte_fallback and not bytes_ <= set(vocab):
            raise NotImplementedError("some bytes without the others")
        if dropout is not None and not 0 <= dropout <= 1:
            raise NotImplementedError("saying that a dropout is no probability")
        if any("\0" in token for token in vocab):
            raise NotImplementedError("pieces that hold a NUL")
        if not {*vocab}.issuperset(part for first, second in merges for part in (first, second, first + second)):
            raise NotImplementedError("saying which merge is out of the vocabulary")
        if unk_token is not None and unk_token not in vocab:
            raise NotImplementedError("an unknown token that the vocabulary lacks")
        self.unknown = unk_token or NO_UNKNOWN
        ordinary = [token for token in vocab if token != unk_token and token not in bytes_]
        refuse_what_ranks_cannot_say(_ranked(ordinary, merges), merges)
        self.has_unknown, self.fuses, self.dropout = unk_token is not None, fuse_unk, dropout
        ranks = {first + second: rank for rank, (first, second) in enumerate(merges)}
        pieces = [(self.unknown, 0.0, UNKNOWN)]
        pieces += [(token, -float(ranks.get(token, 0)), NORMAL) for token in ordinary]
        pieces += [(byte, 0.0, BYTE) for byte in BYTES if byte_fallback]
        self.model = google.SentencePieceProcessor(model_proto=model(pieces, byte_fallback))

    def tokenize(self, word: str) -> object:
        found = self.model.encode(
            word,
            return_type="offset_mapping",
            enable_sampling=self.dropout is not None,
            alpha=self.dropout,
            nbest_size=-1,
        )
        if 0 in found["ids"] and not self.has_unknown:
            raise NotImplementedError("doing without a token for what is unknown")
        if 0 in found["ids"] and not self.fuses:
            raise NotImplementedError("keeping unknown characters apart")
        named = zip(found["ids"], found["pieces"], strict=True)
        return [piece if number else self.unknown for number, piece in named], found["offsets"]


def _ranked(tokens: Sequence[str], merges: Sequence[Sequence[str]]) -> list[str]:
    """Entries in an order in which what is merged stands in the order of the merges."""
    made = [first + second for first, second in merges]
    return [*(token for token in tokens if token not in made), *made]


# What it reads is a message of Protocol Buffers: fields, each with its number and its kind before it.


def model(pieces: Sequence[tuple[str, float, int]], byte_fallback: bool) -> bytes:
    """A model file of these pieces with their scores and types, whose normalizer changes nothing."""
    trainer = _number(3, BPE_MODEL) + _number(35, byte_fallback) + _number(40, 0)
    trainer += b"".join(_number(field, -1) for field in (41, 42, 43))  # no tokens for beginning, end and padding
    normalizer = _text(1, b"identity") + b"".join(_number(field, 0) for field in (3, 4, 5))
    return b"".join(_pieces(pieces)) + _text(2, trainer) + _text(3, normalizer)


def _pieces(pieces: Sequence[tuple[str, float, int]]) -> Iterator[bytes]:
    for token, score, kind in pieces:
        yield _text(1, _text(1, token.encode()) + _varint(2 << 3 | 5) + struct.pack("<f", score) + _number(3, kind))


def _text(field: int, content: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(content)) + content


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value % 2**64)


def _varint(value: int) -> bytes:
    written = b""
    while value > 0x7F:
        written += bytes([value & 0x7F | 0x80])
        value >>= 7
    return written + bytes([value])


def sentencepiece(specs: Specs) -> Subject:
    if not HAVE_SENTENCEPIECE:
        raise UsageError(
            "the subject 'sentencepiece' needs the package sentencepiece, which is not installed: "
            "run `pip install sentencepiece`, or install goldpiece with its extra `rivals`"
        )
    components = {"bpe": BPE}
    declaration = Declaration(
        name="sentencepiece",
        version=version("sentencepiece"),
        profiles=("hf",),
        surrogates=False,
        components={name: declare(specs.named(name), factory) for name, factory in components.items()},
        reasons={},
    )
    return ObjectSubject(declaration, specs, components)
