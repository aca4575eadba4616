"""The verdicts of benchmarks: what noise may not be taken for, what a difference has to be found as, and what gates do.

Noise is simulated here, from fixed seeds; test_bench_compare.py plants differences into code that runs.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from goldpiece.errors import FileError, GoldpieceError, UsageError
from goldpiece.suite.benchmarks.account import account_of_comparison
from goldpiece.suite.benchmarks.comparing import compare_saved, matched
from goldpiece.suite.benchmarks.comparison import Comparison, Party, Row
from goldpiece.suite.benchmarks.gates import Gates, judge, judged_to_json
from goldpiece.suite.benchmarks.machine import Machine
from goldpiece.suite.benchmarks.memory import MemoryChange, MemoryVerdict
from goldpiece.suite.benchmarks.record import (
    Growth,
    Measured,
    Memory,
    NotMeasured,
    Run,
    Sample,
    Site,
    read_run,
    undisturbed,
    write_run,
)
from goldpiece.suite.benchmarks.verdict import (
    CONFIDENCE,
    FEWEST_PAIRS,
    LARGEST_EFFECT,
    MINIMUM_EFFECT,
    MOST_PAIRS,
    Ratio,
    Verdict,
    Verdicts,
    ratio_of_pairs,
    ratio_of_runs,
)

MACHINE = Machine("a processor", 2, "Linux x86_64", "CPython 3.11.7", {"numpy": "2.0.0"})
SAME, SLOWER = Ratio(1.0, 0.98, 1.02), Ratio(1.15, 1.12, 1.18)


def simulated(seed: int, pairs: int, noise: float, factor: float = 1.0) -> tuple[list[float], list[float]]:
    """Seconds of both sides: with heavy tails, as those of a machine that does other things as well."""
    logs = np.random.default_rng(seed).standard_t(3, (2, pairs)) * noise
    return np.exp(logs[0]).tolist(), (factor * np.exp(logs[1])).tolist()


# Ratios.


def test_noise_is_no_difference() -> None:
    found = [ratio_of_pairs(*simulated(seed, 20, 0.015)).verdict() for seed in range(100)]
    assert found.count(Verdict.NO_CHANGE) >= 95
    assert not {Verdict.SLOWER, Verdict.FASTER} & set(found)


def test_a_difference_is_found() -> None:
    for factor, verdict in ((1.15, Verdict.SLOWER), (1 / 1.15, Verdict.FASTER)):
        found = [ratio_of_pairs(*simulated(seed, 20, 0.03, factor)).verdict() for seed in range(50)]
        assert found.count(verdict) >= 49


@pytest.mark.parametrize("pairs", [FEWEST_PAIRS, 9, 12, 24])
def test_the_interval_holds_the_true_ratio_as_often_as_it_says(pairs: int) -> None:
    """Also where some processes take much longer than others. Four standard deviations are left to chance."""
    trials = 400
    draws = np.random.default_rng(pairs)
    wild = np.where(draws.random((trials, pairs)) < 0.15, 15, 1)
    logs = draws.standard_normal((trials, pairs)) * 0.02 * wild
    found = [ratio_of_pairs([1.0] * pairs, (1.3 * np.exp(each)).tolist()) for each in logs]
    missed = sum(not each.low <= 1.3 <= each.high for each in found)
    assert missed <= trials * (1 - CONFIDENCE) + 4 * (trials * (1 - CONFIDENCE)) ** 0.5


def test_the_interval_between_runs_holds_the_true_ratio() -> None:
    runs = [ratio_of_runs(*simulated(seed, 20, 0.05, 1.3)) for seed in range(150)]
    assert sum(each.low <= 1.3 <= each.high for each in runs) >= 145


def test_what_interferes_with_half_of_the_measurements_does_not_count() -> None:
    assert undisturbed([1.0, 9.0, 1.2, 8.0, 7.0]) == pytest.approx((1.0 + 1.2 + 7.0) / 3)
    assert undisturbed([1.0, 9.0, 1.2, 8.0]) == pytest.approx(1.1)
    assert undisturbed([3.0]) == 3.0


def test_a_machine_that_changes_its_pace_changes_no_ratio() -> None:
    pace = [1.0, 1.0, 2.0, 3.0, 3.0, 1.5, 1.0, 2.0]
    a, b = simulated(0, 8, 0.001)
    steady = ratio_of_pairs(a, b)
    found = ratio_of_pairs([x * p for x, p in zip(a, pace, strict=True)], [x * p for x, p in zip(b, pace, strict=True)])
    assert found.estimate == pytest.approx(steady.estimate)
    assert found.verdict() is Verdict.NO_CHANGE


@pytest.mark.parametrize(
    ("ratio", "verdict"),
    [
        (Ratio(1.06, 1.01, 1.2), Verdict.SLOWER),
        (Ratio(0.9, 0.8, 0.99), Verdict.FASTER),
        (Ratio(1.03, 1.02, 1.04), Verdict.NO_CHANGE),  # surely slower, and surely by less than is spoken of
        (Ratio(1.0, 0.96, 1.049), Verdict.NO_CHANGE),
        (Ratio(1.0, 0.9, 1.02), Verdict.CANNOT_TELL),
        (Ratio(1.2, 0.99, 1.5), Verdict.CANNOT_TELL),
        (Ratio(1.04, 1.01, 1.07), Verdict.CANNOT_TELL),
    ],
)
def test_what_an_interval_says(ratio: Ratio, verdict: Verdict) -> None:
    assert ratio.verdict() is verdict


def test_it_tells_how_many_more_it_would_take() -> None:
    for seed in (2, 4, 6, 8, 9, 11):  # whose first eight pairs do not tell
        few = ratio_of_pairs(*simulated(seed, 8, 0.05, 1.15))
        assert few.verdict() is Verdict.CANNOT_TELL
        needed = few.pairs_needed(8)
        assert needed
        assert 8 < needed < 100
        assert ratio_of_pairs(*simulated(seed, 2 * needed, 0.05, 1.15)).verdict() is Verdict.SLOWER
    assert Ratio(1.0, 1 / 1.1, 1.1).pairs_needed(10) == 39  # (log 1.1 / log 1.05)² times as many
    assert Ratio(1.0499, 0.5, 2.0).pairs_needed(10) is None, MOST_PAIRS


@pytest.mark.parametrize(
    ("noise", "effect"),
    [
        (Ratio(1.0, 0.98, 1.02), MINIMUM_EFFECT),
        (Ratio(1.0, 0.98, 1.08), 0.08),
        (Ratio(1.0, 1 / 1.07, 1.06), 0.07),
        (Ratio(1.0, 0.5, 2.0), LARGEST_EFFECT),
        (None, MINIMUM_EFFECT),
    ],
)
def test_what_noise_reaches_is_no_effect(noise: Ratio | None, effect: float) -> None:
    said = Verdicts(Ratio(1.0, 0.96, 1.06), noise=noise)
    assert said.effect == pytest.approx(effect)
    assert said.verdict is (Verdict.NO_CHANGE if effect > 0.06 else Verdict.CANNOT_TELL)
    assert Verdicts(Ratio(1.15, 1.02, 1.3), noise=noise).verdict is Verdict.SLOWER


# Memory.


@pytest.mark.parametrize(
    ("peaks", "verdict", "worst"),
    [
        ((1_000_000, 1_200_000, 50_000_000, 50_200_000), MemoryVerdict.MORE, 1.2),
        ((1_000_000, 1_010_000, 50_000_000, 50_200_000), MemoryVerdict.NO_CHANGE, 1.0),
        ((1_000_000, 800_000, 50_000_000, 50_000_000), MemoryVerdict.LESS, 1.0),
        ((1_000_000, 800_000, 50_000_000, 60_000_000), MemoryVerdict.MORE, 1.2),  # a table that is read once
        ((1_000, 2_000, 50_000_000, 50_000_000), MemoryVerdict.NO_CHANGE, 1.0),  # a kilobyte
        ((None, None, 50_000_000, 50_000_000), MemoryVerdict.NO_CHANGE, 1.0),
        ((None, None, None, None), MemoryVerdict.NOT_MEASURED, 1.0),
    ],
)
def test_memory(peaks: tuple[int | None, ...], verdict: MemoryVerdict, worst: float) -> None:
    found = MemoryChange(*peaks)
    assert found.verdict is verdict
    assert found.worst == pytest.approx(worst)


# Gates.


def measured(name: str, seconds: Sequence[float] = (1.0,) * 8, peak: int = 1_000_000) -> Measured:
    samples = tuple(Sample(each, each, 3, 0.5, 1e-6, 2e-6) for each in seconds)
    memory = Memory(peak, 10, (Site("module.py:1 function", peak, 10),), ((0.0, 0), (0.1, peak)))
    return Measured(
        name, "reference", 2, 10, 3, "d", samples, 50_000_000, memory, None, Growth((1, 2, 4), (1, 2, 4), 1.0)
    )


def row(
    name: str = "c/w",
    ratio: Ratio | None = SAME,
    peak: int = 1_000_000,
    *,
    wall: Ratio | None = None,
    noise: Ratio = SAME,
    again: MemoryChange | None = None,
) -> Row:
    a, b = measured(name), measured(name, peak=peak)
    said = Verdicts(ratio, wall or ratio, noise) if ratio else None
    return Row(name, "reference", "reference", a, b, said, again)


def comparison(*rows: Row) -> Comparison:
    party = Party("HEAD", "abc", MACHINE)
    return Comparison(party, party, "2026-11-30T12:00:00+00:00", "interleaved", (), "quick", None, None, rows)


def judged(gates: str, *rows: Row) -> tuple[int, str]:
    """The exit code, and what is told."""
    judgment = judge(comparison(*rows), Gates.read(gates))
    lines = [line for line, _ in account_of_comparison(comparison(*rows), judgment)]
    values = judged_to_json(comparison(*rows), judgment)
    assert json.loads(json.dumps(values))["exit"] == judgment.exit_code
    assert [each["workload"] for each in values["rows"] if each["failed"]] == [
        row.workload for row, _ in judgment.failed
    ]
    return judgment.exit_code, "\n".join(lines)


def test_nothing_changed() -> None:
    code, told = judged("slower:1.10,memory:1.05", row())
    assert code == 0
    assert told.endswith("1 no change")


def test_what_is_slower_fails_and_is_named() -> None:
    code, told = judged("slower:1.10", row("c/quiet"), row("c/slow", SLOWER))
    assert code == 1
    assert "✗ slower:1.10: c/slow of reference: 1.15 (1.12-1.18) times as long" in told
    assert judged("slower:1.20", row("c/slow", SLOWER))[0] == 0
    assert judged("memory:1.05", row("c/slow", SLOWER))[0] == 0


def test_more_memory_fails_and_is_named() -> None:
    code, told = judged("memory:1.05", row("c/hungry", peak=1_200_000), row("c/quiet", peak=1_010_000))
    assert code == 1
    assert "✗ memory:1.05: c/hungry of reference: 1.00 (0.98-1.02) times as long, 1.20 times as much memory" in told
    assert "c/quiet of" not in told.partition("✗")[2]
    assert told.endswith("2 no change · 1 with more memory")


def test_what_is_missing_never_passes() -> None:
    gone = replace(row("c/gone", None), b=None, missing="B has no such workload")
    for gates in ("slower:1.10", "memory:1.05"):
        code, told = judged(gates, row(), gone)
        assert code == 1
        assert "missing: c/gone of reference: B has no such workload" in told
    assert gone.verdict is Verdict.MISSING
    assert judge(comparison(row(), gone), Gates()).exit_code == 0  # without gates it is told, and no more
    assert judge(comparison(gone), Gates()).exit_code == 2  # but something has to be compared


def test_a_gate_that_fails_a_against_a_refuses() -> None:
    noisy = row("c/noisy", SLOWER, noise=Ratio(1.2, 1.1, 1.3))
    code, told = judged("slower:1.10", row(), noisy)
    assert code == 2
    assert "? no gate judges c/noisy of reference: A differs from itself: slower, 1.20 (1.10-1.30)" in told
    leaky = row("c/leaky", again=MemoryChange(1_000_000, 1_100_000, None, None))
    assert judged("memory:1.05", leaky)[0] == 2
    assert judged("slower:1.10", leaky)[0] == 0


def test_memory_that_was_not_measured_passes_no_gate() -> None:
    lost = row("c/lost")
    assert lost.b
    lost = replace(lost, b=replace(lost.b, memory=None, no_memory_because="the process ended"))
    code, told = judged("memory:1.05", row(), lost)
    assert code == 2
    assert "? no gate judges c/lost of reference: memory was not measured: the process ended" in told
    assert judged("slower:1.10", lost)[0] == 0


def test_what_cannot_be_told_passes_only_where_it_cannot_be_as_slow() -> None:
    code, told = judged("slower:1.10", row("c/wide", Ratio(1.02, 0.9, 1.15)))
    assert code == 2
    assert "can't tell: c/wide of reference: it would take" in told
    assert "? no gate judges c/wide of reference: it may be 1.15 times as slow" in told
    assert judged("slower:1.20", row("c/wide", Ratio(1.02, 0.9, 1.15)))[0] == 0


def test_waiting_is_no_work_and_is_told() -> None:
    waits = row("c/waits", SAME, wall=Ratio(2.0, 1.8, 2.2))
    assert waits.verdict is Verdict.CANNOT_TELL
    code, told = judged("slower:1.10", waits)
    assert code == 2
    assert "the clock on the wall says slower, and processor time does not" in told
    assert row("c/load", SAME, wall=Ratio(1.1, 0.9, 1.4)).verdict is Verdict.NO_CHANGE


@pytest.mark.parametrize(
    "written", ["slow:1.1", "slower", "slower:x", "slower:1.01", "memory:1", "memory:1.01", "", "slower:nan"]
)
def test_a_gate_that_is_none(written: str) -> None:
    with pytest.raises(UsageError, match=r"write slower:1.10, memory:1.05, or both"):
        Gates.read(written)


# Saved runs.


def run(*found: Measured, machine: Machine = MACHINE, **other: object) -> Run:
    fields: dict[str, object] = {"side": ".", "version": "0.1.0", "date": "2026-11-30T12:00:00+00:00", **other}
    return Run(
        machine=machine, depth="quick", corpus=None, vocab=None, measured=found, not_measured=(), **fields  # type: ignore[arg-type]
    )  # fmt: skip


def test_a_run_is_read_as_it_was_written(tmp_path: Path) -> None:
    bare = replace(measured("c/bare"), memory=None, growth=None, no_memory_because="not run: why", peak_rss_bytes=None)
    whole = replace(run(measured("c/w"), bare), not_measured=(NotMeasured("c/wrong", "fast", "fast is wrong"),))
    write_run(tmp_path / "run.json", whole)
    assert read_run(tmp_path / "run.json") == whole


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"goldpiece_bench": 2, "kind": "run"}', '{"schema": 1}'])
def test_a_file_that_is_no_run(tmp_path: Path, content: str) -> None:
    (tmp_path / "run.json").write_text(content, encoding="utf-8")
    with pytest.raises(FileError, match=r"bench run --json|no JSON"):
        read_run(tmp_path / "run.json")


def test_runs_of_one_machine_are_compared_by_their_times() -> None:
    steady = measured("c/w", [1.0, 1.01, 0.99, 1.0, 1.0, 1.01, 0.99, 1.0])
    slow = measured("c/w", [1.2, 1.21, 1.19, 1.2, 1.2, 1.21, 1.19, 1.2])
    found = compare_saved(run(steady), run(slow))
    assert (found.method, found.rows[0].verdict) == ("saved", Verdict.SLOWER)
    assert "of different times" in found.notes[0]
    assert compare_saved(run(steady), run(steady)).rows[0].verdict is Verdict.NO_CHANGE


def test_runs_of_two_machines_are_compared_by_the_calibration_alone() -> None:
    """The other machine takes twice as long for everything, and that is no change."""
    steady = measured("c/w", [1.0, 1.01, 0.99, 1.0, 1.0, 1.01, 0.99, 1.0])
    samples = [replace(each, cpu_s=2 * each.cpu_s, calibration_s=2 * each.calibration_s) for each in steady.samples]
    found = compare_saved(
        run(steady), run(replace(steady, samples=tuple(samples)), machine=replace(MACHINE, cpu="old"))
    )
    assert found.method == "calibrated"
    assert "ratios to a calibration alone" in found.notes[0]
    said = found.rows[0].said
    assert said
    assert (said.verdict, said.wall) == (Verdict.NO_CHANGE, None)


def test_what_saved_runs_cannot_tell() -> None:
    one = run(measured("c/few", [1.0] * 3), measured("c/other"), measured("c/alone"))
    two = run(measured("c/few", [2.0] * 3), replace(measured("c/other"), digest="e"))
    rows = {row.workload: row for row in compare_saved(one, two).rows}
    assert rows["c/few"].verdict is Verdict.CANNOT_TELL
    assert "3 measurements; there have to be 8" in rows["c/few"].reason
    assert (rows["c/other"].verdict, rows["c/alone"].verdict) == (Verdict.MISSING, Verdict.MISSING)
    with pytest.raises(GoldpieceError, match="nothing is compared"):
        compare_saved(one, run(measured("d/w")))


def test_what_belongs_together() -> None:
    ours = [("w", "reference"), ("w", "fast"), ("v", "reference")]
    assert matched(ours, ours[:2]) == ([(key, key) for key in ours[:2]], [ours[2]], [])
    theirs = [("w", "tokenizers"), ("x", "tokenizers")]
    pairs, alone, other = matched(ours, theirs)
    assert pairs == [(ours[0], theirs[0]), (ours[1], theirs[0])]
    assert (alone, other) == ([ours[2]], [theirs[1]])
