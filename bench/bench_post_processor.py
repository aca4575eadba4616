"""How fast tokens are framed. An input is the tokens of two sentences that follow each other."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from goldpiece.suite.values import Value

from .definitions import tokens_of
from .workloads import Case, Material, declared, words_put_out


def pairs(material: Material) -> Sequence[Value]:
    return list(pairwise(tokens_of(material, sentence) for sentence in material.sentences))


def framed(_: Material, given: Sequence[Any]) -> Sequence[Value]:
    """Tokens, type ids and special tokens masks, from how many tokens there are."""
    return [
        [
            ["[CLS]", *first, "[SEP]", *second, "[SEP]"],
            [0] * (len(first) + 2) + [1] * (len(second) + 1),
            [1] + [0] * len(first) + [1] + [0] * len(second) + [1],
        ]
        for first, second in given
    ]


WORKLOADS = declared("post_processor", {"pairs": Case(pairs, framed, words_put_out)})


def test_post_processor(measurement: Callable[[], None]) -> None:
    measurement()
