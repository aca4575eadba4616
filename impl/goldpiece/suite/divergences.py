"""Declared divergences: where a subject is known to part from a clause, why, and the input that shows it.

A file holds a list:

    - clause: wordpiece.length-limit
      profile: hf            # only where the spec has profiles
      reason: It counts bytes.
      link: where to read more
      given: {vocab: ["[UNK]", é], word: é, max_input_chars: 1}
      actual: {pieces: ["[UNK]"]}

A clause that fails is `diverges` as long as the example gives what is declared. What breaks the subject, so that the
clause errors, is declared by the report's words: `actual: {failed: "it raised IndexError: list index out of range"}`.
A declaration that shows nothing any more is stale, and fails.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from goldpiece.errors import FileError, UsageError
from goldpiece.suite.component import Component, Disagreement
from goldpiece.suite.loader import refuse_long_repetitions
from goldpiece.suite.rooms import room
from goldpiece.suite.spec import Specs
from goldpiece.suite.strict_yaml import Document, Place, Raw, read_yaml
from goldpiece.suite.subject import Subject, SubjectFailure, Unsupported
from goldpiece.suite.subjects import KINDS, NAMED
from goldpiece.suite.values import ShapeError, Value, abridged, show
from goldpiece.suite.verdict import Counterexample, Outcome, Row, Verdict

KEYS = {"clause", "profile", "reason", "link", "given", "actual"}


@dataclass(frozen=True)
class Divergence:
    """One clause that a subject is known not to keep."""

    clause: str
    profile: str | None
    reason: str
    link: str
    given: Mapping[str, Value]
    actual: Mapping[str, Value]  # outputs by name, or `error` with the name of one, or `failed` with what happened
    place: str  # file and line

    @property
    def excuses(self) -> set[Verdict]:
        """The verdicts that are as declared: a break only where one is."""
        return {Verdict.FAILS, Verdict.ERRORS} if "failed" in self.actual else {Verdict.FAILS}


def declared_for(subject: str) -> Path | None:
    """The divergences that ship with Goldpiece for a subject that has a name, or for all of a kind, as `hf:PATH`."""
    kind, _, path_or_attribute = subject.partition(":")
    if subject in NAMED:
        kind = subject.replace(":", "-")
    elif path_or_attribute and kind not in KINDS:
        return None
    elif kind in NAMED:  # a file of its has a vocabulary that no declaration of its own chooses
        kind = f"{kind}-files"
    path = room("properties") / "divergences" / f"{kind}.yaml"
    return path if path.is_file() else None


def read_divergences(path: Path, specs: Specs) -> list[Divergence]:
    """The divergences that a file declares."""
    document = read_yaml(path)
    if not isinstance(document.data, list):
        raise FileError(path, 1, "it is no list of divergences", "Begin each with `- clause: …`")
    refuse_long_repetitions(document)
    found = [_read(document, (index,), raw, specs) for index, raw in enumerate(document.data)]
    first: dict[tuple[str, str | None], Divergence] = {}
    for index, each in enumerate(found):
        before = first.setdefault((each.clause, each.profile), each)
        if before is not each:  # one would hide the other
            problem = f"{each.clause} is declared twice, first at {before.place}"
            raise document.error((index,), problem, "Keep one, whose example is true of all that is known")
    return found


def _read(document: Document, place: Place, raw: Raw, specs: Specs) -> Divergence:
    if not isinstance(raw, dict) or not KEYS >= raw.keys() >= KEYS - {"profile", "link"}:
        raise document.error(
            place, "it is no divergence", f"Give {', '.join(sorted(KEYS))}; profile and link may be missing"
        )
    for key in ("clause", "profile", "reason", "link"):
        if not isinstance(raw.get(key, ""), str):
            raise document.error((*place, key), f"{key} is {show(raw[key])}, and not text", "Put it in quotes")
    for key in ("given", "actual"):
        if not isinstance(raw[key], dict):
            raise document.error((*place, key), f"{key} is {show(raw[key])}", "Give values by their names")
    try:
        clause = specs.clause(raw["clause"])
    except UsageError as error:
        raise document.error((*place, "clause"), str(error), "Name one of them") from error
    spec = next(spec for spec in specs if clause in spec.clauses)
    operation = spec.operations[clause.operation]
    kinds = {name: parameter.type for name, parameter in spec.parameters.items()} | dict(operation.input)
    if raw.get("profile") not in clause.rows:
        raise document.error(place, f"{clause.id} has no profile {raw.get('profile')!r}", f"There are {clause.rows}")
    try:
        given = {name: kinds[name].expand(value) for name, value in raw["given"].items()}
        if missing := [name for name in operation.input if name not in given]:
            raise KeyError(missing[0])
    except (KeyError, ShapeError) as error:
        raise document.error(
            (*place, "given"), f"it is no input of {operation.name}: {error}", "See the spec"
        ) from error
    needed, known = operation.output.keys() - operation.may_lack, operation.output.keys()
    if raw["actual"].keys() not in ({"error"}, {"failed"}) and not needed <= raw["actual"].keys() <= known:
        names = ", ".join([*operation.output, "or error", "or failed"])
        raise document.error((*place, "actual"), f"it is no output of {operation.name}", f"Give {names}")
    return Divergence(
        clause.id,
        raw.get("profile"),
        raw["reason"],
        raw.get("link", ""),
        given,
        raw["actual"],
        f"{document.path.name}:{document.lines[place]}",
    )


def judge(rows: Sequence[Row], declared: Sequence[Divergence], subject: Subject, specs: Specs) -> tuple[Row, ...]:
    """The rows, in which clauses that fail as declared diverge, and stale declarations fail."""
    by_row = {(each.clause, each.profile): each for each in declared}
    return tuple(
        _judged(row, by_row[row.clause, row.profile], subject, specs) if (row.clause, row.profile) in by_row else row
        for row in rows
    )


def _judged(row: Row, divergence: Divergence, subject: Subject, specs: Specs) -> Row:
    given, actual = what_it_shows(divergence, subject, specs)
    blank = Outcome(row.clause, row.profile, "divergence", f"divergence {divergence.place}", Verdict.DIVERGES)
    if row.verdict in divergence.excuses and actual == divergence.actual:
        failing = (outcome.verdict in divergence.excuses for outcome in row.outcomes)
        outcomes = [
            replace(outcome, verdict=Verdict.DIVERGES) if fails else outcome
            for outcome, fails in zip(row.outcomes, failing, strict=True)
        ]
        reason = f"{divergence.reason} {divergence.link}".strip()
        return replace(row, outcomes=(replace(blank, reason=reason), *outcomes))
    if row.verdict in (Verdict.HOLDS, Verdict.FAILS):
        note = "the declaration is stale: " + (
            "the clause holds" if row.verdict is Verdict.HOLDS else f"its example gives {show(actual)}"
        )
        shown = Counterexample([given], abridged(divergence.actual), abridged(actual), note)
        return replace(row, outcomes=(replace(blank, verdict=Verdict.FAILS, counterexample=shown), *row.outcomes))
    return row


def what_it_shows(divergence: Divergence, subject: Subject, specs: Specs) -> tuple[dict[str, object], Value]:
    """The declared input, and what the subject makes of it now: in a fresh process, where earlier calls count."""
    shown = _shown(divergence, subject, specs)
    return shown if shown[1] == divergence.actual or not subject.restart() else _shown(divergence, subject, specs)


def _shown(divergence: Divergence, subject: Subject, specs: Specs) -> tuple[dict[str, object], Value]:
    clause = specs.clause(divergence.clause)
    spec = next(spec for spec in specs if clause in spec.clauses)
    config = {name: value for name, value in divergence.given.items() if name in spec.parameters}
    inputs = {name: divergence.given[name] for name in spec.operations[clause.operation].input}
    given: dict[str, object] = {"config": abridged(config), "operation": clause.operation, "input": abridged(inputs)}
    component = Component(subject, spec, divergence.profile)
    try:
        return given, dict(component(**config).answer(clause.operation, *inputs.values()))
    except SubjectFailure as problem:
        return given, {"failed": str(problem)}
    except (Disagreement, Unsupported) as problem:
        return given, str(problem)
    finally:
        component.end()
