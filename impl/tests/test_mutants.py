"""The proof of the laws: every mutant dies under every seed, and what proves nothing is found out."""

import os
from collections.abc import Sequence

import pytest

from goldpiece.suite.checks import all_checks
from goldpiece.suite.law import load_laws
from goldpiece.suite.loader import load_specs
from goldpiece.suite.mutants import SEEDS, Fate, Mutant, load_mutants, run_mutants, unproven
from goldpiece.suite.spec import Level


@pytest.fixture(scope="module")
def fates() -> Sequence[Fate]:
    return list(run_mutants(load_mutants(), SEEDS, os.cpu_count() or 1))


def test_every_mutant_dies_under_every_seed(fates: Sequence[Fate]) -> None:
    assert unproven(load_specs(), fates) == []
    assert [fate.mutant.id for fate in fates if fate.survives] == []


def test_every_must_clause_has_a_mutant(fates: Sequence[Fate]) -> None:
    broken = {fate.mutant.breaks for fate in fates}
    musts = {clause.id for spec in load_specs() for clause in spec.clauses if clause.level is Level.MUST}
    assert broken == musts


def test_every_law_kills(fates: Sequence[Fate]) -> None:
    killers = {(fate.mutant.breaks, check) for fate in fates for check in fate.killers}
    assert {(law.clause, f"law {law.name}") for law in load_laws()} <= killers


def _fate(kills: dict[str, int], breaks: str = "wordpiece.pure") -> Fate:
    return Fate(Mutant("Some", breaks, "does something", None, object), SEEDS, kills)


def test_a_survivor_is_found_out() -> None:
    assert _fate({"law pure": 9}).survives
    assert _fate({"example 1": 10, "law pure": 9}).survives  # the clause has a law, which has to see it
    assert not _fate({"law pure": 10}).survives
    assert not _fate({"example 1": 10}).survives  # it has none


def test_what_proves_nothing_is_named() -> None:
    specs = load_specs()
    problems = unproven(specs, [_fate({"law pure": 9})], clause="wordpiece.pure")
    assert problems == [
        "wordpiece.Some survives: no law of wordpiece.pure kills it under every seed",
        "the law pure of wordpiece.pure is decoration: it kills no mutant under every seed",
    ]
    assert unproven(specs, [], clause="wordpiece.pure") == ["wordpiece.pure is unproven: no mutant breaks it"]
    assert unproven(specs, [], clause="wordpiece.surrogates") == []


def test_mutants_are_no_copies() -> None:
    """Each has a name of its own within its component, and a story of its own."""
    mutants = load_mutants()
    assert len({mutant.id for mutant in mutants}) == len(mutants)
    assert len({(mutant.component, mutant.story) for mutant in mutants}) == len(mutants)


def test_checks_have_names_of_their_own() -> None:
    ids = [check.id for check in all_checks(load_specs())]
    assert len(set(ids)) == len(ids)
