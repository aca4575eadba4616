"""Measures workloads on one side: times in several fresh processes, memory and growth in one more."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

from goldpiece.errors import GoldpieceError, UsageError
from goldpiece.suite.benchmarks.machine import Machine
from goldpiece.suite.benchmarks.process import Environment, ProcessFailed, core_to_pin
from goldpiece.suite.benchmarks.record import Measured, NotMeasured, Run, Sample, growth_from_json, memory_from_json
from goldpiece.suite.benchmarks.turns import Key

TOGETHER = 6  # workloads that one process measures, one after the other: to start one takes longer than to measure
SECONDS = 0.1  # of processor time that a process has for each workload
CALLS = 200  # whose latencies it takes


class Watcher(Protocol):
    """What is told how far the measuring is."""

    def begins(self, checks: int) -> None: ...
    def step(self, what: str) -> None: ...


@dataclass(frozen=True)
class Plan:
    """What is to be measured, and with what."""

    parts: tuple[str, ...] = ()  # of ids: each workload that has one of them; where there are none, all
    depth: str = "quick"
    corpus: str | None = None
    vocab: str | None = None

    def takes(self, workload: str) -> bool:
        return not self.parts or any(part in workload for part in self.parts)

    def request(self, subjects: Sequence[str]) -> Mapping[str, Any]:
        """What a process of a side is asked for, which is started in another folder."""
        files = {name: _path(getattr(self, name)) for name in ("corpus", "vocab")}
        return {"do": "prepare", "subjects": list(subjects), **vars(self), **files}


def _path(name: str | None) -> str | None:
    """A file by its whole path; any other name as it is."""
    return str(Path(name).absolute()) if name and Path(name).is_file() else name


@dataclass(frozen=True)
class Side:
    """What is measured: subjects of an environment."""

    name: str  # as the user named it
    version: str
    environment: Environment
    subjects: tuple[str, ...]


class Bench:
    """A side that is ready: its inputs lie in files, and each call starts a process. Its folder is its own."""

    def __init__(self, side: Side, plan: Plan, folder: Path) -> None:
        self.side, self.plan, self.folder = side, plan, folder
        self.core = core_to_pin()
        answer = side.environment.ask(plan.request(side.subjects), folder)
        self.machine = Machine(**answer["machine"])
        only = side.subjects[0] if len(side.subjects) == 1 else ""
        self.version: str = side.version or self.machine.packages.get(only, answer["version"])
        reasons = [entry for entry in answer["entries"] if "reason" in entry]
        self.not_measured = {(each["workload"], each["subject"]): str(each["reason"]) for each in reasons}
        self.entries: dict[Key, Mapping[str, Any]] = {
            (entry["workload"], entry["subject"]): entry for entry in answer["entries"] if "reason" not in entry
        }

    def known(self, key: Key) -> Measured:
        """What is known of a workload before it is measured."""
        names = ("workload", "subject", "inputs", "utf8_bytes", "tokens", "digest")
        return Measured(**{name: self.entries[key][name] for name in names})

    def samples(self, keys: Sequence[Key]) -> list[Sample | str]:
        """A sample of each from one process; or why there is none, and there will be none."""
        request = {"do": "sample", "core": self.core, "seconds": SECONDS, "calls": CALLS}
        entries = [self.entries[key] for key in keys]
        package = next((entry["package"] for entry in entries if "package" in entry), "goldpiece")
        try:
            answer = self.side.environment.ask({**request, "entries": entries}, self.folder, package)
        except ProcessFailed as error:
            return [self.samples([key])[0] for key in keys] if len(keys) > 1 else [str(error)]
        return [each["reason"] if "reason" in each else Sample(**each) for each in answer["samples"]]

    def rest(self, key: Key, growth: bool = True) -> Measured:
        """All that is known of a workload but times; of what fails, or is not to be measured, no more than that."""
        entry = self.entries[key]
        request = {"do": "rest", "core": self.core, "entry": entry, "growth": growth}
        try:
            answer = self.side.environment.ask(request, self.folder, entry.get("package", "goldpiece"))
        except GoldpieceError as error:
            return replace(self.known(key), no_memory_because=str(error))
        return replace(
            self.known(key),
            peak_rss_bytes=answer["peak_rss_bytes"],
            memory=memory_from_json(answer["memory"]) if answer["memory"] else None,
            no_memory_because=answer["no_memory_because"],
            growth=growth_from_json(answer["growth"]) if answer["growth"] else None,
        )

    def groups(self, keys: Sequence[Key]) -> Iterator[Sequence[Key]]:
        """What one process measures together: of a workload all subjects, since they are compared. An import has one of
        its own: it is over when anything else begins.
        """
        imports = [key for key in keys if "package" in self.entries[key]]
        yield from ([key] for key in imports)
        group: list[Key] = []
        for _, found in groupby((key for key in keys if key not in imports), key=lambda key: key[0]):
            of_workload = list(found)
            if group and len(group) + len(of_workload) > TOGETHER:
                yield group
                group = []
            group = [*group, *of_workload]
        if group:
            yield group


def measured_run(side: Side, plan: Plan, rounds: int, watcher: Watcher) -> Run:
    """All figures of a side, from so many processes for each workload.

    Raises UsageError where there is nothing to measure.
    """
    with TemporaryDirectory(prefix="goldpiece-bench-") as folder:
        bench = Bench(side, plan, Path(folder))
        keys = list(bench.entries)
        if not keys and not bench.not_measured:
            raise UsageError(f"no workload of {', '.join(side.subjects)} has {' or '.join(plan.parts)} in its name")
        watcher.begins(len(keys) * 2)
        samples: dict[Key, list[Sample]] = {key: [] for key in keys}
        not_measured = dict(bench.not_measured)
        for group in bench.groups(keys):
            for _ in range(rounds):
                wanted = [key for key in group if key not in not_measured]
                for key, found in zip(wanted, bench.samples(wanted) if wanted else [], strict=True):
                    if isinstance(found, Sample):
                        samples[key].append(found)
                    else:
                        not_measured[key] = found
            for key in group:
                watcher.step(key[0])
        measured: list[Measured] = []
        for key in keys:
            if key not in not_measured:
                measured.append(replace(bench.rest(key), samples=tuple(samples[key])))
            watcher.step(key[0])
    return Run(
        side=side.name,
        version=bench.version,
        date=datetime.now(UTC).isoformat(timespec="seconds"),
        machine=bench.machine,
        depth=plan.depth,
        corpus=plan.corpus,
        vocab=plan.vocab,
        measured=tuple(measured),
        not_measured=tuple(
            NotMeasured(workload, subject, reason) for (workload, subject), reason in not_measured.items()
        ),
    )
