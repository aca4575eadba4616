"""Text on which patterns part, and tokens of bytes, whole characters and halves of them."""

from functools import cache

from hypothesis import strategies as st

from goldpiece.suite.scope import Scope
from goldpiece.suite.spec import Depth

from .. import unicode14
from ..oracles.byte_level import in_alphabet
from . import once

PATTERNS = ["gpt2", "cl100k", "o200k"]

# Pieces of text that a random draw would not find; the kinds are drawn evenly.
FRAGMENTS = (
    ("'s", "'Sx", "'ll", "'LLa", "'ve", "'rE", "'d", "'x", "’s", "'\u017fa", "don't", "I'M", "'"),
    (" ", "  ", "   ", "\t", "\n", "\r\n", "\n\n", " \n", "\n ", "\t\t", "\u3000", "\u00a0", "\x1c", "\x85", "\u2028"),
    ("1", "12", "1234", "٣", "Ⅷ", "²", "½", "a1", "1a", "12345678"),
    ("Hello", "helloWorld", "ABCdef", "ǅa", "ʰA", "中文", "é", "İ", "ß", "अक्ष", "각"),
    ("e\u0301", "A\u030a", "\u0301", "o\u0323\u0302", "\u1112\u1161", "ば", "は\u3099"),
    ("!", "...", "//", "/\n", "!\n", "-", "_", "€", "😀", "👩\u200d👧", "\ufe0f", "\x00", "\ufffd", "\u200b"),
)


@cache
def _classes() -> tuple[tuple[int, ...], ...]:
    """Code points by general category, so that rare ones are drawn as often as common ones."""
    known = unicode14.by_category()
    return tuple(tuple(known[name]) for name in sorted(known) if name not in ("Cn", "Cs"))


@cache
def _characters() -> st.SearchStrategy[str]:
    """Made once: a strategy looks over all the values that it samples from, and these are many."""
    kinds = [st.sampled_from(points) for points in _classes()]
    return once.evenly(kinds).map(chr)


def texts(scope: Scope) -> st.SearchStrategy[str]:  # noqa: ARG001 (a strategy is a function of the scope)
    """Text of fragments, letters and characters of all categories."""
    return _texts()


@cache
def _texts() -> st.SearchStrategy[str]:
    part = once.evenly([st.sampled_from("abS '1"), *map(st.sampled_from, FRAGMENTS), _characters()])
    end = st.sampled_from(["", "", "", "\n ", "\r\n\t", " ", "\n"])
    parts = st.integers(0, 12).flatmap(lambda size: once.lists(part, min_size=size, max_size=size))
    return st.tuples(parts.map("".join), end).map("".join)


def texts_behind_spaces(scope: Scope) -> st.SearchStrategy[str]:
    """Text behind no space, one, or other white space."""
    return st.tuples(st.sampled_from(["", " ", "  ", "\t", "\u00a0"]), texts(scope)).map("".join)


def patterns(scope: Scope) -> st.SearchStrategy[str]:
    """The names of patterns that the subject takes."""
    return once.sampled_from([str(name) for name in scope.values("pattern", list(PATTERNS))])


@cache
def code_points(depth: Depth) -> tuple[int, ...]:
    """What Unicode 14.0 assigns; at quick depth the ends of the runs of each category, and a few from within."""
    every = [point for points in _classes() for point in points]
    if depth is not Depth.QUICK:
        return tuple(sorted(every))
    chosen: set[int] = set()
    for points in _classes():
        known = set(points)
        chosen.update(point for point in points if not {point - 1, point + 1} <= known)
        chosen.update(points[:: max(1, len(points) // 40)])
    return tuple(sorted(chosen))


def byte_strings(scope: Scope) -> st.SearchStrategy[bytes]:  # noqa: ARG001
    """Bytes: of text, of halves of characters, of what is no UTF-8 at all."""
    kinds = (
        *(st.sampled_from(["中", "é", "😀", "a", " ", "\ufffd", "\U0010ffff"]).map(str.encode), st.binary(max_size=3)),
        st.sampled_from(["中", "é", "😀", "\U0010ffff"]).flatmap(
            lambda char: st.integers(1, len(char.encode())).map(lambda end: char.encode()[:end])
        ),
        st.sampled_from(
            [b"\xed\xa0\x80", b"\xc0\xaf", b"\xf4\x90\x80\x80", b"\xe0\x80\x80", b"\xf8", b"\xff", b"\x80"]
        ),
    )
    return st.lists(once.evenly(kinds), max_size=6).map(b"".join)


def cut_at_random(content: st.SearchStrategy[bytes]) -> st.SearchStrategy[list[str]]:
    """Tokens of bytes that are cut anywhere, also within characters."""

    @st.composite
    def cut(draw: st.DrawFn) -> list[str]:
        whole = draw(content)
        places = sorted(draw(st.lists(st.integers(0, len(whole)), max_size=len(whole))))
        spans = zip([0, *places], [*places, len(whole)], strict=True)
        return [in_alphabet(whole[start:end]) for start, end in spans]

    return cut()


def token_lists(scope: Scope) -> st.SearchStrategy[list[str]]:
    """Tokens of any bytes."""
    return cut_at_random(byte_strings(scope))


def tokens_of_texts(scope: Scope) -> st.SearchStrategy[list[str]]:
    """Tokens whose bytes are those of a text."""
    return cut_at_random(texts(scope).map(str.encode))


def strange_tokens(scope: Scope) -> st.SearchStrategy[list[str]]:
    """Tokens some of which hold what the alphabet lacks."""
    strange = st.sampled_from([" ", "a b", "é中", "中", "Ġ ", "\n", "😀", "<|x|> ", "\u0144", "\u00ad"])
    return st.lists(st.one_of(strange, st.sampled_from(["Ġa", "Ã", "©", "é", "ä"])), max_size=5).flatmap(
        lambda some: token_lists(scope).map(lambda tokens: [*some, *tokens])
    )


def related_texts(scope: Scope) -> st.SearchStrategy[list[str]]:
    """Several texts that begin or end alike."""
    return st.tuples(texts(scope), st.lists(texts(scope), min_size=1, max_size=3)).map(
        lambda drawn: [drawn[0], *(drawn[0] + more for more in drawn[1]), *(more + drawn[0] for more in drawn[1])]
    )
