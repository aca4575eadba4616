"""Checks: every worked example, law and golden of every clause, under each profile that it holds for."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Literal, TypeAlias

from goldpiece.suite.execution import run_example, run_golden, run_law
from goldpiece.suite.golden.cases import needs_data
from goldpiece.suite.law import Law, load_laws
from goldpiece.suite.scope import Scope
from goldpiece.suite.spec import Clause, Depth, Example, GoldenSet, Spec, Specs
from goldpiece.suite.subject import Declaration, Subject
from goldpiece.suite.verdict import Outcome

EXAMPLES = "test_examples"  # the module of properties/ whose test runs every example,
GOLDENS = "test_golden"  # and that whose test runs every golden

Test: TypeAlias = Callable[..., None]


@dataclass(frozen=True, eq=False)
class Check:
    """One example, law or golden set of a clause, under one profile."""

    spec: Spec
    clause: Clause
    profile: str | None
    what: Example | Law | GoldenSet

    @property
    def kind(self) -> Literal["example", "law", "golden"]:
        match self.what:
            case Example():
                return "example"
            case GoldenSet():
                return "golden"
        return "law"

    @property
    def name(self) -> str:
        """`example 2`, `law longest_match` or `golden sentences`."""
        return f"{self.kind} {self.what.number if isinstance(self.what, Example) else self.what.name}"

    @property
    def id(self) -> str:
        """`wordpiece.longest-match example 2`, with the profile in brackets."""
        return f"{self.clause.id} {self.name}" + (f" [{self.profile}]" if self.profile else "")

    @property
    def module(self) -> str:
        """The module of properties/ that it belongs to."""
        match self.what:
            case Example():
                return EXAMPLES
            case GoldenSet():
                return GOLDENS
        return self.what.module

    @property
    def is_seeded(self) -> bool:
        """Whether it draws: other seeds try other inputs."""
        return isinstance(self.what, Law) and self.what.is_seeded

    def runs_at(self, depth: Depth) -> bool:
        """Whether it is for a run of that depth."""
        return not isinstance(self.what, Example) or depth.reaches(self.what.depth)

    def concerns(self, declaration: Declaration) -> bool:
        """Whether the subject can be put to it, as far as what it takes tells.

        An example chooses all that the spec requires, and says nothing of a subject that is ready made; nor does one
        of a parameter that the subject does not take, or a golden of what it does not tell. Where the clause has a law,
        that speaks for these as well.
        """
        if isinstance(self.what, Law) or not self.clause.law:
            return True
        return not (
            declaration.fixed(self.spec) or self._chooses_what_is_not_taken(declaration) or self._is_untold(declaration)
        )

    def _is_untold(self, declaration: Declaration) -> bool:
        """Whether it is a golden of outputs that the subject does not tell."""
        offered = declaration.components.get(self.spec.name)
        if offered is None or not isinstance(self.what, GoldenSet):
            return False
        told = offered.told(self.spec.operations[self.what.operation]).output
        return not told.keys() & set(self.what.outputs)

    def _chooses_what_is_not_taken(self, declaration: Declaration) -> bool:
        """Whether it is an example with a parameter that the subject leaves at its default."""
        offered = declaration.components.get(self.spec.name)
        if offered is None or not isinstance(self.what, Example):
            return False
        defaults = {name: parameter.default for name, parameter in self.spec.parameters.items()}
        return any(
            value != defaults[name] for name, value in self.what.config.items() if name not in offered.parameters
        )

    def run(self, subject: Subject, specs: Specs, depth: Depth, seed: int, shrink: bool = True) -> Outcome:
        """Puts the subject to it."""
        scope = Scope(self.spec, self.profile, depth, subject.declaration)
        if isinstance(self.what, Law):
            return run_law(self.what, subject, specs, scope, seed, shrink)
        if isinstance(self.what, GoldenSet):
            return run_golden(self.clause, _test(GOLDENS), self.what, subject, scope)
        return run_example(self.clause, _test(EXAMPLES), self.what, subject, scope)


@cache
def all_checks(specs: Specs) -> tuple[Check, ...]:
    """Every check there is, in the order of the specs."""
    return tuple(_all_checks(specs))


def _all_checks(specs: Specs) -> Iterator[Check]:
    laws = load_laws()
    for spec in specs:
        for clause in spec.clauses:
            goldens = [spec.golden[name] for name in clause.golden]
            everything: list[Example | Law | GoldenSet] = [
                *clause.examples,
                *(law for law in laws if law.clause == clause.id),
                *(golden for golden in goldens if not needs_data(golden)),
            ]
            for profile in clause.rows:
                for what in everything:
                    if _is_for(what, profile):
                        yield Check(spec, clause, profile, what)


def _is_for(what: Example | Law | GoldenSet, profile: str | None) -> bool:
    match what:
        case Example():
            return what.profile in (None, profile)
        case GoldenSet():
            return profile in what.rows
    return True


def checks_of(specs: Specs, clause_id: str) -> list[Check]:
    """The checks of one clause."""
    clause = specs.clause(clause_id)
    return [check for check in all_checks(specs) if check.clause is clause]


def _test(module: str) -> Test:
    """The function of that module of properties/ that every example, or every golden, is given."""
    test: Test = getattr(
        import_module(f"goldpiece.properties.{module}"), {EXAMPLES: "test_example", GOLDENS: "test_golden"}[module]
    )
    return test
