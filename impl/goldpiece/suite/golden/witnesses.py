"""Who can confirm a golden: implementations that share no code with the reference."""

import re
from collections.abc import Mapping, Sequence
from importlib import import_module
from itertools import groupby
from typing import TypeAlias

from goldpiece.suite.component import Component, Instance
from goldpiece.suite.golden.cases import Case, Cases
from goldpiece.suite.golden.recorded import kept
from goldpiece.suite.spec import GoldenSet, Spec, Specs
from goldpiece.suite.subject import Declaration, Subject, SubjectFailure, Unsupported
from goldpiece.suite.subjects.objects import Factory, ObjectSubject, declare
from goldpiece.suite.subjects.ready import HAVE_IT
from goldpiece.suite.subjects.tokenizers import tokenizers
from goldpiece.suite.values import Value

Reply: TypeAlias = Mapping[str, Value] | None  # what is recorded of an answer; None where there is no answer

ALL = "all"


def witnesses(specs: Specs) -> dict[str, Subject]:
    """The witnesses that are here, by name and version."""
    found = {"oracles": oracles(specs)}
    if HAVE_IT:
        peer = tokenizers(specs)
        found[f"{peer.declaration.name} {peer.declaration.version}"] = peer
    return found


def is_here(witness: str) -> bool:
    """Whether the witness of that name can be asked: `tokenizers` where it is installed, and the oracles always."""
    return witness == "oracles" or (witness == "tokenizers" and HAVE_IT)


def oracles(specs: Specs) -> Subject:
    """The definitions that the laws compare with, as an implementation: properties/witness.py."""
    factories: Mapping[str, Factory] = import_module("goldpiece.properties.witness").COMPONENTS
    components = {name: declare(specs.named(name), factory) for name, factory in factories.items()}
    return ObjectSubject(Declaration("oracles", "", specs.profiles, False, components, {}), specs, factories)


def replies(subject: Subject, spec: Spec, profile: str | None, golden: GoldenSet, given: Cases) -> list[Reply]:
    """What a subject gives for each case of a set; None where it does not do that, or breaks."""
    offered = subject.declaration.components.get(spec.name)
    claims = profile is None or profile in subject.declaration.profiles
    if not claims or offered is None or golden.operation not in offered.operations:
        return [None] * len(given.each)
    component = Component(subject, spec, profile)
    found: list[Reply] = []
    for _, group in groupby(given.each, key=lambda case: case.config):
        alike = list(group)
        try:
            instance = component(**alike[0].config)
        except (Unsupported, SubjectFailure):
            found += [None] * len(alike)
        else:
            found += [_reply(instance, golden, case) for case in alike]
        component.begin()
    return found


def _reply(instance: Instance, golden: GoldenSet, case: Case) -> Reply:
    try:
        return dict(kept(golden, instance.answer(golden.operation, *case.input.values())))
    except (Unsupported, SubjectFailure):
        return None


def claim(right: Sequence[Reply], given: Sequence[Reply], numbers: Sequence[int]) -> str | None:
    """`all`, or `all but 3, 17`: the cases of which the witness says the same. None if it has no answer to any."""
    if all(reply is None for reply in given):
        return None
    differing = [number for one, other, number in zip(right, given, numbers, strict=True) if one != other]
    return f"{ALL} but {', '.join(map(str, differing))}" if differing else ALL


def unconfirmed(claims: Mapping[str, str], numbers: Sequence[int]) -> list[int]:
    """The cases that nobody confirms."""
    left = set(numbers)
    for each in claims.values():
        left &= {int(number) for number in re.findall(r"\d+", each)}
    return sorted(left)
