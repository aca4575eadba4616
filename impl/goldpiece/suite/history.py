"""Which version of Goldpiece brought which clause: spec/ids.txt, which only grows.

Clause ids stand under a heading for each version, `[0.1.0]`. A run that is held to a version leaves out what came
later, so that an upgrade of Goldpiece alone cannot make a build fail that passed.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from goldpiece.errors import UsageError
from goldpiece.suite.rooms import room

IDS = "ids.txt"


@dataclass(frozen=True)
class Entry:
    """A line of the list: a clause, the version that it came with (None above the first heading), and its place."""

    clause: str
    version: str | None
    line: int


@dataclass(frozen=True)
class History:
    """The list."""

    entries: tuple[Entry, ...]
    headings: tuple[tuple[str, int], ...]  # each version and its line

    def known_by(self, version: str) -> frozenset[str]:
        """The clauses that there were in a version."""
        versions = [name for name, _ in self.headings]
        if version not in versions:
            raise UsageError(f"no version {version!r} of Goldpiece brought any clause; there are {', '.join(versions)}")
        so_far = versions[: versions.index(version) + 1]
        return frozenset(entry.clause for entry in self.entries if entry.version in so_far)


def ids_file() -> Path:
    """The append-only list of every clause id there has been."""
    return room("spec") / IDS


def read_history(path: Path) -> History:
    """The list in a file; what is wrong with it `goldpiece spec lint` says."""
    entries: list[Entry] = []
    headings: list[tuple[str, int]] = []
    for number, line in _lines(path):
        if line.startswith("["):
            headings.append((line.strip("[]"), number))
        else:
            entries.append(Entry(line, headings[-1][0] if headings else None, number))
    return History(tuple(entries), tuple(headings))


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(path.read_text(encoding="ascii").splitlines(), start=1):
        if line and not line.startswith("#"):
            yield number, line
