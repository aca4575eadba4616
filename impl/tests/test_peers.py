"""Hugging Face tokenizers under the suite: it holds to `hf`, and parts from `google` where it is known to."""

import json
from pathlib import Path
from typing import Any

import pytest

from .conftest import Goldpiece

pytest.importorskip("tokenizers", reason="not run: the extra `peers` is not installed")


def check(goldpiece: Goldpiece, folder: Path, *options: str) -> tuple[int, dict[str, Any]]:
    done = goldpiece("check", "tokenizers", *options, "--json", "out.json")
    report = json.loads((folder / "out.json").read_text(encoding="utf-8"))
    return done.returncode, {clause["id"]: clause for clause in report["clauses"]}


def test_it_holds_to_its_own_profile_but_for_what_is_declared(goldpiece: Goldpiece, tmp_path: Path) -> None:
    """All of it is put to the whole suite by a step of CI; here to what is quick to check, and to what is declared."""
    code, clauses = check(goldpiece, tmp_path, "--spec", "post_processor")
    assert code == 0
    assert {clause["verdict"] for clause in clauses.values()} <= {"holds", "unsupported"}
    for name in ("persistence.byte-order-mark", "persistence.refuses"):
        code, clauses = check(goldpiece, tmp_path, "--clause", name)
        assert (code, clauses[name]["verdict"]) == (0, "diverges")
        assert clauses[name]["reason"]


def test_google_finds_the_unsplit_ideographs(goldpiece: Goldpiece, tmp_path: Path) -> None:
    code, clauses = check(goldpiece, tmp_path, "--profile", "google", "--spec", "normalizer")
    assert code == 1
    found = clauses["normalizer.ideographs"]["counterexample"]
    assert found["given"][0]["input"] == {"text": "\U0002b820"}
    assert (found["expected"], found["actual"]) == (" \U0002b820 ", "\U0002b820")
    assert found["note"] == "256 code points: U+2B820-U+2B91F"
    failing = {name.partition(".")[2] for name, clause in clauses.items() if clause["verdict"] == "fails"}
    assert failing == {
        "alignment",
        "deletes",
        "ideographs",
        "strips-accents",
        "canonical-order",
        "final-sigma",
        "switches",
        "any-text",
    }
