"""Reports as JUnit XML, which most CI systems show: a test suite for each subject, a test case for each clause."""

from collections.abc import Sequence
from xml.etree import ElementTree

from goldpiece.suite.report import explain
from goldpiece.suite.values import visible
from goldpiece.suite.verdict import Report, Row, Verdict


def junit(reports: Sequence[Report]) -> bytes:
    """The XML. What makes a run fail is a failure, or an error where there was no answer; the rest is skipped."""
    root = ElementTree.Element("testsuites", name="goldpiece")
    for report in reports:
        suite = ElementTree.SubElement(root, "testsuite", name=visible(f"{report.subject} {report.version}"))
        kinds = [_case(suite, report, row) for row in report.rows]
        suite.attrib |= {"tests": str(len(kinds)), "time": f"{sum(map(_seconds, report.rows)):.3f}"}
        suite.attrib |= {
            f"{kind}s" if kind != "skipped" else kind: str(kinds.count(kind))
            for kind in ("failure", "error", "skipped")
        }
    ElementTree.indent(root)
    written: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return written + b"\n"


def _case(suite: ElementTree.Element, report: Report, row: Row) -> str | None:
    """Adds a test case; of what kind it is, where it did not pass."""
    name = f"{row.clause} [{row.profile}]" if row.profile else row.clause
    case = ElementTree.SubElement(suite, "testcase", classname=row.spec, name=name, time=f"{_seconds(row):.3f}")
    kind = _kind(report, row)
    telling = row.telling
    if kind and telling:
        reason = row.blocked_by or telling.reason
        message = f"{row.verdict.value} ({row.level.value})" + (f": {reason}" if reason else "")
        found = ElementTree.SubElement(case, kind, message=visible(message))
        lines = f"{explain(row.says, telling)}\n{report.replay(telling)}".splitlines()
        found.text = "\n".join(map(visible, lines))  # XML cannot hold most control characters
    return kind


def _kind(report: Report, row: Row) -> str | None:
    if row.verdict is Verdict.HOLDS:
        return None
    if not row.verdict.counts_against(row.level, report.strict):
        return "skipped"
    return "failure" if row.verdict in (Verdict.FAILS, Verdict.BLOCKED) else "error"


def _seconds(row: Row) -> float:
    return sum(outcome.seconds for outcome in row.outcomes)
