"""`goldpiece train` writes what the tokenizers read, and says how it went; so do train_wordpiece and train_bpe."""

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest

from goldpiece import BPETokenizer, Tokenizer, train_bpe, train_wordpiece
from goldpiece.cli.train_progress import COUNTING, LEARNING, TrainingProgress, account_of
from goldpiece.formats import bpe_files
from goldpiece.formats.vocab_txt import TokenNotWritable
from goldpiece.training.buckets import Tally

from .conftest import Goldpiece

LINES = ["The new winner wins.", "A dinner for winners, and news! [SEP]", "Winter is new; dinners are few."] * 3


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "corpus.txt"
    path.write_text("\n".join(LINES) + "\n", encoding="utf-8")
    return path


def test_wordpiece(goldpiece: Goldpiece, corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "made" / "here"
    done = goldpiece("train", "wordpiece", str(corpus), "--size", "50", "-o", str(out), "--rule", "frequency")
    assert done.returncode == 0
    assert "entries  50\n" in done.stdout
    assert "5 special, " in done.stdout
    assert "vocab.txt" in done.stdout
    right = train_wordpiece(LINES, 50, rule="frequency").tokens
    assert (out / "vocab.txt").read_text(encoding="utf-8").split() == right
    for tokenizer in (Tokenizer.from_vocab(out / "vocab.txt"), Tokenizer.from_file(out / "tokenizer.json")):
        assert tokenizer.encode("NEW winner", add_special_tokens=False).tokens == ["new", "winner"]


def test_what_falls_short_and_what_is_too_short(goldpiece: Goldpiece, corpus: Path, tmp_path: Path) -> None:
    done = goldpiece("train", "wordpiece", str(corpus), "--size", "200", "-o", str(tmp_path))
    assert done.returncode == 0
    assert "fewer than asked for: no more pairs are frequent enough" in done.stdout
    assert "warning  the pieces are short: raise --min-frequency, or take --rule frequency" in done.stdout
    assert "[SEP]" in (tmp_path / "vocab.txt").read_text(encoding="utf-8")


def test_bpe(goldpiece: Goldpiece, corpus: Path, tmp_path: Path) -> None:
    done = goldpiece("train", "bpe", str(corpus), str(corpus), "--size", "280", "-o", str(tmp_path))
    assert done.returncode == 0
    assert "1 special, 256 of the alphabet, 23 merges; the last pair occurred " in done.stdout
    right = train_bpe(LINES * 2, 280)
    tokenizer = BPETokenizer.from_files(tmp_path / "vocab.json", tmp_path / "merges.txt")
    assert list(tokenizer.vocab) == right.tokens
    assert list(tokenizer.merges) == right.merges
    text = "winners £ 中 <|endoftext|>"
    assert tokenizer.decode(tokenizer.encode(text).ids, skip_special_tokens=False) == text
    shown = goldpiece("encode", "winner", "--tokenizer", str(tmp_path), "--json").stdout
    assert json.loads(shown)["tokens"] == tokenizer.encode("winner").tokens


def test_counts_are_kept_and_learnt_from(goldpiece: Goldpiece, corpus: Path, tmp_path: Path) -> None:
    """What is learnt from a table is what is learnt from the texts whose words it has."""
    table = str(tmp_path / "words.tsv")
    for model, size, words in (("wordpiece", "50", 63), ("bpe", "280", 72)):
        options = ["train", model, "--size", size, "--min-frequency", "2"]
        done = goldpiece(*options, str(corpus), "-o", str(tmp_path / "a"), "--save-counts", table)
        assert done.returncode == 0
        assert f"words  {words} in 9 texts; " in done.stdout
        assert Path(table).read_text(encoding="utf-8").endswith("\t3\n")
        assert goldpiece(*options, "--counts", table, "-o", str(tmp_path / "b")).returncode == 0
        for name in ("tokenizer.json", "merges.txt"):
            assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    done = goldpiece(*options, "--counts", table, "-o", str(tmp_path / "b"), "--min-word-count", "4")
    assert "left out  20 rare words, which occurred 60 times in all" in done.stdout
    done = goldpiece(*options, "--counts", table, "-o", str(tmp_path / "b"), "--workers", "2")
    assert done.returncode == 2
    assert "--save-counts and --workers go with FILES" in done.stderr
    done = goldpiece(*options, "--counts", table, "-o", str(tmp_path / "b"), "--min-word-count", "99")
    assert done.returncode == 2
    assert "there is nothing to learn from, since none of 22 words occurs 99 times" in done.stderr


def test_texts_come_in_many_forms(goldpiece: Goldpiece, tmp_path: Path) -> None:
    """Standard input, fields of JSON, bytes that are replaced: each says what it was."""
    options = ["train", "bpe", "--size", "262", "-o", str(tmp_path / "out")]
    for stdin, more, source in (
        ("winner winner\n", [], "-"),
        ('{"body": "winner winner"}\n', ["--field", "body"], "-"),
        ("", ["--replace-bad-bytes"], "bad.txt"),
    ):
        (tmp_path / "bad.txt").write_bytes(b"winner \xff winner")
        done = goldpiece(*options, *more, source, stdin=stdin)
        assert done.returncode == 0, done.stderr
        assert "winner" in json.loads((tmp_path / "out" / "vocab.json").read_text(encoding="utf-8"))
    assert "replaced  bytes that are no UTF-8, in 1 texts; the first is in bad.txt: byte 7" in done.stdout
    done = goldpiece(*options, "bad.txt")
    assert done.returncode == 2
    assert "bad.txt: byte 7 is not UTF-8" in done.stderr


def test_large_corpora_are_measured_on_what_is_held_out(goldpiece: Goldpiece, tmp_path: Path) -> None:
    text = "".join(f"some words of line {number}\n" for number in range(100, 1_000)) + "x " * 550_000 + "\n"
    (tmp_path / "large.txt").write_text(text, encoding="utf-8")
    options = ["train", "wordpiece", "large.txt", "--size", "60", "-o", "out", "--rule", "frequency"]
    done = goldpiece(*options)
    assert re.search(
        r"tokens  \d\.\d\d characters long, \d+\.\d\d% unknown, of \d\d words that were held out", done.stdout
    )
    assert "words  554,500 in 901 texts; 898 different" in done.stdout
    assert re.search(r"fingerprint  [0-9a-f]{64}\n", done.stdout)
    done = goldpiece(*options, "--no-hold-out")
    assert "unknown, of the words that were learnt from" in done.stdout


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
        ("ab", ["bpe", "--size", "300", "--min-word-count", "0"], "least = 0: give a whole number from 1 on"),
        ("ab", ["bpe", "--size", "300", "--resume"], "--resume goes on with a checkpoint: say where it is"),
        ("ab", ["bpe", "--size", "300", "--field", "body"], "--field is of JSON lines, Parquet and standard input"),
        ("ab", ["bpe", "--size", "300", "--checkpoint", "kept", "--checkpoint-every", "-1"], "give a number from 0 on"),
        ("ab", ["bpe", "--size", "300", "--counts", "a.tsv"], "give either FILES or --counts"),
    ],
)
def test_what_cannot_be_used(goldpiece: Goldpiece, tmp_path: Path, content: str, options: list[str], said: str) -> None:
    file = tmp_path / "text.txt"
    file.write_text(content, encoding="utf-8")
    done = goldpiece("train", *options, str(file), "-o", str(tmp_path / "out"))
    assert done.returncode == 2
    assert said in " ".join(done.stderr.split())
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
