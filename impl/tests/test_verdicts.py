"""The spec of a verdict: tiny subjects whose fault is known get the verdict, exit code and message that they should."""

import json
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from goldpiece.suite import plugin
from goldpiece.suite.blocking import block
from goldpiece.suite.checks import checks_of
from goldpiece.suite.execution import COMPARABLE
from goldpiece.suite.history import ids_file, read_history
from goldpiece.suite.loader import load_specs
from goldpiece.suite.report import print_report
from goldpiece.suite.spec import Depth, Level
from goldpiece.suite.subjects import in_this_process
from goldpiece.suite.verdict import Exit, Outcome, Report, Row, Verdict, worst

from .conftest import SUBJECTS, Goldpiece

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


def test_an_answer_that_a_law_cannot_compare_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the subject, and not of the harness: here each row has a label too many."""
    monkeypatch.syspath_prepend(str(SUBJECTS))
    specs = load_specs()
    subject = in_this_process("tiny:LabelTooMany", specs)
    (law,) = (check for check in checks_of(specs, "masking.unselected") if check.kind == "law")
    outcome = law.run(subject, specs, Depth.QUICK, 0)
    assert outcome.verdict is Verdict.FAILS
    assert outcome.counterexample
    assert outcome.counterexample.expected == COMPARABLE
    assert "ValueError: zip() argument" in str(outcome.counterexample.actual)


def test_one_broken_primitive_is_explained_once(goldpiece: Goldpiece, tmp_path: Path) -> None:
    """What fails for want of it is blocked by it, counts all the same, and tells its own when asked for by name."""
    done = goldpiece("check", "tiny:Shortest", "--spec", "wordpiece", "--json", "out.json")
    clauses = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))["clauses"]
    verdicts = {clause["id"].partition(".")[2]: (clause["verdict"], clause["blocked_by"]) for clause in clauses}
    assert verdicts["longest-match"] == ("fails", None)
    assert verdicts["word-start"] == verdicts["empty-pieces"] == ("blocked", "wordpiece.longest-match")
    assert verdicts["spells-the-word"] == ("holds", None)
    assert [line for line in done.stdout.splitlines() if line.endswith("(must)")] == [
        "✗ wordpiece.longest-match fails (must)"
    ]
    assert "∥ blocked by wordpiece.longest-match: wordpiece.all-or-unknown, wordpiece.word-start" in done.stdout
    assert all(clause["counterexample"] for clause in clauses if clause["verdict"] == "blocked")
    alone = goldpiece("check", "tiny:Shortest", "--clause", "wordpiece.word-start")
    assert "✗ wordpiece.word-start fails (must)" in alone.stdout


def test_what_is_blocked_counts_whatever_blocks_it() -> None:
    specs = load_specs()
    rows = [
        Row("wordpiece", f"wordpiece.{clause}", level, None, "It does.", (outcome,))
        for clause, level, outcome in (
            ("spells-the-word", Level.SHOULD, Outcome("", None, "law", "law x", Verdict.ERRORS)),
            ("longest-match", Level.SHOULD, Outcome("", None, "law", "law x", Verdict.FAILS)),
            ("all-or-unknown", Level.MUST, Outcome("", None, "law", "law x", Verdict.FAILS)),
            ("word-start", Level.MUST, Outcome("", None, "law", "law x", Verdict.HOLDS)),
        )
    ]
    blocked = block(rows, specs)
    assert [row.blocked_by for row in blocked] == [None, *["wordpiece.spells-the-word"] * 2, None]
    assert Report("subject", "1", Depth.QUICK, 0, False, blocked).exit_code == Exit.FAULT
    declared = replace(rows[1], outcomes=(Outcome("", None, "divergence", "d", Verdict.DIVERGES),))
    assert [row.blocked_by for row in block([declared, rows[2]], specs)] == [None, None]


def test_every_clause_came_with_a_version(goldpiece: Goldpiece) -> None:
    listed = read_history(ids_file())
    assert listed.known_by("0.1.0") == {clause.id for spec in load_specs() for clause in spec.clauses}
    unknown = goldpiece("check", "--suite-version", "9.9")
    assert unknown.returncode == Exit.USAGE
    assert "no version '9.9' of Goldpiece brought any clause; there are 0.1.0" in unknown.stderr


def test_clauses_of_later_versions_are_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a run is held to a version, also in workers."""
    ids = tmp_path / "ids.txt"
    ids.write_text("[0.0.9]\nwordpiece.pure\n\n[0.1.0]\nwordpiece.longest-match\n", encoding="ascii")
    monkeypatch.setattr(plugin, "ids_file", lambda: ids)
    for version, clauses in (("0.0.9", {"wordpiece.pure"}), ("0.1.0", {"wordpiece.pure", "wordpiece.longest-match"})):
        selection = plugin.Selection(spec="wordpiece", suite_version=version)
        assert {check.clause.id for check in selection.checks()} == clauses
        assert f"--suite-version={version}" in selection.arguments()


def test_the_worst_check_decides() -> None:
    order = [Verdict.HOLDS, Verdict.UNSUPPORTED, Verdict.NOT_RUN, Verdict.DIVERGES, Verdict.FAILS, Verdict.ERRORS]
    assert [verdict for verdict in Verdict if verdict is not Verdict.BLOCKED] == order  # which is of no check
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


def test_a_component_that_a_subject_has_nothing_of_takes_one_line() -> None:
    """Where all is unsupported for one reason, a table would say it in every line."""
    lacks, other = "it has no method", "the subject does not take the parameter prefix"
    reasons = {"wordpiece.longest-match": None, "wordpiece.prefix-parameter": other}
    reasons |= {"decoder.joins": lacks, "decoder.orphans": lacks, "padding.shape": lacks, "padding.side": other}
    rows = []
    for clause, reason in reasons.items():
        verdict = Verdict.UNSUPPORTED if reason else Verdict.HOLDS
        outcome = Outcome(clause, None, "law", "law one", verdict, reason=reason)
        rows.append(Row(clause.partition(".")[0], clause, Level.MUST, None, "So it is.", (outcome,)))
    console = Console(file=StringIO(), width=110)
    print_report(console, load_specs(), Report("mine:It", "1.0", Depth.QUICK, 0, False, tuple(rows)))
    assert isinstance(console.file, StringIO)
    said = console.file.getvalue()
    assert "– unsupported all of decoder (2 clauses): it has no method\n" in said
    assert "–   decoder.joins" not in said
    assert "–   padding.side" in said
    assert f"– unsupported wordpiece.prefix-parameter, padding.side: {other}\n" in said
    assert "1 holds · 5 unsupported" in said
