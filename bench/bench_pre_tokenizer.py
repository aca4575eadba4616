"""How fast text is cut into words."""

from collections.abc import Callable

from .definitions import words
from .workloads import Case, declared, document, sentences, words_put_out

WORKLOADS = declared(
    "pre_tokenizer",
    {
        "sentences": Case(sentences, words, words_put_out),
        "document": Case(document, words, words_put_out),
        "scripts": Case(sentences, words, words_put_out),
    },
)


def test_pre_tokenizer(measurement: Callable[[], None]) -> None:
    measurement()
