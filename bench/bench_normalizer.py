"""How fast text is normalized."""

from collections.abc import Callable

from .definitions import normalized
from .workloads import NO_LATENCY, Workload, document, sentences

WORKLOADS = (
    Workload("sentences", "normalizer", "normalize", "topics", sentences, normalized),
    Workload("document", "normalizer", "normalize", "topics", document, normalized, figures=NO_LATENCY),
    Workload("scripts", "normalizer", "normalize", "generated", sentences, normalized),
)


def test_normalizer(measurement: Callable[[], None]) -> None:
    measurement()
