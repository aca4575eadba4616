"""Subjects side by side: what is told of them, and what is left out."""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest
import typer

from goldpiece.cli import bench_one_side, bench_peers
from goldpiece.suite.benchmarks.measuring import Plan, Side, Watcher
from goldpiece.suite.benchmarks.record import NotMeasured, Run, read_run, write_run
from goldpiece.suite.benchmarks.standings import Between, account_of_standings, not_run, standings

from .made_up_runs import measured, run

WRONG = NotMeasured(
    "bpe/words", "tokenizers", "tokenizers is wrong in 'bpe/words', and is not measured\n  input  \"a\""
)
LACKING = [NotMeasured(name, "transformers", "not run: transformers is not installed") for name in ("a/b", "a/c")]
RUN = run(
    measured((4e-3, 2e-3, 3e-3)),
    measured((1e-3, 1e-3, 1e-3), subject="fast"),
    measured(workload="bpe/words"),
    not_measured=[WRONG, *LACKING, NotMeasured("tokenizer/bert", "reference", "not run: no file")],
)


def test_a_speed_is_that_of_processes_that_measured_both() -> None:
    found = standings(RUN)
    assert [(each.workload, each.subject, each.is_equal, each.speed) for each in found] == [
        ("wordpiece/words", "reference", True, None),
        ("wordpiece/words", "fast", True, Between(3.0, 2.0, 4.0)),
        ("bpe/words", "reference", True, None),
        ("bpe/words", "tokenizers", False, None),
    ]


def test_what_is_not_there_is_said_once() -> None:
    assert list(not_run(RUN)) == [
        "2 workloads: not run: transformers is not installed",
        "tokenizer/bert: not run: no file",
    ]


def test_the_account_tells_what_is_wrong() -> None:
    lines = [line for line, _ in account_of_standings(RUN)]
    cells = [line.split() for line in lines if " yes " in line or " no " in line]
    assert cells[1] == ["wordpiece/words", "fast", "yes", "100,000", "500.0", "µs", "400", "kB", "3.00", "(2.00-4.00)"]
    assert cells[3] == ["bpe/words", "tokenizers", "no", "–", "–", "–", "–"]
    assert any(line.startswith("bpe/words: tokenizers is wrong in") for line in lines)


def test_one_command_measures_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """All subjects, ours first; a wrong output is a fault, and what is not there is none."""
    asked: list[tuple[str, ...]] = []

    def measure(side: Side, plan: Plan, rounds: int, watcher: Watcher) -> Run:
        watcher.begins(rounds)
        asked.append((*side.subjects, *plan.parts))
        return RUN if "bpe" in plan.parts else run(measured(), not_measured=LACKING)

    monkeypatch.setattr(bench_one_side, "measured_run", measure)
    assert exit_code(bench_peers.peers, parts=["bpe"], json_file=tmp_path / "out.json") == 1
    assert "wordpiece/words  fast" in capfd.readouterr().out
    assert exit_code(bench_peers.peers, subjects=["tokenizers"]) == 0
    assert asked[0][:2] == ("reference", "fast")
    assert asked[0][-1] == "bpe"
    assert {"tokenizers", "transformers"} < {*asked[0]}
    assert asked[1] == ("reference", "tokenizers")
    assert read_run(tmp_path / "out.json") == RUN


def exit_code(command: Callable[..., None], **options: object) -> int:
    try:
        command(**options)
    except typer.Exit as ended:
        return int(ended.exit_code)
    return 0


def test_a_page_needs_what_draws_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = import_module("goldpiece.cli.bench_page")
    monkeypatch.setattr(module, "NEEDED", ("json", "no_such_package"))
    with pytest.raises(module.UsageError, match="needs no_such_package, not installed here"):
        module.make_sure_it_can_be_drawn(tmp_path / "x.html")
    with pytest.raises(module.UsageError, match="--history nowhere is no folder"):
        module.earlier_runs(Path("nowhere"))


def test_saved_runs_are_a_history(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="not run: matplotlib is not installed; it is in the extra `plot`")
    page = import_module("goldpiece.cli.bench_page")
    of_run = import_module("goldpiece.suite.benchmarks.page.of_run")
    write_run(tmp_path / "2.json", run(measured((2e-3,)), date="2026-11-02T00:00:00+00:00"))
    write_run(tmp_path / "1.json", run(measured((1e-3,)), date="2026-11-03T00:00:00+00:00"))
    write_run(tmp_path / "0.json", run(measured((7e-3,), digest="of other inputs"), date="2026-11-01T00:00:00+00:00"))
    found = of_run.page_of_run(run(measured((3e-3,)), not_measured=[WRONG]), page.earlier_runs(tmp_path))
    (detail,) = found.details
    assert [(moment.run, moment.times.ratio) for moment in detail.history["reference"]] == [
        ("2026-11-02", 1.0),
        ("2026-11-03", 0.5),
        ("2026-11-30", pytest.approx(1.5)),
    ]
    assert detail.says == "Words of sentences as they come."
    assert found.lead == "1 wrong, and not measured"
