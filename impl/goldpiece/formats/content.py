"""What a file holds, up to the size that its reader bears: devices never end, and small files unpack to gigabytes."""

from io import BytesIO
from pathlib import Path
from typing import Protocol

from goldpiece.errors import FileError

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


def cause(error: Exception) -> str:
    """Why a path led nowhere: what the system said, or Python, which refuses a path with a NUL in it."""
    return getattr(error, "strerror", None) or str(error)
