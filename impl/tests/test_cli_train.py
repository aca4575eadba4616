"""`goldpiece train` writes what the tokenizers read, and says how it went; so do train_wordpiece and train_bpe."""

import json
from pathlib import Path

import pytest

from goldpiece import BPETokenizer, Tokenizer, train_bpe, train_wordpiece
from goldpiece.formats import bpe_files
from goldpiece.formats.vocab_txt import TokenNotWritable

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


@pytest.mark.parametrize(
    ("content", "options", "said"),
    [
        ("", ["wordpiece", "--size", "9"], "there is nothing to learn from: give files with text"),
        ("ab", ["wordpiece", "--size", "5"], "size = 5 has no room for 5 special tokens and an alphabet of 2"),
        ("ab", ["wordpiece", "--size", "9", "--rule", "bpe"], "rule = 'bpe': give one of likelihood, frequency"),
        ("ab", ["bpe", "--size", "300", "--pattern", "gpt3"], "gpt3"),
        ("ab", ["bpe", "--size", "300", "--min-frequency", "0"], "min_frequency = 0: give a whole number from 1 on"),
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
