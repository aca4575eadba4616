"""Gates: from what on a comparison fails, and when it is no ground to pass or fail."""

from dataclasses import dataclass
from typing import Any

from goldpiece.errors import UsageError
from goldpiece.suite.benchmarks.comparison import Comparison, Row, comparison_to_json
from goldpiece.suite.benchmarks.memory import TOLERANCE, MemoryVerdict
from goldpiece.suite.benchmarks.verdict import MINIMUM_EFFECT, Ratio, Verdict
from goldpiece.suite.verdict import Exit

FORM = "write slower:1.10, memory:1.05, or both with a comma between"


@dataclass(frozen=True)
class Gates:
    """How many times as long B may take, and how much memory; None for what does not count."""

    slower: float | None = None
    memory: float | None = None

    @classmethod
    def read(cls, written: str) -> "Gates":
        """From `slower:1.10,memory:1.05`. Raises UsageError."""
        found: dict[str, float] = {}
        for part in written.split(","):
            name, _, limit = part.strip().partition(":")
            try:
                found[name] = float(limit)
            except ValueError:
                raise UsageError(f"--fail-on {written}: {limit!r} is no number; {FORM}") from None
            if name not in ("slower", "memory"):
                raise UsageError(f"--fail-on {written}: there is no gate {name!r}; {FORM}")
        gates = cls(**found)
        if gates.slower is not None and not gates.slower >= 1 + MINIMUM_EFFECT:
            problem = f"less than {1 + MINIMUM_EFFECT:.2f} is no difference that a verdict speaks of"
            raise UsageError(f"--fail-on {written}: {problem}; {FORM}")
        if gates.memory is not None and not gates.memory >= 1 + TOLERANCE:
            problem = f"less than {1 + TOLERANCE:.2f} times as much memory is none that repeats"
            raise UsageError(f"--fail-on {written}: {problem}; {FORM}")
        return gates

    def failed(self, row: Row) -> list[str]:
        """The gates that a row fails. What is not there fails each: it was never measured."""
        names = [name for name in ("slower", "memory") if getattr(self, name) is not None]
        if row.verdict is Verdict.MISSING:
            return [f"{name}: missing" for name in names]
        found = []
        if row.verdict is Verdict.SLOWER and row.said and self._is_slower(row.said.ratio):
            found.append(f"slower:{self.slower:.2f}")
        if self.memory is not None and row.memory.worst >= self.memory:
            found.append(f"memory:{self.memory:.2f}")
        return found

    def refused(self, row: Row) -> str:
        """Why the row is no ground to pass or to fail; empty where it is one."""
        if row.verdict is Verdict.MISSING:
            return ""
        if self.slower is not None and row.verdict in (Verdict.CANNOT_TELL, Verdict.NO_CHANGE):
            if row.reason:
                return row.reason
            if row.said and row.said.ratio.high >= self.slower:
                return f"it may be {row.said.ratio.high:.2f} times as slow"
        if self.memory is not None and row.memory.verdict is MemoryVerdict.NOT_MEASURED:
            reasons = [side.no_memory_because for side in (row.a, row.b) if side and side.no_memory_because]
            return f"memory was not measured: {'; '.join(reasons)}"
        if self.memory is not None and row.again and row.again.worst >= self.memory:
            return f"A takes {row.again.worst:.2f} times as much memory as itself"
        return ""

    def _is_slower(self, ratio: Ratio) -> bool:
        return self.slower is not None and ratio.estimate >= self.slower


@dataclass(frozen=True)
class Judgment:
    """What the gates make of a comparison: of each row those that it fails, and why one is refused."""

    gates: Gates
    failed: tuple[tuple[Row, tuple[str, ...]], ...]
    refused: tuple[tuple[Row, str], ...]
    nothing: bool  # not one workload could be compared

    @property
    def exit_code(self) -> int:
        """A fault where a gate fails; that of what cannot be used where one is refused, or nothing was compared."""
        return Exit.FAULT if self.failed else Exit.USAGE if self.refused or self.nothing else Exit.OK


def judged_to_json(found: Comparison, judgment: Judgment) -> dict[str, Any]:
    """A comparison as JSON values, with what the gates make of it."""
    failed = {row.key: names for row, names in judgment.failed}
    values = comparison_to_json(found, failed)
    limits = {name: limit for name, limit in vars(judgment.gates).items() if limit is not None}
    return {
        **values,
        "rules": {**values["rules"], "fail_on": limits},
        "gates": {
            "failed": [f"{row.workload}: {', '.join(names)}" for row, names in judgment.failed],
            "refused": [f"{row.workload}: {why}" for row, why in judgment.refused],
        },
        "exit": judgment.exit_code,
    }


def judge(found: Comparison, gates: Gates) -> Judgment:
    """Puts all rows to the gates."""
    return Judgment(
        gates,
        tuple((row, tuple(names)) for row in found.rows if (names := gates.failed(row))),
        tuple((row, why) for row in found.rows if (why := gates.refused(row))),
        all(row.verdict is Verdict.MISSING for row in found.rows),
    )
