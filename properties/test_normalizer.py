"""The laws of spec/normalizer.yaml, for any implementation."""

import re
from collections.abc import Callable, Mapping, Sequence

from goldpiece.suite.component import Component, Instance
from goldpiece.suite.law import expect, law
from goldpiece.suite.scope import Scope
from goldpiece.suite.values import Value, show

from .oracles.normalizer import definition
from .strategies.normalizer import SWITCHES, configurations, is_isolated, only, telling_texts
from .strategies.unicode import (
    code_points,
    combining_runs,
    related_texts,
    some_of_each_class,
    spaced_texts,
    texts,
    texts_with_runs,
)
from .sweeps import sweep


def sweep_alone_and_between(
    model: Instance, points: Sequence[int], expected: Callable[[str], str], everywhere: Sequence[int] = ()
) -> None:
    """Each code point by itself, and between two letters."""
    for frame in ("{0}", "a{0}b"):
        sweep(frame, points, model.normalize, expected, everywhere)


def sweep_stage(normalizer: Component, scope: Scope, stage: str, concerned: Sequence[int]) -> None:
    """Sweeps with one stage on: over every code point if it can stand alone, else over those that it concerns."""
    config = only(scope, stage)
    alone = is_isolated(config, stage)
    sweep_alone_and_between(
        normalizer(**config),
        code_points(scope) if alone else concerned,
        lambda text: normalized(scope, text, config),
        code_points(scope, everywhere=True) if alone else (),
    )


def normalized(scope: Scope, text: str, config: Mapping[str, Value]) -> str:
    """What the definition makes of a text."""
    return definition(scope).normalize(text, **config)  # type: ignore[arg-type]


@law("normalizer.deletes")
def deletes(normalizer: Component, scope: Scope) -> None:
    sweep_stage(normalizer, scope, "clean_text", sorted(definition(scope).deleted))


@law("normalizer.white-space")
def white_space(normalizer: Component, scope: Scope) -> None:
    config = only(scope, "clean_text")
    spaces = sorted(definition(scope).spaces)
    sweep_alone_and_between(normalizer(**config), spaces, lambda text: normalized(scope, text, config))
    in_a_row = "".join(map(chr, spaces)) * 2
    expect(normalizer(**config).normalize(in_a_row), " " * len(in_a_row))


@law("normalizer.ideographs")
def ideographs(normalizer: Component, scope: Scope) -> None:
    sweep_stage(normalizer, scope, "handle_chinese_chars", sorted(definition(scope).ideographs))


@law("normalizer.strips-accents")
def strips_accents(normalizer: Component, scope: Scope) -> None:
    concerned = sorted(definition(scope).marks | set(definition(scope).decompositions))
    sweep_stage(normalizer, scope, "strip_accents", concerned)


@law("normalizer.canonical-order", text=combining_runs)
def canonical_order(normalizer: Component, scope: Scope, text: str) -> None:
    config = only(scope, "strip_accents")
    expect(normalizer(**config).normalize(text), normalized(scope, text, config))


@law("normalizer.lowercase")
def lowercase(normalizer: Component, scope: Scope) -> None:
    sweep_stage(normalizer, scope, "lowercase", sorted(definition(scope).capitals))


@law("normalizer.final-sigma")
def final_sigma(normalizer: Component, scope: Scope) -> None:
    """Every pair of what may stand before a sigma and after it: cased, looked past, neither."""
    config = only(scope, "lowercase")
    cased, past, neither = "aΑ\u0345\u1e9e𝐀", ".'\u00b7\u0301\u00ad\u02b0^", " 1中-\n"
    beside = ["", *cased, *past, *neither, *(one + two for one in past for two in cased + past + neither)]
    every = [f"{before}Σ{after}" for before in beside for after in beside]
    model = normalizer(**config)
    for text, result in zip(every, model.batch("normalize", [[text] for text in every]), strict=True):
        if result != normalized(scope, text, config):
            expect(model.normalize(text), normalized(scope, text, config))


@law("normalizer.accents-follow-lowercase", text=texts, config=configurations)
def accents_follow_lowercase(normalizer: Component, text: str, config: dict[str, Value]) -> None:
    unset = config | {"strip_accents": None}
    said = config | {"strip_accents": config["lowercase"]}
    expected = normalizer(**said).normalize(text)
    expect(normalizer(**unset).normalize(text), expected, note="what strip_accents set to the value of lowercase gives")


@law("normalizer.switches", text=telling_texts, config=configurations)
def switches(normalizer: Component, scope: Scope, text: str, config: dict[str, Value]) -> None:
    expect(normalizer(**config).normalize(text), normalized(scope, text, config))


@law("normalizer.any-text", text=texts)
def any_text(normalizer: Component, scope: Scope, text: str) -> None:
    config = only(scope, *SWITCHES)
    expect(normalizer(**config).normalize(text), normalized(scope, text, config))


@law("normalizer.any-text")
def every_code_point(normalizer: Component, scope: Scope) -> None:
    """All stages together, at every code point."""
    config = only(scope, *SWITCHES)
    everywhere = code_points(scope, everywhere=True)
    sweep_alone_and_between(
        normalizer(**config), code_points(scope), lambda text: normalized(scope, text, config), everywhere
    )


@law("normalizer.any-text")
def any_length(normalizer: Component, scope: Scope) -> None:
    """A text longer than any draw, of characters of all classes: buffers overflow where short text does not reach."""
    assert scope.profile is not None
    config = only(scope, *SWITCHES)
    text = some_of_each_class(scope, 70_000)
    expect(normalizer(**config).normalize(text), normalized(scope, text, config))


@law("normalizer.chunks", first=texts, second=texts, config=configurations)
def chunks(normalizer: Component, first: str, second: str, config: dict[str, Value]) -> None:
    model = normalizer(**config)
    parts = [model.normalize(first), model.normalize(second)]
    expect(model.normalize(f"{first} {second}"), " ".join(map(str, parts)), note="the parts normalized one by one")


@law("normalizer.settles", text=telling_texts, config=configurations)
def settles(normalizer: Component, scope: Scope, text: str, config: dict[str, Value]) -> None:
    model = normalizer(**config)
    once = str(model.normalize(text))
    twice = str(model.normalize(once))
    if twice != once:
        expect(closed_up(scope, twice), closed_up(scope, once), note="without the spaces around ideographs")


def closed_up(scope: Scope, text: str) -> str:
    """The text without spaces that stand beside an ideograph or an end."""
    known = definition(scope).ideographs
    words = re.split("( +)", text)
    for place in range(1, len(words), 2):
        before, after = words[place - 1][-1:], words[place + 1][:1]
        if any(ord(char) in known for char in before + after):
            words[place] = ""
    return "".join(words)


@law("normalizer.simple-form", text=spaced_texts)
def simple_form(normalizer: Component, scope: Scope, text: str) -> None:
    expect(normalizer().normalize(text), definition(scope).simple_form(text))


@law("normalizer.simple-form", text=texts)
def simple_form_of_any(normalizer: Component, scope: Scope, text: str) -> None:
    expect(normalizer().normalize(text), definition(scope).simple_form(text))


@law("normalizer.simple-form")
def simple_form_of_each(normalizer: Component, scope: Scope) -> None:
    sweep_alone_and_between(normalizer(), code_points(scope), definition(scope).simple_form)


@law("normalizer.idempotent", text=spaced_texts)
def idempotent(normalizer: Component, text: str) -> None:
    model = normalizer()
    once = model.normalize(text)
    expect(model.normalize(once), once)


@law("normalizer.alignment", text=texts_with_runs, config=configurations)
def alignment(normalizer: Component, scope: Scope, text: str, config: dict[str, Value]) -> None:
    sources = definition(scope).sources(text, **config)
    expected: Value = {"text": normalized(scope, text, config), "sources": sources}
    expect(normalizer(**config).answer("align", text), expected)


@law("normalizer.pure", several=related_texts)
def pure(normalizer: Component, scope: Scope, several: list[str]) -> None:
    """A fresh instance knows nothing of what was asked before; where instances share, a word put before it helps."""
    model = normalizer()
    for text in [*several, *several]:
        note = f"it was asked for these, one after the other: {show(several)}"
        fresh = normalizer().normalize(text)
        expect(model.normalize(text), fresh, note)
        behind = str(normalizer().normalize(f"qq {text}")).removeprefix("qq")
        unmarked = behind.strip(" ") if scope.profile == "simple" else behind.removeprefix(" ")
        expect(model.normalize(text), unmarked, f"the same text behind another word; {note}")
    alone: Value = [model.normalize(text) for text in several]
    expect(model.batch("normalize", [[text] for text in several]), alone, note="given together, and each alone")
