"""Charts of bars, in the terminal and in files: the lengths of rows, and the sizes of vocabularies."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import TypeAlias

from rich.text import Text

from goldpiece.cli.output import console
from goldpiece.errors import UsageError

BARS = 12  # at most so many in a histogram
WIDTH = 50  # characters of the longest, in the terminal
ROW, TOP = 24, 40  # pixels of a bar, and of what stands above the first


@dataclass(frozen=True)
class Bar:
    """How many there are from `first` to `last`: rows of so many tokens, or entries under such a min_count."""

    first: int
    last: int
    count: int

    @property
    def label(self) -> str:
        return f"{self.first}" if self.first == self.last else f"{self.first}–{self.last}"


@dataclass(frozen=True)
class Chart:
    """Bars under a title."""

    title: str
    bars: Sequence[Bar]

    @property
    def most(self) -> int:
        return max(1, *(bar.count for bar in self.bars))

    @property
    def height(self) -> int:
        """Pixels that its drawing takes."""
        return TOP + ROW * len(self.bars)


Drawing: TypeAlias = Callable[[Sequence[Chart]], bytes]  # of charts, one below the other


def histogram(lengths: Sequence[int]) -> list[Bar]:
    """Equal steps from 0 to the longest, each a round number of tokens."""
    longest = max(lengths)
    step = next(
        step for power in range(20) for step in (10**power, 2 * 10**power, 5 * 10**power) if longest // step < BARS
    )
    counts = [0] * (longest // step + 1)
    for length in lengths:
        counts[length // step] += 1
    return [Bar(number * step, number * step + step - 1, count) for number, count in enumerate(counts)]


def print_bars(chart: Chart) -> None:
    """The bars in the terminal, in colour where it is one."""
    for bar in chart.bars:
        length = -(-bar.count * WIDTH // chart.most)  # whatever is there is seen
        filled = ("█" if console.is_terminal else "#") * length
        line = Text.assemble((f"{bar.label:>12}  ", "dim"), (filled, "cyan"), f" {bar.count:,}")
        console.print(line, soft_wrap=True)


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


def as_png(charts: Sequence[Chart]) -> bytes:
    """The charts as PNG, by matplotlib."""
    figure = import_module("matplotlib.figure").Figure(
        figsize=(6.4, sum(0.4 + 0.24 * (2 + len(chart.bars)) for chart in charts)), layout="constrained"
    )
    several = figure.subplots(len(charts), squeeze=False, height_ratios=[2 + len(chart.bars) for chart in charts])
    for chart, (axes,) in zip(charts, several, strict=True):
        drawn = axes.barh([bar.label for bar in chart.bars], [bar.count for bar in chart.bars], color="#2a7f9e")
        axes.bar_label(drawn, [f"{bar.count:,}" for bar in chart.bars], padding=4)
        axes.invert_yaxis()  # the shortest above
        axes.margins(x=0.15)  # room for the numbers
        axes.set_title(chart.title.replace("$", r"\$"))  # else what stands between two would be a formula
        axes.set_frame_on(False)
        axes.tick_params(length=0, labelbottom=False)
    content = BytesIO()
    figure.savefig(content, format="png", dpi=100)
    return content.getvalue()


def as_svg(charts: Sequence[Chart]) -> bytes:
    """The charts as SVG."""
    height = sum(chart.height for chart in charts)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="640" height="{height}" viewBox="0 0 640 {height}" '
        'font-family="sans-serif" font-size="13" fill="#333">',
        f"<title>{_escaped(charts[0].title)}</title>",
        '<rect width="100%" height="100%" fill="#fff"/>',
    ]
    top = 0
    for chart in charts:
        parts += _svg_of(chart, top)
        top += chart.height
    return "\n".join([*parts, "</svg>", ""]).encode()


def _svg_of(chart: Chart, top: int) -> Iterator[str]:
    left = 110
    yield f'<text x="10" y="{top + 20}" font-weight="bold">{_escaped(chart.title)}</text>'
    for number, bar in enumerate(chart.bars):
        y = top + 32 + number * ROW
        width = 440 * bar.count / chart.most
        yield f'<text x="{left - 8}" y="{y + 15}" text-anchor="end">{bar.label}</text>'
        yield f'<rect x="{left}" y="{y}" width="{width:.1f}" height="{ROW - 4}" fill="#2a7f9e"/>'
        yield f'<text x="{left + width + 6:.1f}" y="{y + 15}">{bar.count:,}</text>'


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")
