"""How fast words are merged. An input is one word; the table builds the words of the vocabulary letter by letter."""

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from typing import Any

from goldpiece.suite.values import Value

from .bench_wordpiece import running_words
from .tables import UNKNOWN, table
from .workloads import NO_LATENCY, Material, Workload, words_put_out


def one_letter(material: Material) -> Sequence[Value]:
    """A word of one letter, many times."""
    return ["a" * (material.effort.document // 50)]


def merged(material: Material, given: Sequence[Value]) -> Sequence[Value]:
    """The pieces of each word, by going through the merges from the first on after each merge."""
    answer_of = import_module("goldpiece.properties.oracles.bpe").answer_of
    case: Any = import_module("goldpiece.properties.strategies.bpe").Case
    entries, merges = table(material.vocab)

    @cache
    def pieces(word: str) -> Value:
        near = set(word)  # merges of other letters never come into it
        fitting = [pair for pair in merges if near.issuperset("".join(pair))]
        found: Value = answer_of(case(entries, fitting, word, {"unk_token": UNKNOWN}))["pieces"]
        return found

    return [pieces(str(word)) for word in given]


WORKLOADS = (
    Workload("words", "bpe", "tokenize", "topics", running_words, merged, words_put_out, takes_vocab=True),
    Workload("scripts", "bpe", "tokenize", "generated", running_words, merged, words_put_out, takes_vocab=True),
    Workload(
        *("one letter", "bpe", "tokenize", "topics", one_letter, merged, words_put_out),
        takes_vocab=True, figures=NO_LATENCY,
    ),
)  # fmt: skip


def test_bpe(measurement: Callable[[], None]) -> None:
    measurement()
