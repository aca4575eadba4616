"""Reads YAML strictly: no duplicate keys, no aliases, and each value knows the line that it stands on."""

from collections.abc import Hashable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import yaml

from goldpiece.errors import FileError

Raw: TypeAlias = Any  # whatever YAML held, until a schema has validated it
Place: TypeAlias = tuple[str | int, ...]  # the keys and positions that lead to a value

DEEPEST = 30  # levels of nesting


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
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise FileError(path, None, f"it cannot be read ({error.strerror})", "Give the path of a YAML file") from error
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
    except ValueError as error:  # such as the date 2026-02-30
        raise FileError(path, None, f"it holds a value that does not exist: {error}", "Put it in quotes") from error
    return document


def _refuse_what_explodes(path: Path, text: str) -> None:
    """Aliases multiply, and PyYAML takes time quadratic in the depth of nesting: both are met before they are built."""
    depth = 0
    for event in yaml.parse(text, yaml.SafeLoader):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        line = event.start_mark.line + 1 if event.start_mark else None
        if isinstance(event, yaml.AliasEvent):
            raise FileError(path, line, "it uses an alias (*name)", "Write the value out")
        if depth > DEEPEST:
            raise FileError(path, line, f"it is nested over {DEEPEST} levels deep", "Flatten it")


def _construct(document: Document, loader: yaml.SafeLoader, node: yaml.Node, place: Place) -> Raw:
    document.lines[place] = node.start_mark.line + 1
    if isinstance(node, yaml.MappingNode):
        mapping: dict[Hashable, Raw] = {}
        for key_node, value_node in node.value:
            key = loader.construct_object(key_node, deep=True)
            line = key_node.start_mark.line + 1
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
    return loader.construct_object(node)
