"""`goldpiece drift`: what is not the same between two tokenizers, grouped by what it has in common."""

from pathlib import Path
from typing import Annotated

import typer

from goldpiece.cli.output import Progress, console, make_sure_it_can_be_written
from goldpiece.errors import UsageError
from goldpiece.suite.corpus import documents, read_corpus
from goldpiece.suite.drift.account import account
from goldpiece.suite.drift.groups import drift as compared
from goldpiece.suite.drift.record import drift_to_json
from goldpiece.suite.loader import load_specs
from goldpiece.suite.ready_made import ReadyMade
from goldpiece.suite.records import write
from goldpiece.suite.subjects import find_subject
from goldpiece.suite.verdict import Exit

SHOWN = 10  # groups

SUBJECT = "hf:PATH, reference:PATH, exec:COMMAND or module:attr."


def drift(
    old: Annotated[str, typer.Argument(metavar="OLD", help=SUBJECT)],
    new: Annotated[str, typer.Argument(metavar="NEW", help="The same.")],
    corpus: Annotated[str, typer.Argument(metavar="CORPUS", help="A text file, or the name of a corpus.")],
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write all groups as JSON as well.")
    ] = None,
) -> None:
    """Show where two tokenizers part on a corpus, grouped, with the smallest text that shows each group.

    Exit code 1 if they do.
    """
    if json_file:
        make_sure_it_can_be_written("--json", json_file)
        json_file = json_file.absolute()  # a subject may change the folder
    specs = load_specs()
    before, after = [ReadyMade(find_subject(name, specs)) for name in (old, new)]
    whole = list(documents(read_corpus(corpus)))
    if not whole:
        raise UsageError(f"{corpus} is empty: give a text to compare on")
    with Progress("drift") as progress:
        found = compared(before, after, whole, progress)
    for line, style in account(found, corpus, SHOWN):
        console.print(line, style=style, soft_wrap=True)
    if json_file:
        write(json_file, [drift_to_json(found, corpus)])
    raise typer.Exit(Exit.FAULT if found.moved else Exit.OK)
