"""Lock files: what a tokenizer in use makes of a corpus, so that an upgrade cannot change it unseen.

One JSON value a line. First a header; then a row for each text that is kept in full (texts of ours that tokenizers
part on, and the beginnings of some documents); then for each document its number of tokens and three digests: of its
tokens, its ids and its offsets.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, astuple, dataclass, fields
from pathlib import Path
from typing import Any, TypeGuard

from goldpiece.errors import FileError
from goldpiece.formats.atomic import write_atomically
from goldpiece.suite.golden.json_lines import read_lines, render_lines

FORMAT = 1
REMEDY = "Record it again with `goldpiece golden record`"


@dataclass(frozen=True)
class Header:
    """Which tokenizer, and which text."""

    lock: int  # the version of the format
    subject: str  # as it was named
    version: str
    corpus: str  # as it was named
    characters: int
    digest: str  # of the corpus
    texts: int  # how many are kept in full,
    documents: int  # and how many documents there are: a file that was cut short is none


@dataclass(frozen=True)
class Row:
    """A text in full."""

    what: str  # `input 3 of ours`, or `document 17`
    text: str
    ids: Sequence[int]
    tokens: Sequence[str]
    offsets: Sequence[Sequence[int]]
    error: str | None  # in which it ended, and gave none of these


@dataclass(frozen=True)
class Document:
    """What is kept of a document of the corpus."""

    number: int  # from 1
    tokens: int
    tokens_digest: str
    ids_digest: str
    offsets_digest: str


@dataclass(frozen=True)
class Lock:
    """What a lock file holds."""

    header: Header
    rows: tuple[Row, ...]
    documents: tuple[Document, ...]


def write(path: Path, lock: Lock) -> None:
    """Writes a lock file, all of it or nothing. Raises FileError."""
    lines = [asdict(lock.header), *map(asdict, lock.rows), *map(astuple, lock.documents)]
    write_atomically(path, render_lines(lines).encode())


def read(path: Path) -> Lock:
    """What a lock file holds. Raises FileError where it is none."""
    lines = read_lines(path)
    number, header = lines[0] if lines else (1, None)
    if not _has(header, Header):
        raise FileError(path, number, "it does not begin with the header of a lock file", REMEDY)
    read_header = Header(**header)
    if read_header.lock != FORMAT:
        problem = f"it is a lock file of format {read_header.lock}, and this Goldpiece reads format {FORMAT}"
        raise FileError(path, number, problem, REMEDY)
    rows: list[Row] = []
    kept: list[Document] = []
    for number, line in lines[1:]:
        if _has(line, Row) and not kept:
            rows.append(Row(**line))
        elif _is_document(line):
            kept.append(Document(*line))
        else:
            raise FileError(path, number, "it is no text and no document of a lock file", REMEDY)
    numbers = [document.number for document in kept]
    promised = (read_header.texts, read_header.documents)
    if (len(rows), len(kept)) != promised or numbers != list(range(1, len(kept) + 1)):
        raise FileError(path, None, "texts or documents are missing, or not in order", REMEDY)
    return Lock(read_header, tuple(rows), tuple(kept))


def _has(line: object, kind: type[Header] | type[Row]) -> TypeGuard[dict[str, Any]]:
    """Whether a line has the fields of a value, each of its type."""
    if not isinstance(line, dict) or line.keys() != {field.name for field in fields(kind)}:
        return False
    numbers: Mapping[str, type] = dict.fromkeys(("lock", "characters", "texts", "documents"), int)
    lists: Mapping[str, type] = dict.fromkeys(("ids", "tokens", "offsets"), list)
    given = {name: value for name, value in line.items() if name != "error" or value is not None}
    return all(type(value) is {**numbers, **lists}.get(name, str) for name, value in given.items())


def _is_document(line: object) -> TypeGuard[list[Any]]:
    return isinstance(line, list) and [type(each) for each in line] == [int, int, str, str, str]
