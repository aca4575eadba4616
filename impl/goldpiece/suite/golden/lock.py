"""Records what a tokenizer in use makes of a corpus, and holds it to that later."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from goldpiece.errors import FileError, UsageError
from goldpiece.suite.component import Component
from goldpiece.suite.corpus import documents, read_corpus
from goldpiece.suite.data import DataMissing
from goldpiece.suite.golden.cases import inputs_folder
from goldpiece.suite.golden.json_lines import read_lines
from goldpiece.suite.golden.lock_file import FORMAT, Document, Header, Lock, Row
from goldpiece.suite.loader import load_specs
from goldpiece.suite.subject import Subject, SubjectFailure, Unsupported
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
    encoder = _Encoder(subject)
    text = read_corpus(corpus)
    whole = list(documents(text))
    sampled = range(0, len(whole), max(1, len(whole) // SAMPLE)) if keep_text else ()
    kept = [(f"input {number} of ours", each) for number, each in enumerate(_nasty_texts(), start=1)]
    kept += [(f"document {place + 1}", whole[place][:BEGINNING]) for place in sampled]
    version = subject.declaration.version
    header = Header(FORMAT, name, version, corpus, len(text), _digest(text), len(kept), len(whole))
    rows = tuple(encoder.row(what, each) for what, each in kept)
    return Lock(header, rows, tuple(encoder.documents(whole, listener)))


def verify(recorded: Lock, subject: Subject, corpus: str | None, listener: Listener) -> Moved:
    """What a subject makes of the same texts, where it is not what was recorded.

    Documents are looked at where the corpus is. Raises UsageError where it is another text than the recorded one.
    """
    encoder = _Encoder(subject)
    whole, missing = _corpus(recorded, corpus)
    rows = [(row, encoder.row(row.what, row.text)) for row in recorded.rows]
    now = tuple(encoder.documents(whole, listener))
    moved = [(was, is_) for was, is_ in zip(recorded.documents, now, strict=False) if was != is_]
    return Moved(
        version=subject.declaration.version,
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


class _Encoder:
    """Encodes texts by a subject whose vocabulary is fixed: framed, special tokens sought in the text."""

    def __init__(self, subject: Subject) -> None:
        name = subject.declaration.name
        remedy = "name hf:PATH, reference:PATH, or an object of yours whose vocabulary is fixed"
        offered = subject.declaration.components.get("tokenizer")
        if offered is None or "vocab" in offered.parameters:
            lacks = "takes any vocabulary" if offered else "has no tokenizer"
            raise UsageError(f"{name} {lacks}: {remedy}")
        try:
            self.instance = Component(subject, load_specs().named("tokenizer"), None)()
        except (Unsupported, SubjectFailure) as problem:
            raise UsageError(f"{name} is no ready tokenizer ({problem}): {remedy}") from problem

    def row(self, what: str, text: str) -> Row:
        """A text in full."""
        try:
            answer: Any = self.instance.answer("encode", text, None, True, True)
        except (SubjectFailure, Unsupported) as problem:
            answer = {"error": str(problem)}
        if "error" in answer:
            return Row(what, text, [], [], [], answer["error"])
        return Row(what, text, answer["ids"], answer["tokens"], answer["offsets"], None)

    def documents(self, whole: Sequence[str], listener: Listener) -> Iterator[Document]:
        """What is kept of each."""
        listener.begins(len(whole))
        for number, text in enumerate(whole, start=1):
            row = self.row("", text)
            parts: list[Value] = [[row.tokens, row.error], [row.ids, row.error], [row.offsets, row.error]]
            yield Document(number, len(row.ids), *map(_digest, parts))
            listener.step(f"document {number}")


def _nasty_texts() -> list[str]:
    return [str(text) for _, text in read_lines(inputs_folder() / "nasty.jsonl")]


def _digest(value: Value) -> str:
    content = json.dumps(value, separators=(",", ":"))
    return hashlib.sha256(content.encode()).hexdigest()[:12]
