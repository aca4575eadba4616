"""The specs as tests in a file of the user's, under plain pytest and under unittest."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from goldpiece.errors import FileError, UsageError
from goldpiece.testing import conformance_tests

from .conftest import SUBJECTS
from .test_divergences import DECLARED

TESTS = """\
from goldpiece.testing import conformance_tests
import tiny

class WrongWithSurrogates(tiny.Wrong):
    surrogates = True

class Lacking:
    def __init__(self, vocab):
        pass
    def tokenize(self, word):
        return []

TestRight = conformance_tests(tiny.Right, spec="wordpiece")
TestWrong = conformance_tests(WrongWithSurrogates, spec="wordpiece")
TestStrict = conformance_tests(WrongWithSurrogates, spec="wordpiece", strict=True)
TestDeclared = conformance_tests(tiny.Wrong, spec="wordpiece", divergences="declared.yaml")
TestStale = conformance_tests(tiny.Right, spec="wordpiece", divergences="declared.yaml")
TestLacking = conformance_tests(Lacking, spec="wordpiece")
TestNamed = conformance_tests("reference", spec="normalizer", profile="google")
"""

PREFIX, SURROGATES = "test_clause[wordpiece.prefix-parameter]", "test_clause[wordpiece.surrogates]"

# What would spoil the laws if it reached them: nothing is tried, and every warning is an error.
HOSTILE = """\
import hypothesis
hypothesis.settings.register_profile("hostile", max_examples=1, derandomize=True, deadline=1, phases=[])
hypothesis.settings.load_profile("hostile")
"""


@pytest.fixture(scope="module")
def tests(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tests")
    (folder / "test_mine.py").write_text(TESTS, encoding="utf-8")
    (folder / "declared.yaml").write_text(DECLARED, encoding="utf-8")
    (folder / "conftest.py").write_text(HOSTILE, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def under_pytest(tests: Path) -> str:
    """What pytest says, of whose tests a worker runs those that are few and tell all."""
    return run(tests, "-m", "pytest", "-q", "-rA", "-W", "error", "-k", "prefix or surrogates", "-n", "1").stdout


def run(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    # This test is itself one of pytest's, and a run within it has to do without what that says of itself.
    variables = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=variables | {"PYTHONPATH": str(SUBJECTS), "COLUMNS": "200"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )


def test_under_pytest(under_pytest: str) -> None:
    verdicts = {name: word for word, name in re.findall(r"^([A-Z]+) test_mine\.py::(\w+::\S+\])", under_pytest, re.M)}
    assert verdicts == {
        f"TestRight::{PREFIX}": "PASSED",
        f"TestRight::{SURROGATES}": "PASSED",
        f"TestWrong::{PREFIX}": "FAILED",
        f"TestWrong::{SURROGATES}": "XFAIL",
        f"TestStrict::{PREFIX}": "FAILED",
        f"TestStrict::{SURROGATES}": "FAILED",
        f"TestDeclared::{PREFIX}": "XFAIL",
        f"TestStale::{PREFIX}": "FAILED",
        f"TestStale::{SURROGATES}": "PASSED",
        "TestNamed::test_clause[normalizer.surrogates-google]": "PASSED",
    }
    assert 'diverges: It says "wrong" to everything.' in under_pytest
    assert "unsupported: the subject does not take the parameter prefix" in under_pytest
    assert "the declaration is stale: the clause holds" in under_pytest


def test_a_failure_is_the_report_and_nothing_else(under_pytest: str) -> None:
    first = re.search(rf"_ TestWrong\.{re.escape(PREFIX)} _+\n\[gw0\].*\n([\s\S]*?)\n___", under_pytest)
    assert first, under_pytest
    shown = first[1].splitlines()
    assert shown[0] == "wordpiece.prefix-parameter fails (must)"
    labels = ["clause", "with", "word", "expected", "actual", "found by"]
    assert [line[:10].strip() for line in shown[1:]] == labels


def test_under_unittest(tests: Path) -> None:
    done = run(tests, "-m", "unittest", "test_mine", "-k", "prefix", "-k", "surrogates")
    assert "FAILED (failures=4, skipped=5)" in done.stderr, done.stderr
    assert "wordpiece.prefix-parameter fails (must)\n    clause  Any prefix" in done.stderr
    assert "File " not in done.stderr


def test_what_cannot_be_used_is_said_at_once(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="builtins:int is no implementation of anything specified"):
        conformance_tests(3)
    with pytest.raises(UsageError, match="nothing is left to check with --spec pre_tokenizer --profile simple"):
        conformance_tests("reference", spec="pre_tokenizer", profile="simple")
    with pytest.raises(UsageError, match="there is no depth 'bottomless'; there are quick, standard, deep"):
        conformance_tests("reference", depth="bottomless")
    with pytest.raises(FileError, match=r"none\.yaml: it cannot be read"):
        conformance_tests("reference", spec="packing", divergences=tmp_path / "none.yaml")
