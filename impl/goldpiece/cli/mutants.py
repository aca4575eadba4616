"""`goldpiece mutants`: the proof that the laws can fail."""

import os
from collections.abc import Collection
from itertools import groupby
from typing import Annotated

import typer
from rich import box
from rich.table import Table
from rich.text import Text

from goldpiece.cli.output import Progress, console
from goldpiece.errors import UsageError
from goldpiece.suite.checks import Check
from goldpiece.suite.loader import load_specs
from goldpiece.suite.mutants import SEEDS, Fate, load_mutants, run_mutants, unproven
from goldpiece.suite.verdict import Exit

app = typer.Typer(
    help="Implementations with one deliberate fault each, and whether the laws see it.", no_args_is_help=True
)

SpecOption = Annotated[str | None, typer.Option("--spec", metavar="NAME", help="Only the mutants of one spec.")]
ClauseOption = Annotated[str | None, typer.Option("--clause", metavar="ID", help="Only the mutants of one clause.")]


@app.command("list")
def list_(spec: SpecOption = None, clause: ClauseOption = None) -> None:
    """List the mutants with the clause that each breaks, and its story."""
    for breaks, mutants in groupby(load_mutants(spec, clause), key=lambda mutant: mutant.breaks):
        console.print(breaks, style="bold")
        for mutant in mutants:
            report = f"  ({', '.join(mutant.reports)})" if mutant.reports else ""
            console.print(f"  {mutant.name}: {mutant.story}{report}", soft_wrap=True)


@app.command()
def run(
    spec: SpecOption = None,
    clause: ClauseOption = None,
    seeds: Annotated[int, typer.Option(min=1, help="How many seeds the laws run under.")] = SEEDS,
    workers: Annotated[
        int, typer.Option("-n", "--workers", min=1, help="How many processes (default: the cores).")
    ] = os.cpu_count() or 1,
) -> None:
    """Put every mutant to the checks of the clause that it breaks.

    Exit code 1 if one survives, if a `must` clause has none, or if a law kills none.
    """
    mutants = load_mutants(spec, clause)
    if not mutants:
        raise UsageError(f"{clause or spec} has no mutants; `goldpiece mutants list` names them all")
    fates: list[Fate] = []
    with Progress("mutants") as progress:
        progress.begins(len(mutants))
        for fate in run_mutants(mutants, seeds, workers):
            fates.append(fate)
            progress.step(fate.mutant.id)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for heading in ("", "mutant", "killed by, under every seed", "under the first seeds"):
        table.add_column(heading, overflow="fold", no_wrap=heading == "mutant")
    for fate in fates:
        mark = Text("✗", "red") if fate.survives else Text("✓", "green")
        some = [check for check, count in fate.kills.items() if 0 < count < seeds]
        table.add_row(mark, fate.mutant.id, _summary(fate.killers), _summary(some))
    console.print(table)
    problems = unproven(load_specs(), fates, spec, clause)
    for problem in problems:
        console.print(problem, style="red")
    dead = sum(not fate.survives for fate in fates)
    console.print(f"{dead} of {len(fates)} mutants killed under {seeds} seeds each")
    raise typer.Exit(Exit.FAULT if problems else Exit.OK)


def _summary(checks: Collection[Check]) -> str:
    """`law deletes [hf, google], 3 examples, 1 golden`"""
    laws: dict[str, list[str]] = {}
    for check in checks:
        if check.kind == "law":
            laws.setdefault(check.name, []).extend([check.profile] if check.profile else [])
    named = [name + (f" [{', '.join(profiles)}]" if profiles else "") for name, profiles in laws.items()]
    counts = {kind: len({check.name for check in checks if check.kind == kind}) for kind in ("example", "golden")}
    fixed = [f"{count} {kind}{'s' * (count > 1)}" for kind, count in counts.items() if count]
    return ", ".join([*named, *fixed])
