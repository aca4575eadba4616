"""Where commands write: results on standard output, progress on standard error."""

import io
import os
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self, TextIO

from rich.cells import cell_len
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar
from rich.text import Text

from goldpiece.errors import UsageError
from goldpiece.suite.verdict import Outcome

PLAIN_WIDTH = 110  # where the output is no terminal
PATIENCE = 2.0  # seconds without a sign of life


def _usable(stream: TextIO | None) -> TextIO:
    """A stream that takes any text: a terminal may lack a character, and a closed stream is None."""
    if stream is None:
        return Path(os.devnull).open("w", encoding="utf-8")
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")
    return stream


sys.stdout, sys.stderr = _usable(sys.stdout), _usable(sys.stderr)
console = Console(highlight=False, markup=False, emoji=False, width=None if sys.stdout.isatty() else PLAIN_WIDTH)


def make_sure_it_can_be_written(option: str, path: Path) -> None:
    """Before the work that the file of an option is to hold, and not after. Raises UsageError."""
    try:
        path.open("a", encoding="utf-8").close()
    except OSError as error:
        raise UsageError(f"{option} {path}: it cannot be written ({error.strerror}); name another file") from error


@dataclass(frozen=True)
class Column:
    """What stands one below the other, and in which style each."""

    cells: tuple[str, ...]
    styles: tuple[str, ...]

    @property
    def width(self) -> int:
        return max(map(cell_len, self.cells)) + 1


def print_columns(columns: Sequence[Column]) -> None:
    """Columns of one height, as many side by side as the console is wide. Lines that are empty are left out."""
    left = list(columns)
    while left:
        width, taken = 0, 0
        while taken < len(left) and (width == 0 or width + left[taken].width <= console.width):
            width += left[taken].width
            taken += 1
        for place in range(len(left[0].cells)):
            cells = [
                (column.cells[place] + " " * (column.width - cell_len(column.cells[place])), column.styles[place])
                for column in left[:taken]
            ]
            line = Text.assemble(*cells)
            line.rstrip()
            if line.plain or place == 0:
                console.print(line, soft_wrap=True)
        left = left[taken:]
        console.print()


class Progress:
    """How far a run is: a bar on a terminal, elsewhere a line every two seconds; nothing if it is over before."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.total = 0
        self.done = 0
        self.started = time.monotonic()
        self.over = threading.Event()
        # A copy: while checks run, standard error itself is held back, with whatever a subject writes there.
        self.stream = os.fdopen(os.dup(sys.stderr.fileno()), "w", encoding="utf-8", errors="backslashreplace")
        terminal = Console(file=self.stream)
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        self.bar = Bar(*columns, console=terminal, transient=True, disable=not terminal.is_terminal)
        self.task = self.bar.add_task(title, total=None)
        self.plain = None if terminal.is_terminal else threading.Thread(target=self._speak, daemon=True)

    def __enter__(self) -> Self:
        self.bar.start()
        if self.plain:
            self.plain.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.bar.stop()
        self.over.set()
        if self.plain:
            self.plain.join()
        self.stream.close()

    def begins(self, checks: int) -> None:
        """So many steps are to come."""
        self.total = checks
        self.bar.update(self.task, total=checks)

    def ends(self, outcome: Outcome) -> None:
        """A check is done."""
        self.step(outcome.clause)

    def step(self, what: str) -> None:
        """One step is done."""
        self.done += 1
        self.bar.update(self.task, advance=1, description=f"{self.title}: {what}")

    def _speak(self) -> None:
        while not self.over.wait(PATIENCE):
            seconds = time.monotonic() - self.started
            print(f"{self.title}: {self.done} of {self.total} done, {seconds:.0f} s", file=self.stream, flush=True)
