"""vocab.txt: one token a line, whose id is the number of the line, from 0. Spec: spec/persistence.yaml."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from goldpiece.errors import FileError, GoldpieceError
from goldpiece.formats.atomic import write_atomically
from goldpiece.formats.content import read_content, refuse_what_swells

BYTE_ORDER_MARK = "\ufeff"
LONGEST = 40  # characters of a token that a message shows
LARGEST = 100_000_000  # bytes of a file; vocabularies have a tenth of it
PER_LINE = {b"\n": 170}  # bytes of memory: a text, and its places in a list and a set that grow


class NotUtf8(FileError):
    """The content of a file is not UTF-8."""


class BlankLine(FileError):
    """A line holds no token."""


class DuplicateToken(FileError):
    """Two lines hold the same token."""


class TokenNotWritable(GoldpieceError):
    """A token that cannot be written so that it is read as it is. `id` is its place among the tokens, from 0."""

    def __init__(self, id_: int, token: str, problem: str, remedy: str) -> None:
        self.id, self.token = id_, token
        super().__init__(f"the token of id {id_}, {token[:LONGEST]!r}, {problem}: {remedy}")


def parse(content: bytes, strict: bool = True, name: Path | str = "vocab.txt") -> list[str]:
    """The tokens in the order of their ids; without `strict` a blank line is an empty token.

    Raises NotUtf8, and if `strict` BlankLine and DuplicateToken, each with the line; `name` is what they call the file.
    """
    refuse_what_swells(content, name, PER_LINE)
    tokens = _lines(_decoded(content, name))
    if strict:
        _refuse_what_shifts_or_hides(tokens, name)
    return tokens


def look_up(tokens: Sequence[str]) -> dict[str, int]:
    """The id of each token: of equal ones the last; a blank line has none."""
    return {token: number for number, token in enumerate(tokens) if token}


def render(tokens: Iterable[str]) -> bytes:
    """The content of the file with these tokens, given in the order of their ids: UTF-8, LF behind each.

    Raises TokenNotWritable for the first that `parse` would not give back.
    """
    lines: dict[str, int] = {}
    for number, token in enumerate(tokens):
        _refuse_what_would_change(number, token, lines)
        lines[token] = number
    return b"".join(utf8(number, token) + b"\n" for token, number in lines.items())


def utf8(number: int, token: str) -> bytes:
    """The bytes of the token of that id. Raises TokenNotWritable for a lone surrogate, which has none."""
    try:
        return token.encode()
    except UnicodeEncodeError as error:
        problem = f"holds a lone surrogate, U+{ord(token[error.start]):04X}, which UTF-8 has no bytes for"
        raise TokenNotWritable(number, token, problem, "replace it, perhaps with U+FFFD") from error


def read(path: Path | str, strict: bool = True) -> list[str]:
    """The tokens of the file at `path`; see `parse`. Raises FileError where it cannot be read."""
    return parse(read_content(path, LARGEST, "Give the path of a vocabulary, one token a line"), strict, path)


def write(path: Path | str, tokens: Iterable[str]) -> None:
    """Writes the tokens to the file at `path`, all of them or, where it raises, nothing. See `render`."""
    write_atomically(path, render(tokens))


def _decoded(content: bytes, name: Path | str) -> str:
    try:
        return content.decode().removeprefix(BYTE_ORDER_MARK)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        problem = f"byte {error.start} of the file, 0x{content[error.start]:02x}, is not UTF-8"
        raise NotUtf8(name, line, problem, "Save the file as UTF-8") from error


def _lines(text: str) -> list[str]:
    """Not str.splitlines, which also cuts at U+2028, U+0085, VT and others: all of them are tokens somewhere."""
    *ended, last = text.split("\n")
    return [line.removesuffix("\r") for line in ended] + ([last] if last else [])


def _refuse_what_shifts_or_hides(tokens: Sequence[str], name: Path | str) -> None:
    if all(tokens) and len(set(tokens)) == len(tokens):  # where a line stands is sought only if it is to be named
        return
    lines: dict[str, int] = {}
    for line, token in enumerate(tokens, start=1):
        if not token:
            remedy = "Take the line out, which makes each later id one less, or keep the ids with strict=False"
            raise BlankLine(name, line, "the line is blank", remedy)
        if token in lines:
            problem = f"{token[:LONGEST]!r} stands in line {lines[token]} already"
            remedy = "Give one of them another name, or take the last for the token with strict=False"
            raise DuplicateToken(name, line, problem, remedy)
        lines[token] = line


def _refuse_what_would_change(number: int, token: str, before: Mapping[str, int]) -> None:
    if not token:
        raise TokenNotWritable(number, token, "is empty, and would be a blank line", "give it a name")
    if "\n" in token:
        raise TokenNotWritable(number, token, "holds a line feed, and would be two lines", "spell it in another way")
    if token.endswith("\r"):
        problem = "ends in a carriage return, which would belong to the line end"
        raise TokenNotWritable(number, token, problem, "spell it in another way")
    if number == 0 and token.startswith(BYTE_ORDER_MARK):
        problem = "begins with U+FEFF, which would be a byte order mark at the start of the file"
        raise TokenNotWritable(number, token, problem, "put another token first")
    if token in before:
        raise TokenNotWritable(number, token, f"is that of id {before[token]} too", "give one of them another name")
