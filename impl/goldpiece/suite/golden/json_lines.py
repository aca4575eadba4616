"""JSON values, one a line: how inputs, goldens and lock files are written, so that a reviewer can read a change."""

import json
from collections.abc import Iterable
from pathlib import Path

from goldpiece.errors import FileError
from goldpiece.formats.content import read_content, refuse_what_swells
from goldpiece.formats.strict_json import JSON_COSTS
from goldpiece.suite.values import is_visible

LARGEST = 100_000_000  # bytes of a file


def read_lines(path: Path) -> list[tuple[int, object]]:
    """The values of a file with the numbers of their lines. Raises FileError where one is no JSON."""
    content = read_content(path, LARGEST, "Give the path of a file")
    refuse_what_swells(content, path, JSON_COSTS | {b"\n": 350})
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        raise FileError(path, None, f"byte {error.start} is not UTF-8", "Save the file as UTF-8") from error
    return [(number, value_of(path, number, line)) for number, line in enumerate(text.split("\n"), start=1) if line]


def value_of(path: Path, number: int, line: str) -> object:
    """The value of one line. Raises FileError where it is no JSON."""
    try:
        return json.loads(line, object_pairs_hook=_without_duplicates, parse_constant=_refuse)
    except RecursionError as error:
        raise FileError(path, number, "it is nested too deeply", "Write the file anew") from error
    except ValueError as error:
        raise FileError(path, number, f"it is not JSON ({error})", "Write one JSON value a line") from error


def _without_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice")
    return found


def _refuse(constant: str) -> object:
    raise ValueError(f"{constant} is no JSON")


def render_lines(values: Iterable[object]) -> str:
    """The content of a file: compact JSON, with every character escaped that could be overlooked."""
    return "".join(f"{one_line(value)}\n" for value in values)


def one_line(value: object) -> str:
    """A value as JSON that can be read and leaves nothing invisible."""
    written = json.dumps(value, ensure_ascii=False)
    return "".join(char if is_visible(char) else json.dumps(char)[1:-1] for char in written)
