"""Declared divergences: a clause that fails as declared diverges, and a declaration that shows nothing is stale."""

from pathlib import Path

import pytest

from goldpiece.errors import FileError
from goldpiece.suite.divergences import read_divergences
from goldpiece.suite.loader import load_specs
from goldpiece.suite.rooms import room

from .conftest import Goldpiece

DECLARED = """\
- clause: wordpiece.prefix-parameter
  reason: It says "wrong" to everything.
  link: https://example.org/1
  given: {vocab: ["[UNK]", a], word: a, prefix: "@@"}
  actual: {pieces: [wrong, a]}
"""

RUN = ("--clause", "wordpiece.prefix-parameter", "--divergences", "declared.yaml")


def declare(folder: Path, text: str) -> Path:
    path = folder / "declared.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_what_fails_as_declared_diverges(goldpiece: Goldpiece, tmp_path: Path) -> None:
    declare(tmp_path, DECLARED)
    done = goldpiece("check", "tiny:Wrong", *RUN)
    assert done.returncode == 0, done.stdout
    assert "≠ wordpiece.prefix-parameter diverges (must)" in done.stdout
    assert 'reason  It says "wrong" to everything. https://example.org/1' in done.stdout
    assert "1 diverges" in done.stdout


@pytest.mark.parametrize(
    ("subject", "text", "message"),
    [
        ("tiny:Right", DECLARED, "the declaration is stale: the clause holds"),
        ("tiny:Wrong", DECLARED.replace("[wrong, a]", "[right]"), "the declaration is stale: its example gives"),
    ],
)
def test_what_does_not_diverge_as_declared_is_stale(
    goldpiece: Goldpiece, tmp_path: Path, subject: str, text: str, message: str
) -> None:
    declare(tmp_path, text)
    done = goldpiece("check", subject, *RUN)
    assert done.returncode == 1, done.stdout
    assert message in " ".join(done.stdout.split())
    assert "found by  divergence declared.yaml:1" in done.stdout


BREAKS = DECLARED.replace("{pieces: [wrong, a]}", """{failed: "it raised LookupError: no idea what 'a' is"}""")


def test_what_breaks_as_declared_diverges(goldpiece: Goldpiece, tmp_path: Path) -> None:
    declare(tmp_path, BREAKS)
    done = goldpiece("check", "tiny:Raises", *RUN)
    assert done.returncode == 0, done.stdout
    assert "≠ wordpiece.prefix-parameter diverges (must)" in done.stdout


@pytest.mark.parametrize("subject", ["tiny:Right", "tiny:Wrong"])
def test_what_does_not_break_as_declared_is_stale(goldpiece: Goldpiece, tmp_path: Path, subject: str) -> None:
    declare(tmp_path, BREAKS)
    done = goldpiece("check", subject, *RUN)
    assert done.returncode == 1, done.stdout
    assert "the declaration is stale" in " ".join(done.stdout.split())


@pytest.mark.parametrize(("subject", "text"), [("tiny:Raises", DECLARED), ("tiny:Exits", BREAKS)])
def test_another_error_is_no_divergence(goldpiece: Goldpiece, tmp_path: Path, subject: str, text: str) -> None:
    declare(tmp_path, text)
    done = goldpiece("check", subject, *RUN)
    assert done.returncode == 1, done.stdout
    assert "! wordpiece.prefix-parameter errors" in done.stdout


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("clause: wordpiece.pure", "declared.yaml:1: it is no list of divergences"),
        ("- clause: wordpiece.pure", "declared.yaml:1: it is no divergence. Give actual, clause, given"),
        (DECLARED.replace("word: a", "wort: a"), "declared.yaml:4: it is no input of tokenize: 'wort'"),
        (DECLARED.replace("prefix-parameter", "nothing"), "declared.yaml:1: there is no clause 'wordpiece.nothing'"),
        (DECLARED.replace("wordpiece.prefix-parameter", "[a]"), 'declared.yaml:1: clause is ["a"], and not text'),
        (DECLARED.replace('It says "wrong" to everything.', "no"), "declared.yaml:2: reason is false, and not text"),
        (DECLARED.replace("https://example.org/1", "[1]"), "declared.yaml:3: link is [1], and not text"),
        (DECLARED.replace("word: a, ", ""), "declared.yaml:4: it is no input of tokenize: 'word'"),
        (DECLARED.replace('{vocab: ["[UNK]", a], word: a, prefix: "@@"}', "[a]"), 'declared.yaml:4: given is ["a"]'),
        (
            DECLARED.replace("{pieces: [wrong, a]}", "no"),
            "declared.yaml:5: actual is false. Give values by their names",
        ),
        (
            DECLARED.replace("pieces: [", "words: ["),
            "declared.yaml:5: it is no output of tokenize. Give pieces, or error",
        ),
        (DECLARED.replace("word: a,", "word: {repeat: a, times: 50000001},"), "declared.yaml:4: the repetitions up to"),
        (DECLARED.replace("word: a", "word: no"), "declared.yaml:4: it is no input of tokenize: false is a boolean"),
        (DECLARED + "  profile: hf\n", "wordpiece.prefix-parameter has no profile 'hf'"),
        (DECLARED * 2, "wordpiece.prefix-parameter is declared twice, first at declared.yaml:1. Keep one"),
    ],
)
def test_a_bad_file(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(FileError) as caught:
        read_divergences(declare(tmp_path, text), load_specs())
    assert message in str(caught.value)


def test_what_ships_can_be_read() -> None:
    for path in (room("properties") / "divergences").glob("*.yaml"):
        assert read_divergences(path, load_specs())
