"""The laws of spec/word_splitter.yaml, for any implementation."""

from functools import partial

from goldpiece.suite.component import Component, Instance
from goldpiece.suite.law import expect, law
from goldpiece.suite.scope import Scope
from goldpiece.suite.spec import Depth
from goldpiece.suite.values import Value, show

from .oracles.word_splitter import Definition, edges
from .strategies.word_splitter import CASES, EDGES, SPACES, UNITS, cases, no_units, texts, units
from .sweeps import sweep

FRAME = "a{0}b{0}{0} {0}c"  # a character within a word, in a row of two, and before a word


def split(splitter: Instance, text: str) -> Value:
    """What the subject makes of a text, as the definition writes it."""
    answer = splitter.answer("split", text)
    return {"tokens": answer["tokens"], "offsets": answer["offsets"]}


def sweep_all(word_splitter: Component, scope: Scope, unit: str) -> None:
    """The characters that Unicode 14.0 assigns, as they are written: lowercasing has laws of its own.

    At quick depth those beside which another kind stands, and some of the others; else all.
    """
    lowercase = scope.values("lowercase", [False])[0]
    config: dict[str, Value] = {"unit": scope.required("unit", [unit])[0], "lowercase": lowercase}
    points = edges(32 if scope.depth is Depth.QUICK else 1)
    sweep(FRAME, points, partial(split, word_splitter(**config)), Definition(unit, bool(lowercase)).split, edges(1))


@law("word_splitter.white-space")
def white_space(word_splitter: Component, scope: Scope) -> None:
    sweep_all(word_splitter, scope, "white_space")


@law("word_splitter.words")
def words(word_splitter: Component, scope: Scope) -> None:
    sweep_all(word_splitter, scope, "words")


@law("word_splitter.words-and-marks")
def words_and_marks(word_splitter: Component, scope: Scope) -> None:
    sweep_all(word_splitter, scope, "words_and_marks")


@law("word_splitter.characters")
def characters(word_splitter: Component, scope: Scope) -> None:
    sweep_all(word_splitter, scope, "characters")


@law("word_splitter.lowercase", text=texts, unit=units)
def lowercase(word_splitter: Component, scope: Scope, text: str, unit: str) -> None:
    for lower in scope.values("lowercase", [False, True]):
        found = word_splitter(unit=unit, lowercase=lower).answer("split", text)["tokens"]
        right = Definition(unit, bool(lower)).split(text)
        assert isinstance(right, dict)
        expect(found, right["tokens"], note=f"lowercase = {show(lower)}")


@law("word_splitter.offsets", text=texts, unit=units, lowercase=cases)
def offsets(word_splitter: Component, text: str, unit: str, lowercase: bool) -> None:
    answer = word_splitter(unit=unit, lowercase=lowercase).answer("split", text)
    right = Definition(unit, lowercase).split(text)
    assert isinstance(right, dict)
    expect(answer["offsets"], right["offsets"], note=f"the tokens are {show(answer['tokens'])}")


@law("word_splitter.unknown-unit", unit=no_units)
def unknown_unit(word_splitter: Component, unit: str) -> None:
    expect(dict(word_splitter(unit=unit).answer("split", "a b")), {"error": "unknown-unit"})


@law("word_splitter.any-length")
def any_length(word_splitter: Component, scope: Scope) -> None:
    """A text longer than any draw, and as many tokens as a buffer may hold."""
    some = " ".join([*(f"{edge}A{edge}" for edge in EDGES), *(case for case in CASES)]) + "".join(SPACES)
    for text in (some * (70_000 // len(some) + 1), "a " * 70_000):
        for unit in scope.values("unit", UNITS):
            assert isinstance(unit, str)
            lowercase = bool(scope.values("lowercase", [False])[0])
            expect(split(word_splitter(unit=unit, lowercase=lowercase), text), Definition(unit, lowercase).split(text))


@law("word_splitter.pure", first=texts, second=texts, unit=units)
def pure(word_splitter: Component, first: str, second: str, unit: str) -> None:
    """A fresh instance knows nothing of what was asked before."""
    splitter = word_splitter(unit=unit)
    texts_ = [first, second, first + second, first, second]
    for text in texts_:
        fresh = split(word_splitter(unit=unit), text)
        expect(split(splitter, text), fresh, note=f"it was asked for these, one after the other: {show(texts_)}")
    together: Value = [dict(each) for each in splitter.answers("split", [[text] for text in texts_])]
    expect(together, [split(splitter, text) for text in texts_], note="given together, and each alone")
