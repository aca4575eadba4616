"""Added tokens and text made for each other: tokens that compete for a place, and what matters beside them."""

from dataclasses import dataclass, field

from hypothesis import strategies as st

from goldpiece.suite.scope import Scope
from goldpiece.suite.values import Value

from . import once
from .wordpiece import ALIKE

# Tokens of a family begin alike, overlap, or lie within one another. None begins with white space.
FAMILIES = (
    ("<m>", "<m>m", "m", "m>", "<"),
    ("ab", "aba", "b", "bab", "a"),
    ("xy", "yzx", "zx", "x", "xyzxyz"),
    ("[MASK]", "[MASK]s", "[", "MASK", "]s"),
    ("😀", "😀\u200d", "\u200d😀", "\u200d😀😀"),
    ("é", "e", "e\u0301", "\u0301x"),
    ("中文", "中", "文中", "文"),
    ("a b", "b a", "a ", "b"),
)
SPACED = [" b", " <m>", "\n", " ", "\u3000\u3000", "\tab"]

SPACES = [" ", "  ", "\n", "\t ", "\u00a0", "\u2003\u3000", "\r\n", "\x85", " \u2029"]
WORDS = ["x", "Z9", "_", "\u0301", "中", "\u200d", "٣", "ⓐ"]  # word characters, of one kind each
OTHERS = [".", "-", "²", "\u200b", "😀", "€", "\x00", "##"]  # neither word character nor white space


@dataclass(frozen=True)
class Case:
    """Tokens, the lists of those that are found in a way of their own, and a text."""

    tokens: list[str]
    text: str
    lists: dict[str, list[str]] = field(default_factory=dict)

    @property
    def config(self) -> dict[str, Value]:
        return {"tokens": self.tokens, **self.lists}

    def has(self, name: str, token: str) -> bool:
        """Whether the list called `name` holds a token."""
        return token in self.lists.get(name, [])


@st.composite
def cases(draw: st.DrawFn, scope: Scope, *lists: str, spaced: bool = False) -> Case:
    """Tokens of one family, with others that begin with white space if `spaced`; some of them are on these lists."""
    family = once.sampled_from(draw(once.sampled_from(FAMILIES)))
    tokens = draw(once.lists(family, min_size=draw(once.sampled_from([1, 3])), max_size=5, unique=True))
    if spaced:
        tokens += draw(once.lists(once.sampled_from(SPACED), min_size=1, max_size=2, unique=True))
    known = {name: draw(once.lists(once.sampled_from(tokens), min_size=1, unique=True)) for name in lists}
    kinds = [once.sampled_from(kind) for kind in (tokens, tokens, SPACES, WORDS, OTHERS)]
    kinds.append(once.text("".join(tokens), min_size=1, max_size=5))  # where tokens overlap, or only begin
    text = "".join(draw(once.lists(once.evenly(kinds), min_size=draw(once.sampled_from([0, 3, 6])), max_size=10)))
    # A subject that does not know a list is held to the rest.
    return Case(tokens, text, {name: some for name, some in known.items() if scope.values(name, [some]) == [some]})


def plain(scope: Scope) -> st.SearchStrategy[Case]:
    """Tokens that are on no list, among them such as begin with white space."""
    return st.one_of(cases(scope), cases(scope, spaced=True), _overlapping(scope))


@st.composite
def _overlapping(draw: st.DrawFn, scope: Scope) -> Case:  # noqa: ARG001 (a strategy is a function of the scope)
    """A whole family in any order, and a text in which each token begins within another."""
    family = draw(once.sampled_from(FAMILIES))
    overlaps = [
        first + second[shared:]
        for first in family
        for second in family
        for shared in range(1, len(second))
        if first.endswith(second[:shared])
    ]
    parts = once.lists(once.sampled_from([*overlaps, max(family, key=len)]), min_size=1, max_size=3)
    return Case(draw(st.permutations(family)), "".join(draw(parts)))


def within_words(scope: Scope) -> st.SearchStrategy[Case]:
    """Some tokens are refused beside a word character."""
    scope.required("single_word", [["m"]])
    return cases(scope, "single_word")


def taking_white_space_before(scope: Scope) -> st.SearchStrategy[Case]:
    """Some tokens take the white space before them, and some are white space."""
    scope.required("lstrip", [["m"]])
    return st.one_of(cases(scope, "lstrip", "rstrip"), _behind_white_space(scope))


@st.composite
def _behind_white_space(draw: st.DrawFn, scope: Scope) -> Case:
    """Tokens that take the white space before them, behind others that are white space, or begin with some."""
    case = draw(cases(scope, "lstrip", spaced=True))
    spaced = once.sampled_from([token for token in case.tokens if token[0].isspace()])
    parts = [spaced, once.sampled_from(["", *SPACES]), once.sampled_from(case.lists["lstrip"])]
    return Case(case.tokens, case.text + "".join(map(draw, parts)), case.lists)


def taking_white_space_behind(scope: Scope) -> st.SearchStrategy[Case]:
    """Some tokens take the white space behind them; none begins with any."""
    scope.required("rstrip", [["m"]])
    return st.one_of(cases(scope, "rstrip"), cases(scope, "rstrip", "single_word"))


@st.composite
def abutting(draw: st.DrawFn, scope: Scope) -> Case:
    """Tokens that take the white space behind them, before others that begin with white space."""
    scope.required("rstrip", [["m"]])
    case = draw(cases(scope, "rstrip", "lstrip", "single_word", spaced=True))
    taking = once.sampled_from(case.lists["rstrip"])
    spaced = once.sampled_from([token for token in case.tokens if token[0].isspace()])
    parts = [taking, once.sampled_from(["", *SPACES]), spaced, once.sampled_from(["", ".", *WORDS])]
    return Case(case.tokens, case.text + "".join(map(draw, parts)), case.lists)


def special(scope: Scope) -> st.SearchStrategy[Case]:
    """Some tokens are special."""
    scope.required("special", [["m"]])
    return cases(scope, "special")


def refusable(scope: Scope) -> st.SearchStrategy[Case]:
    """Some tokens are refused beside a word character, others as special."""
    scope.required("single_word", [["m"]])
    return st.one_of(cases(scope, "single_word", "special"), _with_the_longest_refused(scope))


@st.composite
def _with_the_longest_refused(draw: st.DrawFn, scope: Scope) -> Case:
    """A token within a word, or a special one, where shorter ones would fit."""
    family, name = draw(st.sampled_from(FAMILIES)), draw(st.sampled_from(["single_word", "special"]))
    longest = max(family, key=len)
    beside = [draw(st.sampled_from(kind)) for kind in (WORDS, SPACES)]
    text = "".join(draw(st.permutations([longest, *beside, longest])))
    lists = {name: [longest]} if scope.values(name, [[longest]]) == [[longest]] else {}
    return Case(draw(st.permutations(family)), text, lists)


def of_every_kind(scope: Scope) -> st.SearchStrategy[Case]:
    """Tokens on any of the lists; none begins with white space."""
    return cases(scope, "single_word", "lstrip", "rstrip", "special")


def with_an_empty_one(scope: Scope) -> st.SearchStrategy[Case]:
    """An empty token among the others, or alone."""
    among = cases(scope).map(lambda case: Case(["", *case.tokens], case.text))
    return st.one_of(among, cases(scope).map(lambda case: Case([""], case.text)))


@st.composite
def look_alikes(draw: st.DrawFn, scope: Scope) -> Case:  # noqa: ARG001 (a strategy is a function of the scope)
    """A token, and a text that has it and what a careless comparison takes for it."""
    token, other = draw(st.sampled_from([*ALIKE, ("[MASK]", "[mask]"), ("[SEP]", "［SEP］"), ("<é>", "<e\u0301>")]))
    if draw(st.booleans()):
        token, other = other, token
    return Case([token], "".join(draw(st.permutations([token, other, other, ".", " "]))))


@st.composite
def sequences(draw: st.DrawFn, scope: Scope) -> tuple[Case, list[str]]:
    """Tokens of every kind, and several texts, some of which begin alike."""
    case = draw(of_every_kind(scope))
    tails = st.sampled_from(["", " ", "x", ".", *case.tokens])
    return case, draw(st.lists(tails.map(lambda tail: case.text + tail), min_size=1, max_size=3))
