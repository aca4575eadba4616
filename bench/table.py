"""The table at the end of a run."""

from collections.abc import Sequence

from .figures import Figures, Ratio
from .subjects import IMPORT

COLUMNS = ("workload", "subject", "MB/s", "tokens/s", "p50", "p99", "memory", "× reference")
WORDS = 2  # so many columns hold words, and the others numbers


def table(rows: Sequence[Figures]) -> list[str]:
    """The lines of it. The rows of a workload stand together, and its name is said once."""
    cells = [COLUMNS, *map(_cells, rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines: list[str] = []
    name = ""
    for first, *others in cells:
        shown = ["" if first == name else first, *others]
        name = first
        columns = zip(shown, widths, strict=True)
        padded = [f"{cell:{'<' if place < WORDS else '>'}{width}}" for place, (cell, width) in enumerate(columns)]
        lines.append("  ".join(padded).rstrip())
    return [lines[0], "─" * max(map(len, lines)), *lines[1:]]


def notes(rows: Sequence[Figures]) -> list[str]:
    """What one has to know to read the table."""
    calls = sorted({row.calls for row in rows if row.calls})
    processes = sorted({row.rounds for row in rows if row.workload == IMPORT and row.rounds})
    reasons = sorted({row.no_memory_because for row in rows if row.no_memory_because})
    return [
        "× reference: how many times as fast, round about round; in brackets, where the middle half of the pairs lies.",
        *(f"p50 and p99: the latency of a call, of {count:,} calls." for count in calls),
        *(f"import: the median of {count} fresh processes." for count in processes),
        "memory: the peak of building it and of calling it for each input, beyond what was there before.",
        *(f"memory: {reason}." for reason in reasons),
        "Times are those of this machine at this moment, and mean little elsewhere: compare the ratios.",
    ]


def _cells(row: Figures) -> tuple[str, ...]:
    return (
        row.workload,
        row.subject,
        "–" if not row.mb_per_s else f"{row.mb_per_s:.2f}",
        "–" if row.tokens_per_s is None else f"{row.tokens_per_s:,.0f}",
        _time(row.p50_s),
        _time(row.p99_s),
        "–" if row.peak_memory_bytes is None else f"{row.peak_memory_bytes / 1e3:,.0f} kB",
        _ratio(row.ratio),
    )


def _time(seconds: float | None) -> str:
    if seconds is None:
        return "–"
    for unit, length in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= length:
            return f"{seconds / length:.1f} {unit}"
    return f"{seconds * 1e6:.1f} µs"


def _ratio(ratio: Ratio | None) -> str:
    return "1" if ratio is None else f"{ratio.median:.2f} ({ratio.low:.2f}-{ratio.high:.2f})"
