"""`goldpiece golden`: recorded outputs, ours and those of a tokenizer in use."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich import box
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from goldpiece.cli.github import tell_github_that
from goldpiece.cli.output import Progress, console
from goldpiece.errors import UsageError
from goldpiece.suite.golden import lock, lock_file
from goldpiece.suite.golden.account import account
from goldpiece.suite.golden.json_lines import one_line
from goldpiece.suite.golden.keep import Change, Comparison, compare, entries, orphans, update
from goldpiece.suite.loader import load_specs
from goldpiece.suite.subjects import find_subject
from goldpiece.suite.verdict import Exit

app = typer.Typer(help="Recorded outputs: those of the specs, and those of a tokenizer in use.", no_args_is_help=True)

SHOWN = 10  # changed cases of a golden, and moved texts of a lock file

Components = Annotated[list[str] | None, typer.Argument(metavar="COMPONENT", help="Only those of some (default: all).")]


@app.command()
def verify(
    what: Annotated[
        list[str] | None,
        typer.Argument(metavar="COMPONENT|FILE", help="Components, or one lock file (default: all goldens)."),
    ] = None,
    subject: Annotated[
        str | None, typer.Option(metavar="SUBJECT", help="For a lock file: what to hold to it, if not what it names.")
    ] = None,
    corpus: Annotated[
        str | None, typer.Option(metavar="CORPUS", help="For a lock file: where the corpus is, if not where it was.")
    ] = None,
) -> None:
    """Compare goldens with what the reference gives now, or a lock file with what its tokenizer gives now.

    Exit code 1 if anything is missing, orphaned, changed or confirmed by nobody.
    """
    files = [name for name in what or [] if Path(name).is_file()]
    if files or subject or corpus:
        if not what or what != files[:1]:
            raise UsageError("give one lock file, that `goldpiece golden record` has made, and nothing else")
        _verify_lock(Path(files[0]), subject, corpus)
    for name in what or []:
        if name not in load_specs().by_name:
            raise UsageError(f"{name!r} is neither a file nor a component; there are {', '.join(load_specs().by_name)}")
    comparisons = _compared(what)
    _print_table(comparisons)
    stray = [] if what else orphans(load_specs())
    for each in comparisons:
        _print_problems(each)
    for path in stray:
        console.print(f"{path.name} is an orphan: no spec has a golden set that reads or writes it", style="red")
    wrong = sum(not each.is_right for each in comparisons)
    skipped = sum(each.not_run is not None for each in comparisons)
    counts = [f"{wrong or 'none'} wrong", *([f"{skipped} not run"] if skipped else [])]
    console.print(
        f"{len(comparisons)} goldens: {', '.join(counts)}, {len(stray) or 'no'} orphan{'s' * (len(stray) != 1)}"
    )
    raise typer.Exit(Exit.FAULT if wrong or stray else Exit.OK)


@app.command()
def diff(components: Components = None) -> None:
    """Show each case that is not what was recorded: what it was given, what it gave, and what it gives.

    Exit code 1 if there is one.
    """
    comparisons = _compared(components)
    for each in comparisons:
        _print_problems(each)
        _print_changes(each, limit=None)
    different = [each for each in comparisons if not each.is_right]
    if not different:
        console.print(f"{len(comparisons)} goldens: no difference")
    raise typer.Exit(Exit.FAULT if different else Exit.OK)


@app.command("update")
def update_(
    components: Components = None,
    same_version: Annotated[
        bool, typer.Option("--same-version", help="What was recorded was wrong: the spec's version stays.")
    ] = False,
) -> None:
    """Record anew what is missing or not what it should be, and show what changes.

    Refuses, and writes nothing, where the same input gives something else and the spec has no new version.
    """
    comparisons = _compared(components)
    for each in comparisons:
        if each.recorded:
            _print_changes(each, limit=SHOWN)
    written = update(comparisons, same_version)
    for entry in written:
        console.print(f"recorded  {entry.title}")
    console.print(f"{len(comparisons)} goldens: {len(written) or 'none'} recorded anew")


@app.command()
def record(
    subject: Annotated[str, typer.Argument(metavar="SUBJECT", help="hf:PATH, reference:PATH or module:attr.")],
    corpus: Annotated[str, typer.Argument(metavar="CORPUS", help="A text file, or the name of a corpus.")],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="Where the lock file goes.")],
    text: Annotated[
        bool, typer.Option(help="Keep the text of a few documents, to show what moved; else only digests.")
    ] = True,
) -> None:
    """Write a lock file: what a tokenizer in use makes of a corpus, to be verified after an upgrade."""
    with Progress("record") as progress:
        recorded = lock.record(find_subject(subject, load_specs()), subject, corpus, text, progress)
    lock_file.write(output, recorded)
    console.print(
        f"{output}: {recorded.header.subject} {recorded.header.version}, {len(recorded.documents)} documents with "
        f"{sum(each.tokens for each in recorded.documents):,} tokens, {len(recorded.rows)} texts in full"
    )
    console.print(f"After an upgrade: goldpiece golden verify {output}", style="dim")


def _verify_lock(path: Path, subject: str | None, corpus: str | None) -> None:
    recorded = lock_file.read(path)
    name = subject or recorded.header.subject
    with Progress("verify") as progress:
        moved = lock.verify(recorded, find_subject(name, load_specs()), corpus, progress)
    lines = list(account(recorded, moved, SHOWN))
    for line, style in lines:
        console.print(line, style=style, soft_wrap=True)
    if moved.is_any:
        tell_github_that(f"{recorded.header.subject} moved", [line for line, _ in lines], str(path))
    raise typer.Exit(Exit.FAULT if moved.is_any else Exit.OK)


def _compared(components: Sequence[str] | None) -> list[Comparison]:
    specs = load_specs()
    wanted = entries(specs, components or ())
    with Progress("goldens") as progress:
        progress.begins(len(wanted))
        return compare(specs, wanted, lambda entry: progress.step(entry.title))


def _print_table(comparisons: Sequence[Comparison]) -> None:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for heading in ("", "golden", "profile", "cases", "confirmed by"):
        table.add_column(heading, justify="right" if heading == "cases" else "left", overflow="fold")
    for each in comparisons:
        mark = Text("?", "yellow") if each.not_run else Text("✓", "green") if each.is_right else Text("✗", "red")
        recorded = each.recorded or each.now
        claims = recorded.header.confirmed_by.items() if recorded else ()
        confirmed = ", ".join(name if said == "all" else f"{name} ({said})" for name, said in claims)
        cases = str(len(recorded.gives)) if recorded else ""
        table.add_row(mark, each.entry.name, each.entry.profile or "", cases, escape(confirmed))
    console.print(table)


def _print_problems(comparison: Comparison) -> None:
    title = comparison.entry.title
    if comparison.not_run:
        console.print(f"{title}: not run: {comparison.not_run}", style="yellow", soft_wrap=True)
    for problem in comparison.problems:
        console.print(f"{title}: {problem}", style="red", soft_wrap=True)
    if comparison.changes and comparison.recorded:
        count = len(comparison.changes)
        remedy = "`goldpiece golden diff` shows them"
        console.print(f"{title}: {count} case{'s' * (count > 1)} not as recorded; {remedy}", style="red")


def _print_changes(comparison: Comparison, limit: int | None) -> None:
    shown = comparison.changes[:limit]
    for change in shown:
        console.print(
            Text.assemble((comparison.entry.title, "bold"), "  ", one_line(dict(change.given))), soft_wrap=True
        )
        for line, style in _lines(change):
            console.print(line, style=style, soft_wrap=True)
    if len(shown) < len(comparison.changes):
        console.print(f"{comparison.entry.title}: {len(comparison.changes) - len(shown)} more cases", style="dim")


def _lines(change: Change) -> Iterator[tuple[str, str]]:
    """The outputs that differ: as they were, and as they are."""
    was, now = change.was or {}, change.now or {}
    for name in dict.fromkeys([*was, *now]):
        if was.get(name) != now.get(name):
            if name in was:
                yield f"  - {name}: {one_line(was[name])}", "red"
            if name in now:
                yield f"  + {name}: {one_line(now[name])}", "green"
