"""What a comparison found out: for each workload a verdict, and what it rests on."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from goldpiece.suite.benchmarks.machine import Machine
from goldpiece.suite.benchmarks.memory import MemoryChange
from goldpiece.suite.benchmarks.record import VERSION, Measured
from goldpiece.suite.benchmarks.verdict import (
    CONFIDENCE,
    FEWEST_PAIRS,
    LARGEST_EFFECT,
    MINIMUM_EFFECT,
    Verdict,
    Verdicts,
)

FEW = "{pairs} measurements; there have to be {fewest}"
OTHERS = "the inputs or right outputs of the sides differ"


@dataclass(frozen=True)
class Party:
    """One side of a comparison."""

    side: str
    version: str
    machine: Machine


@dataclass(frozen=True)
class Row:
    """One workload on one subject of either side. What is None was not measured."""

    workload: str
    subject_a: str
    subject_b: str
    a: Measured | None
    b: Measured | None
    said: Verdicts | None = None  # None where there are no times, or too few
    again: MemoryChange | None = None  # of A against itself; None where A and B have the same
    missing: str = ""  # why nothing is compared

    @property
    def key(self) -> tuple[str, str, str]:
        return self.workload, self.subject_a, self.subject_b

    @property
    def rounds(self) -> int:
        """How many pairs there are."""
        return min(len(self.a.samples), len(self.b.samples)) if self.a and self.b else 0

    @property
    def verdict(self) -> Verdict:
        if self.missing or not (self.a and self.b):
            return Verdict.MISSING
        return self.said.verdict if self.said else Verdict.CANNOT_TELL

    @property
    def reason(self) -> str:
        """Why nothing can be told whatever the ratio, or nothing is there to tell of."""
        if self.missing or not self.said:
            return self.missing or FEW.format(pairs=self.rounds, fewest=FEWEST_PAIRS)
        return self.said.reason

    @property
    def rounds_needed(self) -> int | None:
        """How many pairs in all would tell; None where more pairs would not, or where it is told."""
        if self.verdict is not Verdict.CANNOT_TELL or not self.said or self.reason:
            return None
        return self.said.ratio.pairs_needed(self.rounds, self.said.effect)

    @property
    def memory(self) -> MemoryChange:
        return MemoryChange.between(self.a, self.b) if self.a and self.b else MemoryChange(None, None, None, None)


@dataclass(frozen=True)
class Comparison:
    """Two sides, workload by workload."""

    a: Party
    b: Party
    date: str
    method: str  # interleaved, saved or calibrated
    notes: tuple[str, ...]
    depth: str
    corpus: str | None
    vocab: str | None
    rows: tuple[Row, ...]


def row_to_json(row: Row, failed: Sequence[str]) -> dict[str, Any]:
    """A row with its verdict, and the gates that it fails."""
    return {
        "workload": row.workload,
        "subject_a": row.subject_a,
        "subject_b": row.subject_b,
        "verdict": row.verdict.value,
        "reason": row.reason or None,
        "ratio": asdict(row.said.ratio) if row.said else None,
        "wall": asdict(row.said.wall) if row.said and row.said.wall else None,
        "effect": row.said.effect if row.said else None,
        "rounds": row.rounds,
        "rounds_needed": row.rounds_needed,
        "noise": _noise_to_json(row),
        "memory": _memory_to_json(row.memory),
        "a": asdict(row.a) if row.a else None,
        "b": asdict(row.b) if row.b else None,
        "failed": list(failed),
    }


def _noise_to_json(row: Row) -> dict[str, Any] | None:
    if not (row.said and row.said.noise):
        return None
    ratio, memory = row.said.noise, _memory_to_json(row.again) if row.again else None
    return {"verdict": ratio.verdict().value, "ratio": asdict(ratio), "memory": memory}


def _memory_to_json(change: MemoryChange) -> dict[str, Any]:
    return {"verdict": change.verdict.value, **asdict(change), "ratio": change.ratio, "rss_ratio": change.rss_ratio}


def comparison_to_json(found: Comparison, failed: Mapping[tuple[str, str, str], Sequence[str]]) -> dict[str, Any]:
    """The whole as JSON values; of some rows, by workload and both subjects, the gates that they fail."""
    return {
        "goldpiece_bench": VERSION,
        "kind": "comparison",
        **{name: getattr(found, name) for name in ("date", "method", "depth", "corpus", "vocab")},
        "notes": list(found.notes),
        "a": asdict(found.a),
        "b": asdict(found.b),
        "rules": {
            "minimum_effect": MINIMUM_EFFECT,
            "largest_effect": LARGEST_EFFECT,
            "confidence": CONFIDENCE,
            "fewest_pairs": FEWEST_PAIRS,
        },
        "rows": [row_to_json(row, failed.get(row.key, ())) for row in found.rows],
    }
