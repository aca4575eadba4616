"""One table of what several implementations do, made from saved reports: `goldpiece table`.

Below the table stands, for each implementation, what it does where it parts from a clause: the smallest input, what it
gives and what is right. Of a declared divergence that is the declared input, and what the reference makes of it.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import jsonschema

from goldpiece.errors import FileError
from goldpiece.formats.content import read_content
from goldpiece.formats.strict_json import parse
from goldpiece.suite.component import Component
from goldpiece.suite.divergences import Divergence, declared_for, read_divergences
from goldpiece.suite.records import SCHEMA
from goldpiece.suite.report import MARKS
from goldpiece.suite.spec import Specs
from goldpiece.suite.subjects import in_this_process
from goldpiece.suite.values import in_markdown, show
from goldpiece.suite.verdict import Verdict

LARGEST = 100_000_000  # bytes of a report

HEAD = """\
# What implementations do

Each clause of the specs that these implementations can be put to, and what became of it on {dates}, at depth {depths}.

| | |
| --- | --- |
| {holds} | it holds |
| {diverges} | the implementation does something else, as told below |
| {fails} {blocked} | the same, and undeclared |
| {errors} | it breaks: it raises what no spec promises, or ends |
| {unsupported} | it says that it does not do this, or not enough of it to tell |
"""


def read_reports(paths: Sequence[Path]) -> list[Mapping[str, Any]]:
    """The reports of files that `goldpiece check --json` wrote. Raises FileError where one is none."""
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    reports: list[Mapping[str, Any]] = []
    for path in paths:
        remedy = "Name files that `goldpiece check --json FILE` has written"
        try:
            found: Any = parse(read_content(path, LARGEST, remedy), path).value
            jsonschema.validate(found, schema)
        except jsonschema.ValidationError as error:
            raise FileError(path, None, f"it is no report of this Goldpiece: {error.message[:200]}", remedy) from error
        reports += found if isinstance(found, list) else [found]
    return reports


def render(reports: Sequence[Mapping[str, Any]], specs: Specs) -> str:
    """The page, in Markdown."""
    marks = {verdict.name.lower(): mark for verdict, (mark, _) in MARKS.items()}
    dates, depths = ({report[name] for report in reports} for name in ("date", "depth"))
    head = HEAD.format(dates=" and ".join(sorted(dates)), depths=" and ".join(sorted(depths)), **marks)
    return "\n".join([head, *_table(reports), *(line for report in reports for line in _section(report, specs))])


def _table(reports: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """A row for each clause of which something is known of two implementations, or of the only one there is."""
    found = [{_row(clause): Verdict(clause["verdict"]) for clause in report["clauses"]} for report in reports]
    rows = list(dict.fromkeys(row for of_one in found for row in of_one))
    silent = (Verdict.UNSUPPORTED, Verdict.NOT_RUN)
    known = {row: sum(of_one.get(row, silent[0]) not in silent for of_one in found) for row in rows}
    told = [row for row in rows if known[row] >= min(2, len(reports))]
    yield "| clause | " + " | ".join(map(_name, reports)) + " |"
    yield "| --- |" + " :-: |" * len(reports)
    for row in told:
        cells = (MARKS[of_one.get(row, Verdict.UNSUPPORTED)][0] for of_one in found)
        yield f"| `{row[0]}`{f' ({row[1]})' if row[1] else ''} | " + " | ".join(cells) + " |"
    if left := len(rows) - len(told):
        yield f"\n{left} clauses are left out, which one of them does at most."


def _name(report: Mapping[str, Any]) -> str:
    return in_markdown(f"{report['subject']} {report['version']}")


def _row(clause: Mapping[str, Any]) -> tuple[str, str | None]:
    return clause["id"], clause["profile"]


def _section(report: Mapping[str, Any], specs: Specs) -> Iterator[str]:
    """What one implementation does where it parts from the clauses."""
    counts = Counter(Verdict(clause["verdict"]) for clause in report["clauses"])
    said = ", ".join(f"{counts[verdict]} {verdict.value}" for verdict in Verdict if counts[verdict])
    yield f"\n## {_name(report)}\n\n{said}.\n"
    path = declared_for(report["subject"])
    declared = {(each.clause, each.profile): each for each in read_divergences(path, specs)} if path else {}
    for clause in report["clauses"]:
        verdict = Verdict(clause["verdict"])
        if verdict is Verdict.DIVERGES and _row(clause) in declared:
            yield declared_line(declared[_row(clause)], specs)
        elif verdict not in (Verdict.HOLDS, Verdict.UNSUPPORTED):
            yield _found_line(clause)


def declared_line(divergence: Divergence, specs: Specs) -> str:
    """What a declaration says, beside what the reference makes of the same input."""
    clause = specs.clause(divergence.clause)
    spec = next(spec for spec in specs if clause in spec.clauses)
    reference = Component(in_this_process("reference", specs), spec, divergence.profile)
    config = {name: value for name, value in divergence.given.items() if name in spec.parameters}
    inputs = {name: divergence.given[name] for name in spec.operations[clause.operation].input}
    right = dict(reference(**config).answer(clause.operation, *inputs.values()))
    reference.end()
    return _line(clause.id, f"{divergence.reason} {divergence.link}".strip(), config | inputs, right, divergence.actual)


def _found_line(clause: Mapping[str, Any]) -> str:
    """What a run found out."""
    found = clause["counterexample"]
    reason = clause["reason"] or (found["note"] if found else "")
    if not found or not found["given"]:
        return f"- `{clause['id']}` {clause['verdict']}: {reason}"
    call = found["given"][-1]
    about = f"{clause['verdict']}{f': {reason}' if reason else ''}."
    if clause["verdict"] == Verdict.ERRORS.value:
        return f"- `{clause['id']}`: {about} {_code(call['config'] | call['input'])}"
    return _line(clause["id"], about, call["config"] | call["input"], found["expected"], found["actual"])


def _line(clause: str, about: str, given: Mapping[str, Any], right: Any, actual: Any) -> str:
    """Of several outputs those that differ."""
    if isinstance(right, Mapping) and isinstance(actual, Mapping) and "error" not in {*right, *actual}:
        differing = [name for name in actual if actual[name] != right.get(name)]
        right, actual = ({name: side.get(name) for name in differing} for side in (right, actual))
    return f"- `{clause}`: {about}  \n  {_code(given)} gives {_code(actual)} and should give {_code(right)}"


def _code(value: object) -> str:
    shown = show(value)
    fence = "``" if "`" in shown else "`"
    return f"{fence}{shown}{fence}"
