"""The figures of a page. Each says one thing of a workload, on one side or on several."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count, islice
from statistics import median
from typing import TypeAlias

from matplotlib.axes import Axes

from goldpiece.suite.benchmarks.page import units
from goldpiece.suite.benchmarks.page.theme import BAND, MUTED, SIDES, Frame, svg, ticks_of_ratios
from goldpiece.suite.benchmarks.page.view import Moment
from goldpiece.suite.benchmarks.record import Growth, Memory

_WIDTH, _HEIGHT = 272, 130  # pixels of a figure: four of them stand side by side
_GOLDEN = 0.618034  # its multiples never bunch up: what spreads points, the same on each run
_THICK, _THIN = 3.6, 1.6  # the first line and those upon it: where they lie upon each other, both are seen
Colours: TypeAlias = Mapping[str, str]  # of the sides
_LETTER, _LINE = 6.4, 14.0  # pixels that a letter and a line of text take, at most and at least


def strips(sides: Mapping[str, Sequence[float]], colours: Colours, no_change: float) -> str:
    """Do the processes of the sides overlap? Each is a point, by how much longer its pass is than the median of the
    first side; the band is what counts as no change.
    """
    medians = {label: median(times) for label, times in sides.items()}
    base = next(iter(medians.values()))
    says = "; ".join(f"{label}: median {units.seconds(found)}" for label, found in medians.items())

    def draw(axes: Axes) -> None:
        axes.set_xscale("log")
        axes.axvspan(1 / no_change, no_change, color=BAND, linewidth=0)
        for row, (label, times) in enumerate(sides.items()):
            colour = colours[label]
            heights = [row - 0.22 + 0.44 * share for share in _spread(len(times))]
            axes.plot(_by(base, times), heights, "o", color=colour, markersize=4, alpha=0.55, markeredgewidth=0)
            axes.plot([medians[label] / base] * 2, [row - 0.36, row + 0.36], color=colour, linewidth=2.5)
            for text, place, align in ((label, -0.03, "right"), (units.seconds(medians[label]), 1.02, "left")):
                axes.text(place, row, text, transform=axes.get_yaxis_transform(), ha=align, va="center", color=colour)
        axes.set_ylim(len(sides) - 0.45, -0.55)
        everything = [1 / no_change, no_change, *(each for times in sides.values() for each in _by(base, times))]
        _ratio_axis(axes, min(everything), max(everything))

    frame = Frame(_WIDTH, max(_HEIGHT, 32 + 24 * len(sides)), _room(sides) + 12, 62)
    return svg(frame, f"Processor time of each process. {says}", draw)


def _by(base: float, times: Sequence[float]) -> list[float]:
    return [each / base for each in times]


def _spread(points: int) -> Iterator[float]:
    return islice((number * _GOLDEN % 1 for number in count()), points)


def _room(texts: Iterable[str]) -> int:
    """Pixels that the longest of them takes."""
    return round(_LETTER * max(map(len, texts)))


def _ratio_axis(axes: Axes, low: float, high: float) -> None:
    """The horizontal axis, logarithmic, with a few round ratios."""
    room = (high / low) ** 0.05
    axes.set_xlim(low / room, high * room)
    axes.set_xticks(ticks_of_ratios(low, high), [f"{each:g}×" for each in ticks_of_ratios(low, high)])
    axes.set_xticks([], minor=True)
    axes.set_yticks([])
    axes.grid(axis="x")


def growth(curves: Mapping[str, Growth], colours: Colours) -> str:
    """Does the time grow faster than the input? Seconds for as much input, in units of those at the shortest: what is
    linear stays at 1×, and what is quadratic follows the dashed line.
    """
    labels = {label: f"{label}  n^{curve.exponent:.2f}" for label, curve in curves.items()}
    lengths = sorted({length for curve in curves.values() for length in curve.sizes})
    most = lengths[-1] / lengths[0]
    says = "; ".join(f"{label}: as the length to the power of {curve.exponent:.2f}" for label, curve in curves.items())

    def draw(axes: Axes) -> None:
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.plot([lengths[0], lengths[-1]], [1, most], color=MUTED, linewidth=1, dashes=(4, 3))
        _beside(axes, (lengths[0] * most**0.5, most**0.5), "n²", MUTED, up=10, right=-14)
        ends: dict[str, tuple[float, float]] = {}
        for label, curve in curves.items():
            each = [seconds / length for length, seconds in zip(curve.sizes, curve.cpu_s, strict=True)]
            relative = _by(each[0], each)
            colour = colours[label]
            axes.plot(curve.sizes, relative, "o-", color=colour, markersize=5, linewidth=_width(colour))
            ends[label] = float(curve.sizes[-1]), relative[-1]
        axes.set_xticks(lengths, [f"{length:,}" for length in lengths])
        steps = [1.0, *(2.0**power for power in range(1, 12) if 2**power <= most)]
        axes.set_yticks(steps, [f"{step:g}×" for step in steps])
        axes.set_xticks([], minor=True)
        axes.set_yticks([], minor=True)
        heights = [height for _, height in ends.values()]
        axes.set_ylim(min(0.6, *(height / 1.2 for height in heights)), max(most, *heights) * 1.25)
        axes.grid(axis="y")
        _label(axes, ends, labels, colours)

    return svg(Frame(_WIDTH, _HEIGHT, 30, _room(labels.values()) + 8), f"Processor time grows. {says}", draw)


def memory_over_time(heaps: Mapping[str, Memory], colours: Colours) -> str:
    """When is how much in use? The highest of the points is marked, and the peak named, which may lie between two."""
    labels = {label: f"{label}  {units.size(heap.peak_bytes)}" for label, heap in heaps.items()}
    longest = max(heap.over_time[-1][0] for heap in heaps.values()) or 1e-3
    most = max(heap.peak_bytes for heap in heaps.values()) or 1
    says = "; ".join(f"{label}: at most {units.size(heap.peak_bytes)}" for label, heap in heaps.items())

    def draw(axes: Axes) -> None:
        for label, heap in heaps.items():
            colour = colours[label]
            seconds, sizes = zip(*heap.over_time, strict=True)
            axes.plot(seconds, sizes, color=colour, drawstyle="steps-post", linewidth=_width(colour))
            axes.plot(seconds[sizes.index(max(sizes))], max(sizes), "o", color=colour, markersize=5)
        axes.set_xlim(0, longest)
        axes.set_ylim(0, most * 1.12)
        axes.set_xticks([0, longest], ["0", units.seconds(longest)])
        axes.set_yticks([0, most], ["0", units.size(most)])
        axes.grid(axis="y")
        _label(axes, {label: (longest, float(heap.peak_bytes)) for label, heap in heaps.items()}, labels, colours)

    return svg(Frame(_WIDTH, _HEIGHT, 52, _room(labels.values()) + 8), f"Memory in use over time. {says}", draw)


def _width(colour: str) -> float:
    return _THICK if colour == SIDES[0] else _THIN


def _label(axes: Axes, points: Mapping[str, tuple[float, float]], texts: Mapping[str, str], colours: Colours) -> None:
    """Writes beside the point of each side what it is, a line apart from the others, in the colour of the side."""
    heights = {label: float(axes.transData.transform(point)[1]) for label, point in points.items()}
    below = float("inf")
    for label in sorted(points, key=lambda label: -heights[label]):
        below = min(heights[label], below - _LINE)
        _beside(axes, points[label], texts[label], colours[label], up=below - heights[label])


def _beside(axes: Axes, point: tuple[float, float], text: str, colour: str, *, right: float = 7, up: float = 0) -> None:
    """Writes what a point is, so many pixels from it."""
    aside = (right, up)
    axes.annotate(text, point, aside, textcoords="offset points", va="center", color=colour, annotation_clip=False)


def history(moments: Mapping[str, Sequence[Moment]], colours: Colours, no_change: float) -> str:
    """Did it drift over saved runs? Times in units of the calibration, and of those in the first run."""
    everything = [moment.times for found in moments.values() for moment in found]
    low = min(1 / no_change, *(times.low for times in everything))
    high = max(no_change, *(times.high for times in everything))
    ends = {label: found[-1].times.ratio for label, found in moments.items()}
    labels = {label: f"{label}  {units.ratio(end)}×" for label, end in ends.items()}
    runs = dict(sorted((moment.number, moment.run) for found in moments.values() for moment in found))

    def draw(axes: Axes) -> None:
        axes.set_yscale("log")
        axes.axhspan(1 / no_change, no_change, color=BAND, linewidth=0)
        for label, found in moments.items():
            colour = colours[label]
            times, places = [moment.times for moment in found], [moment.number for moment in found]
            axes.vlines(places, [each.low for each in times], [each.high for each in times], color=colour, alpha=0.3)
            axes.plot(
                places, [each.ratio for each in times], "o-", color=colour, markersize=4, linewidth=_width(colour)
            )
        axes.set_ylim(low / 1.03, high * 1.03)
        axes.set_yticks(ticks_of_ratios(low, high), [f"{each:g}×" for each in ticks_of_ratios(low, high)])
        axes.set_yticks([], minor=True)
        axes.set_xticks([min(runs), max(runs)], [runs[min(runs)], runs[max(runs)]])
        axes.grid(axis="y")
        _label(axes, {label: (float(max(runs)), end) for label, end in ends.items()}, labels, colours)

    said = ", ".join(f"{label}: {units.ratio(end)} times as long as in the first" for label, end in ends.items())
    return svg(
        Frame(_WIDTH, _HEIGHT, 40, _room(labels.values()) + 8),
        f"Over {len(runs)} saved runs. In the last, {said}",
        draw,
    )
