"""Files as streams of bytes, unpacked on the way: `.gz`, `.zst`, and standard input."""

import gzip
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, BinaryIO

from goldpiece.corpus.files import STANDARD_INPUT
from goldpiece.errors import FileError, GoldpieceError, UsageError
from goldpiece.formats.content import Readable, cause

PACKED = (".gz", ".zst")


@dataclass(frozen=True)
class Stream:
    """An open file. What is read is unpacked; `stored` is what it is read from."""

    file: Readable
    stored: BinaryIO

    def done(self) -> int:
        """How many bytes of the file itself have been read; 0 of what cannot tell."""
        return self.stored.tell() if self.stored.seekable() else 0


@contextmanager
def opened(path: Path) -> Iterator[Stream]:
    """A file, unpacked as it is read if its name ends in `.gz` or `.zst`; `-` is standard input.

    Raises FileError where it cannot be read, also while it is, and UsageError if `.zst` needs a package.
    """
    if path == STANDARD_INPUT:
        yield Stream(sys.stdin.buffer, sys.stdin.buffer)
        return
    zstd = _zstd(path) if path.suffix == ".zst" else None
    try:
        with path.open("rb") as stored:
            if zstd is not None:
                with zstd.ZstdFile(stored) as file:
                    yield Stream(file, stored)
            elif path.suffix == ".gz":
                with gzip.GzipFile(fileobj=stored) as file:
                    yield Stream(file, stored)
            else:
                yield Stream(stored, stored)
    except GoldpieceError:
        raise
    except (OSError, EOFError, ValueError, zlib.error) as error:
        raise _unreadable(path, error) from error
    except Exception as error:
        if zstd is None or not isinstance(error, zstd.ZstdError):
            raise
        raise _unreadable(path, error) from error


def _unreadable(path: Path, error: Exception) -> FileError:
    return FileError(path, None, f"it cannot be read ({cause(error)})", "Give the path of a text file, or a whole one")


def _zstd(path: Path) -> Any:
    """Python's own module, or the package that has it for older Pythons."""
    name = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
    try:
        if find_spec(name) is not None:
            return import_module(name)
    except ModuleNotFoundError:  # of `backports` itself
        pass
    raise UsageError(
        f"{path} needs backports.zstd, which is not installed: run `pip install 'goldpiece[zstd]'`, or unpack the file"
    )
