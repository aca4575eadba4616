"""Files that are there as a whole or not at all."""

import os
import secrets
from contextlib import suppress
from pathlib import Path

from goldpiece.errors import FileError


def write_atomically(path: Path | str, content: bytes) -> None:
    """Puts `content` into the file at `path`, new or old; a reader finds all of it or what was there before.

    It is written beside the file first, since only within one folder can it take the other's place in one step. Raises
    FileError where that fails; the old file is untouched then, and nothing lies beside it.
    """
    target = Path(path).resolve()  # a link goes on pointing where it does
    unfinished = target.with_name(f".{target.name}.{secrets.token_hex(8)}")
    try:
        with unfinished.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())  # else the name may outlive a power cut, and the content not
        unfinished.replace(target)
    except OSError as error:
        remedy = "Give the path of a file in a folder that exists and can be written to"
        raise FileError(path, None, f"it cannot be written ({error.strerror})", remedy) from error
    finally:
        with suppress(OSError):  # mostly it is gone, since it has taken its place
            unfinished.unlink()
