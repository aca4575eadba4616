"""`goldpiece train` writes what the tokenizers read, and says how it went; so do train_wordpiece and train_bpe."""

import io
import json
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeAlias

import pytest
import typer

from goldpiece import BPETokenizer, Tokenizer, train_bpe, train_wordpiece
from goldpiece.cli import train
from goldpiece.cli.train_progress import COUNTING, LEARNING, TrainingProgress, account_of
from goldpiece.errors import FileError, GoldpieceError, UsageError
from goldpiece.formats import bpe_files
from goldpiece.formats.vocab_txt import TokenNotWritable
from goldpiece.training.buckets import Tally

from .conftest import Goldpiece

Trained: TypeAlias = Callable[..., str]
LINES = ["The new winner wins.", "A dinner for winners, and news! [SEP]", "Winter is new; dinners are few."] * 3


@pytest.fixture
def trained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: Any) -> Trained:
    """`goldpiece train` in this process, in an empty folder: what it prints, or the error that it raises."""
    command = typer.main.get_command(train.app)
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> str:
        assert command(list(arguments), standalone_mode=False) is None
        return str(capfd.readouterr().out)

    return run


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "corpus.txt"
    path.write_text("\n".join(LINES) + "\n", encoding="utf-8")
    return path


def test_wordpiece(trained: Trained, corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "made" / "here"
    said = trained("wordpiece", str(corpus), "--size", "50", "-o", str(out), "--rule", "frequency")
    assert "entries  50\n" in said
    assert "5 special, " in said
    assert "vocab.txt" in said
    right = train_wordpiece(LINES, 50, rule="frequency").tokens
    assert (out / "vocab.txt").read_text(encoding="utf-8").split() == right
    for tokenizer in (Tokenizer.from_vocab(out / "vocab.txt"), Tokenizer.from_file(out / "tokenizer.json")):
        assert tokenizer.encode("NEW winner", add_special_tokens=False).tokens == ["new", "winner"]


def test_what_falls_short_and_what_is_too_short(trained: Trained, corpus: Path, tmp_path: Path) -> None:
    said = trained("wordpiece", str(corpus), "--size", "200", "-o", str(tmp_path))
    assert "fewer than asked for: no more pairs are frequent enough" in said
    assert "warning  the pieces are short: raise --min-frequency, or take --rule frequency" in said
    assert "[SEP]" in (tmp_path / "vocab.txt").read_text(encoding="utf-8")


def test_bpe(goldpiece: Goldpiece, corpus: Path, tmp_path: Path) -> None:
    done = goldpiece("train", "bpe", str(corpus), str(corpus), "--size", "280", "-o", str(tmp_path))
    assert done.returncode == 0
    assert "1 special, 256 of the alphabet, 23 merges; the last pair occurred " in done.stdout
    assert re.search("merged by  (Python|compiled kernels)", done.stdout)
    right = train_bpe(LINES * 2, 280)
    tokenizer = BPETokenizer.from_files(tmp_path / "vocab.json", tmp_path / "merges.txt")
    assert list(tokenizer.vocab) == right.tokens
    assert list(tokenizer.merges) == right.merges
    text = "winners £ 中 <|endoftext|>"
    assert tokenizer.decode(tokenizer.encode(text).ids, skip_special_tokens=False) == text
    shown = goldpiece("encode", "winner", "--tokenizer", str(tmp_path), "--json").stdout
    assert json.loads(shown)["tokens"] == tokenizer.encode("winner").tokens


@pytest.mark.parametrize(
    "text",
    ["a", "word", "ab cd ef gh", "x" * 20_000, "some words " * 20_000],
    ids=["a character", "a word", "ties", "a long word", "a long line"],
)
@pytest.mark.parametrize("model", ["wordpiece", "bpe"])
def test_any_corpus_gives_what_cuts_it(trained: Trained, tmp_path: Path, model: str, text: str) -> None:
    (tmp_path / "text.txt").write_text(text, encoding="utf-8")
    trained(model, "text.txt", "--size", "300", "--min-frequency", "1", "-o", "out")
    part = text[:90]  # a word of more than 100 characters is unknown to WordPiece
    if model == "bpe":
        tokenizer = BPETokenizer.from_files(tmp_path / "out" / "vocab.json", tmp_path / "out" / "merges.txt")
        assert tokenizer.decode(tokenizer.encode(part).ids) == part
    else:
        pieces = Tokenizer.from_vocab(tmp_path / "out" / "vocab.txt")
        assert pieces.decode_words(pieces.encode(part).ids) == part.split()


def test_counts_are_kept_and_learnt_from(trained: Trained, corpus: Path, tmp_path: Path) -> None:
    """What is learnt from a table is what is learnt from the texts whose words it has."""
    for model, size, words in (("wordpiece", "50", 63), ("bpe", "280", 72)):
        options = [model, "--size", size, "--min-frequency", "2", "-o"]
        said = trained(*options, "a", str(corpus), "--save-counts", "words.tsv")
        assert f"words  {words} in 9 texts; " in said
        assert (tmp_path / "words.tsv").read_text(encoding="utf-8").endswith("\t3\n")
        trained(*options, "b", "--counts", "words.tsv")
        for name in ("tokenizer.json", "merges.txt"):
            assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    said = trained(*options, "b", "--counts", "words.tsv", "--min-word-count", "4")
    assert "left out  20 rare words, which occurred 60 times in all" in said
    with pytest.raises(UsageError, match="nothing to learn from, since none of 22 words occurs 99 times"):
        trained(*options, "b", "--counts", "words.tsv", "--min-word-count", "99")
    with pytest.raises(UsageError, match="--save-counts and --workers go with FILES"):
        trained(*options, "b", "--counts", "words.tsv", "--workers", "2")


def test_a_trace_is_whole_though_training_was_resumed(trained: Trained, corpus: Path, tmp_path: Path) -> None:
    pytest.importorskip("lmdb", reason="not run: lmdb is not installed")
    options = ["bpe", str(corpus), "--size", "280", "-o", "out", "--checkpoint", "kept", "--resume", "--trace"]
    for name in ("whole.tsv", "again.tsv"):
        trained(*options, name)
    lines = (tmp_path / "whole.tsv").read_text(encoding="utf-8").splitlines()
    assert [line.split("\t")[1:3] for line in lines[1:]] == list(map(list, train_bpe(LINES, 280).merges))
    assert (tmp_path / "again.tsv").read_text(encoding="utf-8").splitlines() == lines


def test_texts_come_in_many_forms(trained: Trained, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Standard input, fields of JSON, bytes that are replaced: each says what it was."""
    (tmp_path / "bad.txt").write_bytes(b"winner \xff winner")
    options = ["bpe", "--size", "262", "-o", "out"]
    for content, more, source in (
        (b"winner winner\n", [], "-"),
        (b'{"body": "winner winner"}\n', ["--field", "body"], "-"),
        (b"", ["--replace-bad-bytes"], "bad.txt"),
    ):
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(content)))
        said = trained(*options, *more, source)
        assert "winner" in json.loads((tmp_path / "out" / "vocab.json").read_text(encoding="utf-8"))
    assert "replaced  bytes that are no UTF-8, in 1 texts; the first is in bad.txt: byte 7" in said
    with pytest.raises(FileError, match=r"bad\.txt: byte 7 is not UTF-8"):
        trained(*options, "bad.txt")


def test_large_corpora_are_measured_on_what_is_held_out(trained: Trained, tmp_path: Path) -> None:
    text = "".join(f"some words of line {number}\n" for number in range(100, 1_000)) + "x " * 550_000 + "\n"
    (tmp_path / "large.txt").write_text(text, encoding="utf-8")
    options = ["wordpiece", "large.txt", "--size", "60", "-o", "out", "--rule", "frequency"]
    said = trained(*options)
    assert re.search(r"tokens  \d\.\d\d characters long, \d+\.\d\d% unknown, of \d\d words that were held out", said)
    assert "words  554,500 in 901 texts; 898 different" in said
    assert re.search(r"fingerprint  [0-9a-f]{64}\n", said)
    assert "unknown, of the words that were learnt from" in trained(*options, "--no-hold-out")


@pytest.mark.parametrize(
    ("phase", "done", "total", "lately", "seconds", "account"),
    [
        (COUNTING, 2_500_000, 10_000_000, 1_500_000, 3, "2.5 of 10.0 MB, 0.5 MB/s, 15 s left"),
        (COUNTING, 2_500_000, 0, 2_500_000, 2, "2.5 MB, 1.2 MB/s"),
        (LEARNING, 5_000, 30_000, 2_500, 1, "5,000 of 30,000 entries, 2,500 entries/s, 10 s left"),
        (LEARNING, 300, 30_000, 0, 0, "300 of 30,000 entries"),
    ],
)
def test_progress(phase: str, done: int, total: int, lately: int, seconds: float, account: str) -> None:
    assert account_of(phase, done, total, lately, seconds) == account


def test_progress_is_lines_where_there_is_no_terminal(capfd: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    with TrainingProgress(9_000_000, 100) as progress:
        for second in range(5):
            now = second
            progress.counted(Tally(done=second * 1_000_000))
    assert capfd.readouterr().err == (
        "counting: 2.0 of 9.0 MB, 1.0 MB/s, 7 s left\ncounting: 4.0 of 9.0 MB, 1.0 MB/s, 5 s left\n"
    )


@pytest.mark.parametrize(
    ("content", "options", "said"),
    [
        ("", ["wordpiece", "--size", "9"], "there is nothing to learn from: give files with text"),
        ("ab", ["wordpiece", "--size", "5"], "size = 5 has no room for 5 special tokens and an alphabet of 2"),
        ("ab", ["wordpiece", "--size", "9", "--rule", "bpe"], "rule = 'bpe': give one of likelihood, frequency"),
        ("ab", ["bpe", "--size", "300", "--pattern", "gpt3"], "gpt3"),
        ("ab", ["bpe", "--size", "300", "--min-frequency", "0"], "min_frequency = 0: give a whole number from 1 on"),
        ("ab", ["bpe", "--size", "300", "--workers", "0"], "workers = 0: give a whole number from 1 on"),
        ("ab", ["bpe", "--size", "300", "--min-word-count", "0"], "min_word_count = 0: give a whole number from 1 on"),
        ("ab", ["bpe", "--size", "300", "--resume"], "--resume goes on with a checkpoint: say where it is"),
        ("ab", ["bpe", "--size", "300", "--field", "body"], "--field is of JSON lines, Parquet and standard input"),
        ("ab", ["bpe", "--size", "300", "--checkpoint", "kept", "--checkpoint-every", "-1"], "give a number from 0 on"),
        ("ab", ["bpe", "--size", "300", "--counts", "a.tsv"], "give either FILES or --counts"),
    ],
)
def test_what_cannot_be_used(trained: Trained, tmp_path: Path, content: str, options: list[str], said: str) -> None:
    (tmp_path / "text.txt").write_text(content, encoding="utf-8")
    with pytest.raises(GoldpieceError, match=re.escape(said)):
        trained(*options, "text.txt", "-o", "out")
    assert not (tmp_path / "out").exists()


def test_a_folder_that_is_a_file(goldpiece: Goldpiece, corpus: Path) -> None:
    done = goldpiece("train", "bpe", str(corpus), "--size", "280", "-o", str(corpus))
    assert done.returncode == 2
    assert "it cannot be made (File exists). Give the path of a folder" in done.stderr


def test_special_tokens_in_texts_are_not_learnt() -> None:
    found = train_wordpiece(["ab [SEP] cd", "ab[SEP]cd"], 20, min_frequency=1)
    assert sorted(found.tokens[5:]) == ["##b", "##d", "a", "ab", "c", "cd"]
    assert "Ġ<" not in train_bpe(["a <|endoftext|>"] * 9, 300).tokens


def test_merges_that_no_line_carries_are_refused(tmp_path: Path) -> None:
    with pytest.raises(bpe_files.SymbolNotWritable, match="the merge of rank 1 holds ' '"):
        bpe_files.write_merges(tmp_path / "merges.txt", [("a", "b"), (" ", "c")])
    with pytest.raises(TokenNotWritable, match="lone surrogate"):
        bpe_files.write_encoder(tmp_path / "vocab.json", ["a", "\ud800"])
    assert list(tmp_path.iterdir()) == []
