"""The strategies of BPE reach what they claim to, often enough: see test_strategies.py."""

from importlib import import_module
from itertools import combinations, pairwise
from typing import Any

from .test_strategies import draw, scope, share

bpe = import_module("goldpiece.properties.strategies.bpe")
byte_level = import_module("goldpiece.properties.strategies.byte_level")
whole = import_module("goldpiece.properties.strategies.bpe_tokenizer")
steps_of = import_module("goldpiece.properties.oracles.bpe").steps_of
cut = import_module("goldpiece.properties.oracles.byte_level").words
tokens_of = import_module("goldpiece.properties.oracles.bpe_tokenizer").tokens_of

DRAWS = 200


def merges_made(case: Any) -> int:
    return len(steps_of(case)) - 1


def test_words_are_merged_several_times() -> None:
    cases = draw(bpe.words(scope("bpe", None)), DRAWS)
    assert share(cases, lambda case: merges_made(case) > 0) > 0.4
    assert share(cases, lambda case: merges_made(case) > 3) > 0.1
    assert share(cases, lambda case: merges_made(case) == 0) > 0.05


def test_merges_get_in_each_others_way() -> None:
    """The leftmost merge of a word is not the one of the lowest rank."""
    cases = draw(bpe.in_conflict(scope("bpe", None)), DRAWS)

    def is_contested(case: Any) -> bool:
        ranks = [case.merges.index(pair) for pair in pairwise(case.word) if pair in case.merges]
        return bool(ranks) and ranks[0] != min(ranks)

    assert share(cases, is_contested) > 0.2


def test_unknown_characters_stand_alone_and_in_rows() -> None:
    cases = draw(bpe.with_unknowns(scope("bpe", None)), DRAWS)
    unknown = [[char not in case.vocab for char in case.word] for case in cases]
    assert share(unknown, lambda flags: [True, True] in [flags[place : place + 2] for place in range(len(flags))]) > 0.2
    assert share(unknown, lambda flags: False in flags) > 0.4


def test_texts_reach_what_patterns_part_on() -> None:
    texts = draw(byte_level.texts(scope("byte_level", None)), DRAWS)
    words = {name: [cut(name, text) for text in texts] for name in byte_level.PATTERNS}
    for one, other in combinations(byte_level.PATTERNS, 2):
        pairs = list(zip(words[one], words[other], strict=True))
        assert share(pairs, lambda pair: pair[0] != pair[1]) > 0.3
    assert share(texts, lambda text: "\u0301" in text) > 0.03
    assert share(texts, lambda text: text.endswith("\n ")) > 0.05


def test_tokens_end_within_characters() -> None:
    tokens = draw(byte_level.tokens_of_texts(scope("byte_level", None)), DRAWS)
    content_of = import_module("goldpiece.properties.oracles.byte_level").content_of

    def is_cut(row: list[str]) -> bool:
        return any("\ufffd" in content_of([token]).decode("utf-8", "replace") for token in row)

    assert share(tokens, is_cut) > 0.3


def test_texts_hold_special_tokens_and_characters_in_parts() -> None:
    cases = draw(whole.with_special(scope("bpe_tokenizer", None)), DRAWS)
    assert share(cases, lambda case: any(token in case.text for token in case.special)) > 0.2
    spans = [[(each.start, each.end) for each in tokens_of(case)] for case in cases]
    assert share(spans, lambda row: len(set(row)) < len(row)) > 0.3  # parts of one character
