"""`goldpiece stats --words`: what a file is like in words."""

import json
from pathlib import Path

import pytest

from .conftest import Goldpiece

LINES = ["spam\tWin! Win a prize!", "ham\thi, you", "ham\thi, you", "ham\t:)", "spam\tΑΣ & <b>"]


@pytest.fixture(autouse=True)
def _file(tmp_path: Path) -> None:
    (tmp_path / "rows.tsv").write_text("\n".join(LINES) + "\n", encoding="utf-8")


def test_figures_in_the_terminal(goldpiece: Goldpiece) -> None:
    done = goldpiece("stats", "rows.tsv", "--words", "--labelled", "--distinct")
    assert done.returncode == 0, done.stderr
    said = [" ".join(line.split()) for line in done.stdout.splitlines()]
    assert "texts 4 different lines of 5" in said
    assert "lengths 50 % have 2 at most, 95 % have 4 at most, 99 % have 4 at most; longest 4; 1 have no word" in said
    assert "words 8, of which 7 different, and 6 occur once" in said
    assert "marks ! 2, & 1, < 1, > 1" in said
    assert "2 3 75.00%" in said  # special tokens, and one word that occurs twice
    assert any(line.startswith("4 ####") for line in said)


def test_figures_for_programs(goldpiece: Goldpiece) -> None:
    found = json.loads(goldpiece("stats", "rows.tsv", "--words", "--labelled", "--json").stdout)
    assert (found["lines"], found["texts"], found["words"]) == (5, 5, 10)
    assert found["most_common"][:3] == [["win", 2], ["hi", 2], ["you", 2]]
    assert found["labels"]["ham"] == {
        "texts": 3,
        "words": [["hi", 2], ["you", 2]],
        "marks": [[",", 2], [":", 1], [")", 1]],
    }
    cased = json.loads(goldpiece("stats", "rows.tsv", "--words", "--cased", "--json").stdout)
    assert ["Win", 2] in cased["most_common"]
    assert cased["labels"] == {}


def test_both_charts_are_drawn(goldpiece: Goldpiece, tmp_path: Path) -> None:
    assert goldpiece("stats", "rows.tsv", "--words", "--plot", "words.svg").returncode == 0
    drawn = (tmp_path / "words.svg").read_text(encoding="utf-8")
    assert "Words of the 5 texts of rows.tsv" in drawn
    assert "Entries of the vocabulary, by min_count" in drawn
    assert 'viewBox="0 0 640 ' in drawn


def test_both_charts_are_drawn_in_pixels(goldpiece: Goldpiece, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="not run: the extra `plot` is not installed")
    assert goldpiece("stats", "rows.tsv", "--words", "--plot", "words.png").returncode == 0
    assert (tmp_path / "words.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["rows.tsv", "--words", "--vocab", "v.txt"], "--words goes without a tokenizer and batches: leave --vocab"),
        (["rows.tsv", "--words", "--no-frame"], "--words goes without a tokenizer and batches: leave --vocab"),
        (["rows.tsv", "--labelled"], "--labelled and --distinct go with --words: give it, or leave them out"),
        (["plain.txt", "--words", "--labelled"], "plain.txt:2: `no\\tlabel` has no tab behind a label"),
        (["empty.txt", "--words"], "empty.txt has no lines"),
        (["rows.tsv", "--words", "--plot", "words.jpg"], "words.jpg cannot be drawn: name a file that ends in"),
    ],
)
def test_what_cannot_be_told_is_refused(goldpiece: Goldpiece, tmp_path: Path, options: list[str], problem: str) -> None:
    (tmp_path / "plain.txt").write_text("a\tb\nno label\n", encoding="utf-8")
    (tmp_path / "empty.txt").write_bytes(b"")
    done = goldpiece("stats", *options)
    assert done.returncode == 2
    assert problem.replace("\\t", " ") in done.stderr
