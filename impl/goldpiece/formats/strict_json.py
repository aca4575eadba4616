"""JSON that is read part by part, each of which knows its place: what is wrong is named with where it stands."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from goldpiece.errors import FileError
from goldpiece.formats.content import refuse_what_swells
from goldpiece.formats.vocab_txt import LONGEST, NotUtf8

# Bytes of memory: an item is a value and a place in a list; a pair is a key besides, a tuple while it is read, and a
# place in a dictionary that grows.
JSON_COSTS = {b",": 100, b":": 200, b"[": 120, b"{": 300}

LARGEST = 2**64 - 1  # of an integer, as other programs count


class NotJson(FileError):
    """The content of a file is no JSON, or its texts are none."""


class DuplicateKey(FileError):
    """An object has two values for one key."""


class MissingKey(FileError):
    """An object lacks a key."""


class WrongType(FileError):
    """A value is of another type than stands at its place."""


class UnsupportedPart(FileError):
    """A part that Goldpiece does not do, and that it would change what the file means to leave out."""


class Contradiction(FileError):
    """Two parts do not agree."""


class _Repeating(dict[str, object]):
    """An object in which a key stands twice. What it holds is not looked at."""

    key = ""


@dataclass(frozen=True)
class Part:
    """A value within a JSON file: its place is written as `model.vocab` or `added_tokens[3].id`."""

    value: object
    file: Path | str
    place: str = ""

    def fields(self, *keys: str) -> Mapping[str, "Part"]:
        """The parts of an object with just these keys.

        Raises WrongType, DuplicateKey, MissingKey, and UnsupportedPart for a key that is not among them.
        """
        values = self.mapping()
        for key in keys:
            if key not in values:
                problem = f"{self._named(key)} is missing"
                raise MissingKey(self.file, None, problem, "Add it, or save the file anew with what made it")
        for key, part in self.entries():
            if key not in keys:
                raise part.unsupported("has no known meaning", "Take it out")
        return dict(self.entries())

    def entries(self) -> Iterator[tuple[str, "Part"]]:
        """The keys of an object with their parts. Raises what `mapping` raises."""
        for key, value in self.mapping().items():
            yield key, Part(value, self.file, self._named(key))

    def mapping(self) -> Mapping[str, object]:
        """The values of an object by key. Raises WrongType, DuplicateKey and, for a key that is no text, NotJson."""
        if isinstance(self.value, _Repeating):
            problem = f"{self._named(self.value.key)} stands twice"
            raise DuplicateKey(self.file, None, problem, "Take out the one that does not count")
        if not isinstance(self.value, dict):
            raise self._mismatch("an object")
        for key in self.value:
            self._refuse_surrogates(key)
        return self.value

    def items(self) -> "Iterator[Part]":
        """The parts of a list. Raises WrongType."""
        if not isinstance(self.value, list):
            raise self._mismatch("a list")
        for number, value in enumerate(self.value):
            yield Part(value, self.file, f"{self.place}[{number}]")

    def text(self) -> str:
        """Raises WrongType, and NotJson for a lone surrogate."""
        if not isinstance(self.value, str):
            raise self._mismatch("a text")
        self._refuse_surrogates(self.value)
        return self.value

    def boolean(self) -> bool:
        """Raises WrongType."""
        if not isinstance(self.value, bool):
            raise self._mismatch("true or false")
        return self.value

    def integer(self) -> int:
        """One that is not negative. Raises WrongType."""
        if not isinstance(self.value, int) or isinstance(self.value, bool) or not 0 <= self.value <= LARGEST:
            raise self._mismatch("an integer from 0 to 2^64 - 1")
        return self.value

    def at(self, key: str) -> "Part":
        """The part of an object under one of its keys."""
        return Part(self.mapping()[key], self.file, self._named(key))

    def unsupported(self, problem: str, remedy: str) -> UnsupportedPart:
        """What is raised of this part."""
        return UnsupportedPart(self.file, None, f"{self.place or 'the file'} {problem}, which is unsupported", remedy)

    def contradiction(self, problem: str, remedy: str) -> Contradiction:
        """What is raised of this part."""
        return Contradiction(self.file, None, f"{self.place} {problem}", remedy)

    def _named(self, key: str) -> str:
        if not (key.isidentifier() and key.isascii() and len(key) <= LONGEST):
            return f"{self.place}[{_shown(key)}]"
        return f"{self.place}.{key}" if self.place else key

    def _mismatch(self, wanted: str) -> WrongType:
        problem = f"{self.place or 'the file'} is {_shown(self.value)}, and not {wanted}"
        return WrongType(self.file, None, problem, "Save the file anew with what made it")

    def _refuse_surrogates(self, text: str) -> None:
        if not text.isascii() and any("\ud800" <= char <= "\udfff" for char in text):
            problem = f"{self.place or 'the file'} holds a lone surrogate, in {_shown(text)}"
            raise NotJson(self.file, None, problem, "Replace it, perhaps with U+FFFD")


def parse(content: bytes, name: Path | str) -> Part:
    """The whole of a JSON file. Raises NotUtf8 and NotJson; `name` is what they call the file.

    Raises FileError for one of which far more would be made than it is.
    """
    refuse_what_swells(content, name, JSON_COSTS)
    try:
        return Part(json.loads(content.decode(), object_pairs_hook=_object, parse_constant=_refuse_constant), name)
    except UnicodeDecodeError as error:
        problem = f"byte {error.start} of the file, 0x{content[error.start]:02x}, is not UTF-8"
        raise NotUtf8(name, content.count(b"\n", 0, error.start) + 1, problem, "Save the file as UTF-8") from error
    except json.JSONDecodeError as error:
        problem = f"it is no JSON ({error.msg}, column {error.colno})"
        raise NotJson(name, error.lineno, problem, "Save the file anew with what made it") from error
    except ValueError as error:  # NaN, or an integer of thousands of digits
        raise NotJson(name, None, f"it is no JSON ({error})", "Save the file anew with what made it") from error
    except RecursionError as error:
        raise NotJson(name, None, "its parts lie too deep within each other", "Give another file") from error


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    seen: set[str] = set()
    repeating = _Repeating()
    repeating.key = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
    return repeating


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no number of JSON")


def _shown(value: object) -> str:
    """A value for a message: containers may be huge, and numbers may have thousands of digits."""
    match value:
        case str():
            return json.dumps(value[:LONGEST]) + ("…" if len(value) > LONGEST else "")
        case dict():
            return "an object"
        case list():
            return "a list"
        case None | bool():
            return json.dumps(value)
        case float():
            return repr(value)
    return f"{value}"[:LONGEST]
