"""Which files are meant: paths, folders and patterns, in an order that does not depend on the file system."""

import os
from collections.abc import Iterable, Iterator
from glob import glob, has_magic
from pathlib import Path

from goldpiece.errors import UsageError
from goldpiece.formats.content import cause

STANDARD_INPUT = Path("-")


class NoFiles(UsageError):
    """A path, folder or pattern that stands for no file."""


def files_of(sources: Iterable[Path | str]) -> list[Path]:
    """The files that sources stand for, in their order; `-` is standard input and stays as it is.

    A folder stands for all files in it and in its folders, but for hidden ones, and a pattern such as `data/**/*.gz`
    for what it matches; both by name. What is named twice is there twice. Raises NoFiles.
    """
    return [file for source in sources for file in _files(Path(source))]


def _files(source: Path) -> Iterator[Path]:
    if source == STANDARD_INPUT:
        yield source
        return
    if _exists(source):
        found = sorted(_below(source)) if source.is_dir() else [source]
        problem = f"the folder {source} has no files: name another, or a file"
    elif has_magic(str(source)):
        matches = sorted(glob(str(source), recursive=True))  # noqa: PTH207 (Path.glob takes no absolute pattern)
        found = [path for path in map(Path, matches) if not path.is_dir()]
        problem = f"nothing matches {str(source)!r}: mend the pattern, or name a file"
    else:
        found = []
        problem = f"there is no file {str(source)!r}: give the path of a file or folder, or a pattern"
    if not found:
        raise NoFiles(problem)
    yield from found


def _exists(path: Path) -> bool:
    try:
        path.stat()
    except FileNotFoundError:
        return False
    except (OSError, ValueError) as error:
        raise NoFiles(f"{str(path)!r} cannot be read ({cause(error)}): give the path of a file") from error
    return True


def _below(folder: Path) -> Iterator[Path]:
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        yield from (Path(place, name) for name in names if not name.startswith("."))
