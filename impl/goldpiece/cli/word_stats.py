"""`goldpiece stats --words`: what a file is like in words, before there is any tokenizer."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import typer
from rich import box
from rich.table import Table
from rich.text import Text

from goldpiece.cli.histogram import Bar, Chart, drawing_of, histogram, print_bars
from goldpiece.cli.output import console
from goldpiece.errors import FileError, UsageError
from goldpiece.formats.atomic import write_atomically
from goldpiece.reference.vocabulary import Counted, Vocabulary
from goldpiece.reference.word_statistics import WordStatistics, word_statistics
from goldpiece.suite.values import visible

MOST = 8  # so many of what is most common


@dataclass(frozen=True)
class Rows:
    """The lines of a file, each of which may begin with a label and a tab."""

    file: Path
    lines: int
    texts: Sequence[str]
    labels: Sequence[str] | None

    @classmethod
    def of(cls, file: Path, lines: Sequence[str], labelled: bool, distinct: bool) -> "Rows":
        """Raises FileError for a line that has no label, UsageError where there are no lines."""
        if not lines:
            raise UsageError(f"{file} has no lines, and nothing to tell of them: give a file with a text on each line")
        if not labelled:
            kept = list(dict.fromkeys(lines)) if distinct else lines
            return cls(file, len(lines), kept, None)
        for number, line in enumerate(lines, start=1):
            if "\t" not in line:
                problem = f"`{visible(line[:40])}` has no tab behind a label"
                raise FileError(file, number, problem, "Write label, tab and text, or leave --labelled out")
        pairs = [line.split("\t", 1) for line in (dict.fromkeys(lines) if distinct else lines)]
        return cls(file, len(lines), [text for _, text in pairs], [label for label, _ in pairs])


def show_words(rows: Rows, cased: bool, plot: Path | None, as_json: bool) -> None:
    """The figures of the texts, and the drawings of their lengths and of the sizes of vocabularies."""
    draw = None if plot is None else drawing_of(plot)
    found = word_statistics(rows.texts, rows.labels, lowercase=not cased)
    lengths = Chart(f"Words of the {len(rows.texts):,} texts of {rows.file.name}", histogram(found.lengths))
    sizes = Chart(
        "Entries of the vocabulary, by min_count",
        [Bar(least, least, size) for least, size in zip(found.min_counts, found.coverage.sizes, strict=True)],
    )
    if as_json:
        typer.echo(json.dumps(_as_json(rows, found)))
    else:
        _show(rows, found)
        print_bars(lengths)
    if plot is not None and draw is not None:
        write_atomically(plot, draw([lengths, sizes]))


def _show(rows: Rows, found: WordStatistics) -> None:
    distinct = len(rows.texts) < rows.lines
    shares = ", ".join(f"{percent} % have {length:,} at most" for percent, length in found.percentiles.items())
    every = found.words.most_common()
    lines = [
        ("texts", f"{len(rows.texts):,}" + (f" different lines of {rows.lines:,}" if distinct else "")),
        ("lengths", f"{shares}; longest {max(found.lengths):,}; {found.lengths.count(0):,} have no word"),
        ("words", f"{sum(every.counts):,}, of which {len(every.tokens):,} different, and {found.once:,} occur once"),
        ("characters", f"{found.characters:,} different"),
        ("most common", _listed(found.words)),
    ]
    for label, each in found.labels.items():
        lines += [
            ("", ""),
            (label, f"{each.texts:,} texts"),
            ("words", _listed(each.words)),
            ("marks", _listed(each.marks)),
        ]
    for label, line in lines:
        console.print(Text.assemble((f"{visible(label):>12}  ", "dim"), line), soft_wrap=True)
    console.print()
    console.print(_sizes(found))
    console.print()


def _listed(vocabulary: Vocabulary) -> str:
    common = vocabulary.most_common(MOST)
    return ", ".join(f"{visible(token)} {count:,}" for token, count in zip(*common, strict=True)) or "none"


def _sizes(found: WordStatistics) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for heading in ("min_count", "entries", "words that become <unk>"):
        table.add_column(heading, justify="right")
    for least, size, share in zip(found.min_counts, *found.coverage, strict=True):
        table.add_row(f"{least}", f"{size:,}", f"{share:.2%}")
    return table


def _as_json(rows: Rows, found: WordStatistics) -> dict[str, object]:
    def counted(common: Counted) -> list[list[object]]:
        return [[token, count] for token, count in zip(*common, strict=True)]

    every = found.words.most_common()
    return {
        "lines": rows.lines,
        "texts": len(rows.texts),
        "percentiles": found.percentiles,
        "longest": max(found.lengths),
        "without_words": found.lengths.count(0),
        "words": sum(every.counts),
        "different_words": len(every.tokens),
        "once": found.once,
        "characters": found.characters,
        "most_common": counted(found.words.most_common(MOST)),
        "coverage": [list(each) for each in zip(found.min_counts, *found.coverage, strict=True)],
        "labels": {
            label: {
                "texts": each.texts,
                "words": counted(each.words.most_common(MOST)),
                "marks": counted(each.marks.most_common(MOST)),
            }
            for label, each in found.labels.items()
        },
        "histogram": [[bar.first, bar.last, bar.count] for bar in histogram(found.lengths)],
    }
