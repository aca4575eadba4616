"""How fast text is cut into words of bytes, and tokens become text again."""

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from goldpiece.suite.values import Value

from .workloads import NO_LATENCY, Inputs, Material, Outputs, Workload, document, sentences, words_put_in, words_put_out


def words(pattern: str) -> Outputs:
    """Words and offsets of each text, by Python's own `re`."""

    def right(_: Material, texts: Sequence[Value]) -> Sequence[Value]:
        oracle: Any = import_module("goldpiece.properties.oracles.byte_level")
        found = [oracle.words(pattern, text) for text in texts]
        return [[each["tokens"], each["offsets"]] for each in found]

    return right


def tokens(inputs: Inputs) -> Inputs:
    """The words of each text, which are what it is decoded from."""
    cut = words("gpt2")
    return lambda material: [found[0] for found in cut(material, inputs(material))]  # type: ignore[index]


def joined(_: Material, rows: Sequence[Value]) -> Sequence[Value]:
    content_of = import_module("goldpiece.properties.oracles.byte_level").content_of
    return [content_of(row).decode() for row in rows]


WORKLOADS = (
    Workload("sentences", "byte_level", "pre_tokenize", "topics", sentences, words("gpt2"), words_put_out),
    Workload("scripts", "byte_level", "pre_tokenize", "generated", sentences, words("gpt2"), words_put_out),
    Workload(
        *("document", "byte_level", "pre_tokenize", "topics", document, words("gpt2"), words_put_out),
        figures=NO_LATENCY,
    ),
    Workload(
        *("o200k", "byte_level", "pre_tokenize", "topics", sentences, words("o200k"), words_put_out),
        config={"pattern": "o200k"},
    ),
    Workload("decode", "byte_level", "decode", "topics", tokens(sentences), joined, words_put_in),
)


def test_byte_level(measurement: Callable[[], None]) -> None:
    measurement()
