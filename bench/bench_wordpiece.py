"""How fast words are cut into pieces. An input is one word."""

from collections.abc import Callable, Sequence

from goldpiece.suite.values import Value

from .definitions import pieces, words_of
from .workloads import Material, Workload, words_put_out


def running_words(material: Material) -> Sequence[Value]:
    """The words of the sentences as they come, so that common ones come often."""
    return [word for sentence in material.sentences for word in words_of(material, sentence)]


def long_words(material: Material) -> Sequence[Value]:
    """Words of 90 letters, below the limit of 100: the words of the sentences without what parts them."""
    letters = "".join(word for word in map(str, running_words(material)) if word.isalpha())
    return [letters[place : place + 90] for place in range(0, len(letters), 90)][: material.effort.sentences]


WORKLOADS = (
    Workload("words", "wordpiece", "tokenize", "topics", running_words, pieces, words_put_out, takes_vocab=True),
    Workload("long words", "wordpiece", "tokenize", "topics", long_words, pieces, words_put_out, takes_vocab=True),
    Workload("scripts", "wordpiece", "tokenize", "generated", running_words, pieces, words_put_out, takes_vocab=True),
)


def test_wordpiece(measurement: Callable[[], None]) -> None:
    measurement()
