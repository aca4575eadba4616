"""How fast tokens become text again. An input is the tokens of a sentence, without special ones."""

from collections.abc import Callable, Sequence

from goldpiece.suite.values import Value

from .definitions import joined, tokens_of
from .workloads import Case, Material, declared, document, words_put_in


def tokens_of_sentences(material: Material) -> Sequence[Value]:
    return [tokens_of(material, sentence) for sentence in material.sentences]


def tokens_of_document(material: Material) -> Sequence[Value]:
    return [tokens_of(material, str(text)) for text in document(material)]


WORKLOADS = declared(
    "decoder",
    {
        "sentences": Case(tokens_of_sentences, joined, words_put_in),
        "document": Case(tokens_of_document, joined, words_put_in),
    },
)


def test_decoder(measurement: Callable[[], None]) -> None:
    measurement()
