"""Corpora and the data folder: what is read, where it is looked for, and what is said where it is missing."""

import gzip
import hashlib
from pathlib import Path

import pytest

from goldpiece.errors import FileError, UsageError
from goldpiece.suite import corpus
from goldpiece.suite.corpus import DOCUMENT, documents, generated, read_corpus, topics
from goldpiece.suite.data import DataMissing, data_file, data_folder


def test_the_generated_text_is_the_same_everywhere() -> None:
    digest = hashlib.sha256(generated().encode()).hexdigest()
    assert digest == "45216b4e8df408f9141723bbb91e75c3b120c43ca5163c0c5c7cba9a8463e7bb"
    assert generated(1) != generated()


def test_the_generated_text_is_multilingual_and_its_words_come_again() -> None:
    text = generated()
    for char in "ềжωאءकகก가あ的😀":
        assert text.count(char) > 20
    words = text.split()
    assert len(set(words)) < len(words) / 3


def test_the_pages_that_ship_with_python_are_there() -> None:
    assert len(topics()) > 300_000
    assert 'The "lambda"' in topics() or "Lambda expressions" in topics()


@pytest.mark.parametrize("text", [topics(), generated(), "", "no line end", "a\n" * 5_000, "x" * 9_000 + "\ny"])
def test_documents_join_to_the_text_and_have_about_the_size(text: str) -> None:
    pieces = list(documents(text))
    assert "".join(pieces) == text
    longest_line = max(map(len, text.split("\n")))
    assert all(DOCUMENT <= len(piece) <= DOCUMENT + longest_line for piece in pieces[:-1])
    assert all(pieces)


def test_files_are_read_compressed_or_not(tmp_path: Path) -> None:
    (tmp_path / "plain.txt").write_text("déjà\n", encoding="utf-8")
    (tmp_path / "packed.txt.gz").write_bytes(gzip.compress("déjà\n".encode()))
    assert read_corpus(str(tmp_path / "plain.txt")) == read_corpus(str(tmp_path / "packed.txt.gz")) == "déjà\n"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("latin.txt", b"d\xe9j\xe0"),
        ("cut.gz", gzip.compress(b"x" * 99, mtime=0)[:-9]),
        ("no.gz", b"plain"),
        ("bad.gz", gzip.compress(b"x" * 99, mtime=0)[:20] + b"?" * 40),
    ],
)
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(FileError, match=name):
        read_corpus(str(tmp_path / name))


def test_what_unpacks_to_more_than_memory_bears_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpus, "LARGEST", 10**6)
    bomb = tmp_path / "bomb.gz"
    bomb.write_bytes(gzip.compress(gzip.compress(bytes(10**8)) + bytes(10**8)))
    with pytest.raises(
        FileError, match=r"bomb\.gz: it holds more than 1,000,000 bytes\. Split it, or give another file"
    ):
        read_corpus(str(bomb))
    bomb.write_bytes(gzip.compress(b"x" * 10**6))
    assert len(read_corpus(str(bomb))) == 10**6


@pytest.mark.parametrize("name", ["n" * 300, "nul\0", "missing/corpus.txt"])
def test_a_path_that_leads_nowhere_is_no_corpus(name: str) -> None:
    with pytest.raises(UsageError, match="there is no corpus"):
        read_corpus(name)


def test_a_name_that_is_no_corpus_is_answered_with_those_that_there_are() -> None:
    with pytest.raises(UsageError, match="topics, generated"):
        read_corpus("shakespear")


def test_data_is_looked_for_where_the_variable_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOLDPIECE_DATA", str(tmp_path))
    assert data_folder() == tmp_path
    with pytest.raises(DataMissing, match=r"bert/vocab\.txt.*GOLDPIECE_DATA"):
        data_file("bert/vocab.txt")
    (tmp_path / "bert").mkdir()
    (tmp_path / "bert" / "vocab.txt").touch()
    assert data_file("bert/vocab.txt") == tmp_path / "bert" / "vocab.txt"
