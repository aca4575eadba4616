"""What a file holds, up to the size that its reader bears: devices never end, and small files unpack to gigabytes."""

from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Protocol

from goldpiece.errors import FileError

FLOOR = 64 << 20  # bytes of memory that reading may take, however small the file is
PART = 1 << 16  # bytes read at a time: asking for all that is allowed would reserve it


class Readable(Protocol):
    """An open file, also one that unpacks what it reads."""

    def read(self, size: int, /) -> bytes: ...


def read_content(path: Path | str, largest: int, remedy: str) -> bytes:
    """The bytes of the file at `path`. Raises FileError where it cannot be read or holds more than `largest` bytes."""
    try:
        with Path(path).open("rb") as file:
            return up_to(file, path, largest)
    except (OSError, ValueError) as error:
        raise FileError(path, None, f"it cannot be read ({cause(error)})", remedy) from error


def up_to(file: Readable, path: Path | str, largest: int) -> bytes:
    """All that an open file holds. Raises FileError for more than `largest` bytes; `path` is what it calls the file."""
    content = BytesIO()
    while part := file.read(PART):
        if content.tell() + len(part) > largest:
            raise FileError(path, None, f"it holds more than {largest:,} bytes", "Split it, or give another file")
        content.write(part)
    return content.getvalue()


def refuse_what_swells(content: bytes, path: Path | str, costs: Mapping[bytes, int]) -> None:
    """Raises FileError for content of which Python would make far more than it is: each small value has an object.

    `costs` says how many bytes of memory what begins or ends with each separator takes at most; the text itself takes
    up to four for each. Allowed are ten times the content, and FLOOR in any case.
    """
    needed = 5 * len(content) + sum(cost * content.count(separator) for separator, cost in costs.items())
    if needed > 10 * len(content) + FLOOR:
        problem = f"it may take {needed >> 20:,} MiB of memory, {needed // len(content)} times its size"
        raise FileError(path, None, problem, "Split it, or give another file: no vocabulary is so large and so dense")


def cause(error: Exception) -> str:
    """Why a path led nowhere: what the system said, or Python, which refuses a path with a NUL in it."""
    return getattr(error, "strerror", None) or str(error)
