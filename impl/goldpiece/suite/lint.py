"""What is wrong with the specs as a whole, and what covers each clause."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from goldpiece import __version__
from goldpiece.errors import FileError
from goldpiece.suite.golden.cases import inputs_folder, needs_data
from goldpiece.suite.history import IDS, History, read_history
from goldpiece.suite.law import SCOPE, SEED, Law
from goldpiece.suite.loader import load_spec
from goldpiece.suite.mutants import Mutant
from goldpiece.suite.rooms import room
from goldpiece.suite.spec import Clause, Spec


@dataclass(frozen=True)
class Coverage:
    """What stands behind one clause."""

    clause: Clause
    laws: tuple[Law, ...]
    mutants: tuple[Mutant, ...]


def coverage(spec: Spec, laws: Sequence[Law], mutants: Sequence[Mutant]) -> list[Coverage]:
    """For each clause of a spec its laws and mutants."""
    return [
        Coverage(
            clause,
            tuple(law for law in laws if law.clause == clause.id),
            tuple(mutant for mutant in mutants if mutant.breaks == clause.id),
        )
        for clause in spec.clauses
    ]


def lint_file(path: Path) -> tuple[Spec | None, list[FileError]]:
    """What is wrong within one spec file; the spec itself, if it can be read."""
    try:
        spec = load_spec(path)
    except FileError as error:
        return None, [error]
    return spec, [
        *_invisible(path),
        *_twice(spec),
        *_unchecked(spec),
        *_uncovered(spec),
        *_goldens(spec),
        *_needs(spec),
    ]


def lint_together(specs: Sequence[Spec], laws: Sequence[Law], ids: Path) -> list[FileError]:
    """What is wrong between the specs, the laws, the reference, the benchmarks and the list of ids."""
    return [*_ids(specs, ids), *_laws(specs, laws), *_references(specs), *_workloads(specs)]


def _invisible(path: Path) -> Iterator[FileError]:
    text = path.read_text(encoding="utf-8")
    if text != unicodedata.normalize("NFC", text):
        yield FileError(
            path, None, "it holds text that is not composed (NFC)", 'Write decomposed characters as escapes: "e\\u0301"'
        )
    for number, line in enumerate(text.split("\n"), start=1):
        for char in line:
            if char != " " and (not char.isprintable() or unicodedata.category(char).startswith("M")):
                escape = f"\\u{ord(char):04X}" if ord(char) <= 0xFFFF else f"\\U{ord(char):08X}"
                yield FileError(
                    path,
                    number,
                    f"it holds a character that cannot be seen, U+{ord(char):04X}",
                    f'Write it as "{escape}"',
                )


def _twice(spec: Spec) -> Iterator[FileError]:
    for clause_id, count in Counter(clause.id for clause in spec.clauses).items():
        if count > 1:
            second = [clause.line for clause in spec.clauses if clause.id == clause_id][1]
            yield FileError(spec.path, second, f"the id {clause_id} stands twice", "Give each clause its own")


def _unchecked(spec: Spec) -> Iterator[FileError]:
    for clause in spec.clauses:
        if not clause.law and not clause.examples and not clause.golden:
            remedy = "Give it an example, a law or a golden set"
            yield FileError(spec.path, clause.line, f"nothing checks {clause.id}", remedy)
        if _as_numbers(clause.since) > _as_numbers(spec.version):
            problem = f"{clause.id} is of version {clause.since}, and the spec of {spec.version}"
            yield FileError(spec.path, clause.line, problem, "Raise the version of the spec")


def _as_numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def _uncovered(spec: Spec) -> Iterator[FileError]:
    for name in spec.operations.keys() - {clause.operation for clause in spec.clauses}:
        yield FileError(
            spec.path, None, f"no clause covers the operation {name!r}", "Say what it must do, or take it out"
        )


def _goldens(spec: Spec) -> Iterator[FileError]:
    for golden in spec.golden.values():
        named_by = [clause for clause in spec.clauses if golden.name in clause.golden]
        if needs_data(golden) and named_by:
            problem = f"{named_by[0].id} names the golden set {golden.name}, which only some machines can run"
            yield FileError(spec.path, named_by[0].line, problem, "Take it out of the clause: `golden verify` runs it")
        if not needs_data(golden) and not named_by:
            problem = f"no clause names the golden set {golden.name}"
            yield FileError(spec.path, golden.line, problem, "Add it to the `golden` of the clauses that it shows")
        for file in (golden.inputs, golden.vocab):
            if file and not (inputs_folder() / file).is_file():
                problem = f"the golden set {golden.name} reads {file}, which golden/inputs lacks"
                yield FileError(spec.path, golden.line, problem, "Write it there")


def _needs(spec: Spec) -> Iterator[FileError]:
    """A clause needs what stands before it, so that no two need each other."""
    places = {clause.id: place for place, clause in enumerate(spec.clauses)}
    for place, clause in enumerate(spec.clauses):
        for needed in clause.needs:
            if needed not in places:
                remedy = f"There are {', '.join(places)}"
                yield FileError(spec.path, clause.line, f"{clause.id} needs {needed}, which is not here", remedy)
            elif places[needed] >= place:
                problem = f"{clause.id} needs {needed}, which does not stand before it"
                yield FileError(spec.path, clause.line, problem, "Move the one that is needed up, or take it out")


def _ids(specs: Sequence[Spec], ids: Path) -> Iterator[FileError]:
    present = {clause.id: (spec, clause) for spec in specs for clause in spec.clauses}
    history = read_history(ids)
    lines: dict[str, int] = {}
    for entry in history.entries:
        if entry.clause in lines:
            yield FileError(ids, entry.line, f"{entry.clause} stands twice", "Keep the first")
        elif entry.clause not in present:
            problem = f"{entry.clause} has vanished from the specs"
            yield FileError(ids, entry.line, problem, "Ids are for ever: bring it back")
        if entry.version is None:
            yield FileError(ids, entry.line, f"{entry.clause} is under no version", "Write `[version]` above it")
        lines.setdefault(entry.clause, entry.line)
    for clause_id, (spec, clause) in present.items():
        if clause_id not in lines:
            yield FileError(spec.path, clause.line, f"{clause_id} is not in {IDS}", "Append it there")
    yield from _versions(history, ids)


def _versions(history: History, ids: Path) -> Iterator[FileError]:
    latest: tuple[int, ...] = ()
    for version, line in history.headings:
        numbers = _as_numbers(version) if re.fullmatch(r"\d+(\.\d+)*", version) else ()
        if not latest < numbers <= _as_numbers(__version__):
            remedy = f"Versions ascend, up to {__version__}, which is that of Goldpiece"
            yield FileError(ids, line, f"[{version}] is no version, or not in its place", remedy)
        latest = numbers


def _laws(specs: Sequence[Spec], laws: Sequence[Law]) -> Iterator[FileError]:
    with_law = {law.clause for law in laws}
    clauses = {clause.id: clause for spec in specs for clause in spec.clauses}
    for spec in specs:
        for clause in spec.clauses:
            if clause.law and clause.id not in with_law:
                problem = f"{clause.id} promises a law, and properties/ has none"
                yield FileError(
                    spec.path, clause.line, problem, f"Write it in properties/test_{spec.name}.py, or take `law` out"
                )
    known = {SCOPE, SEED, *(spec.name for spec in specs)}
    for law in laws:
        code = law.function.__code__
        for argument in law.arguments:
            if argument not in known:
                problem = f"the law {law.name} takes {argument!r}, which is no component"
                yield FileError(code.co_filename, code.co_firstlineno, problem, f"There are {', '.join(sorted(known))}")
        if law.clause not in clauses:
            yield FileError(
                code.co_filename,
                code.co_firstlineno,
                f"the law {law.name} is of no clause",
                f"There is no {law.clause}",
            )
        elif not clauses[law.clause].law:
            problem = f"{law.clause} does not name its law {law.name}"
            yield FileError(code.co_filename, code.co_firstlineno, problem, "Add `law: true` to the clause")


def _references(specs: Sequence[Spec]) -> Iterator[FileError]:
    for spec in specs:
        try:
            reference = getattr(import_module(f"goldpiece.reference.{spec.name}"), spec.reference)
        except (ImportError, AttributeError):
            problem = f"there is no class goldpiece.reference.{spec.name}.{spec.reference}"
            yield FileError(spec.path, None, problem, "Write it, or mend `reference`")
            continue
        for name in spec.operations:
            if not callable(getattr(reference, name, None)):
                yield FileError(
                    spec.path, None, f"{spec.reference} has no method {name}", "Write it: it is an operation"
                )


def _workloads(specs: Sequence[Spec]) -> Iterator[FileError]:
    """The room `bench` makes what the specs declare, and nothing else."""
    for spec in specs:
        module = f"bench_{spec.name}"
        if not spec.bench and not (room("bench") / f"{module}.py").is_file():
            continue
        try:
            import_module(f"goldpiece.bench.{module}")
        except ModuleNotFoundError:
            line = next(iter(spec.bench.values())).line
            yield FileError(spec.path, line, "nothing makes these workloads", f"Write bench/{module}.py")
        except FileError as error:
            yield error
