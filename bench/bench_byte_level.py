"""How fast text is cut into words of bytes, and tokens become text again."""

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from goldpiece.suite.values import Value

from .workloads import Case, Inputs, Material, Outputs, declared, document, sentences, words_put_in, words_put_out


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


WORKLOADS = declared(
    "byte_level",
    {
        "sentences": Case(sentences, words("gpt2"), words_put_out),
        "scripts": Case(sentences, words("gpt2"), words_put_out),
        "document": Case(document, words("gpt2"), words_put_out),
        "o200k": Case(sentences, words("o200k"), words_put_out),
        "decode": Case(tokens(sentences), joined, words_put_in),
    },
)


def test_byte_level(measurement: Callable[[], None]) -> None:
    measurement()
