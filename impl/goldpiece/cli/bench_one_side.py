"""What `goldpiece bench run` and `goldpiece bench peers` have in common: one side is measured, told of and written."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import typer

from goldpiece.cli.bench_page import earlier_runs, make_sure_it_can_be_drawn, write_page_of_run
from goldpiece.cli.output import Progress, console, make_sure_it_can_be_written
from goldpiece.suite.benchmarks.measuring import Plan, Side, measured_run
from goldpiece.suite.benchmarks.record import Run, write_run
from goldpiece.suite.benchmarks.sides import here
from goldpiece.suite.verdict import Exit


@dataclass(frozen=True)
class Files:
    """Where a run is written, and the folder of earlier ones that a page shows; None for what is not asked for."""

    json: Path | None
    html: Path | None
    saved: Path | None


def measure(
    subjects: Sequence[str],
    plan: Plan,
    rounds: int,
    files: Files,
    account: Callable[[Run], Iterable[tuple[str, str]]],
) -> NoReturn:
    """Measures these subjects here, and ends the command: with exit code 1 if an output is wrong."""
    if files.json:
        make_sure_it_can_be_written("--json", files.json)
    make_sure_it_can_be_drawn(files.html)
    earlier = earlier_runs(files.saved)
    side = Side(".", "", here(subjects), tuple(subjects))
    with Progress("bench") as progress:
        found = measured_run(side, plan, rounds, progress)
    for line, style in account(found):
        console.print(line, style=style, soft_wrap=True)
    if files.json:
        write_run(files.json, found)
    if files.html:
        write_page_of_run(files.html, found, earlier)
    raise typer.Exit(Exit.FAULT if any(each.is_fault for each in found.not_measured) else Exit.OK)
