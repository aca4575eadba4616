"""How fast rows are filled up. An input is a batch of the ids of sentences."""

from collections.abc import Callable, Sequence
from typing import Any

from goldpiece.suite.values import Value

from .definitions import framed_ids
from .workloads import Case, Material, declared

ROWS = 32


def batches(material: Material) -> Sequence[Value]:
    ids = framed_ids(material, material.sentences)
    return [ids[start : start + ROWS] for start in range(0, len(ids), ROWS)]


def padded(_: Material, given: Sequence[Any]) -> Sequence[Value]:
    """Ids and attention masks, column by column."""
    made: list[Value] = []
    for rows in given:
        columns = range(max(map(len, rows)))
        made.append(
            [
                [[row[column] if column < len(row) else 0 for column in columns] for row in rows],
                [[int(column < len(row)) for column in columns] for row in rows],
            ]
        )
    return made


def tokens(given: Value, _: Value) -> int:
    """How many ids the rows have, padding not counted."""
    rows: Any = given
    return sum(map(len, rows))


WORKLOADS = declared("padding", {"batches": Case(batches, padded, tokens)})


def test_padding(measurement: Callable[[], None]) -> None:
    measurement()
