"""`goldpiece bench`: measures, and compares with a verdict."""

import json
from typing import Annotated

import typer

from goldpiece.cli import bench_baselines, bench_peers
from goldpiece.cli.bench_one_side import Files, measure
from goldpiece.cli.bench_options import Corpus, Depth, History, Html, Json, Parts, Rounds, Size, Subjects, Vocab
from goldpiece.cli.bench_page import (
    earlier_runs,
    make_sure_it_can_be_drawn,
    tell_github_of,
    write_page_of_comparison,
)
from goldpiece.cli.output import Progress, console, make_sure_it_can_be_written
from goldpiece.suite.benchmarks.account import account_of_comparison, account_of_run
from goldpiece.suite.benchmarks.comparing import compared
from goldpiece.suite.benchmarks.gates import Gates, judge, judged_to_json
from goldpiece.suite.benchmarks.measuring import Plan
from goldpiece.suite.benchmarks.sides import OURS, find_side
from goldpiece.suite.benchmarks.verdict import FEWEST_PAIRS

SIDE = "A git revision, a version (tokenizers==0.22.0), a Python, a saved run, a subject, or . for what is here."

app = typer.Typer(help="How fast, and how much memory.", no_args_is_help=True)
app.command("peers")(bench_peers.peers)
app.command("verify")(bench_baselines.verify)
app.command("update")(bench_baselines.update)


@app.callback()
def common() -> None:
    """What is common to all commands."""


@app.command()
def run(
    *,
    parts: Parts = None,
    subjects: Subjects = None,
    rounds: Rounds = FEWEST_PAIRS,
    depth: Depth = Size.QUICK,
    corpus: Corpus = None,
    vocab: Vocab = None,
    json_file: Json = None,
    html: Html = None,
    saved: History = None,
) -> None:
    """Measure this Goldpiece, each workload in several fresh processes.

    Exit code 1 if an output is wrong.
    """
    plan = Plan(tuple(parts or ()), depth.value, corpus, vocab)
    measure(tuple(subjects or OURS), plan, rounds, Files(json_file, html, saved), account_of_run)


@app.command()
def compare(
    *,
    a: Annotated[str, typer.Argument(metavar="A", help=SIDE)],
    b: Annotated[str, typer.Argument(metavar="B", help="The same.")],
    parts: Parts = None,
    subjects: Subjects = None,
    rounds: Annotated[
        int, typer.Option("--rounds", min=FEWEST_PAIRS, help="At most so many, of a process a side each.")
    ] = 120,
    depth: Depth = Size.QUICK,
    corpus: Corpus = None,
    vocab: Vocab = None,
    fail_on: Annotated[
        str | None,
        typer.Option("--fail-on", metavar="GATES", help="slower:1.10,memory:1.05: what the exit code is 1 for."),
    ] = None,
    json_file: Json = None,
    html: Html = None,
    saved: History = None,
) -> None:
    """Tell whether B is slower than A, or takes more memory: measured by turns, and A against itself.

    Exit code 1 if a gate fails, 2 if the machine is too noisy for one.
    """
    gates = Gates.read(fail_on) if fail_on else Gates()
    if json_file:
        make_sure_it_can_be_written("--json", json_file)
    make_sure_it_can_be_drawn(html)
    earlier = earlier_runs(saved)
    plan = Plan(tuple(parts or ()), depth.value, corpus, vocab)
    with Progress("bench") as progress:
        found = compared(find_side(a, subjects or ()), find_side(b, subjects or ()), plan, rounds, progress)
    judgment = judge(found, gates)
    for line, style in account_of_comparison(found, judgment):
        console.print(line, style=style, soft_wrap=True)
    tell_github_of(found, judgment)
    if json_file:
        json_file.write_text(json.dumps(judged_to_json(found, judgment), indent=1) + "\n", encoding="utf-8")
    if html:
        write_page_of_comparison(html, found, judgment, earlier)
    raise typer.Exit(judgment.exit_code)
