"""Compares two sides: live ones by turns, saved runs by what they hold."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias

from goldpiece.errors import UsageError
from goldpiece.suite.benchmarks.comparison import OTHERS, Comparison, Party, Row
from goldpiece.suite.benchmarks.machine import Machine
from goldpiece.suite.benchmarks.measuring import Bench, Plan, Side, Watcher, measured_run
from goldpiece.suite.benchmarks.memory import MemoryChange, MemoryVerdict
from goldpiece.suite.benchmarks.record import Measured, Run
from goldpiece.suite.benchmarks.turns import Key, Pair, Series, by_turns
from goldpiece.suite.benchmarks.verdict import FEWEST_PAIRS, Verdicts, ratio_of_runs

LACKS = "{side} has no such workload"
OTHER_TIMES = "the runs are of different times, and what the machine did else is in the ratios: measure both by turns"
OTHER_MACHINE = "the runs are of different machines ({differences}): compared are ratios to a calibration alone"
DIFFERENT = (MemoryVerdict.MORE, MemoryVerdict.LESS)
OTHER_PACKAGES = "{package} is {a} in A and {b} in B"


def matched(a: Iterable[Key], b: Iterable[Key]) -> tuple[list[Pair], list[Key], list[Key]]:
    """What belongs together; and what of A and of B is alone.

    The same subject of both, except where a side has but one, which the other has not: that is compared with all.
    """
    of_a, of_b = list(a), list(b)
    subjects = [{subject for _, subject in keys} for keys in (of_a, of_b)]
    across = min(map(len, subjects)) == 1 and not subjects[0] & subjects[1]
    pairs = [(one, other) for one in of_a for other in of_b if one[0] == other[0] and (across or one[1] == other[1])]
    found_a, found_b = {one for one, _ in pairs}, {other for _, other in pairs}
    return pairs, [key for key in of_a if key not in found_a], [key for key in of_b if key not in found_b]


def compared(a: Side | Run, b: Side | Run, plan: Plan, rounds: int, watcher: Watcher) -> Comparison:
    """Two live sides by turns; where one is a saved run, the other is measured now, at its depth.

    Raises UsageError where they have nothing in common, or the plan has another text or vocabulary than a saved run.
    """
    if isinstance(a, Side) and isinstance(b, Side):
        return compare_live(a, b, plan, rounds, watcher)
    saved = a if isinstance(a, Run) else b
    assert isinstance(saved, Run)
    for name in ("corpus", "vocab"):
        if getattr(plan, name) not in (None, getattr(saved, name)):
            raise UsageError(f"--{name} is not that of the saved run: leave it out")
    plan = replace(plan, depth=saved.depth, corpus=saved.corpus, vocab=saved.vocab)
    runs = [
        _chosen(each, plan) if isinstance(each, Run) else measured_run(each, plan, FEWEST_PAIRS, watcher)
        for each in (a, b)
    ]
    return compare_saved(*runs)


def _chosen(run: Run, plan: Plan) -> Run:
    """What the plan takes of a saved run."""
    measured = tuple(each for each in run.measured if plan.takes(each.workload))
    not_measured = tuple(each for each in run.not_measured if plan.takes(each.workload))
    return replace(run, measured=measured, not_measured=not_measured)


def compare_live(a: Side, b: Side, plan: Plan, rounds: int, watcher: Watcher) -> Comparison:
    """Measures two sides by turns, and A against itself.

    Raises UsageError where they have nothing in common.
    """
    plan = replace(plan, growth=False)  # which no verdict is about
    with TemporaryDirectory(prefix="goldpiece-bench-") as folder:
        folders = [Path(folder) / name for name in ("a", "b")]
        for each in folders:
            each.mkdir()
        bench_a, bench_b = (Bench(side, plan, each) for side, each in zip((a, b), folders, strict=True))
        pairs, alone_a, alone_b = matched(bench_a.entries, bench_b.entries)
        same = [(one, other) for one, other in pairs if bench_a.known(one).digest == bench_b.known(other).digest]
        if not same:
            raise UsageError(f"{a.name} and {b.name} have no workload in common that is measured: nothing is compared")
        rows = _live_rows(bench_a, bench_b, same, rounds, watcher)
        for one, other in pairs:
            if (one, other) not in same:
                sides = bench_a.known(one), bench_b.known(other)
                rows.append(Row(one[0], one[1], other[1], *sides, missing=OTHERS))
        rows += [Row(*key, key[1], bench_a.known(key), None, missing=_why(bench_b, key)) for key in alone_a]
        rows += [Row(*key, key[1], None, bench_b.known(key), missing=_why(bench_a, key)) for key in alone_b]
    return Comparison(
        a=Party(a.name, bench_a.version, bench_a.machine),
        b=Party(b.name, bench_b.version, bench_b.machine),
        date=_now(),
        method="interleaved",
        notes=tuple(_packages(bench_a.machine, bench_b.machine)),
        depth=plan.depth,
        corpus=plan.corpus,
        vocab=plan.vocab,
        rows=tuple(rows),
    )


def _why(bench: Bench, key: Key) -> str:
    """Why a side has no figures of a workload."""
    return bench.not_measured.get(key, LACKS.format(side=bench.side.name))


def _live_rows(a: Bench, b: Bench, pairs: Sequence[Pair], rounds: int, watcher: Watcher) -> list[Row]:
    keys = list(dict.fromkeys(one for one, _ in pairs))
    watcher.begins(len(pairs))
    rows: list[Row] = []
    for group in a.groups(keys):
        wanted = [pair for pair in pairs if pair[0] in group]
        found = by_turns(a, b, wanted, rounds, watcher.step)
        memory = memory_of(a, b, [pair for pair in wanted if not found[pair].missing])
        for pair in wanted:
            of_a, of_b, again = memory.get(pair) or (a.known(pair[0]), b.known(pair[1]), None)
            rows.append(_live_row(found[pair], of_a, of_b, again))
    return rows


def _live_row(series: Series, a: Measured, b: Measured, again: MemoryChange | None) -> Row:
    return Row(
        workload=a.workload,
        subject_a=a.subject,
        subject_b=b.subject,
        a=replace(a, samples=tuple(each.a for each in series.rounds)),
        b=replace(b, samples=tuple(each.b for each in series.rounds)),
        said=series.said,
        again=again,
        missing=series.missing,
    )


Memories: TypeAlias = Mapping[Pair, tuple[Measured, Measured, MemoryChange | None]]


def memory_of(a: Bench, b: Bench, pairs: Sequence[Pair]) -> Memories:
    """What both sides take. Where that differs, it is measured anew, with another seed for the hashes of strings, on A
    to see whether it differs from itself.
    """
    found = _memory_once(a, b, pairs, 1)
    differing = [pair for pair in pairs if MemoryChange.between(*found[pair]).verdict in DIFFERENT]
    anew = _memory_once(a, b, differing, 2)
    return {
        pair: (*anew[pair], MemoryChange.between(found[pair][0], anew[pair][0]))
        if pair in anew
        else (*found[pair], None)
        for pair in pairs
    }


def _memory_once(a: Bench, b: Bench, pairs: Sequence[Pair], hash_seed: int) -> Mapping[Pair, tuple[Measured, Measured]]:
    of_a, of_b = (list(dict.fromkeys(pair[side] for pair in pairs)) for side in (0, 1))
    of_both = [
        {each.key: each for each in (side.rest(keys, growth=False, hash_seed=hash_seed) if keys else [])}
        for side, keys in ((a, of_a), (b, of_b))
    ]
    return {(one, other): (of_both[0][one], of_both[1][other]) for one, other in pairs}


def compare_saved(a: Run, b: Run) -> Comparison:
    """Compares what two runs hold: times, or their ratios to the calibration where the machines differ.

    Raises UsageError where they have nothing in common.
    """
    of_a, of_b = ({each.key: each for each in run.measured} for run in (a, b))
    pairs, alone_a, alone_b = matched(of_a, of_b)
    if not pairs:
        raise UsageError(f"{a.side} and {b.side} have no workload in common that is measured: nothing is compared")
    differences = a.machine.differs_from(b.machine)
    rows = [_saved_row(of_a[one], of_b[other], calibrated=bool(differences)) for one, other in pairs]
    for key in alone_a:
        rows.append(Row(*key, key[1], of_a[key], None, missing=_reason(b, key)))
    for key in alone_b:
        rows.append(Row(*key, key[1], None, of_b[key], missing=_reason(a, key)))
    note = OTHER_MACHINE.format(differences="; ".join(differences)) if differences else OTHER_TIMES
    return Comparison(
        a=Party(a.side, a.version, a.machine),
        b=Party(b.side, b.version, b.machine),
        date=_now(),
        method="calibrated" if differences else "saved",
        notes=(note, *_packages(a.machine, b.machine)),
        depth=a.depth,
        corpus=a.corpus,
        vocab=a.vocab,
        rows=tuple(rows),
    )


def _reason(run: Run, key: Key) -> str:
    """Why a run has no figures of a workload."""
    reasons = {(each.workload, each.subject): each.reason for each in run.not_measured}
    return reasons.get(key, LACKS.format(side=run.side))


def _saved_row(a: Measured, b: Measured, calibrated: bool) -> Row:
    row = Row(a.workload, a.subject, b.subject, a, b, missing="" if a.digest == b.digest else OTHERS)
    if row.missing or row.rounds < FEWEST_PAIRS:
        return row
    if calibrated:
        return replace(row, said=Verdicts(ratio_of_runs(a.calibrations, b.calibrations)))
    cpu, wall = ([[getattr(each, name) for each in side.samples] for side in (a, b)] for name in ("cpu_s", "wall_s"))
    return replace(row, said=Verdicts(ratio_of_runs(*cpu), ratio_of_runs(*wall)))


def _packages(a: Machine, b: Machine) -> list[str]:
    """Libraries that are of another version: what they do differently is part of the ratios."""
    versions: list[Mapping[str, str]] = [a.packages, b.packages]
    names = sorted({*a.packages, *b.packages})
    both = [(name, *(each.get(name, "not installed") for each in versions)) for name in names]
    return [OTHER_PACKAGES.format(package=name, a=one, b=other) for name, one, other in both if one != other]


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
