"""Records what a tokenizer in use makes of a corpus, and holds it to that later."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from goldpiece.errors import FileError, UsageError
from goldpiece.suite.corpus import documents, read_corpus
from goldpiece.suite.data import DataMissing
from goldpiece.suite.golden.cases import inputs_folder
from goldpiece.suite.golden.json_lines import read_lines
from goldpiece.suite.golden.lock_file import FORMAT, Document, Header, Lock, Row
from goldpiece.suite.ready_made import ReadyMade
from goldpiece.suite.subject import Subject
from goldpiece.suite.values import Value

SAMPLE = 20  # documents whose beginning is kept in full
BEGINNING = 200  # characters of it, about


class Listener(Protocol):
    """Is told how far the work is."""

    def begins(self, checks: int) -> None:
        """So many documents are to come."""

    def step(self, what: str) -> None:
        """One is done."""


@dataclass(frozen=True)
class Moved:
    """What is not as it was recorded: pairs of what was and what is."""

    version: str  # of the subject now
    rows: tuple[tuple[Row, Row], ...]
    documents: tuple[tuple[Document, Document], ...]
    beginnings: tuple[str, ...]  # of these documents
    tokens: int  # of all documents now
    without_corpus: str | None  # why the documents could not be looked at

    @property
    def is_any(self) -> bool:
        return bool(self.rows or self.documents)


def record(subject: Subject, name: str, corpus: str, keep_text: bool, listener: Listener) -> Lock:
    """What the subject, called `name`, makes of the corpus. Raises UsageError where it is no ready tokenizer."""
    tokenizer = ReadyMade(subject)
    text = read_corpus(corpus)
    whole = list(documents(text))
    sampled = range(0, len(whole), max(1, len(whole) // SAMPLE)) if keep_text else ()
    kept = [(f"input {number} of ours", each) for number, each in enumerate(_nasty_texts(), start=1)]
    kept += [(f"document {place + 1}", whole[place][:BEGINNING]) for place in sampled]
    header = Header(FORMAT, name, tokenizer.version, corpus, len(text), _digest(text), len(kept), len(whole))
    rows = tuple(_row(tokenizer, what, each) for what, each in kept)
    return Lock(header, rows, tuple(_documents(tokenizer, whole, listener)))


def verify(recorded: Lock, subject: Subject, corpus: str | None, listener: Listener) -> Moved:
    """What a subject makes of the same texts, where it is not what was recorded.

    Documents are looked at where the corpus is. Raises UsageError where it is another text than the recorded one.
    """
    tokenizer = ReadyMade(subject)
    whole, missing = _corpus(recorded, corpus)
    rows = [(row, _row(tokenizer, row.what, row.text)) for row in recorded.rows]
    now = tuple(_documents(tokenizer, whole, listener))
    moved = [(was, is_) for was, is_ in zip(recorded.documents, now, strict=False) if was != is_]
    return Moved(
        version=tokenizer.version,
        rows=tuple((was, is_) for was, is_ in rows if was != is_),
        documents=tuple(moved),
        beginnings=tuple(whole[was.number - 1][:60] for was, _ in moved),
        tokens=sum(each.tokens for each in now),
        without_corpus=missing,
    )


def _corpus(recorded: Lock, corpus: str | None) -> tuple[list[str], str | None]:
    """The documents, or why they are not here."""
    name = corpus or recorded.header.corpus
    try:
        text = read_corpus(name)
    except (UsageError, FileError, DataMissing) as error:
        if corpus:
            raise
        return [], str(error)
    if _digest(text) != recorded.header.digest:
        raise UsageError(f"{name} is not the text that was recorded: give that with --corpus, or record this one")
    return list(documents(text)), None


def _row(tokenizer: ReadyMade, what: str, text: str) -> Row:
    """A text in full."""
    return Row(what, text, **vars(tokenizer.encode(text)))


def _documents(tokenizer: ReadyMade, whole: Sequence[str], listener: Listener) -> Iterator[Document]:
    """What is kept of each."""
    listener.begins(len(whole))
    for number, text in enumerate(whole, start=1):
        made = tokenizer.encode(text)
        parts: list[Value] = [[made.tokens, made.error], [made.ids, made.error], [made.offsets, made.error]]
        yield Document(number, len(made.ids), *map(_digest, parts))
        listener.step(f"document {number}")


def _nasty_texts() -> list[str]:
    return [str(text) for _, text in read_lines(inputs_folder() / "nasty.jsonl")]


def _digest(value: Value) -> str:
    content = json.dumps(value, separators=(",", ":"))
    return hashlib.sha256(content.encode()).hexdigest()[:12]
