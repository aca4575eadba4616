"""How fast pieces are learnt by likelihood. An input is the words of a document, one after the other."""

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from goldpiece.suite.values import Value

from .bench_bpe_trainer import few_words, joined
from .workloads import Case, Material, declared, given, words_put_in

SIZE: int = given("wordpiece_trainer", "words")["size"]  # entries: most of them are learnt


def learnt(_: Material, given: Sequence[Any]) -> Sequence[Value]:
    """Entries and merges, by counting all symbols and pairs again after each merge."""
    return [_learnt(words) for words in given]


def _learnt(words: Sequence[str]) -> Value:
    corpus = [([word[0], *(f"##{each}" for each in word[1:])], count) for word, count in Counter(words).items()]
    symbols_met = {symbol for symbols, _ in corpus for symbol in symbols}
    tokens = ["[UNK]", *sorted(symbols_met, key=lambda symbol: (symbol[-1], len(symbol)))]
    merges: list[tuple[str, str]] = []
    while len(tokens) < SIZE:
        singles: Counter[str] = Counter()
        pairs: Counter[tuple[str, str]] = Counter()
        for symbols, count in corpus:
            for symbol in symbols:
                singles[symbol] += count
            for pair in pairwise(symbols):
                pairs[pair] += count
        ids = {token: number for number, token in enumerate(tokens)}
        ranked = [
            (-Fraction(count, singles[first] * singles[second]), -count, ids[first], ids[second])
            for (first, second), count in pairs.items()
            if count > 1
        ]
        if not ranked:
            break
        *_, one, other = min(ranked)
        pair = tokens[one], tokens[other]
        merges.append(pair)
        tokens.append(pair[0] + pair[1].removeprefix("##"))
        corpus = [(joined(symbols, pair, tokens[-1]), count) for symbols, count in corpus]
    return [list(tokens), [list(pair) for pair in merges]]


WORKLOADS = declared("wordpiece_trainer", {"words": Case(few_words, learnt, words_put_in)})


def test_wordpiece_trainer(measurement: Callable[[], None]) -> None:
    measurement()
