"""The files of byte-level BPE models: GPT-2's encoder.json and vocab.bpe, and the ranks of tiktoken."""

import json
import re
from base64 import b64decode
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from goldpiece.errors import FileError, GoldpieceError
from goldpiece.formats import strict_json
from goldpiece.formats.atomic import write_atomically
from goldpiece.formats.content import read_content, refuse_what_swells
from goldpiece.formats.strict_json import Part
from goldpiece.formats.vocab_txt import LONGEST, NotUtf8, utf8

LARGEST = 100_000_000  # bytes of a file
PER_LINE = {b"\n": 400}  # bytes of memory: two texts, and their places in lists and dictionaries
LONGEST_TOKEN = 1024  # bytes; to find the merge of a token takes the square of it. The longest in use has 128
RANK_LINE = re.compile(rb"([A-Za-z0-9+/=]+) (0|[1-9][0-9]*)")
AS_MADE = "Save the file anew with what made it"


class NoMerge(FileError):
    """A line that is no pair of symbols, or that repeats one."""


class NoRank(FileError):
    """A line that is no token in base64 with its rank, or that repeats one of them."""


class SymbolNotWritable(GoldpieceError):
    """A symbol of a merge that its line would not give back."""

    def __init__(self, rank: int, symbol: str) -> None:
        super().__init__(
            f"the merge of rank {rank} holds {symbol[:LONGEST]!r}, and a line has two symbols with a space between: "
            "train on words in the alphabet of bytes, which has no white space"
        )


def read_encoder(path: Path | str) -> list[str]:
    """The tokens of an encoder.json (or vocab.json) in the order of their ids.

    Raises FileError: NotUtf8, NotJson, DuplicateKey, WrongType, and Contradiction where ids are not 0, 1, 2, ….
    """
    content = read_content(path, LARGEST, "Give the path of an encoder.json")
    return tokens_of(strict_json.parse(content, path))


def tokens_of(part: Part) -> list[str]:
    """The tokens of an object of ids in the order of these. Raises WrongType, DuplicateKey, NotJson, Contradiction."""
    count = len(part.mapping())
    tokens: dict[int, str] = {}
    for token, entry in part.entries():
        number = entry.integer()
        if number >= count:
            raise entry.contradiction(
                f"is {number}, and ids go from 0 to {count - 1} where there are {count}", "Number them without a hole"
            )
        if number in tokens:
            raise entry.contradiction(
                f"is {number}, the id of {tokens[number][:LONGEST]!r}", "Give each token an id of its own"
            )
        tokens[number] = token
    return [tokens[number] for number in range(count)]


def read_merges(path: Path | str) -> list[tuple[str, str]]:
    """The pairs of a vocab.bpe (or merges.txt), the one of rank 0 first; a first line `#version: …` is none of them.

    Raises FileError, NotUtf8 and NoMerge.
    """
    content = read_content(path, LARGEST, "Give the path of a vocab.bpe")
    refuse_what_swells(content, path, PER_LINE)
    merges: dict[tuple[str, str], int] = {}  # with their lines
    for number, line in _lines(content):
        try:
            text = line.decode()
        except UnicodeDecodeError as error:
            raise NotUtf8(path, number, f"byte {error.start} of the line is not UTF-8", "Save it as UTF-8") from error
        if number == 1 and text.startswith("#version"):
            continue
        first, _, second = text.partition(" ")
        if not first or not second or " " in second:
            problem = f"{text[:LONGEST]!r} is no pair of symbols with a space between them"
            raise NoMerge(path, number, problem, AS_MADE)
        if (before := merges.setdefault((first, second), number)) != number:
            raise NoMerge(path, number, f"{text[:LONGEST]!r} stands in line {before} already", "Take one of them out")
    return list(merges)


def write_encoder(path: Path | str, tokens: Sequence[str]) -> None:
    """Writes a vocab.json (or encoder.json): the id of each token. Raises FileError, and TokenNotWritable."""
    for number, token in enumerate(tokens):
        utf8(number, token)
    ids = {token: number for number, token in enumerate(tokens)}
    write_atomically(path, json.dumps(ids, ensure_ascii=False).encode() + b"\n")


def write_merges(path: Path | str, merges: Sequence[tuple[str, str]]) -> None:
    """Writes a merges.txt (or vocab.bpe), the pair of rank 0 first. Raises FileError, and SymbolNotWritable."""
    lines = ["#version: 0.2"]
    for rank, pair in enumerate(merges):
        for symbol in pair:
            if not symbol or set(symbol) & set(" \r\n"):
                raise SymbolNotWritable(rank, symbol)
        lines.append(" ".join(pair))
    write_atomically(path, "".join(f"{line}\n" for line in lines).encode())


def read_ranks(path: Path | str) -> list[bytes]:
    """The tokens of a `.tiktoken` file in the order of their ranks, which are their ids.

    Raises FileError, and NoRank where a line is none, a token stands twice or has more than LONGEST_TOKEN bytes, or
    ranks are not 0, 1, 2, ….
    """
    content = read_content(path, LARGEST, "Give the path of a .tiktoken file")
    refuse_what_swells(content, path, PER_LINE)
    tokens: dict[int, bytes] = {}
    lines: dict[bytes, int] = {}
    for number, line in _lines(content):
        token, place = _ranked(line, path, number)
        if place in tokens:
            raise NoRank(path, number, f"the rank {place} stands twice", "Take out the line that does not count")
        if (before := lines.setdefault(token, number)) != number:
            raise NoRank(path, number, f"the token stands in line {before} already", "Take one of them out")
        tokens[place] = token
    if tokens.keys() != set(range(len(tokens))):
        lacking = next(rank for rank in range(len(tokens)) if rank not in tokens)
        raise NoRank(path, None, f"the rank {lacking} of {len(tokens)} is missing", AS_MADE)
    return [tokens[rank] for rank in range(len(tokens))]


def _ranked(line: bytes, path: Path | str, number: int) -> tuple[bytes, int]:
    """The token of a line and its rank. Raises NoRank."""
    try:
        if (written := RANK_LINE.fullmatch(line)) is None:
            raise ValueError
        token, rank = b64decode(written[1], validate=True), int(written[2])
    except ValueError as error:
        problem = f"{line[:LONGEST]!r} is no token in base64 and its rank"
        raise NoRank(path, number, problem, AS_MADE) from error
    if len(token) > LONGEST_TOKEN:
        problem = f"the token has {len(token):,} bytes, and {LONGEST_TOKEN:,} are the most that are read"
        raise NoRank(path, number, problem, "Give a table of shorter tokens")
    return token, rank


def merges_of_ranks(tokens: Sequence[bytes]) -> list[tuple[bytes, bytes]]:
    """The pair of which each token of several bytes is made, in the order of ranks.

    It is what is left of its bytes when all that ranks before it is merged. A token of which not two parts are left is
    made by no merge: it stands only for a word that is all of it.
    """
    ranks = {token: rank for rank, token in enumerate(tokens)}
    merges = []
    for rank, token in enumerate(tokens):
        parts = [token[place : place + 1] for place in range(len(token))]
        found = [ranks.get(one + other, rank) for one, other in pairwise(parts)]
        while len(parts) > 2 and (lowest := min(found)) < rank:
            place = found.index(lowest)
            parts[place : place + 2] = [parts[place] + parts[place + 1]]
            del found[place]
            for changed in range(max(place - 1, 0), min(place + 1, len(found))):
                found[changed] = ranks.get(parts[changed] + parts[changed + 1], rank)
        if len(parts) == 2:
            merges.append((parts[0], parts[1]))
    return merges


def _lines(content: bytes) -> Iterator[tuple[int, bytes]]:
    """The lines that hold something, with their numbers; they end at LF or CRLF."""
    for number, line in enumerate(content.split(b"\n"), start=1):
        if kept := line.removesuffix(b"\r"):
            yield number, kept
