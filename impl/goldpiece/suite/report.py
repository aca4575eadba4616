"""What a person sees of a run: a table per spec, each failure explained, a summary."""

import shlex
import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from goldpiece.suite.spec import Level, Specs
from goldpiece.suite.values import code_points, show
from goldpiece.suite.verdict import Outcome, Report, Row, Verdict

MARKS = {
    Verdict.HOLDS: ("✓", "green"),
    Verdict.UNSUPPORTED: ("–", "dim"),
    Verdict.NOT_RUN: ("?", "yellow"),
    Verdict.DIVERGES: ("≠", "yellow"),
    Verdict.BLOCKED: ("∥", "red"),
    Verdict.FAILS: ("✗", "bold red"),
    Verdict.ERRORS: ("!", "bold red"),
}

WIDE = 100  # columns that the whole table needs
LABEL = 12  # columns before the text of an explanation


def print_report(console: Console, specs: Specs, report: Report) -> None:
    """One subject's results."""
    profiles = ", ".join(dict.fromkeys(row.profile for row in report.rows if row.profile))
    held = f", held to {profiles}" if profiles else ""
    conditions = f" {report.version}{held}, depth {report.depth.value}, seed {report.seed}"
    console.print(Text.assemble((report.subject, "bold"), conditions))
    lacking = _lacking(report.rows)
    for name in dict.fromkeys(row.spec for row in report.rows if row.spec not in lacking):
        spec = specs.named(name)
        console.print()
        console.print(Text.assemble((spec.name, "bold"), f" {spec.version}: {spec.summary}"))
        console.print(_table([row for row in report.rows if row.spec == name], narrow=console.width < WIDE))
    for row in report.rows:
        if row.verdict not in (Verdict.HOLDS, Verdict.UNSUPPORTED, Verdict.BLOCKED):
            console.print()
            _print_fault(console, report, row)
    console.print()
    _print_blocked(console, report)
    _print_unsupported(console, report.rows)
    _print_summary(console, report.rows, report.strict)


def _table(rows: Sequence[Row], narrow: bool) -> Table:
    """A row for each clause and profile; on a narrow terminal without the counts."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    counts = [] if narrow else ["examples", "laws", "goldens", "inputs"]
    for heading in ("", "clause", *(() if narrow else ("level",)), "profile", "verdict", *counts):
        table.add_column(heading, justify="right" if heading in counts else "left", no_wrap=heading != "clause")
    for place, row in enumerate(rows):
        mark, style = MARKS[row.verdict]
        repeated = place and rows[place - 1].clause == row.clause
        kinds = Counter(outcome.kind for outcome in row.outcomes)
        cells: list[str | Text] = [Text(mark, style), "" if repeated else row.clause]
        cells += [] if narrow else ["" if repeated else row.level.value]
        cells += [row.profile or "", Text(row.verdict.value, style)]
        if not narrow:
            inputs = sum(outcome.inputs for outcome in row.outcomes)
            cells += [*(str(kinds[kind] or "") for kind in ("example", "law", "golden")), f"{inputs:,}"]
        table.add_row(*cells)
    return table


def _print_fault(console: Console, report: Report, row: Row) -> None:
    mark, style = MARKS[row.verdict]
    profile = f" [{row.profile}]" if row.profile else ""
    console.print(Text.assemble((f"{mark} {row.clause}{profile} {row.verdict.value}", style), f" ({row.level.value})"))
    outcome = row.telling
    assert outcome
    for name, text in _explanation(row.says, outcome):
        lines = textwrap.wrap(text, console.width - LABEL - 1, break_on_hyphens=False) or [""]
        for place, line in enumerate(lines):
            console.print(_labelled("" if place else name, line))
    # A command is copied: it stays on one line, however long.
    console.print(_labelled("replay", report.replay(outcome)), soft_wrap=True)


def _labelled(name: str, line: str) -> Text:
    return Text.assemble((f"{name:>{LABEL - 2}}  ", "dim"), line)


def explain(says: str, outcome: Outcome) -> str:
    """A fault in plain text: the clause's sentence, the input, both results, and what found it."""
    return "\n".join(str(_labelled(name, text)) for name, text in _explanation(says, outcome))


def _explanation(says: str, outcome: Outcome) -> list[tuple[str, str]]:
    lines = [("clause", says)]
    found = outcome.counterexample
    if found:
        for call in found.given:
            lines += _shown_call(call)
        if outcome.verdict is Verdict.FAILS:
            lines += [("expected", show(found.expected)), ("actual", show(found.actual))]
    if outcome.reason:
        lines.append(("reason", outcome.reason))
    if found and found.note:
        lines.append(("note", found.note))
    lines.append(("found by", outcome.check))
    return lines


def _shown_call(call: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    config, given = call["config"], call["input"]
    assert isinstance(config, dict)
    assert isinstance(given, dict)
    if config:
        yield "with", ", ".join(f"{name} = {show(value)}" for name, value in config.items())
    for name, value in given.items():
        text = show(value)
        if isinstance(value, str) and 0 < len(value) <= 4 and not value.isascii():
            text += f"   ({code_points(value)})"
        yield name, text


def _print_blocked(console: Console, report: Report) -> None:
    """One line for all that a clause blocks: what each of them fails on is seen once that is mended, or by itself."""
    blocked: dict[str, list[str]] = {}
    for row in report.rows:
        if row.blocked_by:
            blocked.setdefault(row.blocked_by, []).append(row.clause)
    for needed, clauses in blocked.items():
        names = ", ".join(dict.fromkeys(clauses))
        mark, style = MARKS[Verdict.BLOCKED]
        console.print(Text.assemble((f"{mark} blocked ", style), f"by {needed}: {names}"))
    if blocked:
        one = next(iter(blocked.values()))[0]
        command = f"goldpiece check {shlex.quote(report.subject)} --clause {one}"
        console.print(f"  They fail as well, most likely for that reason; `{command}` shows how.", soft_wrap=True)
        console.print()


def _lacking(rows: Sequence[Row]) -> dict[str, str]:
    """The components that the subject has nothing of, each with the reason: a table would say it in every line."""
    found = {}
    for name in dict.fromkeys(row.spec for row in rows):
        reasons = {row.telling.reason if row.telling else None for row in rows if row.spec == name}
        if len(reasons) == 1 and all(row.verdict is Verdict.UNSUPPORTED for row in rows if row.spec == name):
            found[name] = reasons.pop() or ""
    return found


def _print_unsupported(console: Console, rows: Sequence[Row]) -> None:
    lacking = _lacking(rows)
    reasons: dict[str, list[str]] = {}
    for row in rows:
        if row.verdict is Verdict.UNSUPPORTED and row.spec not in lacking and row.telling:
            reasons.setdefault(row.telling.reason or "", []).append(row.clause)
    said = [(", ".join(dict.fromkeys(clauses)), reason) for reason, clauses in reasons.items()]
    for name, reason in lacking.items():
        clauses = len({row.clause for row in rows if row.spec == name})
        said.append((f"all of {name} ({clauses} clauses)", reason))
    for names, reason in said:
        console.print(Text.assemble(("– unsupported ", "dim"), f"{names}: {reason}"))
    if said:
        console.print()


def _print_summary(console: Console, rows: Sequence[Row], strict: bool) -> None:
    counts = Counter(row.verdict for row in rows)
    parts = [(f"{counts[verdict]} {verdict.value}", MARKS[verdict][1]) for verdict in Verdict if counts[verdict]]
    line = Text(" · ").join(Text(text, style) for text, style in parts)
    seconds = sum(outcome.seconds for row in rows for outcome in row.outcomes)
    console.print(Text.assemble(line, f"   ({len(rows)} clauses under their profiles, {seconds:.1f} s of checking)"))
    if not any(row.verdict is not Verdict.UNSUPPORTED for row in rows):
        console.print("Nothing was checked: the subject supports none of these clauses.", style="yellow")
    spared = [row for row in rows if row.verdict.is_fault and row.level is not Level.MUST]
    if spared and not strict:
        console.print(f"{len(spared)} of the faults are in `should` or `option` clauses and count only under --strict.")
