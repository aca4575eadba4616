"""How fast text becomes ids of bytes and ids become text. The table is that of bench_bpe, in the alphabet of bytes."""

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from typing import Any

from goldpiece.suite.values import Value

from .bench_bpe import one_letter
from .definitions import merging
from .tables import byte_table
from .workloads import Case, Inputs, Material, declared, sentences, words_put_in, words_put_out


@cache
def model(material: Material) -> tuple[dict[str, int], Callable[[str], list[str]]]:
    """The id of each entry, and what makes the pieces of a word."""
    entries, merges = byte_table(material.vocab)
    return {entry: number for number, entry in enumerate(entries)}, merging(entries, merges)


def ids(material: Material, texts: Sequence[Value]) -> Sequence[Value]:
    """The ids of each text."""
    words = import_module("goldpiece.properties.oracles.byte_level").words
    numbers, pieces_of = model(material)
    return [[numbers[piece] for word in words("gpt2", text)["tokens"] for piece in pieces_of(word)] for text in texts]


def ids_of(inputs: Inputs) -> Inputs:
    return lambda material: ids(material, inputs(material))


def texts(material: Material, rows: Sequence[Value]) -> Sequence[Value]:
    """The text of each row of ids."""
    content_of = import_module("goldpiece.properties.oracles.byte_level").content_of
    entries, _ = byte_table(material.vocab)
    found: Any = rows
    return [content_of([entries[number] for number in row]).decode() for row in found]


WORKLOADS = declared(
    "bpe_tokenizer",
    {
        "sentences": Case(sentences, ids, words_put_out),
        "scripts": Case(sentences, ids, words_put_out),
        "one-letter": Case(one_letter, ids, words_put_out),
        "decode": Case(ids_of(sentences), texts, words_put_in),
    },
)


def test_bpe_tokenizer(measurement: Callable[[], None]) -> None:
    measurement()
