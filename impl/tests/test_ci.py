"""What CI reads: JUnit XML, annotations and summaries of GitHub Actions, and the workflow to copy."""

import re
import shlex
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml

from goldpiece import Tokenizer
from goldpiece.cli.github import annotation, tell_github
from goldpiece.suite import rooms
from goldpiece.suite.junit import junit
from goldpiece.suite.spec import Depth, Level
from goldpiece.suite.verdict import Counterexample, Outcome, Report, Row, Verdict

from .conftest import Goldpiece

ROOT = rooms.room("spec").parent
WORKFLOW = ROOT / "examples/github-workflow.yml"


def row(clause: str, verdict: Verdict, level: Level = Level.MUST, reason: str | None = None) -> Row:
    found = Counterexample([{"config": {}, "operation": "tokenize", "input": {"word": "\x00\ud800|"}}], "a", "\x1b", "")
    outcome = Outcome(f"x.{clause}", "hf", "law", "law one", verdict, seconds=0.25, reason=reason, counterexample=found)
    return Row("x", f"x.{clause}", level, "hf", "It is | right.", (outcome,))


ROWS = (
    row("holds", Verdict.HOLDS),
    row("fails", Verdict.FAILS),
    row("errors", Verdict.ERRORS, reason="it raised \x07"),
    row("not-run", Verdict.NOT_RUN, reason="too little"),
    row("unsupported", Verdict.UNSUPPORTED, reason="words"),
    row("diverges", Verdict.DIVERGES, reason="known"),
    row("option-fails", Verdict.FAILS, Level.OPTION),
)


def report(subject: str = "mine:It", strict: bool = False) -> Report:
    return Report(subject, "1.0", Depth.QUICK, 0, strict, ROWS)


def test_junit_has_a_case_for_each_clause() -> None:
    first, second = ElementTree.fromstring(junit([report(), report(strict=True)])).findall("testsuite")  # noqa: S314 (ours)
    kinds = {case.get("name"): [child.tag for child in case] for case in first}
    assert kinds == {
        "x.holds [hf]": [],
        "x.fails [hf]": ["failure"],
        "x.errors [hf]": ["error"],
        "x.not-run [hf]": ["error"],
        "x.unsupported [hf]": ["skipped"],
        "x.diverges [hf]": ["skipped"],
        "x.option-fails [hf]": ["skipped"],
    }
    counted = {key: first.get(key) for key in ("name", "tests", "failures", "errors", "skipped", "time")}
    assert counted == {
        "name": "mine:It 1.0",
        "tests": "7",
        "failures": "1",
        "errors": "2",
        "skipped": "3",
        "time": "1.750",
    }
    assert second.get("failures") == "2"
    failure = first[1][0]
    assert failure.get("message") == "fails (must)"
    assert failure.text
    assert '"\\u0000\\uD800|"' in failure.text
    assert failure.text.endswith("goldpiece check mine:It --clause x.fails --profile hf --depth quick --seed 0")
    assert first[2][0].get("message") == "errors (must): it raised \\u0007"


def test_an_annotation_is_one_line_that_github_reads_back() -> None:
    assert annotation("a: b, c", "100 %\nand: more\r", "my,file.py") == (
        "::error file=my%2Cfile.py,title=a%3A b%2C c::100 %25%0Aand: more%0D"
    )
    assert annotation("a", "b", None) == "::error title=a::b"


def test_github_is_told_what_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").touch()
    (tmp_path / "src/pack/age").mkdir(parents=True)
    (tmp_path / "src/pack/age/__init__.py").touch()
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    tell_github([report()])
    assert capsys.readouterr().out == ""
    assert not (tmp_path / "summary.md").exists()
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    tell_github([report(), report("pack.age:It"), report("exec:./mine")])
    lines = capsys.readouterr().out.splitlines()
    starts = [re.sub("::    clause.*", "", line) for line in lines]
    assert starts[:3] == [
        "::error file=mine.py,title=x.fails [hf] fails",
        "::error file=mine.py,title=x.errors [hf] errors",
        "::error file=mine.py,title=x.not-run [hf] not run",
    ]
    assert starts[3] == "::error file=src/pack/age/__init__.py,title=x.fails [hf] fails"
    assert starts[6:] == [
        "::error title=x.fails [hf] fails",
        "::error title=x.errors [hf] errors",
        "::error title=x.not-run [hf] not run",
    ]
    summary = (tmp_path / "summary.md").read_text(encoding="utf-8")
    assert summary.startswith("### mine:It 1.0: 1 holds, 1 unsupported, 1 not run, 1 diverges, 2 fails, 1 errors\n")
    assert "| ✗ | x.fails | hf | fails | It is \\| right. |\n" in summary
    assert summary.count("### ") == 3


def test_the_commands(goldpiece: Goldpiece, tmp_path: Path) -> None:
    variables = {"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": "summary.md"}
    clause = ("--clause", "wordpiece.spells-the-word")
    done = goldpiece("check", "tiny:Wrong", *clause, "--junit", "out.xml", env=variables)
    assert done.returncode == 1, done.stderr
    assert "\n::error title=wordpiece.spells-the-word fails::" in done.stdout
    assert ElementTree.parse(tmp_path / "out.xml").getroot().find("testsuite/testcase/failure") is not None  # noqa: S314
    assert "| ✗ | wordpiece.spells-the-word |" in (tmp_path / "summary.md").read_text(encoding="utf-8")
    done = goldpiece("check", *clause, "--junit", "no/such.xml")
    assert (done.returncode, "--junit no/such.xml: it cannot be written" in done.stderr) == (2, True)


def test_a_lock_file_is_annotated_where_its_tokenizer_moved(goldpiece: Goldpiece, tmp_path: Path) -> None:
    vocab = ["[UNK]", "[CLS]", "[SEP]", "a", "b"]
    (tmp_path / "corpus.txt").write_text("a b", encoding="utf-8")
    Tokenizer.from_vocab(vocab).save(tmp_path / "tok.json")
    goldpiece("golden", "record", "reference:tok.json", "corpus.txt", "-o", "tok.lock")
    Tokenizer.from_vocab(vocab[:-1]).save(tmp_path / "tok.json")
    done = goldpiece("golden", "verify", "tok.lock", env={"GITHUB_ACTIONS": "true"})
    assert done.returncode == 1
    assert "\n::error file=tok.lock,title=reference%3Atok.json moved::reference:tok.json " in done.stdout


@pytest.mark.skipif(not WORKFLOW.is_file(), reason="not run: it needs the checkout")
def test_the_workflow_to_copy_runs_commands_that_there_are(goldpiece: Goldpiece) -> None:
    workflow = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))
    steps = [step for job in workflow["jobs"].values() for step in job["steps"]]
    for step in steps:
        assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", step.get("uses", "a/b@" + 40 * "0")), step
    lines = [shlex.split(step["run"], comments=True) for step in steps if "run" in step]
    commands = [words[1:] for words in lines if Path(words[0]).name == "goldpiece"]
    assert [words[0] for words in commands] == ["check", "check", "golden", "bench"]
    for words in commands:
        asked = goldpiece(*words, "--help")  # an option that there is not is an error before that
        assert asked.returncode == 0, asked.stderr
    assert goldpiece(*commands[0], "--no-such-option", "--help").returncode == 2
