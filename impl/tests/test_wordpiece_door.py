"""The door `wordpiece`: what a tutorial's own tests expect of it."""

import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import goldpiece
import wordpiece
from goldpiece.formats.fingerprint import fingerprint
from wordpiece import Tokenizer, normalize, post_process, pre_tokenize, wordpiece_tokenize
from wordpiece.__main__ import main

VOCAB = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "don", "##t", "'", "t", "panic", "!"]


def test_normalize() -> None:
    assert normalize("  Café  Déjà ") == "cafe deja"


def test_pre_tokenize() -> None:
    tokens, offsets = pre_tokenize("Don't panic!")
    assert tokens == ["Don", "'", "t", "panic", "!"]
    assert offsets == [(0, 3), (3, 4), (4, 5), (6, 11), (11, 12)]


def test_wordpiece_tokenize() -> None:
    for vocab in (["don", "##t"], {"don": 0, "##t": 1}, {"don", "##t", "[UNK]"}):
        assert wordpiece_tokenize("dont", vocab) == ["don", "##t"]
        assert wordpiece_tokenize("banana", vocab) == ["[UNK]"]


def test_post_process() -> None:
    assert post_process(["don", "##t"]).tokens == ["[CLS]", "don", "##t", "[SEP]"]


def test_encode() -> None:
    encoded = Tokenizer(VOCAB).encode("Don't panic!")
    assert set(encoded) == {"input_ids", "token_type_ids", "attention_mask"}
    ids = encoded["input_ids"]
    assert (VOCAB[ids[0]], VOCAB[ids[-1]]) == ("[CLS]", "[SEP]")
    assert encoded["attention_mask"] == [1] * len(ids)
    assert encoded["token_type_ids"] == [0] * len(ids)
    assert [VOCAB[number] for number in ids[1:-1]] == ["don", "'", "t", "panic", "!"]


def test_encode_a_pair() -> None:
    assert Tokenizer(VOCAB).encode("panic", "dont")["token_type_ids"] == [0, 0, 0, 1, 1, 1]


def test_decode() -> None:
    ids = [VOCAB.index(token) for token in ("[CLS]", "don", "##t", "[SEP]")]
    assert Tokenizer(VOCAB).decode(ids) == ["dont"]


@pytest.mark.parametrize(
    "name", ["normalizer", "pre_tokenizer", "vocab", "model", "post_processor", "tokenizer", "trainer", "persistence"]
)
def test_modules_say_what_they_have(name: str) -> None:
    module = import_module(f"wordpiece.{name}")
    assert all(hasattr(module, each) for each in module.__all__)


def test_everything_is_exported() -> None:
    assert all(hasattr(wordpiece, name) for name in wordpiece.__all__)


def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "wordpiece", *arguments]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)


def test_the_command(tmp_path: Path) -> None:
    path = tmp_path / "vocab.txt"
    path.write_text("\n".join(VOCAB), encoding="utf-8")
    done = run("encode", "--vocab", str(path), "--text", "Don't panic!")
    assert json.loads(done.stdout)["input_ids"] == [2, 4, 6, 7, 8, 9, 3]
    done = run("decode", "--vocab", str(path), "--ids", "2", "4", "5", "3")
    assert json.loads(done.stdout) == ["dont"]
    done = run("decode", "--vocab", str(path), "--ids", "99")
    assert (done.returncode, done.stderr) == (2, "error: there is no token of id 99: ids go from 0 to 9\n")
    path.write_text("a\n\nb\n", encoding="utf-8")
    done = run("encode", "--vocab", str(path), "--text", "a")
    assert done.returncode == 2
    assert f"{path}:2: the line is blank" in done.stderr


def test_the_command_takes_a_tokenizer_json(tmp_path: Path) -> None:
    path = tmp_path / "tokenizer.json"
    goldpiece.Tokenizer.from_vocab(VOCAB).save(path)
    done = run("encode", "--tokenizer", str(path), "--text", "Don't panic!")
    assert json.loads(done.stdout)["input_ids"] == [2, 4, 6, 7, 8, 9, 3]
    done = run("encode", "--tokenizer", str(path), "--vocab", str(path), "--text", "a")
    assert done.returncode == 2
    assert "not allowed with argument" in done.stderr
    path.write_text("[]", encoding="utf-8")
    done = run("decode", "--tokenizer", str(path), "--ids", "1")
    assert (done.returncode, done.stderr) == (
        2,
        f"error: {path}: the file is a list, and not an object. Save the file anew with what made it\n",
    )


def test_the_command_trains(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    (tmp_path / "corpus.txt").write_text("Hugging, hugs!\nhug a hug\n", encoding="utf-8")
    command = ["wordpiece", "train", "corpus.txt", "--out", "vocab.txt", "--size", "30", "--min-frequency", "2"]
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", command)
    assert main() == 0
    tokens = wordpiece.train_wordpiece(["Hugging, hugs!", "hug a hug"], 30, min_frequency=2).tokens
    assert goldpiece.Tokenizer.from_vocab("vocab.txt").vocab == tokens
    assert json.loads(capsys.readouterr().out) == {"entries": len(tokens), "fingerprint": fingerprint(tokens)}
    monkeypatch.setattr(sys, "argv", ["missing.txt" if each == "corpus.txt" else each for each in command])
    assert main() == 2
    assert "there is no file 'missing.txt'" in capsys.readouterr().err
