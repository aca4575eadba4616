"""`goldpiece table`, and the table that ships: it says what is declared, and nothing else."""

import json
import re
import tomllib
from pathlib import Path

import pytest

from goldpiece.suite.divergences import declared_for, read_divergences
from goldpiece.suite.loader import load_specs
from goldpiece.suite.report import MARKS
from goldpiece.suite.rooms import room
from goldpiece.suite.table import declared_line
from goldpiece.suite.verdict import Verdict

from .conftest import Goldpiece

TABLE = room("properties") / "divergences" / "TABLE.md"
DIVERGES = MARKS[Verdict.DIVERGES][0]


def columns() -> tuple[dict[str, str], list[list[str]]]:
    """The subjects of the table with their versions, and the cells of each row: the clause, and a mark for each."""
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ")]
    place = next(place for place, row in enumerate(cells) if row[0] == "clause")
    subjects = dict(cell.rsplit(" ", 1) for cell in cells[place][1:])
    return subjects, cells[place + 2 :]


def test_each_declaration_stands_in_the_table_and_no_other() -> None:
    specs, text = load_specs(), TABLE.read_text(encoding="utf-8")
    subjects, rows = columns()
    for number, subject in enumerate(subjects, start=1):
        path = declared_for(subject)
        declared = read_divergences(path, specs) if path else []
        section = text.split(f"\n## {subject} ", 1)[1].split("\n## ", 1)[0]
        missing = [each.clause for each in declared if declared_line(each, specs) not in section]
        assert not missing, "make it anew: CONTRIBUTING.md says how"
        assert section.count("\n- ") == len(declared)
        marked = {re.findall("`(.+)`", row[0])[0] for row in rows if row[number] == DIVERGES}
        assert marked <= {each.clause for each in declared}


def test_its_versions_are_those_of_the_extras() -> None:
    """Where the checkout is at hand."""
    project = Path(room("spec")).parent / "pyproject.toml"
    if not project.is_file():
        pytest.skip("not run: pyproject.toml is not there")
    extras = tomllib.loads(project.read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    pinned = dict(
        each.split("==")
        for name in ("peers", "rivals", "real-wordpiece", "transformers")
        for each in extras[name]
        if "==" in each
    )
    subjects, _ = columns()
    assert subjects == {name: pinned[name] for name in subjects}


def test_a_table_of_reports(goldpiece: Goldpiece) -> None:
    goldpiece("check", "tiny:Right", "tiny:Wrong", "--clause", "wordpiece.prefix-parameter", "--json", "out.json")
    goldpiece("check", "tiny:Raises", "--clause", "wordpiece.prefix-parameter", "--json", "other.json")
    done = goldpiece("table", "out.json", "other.json")
    assert done.returncode == 0, done.stderr
    assert re.search(
        r"^\| clause \| tiny:Right \S+ \| tiny:Wrong \S+ \| tiny:Raises \S+ \|$", done.stdout, re.MULTILINE
    )
    assert "| `wordpiece.prefix-parameter` | ✓ | ✗ | ! |" in done.stdout
    assert re.search(r"^- `wordpiece.prefix-parameter`: fails.*  \n  `\{.*word: .*\}` gives `.+` and should give `.+`$",
                     done.stdout, re.MULTILINE)  # fmt: skip
    assert re.search(r"^- `wordpiece.prefix-parameter`: errors: it raised .*\. `\{.*\}`$", done.stdout, re.MULTILINE)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "report.json: it cannot be read (No such file or directory). Name files that"),
        ("[", "report.json:1: it is no JSON ("),
        ("[" * 200_000, "report.json: its parts lie too deep within each other"),
        ('{"spec": 1, "spec": 2}', "report.json: it is no report of this Goldpiece: "),
        ("{}", "report.json: it is no report of this Goldpiece: "),
    ],
)
def test_a_file_that_is_no_report(goldpiece: Goldpiece, tmp_path: Path, content: str | None, message: str) -> None:
    if content is not None:
        (tmp_path / "report.json").write_text(content, encoding="utf-8")
    done = goldpiece("table", "report.json")
    assert done.returncode == 2
    assert message in done.stderr


def test_a_name_in_the_table_is_escaped(goldpiece: Goldpiece, tmp_path: Path) -> None:
    goldpiece("check", "tiny:Right", "--clause", "wordpiece.pure", "--json", "out.json")
    report = json.loads((tmp_path / "out.json").read_text(encoding="utf-8")) | {"subject": "exec:a | b", "version": "1"}
    (tmp_path / "out.json").write_text(json.dumps(report), encoding="utf-8")
    lines = goldpiece("table", "out.json").stdout.splitlines()
    assert r"| clause | exec:a \| b 1 |" in lines
    assert r"## exec:a \| b 1" in lines


def test_a_report_has_a_date(goldpiece: Goldpiece, tmp_path: Path) -> None:
    goldpiece("check", "tiny:Right", "--clause", "wordpiece.pure", "--json", "out.json")
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))["date"])
