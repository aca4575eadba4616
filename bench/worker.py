"""The process of a side, which the commands of `goldpiece bench` start: it answers the requests that it reads.

`prepare` makes the inputs and right outputs of workloads once, into files. All else is done with these, in fresh
processes that have nothing else to make: `sample` measures times one workload after the other. Where another process is
to be compared, `begin` makes workloads ready, `lap` measures one of them once, as often as it is asked for, and `end`
looks at the results. `rest` measures memory and growth. Nothing that is wrong is measured.
"""

import gc
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import goldpiece
from goldpiece.errors import GoldpieceError, UsageError
from goldpiece.suite.benchmarks.machine import this_machine
from goldpiece.suite.benchmarks.process import PROTOCOL

from .apart import in_a_child
from .clock import peak_rss
from .sampling import Imported, Prepared, Seat, calibrated, growth, memory, sample, sample_of_import

NO_CALL = "not measured: nothing is called"

Request: TypeAlias = Mapping[str, Any]  # JSON, as Answer
Answer: TypeAlias = Mapping[str, Any]


def serve(cpu_s: float, wall_s: float) -> None:
    """Answers one request a line, until there are no more; so long did the import of a package take.

    What a subject or a program that it starts would read is nothing, and what they write goes where errors go.
    """
    requests, answers = os.fdopen(os.dup(0), encoding="utf-8"), os.fdopen(os.dup(1), "w", encoding="utf-8")
    with Path(os.devnull).open(encoding="utf-8") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    worker = Worker(cpu_s, wall_s)
    for line in requests:
        answers.write(json.dumps(worker.answer(json.loads(line))) + "\n")
        answers.flush()


class Worker:
    """What a process knows from one request to the next."""

    def __init__(self, cpu_s: float, wall_s: float) -> None:
        self.imported = cpu_s, wall_s
        self._seats: list[Seat | Imported | None] = []  # None where there is nothing to measure

    def answer(self, request: Request) -> Answer:
        """The answer, or an `error` for what cannot be done as asked."""
        if request.get("core") is not None and hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(0, {request["core"]})
        try:
            if (protocol := request.get("protocol")) != PROTOCOL:
                problem = f"this Goldpiece answers requests of form {PROTOCOL}, and not of form {protocol}"
                raise UsageError(f"{problem}: compare it by a Goldpiece of about the same time")
            return ANSWERS[request["do"]](self, request)
        except GoldpieceError as error:
            return {"error": str(error)}

    def prepare(self, request: Request) -> Answer:
        from goldpiece.suite.benchmarks.measuring import Plan  # noqa: PLC0415 (to measure, neither this

        from .preparing import Preparation  # noqa: PLC0415 nor the specs, which this reads, are of use)
        from .vocabulary import read_vocabulary  # noqa: PLC0415
        from .workloads import EFFORTS  # noqa: PLC0415

        plan = Plan(tuple(request["parts"]), *(request[name] for name in ("depth", "corpus", "vocab", "growth")))
        folder = Path(request["folder"])
        vocab = read_vocabulary(plan.vocab, EFFORTS[plan.depth].entries)
        entries = Preparation(plan, request["subjects"], vocab, folder).entries()
        return {"version": goldpiece.__version__, "machine": asdict(this_machine()), "entries": list(entries)}

    def sample(self, request: Request) -> Answer:
        """A sample of each entry, or the reason why there is none."""
        return {"samples": [self._sample_of(entry, request) for entry in request["entries"]]}

    def _sample_of(self, entry: Answer, request: Request) -> Answer:
        if "package" in entry:
            return asdict(sample_of_import(*self.imported))
        try:
            prepared, folder = Prepared.read(entry["files"][0]), Path(request["folder"])
            return asdict(sample(prepared, entry["subject"], folder, request["seconds"], request["calls"]))
        except GoldpieceError as error:
            return {"reason": str(error)}

    def begin(self, request: Request) -> Answer:
        """Makes entries ready. Of each the reason why it is not, if so.

        What all of them hold is no concern of the garbage collection while one is measured.
        """
        reasons = [self._begun(entry, Path(request["folder"])) for entry in request["entries"]]
        gc.collect()
        gc.freeze()
        return {"reasons": reasons}

    def _begun(self, entry: Answer, folder: Path) -> str | None:
        try:
            self._seats.append(self._seat(entry, folder))
        except GoldpieceError as error:
            self._seats.append(None)
            return str(error)
        return None

    def _seat(self, entry: Answer, folder: Path) -> Seat | Imported:
        if "package" in entry:
            return Imported(*self.imported)
        return Seat(Prepared.read(entry["files"][0]), entry["subject"], folder)

    def lap(self, request: Request) -> Answer:
        """A lap of what is at this place of what was begun."""
        seat = self._seats[request["place"]]
        assert seat
        return asdict(seat.lap())

    def end(self, _: Request) -> Answer:
        """Of each the reason if a result was not right at last; and what the calibration takes."""
        return {"reasons": [self._wrong(seat) for seat in self._seats], "calibration_s": calibrated()}

    def _wrong(self, seat: Seat | Imported | None) -> str | None:
        try:
            if seat:
                seat.check()
        except GoldpieceError as error:
            return str(error)
        return None

    def rest(self, request: Request) -> Answer:
        """Memory and growth of each entry, or the reason why there is neither."""
        folder, grows = Path(request["folder"]), request["growth"]
        return {"rest": [in_a_child(partial(_rest_of, entry, folder, grows)) for entry in request["entries"]]}


def _rest_of(entry: Answer, folder: Path, grows: bool) -> Answer:
    """Of one entry the memory first, and then the growth, which would add to it."""
    if "package" in entry:
        return {"peak_rss_bytes": peak_rss(), "memory": None, "no_memory_because": NO_CALL, "growth": None}
    try:
        sizes = [Prepared.read(path) for path in entry["files"]]
        rss, found = memory(sizes[0], entry["subject"], folder)
        grown = growth(sizes, entry["subject"], folder) if grows and len(sizes) > 1 else None
    except GoldpieceError as error:
        return {"reason": str(error)}
    return {
        "peak_rss_bytes": rss,
        "memory": None if isinstance(found, str) else asdict(found),
        "no_memory_because": found if isinstance(found, str) else None,
        "growth": asdict(grown) if grown else None,
    }


ANSWERS: Mapping[str, Callable[[Worker, Request], Answer]] = {
    "prepare": Worker.prepare,
    "sample": Worker.sample,
    "begin": Worker.begin,
    "lap": Worker.lap,
    "end": Worker.end,
    "rest": Worker.rest,
}
