"""`goldpiece subject`: implementations under test."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from goldpiece.cli.output import console
from goldpiece.errors import UsageError
from goldpiece.formats.atomic import write_atomically
from goldpiece.suite import subjects

app = typer.Typer(help="Implementations under test.", no_args_is_help=True)


class Language(StrEnum):
    """A language that there is a starter in."""

    PYTHON = "python"
    JAVASCRIPT = "javascript"


STARTERS = {Language.PYTHON: ("subject.py", "python3"), Language.JAVASCRIPT: ("subject.js", "node")}


@app.callback()
def common() -> None:
    """What is common to all commands."""


@app.command()
def new(
    language: Annotated[Language, typer.Option("--lang", help="In which language.")],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Where it goes (default: here).")
    ] = None,
) -> None:
    """Write a starter: a subject that speaks the protocol and runs, for you to put your implementation into."""
    name, program = STARTERS[language]
    path = output or Path(name)
    if path.exists():
        raise UsageError(f"{path} is there already: name another file with -o")
    write_atomically(path, (Path(subjects.__file__).parent / "starters" / name).read_bytes())
    console.print(
        f"{path}  Put your implementation into it, then: goldpiece check exec:'{program} {path}' --spec wordpiece"
    )
