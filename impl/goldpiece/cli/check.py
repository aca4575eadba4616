"""`goldpiece check`: the specs, examples and laws against one implementation or several."""

from pathlib import Path
from typing import Annotated

import typer

from goldpiece.cli.github import tell_github
from goldpiece.cli.output import Progress, console, make_sure_it_can_be_written
from goldpiece.suite.junit import junit
from goldpiece.suite.plugin import Selection
from goldpiece.suite.records import report_to_json, write
from goldpiece.suite.report import print_report
from goldpiece.suite.runner import run
from goldpiece.suite.spec import Depth
from goldpiece.suite.subjects import TIMEOUT
from goldpiece.suite.verdict import Report


def check(
    *,
    subjects: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SUBJECT",
            help="reference, tokenizers, transformers, nanotoken, tokie, kitoken, budtiktok, morpheme, "
            "transformers-collator:numpy|torch, exec:COMMAND, module:attr,key=value, one tokenizer as hf:PATH, "
            "reference:PATH, transformers:PATH, tiktoken:NAME|PATH or sentencepiece:PATH, or "
            "batches:FILE,vocab=FILE of what a collator made.",
        ),
    ] = None,
    spec: Annotated[str | None, typer.Option(metavar="NAME", help="Only the clauses of one spec.")] = None,
    clause: Annotated[str | None, typer.Option(metavar="ID", help="Only one clause.")] = None,
    profile: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="The semantics to hold the subject to: what it claims, if it is not said.",
        ),
    ] = None,
    depth: Annotated[
        Depth, typer.Option(help="How long to look: seconds, as long as CI waits, or overnight.")
    ] = Depth.QUICK,
    seed: Annotated[int, typer.Option(help="What laws draw with: the same seed, the same inputs.")] = 0,
    workers: Annotated[int, typer.Option("-n", "--workers", min=1, help="How many processes check.")] = 1,
    strict: Annotated[bool, typer.Option("--strict", help="Count clauses of level should and option as well.")] = False,
    divergences: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where the subject is known to part from a clause, and why.")
    ] = None,
    timeout: Annotated[
        float, typer.Option(min=0.1, metavar="SECONDS", help="How long a call may take, before it counts as a hang.")
    ] = TIMEOUT,
    suite_version: Annotated[
        str | None,
        typer.Option(
            metavar="VERSION", help="Only the clauses that this version of Goldpiece had: what came later waits."
        ),
    ] = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write the report as JSON as well.")
    ] = None,
    junit_file: Annotated[
        Path | None, typer.Option("--junit", metavar="FILE", help="Write it as JUnit XML as well, as CI reads it.")
    ] = None,
) -> None:
    """Check an implementation against the specs.

    Exit code 0: every `must` clause holds, diverges as declared, or is unsupported. 1: one does not. 2: something
    cannot be used as given. 3: goldpiece itself failed.
    """
    files = {"--json": json_file, "--junit": junit_file}
    for option, path in files.items():
        if path:
            make_sure_it_can_be_written(option, path)
            files[option] = path.absolute()  # a subject may change the folder
    selections = [
        Selection(subject, spec, clause, profile, depth, seed, divergences, timeout, suite_version)
        for subject in subjects or ["reference"]
    ]
    # All are found, and what is declared of them read, before the first one runs.
    targets = [selection.target.declaration for selection in selections]
    assert all(selection.declared is not None for selection in selections)
    reports: list[Report] = []
    for selection, target in zip(selections, targets, strict=True):
        if reports:
            console.rule()
        with Progress(selection.subject) as progress:
            rows = run(selection, workers, progress)
        reports.append(Report(target.name, target.version, depth, seed, strict, rows))
        print_report(console, selection.specs, reports[-1])
    if path := files["--json"]:
        write(path, [report_to_json(report) for report in reports])
    if path := files["--junit"]:
        path.write_bytes(junit(reports))
    tell_github(reports)
    raise typer.Exit(max(report.exit_code for report in reports))
