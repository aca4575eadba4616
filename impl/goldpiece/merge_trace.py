"""A trace of a training: a line for each merge, to watch words change, and to compare two trainings by.

The columns are parted by tabs, so that `cut` and `diff` will do: `cut -f 2,3` leaves what was merged.
"""

from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Self

from goldpiece.errors import FileError
from goldpiece.fast.training import Merge, Merging

COLUMNS = ("rank", "first", "second", "joined", "score", "count", "of_first", "of_second", "word")
ESCAPED = str.maketrans({"\t": "\\t", "\n": "\\n", "\r": "\\r", "\\": "\\\\"})  # what would part columns or lines
REMEDY = "Give the path of a file in a folder that exists and can be written to"


class MergeTrace:
    """Writes a trace to the file at `path`, whose content of before is lost.

    A score is a whole number or a fraction, exact; the counts are those of the pair and of both its parts right before
    the merge. The word is the first that was changed, its symbols parted by spaces, as it is right behind the merge.
    """

    def __init__(self, path: Path) -> None:
        """Raises FileError."""
        self._path = path
        try:
            self._file = path.open("w", encoding="utf-8", errors="backslashreplace", newline="")
        except OSError as error:
            raise FileError(path, None, f"it cannot be written ({error.strerror})", REMEDY) from error
        self._write(COLUMNS)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._file.close()
        except OSError as fault:
            raise self._unwritable(fault) from fault

    def write(self, merging: Merging, merge: Merge) -> None:
        """Writes the line of a merge that was the last so far. Raises FileError."""
        word = " ".join(merging.word_of(merge))
        counts = (merge.of_pair, merge.of_first, merge.of_second)
        self._write((merge.rank, *merge.pair, merge.joined, merging.score_of(merge), *counts, word))

    def _write(self, row: Iterable[object]) -> None:
        try:
            self._file.write("\t".join(str(each).translate(ESCAPED) for each in row) + "\n")
        except OSError as error:
            raise self._unwritable(error) from error

    def _unwritable(self, error: OSError) -> FileError:
        return FileError(self._path, None, f"it cannot be written ({error.strerror})", REMEDY)
