"""What a page and the summary of a job say of a comparison."""

from dataclasses import replace
from pathlib import Path

import pytest

from goldpiece.cli.bench_page import tell_github_of
from goldpiece.suite.benchmarks.comparing import compare_saved
from goldpiece.suite.benchmarks.comparison import Comparison
from goldpiece.suite.benchmarks.gates import Gates, judge
from goldpiece.suite.benchmarks.page.of_comparison import page_of_comparison
from goldpiece.suite.benchmarks.page.summary import markdown
from goldpiece.suite.benchmarks.page.view import Tone
from goldpiece.suite.benchmarks.record import NotMeasured
from goldpiece.suite.benchmarks.standings import Between
from goldpiece.suite.benchmarks.verdict import Ratio

from .made_up_runs import measured, run

GATES = Gates.read("slower:1.10,memory:1.05")
ONCE = [1e-3 + 1e-5 * (number % 5) for number in range(20)]
A = run(
    measured(ONCE),
    measured(ONCE, workload="bpe/words"),
    measured(ONCE, workload="decoder/sentences"),
    measured([1e-3 * (1 + number % 7) for number in range(20)], workload="bpe/scripts"),
)
B = replace(
    run(
        measured([1.15 * each for each in ONCE]),
        measured(ONCE, 480_000, workload="bpe/words"),
        measured([1e-3 * (1 + number % 5) for number in range(20)], workload="bpe/scripts"),
        not_measured=[NotMeasured("decoder/sentences", "reference", "reference is wrong")],
    ),
    version="0.2.0",
)


@pytest.fixture(scope="module")
def found() -> Comparison:
    return compare_saved(A, B)


def test_what_was_planted_is_named(found: Comparison) -> None:
    page = page_of_comparison(found, judge(found, GATES), ())
    assert page.title == "Benchmarks: Goldpiece 0.2.0 against Goldpiece 0.1.0"
    assert page.lead == "1 slower, 1 no change, 1 can't tell, 1 missing, 1 with more memory. 3 fail the gates"
    rows = {row.workload: row for row in page.rows}
    slower, hungrier = rows["wordpiece/words"], rows["bpe/words"]
    assert (slower.time.words, slower.time.tone, slower.time.reason) == ("slower", Tone.WORSE, "fails slower:1.10")
    assert slower.time.interval
    assert slower.time.interval.low <= 1.15 <= slower.time.interval.high
    assert (hungrier.time.tone, hungrier.memory.words, hungrier.peaks) == (Tone.SAME, "more", (400_000, 480_000))
    assert hungrier.memory.interval == Between(1.2, 1.2, 1.2)
    assert "more rounds" in rows["bpe/scripts"].time.reason
    assert "reference is wrong" in rows["decoder/sentences"].time.reason
    assert {detail.workload: len(detail.sides) for detail in page.details}["decoder/sentences"] == 1


def test_the_noise_is_shown(found: Comparison) -> None:
    noise = Ratio(1.0, 0.97, 1.02)
    rows = [replace(row, said=replace(row.said, noise=noise) if row.said else None) for row in found.rows]
    page = page_of_comparison(replace(found, rows=tuple(rows)), judge(found, Gates()), ())
    assert page.noise == "Of 3 workloads, 3 surely show none; all intervals lie within 0.97 and 1.02."
    assert page.rows[0].noise == Between(1.0, 0.97, 1.02)
    assert page.lead.endswith("1 with more memory")  # without gates nothing passes one


def test_the_summary_of_a_job(found: Comparison, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    tell_github_of(found, judge(found, GATES))
    lines = (tmp_path / "summary.md").read_text(encoding="utf-8").splitlines()
    table = {line.split(" | ")[0]: line for line in lines if line.startswith("| ")}
    assert table["| wordpiece/words"].startswith("| wordpiece/words | ✗ slower | 1.150 [")
    assert "| ✗ more | 1.200 | fails memory:1.05 |" in table["| bpe/words"]
    assert "- B: Goldpiece 0.2.0" in lines
    quiet = run(*A.measured[:3])
    same = compare_saved(quiet, quiet)
    said = list(markdown(page_of_comparison(same, judge(same, GATES), ())))
    assert "3 more: no change." in said
    assert "3 no change. The gates pass" in said
