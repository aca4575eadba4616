"""Corpora of few different tokens, so that ties and repetitions abound, special tokens and look-alikes among them."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from hypothesis import strategies as st

from goldpiece.suite.scope import Scope
from goldpiece.suite.values import Value

from ..oracles.vocabulary import Definition

WORDS = ("a", "b", "c", "d", "e")
SPECIAL = ("<pad>", "<unk>", "<s>")
ALIKE = ("A", "é", "e\u0301", "a ", "", " ", "\x00", "中", "😀", "ﬁ", "fi", "\u200d")
SPECIAL_TOKENS: list[Value] = [["<pad>", "<unk>"], ["<unk>"], ["<s>", "<unk>", "<pad>"]]


@dataclass(frozen=True)
class Case:
    """A corpus, the parameters, and tokens that are looked up."""

    corpus: list[str]
    parameters: dict[str, Value] = field(default_factory=dict)
    tokens: list[str] = field(default_factory=list)

    @property
    def config(self) -> dict[str, Value]:
        return {"corpus": self.corpus} | self.parameters

    @property
    def definition(self) -> Definition:
        """What the spec says of it."""
        return Definition(self.corpus, **self.parameters)  # type: ignore[arg-type]

    def having(self, **parameters: Value) -> "Case":
        """The same with other parameters."""
        return replace(self, parameters=self.parameters | parameters)


def _tokens(scope: Scope) -> st.SearchStrategy[str]:
    surrogates = [st.sampled_from(["\udbc0", "a\ud800"])] if scope.surrogates else []
    return st.one_of(st.sampled_from(WORDS), st.sampled_from(SPECIAL), st.sampled_from(ALIKE), *surrogates)


def corpora(scope: Scope) -> st.SearchStrategy[Case]:
    """Any corpus, under any parameters that there is room for."""
    scope.chosen()
    tokens = _tokens(scope)
    parameters = st.fixed_dictionaries(
        {
            "special_tokens": st.sampled_from(scope.values("special_tokens", SPECIAL_TOKENS)),
            "min_count": st.sampled_from(scope.values("min_count", [1, 2, 3])),
            "max_size": st.sampled_from(scope.values("max_size", [None, 3, 4, 5, 7])),
        }
    )
    return st.builds(Case, st.lists(tokens, max_size=16), parameters, st.lists(tokens, max_size=8))


def tied(scope: Scope) -> st.SearchStrategy[Case]:
    """Corpora in which each token is as frequent as some other, in any order."""
    scope.chosen()
    chosen = st.lists(st.sampled_from(WORDS + ALIKE), min_size=2, max_size=6, unique=True)
    return chosen.flatmap(lambda words: st.permutations(words * 2)).map(Case)


def unequal(scope: Scope) -> st.SearchStrategy[Case]:
    """Corpora whose tokens are more and less frequent, in any order."""
    scope.chosen()
    counts = st.dictionaries(st.sampled_from(WORDS), st.integers(1, 4), min_size=2)
    shuffled = counts.map(lambda found: [word for word, count in found.items() for _ in range(count)])
    return shuffled.flatmap(st.permutations).map(Case)


def rare(scope: Scope) -> st.SearchStrategy[Case]:
    """The same, with tokens at, below and above min_count."""
    scope.required("min_count", [2])
    return st.builds(lambda case, least: case.having(min_count=least), unequal(scope), st.integers(2, 4))


def bounded(scope: Scope) -> st.SearchStrategy[Case]:
    """Vocabularies that have to leave something out, or nearly so."""
    scope.required("max_size", [4])
    cases = corpora(scope)
    return st.builds(lambda case, more: case.having(max_size=_specials(case) + more), cases, st.integers(0, 4))


def too_small(scope: Scope) -> st.SearchStrategy[Case]:
    """Vocabularies without room for their special tokens."""
    scope.required("max_size", [1])
    return st.builds(
        lambda case, less: case.having(max_size=max(0, _specials(case) - less)), corpora(scope), st.just(1)
    )


def _specials(case: Case) -> int:
    tokens = case.parameters["special_tokens"]
    assert isinstance(tokens, Sequence)
    return len(tokens)


def with_specials(scope: Scope) -> st.SearchStrategy[Case]:
    """Corpora most of whose tokens are spelt like special ones."""
    scope.chosen()
    tokens = st.sampled_from([*SPECIAL, "a"])
    specials = st.sampled_from(scope.values("special_tokens", SPECIAL_TOKENS))
    return st.builds(
        lambda corpus, special: Case(corpus, {"special_tokens": special}), st.lists(tokens, min_size=1), specials
    )


def named_twice(scope: Scope) -> st.SearchStrategy[Case]:
    """Special tokens of which one stands twice."""
    scope.required("special_tokens", [["<unk>", "<unk>"]])
    lists = st.lists(st.sampled_from(SPECIAL), min_size=1, max_size=3, unique=True)
    doubled = lists.flatmap(lambda tokens: st.permutations([*tokens, tokens[0]]))
    return doubled.map(lambda tokens: Case(["a"], {"special_tokens": ["<unk>", *tokens, "<unk>"]}))


def not_special(scope: Scope) -> st.SearchStrategy[Case]:
    """An unk_token that is no special token; the corpus may have it."""
    scope.required("unk_token", ["[UNK]"])
    names = st.sampled_from(["[UNK]", "unk", "<UNK>", "<unk> ", "a", ""])
    return st.builds(lambda name, known: Case([name] if known else ["b"], {"unk_token": name}), names, st.booleans())


def without_unknown(scope: Scope) -> st.SearchStrategy[Case]:
    """Without an unk_token, tokens of which some may be no entries."""
    scope.required("unk_token", [None])
    specials = st.sampled_from(scope.values("special_tokens", [[], ["<pad>"], ["<pad>", "<unk>"]]))
    words = st.lists(st.sampled_from(WORDS), max_size=6)
    return st.builds(
        lambda corpus, special, tokens: Case(corpus, {"special_tokens": special, "unk_token": None}, tokens),
        words,
        specials,
        st.lists(st.sampled_from(WORDS), min_size=1, max_size=4),
    )


def counted_exactly(scope: Scope) -> st.SearchStrategy[Case]:
    """Corpora of tokens that a careless comparison takes for one."""
    scope.chosen()
    tokens = st.sampled_from([*ALIKE, "a", "e"])
    return st.lists(tokens, min_size=1, max_size=10).map(Case)
