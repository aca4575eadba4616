"""Vocabularies as files: tokens that a careless reader would trim, cut or change, and lines that are faulty."""

from base64 import b64encode
from dataclasses import dataclass

from hypothesis import strategies as st

from goldpiece.suite.scope import Scope

BYTE_ORDER_MARK = "\ufeff"

# What str.splitlines and its like take for a line end, and vocab.txt does not.
SEPARATORS = ["\u2028", "\u2029", "\u0085", "\x0b", "\x0c", "\x1c", "\r"]
SPACES = [" ", "\t", "\u00a0", "\u3000"]
PLAIN = [
    *["[UNK]", "##a", "#", "b", "B", "a,b", '"', "\\"],
    *["中", "😀", "e\u0301", "é", "ﬁ", "fi", "\x00", "\x7f", "\u200d"],
]
# Not one of them is whole in UTF-8, wherever it stands between characters.
BROKEN = [b"\xff", b"\x80", b"\xc3", b"\xe4\xb8", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xff\xfe"]


@dataclass(frozen=True)
class Lines:
    """The lines of a file, some of them faulty, and their line ends."""

    lines: list[str]
    ends: list[str]

    @property
    def content(self) -> str:
        return packed("".join(line + end for line, end in zip(self.lines, self.ends, strict=True)))


def packed(content: str | bytes) -> str:
    """The content of a file as it passes to a subject."""
    return b64encode(content.encode() if isinstance(content, str) else content).decode("ascii")


def lines(tokens: list[str]) -> str:
    """The plainest file of these tokens."""
    return "".join(f"{token}\n" for token in tokens)


def plain_vocabularies(scope: Scope) -> st.SearchStrategy[list[str]]:  # noqa: ARG001 (a strategy is a function of the scope)
    """Different tokens; white space and separators stand within one, and never at an end that might be trimmed."""
    kinds = st.one_of(st.just("\r"), st.sampled_from(SEPARATORS), st.sampled_from([*SPACES, BYTE_ORDER_MARK]))
    inner = st.tuples(_plain(), kinds, _plain()).map("".join)
    return st.lists(st.one_of(_plain(), inner), unique=True, max_size=6)


def vocabularies(scope: Scope) -> st.SearchStrategy[list[str]]:  # noqa: ARG001
    """Different tokens of any kind that can be written, and that stay what they are with LF behind them."""
    return st.lists(_any_token(), unique=True, max_size=6).map(_after_no_mark)


def related_vocabularies(scope: Scope) -> st.SearchStrategy[list[list[str]]]:
    """Different vocabularies of much the same characters: reversed, joined, cut elsewhere, one token more or less."""
    several = vocabularies(scope).filter(lambda tokens: len(tokens) > 1)
    return several.map(lambda tokens: _different([tokens, tokens[::-1], *_recut(tokens), [*tokens, "x"], tokens[:-1]]))


@st.composite
def with_line_ends(draw: st.DrawFn, scope: Scope) -> Lines:
    """Different tokens, each with LF or CRLF behind it."""
    tokens = draw(plain_vocabularies(scope))
    return Lines(tokens, draw(_ends(len(tokens))))


@st.composite
def with_blank_lines(draw: st.DrawFn, scope: Scope) -> Lines:
    """Different tokens and a blank line or two among them, before or behind them."""
    tokens = draw(plain_vocabularies(scope))
    for place in draw(st.lists(st.integers(0, len(tokens)), min_size=1, max_size=2)):
        tokens = [*tokens[:place], "", *tokens[place:]]
    return Lines(tokens, draw(_ends(len(tokens))))


@st.composite
def with_duplicates(draw: st.DrawFn, scope: Scope) -> Lines:
    """Tokens of which one or two stand twice or more, side by side or apart."""
    tokens = ["a", *draw(plain_vocabularies(scope))]
    for again in draw(st.lists(st.sampled_from(tokens), min_size=1, max_size=2)):
        place = draw(st.integers(0, len(tokens)))
        tokens = [*tokens[:place], again, *tokens[place:]]
    return Lines(tokens, draw(_ends(len(tokens))))


@st.composite
def broken_contents(draw: st.DrawFn, scope: Scope) -> str:
    """Content that is UTF-8 but for one place between two characters."""
    text = lines(draw(plain_vocabularies(scope)))
    place = draw(st.integers(0, len(text)))
    return packed(text[:place].encode() + draw(st.sampled_from(BROKEN)) + text[place:].encode())


@st.composite
def unwritable(draw: st.DrawFn, scope: Scope) -> list[str]:
    """A vocabulary in which one token cannot be written as it is; without what is wrong with it, it could."""
    tokens = list(dict.fromkeys(["a", *draw(vocabularies(scope))]))
    new = "z" + draw(st.sampled_from(tokens))
    faults = [
        st.just(""),
        st.sampled_from(["\n", f"{new}\n", f"\n{new}", f"{new}\n{new}"]),
        st.sampled_from(["\r", f"{new}\r", "\r\r"]),
        st.sampled_from(tokens),
    ]
    fault = draw(st.integers(0, len(faults)))
    if fault == len(faults):
        return [f"{BYTE_ORDER_MARK}{new}", *tokens]
    place = draw(st.integers(0, len(tokens)))
    return [*tokens[:place], draw(faults[fault]), *tokens[place:]]


def _plain() -> st.SearchStrategy[str]:
    return st.one_of(st.sampled_from(PLAIN), st.text("ab#é中", min_size=1, max_size=3))


def _any_token() -> st.SearchStrategy[str]:
    """Plain, made of spaces and separators alone, or with some at either end."""
    odd = st.text([*SEPARATORS, *SPACES, BYTE_ORDER_MARK, "a", "\u0301"], min_size=1, max_size=3)
    framed = st.tuples(odd, _plain(), odd).map("".join)
    token = st.one_of(st.sampled_from([*SEPARATORS, *SPACES, BYTE_ORDER_MARK]), odd, framed, _plain())
    return token.filter(lambda drawn: not drawn.endswith("\r"))


def _after_no_mark(tokens: list[str]) -> list[str]:
    """Another token goes first where the first would begin the file with a byte order mark."""
    return ["[PAD]", *tokens] if tokens and tokens[0].startswith(BYTE_ORDER_MARK) else tokens


def _ends(count: int) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(["\n", "\r\n"]), min_size=count, max_size=count)


def _recut(tokens: list[str]) -> list[list[str]]:
    """The same characters in other tokens, and the same tokens joined by what might be taken for a separator."""
    first, second, *others = tokens
    joined = [[f"{first}{between}{second}", *others] for between in ("", " ", ",", "\n", '","')]
    return [*joined, [first + second[:1], second[1:], *others]]


def _different(vocabularies: list[list[str]]) -> list[list[str]]:
    return [list(each) for each in dict.fromkeys(map(tuple, vocabularies))]
