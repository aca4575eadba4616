"""A corpus in blocks of about one size, each of whole texts: what is counted at once, on whatever processor."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from goldpiece.corpus.files import STANDARD_INPUT
from goldpiece.corpus.reading import Reader
from goldpiece.corpus.streams import PACKED, Stream, opened
from goldpiece.errors import FileError

LONGEST = 64 << 20  # bytes of a line: what is read at once at most
JSON_LINES = (".jsonl", ".ndjson")


class Block(Protocol):
    """Some texts of a file, in their order."""

    @property
    def done(self) -> int:
        """How many bytes of the file, as it is stored, have been read behind the block; 0 where none can tell."""
        ...

    def texts(self, reader: Reader) -> Iterator[str]:
        """The texts. Raises FileError."""
        ...


@dataclass(frozen=True)
class Lines:
    """Lines that were read from a file that can only be read from its beginning."""

    path: Path
    content: bytes
    start: int  # the byte of the unpacked file
    done: int
    json: bool

    def texts(self, reader: Reader) -> Iterator[str]:
        """See Block."""
        return (reader.json_lines if self.json else reader.lines)(self.content, self.path, self.start)


@dataclass(frozen=True)
class Range:
    """Lines that are still to be read, wherever they are counted."""

    path: Path
    start: int
    done: int  # the byte behind the last
    json: bool

    def texts(self, reader: Reader) -> Iterator[str]:
        """See Block."""
        with opened(self.path) as stream:
            stream.stored.seek(self.start)
            content = stream.stored.read(self.done - self.start)
        if len(content) < self.done - self.start:
            raise FileError(self.path, None, "it has become shorter while it was read", "Leave it as it is, and repeat")
        return Lines(self.path, content, self.start, self.done, self.json).texts(reader)


def is_json(path: Path) -> bool:
    """Whether the lines of a file are JSON, by its name."""
    unpacked = path.with_suffix("") if path.suffix in PACKED else path
    return unpacked.suffix in JSON_LINES


def blocks_of_lines(path: Path, size: int, json: bool) -> Iterator[Block]:
    """The blocks of a file of lines, each of `size` bytes and up to the end of a line.

    Raises FileError, also for a line of more than LONGEST bytes.
    """
    with opened(path) as stream:
        if path.suffix in PACKED or path == STANDARD_INPUT or not stream.stored.seekable():
            yield from _read(path, stream, size, json)
        else:
            yield from _found(path, stream, size, json)


def _read(path: Path, stream: Stream, size: int, json: bool) -> Iterator[Block]:
    start, left = 0, b""
    while part := stream.file.read(size):
        content = left + part
        end = content.rfind(b"\n") + 1
        if end:
            yield Lines(path, content[:end], start, stream.done(), json)
            start += end
        elif len(content) > LONGEST:
            raise _too_long(path, start)
        left = content[end:]
    if left:
        yield Lines(path, left, start, stream.done(), json)


def _found(path: Path, stream: Stream, size: int, json: bool) -> Iterator[Block]:
    file = stream.stored
    file.seek(0, 2)
    whole = file.tell()
    start = 0
    while start < whole:
        file.seek(min(start + size, whole) - 1)
        last = file.readline(LONGEST)
        if len(last) == LONGEST and not last.endswith(b"\n"):
            raise _too_long(path, file.tell() - LONGEST)
        yield Range(path, start, file.tell(), json)
        start = file.tell()


def _too_long(path: Path, start: int) -> FileError:
    return FileError(path, None, f"a line from byte {start} on has more than {LONGEST:,} bytes", "Cut it into lines")
