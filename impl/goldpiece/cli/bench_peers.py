"""`goldpiece bench peers`: our implementations beside those of others."""

from importlib import import_module

import typer

from goldpiece.cli.bench_options import Corpus, Depth, History, Html, Json, Parts, Rounds, Size, Subjects, Vocab
from goldpiece.cli.bench_page import earlier_runs, make_sure_it_can_be_drawn, write_page_of_run
from goldpiece.cli.output import Progress, console, make_sure_it_can_be_written
from goldpiece.suite.benchmarks.measuring import Plan, Side, measured_run
from goldpiece.suite.benchmarks.record import write_run
from goldpiece.suite.benchmarks.sides import OURS, here
from goldpiece.suite.benchmarks.standings import REFERENCE, account_of_standings
from goldpiece.suite.verdict import Exit


def peers(
    *,
    parts: Parts = None,
    subjects: Subjects = None,
    rounds: Rounds = 5,
    depth: Depth = Size.QUICK,
    corpus: Corpus = None,
    vocab: Vocab = None,
    json_file: Json = None,
    html: Html = None,
    saved: History = None,
) -> None:
    """Measure the reference, its efficient twin and all other libraries that are installed, side by side.

    Exit code 1 if an output is not that of the reference.
    """
    if json_file:
        make_sure_it_can_be_written("--json", json_file)
    make_sure_it_can_be_drawn(html)
    earlier = earlier_runs(saved)
    wanted = subjects or [*OURS, *import_module("goldpiece.bench.subjects").SUBJECTS]
    chosen = tuple(dict.fromkeys([REFERENCE, *wanted]))
    side = Side(".", "", here(chosen), chosen)
    with Progress("bench") as progress:
        found = measured_run(side, Plan(tuple(parts or ()), depth.value, corpus, vocab), rounds, progress)
    for line, style in account_of_standings(found):
        console.print(line, style=style, soft_wrap=True)
    if json_file:
        write_run(json_file, found)
    if html:
        write_page_of_run(html, found, earlier)
    raise typer.Exit(Exit.FAULT if any(each.is_fault for each in found.not_measured) else Exit.OK)
