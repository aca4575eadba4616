"""How fast text is cut into words."""

from collections.abc import Callable

from .definitions import words
from .workloads import NO_LATENCY, Workload, document, sentences, words_put_out

WORKLOADS = (
    Workload("sentences", "pre_tokenizer", "pre_tokenize", "topics", sentences, words, words_put_out),
    Workload("document", "pre_tokenizer", "pre_tokenize", "topics", document, words, words_put_out, figures=NO_LATENCY),
    Workload("scripts", "pre_tokenizer", "pre_tokenize", "generated", sentences, words, words_put_out),
)


def test_pre_tokenizer(measurement: Callable[[], None]) -> None:
    measurement()
