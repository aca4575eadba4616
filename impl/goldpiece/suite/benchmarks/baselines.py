"""Baselines: what is committed of a run, since it holds on other machines too.

Of each of our implementations: the most memory in use at once, how the time grows with the input, and how many times as
fast it is as others in the same processes. They lie in bench/baselines/, a file for each component, to be reviewed.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import jsonschema

from goldpiece.errors import FileError
from goldpiece.formats.content import read_content
from goldpiece.formats.strict_json import parse
from goldpiece.suite.benchmarks.record import Measured, Run
from goldpiece.suite.benchmarks.sides import OURS
from goldpiece.suite.benchmarks.standings import REFERENCE, Between
from goldpiece.suite.rooms import room

OTHERS = (REFERENCE, "tokenizers")  # which their times are compared with
SCHEMA = Path(__file__).with_name("baselines.schema.json")
VERSION = 1  # of the form of a file
LARGEST = 10_000_000  # bytes of a file
REMEDY = "Make it anew with `goldpiece bench update`"


@dataclass(frozen=True)
class Baseline:
    """What is recorded of one of ours in one workload."""

    workload: str
    subject: str
    python: str  # which the memory depends on, and by way of its documentation the inputs
    digest: str  # of the inputs
    peak_bytes: int | None
    exponent: float | None  # of the growth; None where one call is short
    times_as_fast: Mapping[str, float]  # as another, by its name

    @property
    def key(self) -> tuple[str, str]:
        return self.workload, self.subject

    @property
    def component(self) -> str:
        return self.workload.partition("/")[0]


def baselines_of(run: Run) -> list[Baseline]:
    """What is to be recorded of a run."""
    return [_of(run, measured) for measured in run.measured if measured.subject in OURS]


def _of(run: Run, measured: Measured) -> Baseline:
    others = [run.of(measured.workload, name) for name in OTHERS if name != measured.subject]
    return Baseline(
        workload=measured.workload,
        subject=measured.subject,
        python=run.machine.python,
        digest=measured.digest,
        peak_bytes=measured.memory.peak_bytes if measured.memory else None,
        exponent=round(measured.growth.exponent, 2) if measured.growth else None,
        times_as_fast={other.subject: _three_digits(_speed(measured, other)) for other in others if other},
    )


def _speed(measured: Measured, other: Measured) -> float:
    """How many times as fast as the other, process by process."""
    pairs = zip(measured.samples, other.samples, strict=False)
    return Between.of([theirs.cpu_s / ours.cpu_s for ours, theirs in pairs]).ratio


def _three_digits(value: float) -> float:
    return float(f"{value:.3g}")


def folder() -> Path:
    """Where they are committed."""
    return room("bench") / "baselines"


def read_baselines(place: Path) -> list[Baseline]:
    """All that are recorded in a folder. Raises FileError."""
    return [each for path in sorted(place.glob("*.json")) for each in _read(path)]


def _read(path: Path) -> Iterator[Baseline]:
    found: Any = parse(read_content(path, LARGEST, REMEDY), path).value
    try:
        jsonschema.validate(found, json.loads(SCHEMA.read_text(encoding="utf-8")))
    except jsonschema.ValidationError as error:
        raise FileError(path, None, f"it is no file of baselines: {error.message[:200]}", REMEDY) from error
    yield from (Baseline(**each) for each in found["baselines"])


def write_baselines(place: Path, baselines: Sequence[Baseline]) -> None:
    """A file for each component; files of components that have none are removed."""
    place.mkdir(parents=True, exist_ok=True)
    by_component = {
        component: sorted(found, key=lambda each: each.key)
        for component, found in groupby(sorted(baselines, key=lambda each: each.component), lambda each: each.component)
    }
    for path in place.glob("*.json"):
        if path.stem not in by_component:
            path.unlink()
    for component, found in by_component.items():
        content = {"goldpiece_baselines": VERSION, "baselines": [asdict(each) for each in found]}
        (place / f"{component}.json").write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
