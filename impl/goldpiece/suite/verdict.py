"""Verdicts: what became of a clause, and of a run."""

import shlex
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Literal

from goldpiece.suite.spec import Depth, Level


class Verdict(Enum):
    """What a check, or all checks of a clause together, say. In order: a clause takes its worst."""

    HOLDS = "holds"
    UNSUPPORTED = "unsupported"  # the subject says that it does not do this
    NOT_RUN = "not run"  # too little could be executed to tell
    DIVERGES = "diverges"  # it fails as declared
    BLOCKED = "blocked"  # it fails, and so does a clause that it needs
    FAILS = "fails"  # it does something else than the clause says
    ERRORS = "errors"  # it broke: no answer, or none of the promised shape

    @property
    def rank(self) -> int:
        return list(Verdict).index(self)

    @property
    def is_fault(self) -> bool:
        """Whether the subject did something wrong."""
        return self in (Verdict.BLOCKED, Verdict.FAILS, Verdict.ERRORS)

    def counts_against(self, level: Level, strict: bool) -> bool:
        """Whether a clause of the level with this verdict makes a run fail; under `strict` every level does.

        One that is not run is no pass: nothing vouches for it.
        """
        return (strict or level is Level.MUST) and (self.is_fault or self is Verdict.NOT_RUN)


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    """What a clause's checks come to: errors > fails > diverges > not run > unsupported > holds."""
    return max(verdicts, key=lambda verdict: verdict.rank, default=Verdict.NOT_RUN)


class Exit:
    """Exit codes of `goldpiece check`."""

    OK = 0  # every `must` clause holds, diverges as declared, or is unsupported
    FAULT = 1  # one fails, errors or is not run; under --strict also a `should` or `option`
    USAGE = 2  # a command, spec or subject that cannot be used
    HARNESS = 3  # the harness itself failed


@dataclass(frozen=True)
class Counterexample:
    """The smallest input found on which a subject parts from a clause. Values are JSON, long texts abridged."""

    given: list[dict[str, object]]  # each call of the example: parameters, operation, input
    expected: object
    actual: object
    note: str


@dataclass(frozen=True)
class Outcome:
    """What became of one check."""

    clause: str
    profile: str | None
    kind: Literal["example", "law", "golden", "divergence"]
    check: str  # `example 2`, `law longest_match` or `golden sentences`
    verdict: Verdict
    executed: int = 1  # examples that could be executed,
    attempted: int = 1  # of those tried
    inputs: int = 0  # that the subject was given
    seconds: float = 0.0
    reason: str | None = None  # of a verdict that is neither `holds` nor `fails`
    counterexample: Counterexample | None = None


@dataclass(frozen=True)
class Row:
    """What a report says of one clause under one profile: its checks taken together."""

    spec: str
    clause: str
    level: Level
    profile: str | None
    says: str
    outcomes: tuple[Outcome, ...]
    blocked_by: str | None = None  # a clause that it needs, and that is at fault as well

    @property
    def verdict(self) -> Verdict:
        return Verdict.BLOCKED if self.blocked_by else self._worst

    @property
    def _worst(self) -> Verdict:
        return worst(outcome.verdict for outcome in self.outcomes)

    @property
    def telling(self) -> Outcome | None:
        """The check that decided the verdict: a declaration, else a law, whose input is small, else what is fixed."""
        deciding = [outcome for outcome in self.outcomes if outcome.verdict is self._worst]
        return min(
            deciding, key=lambda outcome: ("divergence", "law", "example", "golden").index(outcome.kind), default=None
        )


@dataclass(frozen=True)
class Report:
    """What a run found out about one subject."""

    subject: str
    version: str
    depth: Depth
    seed: int
    strict: bool
    rows: tuple[Row, ...]

    @property
    def exit_code(self) -> int:
        """Whether any clause counts against the subject."""
        faults = any(row.verdict.counts_against(row.level, self.strict) for row in self.rows)
        return Exit.FAULT if faults else Exit.OK

    def replay(self, outcome: Outcome) -> str:
        """The command that runs the checks of one clause again."""
        profile = f" --profile {outcome.profile}" if outcome.profile else ""
        options = f"--clause {outcome.clause}{profile} --depth {self.depth.value} --seed {self.seed}"
        return f"goldpiece check {shlex.quote(self.subject)} {options}"
