"""Configurations of the normalizer, and the code points to sweep over."""

from functools import cache

from hypothesis import strategies as st

from goldpiece.suite.scope import Depth, Scope
from goldpiece.suite.values import Value

from .. import unicode14
from .unicode import covers, texts

SWITCHES = ("clean_text", "handle_chinese_chars", "strip_accents", "lowercase")
CHOICES: dict[str, list[Value]] = {name: [True, False] for name in SWITCHES}
CHOICES["strip_accents"] = [None, True, False]


def configurations(scope: Scope) -> st.SearchStrategy[dict[str, Value]]:
    """All switches, set in any way that the subject takes."""
    return st.fixed_dictionaries({name: st.sampled_from(scope.values(name, CHOICES[name])) for name in SWITCHES})


def only(scope: Scope, *stages: str) -> dict[str, Value]:
    """The configuration in which these stages alone are on, as nearly as the subject takes it."""
    return {name: scope.values(name, [name in stages])[0] for name in SWITCHES}


def is_isolated(config: dict[str, Value], *stages: str) -> bool:
    """Whether these stages alone are on."""
    return all(value is (name in stages) for name, value in config.items())


def code_points(scope: Scope, everywhere: bool = False) -> tuple[int, ...]:
    """Every code point that the profile covers; at quick depth the long runs without a character only at their ends."""
    assert scope.profile is not None
    return _code_points(scope.profile, scope.depth is Depth.QUICK and not everywhere)


@cache
def _code_points(profile: str, ends_only: bool) -> tuple[int, ...]:
    blank = frozenset(unicode14.of("Cn", "Co")) if ends_only else frozenset()
    reach = 64

    def is_inside(point: int) -> bool:
        return all(near in blank for near in (point - reach, point, point + reach))

    return tuple(point for point in range(0x110000) if covers(profile, point) and not is_inside(point))


@st.composite
def related_texts(draw: st.DrawFn, scope: Scope) -> list[str]:
    """Several texts, most of which begin alike."""
    beginning = draw(texts(scope))
    tails = draw(st.lists(texts(scope), min_size=1, max_size=3))
    return draw(st.permutations([beginning, *(beginning + tail for tail in tails), *tails]))


def telling_texts(scope: Scope) -> st.SearchStrategy[str]:
    """Text with something for every stage: a control or white space, an ideograph, an accent, a capital."""
    something = [
        st.sampled_from(["\t", "\x01", "\u00ad"]),
        st.sampled_from("中漢豈"),
        st.sampled_from("éǖ각"),
        st.sampled_from("AΣЖ"),
    ]
    return st.tuples(*something, texts(scope)).flatmap(st.permutations).map("".join)
