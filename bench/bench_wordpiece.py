"""How fast words are cut into pieces. An input is one word."""

from collections.abc import Callable, Sequence

from goldpiece.suite.values import Value

from .definitions import pieces, words_of
from .workloads import Case, Material, declared, words_put_out


def running_words(material: Material) -> Sequence[Value]:
    """The words of the sentences as they come, so that common ones come often."""
    return [word for sentence in material.sentences for word in words_of(material, sentence)]


def long_words(material: Material) -> Sequence[Value]:
    """Words of 90 letters, below the limit of 100: the words of the sentences without what parts them."""
    letters = "".join(word for word in map(str, running_words(material)) if word.isalpha())
    return [letters[place : place + 90] for place in range(0, len(letters), 90)][: material.effort.sentences]


def letters(material: Material) -> str:
    """A word of as many letters as a word may have, of which no two are in one piece: before each single one that is
    found stand all longer ones that are not.
    """
    vocab = set(material.vocab)
    alone = [
        char for char in material.vocab
        if len(char) == 1 and char.isascii() and char.isalpha()
        and f"##{char}" in vocab and not any(char * 2 in entry for entry in vocab)
    ]  # fmt: skip
    return (alone or ["x"])[0] * 100


def adversarial(material: Material) -> Sequence[Value]:
    return [letters(material)]


WORKLOADS = declared(
    "wordpiece",
    {
        "words": Case(running_words, pieces, words_put_out),
        "long-words": Case(long_words, pieces, words_put_out),
        "adversarial": Case(adversarial, pieces, words_put_out),
        "scripts": Case(running_words, pieces, words_put_out),
    },
)


def test_wordpiece(measurement: Callable[[], None]) -> None:
    measurement()
