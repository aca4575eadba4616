"""Vocabularies and words made for each other: random words over random vocabularies would be [UNK] nearly always."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise

import hypothesis
from hypothesis import strategies as st

from goldpiece.suite.scope import Scope
from goldpiece.suite.values import Value

from . import once

PREFIXES = ["##", "@@", "", "▁", "é", "#"]
UNKNOWNS = ["[UNK]", "<unk>", "?", "##", "a", "\U0001f937"]

# Few letters at a time, so that entries overlap; among them all that a model might treat in a way of its own.
ALPHABETS = (
    "ab",
    "a#",
    "aA",
    "é\u0301",
    "中文",
    "각\u1100",
    "😀\u200d",
    "ſs",
    "\u00a0 ",
    "\x00a",
    "[]",
    "\U0010ffff\ue000",
    "İi",
)

# Pairs that a careless comparison takes for the same.
ALIKE = [
    *[("a", "A"), ("σ", "ς"), ("i", "ı"), ("K", "\u212a"), ("ss", "ß")],
    *[("é", "e\u0301"), ("각", "\u1100\u1161\u11a8"), ("fi", "ﬁ"), ("a", "ａ")],
    *[("a", "a "), ("a", "\u00a0a"), ("a", "a\n"), ("a", "a\u200d"), ("a\x00b", "a\x00c")],
]


@dataclass(frozen=True)
class Case:
    """A vocabulary, the parameters, and a word that fits them or nearly does."""

    vocab: list[str]
    word: str
    parameters: dict[str, Value] = field(default_factory=dict)

    @property
    def config(self) -> dict[str, Value]:
        return {"vocab": self.vocab} | self.parameters

    @property
    def prefix(self) -> str:
        return str(self.parameters.get("prefix", "##"))

    @property
    def unk_token(self) -> str:
        return str(self.parameters.get("unk_token", "[UNK]"))


def _alphabets(scope: Scope) -> tuple[str, ...]:
    return ALPHABETS + (("a\ud800",) if scope.surrogates else ())


def spellings(scope: Scope) -> st.SearchStrategy[str]:
    """Non-empty strings over one small alphabet."""
    return once.sampled_from(_alphabets(scope)).flatmap(lambda letters: once.text(letters, min_size=1, max_size=4))


@st.composite
def cases(
    draw: st.DrawFn,
    scope: Scope,
    prefixes: Sequence[Value] = ("##",),
    unknowns: Sequence[Value] = ("[UNK]",),
    with_unknown: bool = True,
    odd_entries: tuple[str, ...] = (),
) -> Case:
    """A word over one or two alphabets, a vocabulary of its parts and of noise, and the word with or without a slip."""
    prefix = str(draw(once.sampled_from(scope.values("prefix", prefixes))))
    unk_token = str(draw(once.sampled_from(scope.values("unk_token", unknowns))))
    letters = "".join(draw(once.lists(once.sampled_from(_alphabets(scope)), min_size=1, max_size=2)))
    word = draw(once.text(letters, min_size=draw(once.sampled_from([1, 3, 5])), max_size=8))
    places = once.integers(0, len(word))
    # Parts that make up the whole word, mostly; and others that overlap with them, so that entries compete.
    cuts = sorted({0, *draw(once.lists(places, max_size=3)), len(word)})
    spans = list(pairwise(cuts)) if draw(once.integers(0, 3)) else []
    spans += [(min(pair), max(pair)) for pair in draw(once.lists(_pairs(len(word)), max_size=5))]
    parts = [("" if start == 0 else prefix) + word[start:end] for start, end in spans if start < end]
    noise = once.text(letters, min_size=1, max_size=3)
    parts += draw(once.lists(once.joined(once.sampled_from(["", prefix]), noise), min_size=not parts, max_size=2))
    parts += draw(once.lists(once.sampled_from(odd_entries), max_size=3)) if odd_entries else []
    vocab = [entry for entry in dict.fromkeys(draw(st.permutations(parts))) if entry != unk_token]
    if with_unknown:
        vocab.insert(draw(once.integers(0, len(vocab))), unk_token)
    return Case(vocab, draw(_slip(word, letters, prefix)), _parameters(prefix, unk_token))


@cache
def _pairs(length: int) -> st.SearchStrategy[tuple[int, int]]:
    """Two places in a text of some length."""
    return st.tuples(st.integers(0, length), st.integers(0, length))


def _parameters(prefix: str, unk_token: str) -> dict[str, Value]:
    """Those that are not at their default."""
    said: dict[str, Value] = {} if prefix == "##" else {"prefix": prefix}
    return said if unk_token == "[UNK]" else said | {"unk_token": unk_token}


def _slip(word: str, letters: str, prefix: str) -> st.SearchStrategy[str]:
    """The word as it is, mostly; else with a letter too many or too few, or behind the prefix."""
    place = once.integers(0, len(word))
    return st.one_of(
        st.just(word),
        st.just(word),
        place.map(lambda at: word[:at] + word[at + 1 :]),
        st.tuples(place, once.sampled_from(letters + "x")).map(
            lambda slip: word[: slip[0]] + slip[1] + word[slip[0] :]
        ),
        st.just(prefix + word),
    )


def words(scope: Scope) -> st.SearchStrategy[Case]:
    """Cases with the default parameters."""
    return cases(scope)


def words_without_unknown(scope: Scope) -> st.SearchStrategy[Case]:
    """Cases whose vocabulary lacks the unknown token."""
    return cases(scope, with_unknown=False)


def words_with_prefixes(scope: Scope) -> st.SearchStrategy[Case]:
    """Cases with other prefixes than the default."""
    return cases(scope, prefixes=scope.required("prefix", [each for each in PREFIXES if each != "##"]))


def words_with_unknowns(scope: Scope) -> st.SearchStrategy[Case]:
    """Cases with other unknown tokens than the default; the default's name is an entry like any other."""
    unknowns = scope.required("unk_token", [each for each in UNKNOWNS if each != "[UNK]"])
    return st.one_of(cases(scope, unknowns=unknowns, odd_entries=("[UNK]",)), words_of_unknowns(scope, unknowns))


@st.composite
def words_of_unknowns(draw: st.DrawFn, scope: Scope, unknowns: Sequence[Value]) -> Case:
    """Words that begin with the unknown token, which is an entry like any other as well."""
    unk_token, rest = str(draw(st.sampled_from(unknowns))), draw(spellings(scope))
    return Case([unk_token, f"##{rest}"], unk_token + rest, {"unk_token": unk_token})


def words_beside_empty_entries(scope: Scope) -> st.SearchStrategy[Case]:
    """Cases whose vocabulary has entries that spell nothing, and now and then the empty word."""
    with_odd = cases(scope, odd_entries=("", "##"))
    of_empty = with_odd.map(lambda case: Case(case.vocab, "", case.parameters))
    unfinished = words_with_a_strange_letter(scope).map(lambda case: Case([*case.vocab, "", "##"], case.word))
    return st.one_of(with_odd, of_empty, unfinished)


def dead_ends(scope: Scope) -> st.SearchStrategy[Case]:
    """Words that begin with pieces of the vocabulary, and cannot be finished."""
    return st.one_of(words_with_a_strange_letter(scope), words_that_need_a_shorter_piece(scope))


@st.composite
def words_with_a_strange_letter(draw: st.DrawFn, scope: Scope) -> Case:
    """Words that go on, behind a piece of the vocabulary, with a letter that no entry has."""
    case = draw(cases(scope))
    tail = draw(st.sampled_from(["x", "é", "中", "\U0001f937", "##"]))
    vocab = [entry for entry in case.vocab if tail not in entry]
    start = next((entry for entry in vocab if entry != "[UNK]" and not entry.startswith("##")), "a")
    end = draw(st.sampled_from(["", start]))
    return Case(list(dict.fromkeys(["[UNK]", start, *vocab])), start + tail + end)


@st.composite
def words_that_need_a_shorter_piece(draw: st.DrawFn, scope: Scope) -> Case:
    """Words whose longest first piece leaves a rest without an entry, where a shorter one would not."""
    start, more, rest = draw(st.lists(spellings(scope), min_size=3, max_size=3, unique=True))
    rest += "y"  # no alphabet has it, so that nothing but the one entry ends so
    word, continuation = start + more + rest, f"##{more}{rest}"
    hypothesis.assume(continuation != word)  # which would be an entry that begins with the prefix, and fits
    return Case(draw(st.permutations(["[UNK]", start, start + more, continuation])), word)


@st.composite
def variants(draw: st.DrawFn, scope: Scope) -> tuple[Case, str]:
    """A word that is an entry, and one like it that is none."""
    word, other = draw(st.sampled_from(ALIKE))
    around = draw(spellings(scope))
    place = draw(st.sampled_from(["{0}", "{1}{0}", "{0}{1}"]))
    entry, looked_up = (place.format(each, around) for each in draw(st.permutations([word, other])))
    return Case(["[UNK]", entry], entry), looked_up


@st.composite
def at_the_limit(draw: st.DrawFn, scope: Scope) -> tuple[Case, int]:
    """A vocabulary that segments any number of one letter, and a limit: the default if the subject takes no other."""
    limit = draw(st.sampled_from(scope.values("max_input_chars", [1, 2, 7, 100, 99, 101, 200])))
    prefix = str(draw(st.sampled_from(scope.values("prefix", ["##", "@@@@"]))))
    unk_token = str(draw(st.sampled_from(scope.values("unk_token", ["[UNK]", "<unk>"]))))
    assert isinstance(limit, int)
    letter = draw(st.sampled_from("aé中𝔘😀\u0301"))
    parameters = _parameters(prefix, unk_token) | ({} if limit == 100 else {"max_input_chars": limit})
    return Case([unk_token, letter, prefix + letter], letter * limit, parameters), limit


@st.composite
def sequences(draw: st.DrawFn, scope: Scope) -> tuple[Case, list[str]]:
    """One vocabulary and several words, some of which begin alike."""
    case = draw(cases(scope))
    tails = st.sampled_from(["", "a", "b", "x", "##", case.word])
    others = draw(st.lists(tails.map(lambda tail: case.word + tail), min_size=1, max_size=5))
    return case, draw(st.permutations([case.word, *others, *others]))
