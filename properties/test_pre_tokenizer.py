"""The laws of spec/pre_tokenizer.yaml, for any implementation."""

from functools import partial

from goldpiece.suite.component import Component, Instance
from goldpiece.suite.law import expect, law
from goldpiece.suite.scope import Scope
from goldpiece.suite.values import Value, show

from .oracles.pre_tokenizer import definition
from .strategies.unicode import code_points, related_texts, some_of_each_class, texts
from .sweeps import sweep


def words(model: Instance, text: str) -> Value:
    """What the subject makes of a text, as the definition writes it."""
    answer = model.answer("pre_tokenize", text)
    return {"tokens": answer["tokens"], "offsets": answer["offsets"]}


FRAME = "a{0}b{0}{0}c"  # a code point by itself, and in a row of two


@law("pre_tokenizer.white-space")
def white_space(pre_tokenizer: Component, scope: Scope) -> None:
    known = definition(scope)
    of_any_profile = {point for table in scope.spec.tables["white-space"].values() for point in table}
    ask = partial(words, pre_tokenizer())
    sweep(FRAME, sorted(of_any_profile), ask, known.words)
    in_a_row = "".join(map(chr, sorted(known.white_space)))
    expect(words(pre_tokenizer(), f"a{in_a_row}b"), known.words(f"a{in_a_row}b"))


@law("pre_tokenizer.punctuation")
def punctuation(pre_tokenizer: Component, scope: Scope) -> None:
    known = definition(scope)
    sweep(FRAME, sorted(known.punctuation), partial(words, pre_tokenizer()), known.words)


@law("pre_tokenizer.nothing-lost")
def every_code_point(pre_tokenizer: Component, scope: Scope) -> None:
    ask = partial(words, pre_tokenizer())
    sweep(FRAME, code_points(scope), ask, definition(scope).words, code_points(scope, everywhere=True))


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
    """A fresh instance knows nothing of what was asked before; where instances share, a word put before it helps."""
    model = pre_tokenizer()
    for text in [*several, *several]:
        note = f"it was asked for these, one after the other: {show(several)}"
        fresh = words(pre_tokenizer(), text)
        expect(words(model, text), fresh, note)
        behind = pre_tokenizer().answer("pre_tokenize", f"qq {text}")["tokens"]
        assert isinstance(behind, list)
        expect(model.answer("pre_tokenize", text)["tokens"], behind[1:], f"the same text behind another word; {note}")
    alone: Value = [words(model, text) for text in several]
    together: Value = [dict(each) for each in model.answers("pre_tokenize", [[text] for text in several])]
    expect(together, alone, note="given together, and each alone")
