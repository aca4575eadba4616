"""How fast text is cut at added tokens. Of some there are many: one for each tool, field or time stamp of a model."""

from collections.abc import Callable, Sequence

from goldpiece.suite.values import Value

from .definitions import cut_at
from .workloads import Case, Material, declared, given, words_put_out

FEW: list[str] = given("added_tokens", "few")["tokens"]
MANY = [*FEW, *(f"<t{number}>" for number in range(100))]


def tagged(material: Material) -> Sequence[Value]:
    """Each sentence with a token before every eighth word."""
    return [" ".join(_with_tokens(sentence.split(" "))) for sentence in material.sentences]


def _with_tokens(words: Sequence[str]) -> Sequence[str]:
    return [f"{FEW[place // 8 % len(FEW)]}{word}" if place % 8 == 0 else word for place, word in enumerate(words)]


def cut_at_few(_: Material, texts: Sequence[Value]) -> Sequence[Value]:
    return cut_at(FEW, texts)


def cut_at_many(_: Material, texts: Sequence[Value]) -> Sequence[Value]:
    return cut_at(MANY, texts)


WORKLOADS = declared(
    "added_tokens",
    {
        "few": Case(tagged, cut_at_few, words_put_out),
        "many": Case(tagged, cut_at_many, words_put_out, {"tokens": MANY}),
    },
)


def test_added_tokens(measurement: Callable[[], None]) -> None:
    measurement()
