"""Judgments: what a clause says, as a test of a record of batches, where a law would choose the inputs.

A judgment is a function in properties/recorded_<component>.py that takes the record. It raises Disagreement where the
clause is broken, Unsupported where the record does not show what the clause speaks of, and NotEnough where it is too
small to tell.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from goldpiece.suite.component import Disagreement
from goldpiece.suite.law import property_modules
from goldpiece.suite.recorded.record import NotEnough, Record, RecordedRow
from goldpiece.suite.spec import Clause
from goldpiece.suite.subject import Unsupported
from goldpiece.suite.values import Value, abridged
from goldpiece.suite.verdict import Counterexample, Outcome, Row, Verdict

OPERATION = "mask"  # that of which batches are recorded
SHOWN = 5  # tokens on either side of one that is wrong


class Fault(Disagreement):
    """A disagreement of one row, with what of it shows the fault."""

    def __init__(self, shown: Mapping[str, Value], expected: Value, actual: Value, note: str = "") -> None:
        self.shown = shown
        super().__init__(expected, actual, note)


@dataclass(frozen=True)
class Judgment:
    """A test of one clause on a record."""

    clause: str
    function: Callable[[Record], None]

    @property
    def name(self) -> str:
        return self.function.__name__


def judges(clause: str) -> Callable[[Callable[[Record], None]], Judgment]:
    """Makes a function the judgment of a clause."""
    return lambda function: Judgment(clause, function)


@cache
def load_judgments() -> Mapping[str, Judgment]:
    """All judgments by their clauses."""
    found = (each for module in property_modules("recorded_") for each in vars(module).values())
    return {each.clause: each for each in found if isinstance(each, Judgment)}


def judged_rows(record: Record, spec: str, clauses: Sequence[Clause]) -> Iterator[Row]:
    """What is to be said of each clause."""
    for clause in clauses:
        judgment = load_judgments().get(clause.id)
        if judgment is None:
            outcome = _blank(clause.id, "")
            outcome = replace(outcome, verdict=Verdict.UNSUPPORTED, reason="a record of batches does not show it")
        else:
            outcome = judged(judgment, record)
        yield Row(spec, clause.id, clause.level, None, clause.says, (outcome,))


def judged(judgment: Judgment, record: Record) -> Outcome:
    """What a judgment comes to."""
    blank = replace(_blank(judgment.clause, judgment.name), inputs=len(record.rows))
    start = time.perf_counter()
    try:
        judgment.function(record)
    except Unsupported as reason:
        return replace(blank, verdict=Verdict.UNSUPPORTED, reason=f"the record does not show {reason}")
    except NotEnough as reason:
        return replace(blank, verdict=Verdict.NOT_RUN, reason=str(reason))
    except Disagreement as problem:
        shown = problem.shown if isinstance(problem, Fault) else {}
        given: dict[str, object] = {"config": abridged(record.config), "operation": OPERATION, "input": abridged(shown)}
        found = Counterexample([given], abridged(problem.expected), abridged(problem.actual), problem.explained())
        blank = replace(blank, verdict=Verdict.FAILS, counterexample=found)
    return replace(blank, seconds=time.perf_counter() - start)


def fault(record: Record, row: RecordedRow, place: int, expected: Value, actual: Value, note: str = "") -> Fault:
    """What is wrong at a place of a row, with what stands around it."""
    around = slice(max(0, place - SHOWN), place + SHOWN + 1)
    shown: dict[str, Value] = {
        "row": f"{record.path.name}, {row.place}, place {place}",
        "original": [record.claims.vocab[number] for number in row.ids[around]],
        "input_ids": row.seen[around].tolist(),
        "labels": row.labels[around].tolist(),
    }
    return Fault(shown, expected, actual, note)


def _blank(clause: str, name: str) -> Outcome:
    return Outcome(clause, None, "law", f"record {name}".strip(), Verdict.HOLDS)
