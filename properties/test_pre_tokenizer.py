"""The laws of spec/pre_tokenizer.yaml, for any implementation."""

from collections.abc import Sequence

from goldpiece.suite.component import Component, Instance
from goldpiece.suite.law import expect, law
from goldpiece.suite.scope import Scope
from goldpiece.suite.values import Value, show

from .oracles.pre_tokenizer import Definition, definition
from .strategies.unicode import code_points, related_texts, some_of_each_class, texts
from .sweeps import BLOCK, told


def words(model: Instance, text: str) -> Value:
    """What the subject makes of a text, as the definition writes it."""
    answer = model.answer("pre_tokenize", text)
    return {"tokens": answer["tokens"], "offsets": answer["offsets"]}


def sweep(model: Instance, known: Definition, points: Sequence[int]) -> None:
    """Holds a subject against the definition at each code point between letters, once by itself and once in a row of two.

    Whole blocks are compared first; where one differs, each of its code points is tried for itself.
    """
    failing: list[int] = []
    for start in range(0, len(points), BLOCK):
        block = points[start : start + BLOCK]
        together = " ".join(map(_between_letters, block))
        if words(model, together) == known.words(together):
            continue
        wrong = [
            point for point in block if words(model, _between_letters(point)) != known.words(_between_letters(point))
        ]
        if not wrong:
            expect(words(model, together), known.words(together), note="each of these alone is treated well")
        failing += wrong
    if failing:
        first = _between_letters(failing[0])
        expect(words(model, first), known.words(first), note=told(failing))


def _between_letters(point: int) -> str:
    return f"a{chr(point)}b{chr(point)}{chr(point)}c"


@law("pre_tokenizer.white-space")
def white_space(pre_tokenizer: Component, scope: Scope) -> None:
    known = definition(scope)
    of_any_profile = {point for table in scope.spec.tables["white-space"].values() for point in table}
    sweep(pre_tokenizer(), known, sorted(of_any_profile))
    in_a_row = "".join(map(chr, sorted(known.white_space)))
    expect(words(pre_tokenizer(), f"a{in_a_row}b"), known.words(f"a{in_a_row}b"))


@law("pre_tokenizer.punctuation")
def punctuation(pre_tokenizer: Component, scope: Scope) -> None:
    known = definition(scope)
    sweep(pre_tokenizer(), known, sorted(known.punctuation))


@law("pre_tokenizer.nothing-lost")
def every_code_point(pre_tokenizer: Component, scope: Scope) -> None:
    sweep(pre_tokenizer(), definition(scope), code_points(scope))


@law("pre_tokenizer.nothing-lost", text=texts)
def nothing_lost(pre_tokenizer: Component, scope: Scope, text: str) -> None:
    tokens = pre_tokenizer().answer("pre_tokenize", text)["tokens"]
    assert isinstance(tokens, list)
    kept = "".join(char for char in text if ord(char) not in definition(scope).white_space)
    expect("".join(map(str, tokens)), kept, note="the tokens put together, and the text without its white space")


@law("pre_tokenizer.offsets", text=texts)
def offsets(pre_tokenizer: Component, text: str) -> None:
    answer = pre_tokenizer().answer("pre_tokenize", text)
    tokens, spans = answer["tokens"], answer["offsets"]
    assert isinstance(tokens, list)
    assert isinstance(spans, list)
    expect([text[start:end] for start, end in spans], tokens, note=f"what the text holds between the offsets {spans}")
    places = [place for span in spans for place in span]
    expect(places, sorted(places), note="offsets in order")
    expect([start < end for start, end in spans], [True] * len(tokens), note="no token is empty")


@law("pre_tokenizer.any-length")
def any_length(pre_tokenizer: Component, scope: Scope) -> None:
    """A text longer than any draw, of characters of all classes, and as many words as a buffer may hold."""
    for text in (some_of_each_class(scope, 70_000), "a " * 70_000):
        expect(words(pre_tokenizer(), text), definition(scope).words(text))


@law("pre_tokenizer.chunks", first=texts, second=texts)
def chunks(pre_tokenizer: Component, first: str, second: str) -> None:
    model = pre_tokenizer()
    left, right = model.answer("pre_tokenize", first), model.answer("pre_tokenize", second)
    assert isinstance(left["tokens"], list)
    assert isinstance(right["tokens"], list)
    assert isinstance(left["offsets"], list)
    assert isinstance(right["offsets"], list)
    moved = [[start + len(first) + 1, end + len(first) + 1] for start, end in right["offsets"]]
    expected: Value = {"tokens": left["tokens"] + right["tokens"], "offsets": left["offsets"] + moved}
    expect(words(model, f"{first} {second}"), expected, note="the parts, pre-tokenized one by one")


@law("pre_tokenizer.pure", several=related_texts)
def pure(pre_tokenizer: Component, several: list[str]) -> None:
    model = pre_tokenizer()
    for text in [*several, *several]:
        fresh = words(pre_tokenizer(), text)
        expect(
            words(model, text), fresh, note=f"what a fresh instance gives; this one was asked before: {show(several)}"
        )
