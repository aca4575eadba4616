"""How far training is: a bar on a terminal, elsewhere a line every two seconds."""

import os
import sys
import time
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

from goldpiece.cli.output import PATIENCE
from goldpiece.fast.training import Merge, Merging
from goldpiece.merge_trace import MergeTrace
from goldpiece.training.buckets import Tally

REFRESH = 0.1  # seconds between two looks of a bar
COUNTING, LEARNING = "counting", "learning"


class TrainingProgress:
    """Hears from a job, and shows what is done of how much, how fast, and how long it may take; writes the trace."""

    def __init__(self, size: int, entries: int, trace: MergeTrace | None = None) -> None:
        self._trace = trace
        self._totals = {COUNTING: size, LEARNING: entries}
        self._stream = os.fdopen(os.dup(sys.stderr.fileno()), "w", encoding="utf-8", errors="backslashreplace")
        terminal = Console(file=self._stream)
        self._every = REFRESH if terminal.is_terminal else PATIENCE
        columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[account]}"))
        self._bar = Progress(
            *columns, console=terminal, transient=True, auto_refresh=False, disable=not terminal.is_terminal
        )
        self._task = self._bar.add_task("training", total=None, account="")
        self._phase = ""
        self._begun = self._shown = time.monotonic()
        self._first = 0  # what was done when the phase began

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()
        self._stream.close()

    def counted(self, tally: Tally) -> None:
        """See Listener."""
        self._reached(COUNTING, tally.done)

    def merged(self, merging: Merging, merge: Merge) -> None:
        """See Listener. Raises FileError where the trace cannot be written."""
        if self._trace:
            self._trace.write(merging, merge)
        self._reached(LEARNING, len(merging.tokens))

    def _reached(self, phase: str, done: int) -> None:
        now = time.monotonic()
        if phase != self._phase:
            self._phase, self._begun, self._first = phase, now, done
        if now - self._shown < self._every:
            return
        self._shown = now
        total = self._totals[phase]
        account = account_of(phase, done, total, done - self._first, now - self._begun)
        if self._bar.disable:
            print(f"{phase}: {account}", file=self._stream, flush=True)
        else:
            self._bar.update(self._task, description=phase, total=total or None, completed=done, account=account)
            self._bar.refresh()


def account_of(phase: str, done: int, total: int, lately: int, seconds: float) -> str:
    """What is done, the rate at which `lately` was, and how long the rest may take if the total is known."""
    scale, unit = (10**6, " MB") if phase == COUNTING else (1, " entries")
    digits = 1 if phase == COUNTING else 0
    parts = [
        f"{done / scale:,.{digits}f} of {total / scale:,.{digits}f}{unit}"
        if total
        else f"{done / scale:,.{digits}f}{unit}"
    ]
    if lately and seconds:
        parts.append(f"{lately / seconds / scale:,.{digits}f}{unit}/s")
        if total:
            parts.append(f"{(total - done) * seconds / lately:,.0f} s left")
    return ", ".join(parts)
