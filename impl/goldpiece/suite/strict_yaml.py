"""Reads YAML strictly: no duplicate keys, no aliases, no tags, and each value knows the line that it stands on."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import yaml

from goldpiece.errors import FileError
from goldpiece.formats.content import read_content

Raw: TypeAlias = Any  # whatever YAML held, until a schema has validated it
Place: TypeAlias = tuple[str | int, ...]  # the keys and positions that lead to a value

DEEPEST = 30  # levels of nesting
LARGEST = 140_000  # bytes of a file; PyYAML takes up to 14 µs and 450 bytes of memory for each: 63 MB
LONGEST = 40  # characters of what YAML takes for a number or a date


@dataclass
class Document:
    """A YAML file: its data, and where each part of it stands."""

    path: Path
    data: Raw = None
    lines: dict[Place, int] = field(default_factory=dict)
    written: dict[Place, str] = field(default_factory=dict)  # scalars as the file has them

    def error(self, place: Place, problem: str, remedy: str) -> FileError:
        while place not in self.lines and place:
            place = place[:-1]
        return FileError(self.path, self.lines.get(place), problem, remedy)


def read_yaml(path: Path) -> Document:
    """The file at `path`, strictly."""
    try:
        text = read_content(path, LARGEST, "Give the path of a YAML file").decode()
    except UnicodeDecodeError as error:
        raise FileError(path, None, f"byte {error.start} is not UTF-8", "Save the file as UTF-8") from error
    try:
        return _Reader(path, text).document()
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else None
        raise FileError(path, line, f"it is not YAML: {error.problem}", "Mend the syntax") from error
    except yaml.YAMLError as error:
        raise FileError(path, None, f"it is not YAML: {error}", "Write invisible characters as escapes") from error


class _Reader:
    """Makes a document of what a parser meets, in one pass, so that nothing is built of what is refused."""

    def __init__(self, path: Path, text: str) -> None:
        self.path = path
        # libyaml would be faster. It takes no lone surrogates, which specs are about, and tabs that are not YAML.
        self.parser = yaml.SafeLoader(text)
        self.read = Document(path)

    def document(self) -> Document:
        self._next()  # the stream starts
        if isinstance(self._next(), yaml.DocumentStartEvent):
            self.read.data = self._value(self._next(), ())
            self._next()  # the document ends
            if not isinstance(after := self._next(), yaml.StreamEndEvent):
                raise self._error(after, "a second document begins", "Keep one of them")
        return self.read

    def _next(self) -> yaml.Event:
        try:
            event: yaml.Event = self.parser.get_event()  # type: ignore[no-untyped-call]
        except (ValueError, OverflowError) as error:  # as for `"\U00110000"`, which is no character
            problem = f"it names what does not exist: {error}"
            raise FileError(self.path, self.parser.line + 1, problem, "Mend the escape or the number") from error
        if isinstance(event, yaml.AliasEvent):  # aliases multiply
            raise self._error(event, "it uses an alias (*name)", "Write the value out")
        tag: str | None = getattr(event, "tag", None)
        if tag is not None:  # tags make objects, or are passed over; neither is wanted
            raise self._error(event, f"it uses a tag ({tag[:LONGEST]})", "Write the value without it")
        return event

    def _value(self, event: yaml.Event, place: Place) -> Raw:
        if len(place) > DEEPEST:  # PyYAML takes time quadratic in the depth
            raise self._error(event, f"it is nested over {DEEPEST} levels deep", "Flatten it")
        self.read.lines[place] = _line(event)
        if isinstance(event, yaml.MappingStartEvent):
            return self._mapping(place)
        if isinstance(event, yaml.SequenceStartEvent):
            items: list[Raw] = []
            while not isinstance(event := self._next(), yaml.SequenceEndEvent):
                items.append(self._value(event, (*place, len(items))))
            return items
        assert isinstance(event, yaml.ScalarEvent)
        self.read.written[place] = event.value
        return self._scalar(event)

    def _mapping(self, place: Place) -> dict[str, Raw]:
        mapping: dict[str, Raw] = {}
        while not isinstance(event := self._next(), yaml.MappingEndEvent):
            if not isinstance(event, yaml.ScalarEvent):
                raise self._error(event, "a key is a list or a mapping", "Write a text for it")
            key = self._scalar(event)
            if not isinstance(key, str):
                raise self._error(event, f"YAML reads the key `{event.value}` as {key!r}", "Put it in quotes")
            if key in mapping:
                raise self._error(event, f"the key {key!r} stands twice", "Keep one of them")
            mapping[key] = self._value(self._next(), (*place, key))
        return mapping

    def _scalar(self, event: yaml.ScalarEvent) -> Raw:
        """What YAML reads a scalar as. A number of many digits takes time quadratic in them, as `1:0:0:0` does."""
        written = event.value
        tag = self.parser.resolve(yaml.ScalarNode, written, event.implicit)  # type: ignore[no-untyped-call]
        if tag != self.parser.DEFAULT_SCALAR_TAG and len(written) > LONGEST:
            problem = f"YAML reads `{written[:LONGEST]}…` as a number, of over {LONGEST} characters"
            raise self._error(event, problem, "Put it in quotes")
        try:
            return self.parser.construct_object(yaml.ScalarNode(tag, written))
        except (ValueError, OverflowError) as error:  # such as the date 2026-02-30
            problem = f"`{written}` is a value that does not exist: {error}"
            raise self._error(event, problem, "Put it in quotes") from error
        except yaml.constructor.ConstructorError as error:  # `=` and `<<`, which stand for nothing here
            raise self._error(event, f"YAML keeps `{written}` to itself", "Put it in quotes") from error

    def _error(self, event: yaml.Event, problem: str, remedy: str) -> FileError:
        return FileError(self.path, _line(event), problem, remedy)


def _line(event: yaml.Event) -> int:
    assert event.start_mark
    return event.start_mark.line + 1
