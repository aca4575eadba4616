"""The proof of the laws: every mutant dies under every seed, and what proves nothing is found out."""

from dataclasses import replace

import pytest

from goldpiece.suite.checks import all_checks, checks_of
from goldpiece.suite.loader import load_specs
from goldpiece.suite.mutants import SEEDS, Fate, Mutant, load_mutants, run_mutants, unproven
from goldpiece.suite.spec import Level


@pytest.mark.parametrize("spec", ["decoder"])
def test_every_mutant_dies_and_every_law_kills_under_every_seed(spec: str) -> None:
    """Those of one component: `goldpiece mutants run` puts all to the proof, which takes minutes."""
    fates = list(run_mutants(load_mutants(spec), SEEDS, 1))
    assert unproven(load_specs(), fates, spec) == []
    assert [fate.mutant.id for fate in fates if fate.survives] == []
    killers = {check for fate in fates for check in fate.killers}
    laws = [check for check in all_checks(load_specs()) if check.kind == "law" and check.spec.name == spec]
    assert [check.id for check in laws if check not in killers] == []


def test_every_must_clause_has_a_mutant() -> None:
    broken = {mutant.breaks for mutant in load_mutants()}
    musts = {clause.id for spec in load_specs() for clause in spec.clauses if clause.level is Level.MUST}
    assert broken >= musts  # a clause of another level may have one


def _fate(breaks: str = "wordpiece.pure", **kills: int) -> Fate:
    """The fate of a mutant that each kind of check of its clause killed under so many seeds."""
    counts = {check: kills.get(check.kind, 0) for check in checks_of(load_specs(), breaks)}
    return Fate(Mutant("Some", breaks, "does something", (), object), SEEDS, counts)


def test_a_survivor_is_found_out() -> None:
    assert _fate(law=9).survives
    assert not _fate(law=10).survives
    assert _fate("wordpiece.longest-match", example=10, law=9).survives  # the clause has a law, which has to see it
    assert not _fate("wordpiece.surrogates", example=10).survives  # it has none


def test_what_proves_nothing_is_named() -> None:
    specs = load_specs()
    assert unproven(specs, [_fate(law=9)], clause="wordpiece.pure") == [
        "wordpiece.Some survives: no law of wordpiece.pure kills it under every seed",
        "the law pure of wordpiece.pure is decoration: it kills no mutant under every seed",
    ]
    assert unproven(specs, [], clause="wordpiece.pure") == ["wordpiece.pure is unproven: no mutant breaks it"]
    assert unproven(specs, [], clause="wordpiece.surrogates") == []


def test_a_clause_that_does_without_what_it_needs_is_named() -> None:
    specs, fate = load_specs(), _fate("wordpiece.spells-the-word", law=SEEDS, example=SEEDS)
    problem = "wordpiece.longest-match does not need wordpiece.spells-the-word: no mutant of that breaks both"
    assert unproven(specs, [fate], clause="wordpiece.spells-the-word") == [problem]
    dragging = replace(fate, drags=frozenset({"wordpiece.longest-match"}))
    assert unproven(specs, [dragging], clause="wordpiece.spells-the-word") == []


def test_a_law_has_to_kill_under_each_profile() -> None:
    fate = _fate("normalizer.ideographs", law=10)
    only_hf = Fate(fate.mutant, SEEDS, {check: count * (check.profile == "hf") for check, count in fate.kills.items()})
    [problem] = unproven(load_specs(), [only_hf], clause="normalizer.ideographs")
    assert problem.startswith("the law ideographs of normalizer.ideographs is decoration under google")


def test_mutants_are_no_copies() -> None:
    """Each has a name of its own within its component, and a story of its own."""
    mutants = load_mutants()
    assert len({mutant.id for mutant in mutants}) == len(mutants)
    assert len({(mutant.component, mutant.story) for mutant in mutants}) == len(mutants)


def test_checks_have_names_of_their_own() -> None:
    ids = [check.id for check in all_checks(load_specs())]
    assert len(set(ids)) == len(ids)
