"""What was measured, for a person to read."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from goldpiece.suite.benchmarks.comparison import Comparison, Row
from goldpiece.suite.benchmarks.gates import Judgment
from goldpiece.suite.benchmarks.memory import RSS_TOLERANCE, TOLERANCE, MemoryVerdict
from goldpiece.suite.benchmarks.record import Measured, Run
from goldpiece.suite.benchmarks.verdict import (
    CONFIDENCE,
    FEWEST_PAIRS,
    LARGEST_EFFECT,
    MINIMUM_EFFECT,
    MOST_PAIRS,
    Ratio,
    Verdict,
)

COLUMNS = ("workload", "subject", "MB/s", "tokens/s", "p50", "p99", "memory", "allocations", "RSS", "growth")

COMPARED = (
    "workload",
    "subject",
    "verdict",
    "processor time",
    "on the wall",
    "A against A",
    "counts from",
    "rounds",
    "peak",
    "RSS",
    "memory",
)
NOTES = (
    f"processor time, which is judged, and time on the wall: B over A, in brackets where it is with {CONFIDENCE:.0%}.",
    "A against A: the noise of this machine, in the first rounds. counts from: what is a difference, and what no "
    f"change is less than: {MINIMUM_EFFECT:.0%}, or as far as A against A reaches, up to {LARGEST_EFFECT:.0%}.",
    f"slower, faster: found twice. The ratio is that of {FEWEST_PAIRS} or more rounds that came after the first time.",
    f"peak: of what is allocated in a pass, which is judged beyond {TOLERANCE:.0%}; RSS: of the whole process, beyond "
    f"{RSS_TOLERANCE:.0%}.",
)
STYLES: Mapping[Verdict, str] = {
    Verdict.SLOWER: "red",
    Verdict.FASTER: "green",
    Verdict.NO_CHANGE: "",
    Verdict.CANNOT_TELL: "yellow",
}


def account_of_run(run: Run) -> Iterator[tuple[str, str]]:
    """Lines of text, each with a style."""
    yield f"{run.side} {run.version}, {run.machine.cpu}, {run.machine.python}", "bold"
    if run.measured:
        yield from aligned([COLUMNS, *(_cells(each) for each in run.measured)], 2)
    for each in run.not_measured:
        line = f"not measured: {each.workload} of {each.subject}: {each.reason}"
        yield line, "red" if each.is_fault else "yellow"


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


def account_of_comparison(found: Comparison, judgment: Judgment) -> Iterator[tuple[str, str]]:
    """A table of verdicts, what there is to say of some, and what the gates make of it."""
    for side, party in (("A", found.a), ("B", found.b)):
        yield f"{side}  {party.side} {party.version}, {party.machine.python} on {party.machine.cpu}", "bold"
    for note in found.notes:
        yield f"note: {note}", "yellow"
    rows = [row for row in found.rows if row.verdict is not Verdict.MISSING]
    if rows:
        lines = aligned([COMPARED, *map(_compared, rows)], 3)
        yield next(lines)
        for row, (line, _) in zip(rows, lines, strict=True):
            yield line, STYLES[row.verdict]
        yield from ((note, "dim") for note in NOTES)
    for row in found.rows:
        if row.verdict is Verdict.MISSING:
            yield f"missing: {_name(row)}: {row.missing}", "red"
        elif row.verdict is Verdict.CANNOT_TELL:
            yield f"can't tell: {_name(row)}: {row.reason or patience(row)}", "yellow"
    yield from _of_gates(judgment)
    yield " · ".join(_counted(found.rows)), "bold"


def _counted(rows: Sequence[Row]) -> Iterator[str]:
    """How many there are of each verdict."""
    times, memory = Counter(row.verdict for row in rows), Counter(row.memory.verdict for row in rows)
    yield from (f"{times[verdict]} {verdict}" for verdict in Verdict if times[verdict])
    for verdict in (MemoryVerdict.MORE, MemoryVerdict.LESS):
        if memory[verdict]:
            yield f"{memory[verdict]} with {verdict} memory"


def patience(row: Row) -> str:
    """How many more rounds it would take."""
    needed = row.rounds_needed
    return (
        f"it would take {needed - row.rounds} more rounds" if needed else f"more than {MOST_PAIRS} rounds would not do"
    )


def _of_gates(judgment: Judgment) -> Iterator[tuple[str, str]]:
    for row, names in judgment.failed:
        ratio = f"{_interval(row.said.ratio)} times as long, " if row.said else ""
        memory = f"{row.memory.worst:.2f} times as much memory" if row.memory.worst > 1 else "no more memory"
        yield f"✗ {', '.join(names)}: {_name(row)}: {ratio}{row.missing or memory}", "red"
    for row, why in judgment.refused:
        yield f"? no gate judges {_name(row)}: {why}", "yellow"


def _name(row: Row) -> str:
    return f"{row.workload} of {_subjects(row)}"


def _subjects(row: Row) -> str:
    return row.subject_a if row.subject_a == row.subject_b else f"{row.subject_a} and {row.subject_b}"


def _compared(row: Row) -> tuple[str, ...]:
    memory, said = row.memory, row.said
    return (
        row.workload,
        _subjects(row),
        row.verdict.value,
        _interval(said.ratio if said else None),
        _interval(said.wall if said else None),
        _interval(said.noise if said else None),
        number(said.effect if said else None, ".0%"),
        str(row.rounds),
        number(memory.ratio, ".3f"),
        number(memory.rss_ratio, ".2f"),
        memory.verdict.value,
    )


def _interval(ratio: Ratio | None) -> str:
    return "–" if ratio is None else f"{ratio.estimate:.2f} ({ratio.low:.2f}-{ratio.high:.2f})"
