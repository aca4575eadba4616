"""Corpora of few letters, so that ties, repetitions and texts that are made twice abound."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from hypothesis import strategies as st

from goldpiece.suite.scope import Scope
from goldpiece.suite.values import Value

from ..oracles.training import Definition

TIES: list[Value] = ["ids", "first_seen"]
ALIKE = ("é", "e\u0301", "E", "e", " ", "\x00", "中", "😀", "ﬁ", "\u200d")
WORDS = ("ab", "abc", "bc", "cab", "abab", "ba", "a", "dab")


@dataclass(frozen=True)
class Case:
    """Words, the parameters, and how many entries there are to be besides special tokens and alphabet."""

    words: list[str]
    parameters: dict[str, Value] = field(default_factory=dict)
    room: int = 6
    counts: list[int] | None = None  # of each word; all are 1 without
    kind: type[Definition] = Definition

    @cached_property
    def definition(self) -> Definition:
        """What the spec says of it."""
        given: Mapping[str, Any] = self.parameters
        definition = self.kind(self.words, self.counts or [1] * len(self.words), **given)
        return replace(definition, size=len(definition.entries([])) + self.room)

    @property
    def config(self) -> dict[str, Value]:
        return {"size": self.definition.size} | self.parameters

    def having(self, **parameters: Value) -> "Case":
        """The same with other parameters."""
        return replace(self, parameters=self.parameters | parameters)


def _words(letters: str, most: int = 7) -> st.SearchStrategy[list[str]]:
    return st.lists(st.text(letters, min_size=1, max_size=most), min_size=1, max_size=8)


def _corpora(letters: str = "abc", most: int = 7) -> st.SearchStrategy[Case]:
    """Words that come again, some of them with something before or behind."""
    words = _words(letters, most)
    again = st.lists(st.integers(0, 7), max_size=8)
    return st.builds(
        lambda found, places, room: Case([*found, *(found[place % len(found)] for place in places)], {}, room),
        words,
        again,
        st.integers(0, 9),
    )


def _under(cases: st.SearchStrategy[Case], scope: Scope, **wanted: Sequence[Value]) -> st.SearchStrategy[Case]:
    """The cases, under each of the values that the subject takes of the parameters that there are."""
    there = wanted.keys() & scope.spec.parameters.keys()
    chosen = {name: st.sampled_from(scope.values(name, wanted[name])) for name in sorted(there)}
    return st.builds(lambda case, given: case.having(**given), cases, st.fixed_dictionaries(chosen))


def corpora(scope: Scope) -> st.SearchStrategy[Case]:
    """Any words, under parameters that change nothing of what any pair is worth."""
    scope.chosen()
    letters = "abcd" + ("\udbc0" if scope.surrogates else "")
    special: list[Value] = [[], ["<s>"], ["<s>", "<unk>", "</s>"], ["</s>", "<s>"]]
    return _under(_corpora(letters), scope, ties=TIES, min_frequency=[1, 2, 3], special_tokens=special)


def plain(scope: Scope) -> st.SearchStrategy[Case]:
    """The same without special tokens, and with nothing left out."""
    scope.chosen()
    return _under(_corpora(), scope, ties=TIES, min_frequency=[1, 2])


def by_ids(scope: Scope) -> st.SearchStrategy[Case]:
    """Words each of which comes as often, so that nearly all is a tie."""
    scope.required("ties", ["ids"])
    return _tied().map(lambda case: case.having(ties="ids"))


def by_first_seen(scope: Scope) -> st.SearchStrategy[Case]:
    """The same under the other rule."""
    scope.required("ties", ["first_seen"])
    return _tied().map(lambda case: case.having(ties="first_seen"))


def _tied() -> st.SearchStrategy[Case]:
    """Each letter in few words, and each word twice; a few have something in common."""
    words = st.lists(st.text("abcdefgh", min_size=2, max_size=4), min_size=2, max_size=5, unique=True)
    return st.builds(lambda found, room: Case([*found, *found], {}, room), words, st.integers(1, 6))


def in_a_row(scope: Scope) -> st.SearchStrategy[Case]:
    """Runs of one letter, beside a pair that is about as frequent."""
    scope.chosen()
    runs = st.lists(st.integers(1, 7).map(lambda count: "a" * count), min_size=1, max_size=3)
    others = st.lists(st.sampled_from(["bc", "baac", "aab", "baaa"]), max_size=5)
    cases = st.builds(lambda some, more, room: Case([*some, *more], {}, room), runs, others, st.integers(1, 5))
    return _under(cases, scope, ties=TIES, min_frequency=[1, 2])


def made_twice(scope: Scope) -> st.SearchStrategy[Case]:
    """Words with letters like the mark, so that a merge makes what some word has from the beginning.

    Nothing else can: what is between two places that no merge has crossed is always merged in the same way.
    """
    scope.required("end_of_word", ["b"])
    ends = st.sampled_from(["a", "ca", "a", "aba", "cab"])
    within = st.sampled_from(["abc", "abab", "cabc", "aabb"])
    words = st.tuples(st.lists(ends, min_size=1, max_size=3), st.lists(within, min_size=2, max_size=4))
    cases = words.map(lambda found: Case([*found[0], *found[1]] * 2, {"end_of_word": "b"}, 8))
    return _under(cases, scope, ties=TIES, min_frequency=[1, 2])


def rare(scope: Scope) -> st.SearchStrategy[Case]:
    """Pairs at, below and above min_frequency, and room for all of them."""
    scope.required("min_frequency", [2])
    counts = st.dictionaries(st.sampled_from(WORDS), st.integers(1, 4), min_size=2, max_size=5)
    words = counts.map(lambda found: [word for word, count in found.items() for _ in range(count)])
    cases = st.builds(lambda found, least: Case(found, {"min_frequency": least}, 30), words, st.integers(2, 5))
    return _under(cases, scope, ties=TIES)


def limited(scope: Scope) -> st.SearchStrategy[Case]:
    """More letters than the alphabet may have, some of which are as frequent as others."""
    values = scope.required("limit_alphabet", [0, 1, 2, 3])
    cases = _under(_corpora("abcde"), scope, initial_alphabet=[[], [], ["c"], ["x", "a"]], min_frequency=[1, 2])
    return st.builds(lambda case, limit: case.having(limit_alphabet=limit), cases, st.sampled_from(values))


def with_initial(scope: Scope) -> st.SearchStrategy[Case]:
    """Characters that the words have, and others; some twice."""
    scope.required("initial_alphabet", [["a"]])
    characters = st.lists(st.sampled_from([*"abxyz", "é", "中"]), min_size=1, max_size=4)
    cases = st.builds(lambda case, given: case.having(initial_alphabet=given), _corpora(), characters)
    return _under(cases, scope, end_of_word=["", "</w>"])


def no_characters(scope: Scope) -> st.SearchStrategy[Case]:
    """An initial alphabet with an entry that is not one character."""
    scope.required("initial_alphabet", [["ab"]])
    entries = st.sampled_from(["", "ab", "e\u0301", "</w>", "😀😀"])
    lists = st.lists(st.sampled_from("abc"), max_size=2)
    return st.builds(lambda entry, others: Case(["ab"], {"initial_alphabet": [*others, entry]}), entries, lists)


def no_longer(scope: Scope) -> st.SearchStrategy[Case]:
    """Words that are longer than tokens may be, so that other merges have to be found."""
    scope.required("max_token_length", [2])
    cases = st.builds(
        lambda case, longest: replace(case.having(max_token_length=longest), room=12), _corpora(), st.integers(1, 4)
    )
    return _under(cases, scope, ties=TIES, min_frequency=[1, 2], end_of_word=["", "$"])


def ending(scope: Scope) -> st.SearchStrategy[Case]:
    """Words whose last symbols carry a mark, which other words may have as letters."""
    scope.required("end_of_word", ["</w>"])
    marks = st.sampled_from(["</w>", "$", "a", "cb"])
    cases = st.builds(lambda case, mark: case.having(end_of_word=mark), _corpora(), marks)
    return _under(cases, scope, ties=TIES, min_frequency=[1, 2])


def ending_apart(scope: Scope) -> st.SearchStrategy[Case]:
    """The same with marks that are symbols of their own."""
    scope.required("end_of_word_apart", [True])
    return ending(scope).map(lambda case: case.having(end_of_word_apart=True))


def with_specials(scope: Scope) -> st.SearchStrategy[Case]:
    """Words among which are special tokens, or which hold them, or have them as letters."""
    scope.required("special_tokens", [["ab"]])
    special = st.lists(st.sampled_from(["ab", "abc", "a", "bc", "dd"]), min_size=1, max_size=3, unique=True)
    words = st.lists(st.sampled_from([*WORDS, "dd", "ddab"]), min_size=3, max_size=12)
    cases = st.builds(lambda found, given: Case(found * 2, {"special_tokens": given}, 8), words, special)
    return _under(cases, scope, min_frequency=[1, 2])


def named_twice(scope: Scope) -> st.SearchStrategy[Case]:
    """Special tokens of which one stands twice."""
    scope.required("special_tokens", [["<s>", "<s>"]])
    lists = st.lists(st.sampled_from(["<s>", "</s>", "<pad>"]), min_size=1, max_size=3, unique=True)
    doubled = lists.flatmap(lambda tokens: st.permutations([*tokens, tokens[0]]))
    return doubled.map(lambda tokens: Case(["ab"], {"special_tokens": tokens}))


def counted(scope: Scope) -> st.SearchStrategy[Case]:
    """Words with counts, some given again, some that do not occur."""
    scope.chosen()
    rows = st.lists(st.tuples(st.sampled_from(WORDS), st.integers(0, 3)), max_size=8)
    cases = rows.map(lambda found: Case([word for word, _ in found], {}, 5, [count for _, count in found]))
    return _under(cases, scope, ties=TIES, min_frequency=[1, 2])


def counted_exactly(scope: Scope) -> st.SearchStrategy[Case]:
    """Words of characters that a careless comparison takes for one, or for none."""
    scope.chosen()
    words = st.lists(st.lists(st.sampled_from(ALIKE), min_size=1, max_size=3).map("".join), min_size=1, max_size=5)
    return words.map(lambda found: Case(found * 2))


def shuffled(scope: Scope) -> st.SearchStrategy[tuple[Case, list[str]]]:
    """Words, and the same in another order."""
    scope.required("ties", ["ids"])
    return by_ids(scope).flatmap(lambda case: st.tuples(st.just(case), st.permutations(case.words)))


def times(case: Case, factor: int) -> Case:
    """The same words, each so many times as often, and min_frequency with them."""
    counts = Counter(case.words)
    least = case.parameters.get("min_frequency", 2)
    assert isinstance(least, int)
    scaled = replace(case, words=list(counts), counts=[count * factor for count in counts.values()])
    return scaled.having(min_frequency=least * factor)
