"""How fast vocab.txt is read and written.

To read is to have the id of each token. What we write is there as a whole or not at all, and is on the disk when the
call ends, which waits for the disk; `tokenizers` promises neither.
"""

from collections.abc import Callable, Sequence
from typing import Any

from goldpiece.suite.values import Value

from .workloads import NO_LATENCY, Material, Workload, words_put_in


def vocabulary(material: Material) -> Sequence[Value]:
    return [list(material.vocab)]


def numbered(_: Material, vocabs: Sequence[Any]) -> Sequence[Value]:
    return [dict(zip(tokens, range(len(tokens)), strict=True)) for tokens in vocabs]


def lines(_: Material, vocabs: Sequence[Any]) -> Sequence[Value]:
    return ["\n".join([*tokens, ""]) for tokens in vocabs]


WORKLOADS = (
    Workload("read", "persistence", "read_vocab", "topics", vocabulary, numbered, words_put_in, figures=NO_LATENCY),
    Workload("write", "persistence", "write_vocab", "topics", vocabulary, lines, words_put_in, figures=NO_LATENCY),
)


def test_persistence(measurement: Callable[[], None]) -> None:
    measurement()
