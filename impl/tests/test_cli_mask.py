"""`goldpiece mask`, as a user types it."""

import json
from pathlib import Path

import pytest

from .conftest import Goldpiece

VOCAB = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "transform", "##ation", "was", "<b>"]


@pytest.fixture(autouse=True)
def _vocab(tmp_path: Path) -> None:
    (tmp_path / "vocab.txt").write_text("\n".join(VOCAB) + "\n", encoding="utf-8")


def test_what_is_masked_stands_below_the_token(goldpiece: Goldpiece) -> None:
    done = goldpiece("mask", "the transformation was", "--vocab", "vocab.txt", "--rate", "0.3", "--whole-word")
    assert done.returncode == 0
    tokens, seen, fates, labels, _, summary, *_ = done.stdout.splitlines()
    assert tokens.split() == ["[CLS]", "the", "transform", "##ation", "was", "[SEP]"]
    assert len(seen.split()) == len(fates.split()) == len(labels.split()) == 2
    assert summary.startswith("2 of 6 tokens selected: ")
    assert summary.endswith("of 0 the word stays partly visible (0%)")
    assert "\x1b" not in done.stdout


def test_json_and_seeds(goldpiece: Goldpiece) -> None:
    texts = ("the transformation was the transformation was the transformation was", "the the")
    arguments = ("mask", *texts, "--vocab", "vocab.txt", "--rate", "0.5", "--json")
    first, again, other = (
        [json.loads(line) for line in goldpiece(*arguments, "--seed", seed).stdout.splitlines()]
        for seed in ("1", "1", "2")
    )
    assert first == again
    assert first != other
    assert [row["tokens"] for row in first] == [row["tokens"] for row in other]
    for row in first:
        for token, seen, label, fate in zip(row["tokens"], row["seen"], row["labels"], row["fates"], strict=True):
            assert (label == -100) == (fate == "")
            assert label in (-100, VOCAB.index(token))
            assert {"": seen == token, "masked": seen == "[MASK]", "kept": seen == token}.get(fate, seen != token)


def test_compare_marks_the_leak_and_writes_a_page(goldpiece: Goldpiece, tmp_path: Path) -> None:
    texts = ["transformation transformation transformation <b>"]
    options = ("--compare", "--rate", "0.5", "--html", "page.html", "--budget", "fraction")
    done = goldpiece("mask", *texts, "--vocab", "vocab.txt", *options)
    random, whole = done.stdout.split("whole words")
    assert random.startswith("random subwords")
    assert "leaks" in random
    assert "leaks" not in whole
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.count("<h2>") == 2
    assert "token masked leaks" in page
    assert "&lt;b&gt;" in page
    assert "<b>" not in page


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--rate", "1.5"], "error: rate is 1.5: give a number from 0 to 1"),
        (["--budget", "bret"], "error: there is no budget 'bret': there are bernoulli, fraction, bert, greedy"),
        (["--html", "none/page.html"], "error: none/page.html: it cannot be written"),
    ],
)
def test_bad_input(goldpiece: Goldpiece, arguments: list[str], message: str) -> None:
    done = goldpiece("mask", "the", "--vocab", "vocab.txt", *arguments)
    assert done.returncode == 2
    assert message in done.stderr
