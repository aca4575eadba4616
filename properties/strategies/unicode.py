"""Text over all of Unicode, aimed at what implementations treat differently."""

import unicodedata
from collections.abc import Mapping
from functools import cache

from hypothesis import strategies as st

from goldpiece.suite.loader import load_specs
from goldpiece.suite.scope import Scope
from goldpiece.suite.spec import Depth, Spec

from .. import unicode14
from . import once

SURROGATES = range(0xD800, 0xE000)

# Whole pieces of text that a random draw would not find.
FRAGMENTS = (
    "👩\u200d👩\u200d👧",  # joined by ZWJ
    "🇩🇪",
    "✈\ufe0f",
    "ΟΔΟΣ",
    "ΑΣ\u0301.",
    "Σ’Σ",
    "I\u0307",
    "İstanbul",
    "각\u1100\u1161\u11a8",
    "ｶﾞガ",
    "a\u0315\u0300\u05ae\u0062",  # canonical ordering
    "\u302e\U0001d165\u0301",
    "\u0061\u035c\u0315\u0300\u05ae\u0300\u302a",
    "中文字",
    "\U0002b81d\U0002b820\U0002b91f\U0002b920",
    "\U0002b81e\U0002b81f",
    "\r\n",
    "  ",
    "क्\u200dष",
    "می\u200cخواهم",
    "ǖṩ",  # composed twice over
    "\x00",
    "don't",
    "[UNK]",
    "##a",
)


@cache
def classes(spec: Spec, profile: str) -> Mapping[str, list[int]]:
    """The classes of characters that text draws from evenly: a rare one is drawn as often as a common one."""
    tables = [table for by_profile in spec.tables.values() for table in by_profile.values()]
    edges = {end + step for table in tables for end in _ends(table) for step in (-1, 0, 1)}
    covered = [point for point in sorted(edges) if 0 <= point < 0x110000 and covers(profile, point)]
    return {name: points for name, points in (_classes(profile) | {"table edges": covered}).items() if points}


@cache
def _classes(profile: str) -> dict[str, list[int]]:
    """Those classes that are the same for all specs; the table edges have their place among them."""
    normalizer = load_specs().named("normalizer")
    everywhere = {
        "ascii": list(range(0x20, 0x7F)),
        "controls": [*unicode14.of("Cc", "Cf"), 0, 0xFFFD],
        "white space": [*unicode14.of("Z"), *map(ord, "\t\n\r\x0b\x85")],
        "marks": unicode14.of("M"),
        "capitals": unicode14.of("Lu", "Lt"),
        "composed": [point for point in unicode14.of("L") if unicode14.decomposition(chr(point)) != chr(point)],
        "ideographs": list(normalizer.table("ideographs", "google")),
        "hangul": [*range(0x1100, 0x1200), *range(0xAC00, 0xD7A4)],
        "punctuation and symbols": unicode14.of("P", "S"),
        "beyond the first plane": [point for point in unicode14.assigned() if point > 0xFFFF],
        "table edges": [],
        "private use": unicode14.of("Co"),
        "unassigned": [*unicode14.of("Cn"), *normalizer.table("newer-capitals", "hf")],
    }
    return {name: [point for point in points if covers(profile, point)] for name, points in everywhere.items()}


def covers(profile: str | None, point: int) -> bool:
    """Whether the profile covers a code point: `hf` all but surrogates, the others what Unicode 14.0 assigns."""
    return point not in SURROGATES and (profile == "hf" or point in unicode14.assigned())


def characters(scope: Scope) -> st.SearchStrategy[str]:
    """One character of any class; a lone surrogate if the subject's text may hold one."""
    assert scope.profile is not None
    return _characters(scope.spec, scope.profile, scope.surrogates)


@cache
def _characters(spec: Spec, profile: str, surrogates: bool) -> st.SearchStrategy[str]:
    """Made once: a strategy looks over all the values that it samples from, and these are many."""
    kinds = [st.sampled_from(points) for points in classes(spec, profile).values()]
    return st.one_of(*kinds, *([st.sampled_from(SURROGATES)] if surrogates else [])).map(chr)


def texts(scope: Scope) -> st.SearchStrategy[str]:
    """Text of characters of all classes and of fragments; shrinks towards short and ASCII."""
    assert scope.profile is not None
    return _texts(scope.spec, scope.profile, scope.surrogates)


@cache
def _texts(spec: Spec, profile: str, surrogates: bool) -> st.SearchStrategy[str]:
    """Made once: composites ask for it in each draw, and Hypothesis looks over all that is new."""
    fragments = [each for each in FRAGMENTS if all(covers(profile, ord(char)) for char in each)]
    kinds = (st.sampled_from("abZ "), _characters(spec, profile, surrogates), st.sampled_from(fragments))
    return st.lists(once.evenly(kinds), max_size=12).map("".join)


def spaced_texts(scope: Scope) -> st.SearchStrategy[str]:
    """Words between runs of white space, also at the ends."""
    assert scope.profile is not None
    space = st.one_of(st.just(" "), st.sampled_from(classes(scope.spec, scope.profile)["white space"]).map(chr))
    runs = st.text(space, max_size=4)
    words = st.one_of(st.sampled_from(["a", "B", "中"]), characters(scope))
    return st.lists(st.tuples(runs, words).map("".join), max_size=5).flatmap(
        lambda parts: runs.map("".join(parts).__add__)
    )


def combining_runs(scope: Scope) -> st.SearchStrategy[str]:
    """Letters that carry several marks in any order: those of differing class have to be sorted, those of one must not.

    Classes are drawn evenly. A mark that stripping accents drops hides how it was sorted; most of those drawn stay.
    """
    assert scope.profile is not None
    staying: dict[int, list[str]] = {}
    for char in map(chr, classes(scope.spec, scope.profile)["marks"]):
        if unicode14.combining_class(char) and unicodedata.category(char) != "Mn":
            staying.setdefault(unicode14.combining_class(char), []).append(char)
    kept = [chr(point) for name in ("marks-kept", "order-kept") for point in scope.spec.table(name, scope.profile)]
    any_mark = st.sampled_from(classes(scope.spec, scope.profile)["marks"]).map(chr)
    mark = st.one_of(*map(st.sampled_from, staying.values()), *([st.sampled_from(kept)] if kept else []), any_mark)
    several = [chars for chars in staying.values() if len(chars) > 1]
    of_one_class = st.sampled_from(several).flatmap(
        lambda chars: st.text(st.sampled_from(chars), min_size=2, max_size=4)
    )
    few = st.lists(st.one_of(mark, of_one_class), min_size=2, max_size=4).map("".join)
    marks = st.one_of(few, st.tuples(few, st.sampled_from([1, 20, 50])).map(lambda drawn: drawn[0] * drawn[1]))
    run = st.tuples(st.sampled_from("aé각中"), marks).map("".join)
    return st.lists(run, min_size=1, max_size=3).map("".join)


@st.composite
def related_texts(draw: st.DrawFn, scope: Scope) -> list[str]:
    """Several texts, most of which begin alike."""
    beginning = draw(texts(scope))
    tails = draw(st.lists(texts(scope), min_size=1, max_size=3))
    return draw(st.permutations([beginning, *(beginning + tail for tail in tails), *tails]))


def code_points(scope: Scope, everywhere: bool = False) -> tuple[int, ...]:
    """Every code point that the profile covers; at quick depth the long runs without a character only at their ends."""
    assert scope.profile is not None
    return _code_points(scope.profile, scope.depth is Depth.QUICK and not everywhere)


@cache
def _code_points(profile: str, ends_only: bool) -> tuple[int, ...]:
    blank = frozenset(unicode14.of("Cn", "Co")) if ends_only else frozenset()
    reach = 64
    inside = {point for point in blank if point - reach in blank and point + reach in blank}
    everything = range(0x110000) if profile == "hf" else sorted(unicode14.assigned())
    return tuple(point for point in everything if point not in inside and point not in SURROGATES)


def some_of_each_class(scope: Scope, length: int) -> str:
    """A text at least that long, of characters of all classes: buffers overflow where short text does not reach."""
    assert scope.profile is not None
    some = "".join(chr(point) for points in classes(scope.spec, scope.profile).values() for point in points[:30])
    return some * (length // len(some) + 1)


def texts_with_runs(scope: Scope) -> st.SearchStrategy[str]:
    """Text, or letters with runs of marks, some of which may have lost their letter."""
    runs = combining_runs(scope)
    return st.one_of(texts(scope), runs, runs.map(lambda run: run[1:]))


def _ends(points: tuple[int, ...]) -> list[int]:
    """First and last of every run of consecutive code points."""
    known = frozenset(points)
    return [point for point in points if point - 1 not in known or point + 1 not in known]
