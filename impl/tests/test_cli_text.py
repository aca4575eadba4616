"""`goldpiece encode`, `decode` and `explain`, as a user types them."""

import json
from pathlib import Path

import pytest

from goldpiece import Tokenizer
from goldpiece.reference.byte_level import ALPHABET

from .conftest import Goldpiece

VOCAB = "[PAD]\n[UNK]\n[CLS]\n[SEP]\ndon\n'\nt\npanic\n!\ncaf\n##e\n中\n"


@pytest.fixture(autouse=True)
def _vocab(tmp_path: Path) -> None:
    (tmp_path / "vocab.txt").write_text(VOCAB, encoding="utf-8")
    Tokenizer.from_vocab(VOCAB.splitlines(), lowercase=False, cleanup=True).save(tmp_path / "tokenizer.json")
    (tmp_path / "texts.json").write_text("don't", encoding="utf-8")
    (tmp_path / "empty").mkdir()


def test_encode_aligns_tokens_under_the_text(goldpiece: Goldpiece) -> None:
    done = goldpiece("encode", "Don't panic! Café 中", "--vocab", "vocab.txt")
    assert done.stdout.splitlines()[:3] == [
        "      Don ' t panic ! Caf é   中",
        "[CLS] don ' t panic ! caf ##e 中 [SEP]",
        "2     4   5 6 7     8 9   10  11 3",
    ]


def test_encode_as_json(goldpiece: Goldpiece) -> None:
    done = goldpiece("encode", "Don't", "panic", "--vocab", "vocab.txt", "--json", "--no-frame", "--pair", "t")
    first, second = map(json.loads, done.stdout.splitlines())
    assert first["tokens"] == ["don", "'", "t", "t"]
    assert first["sequence_ids"] == [0, 0, 0, 1]
    assert second["offsets"] == [[0, 5], [0, 1]]


def test_texts_come_from_a_file_or_standard_input(goldpiece: Goldpiece, tmp_path: Path) -> None:
    (tmp_path / "texts.txt").write_bytes("don\r\n\npanic\u2028t".encode())
    done = goldpiece("encode", "--file", "texts.txt", "--vocab", "vocab.txt", "--json", "--no-frame")
    assert [json.loads(line)["ids"] for line in done.stdout.splitlines()] == [[4], [], [7, 6]]
    piped = goldpiece("encode", "--vocab", "vocab.txt", "--json", "--no-frame", stdin="don\npanic\n")
    assert [json.loads(line)["ids"] for line in piped.stdout.splitlines()] == [[4], [7]]


def test_decode(goldpiece: Goldpiece) -> None:
    assert goldpiece("decode", "2", "9", "10", "3", "--vocab", "vocab.txt").stdout == "cafe\n"
    assert goldpiece("decode", "2", "9", "3", "--keep-special", "--vocab", "vocab.txt").stdout == "[CLS] caf [SEP]\n"
    piped = goldpiece("decode", "--vocab", "vocab.txt", "--json", stdin="9 10\n4, 5, 6\n")
    assert [json.loads(line)["words"] for line in piped.stdout.splitlines()] == [["cafe"], ["don", "'", "t"]]


def test_explain(goldpiece: Goldpiece) -> None:
    lines = [line.strip() for line in goldpiece("explain", "Café\tx [SEP]", "--vocab", "vocab.txt").stdout.splitlines()]
    assert lines[:7] == [
        "text  Café\\tx [SEP]",
        "added tokens  [SEP]",
        "normalized  cafe x [SEP]",
        "word  Café → caf ##e",
        "word  x → [UNK]",
        "word  [SEP] → [SEP]",
        "ids  9 10 1 3",
    ]


def test_a_tokenizer_json_says_all(goldpiece: Goldpiece) -> None:
    done = goldpiece("encode", "don panic! Don", "--tokenizer", "tokenizer.json", "--json", "--no-frame")
    assert json.loads(done.stdout)["ids"] == [4, 7, 8, 1]
    assert goldpiece("decode", "4", "8", "--tokenizer", "tokenizer.json").stdout == "don!\n"
    assert "word  Don → [UNK]" in goldpiece("explain", "Don", "--tokenizer", "tokenizer.json").stdout


@pytest.fixture
def bpe(tmp_path: Path) -> str:
    """A folder with GPT-2's files, of a tiny table."""
    merges = [("Ġ", "p"), ("a", "n"), ("Ġp", "an"), ("i", "c"), ("Ã", "©")]
    vocab = [*ALPHABET, *map("".join, merges), "<|endoftext|>"]
    folder = tmp_path / "bpe"
    folder.mkdir()
    (folder / "encoder.json").write_text(json.dumps({token: number for number, token in enumerate(vocab)}))
    lines = ["#version: 0.2", *map(" ".join, merges)]
    (folder / "vocab.bpe").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return "bpe"


def test_explain_steps_through_merges(goldpiece: Goldpiece, bpe: str) -> None:
    done = goldpiece("explain", "é panic<|endoftext|>", "--tokenizer", bpe)
    assert [line[14:] for line in done.stdout.splitlines()] == [
        "é panic<|endoftext|>",
        "<|endoftext|>",
        *["Ã©", "Ã ©", "Ã©"],
        *["Ġpanic", "Ġ p a n i c", "Ġp a n i c", "Ġp an i c", "Ġpan i c", "Ġpan ic"],
        *["<|endoftext|>", "<|endoftext|>"],
        "260 258 259 261",
        "",
    ]


def test_explain_shows_the_ends_of_many_steps(goldpiece: Goldpiece, bpe: str) -> None:
    for times, left_out in ((19, []), (22, ["… 3 steps that are left out; --json has all merges …"])):
        lines = [line[14:] for line in goldpiece("explain", "an" * times, "--tokenizer", bpe).stdout.splitlines()]
        first, last = " ".join("an" * times), " ".join(["an"] * times)
        assert (lines[2], lines[-3]) == (first, last)
        assert [line for line in lines if "…" in line] == left_out
        assert len(lines[2:-2]) == min(times + 1, 20 + len(left_out))


def test_a_folder_is_its_tokenizer_json_where_it_has_one(goldpiece: Goldpiece, bpe: str, tmp_path: Path) -> None:
    (tmp_path / bpe / "tokenizer.json").write_bytes((tmp_path / "tokenizer.json").read_bytes())
    done = goldpiece("encode", "don panic", "--tokenizer", bpe, "--json", "--no-frame")
    assert json.loads(done.stdout)["ids"] == [4, 7]


def test_a_bpe_tokenizer_encodes_and_decodes(goldpiece: Goldpiece, bpe: str) -> None:
    done = goldpiece("encode", " panic", "--tokenizer", bpe, "--json")
    assert json.loads(done.stdout)["tokens"] == ["Ġpan", "ic"]
    assert json.loads(goldpiece("decode", "258", "259", "--tokenizer", bpe, "--json").stdout) == {"text": " panic"}


def test_explain_shows_where_two_part(goldpiece: Goldpiece, bpe: str) -> None:
    done = goldpiece("explain", "! panic café", "--diff", bpe, "vocab.txt")
    assert [" ".join(line.split()) for line in done.stdout.splitlines()] == [
        *["text ! panic café", "tokens 8, 4"],
        *["2-7 panic", "A Ġpan ic", "B panic"],
        *["8-11 caf", "A c a f", "B caf"],
        "",
    ]
    alike = goldpiece("explain", "!", "--diff", bpe, "vocab.txt", "--json")
    assert json.loads(alike.stdout) == {"text": "!", "parts": []}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["encode", "a"], "error: there is no tokenizer: give --tokenizer with a tokenizer.json, or --vocab"),
        (["decode", "1"], "error: there is no tokenizer: give --tokenizer with a tokenizer.json, or --vocab"),
        (["explain", "a", "--tokenizer", "t", "--vocab", "v"], "error: --tokenizer and --vocab were given"),
        (["encode", "a", "--tokenizer", "t", "--profile", "hf"], "error: --profile and --cased go with --vocab"),
        (["explain", "a", "--tokenizer", "t", "--cased"], "error: --profile and --cased go with --vocab"),
        (["encode", "a", "--tokenizer", "none.json"], "error: none.json: it cannot be read"),
        (["encode", "a", "--tokenizer", "texts.json"], "error: texts.json:1: it is no JSON"),
        (
            ["encode", "a", "--tokenizer", "empty"],
            "error: the folder empty has neither tokenizer.json nor files of a BPE",
        ),
        (["encode", "a", "--tokenizer", "my.tiktoken"], "error: my.tiktoken holds ranks, and not how text is cut"),
        (["explain", "a", "--diff", "a", "b", "--cased"], "error: --diff names both tokenizers"),
        (["encode", "a", "--vocab", "none.txt"], "error: none.txt: it cannot be read"),
        (["encode", "a", "--vocab", "vocab.txt", "--profile", "simple"], "error: there is no profile 'simple'"),
        (["encode", "--file", "none", "--vocab", "vocab.txt"], "error: none: it cannot be read"),
        (["encode", "a", "--file", "vocab.txt", "--vocab", "vocab.txt"], "error: texts and --file were given"),
        (["decode", "12", "--vocab", "vocab.txt"], "error: there is no token of id 12: ids go from 0 to 11"),
        (["decode", "x", "--vocab", "vocab.txt"], "Invalid value for '"),
    ],
)
def test_bad_input(goldpiece: Goldpiece, arguments: list[str], message: str) -> None:
    done = goldpiece(*arguments)
    assert done.returncode == 2
    assert message in " ".join(done.stderr.replace("│", " ").split())


def test_bad_bytes_are_named(goldpiece: Goldpiece, tmp_path: Path) -> None:
    (tmp_path / "texts.txt").write_bytes(b"a\nb\xff\n")
    done = goldpiece("explain", "--file", "texts.txt", "--vocab", "vocab.txt")
    assert done.returncode == 2
    assert "texts.txt:2: byte 1 of the line is not UTF-8. Save it as UTF-8" in done.stderr
