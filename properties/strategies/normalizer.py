"""Configurations of the normalizer, and text for each of its stages."""

from hypothesis import strategies as st

from goldpiece.suite.scope import Scope
from goldpiece.suite.values import Value

from .unicode import texts

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


def telling_texts(scope: Scope) -> st.SearchStrategy[str]:
    """Text with something for every stage: a control or white space, an ideograph, an accent, a capital."""
    something = [
        st.sampled_from(["\t", "\x01", "\u00ad"]),
        st.sampled_from("中漢豈"),
        st.sampled_from("éǖ각"),
        st.sampled_from("AΣЖ"),
    ]
    return st.tuples(*something, texts(scope)).flatmap(st.permutations).map("".join)
