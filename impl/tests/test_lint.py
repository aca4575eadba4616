"""`goldpiece spec lint` finds each thing that it is there to find, and finds nothing in our own specs."""

from pathlib import Path

import pytest

from goldpiece.suite.history import ids_file
from goldpiece.suite.law import Law, load_laws
from goldpiece.suite.lint import lint_file, lint_together
from goldpiece.suite.loader import load_spec, load_specs

from .conftest import Goldpiece
from .test_loader import GOOD, write


def problems(path: Path) -> str:
    return "\n".join(map(str, lint_file(path)[1]))


def test_nothing_is_wrong_with_our_own(goldpiece: Goldpiece) -> None:
    done = goldpiece("spec", "lint")
    clauses = sum(len(spec.clauses) for spec in load_specs())
    assert (done.returncode, done.stdout) == (0, f"{len(list(load_specs()))} specs, {clauses} clauses: no problems\n")


def test_a_good_file(tmp_path: Path) -> None:
    assert problems(write(tmp_path, GOOD)) == ""


@pytest.mark.parametrize(
    ("written", "instead", "problem"),
    [
        (
            "errata:",
            "  - id: toy.doubles\n    level: must\n    says: Again.\n    source: here\n    law: true\nerrata:",
            "stands twice",
        ),
        (
            "    examples:\n",
            "    needs: [toy.halves]\n    examples:\n",
            "toy.doubles needs toy.halves, which is not here",
        ),
        (
            "    examples:\n",
            "    needs: [toy.doubles]\n    examples:\n",
            "toy.doubles needs toy.doubles, which does not stand before it",
        ),
        (
            "    examples:\n",
            "    since: 2.0.0\n    examples:\n",
            "toy.doubles is of version 2.0.0, and the spec of 1.0.0",
        ),
        (
            "  double: {",
            "  halve: {says: Half., input: {word: token}, output: {word: token}}\n  double: {",
            "no clause covers",
        ),
        ("title: Toy", "title: To\u200by", "a character that cannot be seen, U+200B"),
        ("title: Toy", "title: To\u0301y", 'Write decomposed characters as escapes: "e\\u0301"'),
        ("title: Toy", "title: To\u05b0y", "a character that cannot be seen, U+05B0"),
        ("title: Toy", "title: To\u00a0y", "a character that cannot be seen, U+00A0"),
        ("    source: here", "    source: no", "YAML reads `no` as False"),
    ],
)
def test_within_a_file(tmp_path: Path, written: str, instead: str, problem: str) -> None:
    text = GOOD.replace(written, instead, 1)
    if "stands twice" in problem:  # the new clause goes before the tables
        text = GOOD.replace("tables:", instead.removesuffix("errata:") + "tables:", 1)
    if "no clause covers" in problem:
        text = text.replace("    examples:", "    operation: double\n    examples:", 1)
    assert problem in problems(write(tmp_path, text))


def test_a_clause_that_nothing_checks(tmp_path: Path) -> None:
    start, end = GOOD.index("    examples:"), GOOD.index("tables:")
    assert "toy.yaml:14: nothing checks toy.doubles" in problems(write(tmp_path, GOOD[:start] + GOOD[end:]))


def _no_law() -> None:
    """A function for laws that are of no use."""


def _of_nothing(nothing: object) -> None:
    """A law of a component that there is not."""


def together(tmp_path: Path, text: str = GOOD, laws: tuple[Law, ...] = (), ids: str = "[0.1.0]\ntoy.doubles\n") -> str:
    ids_path = tmp_path / "ids.txt"
    ids_path.write_text(ids, encoding="ascii")
    return "\n".join(map(str, lint_together([load_spec(write(tmp_path, text))], laws, ids_path)))


def test_between_files(tmp_path: Path) -> None:
    assert "there is no class goldpiece.reference.toy.Toy" in together(tmp_path)
    assert "toy.doubles is not in ids.txt. Append it there" in together(tmp_path, ids="")
    assert "toy.gone has vanished from the specs" in together(tmp_path, ids="[0.1.0]\ntoy.doubles\ntoy.gone\n")
    assert "ids.txt:4: toy.doubles stands twice" in together(tmp_path, ids="# ids\n[0.1]\ntoy.doubles\ntoy.doubles\n")
    assert "ids.txt:1: toy.doubles is under no version" in together(tmp_path, ids="toy.doubles\n")
    for headings in ("[0.2.0]", "[0.1.0]\n[0.0.9]", "[0.1.0]\n[0.1.0]", "[zero]", "[]"):
        assert "Versions ascend, up to 0.1.0, which is that of Goldpiece" in together(
            tmp_path, ids=f"{headings}\ntoy.doubles\n"
        )
    other = Law("toy.doubles", _of_nothing, {})
    assert "the law _of_nothing takes 'nothing', which is no component" in together(tmp_path, laws=(other,))
    with_law = GOOD.replace("    examples:", "    law: true\n    examples:", 1)
    assert "toy.doubles promises a law, and properties/ has none" in together(tmp_path, with_law)
    assert "the law _no_law is of no clause" in together(tmp_path, laws=(Law("toy.other", _no_law, {}),))
    assert "toy.doubles does not name its law _no_law" in together(tmp_path, laws=(Law("toy.doubles", _no_law, {}),))


def test_a_reference_without_an_operation(tmp_path: Path) -> None:
    spec = load_spec(write(tmp_path, GOOD))
    path = tmp_path / "wordpiece.yaml"
    path.write_text(
        GOOD.replace("toy", "wordpiece").replace("reference: Toy", "reference: WordPiece"), encoding="utf-8"
    )
    assert spec.name == "toy"
    found = lint_together([load_spec(path)], (), ids_file())
    assert any("WordPiece has no method double" in str(problem) for problem in found)


def test_every_law_is_found() -> None:
    assert {law.module for law in load_laws()} >= {f"test_{spec.name}" for spec in load_specs()}
    for law in load_laws():  # some components have laws in several modules
        component = law.clause.partition(".")[0]
        assert law.module == f"test_{component}" or law.module.startswith(f"test_{component}_")


def test_lint_of_a_draft(goldpiece: Goldpiece, tmp_path: Path) -> None:
    path = write(tmp_path, GOOD.replace("word: a}", "word: no}", 1))
    done = goldpiece("spec", "lint", str(path))
    assert done.returncode == 2
    assert f"{path}:19: YAML reads `no` as False, where text is wanted. Put it in quotes" in done.stdout
    assert "1 specs, 0 clauses: 1 problem\n" in done.stdout
