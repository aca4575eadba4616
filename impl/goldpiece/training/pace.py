"""When work that takes long is to be kept, and when it is to end."""

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from goldpiece.errors import GoldpieceError

SECONDS, MERGES = 30.0, 1_000  # what is lost at most


class Stopped(GoldpieceError):
    """The process was asked to end. `number` is that of the signal."""

    def __init__(self, number: int) -> None:
        self.number = number
        super().__init__(f"ended by {signal.Signals(number).name}")


class Pace:
    """Says when it is time to keep what was done, and whether to end: between two steps, and never within one."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._kept = time.monotonic()
        self._signal: int | None = None

    def is_time(self, merges: int = 0) -> bool:
        """Whether enough was done since it was kept."""
        return merges >= MERGES or time.monotonic() - self._kept >= self._seconds or self._signal is not None

    def kept(self) -> None:
        """What was done has been kept."""
        self._kept = time.monotonic()

    def check(self) -> None:
        """Raises Stopped if a signal has come."""
        if self._signal is not None:
            raise Stopped(self._signal)

    @contextmanager
    def heeding_signals(self) -> Iterator[None]:
        """SIGINT and SIGTERM end the work at its next step; the second of them does at once.

        Python lets no other thread than the first see to signals: there, they do what they always do.
        """
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

        def heed(number: int, _: FrameType | None) -> None:
            self._signal = number
            for each, handler in before.items():
                signal.signal(each, handler)

        try:
            for number in before:
                signal.signal(number, heed)
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
