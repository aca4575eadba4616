"""The options that commands of `goldpiece bench` have in common."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Size(StrEnum):
    """How large the inputs are."""

    QUICK = "quick"
    FULL = "full"


Parts = Annotated[list[str] | None, typer.Option("-k", metavar="PART", help="Only workloads with this in their names.")]
Subjects = Annotated[
    list[str] | None, typer.Option("--subject", metavar="NAME", help="Measure this: reference, fast, tokenizers, …")
]
Depth = Annotated[Size, typer.Option("--depth", help="How large the inputs are.")]
Corpus = Annotated[
    str | None, typer.Option("--corpus", metavar="NAME|FILE", help="The text, in place of each workload's own.")
]
Vocab = Annotated[
    str | None,
    typer.Option("--vocab", metavar="NAME|FILE", help="A vocab.txt, or bert-base-uncased of GOLDPIECE_DATA."),
]
Json = Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write all figures as JSON as well.")]
Rounds = Annotated[int, typer.Option("--rounds", min=1, help="Processes for each workload.")]
Html = Annotated[Path | None, typer.Option("--html", metavar="FILE", help="Write a page with tables and figures.")]
History = Annotated[
    Path | None,
    typer.Option("--history", metavar="FOLDER", help="For --html: saved runs (*.json), to show how times went."),
]
