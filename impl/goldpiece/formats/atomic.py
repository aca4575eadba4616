"""Files that are there as a whole or not at all."""

import os
import secrets
import shutil
from contextlib import suppress
from pathlib import Path

from goldpiece.errors import FileError
from goldpiece.formats.content import cause


def write_atomically(path: Path | str, content: bytes) -> None:
    """Puts `content` into the file at `path`, new or old; a reader finds all of it or what was there before.

    It is written beside the file first, since only within one folder can it take the other's place in one step. The
    permissions of an old file stay. Raises FileError where that fails; the old file is untouched then, and nothing lies
    beside it.
    """
    remedy = "Give the path of a file in a folder that exists and can be written to"
    try:
        target = Path(path).resolve()  # a link goes on pointing where it does
        if target.exists() and not target.is_file():  # a device or a pipe, too, could be replaced, and would be lost
            raise FileError(path, None, "it cannot be written (it is no file)", remedy)
        _replace(target, content)
    except (OSError, ValueError, RuntimeError) as error:  # for Python, links in a circle are a RuntimeError
        raise FileError(path, None, f"it cannot be written ({cause(error)})", remedy) from error


def _replace(target: Path, content: bytes) -> None:
    unfinished = target.with_name(f".{secrets.token_hex(8)}.unfinished")  # short, whatever the length of the other name
    try:
        with unfinished.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())  # else the name may outlive a power cut, and the content not
        if target.exists():
            shutil.copymode(target, unfinished)
        unfinished.replace(target)
    finally:
        with suppress(OSError):  # mostly it is gone, since it has taken its place
            unfinished.unlink()
