"""What all figures have in common: their colours, which are the page's, and how they become a piece of it."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from io import BytesIO
from math import log

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

# A figure is drawn in these, none of which is seen: in the page each is a variable of style.css, which has one value
# for light and one for dark. Black is none of them, since Matplotlib leaves it out where it is what a browser assumes.
INK, MUTED, GRID, BAND = (f"#0{digit}0{digit}0{digit}" for digit in "1234")
SIDES = tuple(f"#0{digit}0{digit}0{digit}" for digit in "56789a")
_VARIABLES: Mapping[str, str] = {
    INK: "--ink",
    MUTED: "--muted",
    GRID: "--grid",
    BAND: "--band",
    **{colour: f"--s{number}" for number, colour in enumerate(SIDES)},
}
_SETTINGS: Mapping[str, object] = {
    "svg.fonttype": "none", "svg.hashsalt": "goldpiece", "text.parse_math": False, "font.size": 11, "text.color": INK,
    "axes.edgecolor": MUTED, "axes.labelcolor": MUTED, "xtick.color": MUTED, "ytick.color": MUTED, "grid.color": GRID,
    "axes.spines.top": False, "axes.spines.right": False, "axes.spines.left": False, "axes.axisbelow": True,
    "xtick.labelsize": 10, "ytick.labelsize": 10, "ytick.major.size": 0, "ytick.minor.size": 0, "lines.linewidth": 1.8,
}  # fmt: skip
_POINTS = 72  # to the inch, so that a length of Matplotlib is a pixel of the page


@dataclass(frozen=True)
class Frame:
    """Pixels of a figure, and of what stands beside its axes. Laid out by hand: Matplotlib's own search for room takes
    several times as long as the drawing.
    """

    width: int
    height: int
    left: int
    right: int
    bottom: int = 22
    top: int = 8

    @property
    def place(self) -> tuple[float, float, float, float]:
        """Where the axes are, in shares of the figure: left, bottom, width, height."""
        across, up = self.width - self.left - self.right, self.height - self.top - self.bottom
        return self.left / self.width, self.bottom / self.height, across / self.width, up / self.height


def svg(frame: Frame, says: str, draw: Callable[[Axes], None]) -> str:
    """The figure that `draw` draws, as an element of the page; `says` is what is read aloud in its place."""
    content = BytesIO()
    with rc_context(dict(_SETTINGS)):
        figure = Figure(figsize=(frame.width / _POINTS, frame.height / _POINTS), dpi=_POINTS)
        draw(figure.add_axes(frame.place))
        nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
        figure.savefig(content, format="svg", metadata=nothing, transparent=True)
    text = content.getvalue().decode()
    return _piece_of_a_page(text[text.index("<svg") :], says)


def _piece_of_a_page(text: str, says: str) -> str:
    """Without the font and the style sheet, which are the page's; its names are its own, for they hold in all of it."""
    text = re.sub(
        r"<style.*?</style>|<metadata>.*?</metadata>|<!--.*?-->| ?font-family: [^;\"]*;?", "", text, flags=re.S
    )
    own = sha256(text.encode()).hexdigest()[:10]
    text = re.sub(r'(?<= id=")|(?<=url\(#)|(?<=href="#)', f"f{own}-", text)
    for colour, variable in _VARIABLES.items():
        text = text.replace(colour, f"var({variable})")
    text = re.sub(r'(?<=<svg )(.*?)width="([\d.]+)pt" height="([\d.]+)pt"', r'\1width="\2" height="\3"', text, count=1)
    return text.replace("<svg ", f'<svg role="img" aria-label="{escape(says)}" ', 1)


def colours_of(labels: Iterable[str]) -> Mapping[str, str]:
    """The colour of each side, the same on all of a page; of so many that they run out, some have one in common."""
    return {label: SIDES[number % len(SIDES)] for number, label in enumerate(labels)}


def class_of(colour: str) -> str:
    """The class of style.css that has the colour of a side."""
    return f"s{SIDES.index(colour)}"


def ticks_of_ratios(low: float, high: float) -> Sequence[float]:
    """Few round ratios from `low` to `high`, as far apart on a logarithmic axis as can be read; 1 if it is within."""
    found = [[ratio for ratio in choice if low <= ratio <= high] for choice in _LADDERS]
    legible = [ticks for ticks in found if len(ticks) > 2 and log(ticks[1] / ticks[0]) > log(high / low) / 5]
    pairs = [ticks for ticks in found if len(ticks) == 2]
    return next(iter([*legible, *pairs]), [1.0] if low <= 1 <= high else [])


_LADDERS: Sequence[Sequence[float]] = (
    [10.0**power for power in range(-6, 7, 2)],
    [10.0**power for power in range(-6, 7)],
    [each * 10.0**power for power in range(-3, 4) for each in (1, 3)],
    [0.25, 0.5, 1.0, 2.0, 4.0],
    [0.5, 0.7, 1.0, 1.4, 2.0],
    [0.6, 0.8, 1.0, 1.25, 1.6],
    [0.8, 0.9, 1.0, 1.1, 1.25],
    [0.9, 1.0, 1.1],
    [0.95, 1.0, 1.05],
    [0.97, 1.0, 1.03],
    [0.98, 1.0, 1.02],
    [0.99, 1.0, 1.01],
)
