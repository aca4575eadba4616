"""Bytes as texts: by line, or a field of each line of JSON; and what becomes of bytes that are no UTF-8."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias

from goldpiece.errors import FileError, UsageError

BadBytes: TypeAlias = Literal["error", "replace"]
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
SURROGATE = re.compile("[\ud800-\udfff]")  # half a character, as JSON can write it


class NotUtf8(FileError):
    """Bytes that are no UTF-8, or an escape of JSON that is half a character."""

    def __init__(self, path: Path, place: str) -> None:
        super().__init__(path, None, f"{place} is not UTF-8", "Save the file as UTF-8, or ask for U+FFFD in its place")


class NoText(FileError):
    """A line of JSON, or a column, that holds no text where it is sought."""


@dataclass
class Reader:
    """How bytes become texts. It keeps account of what it replaces: so many texts, and where the first of them is."""

    bad_bytes: BadBytes = "error"
    key: str = "text"  # of JSON and Parquet
    replaced: int = field(default=0, init=False)
    first_replaced: str = field(default="", init=False)

    def __post_init__(self) -> None:
        """Raises UsageError."""
        if self.bad_bytes not in ("error", "replace"):
            raise UsageError(f"bad_bytes = {self.bad_bytes!r}: give error or replace")

    def lines(self, content: bytes, path: Path, start: int) -> Iterator[str]:
        """The lines of what stands in a file from byte `start` on; they end at LF or CRLF. Raises NotUtf8."""
        try:
            text = content.decode()
        except UnicodeDecodeError:
            for at, line in _lines(content):
                yield self.text(line, path, start + at)
        else:
            lines = text.split("\n")  # of the whole text no copy is made: it may be most of the memory there is
            if not lines[-1]:
                lines.pop()
            for each in lines:
                yield each.removesuffix("\r")

    def json_lines(self, content: bytes, path: Path, start: int) -> Iterator[str]:
        """The text of each line that is not blank. Raises NotUtf8 and NoText."""
        for at, line in _lines(content):
            if line.strip():
                written = self.text(line, path, start + at)
                text = self._value(written, path, start + at)
                if "\\" in written and SURROGATE.search(text):
                    self._bad(path, f"an escape in the line at byte {start + at}")
                    text = SURROGATE.sub(REPLACEMENT, text)
                yield text

    def text(self, content: bytes, path: Path, start: int, within: str = "") -> str:
        """The text of bytes that stand in a file, or `within` a part of it, from byte `start` on. Raises NotUtf8."""
        try:
            return content.decode()
        except UnicodeDecodeError as error:
            self._bad(path, f"byte {start + error.start}{within}")
            return content.decode(errors="replace")

    def _bad(self, path: Path, place: str) -> None:
        if self.bad_bytes == "error":
            raise NotUtf8(path, place)
        self.replaced += 1
        self.first_replaced = self.first_replaced or f"{path}: {place}"

    def _value(self, line: str, path: Path, start: int) -> str:
        remedy = f"Write an object whose {self.key!r} is a text, or name another field"
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise NoText(path, None, f"the line at byte {start} is no JSON ({error})", remedy) from error
        text = value.get(self.key) if isinstance(value, dict) else None
        if not isinstance(text, str):
            raise NoText(path, None, f"the line at byte {start} has no text {self.key!r}", remedy)
        return text


def _lines(content: bytes) -> Iterator[tuple[int, bytes]]:
    """Lines and where each begins."""
    at = 0
    for line in content.removesuffix(b"\n").split(b"\n") if content else ():
        yield at, line.removesuffix(b"\r")
        at += len(line) + 1
