"""What GitHub Actions shows of a run: annotations of a commit, and the summary of a job.

The variables are those that GitHub sets; the form of an annotation is that of its workflow commands.
"""

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import typer

from goldpiece.suite.report import MARKS, explain
from goldpiece.suite.subjects import EXEC, KINDS
from goldpiece.suite.values import in_markdown
from goldpiece.suite.verdict import Report, Row, Verdict


def tell_github(reports: Sequence[Report]) -> None:
    """Annotates what counts against a subject, and adds each report to the summary of the job, where GitHub runs it."""
    if not _runs_here():
        return
    for report in reports:
        for row in report.rows:
            # What another clause blocks says nothing more, and only ten annotations of a step are shown.
            if row.verdict.counts_against(row.level, report.strict) and row.verdict is not Verdict.BLOCKED:
                typer.echo(_of_row(report, row))
    add_to_summary([line for report in reports for line in _summary(report)])


def add_to_summary(lines: Sequence[str]) -> None:
    """Adds lines of Markdown to the summary of the job, where GitHub runs it."""
    if _runs_here() and (summary := os.environ.get("GITHUB_STEP_SUMMARY")):
        with Path(summary).open("a", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in lines)


def tell_github_that(title: str, lines: Sequence[str], file: str | None = None) -> None:
    """Annotates what was found, where GitHub runs it."""
    if _runs_here():
        typer.echo(annotation(title, "\n".join(lines), file))


def _runs_here() -> bool:
    return os.environ.get("GITHUB_ACTIONS") == "true"


def annotation(title: str, message: str, file: str | None) -> str:
    """An error as GitHub shows it beside a file, or by itself."""
    properties = {"file": file, "title": title}
    written = ",".join(f"{name}={_property(value)}" for name, value in properties.items() if value)
    return f"::error {written}::{_escaped(message)}"


def _of_row(report: Report, row: Row) -> str:
    telling = row.telling
    assert telling
    profile = f" [{row.profile}]" if row.profile else ""
    message = f"{explain(row.says, telling)}\n{'replay':>10}  {report.replay(telling)}"
    return annotation(f"{row.clause}{profile} {row.verdict.value}", message, _file_of(report.subject))


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")


def _file_of(subject: str) -> str | None:
    """The file of this folder that a subject is in, if its name tells."""
    kind, _, rest = subject.partition(":")
    if not rest or f"{kind}:" == EXEC:
        return None
    module = Path(*kind.split("."))
    named = [Path(rest)] if kind in KINDS else [module.with_suffix(".py"), module / "__init__.py"]
    places = [folder / each for folder in (Path(), Path("src")) for each in named]
    return next((place.as_posix() for place in places if place.is_file()), None)


def _summary(report: Report) -> Iterator[str]:
    """Markdown: how many clauses have each verdict, and a table of those that are not as they should be."""
    counts = Counter(row.verdict for row in report.rows)
    said = ", ".join(f"{counts[verdict]} {verdict.value}" for verdict in Verdict if counts[verdict])
    yield f"### {in_markdown(report.subject)} {in_markdown(report.version)}: {said}"
    yield ""
    shown = [row for row in report.rows if row.verdict not in (Verdict.HOLDS, Verdict.UNSUPPORTED)]
    if shown:
        yield "| | clause | profile | verdict | what it says |"
        yield "| --- | --- | --- | --- | --- |"
    for row in shown:
        cells = (MARKS[row.verdict][0], row.clause, row.profile or "", row.verdict.value, row.says)
        yield f"| {' | '.join(map(in_markdown, cells))} |"
    yield ""
