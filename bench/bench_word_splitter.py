"""How fast text is cut into words and characters without a vocabulary."""

from collections.abc import Callable, Sequence
from importlib import import_module

from goldpiece.suite.values import Value

from .workloads import Case, Material, declared, document, sentences, words_put_out


def split_into(unit: str) -> Callable[[Material, Sequence[Value]], Sequence[Value]]:
    """What gives the tokens and offsets of each text, by definition."""

    def right(_: Material, texts: Sequence[Value]) -> Sequence[Value]:
        definition = import_module("goldpiece.properties.oracles.word_splitter").Definition(unit)
        found = [definition.split(text) for text in texts]
        return [[each["tokens"], each["offsets"]] for each in found]

    return right


WORKLOADS = declared(
    "word_splitter",
    {
        "words": Case(sentences, split_into("words"), words_put_out),
        "words-and-marks": Case(sentences, split_into("words_and_marks"), words_put_out),
        "scripts": Case(sentences, split_into("words_and_marks"), words_put_out),
        "characters": Case(sentences, split_into("characters"), words_put_out),
        "document": Case(document, split_into("words"), words_put_out),
    },
)


def test_word_splitter(measurement: Callable[[], None]) -> None:
    measurement()
