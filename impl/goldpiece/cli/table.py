"""`goldpiece table`: what several implementations do, clause by clause, from saved reports."""

from pathlib import Path
from typing import Annotated

import typer

from goldpiece.suite.loader import load_specs
from goldpiece.suite.table import read_reports, render


def table(
    reports: Annotated[
        list[Path], typer.Argument(metavar="REPORT", help="Files that `check --json FILE` has written.")
    ],
) -> None:
    """Write a table in Markdown: each clause, and what became of it with each implementation.

    Below it stands the smallest input on which each parts from a clause.
    """
    typer.echo(render(read_reports(reports), load_specs()), nl=True)
