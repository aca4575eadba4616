"""How fast words are merged. An input is one word; the table builds the words of the vocabulary letter by letter."""

from collections.abc import Callable, Sequence

from goldpiece.suite.values import Value

from .bench_wordpiece import running_words
from .definitions import merging
from .tables import UNKNOWN, table
from .workloads import Case, Material, declared, words_put_out


def one_letter(material: Material) -> Sequence[Value]:
    """A word of one letter, many times."""
    return ["a" * (material.effort.document // 50)]


def merged(material: Material, given: Sequence[Value]) -> Sequence[Value]:
    """The pieces of each word."""
    return list(map(merging(*table(material.vocab), unk_token=UNKNOWN), map(str, given)))


WORKLOADS = declared(
    "bpe",
    {
        "words": Case(running_words, merged, words_put_out),
        "scripts": Case(running_words, merged, words_put_out),
        "one-letter": Case(one_letter, merged, words_put_out),
    },
)


def test_bpe(measurement: Callable[[], None]) -> None:
    measurement()
