"""What exhaustive laws share: how many code points go into one text, and how those that fail are told."""

from collections.abc import Sequence

BLOCK = 4096  # code points in one text of a sweep


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
    return f"{len(points):,} code point{'s' if len(points) > 1 else ''}: {' '.join(spans[:12])}{more}"
