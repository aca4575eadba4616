"""How fast text becomes ids and ids become text: the whole path, framed, to a list of ids and from one."""

from collections.abc import Callable, Sequence
from typing import Any

from goldpiece.reference.tokenizer import SPECIAL_TOKENS
from goldpiece.suite.values import Value

from .bench_wordpiece import letters
from .definitions import framed_ids, joined
from .workloads import Case, Material, declared, document, sentences, words_put_in, words_put_out


def batch(material: Material) -> Sequence[Value]:
    """All sentences at once."""
    return [list(material.sentences)] if material.sentences else []


def adversarial(material: Material) -> Sequence[Value]:
    """A tenth of a document of words in each of which every piece is found last."""
    word = letters(material)
    return [" ".join([word] * max(1, material.effort.document // 10 // len(word)))]


def ids_of_batch(material: Material, batches: Sequence[Any]) -> Sequence[Value]:
    return [framed_ids(material, texts) for texts in batches]


def ids_in_rows(_: Value, output: Any) -> int:
    return sum(map(len, output))


def ids_of_sentences(material: Material) -> Sequence[Value]:
    return framed_ids(material, material.sentences)


def text_of_ids(material: Material, rows: Sequence[Any]) -> Sequence[Value]:
    tokens = [[material.vocab[number] for number in row] for row in rows]
    return joined(material, [[token for token in row if token not in SPECIAL_TOKENS] for row in tokens])


WORKLOADS = declared(
    "tokenizer",
    {
        "sentences": Case(sentences, framed_ids, words_put_out),
        "document": Case(document, framed_ids, words_put_out),
        "scripts": Case(sentences, framed_ids, words_put_out),
        "adversarial": Case(adversarial, framed_ids, words_put_out),
        "batch": Case(batch, ids_of_batch, ids_in_rows),
        "decode": Case(ids_of_sentences, text_of_ids, words_put_in),
        "bert-base-uncased": Case(sentences, framed_ids, words_put_out),
    },
)


def test_tokenizer(measurement: Callable[[], None]) -> None:
    measurement()
