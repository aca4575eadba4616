"""A child process that is asked one JSON line at a time, whatever it does: crash, hang, stop reading, or never end."""

import json
import os
import selectors
import shlex
import signal
import subprocess
import time
import weakref
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

from goldpiece.suite.subject import SubjectFailure
from goldpiece.suite.values import show, visible

LONGEST_LINE = 256 * 2**20  # bytes of an answer
MOST_MEMORY = 4 * 2**30  # bytes that the process may hold
SAMPLING = 0.1  # seconds between two looks at its memory
PIPE = 2**16  # bytes written or read at once


class Hang(SubjectFailure):
    """No answer came in time."""


class Process:
    """One run of a command. Every failure kills it: what it would say next belongs to no question."""

    def __init__(self, command: Sequence[str]) -> None:
        self.command = command
        self._errors = TemporaryFile()  # noqa: SIM115 (it lives as long as the process)
        self._received = bytearray()
        try:
            self._popen = subprocess.Popen(  # noqa: S603 (to run it is what the user asked for)
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                bufsize=0,
                start_new_session=True,  # Ctrl-C is for us; and whatever it starts dies with it
            )
        except OSError as error:
            raise SubjectFailure(f"{shlex.join(command)} cannot be started ({error.strerror})") from error
        assert self._popen.stdin
        assert self._popen.stdout
        self.kill = weakref.finalize(self, _end, self._popen, self._errors)  # at the latest when we end ourselves
        self._in, self._out = self._popen.stdin.fileno(), self._popen.stdout.fileno()
        os.set_blocking(self._in, False)
        os.set_blocking(self._out, False)

    def ask(self, question: Mapping[str, object], seconds: float) -> Mapping[str, Any]:
        """The answer to a question. One deadline covers writing and reading.

        Raises SubjectFailure, after which the process is no more.
        """
        try:
            return self._answer(json.dumps(question).encode() + b"\n", time.monotonic() + seconds, seconds)
        except BaseException:
            self.kill()
            raise

    def _answer(self, unsent: bytes, deadline: float, seconds: float) -> Mapping[str, Any]:
        view = memoryview(unsent)
        looked = time.monotonic()
        with selectors.DefaultSelector() as selector:
            selector.register(self._out, selectors.EVENT_READ)
            selector.register(self._in, selectors.EVENT_WRITE)
            while True:
                if (line := self._line()) is not None:
                    return self._read(line)
                left = deadline - time.monotonic()
                if left <= 0:
                    reading = " and had not read all of the question" if view else ""
                    raise Hang(f"it gave no answer in {seconds:.3g} s{reading}")
                for key, _ in selector.select(min(left, SAMPLING)):
                    if key.fd == self._in:
                        view = view[self._write(view) :]
                        if not view:
                            selector.unregister(self._in)
                    elif not self._receive():
                        raise SubjectFailure(self._obituary())
                if time.monotonic() - looked > SAMPLING:
                    looked = time.monotonic()
                    self._refuse_gluttony()

    def _write(self, view: memoryview) -> int:
        try:
            return os.write(self._in, view[:PIPE])
        except BlockingIOError:
            return 0
        except BrokenPipeError as error:
            self._popen.wait(1)
            raise SubjectFailure(self._obituary()) from error

    def _receive(self) -> bool:
        """Takes what there is to read; whether the process can still write."""
        try:
            part = os.read(self._out, PIPE)
        except BlockingIOError:
            return True
        self._received += part
        if len(self._received) > LONGEST_LINE:
            raise SubjectFailure(f"it wrote over {LONGEST_LINE >> 20} MiB without an end")
        return bool(part)

    def _line(self) -> bytes | None:
        """The next line of what was received, if it is complete."""
        end = self._received.find(b"\n")
        if end < 0:
            return None
        line = bytes(self._received[:end])
        del self._received[: end + 1]
        return line

    def _read(self, line: bytes) -> Mapping[str, Any]:
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            raise SubjectFailure(f"it wrote {show(line.decode(errors='replace'), 90)}, which is no answer")
        return answer

    def _refuse_gluttony(self) -> None:
        pages = 0
        own = f"/proc/{self._popen.pid}"
        with suppress(OSError, ValueError, IndexError):  # no Linux, or no process any more
            pages += int(Path(f"{own}/statm").read_text(encoding="ascii").split()[1])
            for worker in Path(f"{own}/task/{self._popen.pid}/children").read_text(encoding="ascii").split():
                pages += int(Path(f"/proc/{worker}/statm").read_text(encoding="ascii").split()[1])
        if pages * os.sysconf("SC_PAGE_SIZE") > MOST_MEMORY:
            raise SubjectFailure(f"it took over {MOST_MEMORY >> 30} GiB of memory")

    def _obituary(self) -> str:
        """How it ended, and the last that it said."""
        try:
            status = self._popen.wait(1)
        except subprocess.TimeoutExpired:
            return "it closed its output"
        how = f"exited with status {status}" if status >= 0 else f"crashed ({signal.Signals(-status).name})"
        self._errors.seek(max(0, self._errors.seek(0, os.SEEK_END) - PIPE))
        said = [line for line in self._errors.read().decode(errors="replace").splitlines() if line.strip()]
        return f"it {how}" + (f": {visible(said[-1])[:200]}" if said else "")

    @property
    def is_alive(self) -> bool:
        return self._popen.poll() is None


def _end(process: subprocess.Popen[bytes], errors: IO[bytes]) -> None:
    """Ends a process, and whatever it has started."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for stream in (process.stdin, process.stdout, errors):
        if stream:
            stream.close()
