"""The spec of a verdict: tiny subjects whose fault is known get the verdict, exit code and message that they should."""

import json
from pathlib import Path

import pytest

from goldpiece.suite.spec import Depth, Level
from goldpiece.suite.verdict import Exit, Outcome, Report, Row, Verdict, worst

from .conftest import Goldpiece

SPELLS = ("--clause", "wordpiece.spells-the-word")


@pytest.mark.parametrize(
    ("subject", "verdict", "code", "message"),
    [
        ("Right", "holds", 0, "1 holds"),
        ("Wrong", "fails", 1, 'actual "wronga"'),
        ("Raises", "errors", 1, "it raised LookupError: no idea what"),
        ("RaisesWhenBuilt", "errors", 1, "building it raised MemoryError: "),
        ("Exits", "errors", 1, "it raised SystemExit: 0"),
        ("RaisesWhatCannotBeRead", "errors", 1, "it raised Unreadable: (its message cannot be read)"),
        ("GivesWhatCannotBeRead", "errors", 1, "it returned the wrong shape: something of type Unreadable is"),
        ("Mutates", "holds", 0, "1 holds"),
        ("SpeaksItsOwnText", "holds", 0, "1 holds"),
        ("WrongShape", "errors", 1, "it returned the wrong shape: "),
        ("Nothing", "unsupported", 0, "Nothing was checked: the subject supports none of these clauses."),
        (
            "LessThanHalf",
            "not run",
            1,
            "examples could be executed: the subject does not take words of more than one letter",
        ),
        ("MoreThanHalf", "holds", 0, "1 holds"),
        ("DefaultsOnly", "holds", 0, "1 holds"),
    ],
)
def test_verdict(goldpiece: Goldpiece, tmp_path: Path, subject: str, verdict: str, code: int, message: str) -> None:
    done = goldpiece("check", f"tiny:{subject}", *SPELLS, "--json", "out.json")
    report = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert [clause["verdict"] for clause in report["clauses"]] == [verdict], done.stdout + done.stderr
    assert (done.returncode, report["exit"]) == (code, code)
    assert message in " ".join(done.stdout.split())


def test_a_failure_explains_itself(goldpiece: Goldpiece) -> None:
    """The sentence, the smallest input, both results, and a command that finds the same again."""
    done = goldpiece("check", "tiny:Wrong", "--clause", "wordpiece.prefix-parameter", "--seed", "7")
    assert "Any prefix takes the place of" in done.stdout
    assert 'vocab = ["[UNK]", "a"], prefix = "@@"' in done.stdout
    assert 'expected  ["a"]' in done.stdout
    replay = next(line.split("replay")[1].split() for line in done.stdout.splitlines() if "replay" in line)
    again = goldpiece(*replay[1:])
    assert again.stdout.split("✗", 2)[2].rpartition("(")[0] == done.stdout.split("✗", 2)[2].rpartition("(")[0]


def test_an_unsupported_parameter_leaves_the_other_laws(goldpiece: Goldpiece, tmp_path: Path) -> None:
    done = goldpiece("check", "tiny:DefaultsOnly", "--spec", "wordpiece", "--json", "out.json")
    clauses = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))["clauses"]
    unsupported = {clause["id"] for clause in clauses if clause["verdict"] == "unsupported"}
    assert done.returncode == 0, done.stdout
    assert {"wordpiece.prefix-parameter", "wordpiece.unknown-parameter", "wordpiece.surrogates"} <= unsupported
    assert "wordpiece.pure" not in unsupported


def test_a_subject_that_depends_on_earlier_calls_is_found_out(goldpiece: Goldpiece) -> None:
    done = goldpiece("check", "tiny:Moody", *SPELLS)
    assert done.returncode == 1
    assert "what the subject does depends on earlier calls" in " ".join(done.stdout.split())


def test_clauses_below_must_count_under_strict_only(goldpiece: Goldpiece) -> None:
    lenient = goldpiece("check", "tiny:ShouldNotMatter", "--clause", "wordpiece.surrogates")
    strict = goldpiece("check", "tiny:ShouldNotMatter", "--clause", "wordpiece.surrogates", "--strict")
    assert (lenient.returncode, strict.returncode) == (0, 1)
    assert "UnicodeEncodeError" in lenient.stdout
    assert "count only under --strict" in lenient.stdout


def test_the_worst_check_decides() -> None:
    order = [Verdict.HOLDS, Verdict.UNSUPPORTED, Verdict.NOT_RUN, Verdict.DIVERGES, Verdict.FAILS, Verdict.ERRORS]
    for place, verdict in enumerate(order):
        assert worst(order[: place + 1]) is verdict
        assert worst(reversed(order[: place + 1])) is verdict
    assert worst([]) is Verdict.NOT_RUN


@pytest.mark.parametrize("level", list(Level))
@pytest.mark.parametrize("verdict", list(Verdict))
@pytest.mark.parametrize("strict", [False, True])
def test_exit_code(level: Level, verdict: Verdict, strict: bool) -> None:
    row = Row("s", "s.c", level, None, "It does.", (Outcome("s.c", None, "law", "law x", verdict),))
    report = Report("subject", "1", Depth.QUICK, 0, strict, (row,))
    passes = verdict in (Verdict.HOLDS, Verdict.UNSUPPORTED, Verdict.DIVERGES) or (
        level is not Level.MUST and not strict
    )
    assert report.exit_code == (Exit.OK if passes else Exit.FAULT)
