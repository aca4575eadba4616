"""Sweeps: a subject held against a definition at every code point, many in one text, and the fault told of each."""

from collections.abc import Callable, Sequence
from contextlib import suppress

from goldpiece.suite.component import Disagreement
from goldpiece.suite.law import expect
from goldpiece.suite.subject import SubjectFailure
from goldpiece.suite.values import Value

BLOCK = 4096  # code points in one text
ENOUGH = 3_000  # failing code points: which others fail as well is no news


def sweep(
    frame: str,
    points: Sequence[int],
    ask: Callable[[str], Value],
    expected: Callable[[str], Value],
    everywhere: Sequence[int] = (),
) -> None:
    """Asks for each code point within a frame such as `a{0}b`, and compares.

    Where one of `points` fails, a report tells the whole extent of the fault from `everywhere`. A point on which the
    subject breaks is asked for last, so that it is what a report shows.
    """

    for point in _failing(frame, points, ask, expected, enough=1):

        def extent(first: int = point) -> str:
            with suppress(Disagreement):
                return told(_failing(frame, everywhere or points, ask, expected, ENOUGH) or [first])
            return told([first])

        text = frame.format(chr(point))
        expect(ask(text), expected(text), note=extent)


def _failing(
    frame: str, points: Sequence[int], ask: Callable[[str], Value], expected: Callable[[str], Value], enough: int
) -> list[int]:
    """The first so many points that fail. Whole blocks are compared, and those that differ half by half."""
    failing: list[int] = []

    def search(block: Sequence[int]) -> bool:
        """Whether the block goes wrong; one that does so while both its halves are right is shown as it is."""
        if len(failing) >= enough or _agrees(_together(frame, block), ask, expected):
            return False
        if len(block) == 1:
            failing.append(block[0])
            return True
        middle = len(block) // 2
        halves = [search(block[:middle]), search(block[middle:])]
        if not any(halves) and len(failing) < enough:
            together = _together(frame, block)
            expect(ask(together), expected(together), note="each half of these code points is treated well by itself")
        return True

    for start in range(0, len(points), BLOCK):
        search(points[start : start + BLOCK])
    return failing


def _together(frame: str, block: Sequence[int]) -> str:
    return " ".join(frame.format(chr(point)) for point in block)


def _agrees(text: str, ask: Callable[[str], Value], expected: Callable[[str], Value]) -> bool:
    try:
        return ask(text) == expected(text)
    except SubjectFailure:
        return False


def told(points: Sequence[int]) -> str:
    """`256 code points: U+2B820-U+2B91F`"""
    runs: list[list[int]] = []
    for point in points:
        if runs and runs[-1][1] == point - 1:
            runs[-1][1] = point
        else:
            runs.append([point, point])
    spans = [f"U+{first:04X}" if first == last else f"U+{first:04X}-U+{last:04X}" for first, last in runs]
    more = f" and {len(spans) - 12} more ranges" if len(spans) > 12 else ""
    least = "at least " if len(points) >= ENOUGH else ""
    return f"{least}{len(points):,} code point{'s' if len(points) > 1 else ''}: {' '.join(spans[:12])}{more}"
