"""`goldpiece bench verify` and `bench update`: what is committed of a run, held to what is measured now."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from goldpiece.cli.bench_options import Parts
from goldpiece.cli.output import Progress, console
from goldpiece.errors import UsageError
from goldpiece.suite.benchmarks.baselines import (
    OTHERS,
    Baseline,
    baselines_of,
    folder,
    read_baselines,
    write_baselines,
)
from goldpiece.suite.benchmarks.confirming import confirmed
from goldpiece.suite.benchmarks.measuring import Plan, Side, measured_run
from goldpiece.suite.benchmarks.process import HERE
from goldpiece.suite.benchmarks.record import Run, read_run
from goldpiece.suite.benchmarks.sides import OURS
from goldpiece.suite.benchmarks.standings import not_run
from goldpiece.suite.benchmarks.verifying import Difference, Kind, differences, updated
from goldpiece.suite.verdict import Exit

ROUNDS = 3  # the margins are wide
STYLES = {Kind.WORSE: "red", Kind.BETTER: "green", Kind.NOT_COMPARED: "yellow", Kind.NEW: "red", Kind.GONE: "red"}

Saved = Annotated[
    Path | None, typer.Argument(metavar="FILE", help="A saved run, in place of measuring now (of small inputs).")
]


def verify(saved: Saved = None, parts: Parts = None) -> None:
    """Hold memory, growth and ratios of times to the baselines in bench/baselines.

    Memory and growth have narrow tolerances; a time counts only as a ratio to that of another implementation, and only
    where it has doubled. Either is measured again up to three times before it is said to differ. Exit code 1 if
    something is worse, or is not recorded.
    """
    run = _run(saved, parts)
    recorded, others = _concerned(run, parts, saved)
    found = differences(recorded, _measured(run, parts))
    _print(found)
    wrong = _print_what_is_missing(run)
    faults = wrong or any(each.kind.is_fault for each in found)
    counts = Counter(each.kind for each in found)
    said = ", ".join(f"{counts[kind]} {kind.value}" for kind in Kind if counts[kind]) or "all hold"
    console.print(f"{len(recorded)} baselines: {said}; {len(others)} were not asked for")
    if faults:
        console.print("If that is meant to be: goldpiece bench update", style="dim")
    raise typer.Exit(Exit.FAULT if faults else Exit.OK)


def update(saved: Saved = None, parts: Parts = None) -> None:
    """Record the baselines that do not hold anew, and show what changes. What is within the tolerances stays as it is.

    Exit code 1, with nothing written, if an output is wrong.
    """
    run = _run(saved, parts)
    recorded, others = _concerned(run, parts, saved)
    measured = _measured(run, parts)
    found = differences(recorded, measured)
    _print(found)
    if _print_what_is_missing(run):
        raise typer.Exit(Exit.FAULT)
    moved = {(each.workload, each.subject) for each in found if each.kind is not Kind.NOT_COMPARED}
    if moved:
        write_baselines(folder(), [*others, *updated(recorded, measured, found)])
    console.print(f"{len(recorded)} baselines: {len(moved) or 'none'} recorded anew")


def _run(saved: Path | None, parts: Sequence[str] | None) -> Run:
    """The saved run, or one that is made now. Raises UsageError for one that baselines are not made of."""
    if saved is None:
        return confirmed(_run_of(parts or ()), read_baselines(folder()), _run_of)
    run = read_run(saved)
    if (run.depth, run.corpus, run.vocab) != ("quick", None, None):
        raise UsageError(
            f"{saved} was measured with other inputs: baselines are of --depth quick, without --corpus or --vocab"
        )
    return run


def _run_of(parts: Sequence[str]) -> Run:
    side = Side(".", "", HERE, tuple(dict.fromkeys([*OURS, *OTHERS])))
    with Progress("bench") as progress:
        return measured_run(side, Plan(tuple(parts)), ROUNDS, progress)


def _measured(run: Run, parts: Sequence[str] | None) -> list[Baseline]:
    """What is asked for of a run. Raises UsageError where that is nothing."""
    found = [each for each in baselines_of(run) if _is_asked_for(each, parts)]
    if not found and not run.not_measured:
        raise UsageError(f"the run has no workload of {' or '.join(OURS)} with {' or '.join(parts or ())} in its name")
    return found


def _is_asked_for(each: Baseline, parts: Sequence[str] | None) -> bool:
    return not parts or any(part in each.workload for part in parts)


def _concerned(run: Run, parts: Sequence[str] | None, saved: Path | None) -> tuple[list[Baseline], list[Baseline]]:
    """Of what is recorded, what this run has to say of, and the rest. A saved run may be of some workloads only."""
    lacking = {(each.workload, each.subject) for each in run.not_measured}
    there = {each.key for each in run.measured}

    def concerns(each: Baseline) -> bool:
        return _is_asked_for(each, parts) and each.key not in lacking and (saved is None or each.key in there)

    recorded = read_baselines(folder())
    return list(filter(concerns, recorded)), [each for each in recorded if not concerns(each)]


def _print(found: Sequence[Difference]) -> None:
    for each in found:
        line = f"{each.kind.value:>12}  {each.workload} of {each.subject}: {each.what}: {each.was} → {each.now}"
        console.print(line, style=STYLES[each.kind], soft_wrap=True)


def _print_what_is_missing(run: Run) -> bool:
    """Whether something is wrong with an output."""
    wrong = [each for each in run.not_measured if each.is_fault]
    for each in wrong:
        console.print(f"{each.workload} of {each.subject}: {each.reason}", style="red", soft_wrap=True)
    for line in not_run(run):
        console.print(line, style="yellow", soft_wrap=True)
    return bool(wrong)
