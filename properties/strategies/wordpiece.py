"""Vocabularies and words made for each other: random words over random vocabularies would be [UNK] nearly always."""

from dataclasses import dataclass, field

from hypothesis import strategies as st

from goldpiece.suite.scope import Scope
from goldpiece.suite.values import Value

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


def spellings(scope: Scope) -> st.SearchStrategy[str]:
    """Non-empty strings over one small alphabet."""
    alphabets = st.sampled_from(ALPHABETS + (("a\ud800",) if scope.surrogates else ()))
    return alphabets.flatmap(lambda letters: st.text(letters, min_size=1, max_size=4))


@st.composite
def cases(
    draw: st.DrawFn,
    scope: Scope,
    prefixes: tuple[str, ...] = ("##",),
    unknowns: tuple[str, ...] = ("[UNK]",),
    with_unknown: bool = True,
    odd_entries: tuple[str, ...] = (),
) -> Case:
    """A vocabulary over one or two alphabets, and a word of its pieces with or without a slip."""
    prefix, unk_token = draw(st.sampled_from(prefixes)), draw(st.sampled_from(unknowns))
    alphabets = ALPHABETS + (("a\ud800",) if scope.surrogates else ())
    letters = "".join(draw(st.lists(st.sampled_from(alphabets), min_size=1, max_size=2)))
    piece = st.text(letters, min_size=1, max_size=4)
    starts = draw(st.lists(piece, min_size=1, max_size=5))
    continuations = draw(st.lists(piece, max_size=6))
    odd = draw(st.lists(st.sampled_from(odd_entries), max_size=3)) if odd_entries else []
    entries = [*starts, *(prefix + each for each in continuations), *odd]
    vocab = draw(st.permutations(list(dict.fromkeys(entries))))
    if with_unknown and unk_token not in vocab:
        vocab = [unk_token, *vocab]
    parts = [draw(st.sampled_from(starts))]
    if continuations:
        parts += draw(st.lists(st.sampled_from(continuations), max_size=4))
    word = draw(_slip("".join(parts), letters, prefix))
    if not with_unknown:
        vocab = [entry for entry in vocab if entry != unk_token]
    parameters: dict[str, Value] = {}
    if prefix != "##":
        parameters["prefix"] = prefix
    if unk_token != "[UNK]":
        parameters["unk_token"] = unk_token
    return Case(vocab, word, parameters)


def _slip(word: str, letters: str, prefix: str) -> st.SearchStrategy[str]:
    """The word as it is, mostly; else with a letter too many or too few, or behind the prefix."""
    place = st.integers(0, len(word))
    return st.one_of(
        st.just(word),
        st.just(word),
        place.map(lambda at: word[:at] + word[at + 1 :]),
        st.tuples(place, st.sampled_from(letters + "x")).map(lambda slip: word[: slip[0]] + slip[1] + word[slip[0] :]),
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
    prefixes = [each for each in PREFIXES if each != "##"]
    return cases(scope, prefixes=tuple(map(str, scope.required("prefix", prefixes))))


def words_with_unknowns(scope: Scope) -> st.SearchStrategy[Case]:
    """Cases with other unknown tokens than the default; the default's name is an entry like any other."""
    unknowns = [each for each in UNKNOWNS if each != "[UNK]"]
    taken = tuple(map(str, scope.required("unk_token", unknowns)))
    return cases(scope, unknowns=taken, odd_entries=("[UNK]",))


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
    return Case(draw(st.permutations(["[UNK]", start, start + more, f"##{more}{rest}"])), start + more + rest)


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
    limit = draw(st.sampled_from(scope.values("max_input_chars", [100, 1, 2, 7, 99, 101, 200])))
    assert isinstance(limit, int)
    letter = draw(st.sampled_from("aé中𝔘😀\u0301"))
    parameters: dict[str, Value] = {} if limit == 100 else {"max_input_chars": limit}
    return Case(["[UNK]", letter, f"##{letter}"], letter * limit, parameters), limit


@st.composite
def sequences(draw: st.DrawFn, scope: Scope) -> tuple[Case, list[str]]:
    """One vocabulary and several words, some of which begin alike."""
    case = draw(cases(scope))
    tails = st.sampled_from(["", "a", "b", "x", "##", case.word])
    others = draw(st.lists(tails.map(lambda tail: case.word + tail), min_size=1, max_size=5))
    return case, draw(st.permutations([case.word, *others, *others]))
