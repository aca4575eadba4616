"""What a comparison found out: for each workload a verdict, and what it rests on."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from goldpiece.suite.benchmarks.machine import Machine
from goldpiece.suite.benchmarks.memory import MemoryChange
from goldpiece.suite.benchmarks.record import VERSION, Measured
from goldpiece.suite.benchmarks.verdict import CONFIDENCE, FEWEST_PAIRS, MINIMUM_EFFECT, Ratio, Verdict

WAITS = "the clock on the wall says {verdict}, and processor time does not: it waits, or works on other cores"
NOISY = "A differs from itself: {verdict}, {estimate:.2f} ({low:.2f}-{high:.2f})"
FEW = "{pairs} measurements; there have to be {fewest}"
OTHERS = "the inputs or right outputs of the sides differ"


@dataclass(frozen=True)
class Party:
    """One side of a comparison."""

    side: str
    version: str
    machine: Machine


@dataclass(frozen=True)
class Noise:
    """What A against A came to."""

    ratio: Ratio
    memory: MemoryChange


@dataclass(frozen=True)
class Row:
    """One workload on one subject of either side. What is None was not measured."""

    workload: str
    subject_a: str
    subject_b: str
    a: Measured | None
    b: Measured | None
    ratio: Ratio | None = None  # of processor time
    wall: Ratio | None = None
    noise: Noise | None = None
    missing: str = ""  # why there is no ratio

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
        return Verdict.CANNOT_TELL if self.reason or not self.ratio else self.ratio.verdict

    @property
    def reason(self) -> str:
        """Why nothing can be told whatever the ratio, or nothing is there to tell of."""
        if self.missing or not self.ratio:
            return self.missing or FEW.format(pairs=self.rounds, fewest=FEWEST_PAIRS)
        if self.noise and self.noise.ratio.verdict in (Verdict.SLOWER, Verdict.FASTER):
            return NOISY.format(verdict=self.noise.ratio.verdict, **vars(self.noise.ratio))
        limit = 1 + MINIMUM_EFFECT
        if self.wall and self.ratio.verdict is Verdict.NO_CHANGE:
            for verdict, surely in (
                (Verdict.SLOWER, self.wall.low > limit),
                (Verdict.FASTER, self.wall.high < 1 / limit),
            ):
                if surely:
                    return WAITS.format(verdict=verdict)
        return ""

    @property
    def rounds_needed(self) -> int | None:
        """How many pairs in all would tell; None where more pairs would not, or where it is told."""
        if self.verdict is not Verdict.CANNOT_TELL or not self.ratio or self.reason:
            return None
        return self.ratio.pairs_needed(self.rounds)

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
        "ratio": asdict(row.ratio) if row.ratio else None,
        "wall": asdict(row.wall) if row.wall else None,
        "rounds": row.rounds,
        "rounds_needed": row.rounds_needed,
        "noise": _noise_to_json(row.noise) if row.noise else None,
        "memory": _memory_to_json(row.memory),
        "a": asdict(row.a) if row.a else None,
        "b": asdict(row.b) if row.b else None,
        "failed": list(failed),
    }


def _noise_to_json(noise: Noise) -> dict[str, Any]:
    ratio = noise.ratio
    return {"verdict": ratio.verdict.value, "ratio": asdict(ratio), "memory": _memory_to_json(noise.memory)}


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
        "rules": {"minimum_effect": MINIMUM_EFFECT, "confidence": CONFIDENCE, "fewest_pairs": FEWEST_PAIRS},
        "rows": [row_to_json(row, failed.get(row.key, ())) for row in found.rows],
    }
