"""Reads YAML strictly: no duplicate keys, no aliases, no tags, and each value knows the line that it stands on."""

from collections.abc import Hashable, Iterator
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
    document = Document(path)
    try:
        _refuse_what_explodes(path, text)
        loader = yaml.SafeLoader(text)
        node = loader.get_single_node()
        document.data = _construct(document, loader, node, ()) if node else None
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else None
        raise FileError(path, line, f"it is not YAML: {error.problem}", "Mend the syntax") from error
    except yaml.YAMLError as error:
        raise FileError(path, None, f"it is not YAML: {error}", "Write invisible characters as escapes") from error
    return document


def _refuse_what_explodes(path: Path, text: str) -> None:
    """Aliases multiply, and PyYAML takes time quadratic in the depth of nesting: both are met before they are built.

    Tags make objects, or are passed over; neither is wanted.
    """
    depth = 0
    for event in _events(path, text):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        line = event.start_mark.line + 1 if event.start_mark else None
        if isinstance(event, yaml.AliasEvent):
            raise FileError(path, line, "it uses an alias (*name)", "Write the value out")
        tag: str | None = getattr(event, "tag", None)
        if tag is not None:
            raise FileError(path, line, f"it uses a tag ({tag[:LONGEST]})", "Write the value without it")
        if depth > DEEPEST:
            raise FileError(path, line, f"it is nested over {DEEPEST} levels deep", "Flatten it")


def _events(path: Path, text: str) -> Iterator[yaml.Event]:
    parser = yaml.SafeLoader(text)
    try:
        while parser.check_event():
            yield parser.get_event()  # type: ignore[no-untyped-call]
    except (ValueError, OverflowError) as error:  # as for `"\U00110000"`, which is no character
        problem = f"it names what does not exist: {error}"
        raise FileError(path, parser.line + 1, problem, "Mend the escape or the number") from error


def _construct(document: Document, loader: yaml.SafeLoader, node: yaml.Node, place: Place) -> Raw:
    document.lines[place] = node.start_mark.line + 1
    if isinstance(node, yaml.MappingNode):
        mapping: dict[Hashable, Raw] = {}
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            if not isinstance(key_node, yaml.ScalarNode):
                raise FileError(document.path, line, "a key is a list or a mapping", "Write a text for it")
            key = _scalar(document, loader, key_node)
            if not isinstance(key, str):
                raise FileError(
                    document.path, line, f"YAML reads the key `{key_node.value}` as {key!r}", "Put it in quotes"
                )
            if key in mapping:
                raise FileError(document.path, line, f"the key {key!r} stands twice", "Keep one of them")
            mapping[key] = _construct(document, loader, value_node, (*place, key))
        return mapping
    if isinstance(node, yaml.SequenceNode):
        return [_construct(document, loader, item, (*place, index)) for index, item in enumerate(node.value)]
    document.written[place] = node.value
    return _scalar(document, loader, node)


def _scalar(document: Document, loader: yaml.SafeLoader, node: yaml.Node) -> Raw:
    """What YAML reads a scalar as. A number of many digits takes time quadratic in them, as `1:0:0:0` does."""
    line = node.start_mark.line + 1
    if node.tag != loader.DEFAULT_SCALAR_TAG and len(node.value) > LONGEST:
        problem = f"YAML reads `{node.value[:LONGEST]}…` as a number, of over {LONGEST} characters"
        raise FileError(document.path, line, problem, "Put it in quotes")
    try:
        return loader.construct_object(node)
    except (ValueError, OverflowError) as error:  # such as the date 2026-02-30
        problem = f"`{node.value}` is a value that does not exist: {error}"
        raise FileError(document.path, line, problem, "Put it in quotes") from error
    except yaml.constructor.ConstructorError as error:  # `=` and `<<`, which stand for nothing here
        raise FileError(document.path, line, f"YAML keeps `{node.value}` to itself", "Put it in quotes") from error
