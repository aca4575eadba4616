"""Reads specs. A file that cannot be read as a spec is a FileError that names the line and the remedy.

Where text is wanted, nothing passes that YAML takes for something else (`no` is false, `12:30` is 750, `~` is null).
"""

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, cast

from goldpiece.errors import FileError
from goldpiece.suite import values
from goldpiece.suite.kept import parsed
from goldpiece.suite.rooms import room
from goldpiece.suite.spec import (
    BenchWorkload,
    Clause,
    Depth,
    Erratum,
    Example,
    GoldenSet,
    Level,
    Operation,
    Parameter,
    Spec,
    Specs,
)
from goldpiece.suite.strict_yaml import Document, Place, Raw, read_yaml
from goldpiece.suite.values import ShapeError, Type, Value

if TYPE_CHECKING:
    import jsonschema

FIRST_VERSION = "1.0.0"
MOST_ERRORS = 100  # of a schema, from which the first of the file is shown
MOST_POINTS = sys.maxunicode + 1  # code points of all tables of a file


@cache
def load_specs() -> Specs:
    """All specs of this Goldpiece, by name."""
    documents = parsed(spec_files(), _read, [room("spec") / "schema.yaml", Path(__file__)])
    return Specs({spec.name: spec for spec in (_Builder(document).spec() for document in documents)})


def spec_files() -> list[Path]:
    """The files of the specs."""
    paths = sorted(path for path in room("spec").glob("*.yaml") if path.name != "schema.yaml")
    if not paths:
        raise FileError(room("spec"), None, "there is no spec", "Install goldpiece again")
    return paths


def load_spec(path: Path) -> Spec:
    """The spec in one file."""
    return _Builder(_read(path)).spec()


def _read(path: Path) -> Document:
    """The file as a document that follows the schema."""
    document = read_yaml(path)
    _validate(document)
    if document.data["spec"] != path.stem:
        raise document.error(
            ("spec",), f"the spec is called {document.data['spec']!r}", f"Call it {path.stem!r}, as the file is"
        )
    return document


@cache
def _schema() -> "jsonschema.Draft202012Validator":
    import jsonschema  # noqa: PLC0415 (whatever answers for a subject imports this module, and seldom parses a spec)

    schema = read_yaml(room("spec") / "schema.yaml").data
    return jsonschema.Draft202012Validator(schema)


def _validate(document: Document) -> None:
    if document.data is None:
        raise document.error((), "it is empty", "Write a spec; README.md beside the specs says what belongs in one")
    found = islice(_schema().iter_errors(document.data), MOST_ERRORS)
    errors = sorted(found, key=lambda error: document.lines.get(tuple(error.path), 0))
    if not errors:
        refuse_long_repetitions(document)
        return
    error = errors[0]
    place: Place = tuple(error.path)
    if error.validator == "type" and error.validator_value == "string" and place in document.written:
        raise _misread(document, place, error.instance)
    where = "/".join(map(str, place)) or "the file"
    wanted = error.schema.get("description") if isinstance(error.schema, dict) else None
    remedy = f"{where}: {wanted or 'see schema.yaml beside the specs'}"
    raise document.error(place, error.message, remedy)


def refuse_long_repetitions(document: Document) -> None:
    """Before they are written out: a few bytes can stand for more text than there is memory."""
    total = 0
    for place, length in _repetitions((), document.data):
        total += length
        if total > values.LONGEST:
            problem = f"the repetitions up to here make more than {values.LONGEST:,} characters"
            raise document.error(place, problem, "Repeat less often")


def _repetitions(place: Place, written: Raw) -> Iterator[tuple[Place, int]]:
    match written:
        case {"repeat": str(unit), "times": int(times)}:
            yield place, len(unit) * max(0, times)
        case dict():
            for key, value in written.items():
                yield from _repetitions((*place, key), value)
        case list():
            for index, value in enumerate(written):
                yield from _repetitions((*place, index), value)


def _misread(document: Document, place: Place, value: object) -> FileError:
    return document.error(
        place, f"YAML reads `{document.written[place]}` as {value!r}, where text is wanted", "Put it in quotes"
    )


class _Builder:
    """Makes a Spec of a validated document."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.data = document.data
        self.points = 0  # of the tables read so far
        self.operations = {name: self._operation(name, raw) for name, raw in self.data["operations"].items()}
        self.profiles: dict[str, str] = self.data.get("profiles", {})
        self.parameters = {name: self._parameter(name, raw) for name, raw in self.data.get("parameters", {}).items()}
        self.golden = {name: self._golden(name, raw) for name, raw in self.data.get("golden", {}).items()}

    def spec(self) -> Spec:
        return Spec(
            name=self.data["spec"],
            version=self.data["version"],
            title=self.data["title"],
            summary=self.data["summary"],
            reference=self.data["reference"],
            unicode=self.data.get("unicode"),
            sources=self.data["sources"],
            profiles=self.profiles,
            parameters=self.parameters,
            operations=self.operations,
            golden=self.golden,
            bench={name: self._bench(name, raw) for name, raw in self.data.get("bench", {}).items()},
            clauses=tuple(self._clause(index, raw) for index, raw in enumerate(self.data["clauses"])),
            tables={
                name: dict(self._table(("tables", name), raw)) for name, raw in self.data.get("tables", {}).items()
            },
            errata=tuple(Erratum(**raw) for raw in self.data.get("errata", [])),
            definitions=self.data.get("definitions", {}),
            path=self.document.path,
        )

    def _operation(self, name: str, raw: Raw) -> Operation:
        types = {side: {key: Type(written) for key, written in raw[side].items()} for side in ("input", "output")}
        may_lack = raw.get("may_lack", [])
        if may_lack and not set(may_lack) < types["output"].keys():
            problem = f"{name} may lack {', '.join(may_lack)}, of its outputs {', '.join(types['output'])}"
            raise self.document.error(("operations", name), problem, "Name some of them, and not all")
        return Operation(name, raw["says"], types["input"], types["output"], raw.get("errors", {}), frozenset(may_lack))

    def _parameter(self, name: str, raw: Raw) -> Parameter:
        place: Place = ("parameters", name)
        kind = Type(raw["type"])
        required = "default" not in raw
        default = None if required else self._value(kind.accept, raw["default"], (*place, "default"))
        if isinstance(default, int) and default < raw.get("minimum", default):
            raise self.document.error((*place, "default"), f"the default {default} is below the minimum", "Raise it")
        self._distinct(raw.get("profiles", []), (*place, "profiles"))
        profiles = tuple(
            self._known(self.profiles, each, (*place, "profiles"), "profile") for each in raw.get("profiles", [])
        )
        may_be_fixed = raw.get("may_be_fixed", False)
        if may_be_fixed and not required:
            raise self.document.error(place, f"{name} has a default, and may be fixed anyway", "Leave may_be_fixed out")
        return Parameter(
            name,
            kind,
            raw["says"],
            required,
            default,
            raw.get("minimum"),
            raw.get("unit"),
            profiles or None,
            may_be_fixed,
        )

    def _golden(self, name: str, raw: Raw) -> GoldenSet:
        place: Place = ("golden", name)
        operation = self.operations[self._known(self.operations, raw["operation"], (*place, "operation"), "operation")]
        kinds = {each.name: each.type for each in self.parameters.values()} | dict(operation.input)
        what = f"a parameter or an input of {operation.name}"
        profiles = raw.get("profiles", list(self.profiles))
        outputs = raw.get("outputs", list(operation.output))
        return GoldenSet(
            name=name,
            says=raw["says"],
            operation=operation.name,
            inputs=raw.get("inputs"),
            corpus=raw.get("corpus"),
            every=raw.get("every", 1),
            vocab=raw.get("vocab"),
            data_vocab=raw.get("data_vocab"),
            data=raw.get("data"),
            given=self._values(raw.get("given", {}), kinds, (*place, "given"), what),
            outputs=tuple(self._known(operation.output, each, (*place, "outputs"), "output") for each in outputs),
            profiles=tuple(self._known(self.profiles, each, (*place, "profiles"), "profile") for each in profiles),
            line=self.document.lines[place],
        )

    def _bench(self, name: str, raw: Raw) -> BenchWorkload:
        place: Place = ("bench", name)
        kinds = {each.name: each.type for each in self.parameters.values()}
        return BenchWorkload(
            name=name,
            says=raw["says"],
            operation=self._known(self.operations, raw["operation"], (*place, "operation"), "operation"),
            corpus=raw["corpus"],
            given=self._values(raw.get("given", {}), kinds, (*place, "given"), "a parameter"),
            data_vocab=raw.get("data_vocab"),
            long=raw.get("long", False),
            line=self.document.lines[place],
        )

    def _clause(self, index: int, raw: Raw) -> Clause:
        place: Place = ("clauses", index)
        if not raw["id"].startswith(f"{self.data['spec']}."):
            raise self.document.error(
                (*place, "id"), f"the id {raw['id']!r} is of another spec", f"Begin it with {self.data['spec']}."
            )
        profiles = raw.get("profiles", list(self.profiles))
        self._distinct(profiles, (*place, "profiles"))
        if "operation" not in raw and len(self.operations) > 1:
            raise self.document.error(place, f"{raw['id']} does not say which operation it is about", "Add `operation`")
        operation = raw.get("operation", next(iter(self.operations)))
        self._known(self.data["sources"], raw["source"], (*place, "source"), "source")
        return Clause(
            id=raw["id"],
            level=Level(raw["level"]),
            says=raw["says"],
            profiles=tuple(self._known(self.profiles, each, (*place, "profiles"), "profile") for each in profiles),
            since=raw.get("since", FIRST_VERSION),
            source=raw["source"],
            operation=self._known(self.operations, operation, (*place, "operation"), "operation"),
            law=raw.get("law", False),
            golden=tuple(
                self._known(self.golden, each, (*place, "golden"), "golden set") for each in raw.get("golden", [])
            ),
            examples=tuple(
                self._example((*place, "examples", position), each, self.operations[operation], position + 1, profiles)
                for position, each in enumerate(raw.get("examples", []))
            ),
            reports=tuple(raw.get("reports", [])),
            needs=tuple(raw.get("needs", [])),
            power=raw.get("power", ""),
            line=self.document.lines[place],
        )

    def _example(self, place: Place, raw: Raw, operation: Operation, number: int, profiles: list[str]) -> Example:
        given, expect = raw["given"], raw["expect"]
        kinds = {name: parameter.type for name, parameter in self.parameters.items()} | dict(operation.input)
        values = self._values(given, kinds, (*place, "given"), f"a parameter or an input of {operation.name}")
        for name, parameter in self.parameters.items():
            if parameter.required and name not in given:
                raise self.document.error((*place, "given"), f"the parameter {name!r} is missing", f"Give {name}")
        for name in operation.input:
            if name not in given:
                raise self.document.error((*place, "given"), f"the input {name!r} is missing", f"Give {name}")
        if "source" in raw:
            self._known(self.data["sources"], raw["source"], (*place, "source"), "source")
        error = expect.get("error")
        if error is not None and (len(expect) > 1 or not isinstance(error, str)):
            raise self.document.error(
                (*place, "expect"), "an error has a name, and no outputs", "Expect one or the other"
            )
        if error is None:
            output = self._values(expect, operation.output, (*place, "expect"), f"an output of {operation.name}")
            for name in operation.output:
                if name not in expect:
                    raise self.document.error((*place, "expect"), f"the output {name!r} is missing", f"Give {name}")
        else:
            self._known(operation.errors, error, (*place, "expect"), "error")
        return Example(
            number=number,
            config={name: value for name, value in values.items() if name in self.parameters},
            input={
                name: values[name] for name in operation.input
            },  # in the operation's order, whatever that of the file
            output=None if error else output,
            error=error,
            profile=self._known(dict.fromkeys(profiles), raw["profile"], (*place, "profile"), "profile")
            if "profile" in raw
            else None,
            depth=Depth(raw.get("depth", Depth.QUICK)),
            why=raw.get("why", ""),
        )

    def _values(self, raw: Raw, kinds: Mapping[str, Type], place: Place, what: str) -> dict[str, Value]:
        for name in raw:
            if name not in kinds:
                raise self.document.error((*place, name), f"{name!r} is not {what}", f"There are {', '.join(kinds)}")
        values = {name: self._value(kinds[name].expand, written, (*place, name)) for name, written in raw.items()}
        for name, value in values.items():
            parameter = self.parameters.get(name)
            if parameter and isinstance(value, int) and parameter.minimum is not None and value < parameter.minimum:
                raise self.document.error((*place, name), f"{name} is {value}", f"It is {parameter.minimum} at least")
            if parameter and kinds[name].written == "list of token":
                self._distinct(cast(list[str], value), (*place, name))
        return values

    def _distinct(self, tokens: list[str], place: Place) -> None:
        seen: set[str] = set()
        for index, token in enumerate(tokens):
            if token in seen:
                raise self.document.error((*place, index), f"the entry {token!r} stands twice", "Keep one of them")
            seen.add(token)

    def _value(self, read: Callable[[object], Value], written: Raw, place: Place) -> Value:
        try:
            return read(written)
        except ShapeError as error:
            for inner in self._scalars_under(place):
                if not isinstance(self._at(inner), str) and str(error).endswith(("text", "token")):
                    raise _misread(self.document, inner, self._at(inner)) from error
            raise self.document.error(place, str(error), "Write a value of that type") from error

    def _scalars_under(self, place: Place) -> Iterator[Place]:
        under = (inner for inner in self.document.written if inner[: len(place)] == place)
        return (inner for inner in under if inner[-1] != "times")  # which is a number by right

    def _at(self, place: Place) -> Raw:
        value = self.data
        for step in place:
            value = value[step]
        return value

    def _known(self, names: Mapping[str, object], name: str, place: Place, what: str) -> str:
        if name not in names:
            known = ", ".join(names) or "none"
            raise self.document.error(place, f"there is no {what} {name!r}", f"There are {known}")
        return name

    def _table(self, place: Place, raw: Raw) -> Iterator[tuple[str, tuple[int, ...]]]:
        for profile, ranges in raw.items():
            if profile != "says":
                self._known(self.profiles, profile, (*place, profile), "profile")
                for item in ranges.split():
                    if not _points(item) or _points(item)[-1] > sys.maxunicode:
                        problem = f"there are no code points {item}"
                        raise self.document.error((*place, profile), problem, "Give first and last, up to U+10FFFF")
                    self.points += len(_points(item))
                    if self.points > MOST_POINTS:
                        problem = f"the tables hold over {MOST_POINTS:,} code points together"
                        raise self.document.error((*place, profile), problem, "Name each of them once")
                yield profile, tuple(point for item in ranges.split() for point in _points(item))


def _points(item: str) -> range:
    """The code points of `U+0041-U+005A`."""
    first, *last = (int(point, 16) for point in re.findall("[0-9A-F]+", item.replace("U+", " ")))
    return range(first, (last or [first])[0] + 1)
