"""The pytest plugin that makes checks of the files in properties/: `pytest properties --subject tokenizers`.

`goldpiece check` runs pytest with it, and nothing of the user's. What became of a check travels in the report's user
properties, as JSON, also from a worker of pytest-xdist.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pytest

from goldpiece.errors import GoldpieceError
from goldpiece.suite.checks import Check, all_checks
from goldpiece.suite.divergences import Divergence, declared_for, read_divergences
from goldpiece.suite.history import ids_file, read_history
from goldpiece.suite.loader import load_specs
from goldpiece.suite.records import written_outcome
from goldpiece.suite.report import explain
from goldpiece.suite.rooms import room
from goldpiece.suite.spec import Depth, Specs
from goldpiece.suite.subject import Subject
from goldpiece.suite.subjects import TIMEOUT, find_subject
from goldpiece.suite.verdict import Outcome, Verdict

PROPERTY = "goldpiece"  # the name of the user property that holds an outcome


@dataclass(frozen=True)
class Selection:
    """Which checks of which subject: what `goldpiece check` and the options of the plugin say."""

    subject: str = "reference"
    spec: str | None = None
    clause: str | None = None
    profile: str | None = None
    depth: Depth = Depth.STANDARD
    seed: int = 0
    divergences: Path | None = None
    timeout: float = TIMEOUT  # seconds for a call
    suite_version: str | None = None  # of Goldpiece, whose clauses alone are meant

    @cached_property
    def specs(self) -> Specs:
        return load_specs()

    @cached_property
    def target(self) -> Subject:
        return find_subject(self.subject, self.specs, self.timeout)

    @cached_property
    def declared(self) -> Sequence[Divergence]:
        """The divergences that a file declares, or those that ship with Goldpiece for the subject."""
        path = self.divergences or declared_for(self.subject)
        return read_divergences(path, self.specs) if path else []

    def checks(self) -> Iterator[Check]:
        """The checks to run: without `profile`, those of the profiles that the subject claims."""
        if self.profile:
            self.specs.profile(self.profile)
        if self.spec:
            self.specs.named(self.spec)
        if self.clause:
            self.specs.clause(self.clause)
        known = read_history(ids_file()).known_by(self.suite_version) if self.suite_version else None
        declaration = self.target.declaration
        profiles = (self.profile,) if self.profile else declaration.profiles
        for check in all_checks(self.specs):
            if check.profile is not None and check.profile not in profiles:
                continue
            if not (check.runs_at(self.depth) and check.concerns(declaration)):
                continue
            if known is not None and check.clause.id not in known:
                continue
            if self.spec in (None, check.spec.name) and self.clause in (None, check.clause.id):
                yield check

    def arguments(self) -> list[str]:
        """The selection as options of the plugin."""
        options = {"--subject": self.subject, "--spec": self.spec, "--clause": self.clause, "--profile": self.profile}
        options |= {"--depth": self.depth.value, "--law-seed": str(self.seed), "--call-timeout": str(self.timeout)}
        options |= {"--suite-version": self.suite_version}
        return [f"{name}={value}" for name, value in options.items() if value]


@dataclass(frozen=True)
class Given:
    """A plugin that brings a selection along, whose subject is there already; else the options say what it is."""

    selection: Selection


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("goldpiece", "conformance checks")
    group.addoption("--subject", default="reference", help="the implementation to check")
    group.addoption("--spec", help="only the checks of one spec")
    group.addoption("--clause", help="only the checks of one clause")
    group.addoption("--profile", help="the profile to hold the subject to")
    group.addoption("--depth", default="quick", choices=[depth.value for depth in Depth], help="how long to look")
    group.addoption("--strict-levels", action="store_true", help="count clauses of level should and option as well")
    group.addoption("--law-seed", default=0, type=int, help="what laws draw with")
    group.addoption("--suite-version", help="only the clauses that this version of Goldpiece had")
    group.addoption("--call-timeout", default=TIMEOUT, type=float, help="seconds that a call of the subject may take")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    if file_path.name.startswith("test_") and file_path.parent.resolve() == room("properties").resolve():
        return CheckFile.from_parent(parent, path=file_path)
    return None


class CheckFile(pytest.File):
    """A file of properties/: the checks of its laws, or all examples."""

    def collect(self) -> Iterator[pytest.Item]:
        for check in _session(self.config).checks_by_module.get(self.path.stem, []):
            yield CheckItem.from_parent(self, name=check.id, check=check)


class CheckItem(pytest.Item):
    """One check of the subject."""

    def __init__(self, *, check: Check, **arguments: object) -> None:
        super().__init__(**arguments)  # type: ignore[arg-type]
        self.check = check

    def runtest(self) -> None:
        selection = _session(self.config).selection
        outcome = self.check.run(selection.target, selection.specs, selection.depth, selection.seed)
        self.user_properties.append((PROPERTY, written_outcome(outcome)))
        if outcome.verdict.counts_against(self.check.clause.level, self.config.getoption("--strict-levels")):
            raise CheckFailed(self.check, outcome)
        if outcome.verdict is not Verdict.HOLDS:
            pytest.skip(f"{outcome.verdict.value}: {outcome.reason}")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None) -> str:  # noqa: ARG002
        if isinstance(excinfo.value, CheckFailed | GoldpieceError):
            return str(excinfo.value)
        return str(excinfo.getrepr(style="native"))  # pytest's own would write out whole specs

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, 0, self.check.id


class CheckFailed(Exception):
    """The subject failed a check."""

    def __init__(self, check: Check, outcome: Outcome) -> None:
        super().__init__(explain(check.clause.says, outcome))


@dataclass(frozen=True)
class _Session:
    """A selection, and its checks by the module of properties/ that they belong to."""

    selection: Selection
    checks_by_module: Mapping[str, Sequence[Check]]


_SESSION = pytest.StashKey[_Session]()


def _session(config: pytest.Config) -> _Session:
    """What the options select; made once."""
    if _SESSION not in config.stash:
        given = [plugin for plugin in config.pluginmanager.get_plugins() if isinstance(plugin, Given)]
        selection = given[0].selection if given else _selected(config)
        checks: dict[str, list[Check]] = {}
        try:
            for check in selection.checks():
                checks.setdefault(check.module, []).append(check)
        except GoldpieceError as error:
            raise pytest.UsageError(str(error)) from error
        config.stash[_SESSION] = _Session(selection, checks)
    return config.stash[_SESSION]


def _selected(config: pytest.Config) -> Selection:
    option = config.getoption
    return Selection(
        subject=option("--subject"),
        spec=option("--spec"),
        clause=option("--clause"),
        profile=option("--profile"),
        depth=Depth(option("--depth")),
        seed=option("--law-seed"),
        timeout=option("--call-timeout"),
        suite_version=option("--suite-version"),
    )
