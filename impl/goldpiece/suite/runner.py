"""Runs a selection of checks under pytest, in which no file, plugin, option or variable of the user's takes part."""

import os
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol

import pytest

from goldpiece.errors import HarnessError, UsageError
from goldpiece.suite.blocking import block
from goldpiece.suite.checks import Check
from goldpiece.suite.divergences import judge
from goldpiece.suite.plugin import PROPERTY, Given, Selection
from goldpiece.suite.recorded.judging import judged_rows
from goldpiece.suite.records import read_outcome
from goldpiece.suite.rooms import room
from goldpiece.suite.spec import Depth
from goldpiece.suite.subjects.batches import SPEC as RECORDED_SPEC
from goldpiece.suite.subjects.batches import RecordedBatches
from goldpiece.suite.verdict import Outcome, Row, Verdict

# What pytest and its plugins read from the environment.
FOREIGN = ("PYTEST_ADDOPTS", "PYTEST_PLUGINS", "PYTEST_THEME", "PYTEST_XDIST_AUTO_NUM_WORKERS", "PYTEST_DEBUG")


SMOKE = 3  # examples of each component that are tried before all else


class Listener(Protocol):
    """Is told how a run goes."""

    def begins(self, checks: int) -> None:
        """So many checks will run."""

    def ends(self, outcome: Outcome) -> None:
        """One check has run."""


@dataclass(eq=False)
class _Collector:
    """The part of the plugin that stays in the main process: gathers what became of the checks."""

    listener: Listener
    outcomes: list[Outcome] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    announced: bool = False

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        if session.items:  # under xdist the main process collects nothing
            self._announce(len(session.items))

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: Sequence[str]) -> None:
        self._announce(len(ids))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        record = dict(report.user_properties).get(PROPERTY)
        if report.when == "call" and record is not None:
            self.outcomes.append(read_outcome(str(record)))
            self.listener.ends(self.outcomes[-1])
        elif report.failed:
            self.faults.append(f"{report.nodeid}\n{report.longreprtext}")

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.faults.append(report.longreprtext)

    def pytest_internalerror(self, excrepr: object) -> None:
        self.faults.append(str(excrepr))

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, error: object) -> None:
        if error:
            self.faults.append(f"a worker went down: {error}")

    def _announce(self, checks: int) -> None:
        if not self.announced:
            self.announced = True
            self.listener.begins(checks)


def run(selection: Selection, workers: int, listener: Listener) -> tuple[Row, ...]:
    """The rows of a report on one subject. Raises HarnessError where the harness itself failed."""
    expected = list(selection.checks())  # finds what cannot be used before anything starts
    if not expected:
        raise UsageError(nothing_selected(selection))
    if workers > 1 and find_spec("xdist") is None:
        raise UsageError(
            "-n needs pytest-xdist, which is not installed: run `pip install pytest-xdist`, or leave -n out"
        )
    if isinstance(selection.target, RecordedBatches):
        return _judged(selection.target, selection, expected, listener)
    if selection.clause is None:
        smoke(selection, expected)
    collector = _Collector(listener)
    with TemporaryDirectory(prefix="goldpiece-") as folder, _nothing_foreign(folder):
        settings = Path(folder) / "goldpiece.ini"
        settings.write_text("[pytest]\npython_files =\n", encoding="utf-8")
        arguments = [
            f"--config-file={settings}",
            f"--rootdir={folder}",
            f"--confcutdir={room('properties')}",
            "--noconftest",
            "-pno:cacheprovider",
            "-pno:terminal",
            "-pno:warnings",
            "-pno:unraisableexception",
            "-pno:threadexception",
            "-pgoldpiece.suite.plugin",
            *(["-pxdist.plugin", f"-n{workers}", "--dist=load"] if workers > 1 else []),
            *selection.arguments(),
            str(room("properties")),
        ]
        status = pytest.main(arguments, plugins=[collector, Given(selection)])
    if status == pytest.ExitCode.INTERRUPTED and not collector.faults:
        raise KeyboardInterrupt
    if collector.faults:
        raise HarnessError("\n\n".join(collector.faults))
    if len(collector.outcomes) != len(expected):
        raise HarnessError(
            f"{len(expected)} checks were to run, and {len(collector.outcomes)} did (pytest ended with {status!r})"
        )
    rows = _rows(selection, collector.outcomes)
    return block(judge(rows, selection.declared, selection.target, selection.specs), selection.specs)


def _judged(
    subject: RecordedBatches, selection: Selection, checks: Sequence[Check], listener: Listener
) -> tuple[Row, ...]:
    """The rows of a report on recorded batches, which no law can ask."""
    if selection.divergences:
        raise UsageError("--divergences declares inputs, and recorded batches take none: leave it out")
    clauses = {check.clause.id: check.clause for check in checks if check.spec.name == RECORDED_SPEC}
    if not clauses:
        raise UsageError(f"batches are held to the spec {RECORDED_SPEC}, and nothing of it is left to check")
    listener.begins(len(clauses))
    rows = []
    for row in judged_rows(subject.record, RECORDED_SPEC, list(clauses.values())):
        listener.ends(row.outcomes[0])
        rows.append(row)
    return block(rows, selection.specs)


def smoke(selection: Selection, checks: Sequence[Check]) -> None:
    """Raises UsageError where a component breaks on all of the first examples: it is the adapter that is broken."""
    for spec in dict.fromkeys(check.spec for check in checks):
        tried = [
            check.run(selection.target, selection.specs, Depth.QUICK, selection.seed)
            for check in [check for check in checks if check.spec is spec and check.kind == "example"][:SMOKE]
        ]
        if len(tried) == SMOKE and all(outcome.verdict is Verdict.ERRORS for outcome in tried):
            raise UsageError(f"the adapter is broken: {spec.name} of {selection.subject}: {tried[0].reason}")


def _rows(selection: Selection, outcomes: Sequence[Outcome]) -> tuple[Row, ...]:
    """The outcomes by clause and profile, in the order of the specs, whichever worker came first."""
    found = {(outcome.clause, outcome.check, outcome.profile): outcome for outcome in outcomes}
    sorted_: dict[tuple[str, str | None], list[Check]] = {}
    for check in selection.checks():
        sorted_.setdefault((check.clause.id, check.profile), []).append(check)
    return tuple(
        Row(
            spec=checks[0].spec.name,
            clause=clause_id,
            level=checks[0].clause.level,
            profile=profile,
            says=checks[0].clause.says,
            outcomes=tuple(found[clause_id, check.name, profile] for check in checks),
        )
        for (clause_id, profile), checks in sorted_.items()
    )


def nothing_selected(selection: Selection) -> str:
    """What is wrong with a selection that holds no check."""
    chosen = {"--spec": selection.spec, "--clause": selection.clause, "--profile": selection.profile}
    chosen |= {"--suite-version": selection.suite_version}
    options = " ".join(f"{option} {value}" for option, value in chosen.items() if value)
    return f"nothing is left to check with {options}: leave one of them out; `goldpiece spec list` names the clauses"


@contextmanager
def _nothing_foreign(folder: str) -> Iterator[None]:
    """Within it, pytest loads no plugin by itself, and reads no variable and writes into no folder of the user's."""
    before = dict(os.environ)
    for name in FOREIGN:
        os.environ.pop(name, None)
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = folder
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a warning of the subject's is no verdict, whatever the user makes of it
            yield
    finally:
        os.environ.clear()
        os.environ.update(before)
