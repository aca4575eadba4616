"""Tables of merges and words made for each other: over random tables hardly any merge would be made."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from hypothesis import strategies as st

from goldpiece.suite.scope import Scope
from goldpiece.suite.values import Value

from . import once

UNKNOWN = "<unk>"
BYTES = [f"<0x{byte:02X}>" for byte in range(256)]

# Few letters at a time, so that pairs overlap; among them all that a model might treat in a way of its own.
ALPHABETS = ("ab", "a", "abc", "Ġa", "éa", "e\u0301", "中文", "😀\u200d", "a ", "\x00a", "\n\ta", "▁a", "\U0010ffffa")
STRANGE = "xé中😀"  # none of them is in a table that lacks letters: see `lacking`

# Pairs that a careless comparison takes for the same.
ALIKE = [
    *[("a", "A"), ("σ", "ς"), ("i", "ı"), ("K", "\u212a"), ("é", "e\u0301"), ("ﬁ", "fi"), ("a", "ａ")],
    *[("a", "a "), ("a", "\u00a0a"), ("a\x00b", "a\x00c"), ("a", "a\u200d")],
]


@dataclass(frozen=True)
class Case:
    """A table, the parameters, and a word that fits them or nearly does."""

    vocab: list[str]
    merges: list[tuple[str, str]]
    word: str
    parameters: dict[str, Value] = field(default_factory=dict)

    @property
    def config(self) -> dict[str, Value]:
        table: dict[str, Value] = {"vocab": self.vocab, "merges": [list(pair) for pair in self.merges]}
        return table | self.parameters

    def of(self, word: str) -> "Case":
        """The same with another word."""
        return replace(self, word=word)

    def under(self, **parameters: Value) -> "Case":
        """The same with more parameters."""
        return replace(self, parameters=self.parameters | parameters)


def _alphabets(scope: Scope) -> tuple[str, ...]:
    return ALPHABETS + (("a\ud800",) if scope.surrogates else ())


def ways(entries: Sequence[str]) -> set[tuple[str, str]]:
    """The pairs of entries that make an entry. Where these are the merges, ranks of entries say the same."""
    known = set(entries)
    cuts = ((entry[:place], entry[place:]) for entry in entries for place in range(1, len(entry)))
    return {pair for pair in cuts if known.issuperset(pair)}


@st.composite
def cases(draw: st.DrawFn, scope: Scope, in_order: bool | None = None, mark: str = "", apart: bool = False) -> Case:
    """A table and a word of its letters.

    Four tables in five are plain: no two merges make one entry, and no neighbours that are no merge make any. These
    are what a subject takes that knows ranks of entries alone.
    `in_order`: whether each merge stands behind those that make its parts, as a trainer writes them; None for either.
    `mark` ends words: the last letters carry it, or it is a letter of its own that nothing follows.
    """
    letters = list(
        dict.fromkeys("".join(draw(once.lists(once.sampled_from(_alphabets(scope)), min_size=1, max_size=2))))
    )
    ends = [mark] if apart else [letter + mark for letter in letters]
    symbols = letters + (ends if mark else [])
    merges: dict[tuple[str, str], None] = {}
    is_plain = draw(once.integers(0, 4)) > 0
    for _ in range(draw(once.integers(0, 8))):
        opens = [symbol for symbol in symbols if not (mark and symbol.endswith(mark))]
        pair = (draw(once.sampled_from(opens[-6:])), draw(once.sampled_from(symbols[-6:])))
        if is_plain and ways([*symbols, "".join(pair)]) != {*merges, pair}:
            continue
        merges[pair] = None
        symbols = list(dict.fromkeys([*symbols, "".join(pair)]))
    listed = list(merges)
    if in_order is None:
        listed = draw(st.one_of(st.just(listed), st.permutations(listed)))
    word = draw(once.text("".join(letters), min_size=draw(once.sampled_from([1, 3, 6])), max_size=12))
    made = [symbol.removesuffix(mark) for symbol in symbols if len(symbol) > 1]
    from_parts = draw(st.booleans())
    if made and from_parts:
        word = "".join(draw(once.lists(once.sampled_from([*made, *letters]), min_size=1, max_size=4)))
    return Case(draw(st.permutations(symbols)), listed, word)


def words(scope: Scope) -> st.SearchStrategy[Case]:
    """Cases in any order of merges."""
    return cases(scope)


def trained(scope: Scope) -> st.SearchStrategy[Case]:
    """Cases as a trainer makes them."""
    return cases(scope, in_order=True)


@st.composite
def in_conflict(draw: st.DrawFn, scope: Scope) -> Case:
    """Three letters of which the middle one can go either way, the right first.

    In tables that are not plain they are an entry as well, which they never become.
    """
    case = draw(cases(scope, in_order=True))
    first, middle, last = draw(st.permutations("pqr"))
    more = [(middle, last), (first, middle)]
    if ways(case.vocab) != set(case.merges):
        more.append((first + middle, last))
    around = draw(once.sampled_from(["{0}", "{1}{0}", "{0}{0}"]))
    word = around.format(first + middle + last, case.word)
    entries = [*case.vocab, *"pqr", *("".join(pair) for pair in more)]
    return Case(list(dict.fromkeys(entries)), [*more, *case.merges], word)


@st.composite
def in_a_row(draw: st.DrawFn, scope: Scope) -> Case:  # noqa: ARG001
    """A letter many times, and merges of it with itself."""
    letter = draw(once.sampled_from("aé中😀"))
    merges = [(letter, letter), (letter * 2, letter * 2), (letter * 2, letter)][: draw(once.integers(1, 3))]
    count = draw(once.integers(2, 20))
    entries = [letter, *("".join(pair) for pair in merges)]
    return Case(draw(st.permutations(entries)), merges, letter * count)


@st.composite
def out_of_order(draw: st.DrawFn, scope: Scope) -> Case:  # noqa: ARG001 (a strategy is a function of the scope)
    """A merge of a low rank takes what one of a higher rank makes, which stands in the word at least twice."""
    first, second = draw(st.permutations("ab中é"))[:2]
    whole = first + second
    takes = draw(st.sampled_from([(whole, first), (whole, whole)]))
    times = draw(st.integers(2, 5))
    entries = [first, second, whole, "".join(takes)]
    return Case(draw(st.permutations(entries)), [takes, (first, second)], whole * times)


@st.composite
def reaching_back(draw: st.DrawFn, scope: Scope) -> Case:
    """A merge of a high rank makes what one of the lowest takes together with a letter before it."""
    case = draw(cases(scope, in_order=True))
    merges = [("p", "qr"), ("q", "r"), *case.merges]
    entries = [*case.vocab, "p", "q", "r", "qr", "pqr"]
    return Case(list(dict.fromkeys(entries)), merges, case.word + "pqr" * draw(st.integers(1, 2)))


@st.composite
def beside_entries(draw: st.DrawFn, scope: Scope) -> Case:
    """The word is an entry that no merge makes, and so are parts of it, the last two letters among them."""
    case = draw(cases(scope, in_order=True))
    places = draw(st.tuples(once.integers(0, len(case.word)), once.integers(0, len(case.word))))
    made = {"".join(pair) for pair in case.merges}
    parts = [case.word + "z", case.word[min(places) : max(places)] + "z", case.word[-1] + "z"]
    entries = [*case.vocab, "z", *(part for part in parts if len(part) > 1 and part not in made)]
    return replace(case, vocab=list(dict.fromkeys(entries)), word=case.word + "z")


def _needing_unknown(case: Case) -> st.SearchStrategy[str]:
    """Words of letters that the table of a case lacks, alone and in rows, and of what it has."""
    strange = "".join(letter for letter in STRANGE if letter not in case.vocab)
    part = st.one_of(
        once.text(strange, min_size=1, max_size=3), st.just(case.word), once.sampled_from(case.vocab).filter(bool)
    )
    parts = st.tuples(once.text(strange, max_size=2), st.lists(part, min_size=1, max_size=4).map("".join))
    return parts.map(lambda drawn: "".join(drawn) + strange[0])


@st.composite
def with_unknowns(draw: st.DrawFn, scope: Scope, fuse: bool | None = None) -> Case:
    """Letters that the table lacks, alone and in rows, and a token for them."""
    case = draw(cases(scope, in_order=True))
    own = Case([*case.vocab, UNKNOWN], case.merges, draw(_needing_unknown(case)), {"unk_token": UNKNOWN})
    return own if fuse is None else own.under(fuse_unk=fuse)


def unknowns(scope: Scope) -> st.SearchStrategy[Case]:
    """Unknown characters that stay apart."""
    scope.required("unk_token", [UNKNOWN])
    return with_unknowns(scope)


def fused(scope: Scope) -> st.SearchStrategy[Case]:
    """Unknown characters that are fused in rows."""
    scope.required("unk_token", [UNKNOWN])
    scope.required("fuse_unk", [True])
    return with_unknowns(scope, fuse=True)


@st.composite
def without_unknown(draw: st.DrawFn, scope: Scope) -> tuple[Case, str]:
    """A word that needs a token for the unknown, which is not named or not in the table; and one that needs none."""
    case = draw(cases(scope, in_order=True))
    is_named = draw(st.sampled_from(scope.values("unk_token", [None, UNKNOWN]))) is not None
    needy = case.of(draw(_needing_unknown(case)))
    named = needy.under(unk_token=UNKNOWN) if is_named else replace(needy, vocab=[*case.vocab, UNKNOWN])
    return named, case.word


@st.composite
def with_bytes(draw: st.DrawFn, scope: Scope) -> Case:
    """Letters that the table lacks, where it has all bytes, those of one letter, or only some of these."""
    scope.required("byte_fallback", [True])
    scope.required("unk_token", [UNKNOWN])
    case = draw(cases(scope, in_order=True))
    strange = [letter for letter in "éж中😀" if letter not in case.vocab]
    of_one = [f"<0x{byte:02X}>" for byte in strange[0].encode()]
    kept = draw(st.sampled_from([of_one, BYTES, of_one[:-1], of_one[1:]]))
    part = st.sampled_from([*strange, strange[0], case.word, f"{strange[1]}{strange[0]}"])
    word = "".join(draw(st.lists(part, min_size=1, max_size=5))) + draw(st.sampled_from(["", strange[1] + strange[0]]))
    return Case([*case.vocab, UNKNOWN, *kept], case.merges, word, {"unk_token": UNKNOWN, "byte_fallback": True})


@st.composite
def as_wholes(draw: st.DrawFn, scope: Scope) -> Case:
    """Words that are entries, or end in one, where entries go before merges."""
    scope.required("ignore_merges", [True])
    case = draw(beside_entries(scope))
    word = draw(st.sampled_from([case.word, case.word, case.word * 2, case.word[0] + case.word]))
    return case.of(word).under(ignore_merges=True)


def ending(scope: Scope) -> st.SearchStrategy[Case]:
    """Words whose last letter carries a mark."""
    marks = [str(mark) for mark in scope.required("end_of_word", ["</w>", "$"])]
    return st.sampled_from(marks).flatmap(
        lambda mark: cases(scope, in_order=True, mark=mark).map(lambda case: case.under(end_of_word=mark))
    )


def ending_apart(scope: Scope) -> st.SearchStrategy[Case]:
    """Words behind which a mark stands as a symbol of its own."""
    scope.required("end_of_word_apart", [True])
    marks = [str(mark) for mark in scope.required("end_of_word", ["</w>", "$"])]
    return st.sampled_from(marks).flatmap(
        lambda mark: cases(scope, in_order=True, mark=mark, apart=True).map(
            lambda case: case.under(end_of_word=mark, end_of_word_apart=True)
        )
    )


@st.composite
def variants(draw: st.DrawFn, scope: Scope) -> tuple[Case, str]:
    """A word that is one piece, and one like it that is unknown letter by letter, or in part."""
    scope.required("unk_token", [UNKNOWN])
    word, other = draw(st.permutations(draw(st.sampled_from(ALIKE))))
    merges = [(word[:place], word[place]) for place in range(1, len(word))]
    entries = [*dict.fromkeys(word), *("".join(pair) for pair in merges), UNKNOWN]
    # A subject may know no other way than to fuse them, and here they may as well be.
    (fuse,) = scope.values("fuse_unk", [True])
    return Case(list(dict.fromkeys(entries)), merges, word, {"unk_token": UNKNOWN, "fuse_unk": fuse}), other


@st.composite
def broken_tables(draw: st.DrawFn, scope: Scope) -> Case:
    """A table that lacks a part of a merge, and a word that does not need it."""
    case = draw(cases(scope, in_order=True))
    first, second, added = draw(
        st.sampled_from([("p", "q", ["p", "pq"]), ("p", "q", ["q", "pq"]), ("p", "q", ["p", "q"])])
    )
    place = draw(st.integers(0, len(case.merges)))
    merges = [*case.merges[:place], (first, second), *case.merges[place:]]
    return Case([*case.vocab, *added], merges, draw(st.sampled_from([case.word, "", *added[:1]])))


@st.composite
def sequences(draw: st.DrawFn, scope: Scope) -> tuple[Case, list[str]]:
    """One table and several words, some of which begin alike."""
    case = draw(cases(scope))
    letters = [entry for entry in case.vocab if len(entry) == 1]
    tails = draw(st.lists(st.sampled_from([*letters, case.word]), min_size=1, max_size=4))
    several = [case.word, *(case.word + tail for tail in tails), *(tail + case.word for tail in tails)]
    return case, draw(st.permutations([*several, *several[:2]]))


def dropping(scope: Scope) -> st.SearchStrategy[Case]:
    """Cases with dropout."""
    rates: Sequence[Value] = scope.required("dropout", [0.1, 0.5, 0.9])
    return st.tuples(trained(scope), st.sampled_from(rates)).map(lambda drawn: drawn[0].under(dropout=drawn[1]))
