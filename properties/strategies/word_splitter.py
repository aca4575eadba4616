"""Text of words, marks and white space in all scripts, with what lowercasing treats in a way of its own."""

from functools import cache

from hypothesis import strategies as st

from goldpiece.suite.scope import Scope
from goldpiece.suite.values import Value

from .. import unicode14
from . import once
from .unicode import FRAGMENTS, SURROGATES

UNITS: list[Value] = ["white_space", "words", "words_and_marks", "characters"]

# A sigma between all that decides whether it is final; a capital that becomes two characters.
CASES = ("ΑΣ", "ΣΑ", "Σ", "ΑΣ'Α", "ΑΣ'", "ΑΣ.Β", "ΑΣ\u0301 Α", "Α Σ", "İ", "aİb", "ǅ", "ẞ", "K", "ΑΣİΣ")

# Beside words and between them: connectors that are no low line, joiners, marks, digits of other kinds.
EDGES = ("_", "\u203f", "\u200b", "\u200d", "\u0301", "\u093f", "²", "½", "Ⅷ", "①", "٣", "'", "\u2019", "-", "€", "😀")

SPACES = tuple(map(chr, (0x20, 0x09, 0x0A, 0x1C, 0x1F, 0x85, 0xA0, 0x1680, 0x2028, 0x202F, 0x3000)))


@cache
def _characters() -> st.SearchStrategy[str]:
    groups = [
        unicode14.of(category)
        for category in ("Lu", "Ll", "Lt", "Lm", "Lo", "M", "Nd", "Nl", "No", "P", "S", "Z", "Cc", "Cf")
    ]
    return st.one_of(*map(st.sampled_from, groups)).map(chr)


def texts(scope: Scope) -> st.SearchStrategy[str]:
    """Text that falls into several tokens; shrinks towards short and ASCII."""
    assigned = [each for each in FRAGMENTS if all(ord(char) in unicode14.assigned() for char in each)]
    kinds: list[st.SearchStrategy[str]] = [
        st.sampled_from(["a", "B", " ", "don't"]),
        st.sampled_from(SPACES),
        st.sampled_from(EDGES),
        st.sampled_from(CASES),
        st.sampled_from(assigned),
        _characters(),
        *([st.sampled_from(SURROGATES).map(chr)] if scope.surrogates else []),
    ]
    return st.lists(once.evenly(kinds), max_size=12).map("".join)


def units(scope: Scope) -> st.SearchStrategy[Value]:
    """The units that the subject takes."""
    return st.sampled_from(scope.values("unit", UNITS))


def cases(scope: Scope) -> st.SearchStrategy[Value]:
    """Whether text is lowercased, as far as the subject lets one choose."""
    return st.sampled_from(scope.values("lowercase", [True, False]))


def no_units(scope: Scope) -> st.SearchStrategy[str]:
    """Names that are near those of units, and others."""
    scope.chosen()
    near = st.sampled_from(["", "word", "Words", "words ", "white space", "WORDS", "chars", "marks", "None"])
    return st.one_of(near, st.text("wordschar_ ", max_size=12).filter(lambda name: name not in UNITS))
