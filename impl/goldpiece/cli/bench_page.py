"""`--html` of the commands that measure: a page about what they found."""

from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from goldpiece.cli.github import add_to_summary, tell_github_that
from goldpiece.cli.output import console, make_sure_it_can_be_written
from goldpiece.errors import UsageError
from goldpiece.suite.benchmarks.comparison import Comparison
from goldpiece.suite.benchmarks.gates import Judgment
from goldpiece.suite.benchmarks.page.of_comparison import page_of_comparison
from goldpiece.suite.benchmarks.page.of_run import page_of_run
from goldpiece.suite.benchmarks.page.summary import markdown
from goldpiece.suite.benchmarks.page.view import Page
from goldpiece.suite.benchmarks.record import Run, read_run

NEEDED = ("matplotlib", "jinja2")


def make_sure_it_can_be_drawn(path: Path | None) -> None:
    """Before the work that the page is about, and not after. Raises UsageError."""
    if not path:
        return
    if missing := [name for name in NEEDED if find_spec(name) is None]:
        raise UsageError(
            f"--html {path} needs {' and '.join(missing)}, not installed here: run `pip install {' '.join(missing)}`, "
            "or install goldpiece with its extra `plot`"
        )
    make_sure_it_can_be_written("--html", path)


def earlier_runs(folder: Path | None) -> list[Run]:
    """The saved runs of a folder, the oldest first. Raises UsageError, and FileError where a file is no saved run."""
    if not folder:
        return []
    if not folder.is_dir():
        raise UsageError(f"--history {folder} is no folder: name one that holds saved runs")
    return sorted(map(read_run, sorted(folder.glob("*.json"))), key=lambda run: run.date)


def write_page_of_run(path: Path, run: Run, earlier: Sequence[Run]) -> None:
    """The page about a run."""
    _write(path, page_of_run(run, earlier))


def write_page_of_comparison(path: Path, found: Comparison, judgment: Judgment, earlier: Sequence[Run]) -> None:
    """The page about a comparison."""
    _write(path, page_of_comparison(found, judgment, earlier))


def _write(path: Path, page: Page) -> None:
    drawing = import_module("goldpiece.suite.benchmarks.page.page")  # by way of Matplotlib, which takes long
    path.write_text(drawing.render(page), encoding="utf-8")
    console.print(f"{path}: the page about it", style="dim")


def tell_github_of(found: Comparison, judgment: Judgment) -> None:
    """Adds the verdicts to the summary of the job, and annotates each gate that fails, where GitHub runs it."""
    add_to_summary(list(markdown(page_of_comparison(found, judgment, ()))))
    for row, names in judgment.failed:
        tell_github_that(f"{row.workload} fails", list(names))
