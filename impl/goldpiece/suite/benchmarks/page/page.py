"""Makes the page: reads the template, draws the figures, and lays out what the tables need."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import log
from pathlib import Path
from typing import TypeVar

import jinja2
from markupsafe import Markup

from goldpiece.suite.benchmarks.page import figures, units
from goldpiece.suite.benchmarks.page.theme import class_of, colours_of, ticks_of_ratios
from goldpiece.suite.benchmarks.page.view import Detail, Page
from goldpiece.suite.benchmarks.record import Measured, Memory
from goldpiece.suite.benchmarks.standings import Between

_HERE = Path(__file__).parent
_WIDTH, _MARGIN = 180, 14  # pixels of the column of intervals, and at either end of it, for a number above
_BAR = 90  # pixels of the longest bar of allocations
_LEAST = 50  # places are left out that hold less than this part of the largest

T = TypeVar("T")


@dataclass(frozen=True)
class Axis:
    """A logarithmic axis for ratios, the same in all rows of a table."""

    low: float
    high: float

    @classmethod
    def of(cls, intervals: Iterable[Between | None], no_change: float) -> "Axis":
        """Wide enough for all of them, and for what counts as no change."""
        found = [each for each in intervals if each]
        low = min([no_change**-2, *(each.low for each in found)])
        return cls(low, max([no_change**2, *(each.high for each in found)]))

    def place(self, ratio: float) -> float:
        """Pixels from the left."""
        share = log(ratio / self.low) / log(self.high / self.low)
        return round(_MARGIN + share * (_WIDTH - 2 * _MARGIN), 1)

    @property
    def ticks(self) -> Sequence[float]:
        return ticks_of_ratios(self.low, self.high)


@dataclass(frozen=True)
class SharedSite:
    """A place of allocations: for each side its label, its bytes in words, and the pixels of a bar."""

    place: str
    sizes: Sequence[tuple[str, str, int]]


def render(page: Page) -> str:
    """The page as HTML, which holds all that it needs."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_HERE), autoescape=True, undefined=jinja2.StrictUndefined
    )
    environment.filters["ratio"] = units.ratio
    style = Markup((_HERE / "style.css").read_text(encoding="utf-8"))  # noqa: S704 (a file of ours)
    sides = [side.label for detail in page.details for side in detail.sides]
    colours = colours_of(dict.fromkeys([*(label for label, _ in page.labels), *sides]))
    judged = [interval for row in page.rows for interval in (row.time.interval, row.noise)]
    return environment.get_template("page.html").render(
        page=page,
        style=style,
        places={detail.workload: number for number, detail in enumerate(page.details, 1)},
        axis=Axis.of(judged, page.no_change),
        speed_axis=Axis.of([each.speed for each in page.standings], page.no_change),
        figures=lambda detail: _figures(detail, colours, page.no_change),
        classes={label: class_of(colour) for label, colour in colours.items()},
        numbers=_numbers,
        sites=_shared_sites,
        if_known=_if_known,
        seconds=units.seconds,
        size=units.size,
    )


def _figures(detail: Detail, colours: figures.Colours, no_change: float) -> Iterator[tuple[str, Markup]]:
    """Caption and figure of all that there is to draw of a workload."""
    of = {side.label: side.measured for side in detail.sides}
    if times := {label: [each.cpu_s for each in found.samples] for label, found in of.items() if found.samples}:
        yield _drawn(
            "Each process, in units of the median of the first side.", figures.strips(times, colours, no_change)
        )
    if curves := {label: found.growth for label, found in of.items() if found.growth}:
        yield _drawn("Time for as much input, as inputs get longer: linear is level.", figures.growth(curves, colours))
    heaps = {label: found.memory for label, found in of.items() if found.memory}
    if heaps and all(map(_was_seen, heaps.values())):
        yield _drawn("Memory in use over time; to trace it slows it down.", figures.memory_over_time(heaps, colours))
    if detail.history:
        yield _drawn(
            "Over saved runs, in units of the calibration.", figures.history(detail.history, colours, no_change)
        )


def _was_seen(memory: Memory) -> bool:
    """Whether the looks at the memory came near its peak: what is over between two of them is not to be drawn."""
    return 2 * max((size for _, size in memory.over_time), default=0) >= memory.peak_bytes > 0


def _drawn(caption: str, figure: str) -> tuple[str, Markup]:
    return caption, Markup(figure)  # noqa: S704 (drawn by us, with its texts escaped)


def _numbers(measured: Measured) -> Iterator[tuple[str, str]]:
    """What else is known of a side: heading and text."""
    memory, growth = measured.memory, measured.growth
    yield "MB/s", _if_known(measured.mb_per_s, units.three_digits)
    yield "tokens/s", _if_known(measured.tokens_per_s, "{:,.0f}".format)
    yield "p50", _if_known(measured.latency("p50_s"), units.seconds)
    yield "p99", _if_known(measured.latency("p99_s"), units.seconds)
    yield "peak memory", units.size(memory.peak_bytes) if memory else "–"
    yield "allocations", f"{memory.allocations:,}" if memory else "–"
    yield "peak RSS", _if_known(measured.peak_rss_bytes, units.size)
    yield "grows as", f"n^{growth.exponent:.2f}" if growth else "–"
    yield "processes", f"{len(measured.samples)}"


def _if_known(value: T | None, written: Callable[[T], str]) -> str:
    return "–" if value is None else written(value)


def _shared_sites(detail: Detail) -> list[SharedSite]:
    """The places of all sides, where most was allocated first, without those that hardly show.

    One that is not among the first of a side has no size there, which is not to say that it is 0.
    """
    memories = {side.label: side.measured.memory for side in detail.sides}
    by_side = {
        label: {site.place: site.bytes for site in memory.sites} if memory else {} for label, memory in memories.items()
    }
    largest: dict[str, int] = {}
    for place, found in (each for sizes in by_side.values() for each in sizes.items()):
        largest[place] = max(found, largest.get(place, 0))
    most = max(largest.values(), default=1)

    def bar(label: str, found: int | None) -> tuple[str, str, int]:
        return label, _if_known(found, units.size), round(_BAR * (found or 0) / most)

    shown = [place for place, found in largest.items() if found * _LEAST >= most]
    places = sorted(shown, key=lambda place: (-largest[place], place))
    return [SharedSite(place, [bar(label, sizes.get(place)) for label, sizes in by_side.items()]) for place in places]
