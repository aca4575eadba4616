"""Tables of bytes with merges of what texts hold, and such texts."""

from dataclasses import dataclass, field, replace

from hypothesis import strategies as st

from goldpiece.suite.scope import Scope
from goldpiece.suite.values import Value

from ..oracles.byte_level import CHARACTER
from . import once
from .byte_level import patterns, texts

BYTES = list(CHARACTER.values())

# Each makes an entry that no other two make, so that ranks alone, as tiktoken keeps them, say the same.
MERGES = (
    *[("Ġ", "a"), ("Ġa", "b"), ("Ã", "©"), ("ä", "¸"), ("ä¸", "Ń"), ("Ġ", "Ġ"), ("ĠĠ", "ĠĠ"), ("'", "s"), ("l", "l")],
    *[
        ("h", "e"),
        ("he", "ll"),
        ("hell", "o"),
        ("1", "2"),
        ("12", "3"),
        ("Ċ", "Ċ"),
        ("Ċ", "Ġ"),
        ("ð", "Ł"),
        ("ðŁ", "ĺ"),
    ],
    *[("S", "S"), ("SS", "SS"), ("!", "!"), ("<", "|"), ("e", "Ì"), ("Ġä", "½")],
    # What some patterns cut, or all.
    *[("b", "Ġ"), ("o", "!"), ("'", "S"), ("!", "Ċ"), ("a", "B"), ("3", "4"), ("b", "1")],
)
WORDS = (
    *(
        "hello",
        " ab",
        "é",
        "中",
        " 中",
        "    ",
        "'s",
        "123",
        "\n\n",
        "\n ",
        "😀",
        "SSSS",
        "!!",
        "<|",
        "aé中😀",
        "e\u0301",
    ),
    *("ab ab", "hello!!", "x'S", "!!\n", "aB", "1234", "ab1", "b'S!\naB"),
)
SPECIAL = ["<|endoftext|>", "<s>", "a<s>", "[MASK]", " x "]
BESIDE = [*SPECIAL, " <s>", "<s> ", "a <|endoftext|> b"]
FAR = [-1, 2**31, 2**32, 2**63]


@dataclass(frozen=True)
class Case:
    """A table, the parameters, and a text."""

    merges: list[tuple[str, str]]
    text: str
    parameters: dict[str, Value] = field(default_factory=dict)
    first: tuple[str, ...] = tuple(BYTES)  # the entries that are single bytes

    @property
    def vocab(self) -> list[str]:
        return [*self.first, *map("".join, self.merges)]

    @property
    def config(self) -> dict[str, Value]:
        table: dict[str, Value] = {"vocab": self.vocab, "merges": [list(pair) for pair in self.merges]}
        return table | self.parameters

    @property
    def with_other_ids(self) -> "Case":
        """The same merges, with single bytes in another order."""
        return replace(self, first=self.first[::-1])

    @property
    def special(self) -> list[str]:
        given = self.parameters.get("special_tokens", [])
        assert isinstance(given, list)
        return given

    @property
    def all_tokens(self) -> list[str]:
        return list(dict.fromkeys([*self.vocab, *self.special]))

    def of(self, text: str) -> "Case":
        return replace(self, text=text)

    def under(self, **parameters: Value) -> "Case":
        return replace(self, parameters=self.parameters | parameters)


@st.composite
def cases(draw: st.DrawFn, scope: Scope, special: bool = False) -> Case:
    """Some of the merges, those that make a part before those that take it, and a text that they fit."""
    wanted = draw(
        once.lists(once.sampled_from(MERGES), min_size=draw(once.sampled_from([0, 4, 8])), max_size=16, unique=True)
    )
    made = set(BYTES)
    merges = []
    for pair in MERGES if len(wanted) % 2 else wanted:
        if pair in wanted and made.issuperset(pair):
            merges.append(pair)
            made.add("".join(pair))
    kinds = (once.sampled_from(WORDS), once.sampled_from(WORDS), texts(scope), *([once.sampled_from(BESIDE)] * special))
    text = "".join(draw(once.lists(once.evenly(kinds), max_size=6)))
    given: dict[str, Value] = {}
    if (pattern := draw(patterns(scope))) != "gpt2":
        given["pattern"] = pattern
    if special:
        given["special_tokens"] = draw(once.lists(once.sampled_from(SPECIAL), min_size=1, max_size=3, unique=True))
    return Case(merges, text, given)


@st.composite
def parted(draw: st.DrawFn, scope: Scope) -> Case:
    """Merges that one pattern lets be made and another does not, and texts where they could be, by a faulty one too."""
    merges = [("'", "S"), ("'", "s"), ("!", "Ċ"), ("Ċ", "Ċ"), ("a", "B"), ("1", "2"), ("12", "3"), ("3", "4")]
    parts = ["x'S", "x's", "\t's", "\n's", "!!\n", "a\n\n", "é\n\n", "\n\n\n", "aB", "1234", "ab ab"]
    text = "".join(draw(once.lists(once.sampled_from(parts), min_size=2, max_size=5)))
    return Case([*merges, ("b", "Ġ")], text, {"pattern": draw(patterns(scope))})


@st.composite
def spaced(draw: st.DrawFn, scope: Scope) -> Case:
    """Tokens that begin or end in spaces, or are nothing else."""
    case = draw(cases(scope))
    merges = [("Ġ", "Ġ"), ("ĠĠ", "ĠĠ"), ("Ġ", "a"), ("Ċ", "Ġ"), ("ĊĠ", "Ġ")]
    text = "".join(draw(once.lists(once.sampled_from([" a", "a", "   ", "\n  ", " "]), max_size=4)))
    return replace(case, merges=merges, text=text + case.text)


@st.composite
def in_two(draw: st.DrawFn, scope: Scope) -> tuple[Case, str]:
    """A text and its pair, whose ends would be merged if they stood together."""
    case, pair = draw(cases(scope)), draw(cases(scope))
    merges = [*case.merges, *([] if ("S", "S") in case.merges else [("S", "S")])]
    return replace(case, merges=merges, text=case.text + "S"), "S" + pair.text


def with_special(scope: Scope) -> st.SearchStrategy[Case]:
    """Cases with special tokens, also in the text."""
    scope.required("special_tokens", [["<s>"]])
    return cases(scope, special=True)


@st.composite
def with_made(draw: st.DrawFn, scope: Scope) -> Case:
    """Cases in which merges make special tokens, on the way to others too, or single bytes are such."""
    scope.required("special_tokens", [["<s>"]])
    case = draw(cases(scope))
    merges = [("h", "e"), ("he", "ll"), ("hell", "o"), ("l", "l"), ("1", "2"), ("12", "3"), ("S", "S"), ("SS", "SS")]
    made = ["".join(pair) for pair in merges]
    byte = draw(once.sampled_from([(), ("x",), ("l",)]))
    special: Value = [*byte, *draw(once.lists(once.sampled_from(made), min_size=1, max_size=3, unique=True))]
    part = once.sampled_from(["he", "hell", "hello", "ll", "12", "123", "SSS", "SSSS", " ", "x"])
    text = "".join(draw(once.lists(part, min_size=1, max_size=5)))
    return replace(case, merges=merges, text=text + "xl").under(special_tokens=special)


def any_cases(scope: Scope) -> st.SearchStrategy[Case]:
    """Cases with special tokens where the subject takes them."""
    taken = scope.values("special_tokens", [["<s>"]]) == [["<s>"]]
    return st.booleans().flatmap(lambda special: cases(scope, special=special and taken))


@st.composite
def as_wholes(draw: st.DrawFn, scope: Scope) -> Case:
    """Words that are entries which no merge makes, where entries go before merges."""
    scope.required("ignore_merges", [True])
    case = draw(cases(scope))
    wholes = ["Ġhello", "hello", "Ġab", "SSSS", "123", "12"]
    entries = ["ab", *draw(st.lists(st.sampled_from(wholes), min_size=1, unique=True))]
    made = {"".join(pair) for pair in case.merges}
    more = [entry for entry in entries if entry not in made]
    parts = ["hello", " hello", "ab", " ab", "SSSS", "123", "!"]
    text = "".join(draw(st.lists(st.sampled_from(parts), max_size=5))) + draw(st.sampled_from(["", "", " abab"]))
    return replace(case, first=(*case.first, *more), text=text).under(ignore_merges=True)


@st.composite
def lacking(draw: st.DrawFn, scope: Scope) -> Case:
    """A table that lacks a byte of the text."""
    text = draw(texts(scope).filter(bool))
    content = text.encode()
    gone = CHARACTER[draw(st.sampled_from(sorted(set(content))))]
    return Case([], text, {}, tuple(byte for byte in BYTES if byte != gone))


def in_order(scope: Scope) -> st.SearchStrategy[tuple[Case, list[str]]]:
    """One table and several texts, some of which begin alike."""
    return st.tuples(cases(scope), st.lists(texts(scope), min_size=1, max_size=3)).map(
        lambda drawn: (drawn[0], [drawn[0].text, *(drawn[0].text + more for more in drawn[1]), *drawn[1]])
    )
