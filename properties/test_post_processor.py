"""The laws of spec/post_processor.yaml, for any implementation."""

from typing import TypeAlias

from hypothesis import strategies as st

from goldpiece.suite.component import Component
from goldpiece.suite.law import expect, law
from goldpiece.suite.scope import Scope

from .strategies.tokens import optional_sequences, sequences

Tokens: TypeAlias = list[str]


def lengths(first: Tokens, second: Tokens | None) -> tuple[int, int]:
    """How many tokens belong to the first sequence with its frame, and how many to the second."""
    return len(first) + 2, 0 if second is None else len(second) + 1


@law("post_processor.single", first=sequences)
def single(post_processor: Component, first: Tokens) -> None:
    framed = post_processor().answer("process", first, None)
    expect(framed["tokens"], ["[CLS]", *first, "[SEP]"])
    expect(framed["type_ids"], [0] * (len(first) + 2))


@law("post_processor.pair", first=sequences, second=sequences)
def pair(post_processor: Component, first: Tokens, second: Tokens) -> None:
    for other in (second, []):
        expect(post_processor().answer("process", first, other)["tokens"], ["[CLS]", *first, "[SEP]", *other, "[SEP]"])


@law("post_processor.type-ids", first=sequences, second=optional_sequences)
def type_ids(post_processor: Component, first: Tokens, second: Tokens | None) -> None:
    zeros, ones = lengths(first, second)
    expect(post_processor().answer("process", first, second)["type_ids"], [0] * zeros + [1] * ones)


@law("post_processor.special-tokens-mask", first=sequences, second=optional_sequences)
def special_tokens_mask(post_processor: Component, first: Tokens, second: Tokens | None) -> None:
    behind = [] if second is None else [0] * len(second) + [1]
    expect(post_processor().answer("process", first, second)["special_tokens_mask"], [1, *[0] * len(first), 1, *behind])


@law("post_processor.attention-mask", first=sequences, second=optional_sequences)
def attention_mask(post_processor: Component, first: Tokens, second: Tokens | None) -> None:
    expect(post_processor().answer("process", first, second)["attention_mask"], [1] * sum(lengths(first, second)))


@law("post_processor.sequence-ids", first=sequences, second=optional_sequences)
def sequence_ids(post_processor: Component, first: Tokens, second: Tokens | None) -> None:
    behind = [] if second is None else [1] * len(second) + [None]
    expect(post_processor().answer("process", first, second)["sequence_ids"], [None, *[0] * len(first), None, *behind])


@law("post_processor.one-length", first=sequences, second=optional_sequences)
def one_length(post_processor: Component, first: Tokens, second: Tokens | None) -> None:
    framed = post_processor().answer("process", first, second)
    sizes = {name: len(values) for name, values in framed.items() if isinstance(values, list)}
    expect(sizes, dict.fromkeys(sizes, sum(lengths(first, second))), note="the length of each output")


def frames(scope: Scope) -> st.SearchStrategy[tuple[str, str]]:
    """Other tokens than the defaults; now and then the same for both."""
    tokens = [st.sampled_from(scope.required(name, ["<s>", "</s>", "a", "中"])) for name in ("cls_token", "sep_token")]
    return st.tuples(*tokens).map(lambda pair: (str(pair[0]), str(pair[1])))


@law("post_processor.tokens-as-parameters", frame=frames, first=sequences, second=optional_sequences)
def tokens_as_parameters(
    post_processor: Component, frame: tuple[str, str], first: Tokens, second: Tokens | None
) -> None:
    cls, sep = frame
    framed = post_processor(cls_token=cls, sep_token=sep).answer("process", first, second)
    expect(framed["tokens"], [cls, *first, sep, *([] if second is None else [*second, sep])])
