"""Outcomes and reports as JSON. The form of a report is report.schema.json beside this file."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

import goldpiece
from goldpiece.suite.verdict import Counterexample, Outcome, Report, Row, Verdict

SCHEMA = Path(__file__).with_name("report.schema.json")


def written_outcome(outcome: Outcome) -> str:
    """An outcome as one line of ASCII JSON: it may hold lone surrogates, which nothing else would carry."""
    return json.dumps(asdict(outcome) | {"verdict": outcome.verdict.value})


def read_outcome(written: str) -> Outcome:
    """What `written_outcome` wrote."""
    record = json.loads(written)
    found = record["counterexample"]
    return Outcome(
        **{
            **record,
            "verdict": Verdict(record["verdict"]),
            "counterexample": Counterexample(**found) if found else None,
        }
    )


def report_to_json(report: Report) -> dict[str, object]:
    """One subject's report."""
    verdicts = Counter(row.verdict.value for row in report.rows)
    return {
        "schema": 1,
        "goldpiece": goldpiece.__version__,
        "date": datetime.now(UTC).date().isoformat(),
        "subject": report.subject,
        "version": report.version,
        "depth": report.depth.value,
        "seed": report.seed,
        "strict": report.strict,
        "exit": report.exit_code,
        "summary": {verdict.value: verdicts[verdict.value] for verdict in Verdict},
        "clauses": [_row(report, row) for row in report.rows],
    }


def _row(report: Report, row: Row) -> dict[str, object]:
    telling = row.telling
    return {
        "id": row.clause,
        "spec": row.spec,
        "profile": row.profile,
        "level": row.level.value,
        "says": row.says,
        "verdict": row.verdict.value,
        "blocked_by": row.blocked_by,
        "reason": telling.reason if telling else None,
        "counterexample": asdict(telling.counterexample) if telling and telling.counterexample else None,
        "replay": report.replay(telling) if telling else None,
        "checks": [
            {
                "name": outcome.check,
                "verdict": outcome.verdict.value,
                "executed": outcome.executed,
                "attempted": outcome.attempted,
                "inputs": outcome.inputs,
                "seconds": round(outcome.seconds, 3),
            }
            for outcome in row.outcomes
        ],
    }


def write(path: Path, reports: Sequence[Mapping[str, object]]) -> None:
    """Writes a report; a list of them where there are several."""
    content: object = reports[0] if len(reports) == 1 else list(reports)
    path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
