"""The laws of spec/byte_level.yaml, for any implementation."""

from base64 import b64decode, b64encode
from collections.abc import Mapping
from functools import partial
from typing import cast

from hypothesis import strategies as st

from goldpiece.suite.component import Component, Instance
from goldpiece.suite.law import expect, law
from goldpiece.suite.scope import Scope
from goldpiece.suite.values import Value, show

from .oracles.byte_level import CHARACTER, content_of, in_alphabet, parts
from .oracles.byte_level import words as right_words
from .strategies.byte_level import (
    code_points,
    patterns,
    related_texts,
    strange_tokens,
    texts,
    texts_behind_spaces,
    token_lists,
    tokens_of_texts,
)
from .sweeps import sweep

GPT2 = "gpt2"  # for laws that no pattern makes a difference to
FRAME = (
    "a{0}b1{0}{0}' {0}\n{0}"  # a code point between letters, behind a digit, twice, and behind what may belong to it
)


def words(model: Instance, text: str) -> Value:
    """What the subject makes of a text, as the definition writes it."""
    answer = model.answer("pre_tokenize", text)
    return {name: answer[name] for name in ("tokens", "offsets") if name in answer}


def tokens_of(model: Instance, text: str) -> list[str]:
    return cast(list[str], model.answer("pre_tokenize", text)["tokens"])


@law("byte_level.alphabet")
def alphabet(byte_level: Component) -> None:
    """All 256 at once, and each alone."""
    model = byte_level(pattern=GPT2)
    alone = cast(list[str], model.batch("decode_bytes", [[[character]] for character in CHARACTER.values()]))
    found = [list(b64decode(content)) for content in alone]
    wrong: Value = [CHARACTER[byte] for byte, content in zip(CHARACTER, found, strict=True) if content != [byte]]
    expect(wrong, [], note="characters of the alphabet that stand for another byte")
    together = b64encode(bytes(CHARACTER)).decode("ascii")
    expect(model.decode_bytes(["".join(CHARACTER.values())]), together)


@law("byte_level.bytes-of-text", text=texts, pattern=patterns)
def bytes_of_text(byte_level: Component, text: str, pattern: str) -> None:
    expect("".join(tokens_of(byte_level(pattern=pattern), text)), in_alphabet(text.encode()))


def is_cut(byte_level: Component, pattern: str, text: str) -> None:
    """Raises Disagreement where the words are others than those of the pattern."""
    expect(words(byte_level(pattern=pattern), text), right_words(pattern, text))


def is_cut_everywhere(byte_level: Component, scope: Scope, pattern: str) -> None:
    """The same at every code point that the depth asks for."""
    sweep(FRAME, code_points(scope.depth), partial(words, byte_level(pattern=pattern)), partial(right_words, pattern))


@law("byte_level.gpt2", text=texts)
def gpt2(byte_level: Component, text: str) -> None:
    is_cut(byte_level, "gpt2", text)


@law("byte_level.gpt2")
def gpt2_everywhere(byte_level: Component, scope: Scope) -> None:
    is_cut_everywhere(byte_level, scope, "gpt2")


@law("byte_level.cl100k", text=texts)
def cl100k(byte_level: Component, scope: Scope, text: str) -> None:
    scope.required("pattern", ["cl100k"])
    is_cut(byte_level, "cl100k", text)


@law("byte_level.cl100k")
def cl100k_everywhere(byte_level: Component, scope: Scope) -> None:
    scope.required("pattern", ["cl100k"])
    is_cut_everywhere(byte_level, scope, "cl100k")


@law("byte_level.o200k", text=texts)
def o200k(byte_level: Component, scope: Scope, text: str) -> None:
    scope.required("pattern", ["o200k"])
    is_cut(byte_level, "o200k", text)


@law("byte_level.o200k")
def o200k_everywhere(byte_level: Component, scope: Scope) -> None:
    scope.required("pattern", ["o200k"])
    is_cut_everywhere(byte_level, scope, "o200k")


@law("byte_level.unknown-pattern", name=lambda _: st.sampled_from(["", "GPT2", "gpt2 ", "gpt3", "cl100k_base", ".*"]))
def unknown_pattern(byte_level: Component, scope: Scope, name: str) -> None:
    scope.required("pattern", [name])
    expect(dict(byte_level(pattern=name).answer("pre_tokenize", "a b")), {"error": "unknown-pattern"})


@law("byte_level.offsets", text=texts, pattern=patterns)
def offsets(byte_level: Component, text: str, pattern: str) -> None:
    answer = cast(Mapping[str, list[list[int]]], byte_level(pattern=pattern).answer("pre_tokenize", text))
    spans = answer["offsets"]
    held = [in_alphabet(text[start:end].encode()) for start, end in spans]
    expect(held, answer["tokens"], note=f"what the text holds at {spans}")
    edges = [0, *(end for _, end in spans)]
    expect([start for start, _ in spans], edges[: len(spans)], note="where tokens begin, and those before them end")


@law("byte_level.prefix-space", text=texts_behind_spaces, pattern=patterns)
def prefix_space(byte_level: Component, scope: Scope, text: str, pattern: str) -> None:
    scope.required("add_prefix_space", [True])
    found = words(byte_level(pattern=pattern, add_prefix_space=True), text)
    expect(found, right_words(pattern, text, prefix_space=True))


@law("byte_level.parts", text=texts, pattern=patterns)
def in_parts(byte_level: Component, text: str, pattern: str) -> None:
    model = byte_level(pattern=pattern)
    whole = cast(Mapping[str, list[list[int]]], model.answer("pre_tokenize", text))
    for start, _ in whole["offsets"]:
        if start and not text[start - 1].isspace():
            left, right = tokens_of(model, text[:start]), tokens_of(model, text[start:])
            expect(
                left + right,
                cast(Value, whole["tokens"]),
                note=f"cut at {start} into {show(text[:start])} and the rest",
            )


@law("byte_level.any-length")
def any_length(byte_level: Component, scope: Scope) -> None:
    """Longer than any draw, in runs on which a pattern may try many ways."""
    for pattern in scope.values("pattern", ["gpt2", "cl100k", "o200k"]):
        model = byte_level(pattern=pattern)
        for text in (
            "a" * 70_000,
            " " * 70_000 + "a",
            "\n " * 35_000,
            "!" * 70_000,
            "aB1 é中\n" * 10_000,
            "A" * 70_000,
        ):
            expect(words(model, text), right_words(str(pattern), text))


@law("byte_level.pure", several=related_texts)
def pure(byte_level: Component, several: list[str]) -> None:
    model = byte_level(pattern=GPT2)
    for text in [*several, *several]:
        fresh = words(byte_level(pattern=GPT2), text)
        expect(words(model, text), fresh, f"what a fresh instance gives; this one was asked for {show(several)}")


@law("byte_level.round-trip", text=texts, pattern=patterns)
def round_trip(byte_level: Component, text: str, pattern: str) -> None:
    model = byte_level(pattern=pattern)
    expect(model.decode(tokens_of(model, text)), text)


@law("byte_level.bytes-round-trip", text=texts, pattern=patterns)
def bytes_round_trip(byte_level: Component, text: str, pattern: str) -> None:
    model = byte_level(pattern=pattern)
    expect(model.decode_bytes(tokens_of(model, text)), b64encode(text.encode()).decode("ascii"))


@law("byte_level.malformed", tokens=token_lists)
def malformed(byte_level: Component, tokens: list[str]) -> None:
    expect(byte_level(pattern=GPT2).decode(tokens), content_of(tokens).decode("utf-8", "replace"))


@law("byte_level.other-characters", tokens=strange_tokens)
def other_characters(byte_level: Component, tokens: list[str]) -> None:
    expect(byte_level(pattern=GPT2).decode_bytes(tokens), b64encode(content_of(tokens)).decode("ascii"))


@law("byte_level.stream-joins", tokens=token_lists)
def stream_joins(byte_level: Component, tokens: list[str]) -> None:
    model = byte_level(pattern=GPT2)
    given = cast(list[str], model.stream(tokens))
    expect(len(given), len(tokens) + 1, note="how many parts there are")
    expect("".join(given), content_of(tokens).decode("utf-8", "replace"), note=f"the parts {show(given)}, joined")


@law("byte_level.stream-whole-characters", tokens=tokens_of_texts)
def stream_whole_characters(byte_level: Component, tokens: list[str]) -> None:
    expect(byte_level(pattern=GPT2).stream(tokens), cast(Value, parts(tokens)))
