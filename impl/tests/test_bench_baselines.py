"""Baselines: what a change of the code may not do unseen."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import typer

from goldpiece.cli import bench_baselines
from goldpiece.errors import FileError, UsageError
from goldpiece.suite.benchmarks.baselines import Baseline, baselines_of, folder, read_baselines, write_baselines
from goldpiece.suite.benchmarks.confirming import AGAIN, confirmed, joined
from goldpiece.suite.benchmarks.record import NotMeasured, Run, write_run
from goldpiece.suite.benchmarks.verifying import Kind, differences, updated
from goldpiece.suite.loader import load_specs

from .made_up_runs import grown, measured, run

RUN_TIMES = (4e-3, 4e-3)
RUN = run(measured(RUN_TIMES), measured((1e-3, 1e-3), subject="fast"), measured((0.5e-3, 1e-3), subject="tokenizers"))
RECORDED = baselines_of(RUN)
REFERENCE, FAST = RECORDED


def test_what_is_recorded_holds_elsewhere() -> None:
    assert [each.key for each in RECORDED] == [("wordpiece/words", "reference"), ("wordpiece/words", "fast")]
    assert (REFERENCE.peak_bytes, REFERENCE.exponent, REFERENCE.python) == (400_000, 1.01, "CPython 3.11.7")
    assert REFERENCE.times_as_fast == {"tokenizers": 0.188}
    assert FAST.times_as_fast == {"reference": 4.0, "tokenizers": 0.75}


def kinds(now: Baseline, was: Baseline = FAST) -> list[tuple[Kind, str]]:
    return [(each.kind, each.what) for each in differences([was], [now])]


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({}, []),
        ({"peak_bytes": 415_000}, []),
        ({"peak_bytes": 480_000}, [(Kind.WORSE, "memory")]),
        ({"peak_bytes": 300_000}, [(Kind.BETTER, "memory")]),
        ({"exponent": 1.2}, []),
        ({"exponent": 1.9}, [(Kind.WORSE, "growth")]),
        ({"exponent": 0.2}, []),
        ({"exponent": None}, [(Kind.NEW, "growth")]),
        ({"times_as_fast": {"reference": 2.1, "tokenizers": 0.75}}, []),
        ({"times_as_fast": {"reference": 1.9, "tokenizers": 0.75}}, [(Kind.WORSE, "times as fast as reference")]),
        ({"times_as_fast": {"reference": 8.1, "tokenizers": 0.75}}, [(Kind.BETTER, "times as fast as reference")]),
        (
            {"times_as_fast": {"reference": 4.0}},
            [(Kind.NOT_COMPARED, "times as fast as tokenizers, which was not measured")],
        ),
        ({"digest": "other"}, [(Kind.NEW, "inputs")]),
        ({"digest": "other", "python": "CPython 3.12.1"}, []),
        (
            {"peak_bytes": 900_000, "python": "CPython 3.12.1"},
            [(Kind.NOT_COMPARED, "memory: it was recorded with CPython 3.11.7")],
        ),
    ],
)
def test_a_difference_is_named(changed: dict[str, object], expected: list[tuple[Kind, str]]) -> None:
    assert kinds(replace(FAST, **changed)) == expected  # type: ignore[arg-type]


def test_less_than_linear_is_no_growth() -> None:
    """Where each call costs less whatever its input, the rest of it shows more: that is no fault."""
    flat = replace(FAST, exponent=0.1)
    assert kinds(replace(FAST, exponent=0.9), flat) == []
    assert kinds(replace(FAST, exponent=1.3), flat) == [(Kind.WORSE, "growth")]
    assert kinds(flat, replace(FAST, exponent=1.3)) == [(Kind.BETTER, "growth")]


def test_what_is_new_or_gone_is_a_fault() -> None:
    assert [each.kind for each in differences([], [FAST])] == [Kind.NEW]
    assert [each.kind for each in differences([FAST], [])] == [Kind.GONE]
    assert [kind for kind in Kind if not kind.is_fault] == [Kind.BETTER, Kind.NOT_COMPARED]


def test_an_update_moves_nothing_that_holds() -> None:
    same = replace(REFERENCE, peak_bytes=410_000)
    worse = replace(FAST, peak_bytes=900_000, times_as_fast={"reference": 4.1})
    found = differences(RECORDED, [same, worse])
    assert updated(RECORDED, [same, worse], found) == [
        REFERENCE,
        replace(FAST, peak_bytes=900_000, times_as_fast={"reference": 4.1, "tokenizers": 0.75}),
    ]
    assert updated(RECORDED, [same], differences(RECORDED, [same])) == [REFERENCE]


def test_files_are_read_as_they_were_written(tmp_path: Path) -> None:
    other = replace(FAST, workload="bpe/words")
    write_baselines(tmp_path, [*RECORDED, other])
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["bpe.json", "wordpiece.json"]
    assert sorted(read_baselines(tmp_path), key=lambda each: each.key) == sorted(
        [*RECORDED, other], key=lambda e: e.key
    )
    write_baselines(tmp_path, RECORDED)
    assert [path.name for path in tmp_path.iterdir()] == ["wordpiece.json"]
    (tmp_path / "wordpiece.json").write_text('{"goldpiece_baselines": 2}', encoding="utf-8")
    with pytest.raises(FileError, match="it is no file of baselines"):
        read_baselines(tmp_path)


@pytest.fixture
def recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the baselines of RUN, in place of the committed ones."""
    place = tmp_path / "baselines"
    write_baselines(place, RECORDED)
    monkeypatch.setattr(bench_baselines, "folder", lambda: place)
    return place


def saved(tmp_path: Path, of: Run) -> Path:
    write_run(tmp_path / "run.json", of)
    return tmp_path / "run.json"


def exit_code(command: Callable[[Path], None], path: Path) -> int:
    try:
        command(path)
    except typer.Exit as ended:
        return int(ended.exit_code)
    return 0


def test_verify_and_update(tmp_path: Path, recorded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    verify, update = bench_baselines.verify, bench_baselines.update
    assert exit_code(verify, saved(tmp_path, RUN)) == 0
    assert capsys.readouterr().out == "2 baselines: all hold; 0 were not asked for\n"
    grew = replace(RUN.measured[1], growth=grown(1.9))
    path = saved(tmp_path, run(RUN.measured[0], grew))
    assert exit_code(verify, path) == 1
    out = capsys.readouterr().out
    assert "worse  wordpiece/words of fast: growth: n^1.01 → n^1.90" in out
    assert "not compared  wordpiece/words of fast: times as fast as tokenizers, which was not measured: 0.75 → –" in out
    with pytest.raises(UsageError, match="no workload of reference or fast with no such part in its name"):
        verify(path, ["no such part"])
    assert exit_code(update, path) == 0
    assert capsys.readouterr().out.endswith("2 baselines: 1 recorded anew\n")
    assert [each.exponent for each in read_baselines(recorded)] == [1.9, 1.01]
    assert exit_code(verify, path) == 0


def runs(*exponents: float) -> list[Run]:
    """Of the workload of RUN with these powers, each in a run of its own."""
    return [run(*RUN.measured[::2], replace(RUN.measured[1], growth=grown(exponent))) for exponent in exponents]


def test_what_one_measurement_finds_is_believed_when_others_find_it_too() -> None:
    asked: list[Sequence[str]] = []

    def confirm(first: Run, *others: Run) -> Run:
        left = list(others)

        def again(workloads: Sequence[str]) -> Run:
            asked.append(workloads)
            return left.pop(0)

        return confirmed(first, RECORDED, again)

    assert confirm(RUN) == RUN
    assert asked == []
    quiet = confirm(*runs(1.9, 1.7, 1.02))
    assert asked == [["wordpiece/words"]] * 2
    assert differences(RECORDED, baselines_of(quiet)) == []
    growth = quiet.measured[2].growth
    assert growth
    assert growth.exponent == pytest.approx(1.02)
    assert [len(each.samples) for each in quiet.measured] == [6, 6, 6]
    asked.clear()
    slower = confirm(*runs(1.9, 1.7, 1.8, 1.9))
    assert len(asked) == AGAIN
    assert [(each.kind, each.now) for each in differences(RECORDED, baselines_of(slower))] == [(Kind.WORSE, "n^1.70")]


def test_memory_is_not_asked_for_twice() -> None:
    more = run(measured(RUN_TIMES, 900_000), *RUN.measured[1:])
    assert confirmed(more, RECORDED, lambda workloads: pytest.fail(f"{workloads} measured again")) == more


def test_times_of_the_first_measurement_that_halved() -> None:
    slow = run(RUN.measured[0], measured((9e-3, 9e-3), subject="fast"), RUN.measured[2])
    assert {each.what for each in differences(RECORDED, baselines_of(slow))} == {
        "times as fast as reference",
        "times as fast as tokenizers",
    }
    assert differences(RECORDED, baselines_of(joined(joined(slow, RUN), RUN))) == []


def test_a_wrong_output_is_recorded_by_nobody(
    tmp_path: Path, recorded: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = read_baselines(recorded)
    wrong = NotMeasured("wordpiece/words", "fast", "fast is wrong")
    path = saved(tmp_path, run(measured((9e-3,), 9_000_000), not_measured=[wrong]))
    assert exit_code(bench_baselines.update, path) == 1
    assert "wordpiece/words of fast: fast is wrong" in capsys.readouterr().out
    assert read_baselines(recorded) == before


def test_a_library_that_is_missing_is_no_fault(tmp_path: Path, recorded: Path) -> None:
    lacking = NotMeasured("wordpiece/words", "fast", "not run: fast is not installed")
    path = saved(tmp_path, run(RUN.measured[0], RUN.measured[2], not_measured=[lacking]))
    assert exit_code(bench_baselines.verify, path) == 0
    assert len(read_baselines(recorded)) == 2


def test_a_run_of_other_inputs_is_refused(tmp_path: Path, recorded: Path) -> None:
    with pytest.raises(UsageError, match="was measured with other inputs"):
        bench_baselines.verify(saved(tmp_path, replace(RUN, corpus="generated")), None)
    assert recorded.is_dir()


def test_baselines_are_of_workloads_that_there_are() -> None:
    declared = {f"{spec.name}/{name}" for spec in load_specs() for name in spec.bench} | {
        "package/check",
        "package/import",
    }
    committed = read_baselines(folder())
    assert {each.workload for each in committed} <= declared
    assert len(committed) > 40
    assert declared - {each.workload for each in committed} == set()
