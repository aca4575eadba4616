"""How fast vocab.txt is read and written, and a tokenizer is loaded.

To read is to have the id of each token, and to load to have a tokenizer that can encode. What we write is there as a
whole or not at all, and is on the disk when the call ends, which waits for the disk; `tokenizers` promises neither.
"""

from collections.abc import Callable, Sequence
from typing import Any

from goldpiece.suite.values import Value

from .workloads import Case, Material, declared, words_put_in


def vocabulary(material: Material) -> Sequence[Value]:
    """The vocabulary; where more is wanted, entries beside it that are as long."""
    more = [f"{token}{number}" for number in range(1, material.effort.scale) for token in material.vocab]
    return [list(dict.fromkeys([*material.vocab, *more]))]


def numbered(_: Material, vocabs: Sequence[Any]) -> Sequence[Value]:
    return [dict(zip(tokens, range(len(tokens)), strict=True)) for tokens in vocabs]


def lines(_: Material, vocabs: Sequence[Any]) -> Sequence[Value]:
    return ["\n".join([*tokens, ""]) for tokens in vocabs]


WORKLOADS = declared(
    "persistence",
    {
        "read": Case(vocabulary, numbered, words_put_in),
        "write": Case(vocabulary, lines, words_put_in),
        "load": Case(vocabulary, numbered, words_put_in),
    },
)


def test_persistence(measurement: Callable[[], None]) -> None:
    measurement()
