"""How fast documents are packed. The input is the ids of all sentences. No other subject packs."""

from collections.abc import Callable, Sequence
from typing import Any

from goldpiece.suite.values import Value

from .bench_padding import tokens
from .definitions import framed_ids
from .workloads import Case, Material, declared, given

LENGTH: int = given("packing", "documents")["length"]


def documents(material: Material) -> Sequence[Value]:
    return [list(framed_ids(material, material.sentences))] if material.sentences else []


def packed(_: Material, given: Sequence[Any]) -> Sequence[Value]:
    """Ids and sequence ids: all tokens one after the other, cut where rows end."""
    made: list[Value] = []
    for rows in given:
        ids = [number for row in rows for number in row]
        numbers = [document for document, row in enumerate(rows) for _ in row]
        missing = -len(ids) % LENGTH
        made.append([_cut(ids + [0] * missing), _cut([*numbers, *[None] * missing])])
    return made


def _cut(values: Sequence[Value]) -> list[Value]:
    return [values[start : start + LENGTH] for start in range(0, len(values), LENGTH)]


WORKLOADS = declared("packing", {"documents": Case(documents, packed, tokens)})


def test_packing(measurement: Callable[[], None]) -> None:
    measurement()
