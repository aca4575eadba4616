"""How fast merges are learnt. An input is the words of a document, one after the other."""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import groupby, pairwise
from typing import Any

from goldpiece.suite.values import Value

from .bench_vocabulary import corpora
from .workloads import Case, Material, declared, given, words_put_in

SIZE: int = given("bpe_trainer", "words")["size"]  # entries: most of them are learnt
LEAST = 2  # the usual min_frequency


def few_words(material: Material) -> Sequence[Value]:
    """The first words of the document: the reference goes through all of them for each merge."""
    words: Sequence[Any] = corpora(material)
    return [each[: material.effort.document // 20] for each in words]


def repetitive(material: Material) -> Sequence[Value]:
    """Long words of few letters, as proteins have them, that occur once."""
    letters = [letter for letter in material.text.lower() if letter in "acdefghiklmnpqrstvwy"]
    length = material.effort.document // 20
    return [["".join(letters[start : start + length]) for start in (0, length)]] if letters else []


def learnt(_: Material, given: Sequence[Any]) -> Sequence[Value]:
    """Entries and merges, by counting all pairs again after each merge."""
    return [_learnt(words) for words in given]


def _learnt(words: Sequence[str]) -> Value:
    corpus = [(list(word), count) for word, count in Counter(words).items()]
    tokens = sorted({letter for word, _ in corpus for letter in word})
    merges: list[tuple[str, str]] = []
    while len(tokens) < SIZE:
        counts: Counter[tuple[str, str]] = Counter()
        for symbols, count in corpus:
            for pair in pairwise(symbols):
                counts[pair] += count
        ids = {token: number for number, token in enumerate(tokens)}
        ranked = [(-count, ids[first], ids[second]) for (first, second), count in counts.items() if count >= LEAST]
        if not ranked:
            break
        _, one, other = min(ranked)
        pair = tokens[one], tokens[other]
        merges.append(pair)
        tokens.append("".join(pair))
        corpus = [(joined(symbols, pair, tokens[-1]), count) for symbols, count in corpus]
    return [list(tokens), [list(pair) for pair in merges]]


def joined(symbols: list[str], pair: tuple[str, str], text: str) -> list[str]:
    """The symbols with the pair joined from the left: in a run of equal ones, at every second place."""
    places = [place for place, found in enumerate(pairwise(symbols)) if found == pair]
    runs = [[place for _, place in run] for _, run in groupby(enumerate(places), lambda each: each[1] - each[0])]
    starts = {place for run in runs for place in (run[::2] if pair[0] == pair[1] else run)}
    made = (text if place in starts else symbol for place, symbol in enumerate(symbols))
    return [symbol for place, symbol in enumerate(made) if place - 1 not in starts]


WORKLOADS = declared(
    "bpe_trainer",
    {"words": Case(few_words, learnt, words_put_in), "without-spaces": Case(repetitive, learnt)},
)


def test_bpe_trainer(measurement: Callable[[], None]) -> None:
    measurement()
