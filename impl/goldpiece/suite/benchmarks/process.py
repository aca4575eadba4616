"""Processes of a side: each answers requests, and has its own Python with its own Goldpiece in it."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Timer
from typing import IO, Any, Protocol, TypeAlias

from goldpiece.errors import GoldpieceError, UsageError

Request: TypeAlias = Mapping[str, Any]  # JSON, as Answer: the room `bench` has the other end
Answer: TypeAlias = Mapping[str, Any]

# The import of a package is timed in every process, before anything else is imported but what times it.
START = """
import sys, time
cpu, wall = time.process_time(), time.perf_counter()
import {package}
cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
from goldpiece.bench.worker import serve
serve(cpu, wall)
"""
PROTOCOL = 2  # of requests and answers: a revision may have another
LONGEST = 1800  # seconds for a workload, after which a process counts as hanging
TOLD = 2_000  # characters of what a process said last


class ProcessFailed(GoldpieceError):
    """A process of a side ended without an answer."""


class Conversation(Protocol):
    """A process that runs, and answers."""

    def ask(self, request: Request) -> Answer:
        """Raises UsageError for what it cannot do as asked, and ProcessFailed."""


@dataclass(frozen=True)
class Environment:
    """A Python that has Goldpiece and the libraries of a side."""

    python: Path
    more: Mapping[str, str] = field(default_factory=dict)  # variables

    @property
    def variables(self) -> Mapping[str, str]:
        """Those of this process and more, but for what would put its own Goldpiece before that of another Python."""
        if self.python == HERE.python:
            return os.environ | self.more
        return {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}

    @contextmanager
    def open(self, folder: Path, package: str = "goldpiece", hash_seed: int | None = None) -> Iterator[Conversation]:
        """A fresh process, whose own files are in `folder`, for as long as there is something to ask.

        With a seed, the hashes of its strings are those of each process with that seed; else they are its own.
        """
        seeded = {} if hash_seed is None else {"PYTHONHASHSEED": str(hash_seed)}
        with (
            (folder / "stderr.txt").open("w+", encoding="utf-8", errors="replace") as errors,
            subprocess.Popen(  # noqa: S603 (it is the side that was asked for)
                [str(self.python), "-c", START.format(package=package)],
                cwd=folder,
                env={**self.variables, **seeded},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                encoding="utf-8",
            ) as process,
        ):
            try:
                yield _Process(self.python, process, errors)
            finally:
                process.kill()  # it has nothing to tidy up

    def ask(self, request: Request, folder: Path, package: str = "goldpiece", hash_seed: int | None = None) -> Answer:
        """The answer of a fresh process to one request. Raises as a conversation does."""
        with self.open(folder, package, hash_seed) as process:
            return process.ask(request)


@dataclass(frozen=True)
class _Process:
    """The other end writes a line for each that it reads."""

    python: Path
    process: "subprocess.Popen[str]"
    errors: IO[str]

    def ask(self, request: Request) -> Answer:
        assert self.process.stdin
        assert self.process.stdout
        patience = LONGEST * max(1, len(request.get("entries", ())))
        watch = Timer(patience, self.process.kill)
        watch.daemon = True
        watch.start()
        try:
            self.process.stdin.write(json.dumps({"protocol": PROTOCOL, **request}) + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        late = watch.finished.is_set()
        watch.cancel()
        if not line:
            raise self._ended(f" within {patience} seconds" if late else "")
        found: Answer = json.loads(line)
        if "error" in found:
            raise UsageError(str(found["error"]))
        return found

    def _ended(self, within: str) -> GoldpieceError:
        """What to raise for a process that gives no answer, in the time it had."""
        code = self.process.wait()
        self.errors.seek(0)
        said = self.errors.read()
        if "goldpiece.bench.worker" in said and ("ModuleNotFoundError" in said or "ImportError" in said):
            return UsageError(
                f"the Goldpiece of {self.python} has no goldpiece.bench.worker like this: name a later one"
            )
        return ProcessFailed(f"{self.python} ended with {code} and no answer{within}:\n{said[-TOLD:]}")


HERE = Environment(Path(sys.executable))


def core_to_pin() -> int | None:
    """The last core that this process may use, on which all processes that are compared are kept; None where the
    system does not let one choose.
    """
    return max(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None
