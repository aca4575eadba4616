"""Keeps goldens: finds what is missing, orphaned or changed, and records anew.

What should be there follows from the specs, and never from which tests ran.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import goldpiece
from goldpiece.errors import HarnessError, UsageError
from goldpiece.suite.data import DataMissing
from goldpiece.suite.golden.cases import cases, inputs_folder
from goldpiece.suite.golden.recorded import (
    Header,
    Recorded,
    given_of,
    golden_path,
    read_recorded,
    write_recorded,
)
from goldpiece.suite.golden.witnesses import claim, is_here, replies, unconfirmed, witnesses
from goldpiece.suite.rooms import room
from goldpiece.suite.spec import GoldenSet, Spec, Specs
from goldpiece.suite.subjects.ready import HAVE_IT
from goldpiece.suite.subjects.reference import reference
from goldpiece.suite.values import Value


@dataclass(frozen=True)
class Entry:
    """One golden that there should be: a set under one profile."""

    spec: Spec
    golden: GoldenSet
    profile: str | None

    @property
    def name(self) -> str:
        """`normalizer/sentences`"""
        return f"{self.spec.name}/{self.golden.name}"

    @property
    def title(self) -> str:
        """`normalizer/sentences [hf]`"""
        return self.name + (f" [{self.profile}]" if self.profile else "")

    @property
    def path(self) -> Path:
        return golden_path(self.spec, self.golden, self.profile)


@dataclass(frozen=True)
class Change:
    """A case that is not what was recorded. `was` is None for a new one, `now` for one that has gone."""

    given: Mapping[str, Value]
    was: Mapping[str, Value] | None
    now: Mapping[str, Value] | None

    @property
    def is_behaviour(self) -> bool:
        """Whether the same input gives something else."""
        return self.was is not None and self.now is not None


@dataclass(frozen=True)
class Comparison:
    """A golden as it is recorded, and as it is now."""

    entry: Entry
    recorded: Recorded | None
    now: Recorded | None  # None where it cannot be run here
    problems: tuple[str, ...]
    changes: tuple[Change, ...]
    not_run: str | None = None

    @property
    def is_right(self) -> bool:
        return not self.problems and not self.changes


def entries(specs: Specs, components: Sequence[str] = ()) -> list[Entry]:
    """Every golden that there should be, or those of some components."""
    chosen = [specs.named(name) for name in components] or list(specs)
    return [
        Entry(spec, golden, profile) for spec in chosen for golden in spec.golden.values() for profile in golden.rows
    ]


def orphans(specs: Specs) -> list[Path]:
    """Files of golden/ that no spec asks for."""
    wanted = {entry.path for entry in entries(specs)}
    sets = [entry.golden for entry in entries(specs)]
    wanted |= {inputs_folder() / name for golden in sets for name in (golden.inputs, golden.vocab) if name}
    found = (path for path in room("golden").rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return sorted(path for path in found if path not in wanted and path.name not in ("README.md", "__init__.py"))


def compare(specs: Specs, wanted: Sequence[Entry], done: Callable[[Entry], None]) -> list[Comparison]:
    """Each golden beside what the reference and the witnesses give now. `done` is told of each."""
    found = []
    for entry in wanted:
        found.append(_compare(specs, entry))
        done(entry)
    return found


def _compare(specs: Specs, entry: Entry) -> Comparison:
    try:
        now = record(specs, entry)
    except DataMissing as reason:
        return Comparison(entry, None, None, (), (), str(reason))
    if not entry.path.is_file():
        changes = [Change(given, None, gives) for given, gives in zip(now.given, now.gives, strict=True)]
        return Comparison(entry, None, now, ("it is missing: `goldpiece golden update` records it",), tuple(changes))
    recorded = read_recorded(entry.path)
    return Comparison(entry, recorded, now, tuple(_problems(entry, recorded, now)), tuple(_changes(recorded, now)))


def record(specs: Specs, entry: Entry) -> Recorded:
    """What the reference gives now, and who confirms it. Raises DataMissing."""
    spec, golden = entry.spec, entry.golden
    given = cases(spec, golden)
    numbers = [case.number for case in given.each]
    right = replies(reference(specs), spec, entry.profile, golden, given)
    gives = [reply for reply in right if reply is not None]
    if len(gives) < len(right):
        raise HarnessError(f"the reference gives nothing for case {numbers[right.index(None)]} of {entry.title}")
    claims = {
        name: claim(right, replies(witness, spec, entry.profile, golden, given), numbers)
        for name, witness in witnesses(specs).items()
    }
    header = Header(
        golden=entry.name,
        profile=entry.profile,
        version=spec.version,
        operation=golden.operation,
        inputs=given.digest,
        vocab=given.fingerprint,
        generator=f"goldpiece {goldpiece.__version__}",
        confirmed_by={name: said for name, said in claims.items() if said},
    )
    return Recorded(header, tuple(given_of(golden, case) for case in given.each), tuple(gives))


def _problems(entry: Entry, recorded: Recorded, now: Recorded) -> Iterator[str]:
    was, is_ = recorded.header, now.header
    if (was.golden, was.profile, was.operation) != (is_.golden, is_.profile, is_.operation):
        yield f"it is the golden of {was.golden}, operation {was.operation}, profile {was.profile}"
    if was.version != is_.version:
        yield f"it was recorded for version {was.version} of the spec, which is {is_.version} now"
    if (was.inputs, was.vocab) != (is_.inputs, is_.vocab):
        yield "what its cases are given has changed since it was recorded"
    says_now = {witness.partition(" ")[0]: says for witness, says in is_.confirmed_by.items()}
    for name, said in was.confirmed_by.items():
        witness = name.partition(" ")[0]
        if is_here(witness) and says_now.get(witness, "none") != said:
            yield f"{name} confirmed {said} of its cases, and now confirms {says_now.get(witness, 'none')}"
    if left := unconfirmed(was.confirmed_by, [case.number for case in cases(entry.spec, entry.golden).each]):
        numbers = ", ".join(map(str, left[:10])) + (f" and {len(left) - 10} more" if len(left) > 10 else "")
        yield f"nobody confirms its case{'s' * (len(left) > 1)} {numbers}"


def _changes(recorded: Recorded, now: Recorded) -> Iterator[Change]:
    before = {str(given): gives for given, gives in zip(recorded.given, recorded.gives, strict=True)}
    for given, gives in zip(now.given, now.gives, strict=True):
        was = before.pop(str(given), None)
        if was != gives:
            yield Change(given, was, gives)
    for given, was in zip(recorded.given, recorded.gives, strict=True):
        if str(given) in before:
            yield Change(given, was, None)


def refused(comparisons: Sequence[Comparison]) -> list[str]:
    """The specs whose version says that nothing has changed, although the same input gives something else."""
    found = {
        each.entry.spec.name: f"{each.entry.spec.name} is still {each.entry.spec.version}"
        for each in comparisons
        if each.recorded
        and each.recorded.header.version == each.entry.spec.version
        and any(change.is_behaviour for change in each.changes)
    }
    return list(found.values())


def update(comparisons: Sequence[Comparison], same_version: bool) -> list[Entry]:
    """Writes the goldens that are not what they should be, all or none.

    Raises UsageError where behaviour changed and the spec's version did not, unless `same_version` says that what was
    recorded was wrong, and where the witness is missing that could confirm what would be written.
    """
    stale = [each for each in comparisons if each.now and not (each.is_right and _same(each.recorded, each.now))]
    if stale and not HAVE_IT:
        raise UsageError("nobody is here to confirm what would be recorded: install the extra `peers` first")
    if not same_version and (refusals := refused(comparisons)):
        raise UsageError(
            f"behaviour has changed, and the version of {'; '.join(refusals)}: raise the version in the spec, or say "
            "--same-version if what was recorded was wrong"
        )
    for each in stale:
        assert each.now
        write_recorded(each.entry.path, each.now)
    return [each.entry for each in stale]


def _same(recorded: Recorded | None, now: Recorded) -> bool:
    """Whether a file would say the same; who generated it matters only when it is written anyway."""
    return recorded is not None and replace(recorded.header, generator=now.header.generator) == now.header
