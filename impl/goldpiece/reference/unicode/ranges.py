"""Sets of code points as text: `41-5a 61-7a aa`, hexadecimal, ends included."""

import re
from collections.abc import Iterable, Iterator


def read(ranges: str) -> Iterator[int]:
    """The code points of `41-5a aa`, in order."""
    for item in ranges.split():
        first, _, last = item.partition("-")
        yield from range(int(first, 16), int(last or first, 16) + 1)


def write(code_points: Iterable[int]) -> str:
    """The shortest text that `read` reads as `code_points`."""
    runs: list[list[int]] = []
    for point in sorted(set(code_points)):
        if runs and runs[-1][1] == point - 1:
            runs[-1][1] = point
        else:
            runs.append([point, point])
    return " ".join(f"{first:x}" if first == last else f"{first:x}-{last:x}" for first, last in runs)


def pattern(code_points: Iterable[int]) -> str:
    """A regular expression for one character of `code_points`."""
    spans = [item.partition("-") for item in write(code_points).split()]
    return (
        "["
        + "".join(
            f"{re.escape(chr(int(a, 16)))}{dash}{re.escape(chr(int(b or a, 16)))}"
            if dash
            else re.escape(chr(int(a, 16)))
            for a, dash, b in spans
        )
        + "]"
    )
