"""Sequences of tokens, special ones among them."""

from hypothesis import strategies as st

from goldpiece.suite.scope import Scope

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
PLAIN = ["a", "##b", "the", "##", "####c", "中", "##e\u0301", "😀", "#", "##a##", "n'", "do", "not"]
MARKS = [".", ",", "?", "!", "'", "'s", "n't", "'ve", "'re", "'m", "##'s", "##.", "...", ";"]
PHRASES = [
    ["do", "not"],
    ["don", "'", "t"],
    ["a", "####c"],
    ["ju", "##gg", "##ler"],
    ["do", "n", "##'t"],
]  # what one draw should hold together
SPACED = [" ", "a b", "## ", "\n"]


def sequences(scope: Scope) -> st.SearchStrategy[list[str]]:  # noqa: ARG001 (a strategy is a function of the scope)
    """Tokens in any order, none at all among others."""
    return _lists(PLAIN, MARKS, SPACED, SPECIAL)


def plain_sequences(scope: Scope) -> st.SearchStrategy[list[str]]:  # noqa: ARG001
    """The same without special tokens."""
    return _lists(PLAIN, MARKS, SPACED)


def with_spaces(scope: Scope) -> st.SearchStrategy[list[str]]:  # noqa: ARG001
    """Tokens that hold what cleanup seeks, with spaces around it, among others."""
    part = st.sampled_from(["a", "do", "not", *MARKS[:10], "' "])
    spaced = st.lists(part, min_size=2, max_size=4).map(" ".join)
    marked = st.tuples(st.sampled_from(["", "", "##"]), spaced).map("".join)
    others = st.sampled_from([*PLAIN, *MARKS])
    return st.tuples(st.lists(others, max_size=2), st.lists(marked, min_size=1, max_size=3)).map(
        lambda drawn: [*drawn[0], *drawn[1]]
    )


def without_spaces(scope: Scope) -> st.SearchStrategy[list[str]]:  # noqa: ARG001
    """The same without tokens that hold white space, which no pre-tokenizer lets through."""
    return _lists(PLAIN, MARKS)


def optional_sequences(scope: Scope) -> st.SearchStrategy[list[str] | None]:
    """A sequence, an empty one, or none."""
    return st.one_of(st.none(), st.just([]), sequences(scope))


def cut_words(scope: Scope) -> st.SearchStrategy[list[list[str]]]:  # noqa: ARG001
    """Words, each cut into parts."""
    part = st.text(st.sampled_from("ab中é😀\u0301"), min_size=1, max_size=3)
    return st.lists(st.lists(part, min_size=1, max_size=3), min_size=1, max_size=5)


def _lists(*kinds: list[str]) -> st.SearchStrategy[list[str]]:
    """Tokens and phrases; the kinds are drawn evenly, whatever their sizes."""
    tokens = [st.sampled_from(kind).map(lambda token: [token]) for kind in kinds]
    parts = [*tokens, st.sampled_from(PHRASES)]
    part = st.integers(0, len(parts) - 1).flatmap(parts.__getitem__)
    return st.lists(part, max_size=6).map(lambda drawn: [token for tokens in drawn for token in tokens])
