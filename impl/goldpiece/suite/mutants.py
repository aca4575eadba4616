"""Mutants: implementations with one deliberate fault each, and the proof that the laws see it.

A mutant is a class in properties/mutants/<component>.py:

    @mutant(breaks="wordpiece.all-or-unknown", story="keeps the pieces before the dead end")
    class KeepsTheStart(WordPiece):
        ...

Each check of the clause that it breaks is put to it, under ten seeds. One of the clause's laws has to kill it under
every seed (an example has to, where the clause has no law); and every law has to kill some mutant so, or it proves
nothing. Where a clause needs another, some mutant of that other has to break both.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from typing import TypeVar

from goldpiece.errors import UsageError
from goldpiece.suite.checks import Check, all_checks, checks_of
from goldpiece.suite.law import property_modules
from goldpiece.suite.loader import load_specs
from goldpiece.suite.spec import Depth, Level, Specs
from goldpiece.suite.subject import Declaration, Subject
from goldpiece.suite.subjects.objects import Factory, ObjectSubject, declare

SEEDS = 10
C = TypeVar("C", bound=type)


@dataclass(frozen=True)
class Mutant:
    """An implementation with one fault."""

    name: str
    breaks: str  # the id of a clause
    story: str
    reports: tuple[str, ...]  # the public faults that it re-enacts, by their ids in properties/reports.yaml
    factory: Factory

    @property
    def component(self) -> str:
        return self.breaks.partition(".")[0]

    @property
    def id(self) -> str:
        """`wordpiece.KeepsTheStart`"""
        return f"{self.component}.{self.name}"

    def subject(self, specs: Specs) -> Subject:
        """The mutant as an implementation under test."""
        component = self.component
        components = {component: declare(specs.named(component), self.factory)}
        declaration = Declaration(self.name, "mutant", specs.profiles, True, components, {})
        return ObjectSubject(declaration, specs, {component: self.factory})


@dataclass(frozen=True)
class Fate:
    """What became of a mutant: under how many seeds in a row each check of its clause killed it."""

    mutant: Mutant
    seeds: int
    kills: Mapping[Check, int]  # under how many seeds, from the first on, before it lived through one
    drags: frozenset[str] = frozenset()  # clauses that need the broken one, and were first seen to fall with it

    @property
    def killers(self) -> list[Check]:
        """The checks that kill it under every seed."""
        return [check for check, count in self.kills.items() if count == self.seeds]

    @property
    def survives(self) -> bool:
        """Whether no law kills it under every seed; where the clause has no law, whether nothing else does."""
        laws = [check for check in self.kills if check.kind == "law"]
        return not set(self.killers) & set(laws or self.kills)


def mutant(breaks: str, story: str, report: str | tuple[str, ...] = ()) -> Callable[[C], C]:
    """Makes a class a mutant of the component that the clause belongs to.

    `report` is the public fault that it re-enacts, by its id in properties/reports.yaml, or several that are one fault.
    """
    reports = (report,) if isinstance(report, str) else report

    def mark(factory: C) -> C:
        factory.mutant = Mutant(factory.__name__, breaks, story, reports, factory)  # type: ignore[attr-defined]
        return factory

    return mark


def load_mutants(spec: str | None = None, clause: str | None = None) -> list[Mutant]:
    """The mutants of all components, of one, or of one clause."""
    specs = load_specs()
    if spec:
        specs.named(spec)
    if clause:
        specs.clause(clause)
    return [each for each in _mutants() if spec in (None, each.component) and clause in (None, each.breaks)]


@cache
def _mutants() -> tuple[Mutant, ...]:
    found = []
    for module in property_modules("", "goldpiece.properties.mutants"):
        for thing in vars(module).values():
            if isinstance(thing, type) and "mutant" in vars(thing) and thing.__module__ == module.__name__:
                found.append(thing.mutant)  # type: ignore[attr-defined]
    return tuple(found)


def find_mutant(mutant_id: str) -> Mutant:
    """The mutant called `wordpiece.KeepsTheStart`."""
    for each in _mutants():
        if each.id == mutant_id:
            return each
    raise UsageError(f"there is no mutant {mutant_id!r}; `goldpiece mutants list` names them all")


def run_mutants(mutants: Sequence[Mutant], seeds: int, workers: int) -> Iterator[Fate]:
    """The fates of mutants, in order, as they become known."""
    checks = {check.id: check for check in all_checks(load_specs())}
    names = [each.id for each in mutants]
    _SHOWN.clear()
    # A fork would inherit the threads of a progress display.
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        found = pool.map(_fate, names, [seeds] * len(names)) if workers > 1 else map(_fate, names, [seeds] * len(names))
        for each, (kills, drags) in zip(mutants, found, strict=True):
            yield Fate(each, seeds, {checks[name]: count for name, count in kills.items()}, drags)


def _fate(mutant_id: str, seeds: int) -> tuple[dict[str, int], frozenset[str]]:
    """Puts a mutant to every check of the clause that it breaks, and of those that need it.

    Under how many seeds in a row each check of the first kills it, by id; and which of the others fall with it.
    """
    specs, case = load_specs(), find_mutant(mutant_id)
    subject = case.subject(specs)
    kills = {check.id: _killed(check, subject, specs, seeds) for check in _proofs(specs, case.breaks)}
    drags: set[str] = set()
    for clause in specs.named(case.component).clauses:
        need = (clause.id, case.breaks)
        if case.breaks not in clause.needs or need in _SHOWN:
            continue  # one mutant that breaks both is enough; each process looks for its own
        if any(_killed(check, subject, specs, 1) for check in _proofs(specs, clause.id)):
            _SHOWN.add(need)
            drags.add(clause.id)
    return kills, frozenset(drags)


_SHOWN: set[tuple[str, str]] = set()  # needs that a mutant has shown in this process


def _proofs(specs: Specs, clause_id: str) -> list[Check]:
    """What can prove that a clause is checked: its examples and laws, and goldens where it has no law."""
    return [
        check
        for check in checks_of(specs, clause_id)
        if check.runs_at(Depth.QUICK) and not (check.kind == "golden" and check.clause.law)
    ]


def _killed(check: Check, subject: Subject, specs: Specs, seeds: int) -> int:
    """Under how many seeds in a row the check tells the mutant from a right implementation.

    The first that it lives through ends it: that check is no proof, whatever the other seeds would say.
    """
    if not check.is_seeded:  # it does the same each time
        return seeds * check.run(subject, specs, Depth.QUICK, 0, shrink=False).verdict.is_fault
    for seed in range(seeds):
        if not check.run(subject, specs, Depth.QUICK, seed, shrink=False).verdict.is_fault:
            return seed
    return seeds


def unproven(specs: Specs, fates: Sequence[Fate], spec: str | None = None, clause: str | None = None) -> list[str]:
    """What the fates leave unproven: mutants that survive, `must` clauses without one, laws that kill none.

    And what is said to need another clause, and does without.
    """
    problems = [
        f"{fate.mutant.id} survives: no law of {fate.mutant.breaks} kills it under every seed"
        for fate in fates
        if fate.survives
    ]
    decisive = {check for fate in fates for check in fate.killers}
    broken = {fate.mutant.breaks for fate in fates}
    selected = (
        check for check in all_checks(specs) if spec in (None, check.spec.name) and clause in (None, check.clause.id)
    )
    for check in selected:
        if check.clause.level is Level.MUST and check.clause.id not in broken:
            problems.append(f"{check.clause.id} is unproven: no mutant breaks it")
        elif check.kind == "law" and check not in decisive:
            under = f" under {check.profile}" if check.profile else ""
            problems.append(
                f"the {check.name} of {check.clause.id} is decoration{under}: it kills no mutant under every seed"
            )
    for each in (each for of in specs for each in of.clauses if spec in (None, of.name)):
        for needed in each.needs:
            dragged = any(each.id in fate.drags for fate in fates if fate.mutant.breaks == needed)
            if clause in (None, needed) and not dragged:
                problems.append(f"{each.id} does not need {needed}: no mutant of that breaks both")
    return list(dict.fromkeys(problems))
