"""How fast batches are masked. An input is a batch of rows of ids, each of one width and framed, without padding."""

from collections.abc import Callable, Sequence
from typing import cast

from goldpiece.suite.values import Value

from .definitions import masks, tokens_of
from .workloads import Case, Material, declared, given

WIDTH, SHORT_WIDTH = 512, 32  # a row of BERT, and one for a look at whether it works
ROWS = 32


def batch(material: Material) -> Sequence[Value]:
    """The text row behind row, as much of it as a batch holds; a short text is taken again."""
    width, many = (WIDTH if material.effort.wide else SHORT_WIDTH), ROWS * material.effort.scale
    ids = {token: number for number, token in enumerate(material.vocab)}
    found = [ids[token] for sentence in material.sentences for token in tokens_of(material, sentence)]
    inner = width - 2
    flat = (found * (1 + many * inner // max(1, len(found))))[: many * inner] if found else []
    rows = [flat[place : place + inner] for place in range(0, len(flat), inner)]
    return [[[ids["[CLS]"], *row, ids["[SEP]"]] for row in rows]] if rows else []


def tokens_put_in(rows: Value, _: Value) -> int:
    """How many tokens a batch has."""
    return sum(len(row) for row in cast(Sequence[Sequence[int]], rows))


def case(name: str) -> Case:
    """The batch, masked as the spec declares it of the workload."""
    return Case(batch, masks(given("masking", name)), tokens_put_in)


NAMES = ("subwords", "whole-words", "subwords-bert", "whole-words-bert", "spans-bert")
WORKLOADS = declared("masking", {name: case(name) for name in NAMES})


def test_masking(measurement: Callable[[], None]) -> None:
    measurement()
