"""How fast a vocabulary is made of a corpus, and tokens are looked up in it."""

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from goldpiece.suite.values import Value

from .workloads import Case, Material, declared, words_put_in


def _words(text: str) -> list[str]:
    tokens: list[str] = (
        import_module("goldpiece.properties.oracles.word_splitter").Definition("words").split(text)["tokens"]
    )
    return tokens


def corpora(material: Material) -> Sequence[Value]:
    """The words of the document, as one corpus."""
    return [list(_words(material.document))] if material.sentences else []


def entries(_: Material, corpora_: Sequence[Any]) -> Sequence[Value]:
    """The tokens of each corpus and their counts, by sorting those that are met by how often they are."""
    made: list[Value] = []
    for corpus in corpora_:
        counts: dict[str, int] = {}
        for word in corpus:
            counts[word] = counts.get(word, 0) + 1
        tokens = sorted(counts, key=lambda word, counts=counts: -counts[word])  # type: ignore[misc]
        made.append([["<pad>", "<unk>", *tokens], [0, 0, *map(counts.__getitem__, tokens)]])
    return made


def sentences_in_words(material: Material) -> Sequence[Value]:
    """The words of each sentence."""
    return [list(_words(sentence)) for sentence in material.sentences]


def ids(_: Material, rows: Sequence[Any]) -> Sequence[Value]:
    """The ids of each row, where each token of the corpus is of its own."""
    places = {token: place for place, token in enumerate(["<pad>", "<unk>", *CORPUS])}
    return [[places.get(token, 1) for token in row] for row in rows]


# A fixed one, which about a third of the words of an English text are in.
CORPUS = [
    "the",
    "a",
    "is",
    "of",
    "to",
    "and",
    "in",
    "an",
    "be",
    "that",
    "it",
    "if",
    "for",
    "this",
    "are",
    "as",
    "by",
    "or",
    "not",
    "with",
    "which",
    "at",
    "on",
    "from",
    "can",
    "value",
]
WORKLOADS = declared(
    "vocabulary",
    {
        "build": Case(corpora, entries, words_put_in),
        "encode": Case(sentences_in_words, ids, words_put_in, {"corpus": CORPUS}),
    },
)


def test_vocabulary(measurement: Callable[[], None]) -> None:
    measurement()
