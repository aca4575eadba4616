"""The same in Markdown, as short as it can be: what a reader of a pull request has to know."""

from collections.abc import Iterator

from goldpiece.suite.benchmarks.page import units
from goldpiece.suite.benchmarks.page.view import Judgement, Page, Row, Tone
from goldpiece.suite.values import in_markdown

MARKS = {Tone.WORSE: "✗", Tone.BETTER: "✓", Tone.UNSURE: "?", Tone.SAME: "="}


def markdown(page: Page) -> Iterator[str]:
    """The lines: a row for each workload of which there is something to say, and how many there are besides."""
    yield f"### {in_markdown(page.title)}"
    yield ""
    yield in_markdown(page.lead)
    yield ""
    notable = [row for row in page.rows if row.is_notable]
    if notable:
        yield "| workload | time | B ÷ A | memory | B ÷ A | what else |"
        yield "| --- | --- | ---: | --- | ---: | --- |"
    for row in notable:
        yield f"| {' | '.join(_cells(row))} |"
    if notable:
        yield ""
    if others := len(page.rows) - len(notable):
        yield f"{others} more: no change."
        yield ""
    for name, text in [*page.labels, *page.facts, *([("noise", page.noise)] if page.noise else [])]:
        yield f"- {in_markdown(name)}: {in_markdown(text)}"
    yield ""


def _cells(row: Row) -> Iterator[str]:
    reasons = [reason for reason in (row.time.reason, row.memory.reason) if reason]
    yield in_markdown(row.workload)
    for judged in (row.time, row.memory):
        yield f"{MARKS[judged.tone]} {in_markdown(judged.words)}"
        yield _ratio(judged)
    yield in_markdown("; ".join(reasons))


def _ratio(judged: Judgement) -> str:
    """The ratio, with its interval unless it has no width, as that of memory."""
    if not judged.interval:
        return "–"
    ratio, low, high = (
        units.ratio(each) for each in (judged.interval.ratio, judged.interval.low, judged.interval.high)
    )
    return ratio if low == high else f"{ratio} [{low}, {high}]"
