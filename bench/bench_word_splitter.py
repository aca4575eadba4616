"""How fast text is cut into words and characters without a vocabulary."""

from collections.abc import Callable, Sequence
from importlib import import_module

from goldpiece.suite.values import Value

from .workloads import NO_LATENCY, Material, Workload, document, sentences, words_put_out


def split_into(unit: str) -> Callable[[Material, Sequence[Value]], Sequence[Value]]:
    """What gives the tokens and offsets of each text, by definition."""

    def right(_: Material, texts: Sequence[Value]) -> Sequence[Value]:
        definition = import_module("goldpiece.properties.oracles.word_splitter").Definition(unit)
        found = [definition.split(text) for text in texts]
        return [[each["tokens"], each["offsets"]] for each in found]

    return right


def _workload(name: str, corpus: str, unit: str) -> Workload:
    config = {"unit": unit}
    return Workload(name, "word_splitter", "split", corpus, sentences, split_into(unit), words_put_out, config)


WORKLOADS = (
    _workload("words", "topics", "words"),
    _workload("words and marks", "topics", "words_and_marks"),
    _workload("scripts", "generated", "words_and_marks"),
    _workload("characters", "topics", "characters"),
    Workload(
        "document",
        "word_splitter",
        "split",
        "topics",
        document,
        split_into("words"),
        words_put_out,
        {"unit": "words"},
        figures=NO_LATENCY,
    ),
)


def test_word_splitter(measurement: Callable[[], None]) -> None:
    measurement()
