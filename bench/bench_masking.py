"""How fast batches are masked. An input is a batch of rows of ids, each of one width and framed, without padding."""

from collections.abc import Callable, Sequence
from typing import cast

from goldpiece.suite.values import Value

from .definitions import masks, tokens_of
from .workloads import NO_LATENCY, Material, Workload

WIDTH, SHORT_WIDTH = 512, 32  # a row of BERT, and one for a look at whether it works
ROWS = 32


def batch(material: Material) -> Sequence[Value]:
    """The text row behind row, as much of it as a batch holds; a short text is taken again."""
    width = WIDTH if material.effort.sentences >= WIDTH - ROWS else SHORT_WIDTH
    ids = {token: number for number, token in enumerate(material.vocab)}
    found = [ids[token] for sentence in material.sentences for token in tokens_of(material, sentence)]
    inner = width - 2
    flat = (found * (1 + ROWS * inner // max(1, len(found))))[: ROWS * inner] if found else []
    rows = [flat[place : place + inner] for place in range(0, len(flat), inner)]
    return [[[ids["[CLS]"], *row, ids["[SEP]"]] for row in rows]] if rows else []


def tokens_put_in(given: Value, _: Value) -> int:
    """How many tokens a batch has."""
    return sum(len(row) for row in cast(Sequence[Sequence[int]], given))


def workload(name: str, unit: str, budget: str) -> Workload:
    """One way to select."""
    config: dict[str, Value] = {"unit": unit, "budget": budget, "seed": 1}
    return Workload(
        name, "masking", "mask", "topics", batch, masks(config), tokens_put_in, config, True, figures=NO_LATENCY
    )


WORKLOADS = (
    workload("subwords", "subword", "bernoulli"),
    workload("whole words", "word", "bernoulli"),
    workload("subwords, bert", "subword", "bert"),
    workload("whole words, bert", "word", "bert"),
    workload("spans, bert", "span", "bert"),
)


def test_masking(measurement: Callable[[], None]) -> None:
    measurement()
