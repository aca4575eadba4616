"""What was measured, for a person to read."""

from collections.abc import Iterator, Sequence

from goldpiece.suite.benchmarks.record import Measured, Run

COLUMNS = ("workload", "subject", "MB/s", "tokens/s", "p50", "p99", "memory", "allocations", "RSS", "growth")


def account_of_run(run: Run) -> Iterator[tuple[str, str]]:
    """Lines of text, each with a style."""
    yield f"{run.side} {run.version}, {run.machine.cpu}, {run.machine.python}", "bold"
    if run.measured:
        yield from aligned([COLUMNS, *(_cells(each) for each in run.measured)], 2)
    for each in run.not_measured:
        yield f"not measured: {each.workload} of {each.subject}: {each.reason}", "red"


def aligned(rows: Sequence[Sequence[str]], words: int) -> Iterator[tuple[str, str]]:
    """A table: a heading and rows, whose first columns hold words, and the others numbers."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for number, row in enumerate(rows):
        cells = [f"{cell:{'<' if place < words else '>'}{widths[place]}}" for place, cell in enumerate(row)]
        yield "  ".join(cells).rstrip(), "" if number else "dim"


def _cells(each: Measured) -> tuple[str, ...]:
    return (
        each.workload,
        each.subject,
        number(each.mb_per_s, ".2f"),
        number(each.tokens_per_s, ",.0f"),
        duration(each.latency("p50_s")),
        duration(each.latency("p99_s")),
        kilobytes(each.memory.peak_bytes if each.memory else None),
        number(each.memory.allocations if each.memory else None, ",d"),
        kilobytes(each.peak_rss_bytes),
        number(each.growth.exponent if each.growth else None, ".2f"),
    )


def number(value: float | None, form: str) -> str:
    return "–" if value is None else format(value, form)


def kilobytes(count: int | None) -> str:
    return "–" if count is None else f"{count / 1e3:,.0f} kB"


def duration(seconds: float | None) -> str:
    """With a unit in which there are a few."""
    if seconds is None:
        return "–"
    for unit, length in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= length:
            return f"{seconds / length:.1f} {unit}"
    return f"{seconds * 1e6:.1f} µs"
