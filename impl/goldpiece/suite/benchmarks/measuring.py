"""Measures workloads on one side: times in several fresh processes, memory and growth in one more."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

from goldpiece.errors import UsageError
from goldpiece.suite.benchmarks.machine import Machine
from goldpiece.suite.benchmarks.process import Conversation, Environment, ProcessFailed, core_to_pin
from goldpiece.suite.benchmarks.record import (
    Lap,
    Measured,
    NotMeasured,
    Run,
    Sample,
    growth_from_json,
    memory_from_json,
)
from goldpiece.suite.benchmarks.turns import Key

TOGETHER = 100  # workloads that one process measures, at most: to start one takes longer than to measure
SECONDS = 0.1  # of processor time that a process has for each workload
CALLS = 200  # whose latencies it takes
OURS = "goldpiece"  # whose import each process begins with


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
    growth: bool = True  # whether inputs that are twice and four times as long are made as well

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


@dataclass(frozen=True)
class Sitting:
    """A process of a side that measures some workloads a lap at a time, by turns with one of another side."""

    process: Conversation
    entries: Sequence[Mapping[str, Any]]
    core: int | None
    folder: Path

    def begin(self) -> list[str | None]:
        """Of each workload why it is not measured, if so."""
        request = {"do": "begin", "core": self.core, "folder": str(self.folder), "entries": self.entries}
        reasons: list[str | None] = self.process.ask(request)["reasons"]
        return reasons

    def lap(self, place: int) -> Lap:
        return Lap(**self.process.ask({"do": "lap", "place": place}))

    def end(self) -> tuple[list[str | None], float]:
        """Of each workload why it is not right, if so; and the seconds of the calibration."""
        answer = self.process.ask({"do": "end"})
        return answer["reasons"], answer["calibration_s"]


class Bench:
    """A side that is ready: its inputs lie in files, and each call starts a process. Its folder is its own."""

    def __init__(self, side: Side, plan: Plan, folder: Path) -> None:
        self.side, self.plan, self.folder = side, plan, folder
        self.core = core_to_pin()
        answer = side.environment.ask({**plan.request(side.subjects), "folder": str(folder)}, folder)
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
        request = {"do": "sample", "seconds": SECONDS, "calls": CALLS}
        try:
            answer = self._asked(request, keys)
        except ProcessFailed as error:
            return [self.samples([key])[0] for key in keys] if len(keys) > 1 else [str(error)]
        return [each["reason"] if "reason" in each else Sample(**each) for each in answer["samples"]]

    @contextmanager
    def sit(self, keys: Sequence[Key], name: str, hash_seed: int) -> Iterator[Sitting]:
        """A fresh process with a folder of its own, for laps of these workloads."""
        folder = self.folder / name
        folder.mkdir(exist_ok=True)
        with self.side.environment.open(folder, self._package(keys), hash_seed) as process:
            yield Sitting(process, self._entries(keys), self.core, folder)

    def rest(self, keys: Sequence[Key], growth: bool = True, hash_seed: int = 1) -> list[Measured]:
        """All that is known of workloads but times; of what fails, or is not to be measured, no more than that.

        The memory that sets and dictionaries of texts take depends on the seed of their hashes.
        """
        try:
            answer = self._asked({"do": "rest", "growth": growth}, keys, hash_seed)
        except ProcessFailed as error:
            if len(keys) > 1:
                return [self.rest([key], growth, hash_seed)[0] for key in keys]
            return [replace(self.known(keys[0]), no_memory_because=str(error))]
        return [self._rest_of(key, found) for key, found in zip(keys, answer["rest"], strict=True)]

    def _rest_of(self, key: Key, found: Mapping[str, Any]) -> Measured:
        if "reason" in found:
            return replace(self.known(key), no_memory_because=str(found["reason"]))
        return replace(
            self.known(key),
            peak_rss_bytes=found["peak_rss_bytes"],
            memory=memory_from_json(found["memory"]) if found["memory"] else None,
            no_memory_because=found["no_memory_because"],
            growth=growth_from_json(found["growth"]) if found["growth"] else None,
        )

    def _asked(
        self, request: Mapping[str, Any], keys: Sequence[Key], hash_seed: int | None = None
    ) -> Mapping[str, Any]:
        """The answer of a fresh process about these workloads."""
        whole = {**request, "core": self.core, "folder": str(self.folder), "entries": self._entries(keys)}
        return self.side.environment.ask(whole, self.folder, self._package(keys), hash_seed)

    def _entries(self, keys: Sequence[Key]) -> list[Mapping[str, Any]]:
        return [self.entries[key] for key in keys]

    def _package(self, keys: Sequence[Key]) -> str:
        """Whose import is timed as a process begins."""
        return next((str(entry["package"]) for entry in self._entries(keys) if "package" in entry), OURS)

    def groups(self, keys: Sequence[Key]) -> Iterator[Sequence[Key]]:
        """What one process measures together: of a workload all subjects, since they are compared. The import of
        another package has a process of its own: it is over when anything else begins.
        """
        others = [key for key in keys if self.entries[key].get("package", OURS) != OURS]
        yield from ([key] for key in others)
        group: list[Key] = []
        for _, found in groupby((key for key in keys if key not in others), key=lambda key: key[0]):
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
        for group in bench.groups([key for key in keys if key not in not_measured]):
            measured += [replace(each, samples=tuple(samples[each.key])) for each in bench.rest(group)]
            for key in group:
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
