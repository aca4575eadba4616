"""The specs as tests in a file of your own, for pytest or unittest:

    from goldpiece.testing import conformance_tests
    from mypackage import WordPiece

    TestWordPiece = conformance_tests(WordPiece, spec="wordpiece")

A test for each clause (and profile): `test_mine.py::TestWordPiece::test_clause[wordpiece.longest-match]`. One that the
subject does not support is skipped with the reason. One that fails as declared (`divergences`) is an expected failure
under pytest, and skipped under unittest; a declaration that shows nothing any more fails. The same goes for a clause
that is no `must`, unless `strict` counts these.

A class, object or function runs in the process of the tests: that is what a debugger and a coverage report want. There
nothing guards against an endless loop or a crash, though, and what one test leaves behind in the class, the next one
finds. A name as `goldpiece check` takes it (`"mypackage:WordPiece"`, `"hf:tokenizer.json"`, `"exec:./mine"`) runs in a
process of its own, with a time limit for each call.

Settings, seeds and profiles of Hypothesis that are in force for your other tests do not reach these.
"""

import os
import sys
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from unittest import SkipTest, TestCase

import pytest

from goldpiece.errors import UsageError
from goldpiece.suite.checks import Check
from goldpiece.suite.divergences import judge
from goldpiece.suite.plugin import Selection
from goldpiece.suite.report import explain
from goldpiece.suite.runner import nothing_selected
from goldpiece.suite.spec import Depth, Level
from goldpiece.suite.subject import Subject
from goldpiece.suite.subjects.python import object_subject
from goldpiece.suite.verdict import Row, Verdict

__all__ = ["conformance_tests"]

__unittest = True  # unittest shows no frames of a module that says so


def conformance_tests(
    subject: object,
    *,
    spec: str | None = None,
    profile: str | None = None,
    depth: str = "quick",
    seed: int = 0,
    strict: bool = False,
    divergences: str | Path | None = None,
    suite_version: str | None = None,
) -> type[TestCase]:
    """A class of tests to assign to a name in a module of tests.

    `subject` is a class, object or function, or the name of a subject; the other arguments are the options of
    `goldpiece check` of these names. The path of `divergences` is relative to the file that calls this.
    Raises UsageError where the subject, or what is said of it, cannot be used.
    """
    if depth not in list(Depth):
        raise UsageError(f"there is no depth {depth!r}; there are {', '.join(Depth)}")
    caller = sys._getframe(1)
    declared = Path(caller.f_code.co_filename).parent / divergences if divergences else None
    chosen = Selection(
        subject if isinstance(subject, str) else _name(subject),
        spec=spec,
        profile=profile,
        depth=Depth(depth),
        seed=seed,
        divergences=declared,
        suite_version=suite_version,
    )
    selection = chosen if isinstance(subject, str) else _Here(**vars(chosen), it=subject)
    rows: dict[str, list[Check]] = {}
    for check in selection.checks():
        rows.setdefault("-".join(filter(None, [check.clause.id, check.profile])), []).append(check)
    assert selection.declared is not None  # read now, and not when the first test runs
    if not rows:
        raise UsageError(nothing_selected(selection))
    tests = {f"test_clause[{name}]": _test(selection, checks, strict) for name, checks in rows.items()}
    where = {"__module__": caller.f_globals["__name__"], "__doc__": f"What the specs say of {selection.subject}."}
    return type("ConformanceTests", (TestCase,), where | tests)


@dataclass(frozen=True)
class _Here(Selection):
    """Checks of an object in this process."""

    it: object = None

    @cached_property
    def target(self) -> Subject:
        return object_subject(self.it, self.subject, "unknown", {}, self.specs)


def _name(thing: object) -> str:
    named = thing if hasattr(thing, "__qualname__") else type(thing)
    return f"{named.__module__}:{named.__qualname__}"


def _test(selection: Selection, checks: Sequence[Check], strict: bool) -> Callable[[TestCase], None]:
    """The test of one clause under one profile."""

    def test_clause(case: TestCase) -> None:
        row = _row(selection, checks)
        if row.verdict.counts_against(row.level, strict):
            _fail(case, row)
        if row.verdict in (Verdict.DIVERGES, Verdict.FAILS, Verdict.ERRORS):
            _expected_failure(row)
        if row.verdict is not Verdict.HOLDS:
            raise SkipTest(_reason(row))

    test_clause.__doc__ = checks[0].clause.says
    return test_clause


def _row(selection: Selection, checks: Sequence[Check]) -> Row:
    first = checks[0]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a warning of the subject's is no verdict, whatever the tests make of it
        outcomes = [check.run(selection.target, selection.specs, selection.depth, selection.seed) for check in checks]
        row = Row(
            first.spec.name, first.clause.id, first.clause.level, first.profile, first.clause.says, tuple(outcomes)
        )
        return judge([row], selection.declared, selection.target, selection.specs)[0]


def _fail(case: TestCase, row: Row) -> None:
    telling = row.telling
    assert telling
    profile = f" [{row.profile}]" if row.profile else ""
    text = f"{row.clause}{profile} {row.verdict.value} ({row.level.value})\n{explain(row.says, telling)}"
    if _under_pytest():
        pytest.fail(text, pytrace=False)
    case.fail(text)


def _expected_failure(row: Row) -> None:
    if _under_pytest():
        pytest.xfail(_reason(row))
    raise SkipTest(_reason(row))


def _reason(row: Row) -> str:
    said = row.telling.reason if row.telling else None
    level = "" if row.verdict is Verdict.DIVERGES or not row.verdict.is_fault else f", and is no {Level.MUST.value}"
    return f"{row.verdict.value}{level}" + (f": {said}" if said else "")


def _under_pytest() -> bool:
    """Whether the test at hand is run by pytest."""
    return "PYTEST_CURRENT_TEST" in os.environ
