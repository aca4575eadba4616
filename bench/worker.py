"""The process of a side, which the commands of `goldpiece bench` start: it reads a request, and writes an answer.

`prepare` makes the inputs and right outputs of workloads once, into files. `sample` measures times with them, and
`rest` memory and growth, in fresh processes that have nothing else to make. Nothing that is wrong is measured.
"""

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeAlias

import goldpiece
from goldpiece.errors import GoldpieceError, UsageError
from goldpiece.suite.benchmarks.machine import this_machine
from goldpiece.suite.benchmarks.process import PROTOCOL

from .clock import peak_rss
from .sampling import Prepared, growth, memory, sample, sample_of_import

NO_CALL = "not measured: nothing is called"

Request: TypeAlias = Mapping[str, Any]  # JSON, as Answer
Answer: TypeAlias = Mapping[str, Any]


def main(path: str, cpu_s: float, wall_s: float) -> None:
    """Answers the request in the file at `path`, in a file beside it; so long did the import of a package take."""
    request = json.loads(Path(path).read_text(encoding="utf-8"))
    if request.get("core") is not None and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {request["core"]})
    answer: Answer
    try:
        if (protocol := request.get("protocol")) != PROTOCOL:
            problem = f"this Goldpiece answers requests of form {PROTOCOL}, and not of form {protocol}"
            raise UsageError(f"{problem}: compare it by a Goldpiece of about the same time")
        answer = ANSWERS[request["do"]]({**request, "imported": (cpu_s, wall_s)})
    except GoldpieceError as error:
        answer = {"error": str(error)}
    Path(f"{path}.answer").write_text(json.dumps(answer), encoding="utf-8")


def _prepare(request: Request) -> Answer:
    from goldpiece.suite.benchmarks.measuring import Plan  # noqa: PLC0415 (to measure, neither this

    from .preparing import Preparation  # noqa: PLC0415 nor the specs, which this reads, are of use)
    from .vocabulary import read_vocabulary  # noqa: PLC0415

    plan = Plan(tuple(request["parts"]), request["depth"], request["corpus"], request["vocab"])
    folder = Path(request["folder"])
    entries = Preparation(plan, request["subjects"], read_vocabulary(plan.vocab), folder).entries()
    return {"version": goldpiece.__version__, "machine": asdict(this_machine()), "entries": list(entries)}


def _sample(request: Request) -> Answer:
    """A sample of each entry, or the reason why there is none."""
    return {"samples": [_sample_of(entry, request) for entry in request["entries"]]}


def _sample_of(entry: Answer, request: Request) -> Answer:
    if "package" in entry:
        return asdict(sample_of_import(*request["imported"]))
    try:
        prepared, folder = Prepared.read(entry["files"][0]), Path(request["folder"])
        return asdict(sample(prepared, entry["subject"], folder, request["seconds"], request["calls"]))
    except GoldpieceError as error:
        return {"reason": str(error)}


def _rest(request: Request) -> Answer:
    """Of one entry the memory first, and then the growth, which would add to it."""
    entry, folder = request["entry"], Path(request["folder"])
    if "package" in entry:
        return {"peak_rss_bytes": peak_rss(), "memory": None, "no_memory_because": NO_CALL, "growth": None}
    sizes = [Prepared.read(path) for path in entry["files"]]
    rss, found = memory(sizes[0], entry["subject"], folder)
    grown = growth(sizes, entry["subject"], folder) if request["growth"] and len(sizes) > 1 else None
    return {
        "peak_rss_bytes": rss,
        "memory": None if isinstance(found, str) else asdict(found),
        "no_memory_because": found if isinstance(found, str) else None,
        "growth": asdict(grown) if grown else None,
    }


ANSWERS: Mapping[str, Callable[[Request], Answer]] = {"prepare": _prepare, "sample": _sample, "rest": _rest}
