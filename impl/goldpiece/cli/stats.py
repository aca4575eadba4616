"""`goldpiece stats`: what the batches of a file would be like, with a histogram of their lengths."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from goldpiece import BatchStatistics, Tokenizer, batch_statistics
from goldpiece.cli.histogram import Chart, drawing_of, histogram, print_bars
from goldpiece.cli.output import Progress, console
from goldpiece.cli.text import CasedOption, ProfileOption, TokenizerOption, VocabOption, given, tokenizer_of
from goldpiece.cli.word_stats import Rows, show_words
from goldpiece.errors import UsageError
from goldpiece.formats.atomic import write_atomically
from goldpiece.reference.batch import Batch

BATCH = 32  # rows that are padded together unless it is said


def stats(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Each line is a text.")],
    *,
    tokenizer: TokenizerOption = None,
    vocab: VocabOption = None,
    max_length: Annotated[
        int | None, typer.Option(metavar="N", help="Truncate rows to so many tokens, special ones included.")
    ] = None,
    batch_size: Annotated[int, typer.Option(metavar="N", help="So many rows are padded together.")] = BATCH,
    frame: Annotated[bool, typer.Option("--frame/--no-frame", help="Whether [CLS] and [SEP] are added.")] = True,
    profile: ProfileOption = None,
    cased: CasedOption = False,
    words: Annotated[bool, typer.Option("--words", help="Words instead of the tokens of a tokenizer.")] = False,
    labelled: Annotated[
        bool, typer.Option("--labelled", help="With --words: each line is a label, a tab and a text.")
    ] = False,
    distinct: Annotated[
        bool, typer.Option("--distinct", help="With --words: leave out lines that have been there before.")
    ] = False,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE.svg|png", help="Draw the histogram there; PNG needs matplotlib.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One line of JSON.")] = False,
) -> None:
    """Show how long the texts of a file are in tokens, and how much is cut off and filled up in batches of them.

    With --words no tokenizer is needed: which words there are, how often, and what a vocabulary of them would hold.
    """
    if words:
        if tokenizer or vocab or profile or max_length is not None or batch_size != BATCH or not frame:
            others = "--vocab, --tokenizer, --profile, --max-length, --batch-size and --no-frame"
            raise UsageError(f"--words goes without a tokenizer and batches: leave {others} out")
        show_words(Rows.of(file, list(given(None, file)), labelled, distinct), cased, plot, as_json)
        return
    if labelled or distinct:
        raise UsageError("--labelled and --distinct go with --words: give it, or leave them out")
    draw = None if plot is None else drawing_of(plot)
    if batch_size < 1:
        raise UsageError(f"--batch-size {batch_size}: give a whole number from 1 on")
    chosen = tokenizer_of(tokenizer, vocab, profile, cased)
    texts = list(given(None, file))
    if not texts:
        raise UsageError(f"{file} has no lines, and nothing to tell of them: give a file with a text on each line")
    found = batch_statistics(_batches(chosen, texts, frame, max_length, batch_size))
    chart = Chart(f"Tokens of the {found.rows:,} texts of {file.name}", histogram(found.lengths))
    if as_json:
        figures = {name: value for name, value in vars(found).items() if name != "lengths"}
        typer.echo(json.dumps(figures | {"histogram": [[bar.first, bar.last, bar.count] for bar in chart.bars]}))
    else:
        _show(found, chart, max_length, batch_size)
    if plot is not None and draw is not None:
        write_atomically(plot, draw([chart]))


def _batches(
    tokenizer: Tokenizer, texts: Sequence[str], frame: bool, max_length: int | None, batch_size: int
) -> list[Batch]:
    batches = []
    with Progress("stats") as progress:
        progress.begins(-(-len(texts) // batch_size))
        for start in range(0, len(texts), batch_size):
            encodings = tokenizer.encode_batch(texts[start : start + batch_size], add_special_tokens=frame)
            if max_length is not None:
                encodings = tokenizer.truncate(encodings, max_length=max_length)
            batches.append(tokenizer.pad(encodings))
            progress.step("batches")
    return batches


def _show(found: BatchStatistics, chart: Chart, max_length: int | None, batch_size: int) -> None:
    shares = ", ".join(f"{percent} % have {length:,} at most" for percent, length in found.percentiles.items())
    cut = "nothing, without --max-length" if max_length is None else f"{found.truncated:.1%} of the rows"
    rows = [
        ("rows", f"{found.rows:,}, of which {found.without_text:,} without text"),
        ("tokens", f"{found.tokens:,}"),
        ("lengths", f"{shares}; longest {found.longest:,}"),
        ("truncated", cut),
        ("padding", f"{found.padding:.1%} of the places, in batches of {batch_size}"),
        ("all padding", f"{found.all_padding:,} rows"),
    ]
    for label, line in rows:
        console.print(Text.assemble((f"{label:>12}  ", "dim"), line), soft_wrap=True)
    console.print()
    print_bars(chart)
