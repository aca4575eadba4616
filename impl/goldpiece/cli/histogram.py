"""Histograms of the lengths of rows, and drawings of them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import TypeAlias

from goldpiece.errors import UsageError

BARS = 12  # at most so many


@dataclass(frozen=True)
class Bar:
    """How many rows have from `first` to `last` tokens."""

    first: int
    last: int
    rows: int

    @property
    def label(self) -> str:
        return f"{self.first}" if self.first == self.last else f"{self.first}–{self.last}"


Drawing: TypeAlias = Callable[[Sequence[Bar], str], bytes]  # of bars, under a title


def histogram(lengths: Sequence[int]) -> list[Bar]:
    """Equal steps from 0 to the longest, each a round number of tokens."""
    longest = max(lengths)
    step = next(
        step for power in range(20) for step in (10**power, 2 * 10**power, 5 * 10**power) if longest // step < BARS
    )
    counts = [0] * (longest // step + 1)
    for length in lengths:
        counts[length // step] += 1
    return [Bar(number * step, number * step + step - 1, rows) for number, rows in enumerate(counts)]


def drawing_of(path: Path) -> Drawing:
    """What draws a file of such a name. Raises UsageError where none does, or what it needs is not installed."""
    kinds: Mapping[str, Drawing] = {".svg": as_svg, ".png": as_png}
    if path.suffix not in kinds:
        raise UsageError(f"{path} cannot be drawn: name a file that ends in {' or '.join(kinds)}")
    if path.suffix == ".png" and find_spec("matplotlib") is None:
        raise UsageError(
            f"{path} needs matplotlib, which is not installed: run `pip install matplotlib`, install goldpiece with "
            "its extra `plot`, or name a file that ends in .svg"
        )
    return kinds[path.suffix]


def as_png(bars: Sequence[Bar], title: str) -> bytes:
    """The histogram as PNG, by matplotlib."""
    figure = import_module("matplotlib.figure").Figure(
        figsize=(6.4, 0.4 + 0.24 * (2 + len(bars))), layout="constrained"
    )
    axes = figure.subplots()
    drawn = axes.barh([bar.label for bar in bars], [bar.rows for bar in bars], color="#2a7f9e")
    axes.bar_label(drawn, [f"{bar.rows:,}" for bar in bars], padding=4)
    axes.invert_yaxis()  # the shortest above
    axes.margins(x=0.15)  # room for the numbers
    axes.set_title(title.replace("$", r"\$"))  # else what stands between two would be a formula
    axes.set_frame_on(False)
    axes.tick_params(length=0, labelbottom=False)
    content = BytesIO()
    figure.savefig(content, format="png", dpi=100)
    return content.getvalue()


def as_svg(bars: Sequence[Bar], title: str) -> bytes:
    """The histogram as SVG."""
    most = max(bar.rows for bar in bars)
    height, row, left = 40 + 24 * len(bars), 24, 110
    escaped = title.replace("&", "&amp;").replace("<", "&lt;")
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="640" height="{height}" viewBox="0 0 640 {height}" '
        'font-family="sans-serif" font-size="13" fill="#333">',
        f"<title>{escaped}</title>",
        '<rect width="100%" height="100%" fill="#fff"/>',
        f'<text x="10" y="20" font-weight="bold">{escaped}</text>',
    ]
    for number, bar in enumerate(bars):
        top = 32 + number * row
        width = 440 * bar.rows / most
        parts += [
            f'<text x="{left - 8}" y="{top + 15}" text-anchor="end">{bar.label}</text>',
            f'<rect x="{left}" y="{top}" width="{width:.1f}" height="{row - 4}" fill="#2a7f9e"/>',
            f'<text x="{left + width + 6:.1f}" y="{top + 15}">{bar.rows:,}</text>',
        ]
    return "\n".join([*parts, "</svg>", ""]).encode()
