"""How fast text becomes ids and ids become text: the whole path, framed, to a list of ids and from one."""

from collections.abc import Callable, Sequence
from typing import Any

from goldpiece.reference.tokenizer import SPECIAL_TOKENS
from goldpiece.suite.values import Value

from .definitions import framed_ids, joined
from .workloads import NO_LATENCY, Material, Workload, document, sentences, words_put_in, words_put_out


def batch(material: Material) -> Sequence[Value]:
    """All sentences at once."""
    return [list(material.sentences)] if material.sentences else []


def ids_of_batch(material: Material, batches: Sequence[Any]) -> Sequence[Value]:
    return [framed_ids(material, texts) for texts in batches]


def ids_in_rows(_: Value, output: Any) -> int:
    return sum(map(len, output))


def ids_of_sentences(material: Material) -> Sequence[Value]:
    return framed_ids(material, material.sentences)


def text_of_ids(material: Material, rows: Sequence[Any]) -> Sequence[Value]:
    tokens = [[material.vocab[number] for number in row] for row in rows]
    return joined(material, [[token for token in row if token not in SPECIAL_TOKENS] for row in tokens])


WORKLOADS = (
    Workload("sentences", "tokenizer", "encode", "topics", sentences, framed_ids, words_put_out, takes_vocab=True),
    Workload(
        "document",
        "tokenizer",
        "encode",
        "topics",
        document,
        framed_ids,
        words_put_out,
        takes_vocab=True,
        figures=NO_LATENCY,
    ),
    Workload("scripts", "tokenizer", "encode", "generated", sentences, framed_ids, words_put_out, takes_vocab=True),
    Workload(
        "batch",
        "tokenizer",
        "encode_batch",
        "topics",
        batch,
        ids_of_batch,
        ids_in_rows,
        takes_vocab=True,
        figures=NO_LATENCY,
    ),
    Workload("decode", "tokenizer", "decode", "topics", ids_of_sentences, text_of_ids, words_put_in, takes_vocab=True),
)


def test_tokenizer(measurement: Callable[[], None]) -> None:
    measurement()
