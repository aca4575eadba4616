"""Public reports: the file is read strictly, and each fault of a component that is here is caught by a clause."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldpiece.errors import FileError
from goldpiece.suite import reports
from goldpiece.suite.loader import load_specs
from goldpiece.suite.mutants import Mutant, load_mutants
from goldpiece.suite.reports import (
    COMPONENTS,
    PROBE,
    PUBLIC,
    Report,
    lint_reports,
    load_reports,
    read_reports,
    reports_file,
    trace,
)
from goldpiece.suite.rooms import room
from goldpiece.suite.spec import Clause, Spec

from .conftest import Goldpiece
from .test_lint import problems
from .test_loader import GOOD as SPEC
from .test_loader import write as write_spec

GOOD = """\
- id: some/where#12
  url: https://github.com/some/where/issues/12
  component: wordpiece
  symptom: It drops a letter.
  input: ab
  expected: "a, ##b"
  invariant: Letters stay.
  severity: high
  evidence: fixed
  probe: gone
- id: probe:lost-letter
  component: bpe
  symptom: It drops another.
  input: cd
  expected: "c, ##d"
  invariant: Letters stay.
  severity: low
  seen: some package 1.0
  out_of_reach: Nobody minds.
"""
LINES = GOOD.splitlines(keepends=True)


def write(folder: Path, text: str) -> Path:
    path = folder / "reports.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_good_reports(tmp_path: Path) -> None:
    public, probe = read_reports(write(tmp_path, GOOD))
    assert (public.id, public.component, public.evidence, public.probe) == (
        "some/where#12",
        "wordpiece",
        "fixed",
        "gone",
    )
    assert (public.url, public.out_of_reach, public.line) == ("https://github.com/some/where/issues/12", "", 1)
    assert (probe.evidence, probe.url, probe.out_of_reach, probe.line) == ("some package 1.0", "", "Nobody minds.", 11)


@pytest.mark.parametrize(
    ("written", "instead", "line", "problem"),
    [
        ("id: some/where#12", "id: where#12", 1, "'where#12' is no id of a report. Write owner/repository#number"),
        ("id: some/where#12", "id: some/where#0", 1, "'some/where#0' is no id of a report"),
        ("id: some/where#12", "id: some/where #12", 1, "'some/where' is no id of a report"),
        ("id: probe:lost-letter", "id: probe:Lost", 11, "'probe:Lost' is no id of a report"),
        (
            "where/issues/12",
            "where/issues/13",
            2,
            "is not that of some/where#12. Give https://github.com/some/where/is",
        ),
        ("where/issues/12", "where/pulls/12", 2, "is not that of some/where#12"),
        (
            "component: wordpiece",
            "component: wordpeace",
            3,
            "there is no component 'wordpeace'. There are normalizer, ",
        ),
        ("severity: high", "severity: awful", 8, "there is no severity 'awful'. There are low, medium, high, critical"),
        ("input: ab", "input: 12:30", 5, "input is 750, where text is wanted. Put it in quotes"),
        ("input: ab", "input: [a]", 5, "input is ['a'], where text is wanted. Put it in quotes"),
        ("input: ab", 'input: " "', 5, "input is empty. Say it, or leave the key out"),
        ("  input: ab\n", "", 1, "input is missing. Give component, evidence, "),
        ("  seen: some package 1.0\n", "", 11, "seen is missing. Give component, expected, "),
        ("  seen: some", "  url: a\n  seen: some", 18, "there is no key 'url' here. There are component, "),
        ("- id: some/where#12\n  url", "- url", 1, "id is missing"),
        ("  input: ab", "  inptu: a\n  input: ab", 5, "there is no key 'inptu' here"),
        ("  input: ab", "  input: a\n  input: ab", 6, "the key 'input' stands twice"),
        ("".join(LINES[10:]), GOOD, 11, "some/where#12 stands twice, first in line 1. Keep one of them"),
        ("".join(LINES[10:]), "- nothing\n", 11, "it is no report. Give component, "),
        (GOOD, "a: b", 1, "it is no list of reports. Begin each with `- id: …`"),
        (GOOD, "", 1, "it is no list of reports"),
    ],
)
def test_bad_reports(tmp_path: Path, written: str, instead: str, line: int, problem: str) -> None:
    assert written in GOOD
    path = write(tmp_path, GOOD.replace(written, instead, 1))
    with pytest.raises(FileError) as caught:
        read_reports(path)
    assert str(caught.value).startswith(f"{path}:{line}: ")
    assert problem in str(caught.value)


@given(at=st.integers(0, len(GOOD) - 1), junk=st.text(max_size=5), until=st.integers(1, 30))
def test_whatever_a_file_holds_it_is_reports_or_a_file_error(
    tmp_path_factory: pytest.TempPathFactory, at: int, junk: str, until: int
) -> None:
    path = tmp_path_factory.getbasetemp() / "reports.yaml"
    path.write_bytes((GOOD[:at] + junk + GOOD[at + until :]).encode("utf-8", "surrogatepass"))
    try:
        found = read_reports(path)
    except FileError:
        return
    for report in found:
        assert PUBLIC.fullmatch(report.id) or PROBE.fullmatch(report.id)
        assert report.component in COMPONENTS
        assert all([report.symptom, report.input, report.expected, report.invariant, report.evidence])


@given(order=st.permutations(range(1, 9)), pull=st.booleans(), number=st.integers(1, 10**6))
def test_what_is_written_is_read_in_any_order(
    tmp_path_factory: pytest.TempPathFactory, order: list[int], pull: bool, number: int
) -> None:
    text = "".join(["- " + LINES[0].removeprefix("- "), *(LINES[place] for place in order), LINES[9]])
    text = text.replace("#12", f"#{number}").replace("issues/12", f"{'pull' if pull else 'issues'}/{number}")
    (report,) = read_reports(write(tmp_path_factory.getbasetemp(), text))
    assert (report.id, report.symptom, report.probe) == (f"some/where#{number}", "It drops a letter.", "gone")


def toy(named: tuple[str, ...] = ()) -> tuple[Spec, Clause]:
    """The spec of WordPiece with one clause, which names these reports."""
    spec = load_specs().named("wordpiece")
    clause = replace(spec.clauses[0], reports=named)
    return replace(spec, clauses=(clause,)), clause


def lint(found: list[Report], named: tuple[str, ...], enacted: tuple[str, ...]) -> str:
    spec, clause = toy(named)
    mutants = [Mutant("Some", clause.id, "does something", enacted, object)]
    return "\n".join(map(str, lint_reports(found, [spec], mutants, Path("reports.yaml"))))


def test_lint(tmp_path: Path) -> None:
    public, probe = read_reports(write(tmp_path, GOOD))
    assert lint([public, probe], ("some/where#12",), ("some/where#12",)) == ""
    assert "reports.yaml:1: no clause of wordpiece names some/where#12" in lint([public, probe], (), ())
    assert lint([replace(public, out_of_reach="It is hardware.")], (), ()) == ""
    assert lint([replace(public, component="masking")], (), ()) == ""  # which has no spec here
    unknown = lint([probe], ("some/where#12",), ("some/where#12",))
    assert "wordpiece.yaml:" in unknown
    assert "names a report that there is not, some/where#12. Add it to reports.yaml, or mend the id" in unknown
    no_mutant = lint([public], ("some/where#12",), ())
    assert "no mutant re-enacts some/where#12, so that nothing proves that wordpiece.spells-the-word" in no_mutant
    not_named = lint([probe], (), ("probe:lost-letter",))
    assert "wordpiece.Some re-enacts probe:lost-letter, which wordpiece.spells-the-word does not name" in not_named
    both = lint([probe], ("probe:lost-letter",), ("probe:lost-letter",))
    assert "reports.yaml:11: probe:lost-letter is out of reach, and wordpiece.spells-the-word names it" in both


def test_why_no_clause_names_it(tmp_path: Path) -> None:
    public, probe = read_reports(write(tmp_path, GOOD))
    spec, _ = toy()
    caught = trace([public], [toy(("some/where#12",))[0]], [])[0]
    assert (caught.reason, caught.is_untraced) == ("", False)
    traces = trace([public, probe, replace(public, component="bpe")], [spec], [])
    assert [(each.reason, each.is_untraced) for each in traces] == [
        ("", True),
        ("Nobody minds.", False),
        ("component not here yet", False),
    ]


def test_every_report_of_a_component_that_is_here_is_traced() -> None:
    specs = list(load_specs())
    assert list(lint_reports(load_reports(), specs, load_mutants(), reports_file())) == []
    traces = trace(load_reports(), specs, load_mutants())
    assert [each.report.id for each in traces if each.is_untraced] == []
    here = [each for each in traces if each.has_spec and not each.report.out_of_reach]
    assert all(each.clauses and each.mutants for each in here)
    without_reports = {"packing", "word_splitter", "vocabulary", "bpe_tokenizer"}
    assert {each.report.component for each in here} == {spec.name for spec in specs} - without_reports


def test_the_file_is_seen_as_it_is_written() -> None:
    text = reports_file().read_text(encoding="utf-8")
    assert [line for line in text.splitlines() if not line.isprintable()] == []


def test_spec_says_which_reports_a_clause_catches(goldpiece: Goldpiece, tmp_path: Path) -> None:
    shown = goldpiece("spec", "show", "decoder.joins").stdout
    assert "\nreport    huggingface/tokenizers#145: Decode does not join continuation pieces.\n" in shown
    bad = SPEC.replace("    source: here\n", "    source: here\n    reports: [1]\n", 1)
    assert "YAML reads `1` as 1, where text is wanted. Put it in quotes" in problems(write_spec(tmp_path, bad))


def test_coverage_of_reports(goldpiece: Goldpiece) -> None:
    done = goldpiece("spec", "coverage", "--reports")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert max(map(len, lines)) <= 110
    joined = " ".join(done.stdout.split())
    assert "huggingface/tokenizers#145 decoder.joins JoinsNothing" in joined
    assert "huggingface/tokenizers#950 bpe_trainer.size SpecialsOnTop" in joined
    assert lines[-1].startswith(f"{len(load_reports())} reports: ")
    for report in load_reports():
        assert report.id[:30] in done.stdout  # a longer one is folded
    only = goldpiece("spec", "coverage", "--reports", "--spec", "decoder").stdout
    assert only.startswith("decoder ")
    assert "huggingface/tokenizers#145" in only
    assert "normalizer" not in only
    wrong = goldpiece("spec", "coverage", "--reports", "--spec", "nothing")
    assert wrong.returncode == 2
    assert "error: there is no component 'nothing'; there are normalizer, " in wrong.stderr


def test_coverage_and_lint_fail_where_a_report_is_untraced(goldpiece: Goldpiece, tmp_path: Path) -> None:
    """In a copy of this Goldpiece whose clause on joining names no report."""
    for name in ("spec", "properties", "golden"):
        shutil.copytree(room("spec").parent / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    package = Path(reports.__file__).parents[1]
    ignored = shutil.ignore_patterns("__pycache__", "spec", "properties")
    shutil.copytree(package, tmp_path / "impl" / "goldpiece", ignore=ignored)
    decoder = tmp_path / "spec" / "decoder.yaml"
    named = '    reports: ["huggingface/tokenizers#145"]\n'
    assert named in decoder.read_text(encoding="utf-8")
    decoder.write_text(decoder.read_text(encoding="utf-8").replace(named, "", 1), encoding="utf-8")
    env = {"PYTHONPATH": str(tmp_path / "impl")}
    done = goldpiece("spec", "coverage", "--reports", env=env)
    assert done.returncode == 1
    assert "huggingface/tokenizers#145 no clause names it" in " ".join(done.stdout.split())
    assert "1 untraced" in done.stdout.splitlines()[-1]
    lint = goldpiece("spec", "lint", env=env)
    assert lint.returncode == 1
    assert "no clause of decoder names huggingface/tokenizers#145" in lint.stdout
    assert "decoder.JoinsNothing re-enacts huggingface/tokenizers#145, which decoder.joins does not name" in lint.stdout
