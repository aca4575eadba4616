"""How fast text is normalized."""

from collections.abc import Callable

from .definitions import normalized
from .workloads import Case, declared, document, sentences

WORKLOADS = declared(
    "normalizer",
    {
        "sentences": Case(sentences, normalized),
        "document": Case(document, normalized),
        "scripts": Case(sentences, normalized),
    },
)


def test_normalizer(measurement: Callable[[], None]) -> None:
    measurement()
