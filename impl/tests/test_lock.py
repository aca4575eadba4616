"""Lock files: a tokenizer that moved is seen, and what moved is told."""

from dataclasses import replace
from pathlib import Path

import pytest

from goldpiece import Tokenizer
from goldpiece.errors import FileError, UsageError
from goldpiece.suite.golden import lock, lock_file
from goldpiece.suite.golden.account import account
from goldpiece.suite.golden.lock_file import Lock
from goldpiece.suite.loader import load_specs
from goldpiece.suite.subject import Subject
from goldpiece.suite.subjects import in_this_process

from .conftest import Goldpiece

VOCAB = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "caf", "##e", "##é", "a", "b", "##b", "##a", ".", "ab"]
TEXT = "".join(f"Café ab aab ba. Line {number}.\n" for number in range(300))


class Silent:
    """Nobody is told how far it is."""

    def begins(self, checks: int) -> None:
        pass

    def step(self, what: str) -> None:
        pass


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "corpus.txt"
    path.write_text(TEXT, encoding="utf-8")
    return path


def tokenizer(folder: Path, name: str, vocab: list[str], lowercase: bool = True) -> Subject:
    path = folder / name
    Tokenizer.from_vocab(vocab, lowercase=lowercase).save(path)
    return in_this_process(f"reference:{path}", load_specs())


def recorded(folder: Path, corpus: Path, keep_text: bool = True) -> Lock:
    return lock.record(tokenizer(folder, "then.json", VOCAB), "reference:x", str(corpus), keep_text, Silent())


def told(before: Lock, now: Subject, corpus: Path | None = None) -> tuple[bool, str]:
    moved = lock.verify(before, now, str(corpus) if corpus else None, Silent())
    return moved.is_any, "\n".join(line for line, _ in account(before, moved, 3))


def test_what_did_not_move_holds(tmp_path: Path, corpus: Path) -> None:
    before = recorded(tmp_path, corpus)
    assert len(before.documents) > 3
    moved, said = told(before, tokenizer(tmp_path, "now.json", VOCAB))
    assert not moved
    assert f"0 of {len(before.documents)} moved" in said


def test_other_tokens_are_shown_with_what_stands_around_them(tmp_path: Path, corpus: Path) -> None:
    moved, said = told(recorded(tmp_path, corpus), tokenizer(tmp_path, "now.json", VOCAB[:-1]))
    assert moved
    assert "document 1: other tokens" in said
    assert "    - " in said
    lines = [line for line in said.splitlines() if line.startswith("    ")]
    assert any("a ##b" in line for line in lines if line.startswith("    +"))


def test_the_same_tokens_with_other_ids_are_told_apart(tmp_path: Path, corpus: Path) -> None:
    turned = [*VOCAB[:4], *reversed(VOCAB[4:])]
    _, said = told(recorded(tmp_path, corpus), tokenizer(tmp_path, "now.json", turned))
    assert "document 1: the same tokens with other ids" in said
    assert "ids of " in said


def test_the_same_tokens_at_other_offsets_are_told_apart(tmp_path: Path, corpus: Path) -> None:
    before = recorded(tmp_path, corpus)
    shifted = [replace(row, offsets=[[start + 1, end + 1] for start, end in row.offsets]) for row in before.rows]
    documents = [replace(each, offsets_digest="0" * 12) for each in before.documents]
    older = replace(before, rows=tuple(shifted), documents=tuple(documents))
    _, said = told(older, tokenizer(tmp_path, "now.json", VOCAB))
    assert "document 1: the same tokens at other offsets" in said
    assert "offsets of " in said


def test_an_error_is_recorded_and_its_end_is_told(tmp_path: Path, corpus: Path) -> None:
    before = recorded(tmp_path, corpus)
    failing = replace(before.rows[5], ids=[], tokens=[], offsets=[], error="unknown-token-missing")
    older = replace(before, rows=(failing, *before.rows[6:]))
    _, said = told(older, tokenizer(tmp_path, "now.json", VOCAB))
    assert "- error: unknown-token-missing" in said


def test_without_its_corpus_the_texts_in_full_are_looked_at(tmp_path: Path, corpus: Path) -> None:
    before = recorded(tmp_path, corpus)
    corpus.unlink()
    moved, said = told(before, tokenizer(tmp_path, "now.json", VOCAB[:-1]))
    assert moved
    assert "not looked at: there is no corpus" in said


def test_another_text_is_no_corpus_to_compare_with(tmp_path: Path, corpus: Path) -> None:
    before = recorded(tmp_path, corpus)
    corpus.write_text("other", encoding="utf-8")
    with pytest.raises(UsageError, match="is not the text that was recorded"):
        told(before, tokenizer(tmp_path, "now.json", VOCAB))


def test_a_file_gives_back_what_was_recorded(tmp_path: Path, corpus: Path) -> None:
    before = recorded(tmp_path, corpus)
    lock_file.write(tmp_path / "tok.lock", before)
    assert lock_file.read(tmp_path / "tok.lock") == replace(
        before, rows=tuple(replace(row, offsets=[list(span) for span in row.offsets]) for row in before.rows)
    )


def test_without_text_a_file_holds_none_of_the_corpus(tmp_path: Path, corpus: Path) -> None:
    lock_file.write(tmp_path / "tok.lock", recorded(tmp_path, corpus, keep_text=False))
    assert "Line" not in (tmp_path / "tok.lock").read_text(encoding="utf-8")


@pytest.mark.parametrize("line", [1, 2, 90, -1])
@pytest.mark.parametrize("broken", ["", "{}", "[1]", '[999, 2, "a", "b", "c"]', "null"])
def test_a_broken_file_is_named(tmp_path: Path, corpus: Path, line: int, broken: str) -> None:
    path = tmp_path / "tok.lock"
    lock_file.write(path, recorded(tmp_path, corpus))
    lines = path.read_text(encoding="utf-8").splitlines()
    lines[line if line < 0 else line - 1] = broken
    path.write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(FileError, match=r"tok\.lock"):
        lock_file.read(path)


@pytest.mark.parametrize("name", ["reference", "goldpiece.reference.wordpiece:WordPiece,component=wordpiece"])
def test_what_is_no_ready_tokenizer_is_told_so(corpus: Path, name: str) -> None:
    with pytest.raises(UsageError, match="name hf:PATH, reference:PATH"):
        lock.record(in_this_process(name, load_specs()), name, str(corpus), True, Silent())


def test_the_commands(goldpiece: Goldpiece, tmp_path: Path, corpus: Path) -> None:
    tokenizer(tmp_path, "tok.json", VOCAB)
    done = goldpiece("golden", "record", "reference:tok.json", corpus.name, "-o", "tok.lock")
    assert done.returncode == 0, done.stderr
    assert "goldpiece golden verify tok.lock" in done.stdout
    assert goldpiece("golden", "verify", "tok.lock").returncode == 0
    tokenizer(tmp_path, "tok.json", VOCAB[:-1])
    done = goldpiece("golden", "verify", "tok.lock")
    assert done.returncode == 1, done.stderr
    assert "texts moved" in done.stdout
    assert goldpiece("golden", "verify", "tok.lock", "wordpiece").returncode == 2
