"""How fast a long sequence is cut into windows. The input is the tokens of a document, each time the same."""

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from goldpiece.suite.values import Value

from .definitions import tokens_of
from .workloads import Case, Material, declared, given, words_put_in

WINDOW = given("truncation", "windows")


def document(material: Material) -> Sequence[Value]:
    return [tokens_of(material, material.document)] if material.sentences else []


def windows(_: Material, given: Sequence[Any]) -> Sequence[Value]:
    """The tokens of each window, which goes on with the last of the one before."""
    positions = import_module("goldpiece.properties.oracles.truncation").windows
    return [
        [
            [tokens[place] for place in window]
            for window in positions(len(tokens), WINDOW["max_length"], WINDOW["stride"], "right")
        ]
        for tokens in given
    ]


WORKLOADS = declared("truncation", {"windows": Case(document, windows, words_put_in)})


def test_truncation(measurement: Callable[[], None]) -> None:
    measurement()
