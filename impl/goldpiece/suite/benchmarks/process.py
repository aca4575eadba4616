"""Processes of a side: each answers one request, and has its own Python with its own Goldpiece in it."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from goldpiece.errors import GoldpieceError, UsageError

Request: TypeAlias = Mapping[str, Any]  # JSON, as Answer: the room `bench` has the other end
Answer: TypeAlias = Mapping[str, Any]

# The import of a package is timed in every process, before anything else is imported but what times it.
START = """
import sys, time
cpu, wall = time.process_time(), time.perf_counter()
import {package}
cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
from goldpiece.bench.worker import main
main(sys.argv[1], cpu, wall)
"""
PROTOCOL = 1  # of requests and answers: a revision may have another
LONGEST = 1800  # seconds, after which a process counts as hanging
TOLD = 2_000  # characters of what a process said last


class ProcessFailed(GoldpieceError):
    """A process of a side ended without an answer."""


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

    def ask(self, request: Request, folder: Path, package: str = "goldpiece") -> Answer:
        """The answer of a fresh process, whose own files are in `folder`.

        Raises UsageError for what it cannot do as asked, and ProcessFailed.
        """
        path = folder / "request.json"
        answer = folder / "request.json.answer"
        answer.unlink(missing_ok=True)
        path.write_text(json.dumps({"protocol": PROTOCOL, "folder": str(folder), **request}), encoding="utf-8")
        try:
            done = subprocess.run(  # noqa: S603 (it is the side that was asked for)
                [str(self.python), "-c", START.format(package=package), str(path)],
                cwd=folder,
                env=self.variables,
                capture_output=True,
                text=True,
                encoding="utf-8",
                errors="replace",
                timeout=LONGEST,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise ProcessFailed(f"{self.python} gave no answer within {LONGEST} seconds") from error
        if done.returncode or not answer.exists():
            if "goldpiece.bench.worker" in done.stderr and "ModuleNotFoundError" in done.stderr:
                raise UsageError(f"the Goldpiece of {self.python} has no goldpiece.bench.worker: name a later one")
            raise ProcessFailed(f"{self.python} ended with {done.returncode} and no answer:\n{done.stderr[-TOLD:]}")
        found: Answer = json.loads(answer.read_text(encoding="utf-8"))
        if "error" in found:
            raise UsageError(str(found["error"]))
        return found


HERE = Environment(Path(sys.executable))


def core_to_pin() -> int | None:
    """The last core that this process may use, on which all processes that are compared are kept; None where the
    system does not let one choose.
    """
    return max(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None
