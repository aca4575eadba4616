"""What laws and subjects exchange: JSON values, their types as specs write them, and how they are shown."""

import json
import unicodedata
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from math import isfinite
from typing import TypeAlias, TypeGuard

Value: TypeAlias = "bool | int | float | str | Sequence[Value] | Mapping[str, Value] | None"


LONGEST = 5 * 10**7  # characters of all texts that a file writes as repetitions


_PLAIN: Mapping[str, type] = {"text": str, "token": str, "boolean": bool, "integer": int}


class ShapeError(TypeError):
    """A value that is not of the type that a spec states; the message says what it is and what was stated."""


@dataclass(frozen=True)
class Type:
    """A type as specs write it: `text`, `token`, `integer`, `number`, `boolean`, or one behind `optional`, `list of`.

    A number is finite; an integer is one as well.
    """

    written: str

    @cached_property
    def item(self) -> "Type | None":
        """The type behind `list of`."""
        return Type(self.written.removeprefix("list of ")) if self.written.startswith("list of ") else None

    @cached_property
    def plain(self) -> Set[type]:
        """The class whose values are of this type as they are, if there is one."""
        return {_PLAIN[self.written]} if self.written in _PLAIN else frozenset()

    def accept(self, value: object) -> Value:
        """`value` as plain JSON: tuples become lists. Raises ShapeError where it is not of this type."""
        if self.written.startswith("optional "):
            return None if value is None else Type(self.written.removeprefix("optional ")).accept(value)
        if self.item:
            if not isinstance(value, list | tuple):
                raise self._mismatch(value)
            items = list(value)
            # Long lists are met often, and nearly all hold what is plain already.
            return items if set(map(type, items)) == self.item.plain else [self.item.accept(each) for each in items]
        # A subclass may compare, or convert itself, in its own way; what is compared is plain.
        if self.written in ("text", "token") and isinstance(value, str):
            return str.__str__(value)
        if self.written == "boolean" and isinstance(value, bool):
            return value
        if self.written == "integer" and isinstance(value, int) and not isinstance(value, bool):
            return int.__int__(value)
        if self.written == "number" and _is_finite(value):
            return float(value)
        raise self._mismatch(value)

    def expand(self, written: object) -> Value:
        """A value as specs write it: like `accept`, but a text may be `{repeat: x, times: 101}`."""
        if self.written.startswith("optional ") and written is not None:
            return Type(self.written.removeprefix("optional ")).expand(written)
        if self.item and isinstance(written, list):
            return [self.item.expand(each) for each in written]
        if self.written in ("text", "token") and isinstance(written, dict) and set(written) == {"repeat", "times"}:
            unit, times = written["repeat"], written["times"]
            if isinstance(unit, str) and isinstance(times, int) and 0 <= times <= LONGEST // max(1, len(unit)):
                return unit * times
        return self.accept(written)

    def _mismatch(self, value: object) -> ShapeError:
        return ShapeError(f"{show(value)} is {_kind(value)}, and not {self.written}")


def _is_finite(value: object) -> TypeGuard[float]:
    """Whether a value is a number other than NaN and infinity; a boolean is none."""
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def _kind(value: object) -> str:
    names = {str: "text", bool: "a boolean", int: "an integer", float: "a number", list: "a list", dict: "a mapping"}
    if value is None:
        return "null"
    return names.get(type(value), f"of type {type(value).__name__}")


def visible(text: str) -> str:
    """`text` with every character escaped that could be overlooked: controls, marks, all spaces but U+0020."""
    return "".join(char if is_visible(char) else _escape(char) for char in text)


def in_markdown(text: str) -> str:
    """`text` as it is to be written for Markdown to show it as it is, in a cell of a table as well."""
    shown = visible(text)
    for special in "\\`*_[]<>|#":
        shown = shown.replace(special, f"\\{special}")
    return shown


# Letters and symbols that are drawn as nothing: the fillers of Hangul, and the blank of Braille.
_BLANK = frozenset("\u115f\u1160\u3164\uffa0\u2800")


def is_visible(char: str) -> bool:
    """Whether a reader sees the character, and sees it as itself."""
    if char == " ":
        return True
    return char.isprintable() and char not in _BLANK and unicodedata.category(char) not in ("Mn", "Mc", "Me", "Co")


def _escape(char: str) -> str:
    short = {"\t": r"\t", "\n": r"\n", "\r": r"\r"}.get(char)
    return short or (f"\\u{ord(char):04X}" if ord(char) <= 0xFFFF else f"\\U{ord(char):08X}")


def show(value: object, limit: int = 300) -> str:
    """`value` on one line, as JSON with invisible characters escaped, and cut if it is longer than `limit`."""
    match value:
        case str():
            if len(value) > limit:
                return (
                    f'"{visible(value[: limit // 3]).replace(chr(34), chr(92) + chr(34))}…" ({len(value):,} characters)'
                )
            return '"' + visible(value.replace("\\", "\\\\").replace('"', '\\"')) + '"'
        case list() | tuple():
            shown: list[str] = []
            for position, item in enumerate(value):
                if sum(map(len, shown)) > limit:
                    return f"[{', '.join(shown)}, … ({len(value) - position:,} more)]"
                shown.append(show(item, limit))
            return f"[{', '.join(shown)}]"
        case dict():
            return "{" + ", ".join(f"{key}: {show(item, limit)}" for key, item in value.items()) + "}"
        case None | bool() | int() | float():
            return json.dumps(value)
    try:
        return visible(repr(value)[:limit])
    except Exception:
        return f"something of type {type(value).__name__}"


def code_points(text: str) -> str:
    """What a short text consists of, for a reader whose font may lack it: `U+2B820 CJK UNIFIED IDEOGRAPH-2B820`."""
    names = ((char, unicodedata.name(char, unicodedata.category(char))) for char in text)
    return ", ".join(f"U+{ord(char):04X} {name}" for char, name in names)


def abridged(value: Value, limit: int = 1_000) -> Value:
    """`value` for a report: a text longer than `limit` characters gives way to its beginning and its length."""
    match value:
        case str():
            if len(value) <= limit:
                return value
            return {"begins": value[:100], "characters": len(value)}
        case Mapping():
            return {key: abridged(item, limit) for key, item in value.items()}
        case Sequence():
            return [abridged(item, limit) for item in value]
    return value
