"""`goldpiece spec`: reads the specs, and says what is wrong with them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich import box
from rich.table import Table
from rich.text import Text

from goldpiece.cli.output import console
from goldpiece.cli.reports import print_reports
from goldpiece.errors import UsageError
from goldpiece.suite.history import ids_file
from goldpiece.suite.law import load_laws
from goldpiece.suite.lint import coverage, lint_file, lint_together
from goldpiece.suite.loader import load_specs, spec_files
from goldpiece.suite.mutants import load_mutants
from goldpiece.suite.protocol import protocol
from goldpiece.suite.reports import lint_reports, load_reports, reports_file, reports_of, trace
from goldpiece.suite.spec import Example, Parameter, Spec
from goldpiece.suite.values import show
from goldpiece.suite.verdict import Exit

app = typer.Typer(help="Read the specs, and find what is wrong with them.", no_args_is_help=True)


@app.command()
def lint(
    files: Annotated[list[Path] | None, typer.Argument(metavar="FILE", help="Specs to look at (default: all).")] = None,
) -> None:
    """Say what is wrong with the specs: duplicate or vanished ids, clauses that nothing checks,
    public faults that no clause names, values YAML misread, …

    Exit code 1 if something is, 2 if a file cannot be read as a spec at all.
    """
    paths = files or spec_files()
    for path in paths:
        if not path.is_file():
            raise UsageError(f"there is no file {path}; `goldpiece spec lint` without a file looks at all specs")
    problems, readable = [], []
    for path in paths:
        spec, found = lint_file(path)
        problems += found
        readable += [spec] if spec else []
    if not files and len(readable) == len(paths):
        problems += lint_together(readable, load_laws(), ids_file())
        problems += lint_reports(load_reports(), readable, load_mutants(), reports_file())
    for problem in problems:
        console.print(str(problem), style="red", soft_wrap=True)
    clauses = sum(len(spec.clauses) for spec in readable)
    console.print(f"{len(paths)} specs, {clauses} clauses: {len(problems) or 'no'} problem{'s' * (len(problems) != 1)}")
    if len(readable) < len(paths):
        raise typer.Exit(Exit.USAGE)
    raise typer.Exit(Exit.FAULT if problems else Exit.OK)


@app.command("list")
def list_() -> None:
    """List every clause with its sentence."""
    for spec in load_specs():
        console.print(
            Text.assemble((f"{spec.name} {spec.version}", "bold"), f"  {spec.title}. {spec.summary}"), soft_wrap=True
        )
        table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
        for clause in spec.clauses:
            table.add_row(f"  {clause.id}", Text(clause.level.value, "dim"), clause.says)
        console.print(table)
        console.print()


@app.command("show")
def show_(
    clause_id: Annotated[
        str, typer.Argument(metavar="ID", help="A clause, such as wordpiece.longest-match, or a spec.")
    ],
) -> None:
    """Show one clause: its sentence, source, and what checks it; or what a spec says besides its clauses."""
    specs = load_specs()
    if clause_id in specs.by_name:
        _show_spec(specs.named(clause_id))
        return
    clause = specs.clause(clause_id)
    spec = next(spec for spec in specs if clause in spec.clauses)
    console.print(Text.assemble((clause.id, "bold"), f"  {clause.level.value}, since {clause.since}"))
    console.print(clause.says)
    console.print()
    if clause.profiles:
        console.print(f"profiles  {', '.join(clause.profiles)}")
    console.print(f"source    {spec.sources[clause.source]}", soft_wrap=True)
    if clause.power:
        console.print(f"power     {clause.power}", soft_wrap=True)
    for example in clause.examples:
        console.print(f"example   {_example(example)}", soft_wrap=True)
    if clause.needs:
        console.print(f"needs     {', '.join(clause.needs)}", soft_wrap=True)
    for name in clause.golden:
        console.print(f"golden    {spec.name}/{name}: {spec.golden[name].says}", soft_wrap=True)
    for each in coverage(spec, load_laws(), load_mutants()):
        if each.clause is clause:
            for law in each.laws:
                doc = f": {law.function.__doc__.splitlines()[0]}" if law.function.__doc__ else ""
                console.print(f"law       properties/{law.module}.py::{law.name}{doc}", soft_wrap=True)
            for mutant in each.mutants:
                console.print(f"mutant    {mutant.name}: {mutant.story}", soft_wrap=True)
    for report in load_reports():
        if report.id in clause.reports:
            console.print(f"report    {report.id}: {report.symptom}", soft_wrap=True)


@app.command("protocol")
def protocol_() -> None:
    """Print spec/PROTOCOL.md: how a program in any language is a subject."""
    typer.echo(protocol(load_specs()), nl=False)


@app.command("coverage")
def coverage_(
    spec_name: Annotated[str | None, typer.Option("--spec", metavar="NAME", help="Only one spec.")] = None,
    reports: Annotated[
        bool, typer.Option("--reports", help="The public faults instead, and the clauses that catch each.")
    ] = False,
) -> None:
    """Show what stands behind each clause: examples, laws, goldens and mutants; or what catches each public fault.

    With --reports exit code 1 if no clause names a fault of a component that is there.
    """
    specs = load_specs()
    if reports:
        traces = trace(reports_of(spec_name), list(specs), load_mutants())
        print_reports(traces, specs)
        raise typer.Exit(Exit.FAULT if any(each.is_untraced for each in traces) else Exit.OK)
    for spec in [specs.named(spec_name)] if spec_name else specs:
        console.print(Text.assemble((spec.name, "bold"), f" {spec.version}"))
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
        for heading in ("clause", "level", "profiles", "examples", "laws", "goldens", "mutants"):
            table.add_column(
                heading,
                overflow="fold",
                no_wrap=heading == "clause",
                justify="right" if heading == "examples" else "left",
            )
        for each in coverage(spec, load_laws(), load_mutants()):
            laws = ", ".join(law.name for law in each.laws)
            mutants = ", ".join(mutant.name for mutant in each.mutants)
            clause = each.clause
            profiles, goldens = ", ".join(clause.profiles), ", ".join(clause.golden)
            examples = str(len(clause.examples))
            table.add_row(clause.id, clause.level.value, profiles, examples, laws, goldens, mutants)
        console.print(table)
        console.print()


def _show_spec(spec: Spec) -> None:
    console.print(Text.assemble((f"{spec.name} {spec.version}", "bold"), f"  {spec.title}. {spec.summary}"))
    for heading, lines in _parts(spec):
        console.print()
        console.print(heading, style="bold")
        for line in lines:
            console.print(f"  {line}", soft_wrap=True)


def _parts(spec: Spec) -> Iterator[tuple[str, list[str]]]:
    if spec.profiles:
        yield "profiles", [f"{name}: {says}" for name, says in spec.profiles.items()]
    if spec.unicode:
        yield "unicode", [f"{spec.unicode}: what it assigns is covered by every profile"]
    parameters = spec.parameters.values()
    yield (
        "parameters",
        [f"{each.name} ({_kind(each)}): {each.says}" for each in parameters],
    )
    operations = spec.operations.values()
    yield (
        "operations",
        [f"{each.name}({', '.join(each.input)}) → {', '.join(each.output)}: {each.says}" for each in operations],
    )
    if spec.definitions:
        yield "definitions", [f"{name}: {says}" for name, says in spec.definitions.items()]
    yield "sources", [f"{name}: {source}" for name, source in spec.sources.items()]
    if spec.golden:
        yield "goldens", [f"{each.name} ({each.operation}): {each.says}" for each in spec.golden.values()]
    if spec.bench:
        yield "workloads", [f"{each.name} ({each.operation}): {each.says}" for each in spec.bench.values()]
    if spec.errata:
        yield (
            "errata",
            [
                f"{each.source}\n    says   {each.says}\n    right  {each.right}\n    why    {each.why}"
                for each in spec.errata
            ],
        )


def _kind(parameter: Parameter) -> str:
    """`integer, 1 or more, in code points, default 100`"""
    parts = [parameter.type.written]
    if parameter.minimum is not None:
        parts.append(f"{parameter.minimum} or more")
    if parameter.unit:
        parts.append(f"in {parameter.unit}")
    if parameter.profiles:
        parts.append(f"only {' and '.join(parameter.profiles)}")
    return ", ".join([*parts, "required" if parameter.required else f"default {show(parameter.default)}"])


def _example(example: Example) -> str:
    given = ", ".join(
        f"{name} = {show(value, 60)}" for name, value in (dict(example.config) | dict(example.input)).items()
    )
    outputs = example.output or {}
    right = f"error {example.error}" if example.error else ", ".join(show(value, 60) for value in outputs.values())
    return f"{given} → {right}" + "".join(f"   [{each}]" for each in (example.profile, example.why) if each)
