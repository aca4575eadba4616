"""The page about a comparison: what its text says, what its figures draw, and how a real browser shows it."""

import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("matplotlib", reason="not run: matplotlib is not installed; it is in the extra `plot`")

from goldpiece.suite.benchmarks.page import figures, units
from goldpiece.suite.benchmarks.page.page import render
from goldpiece.suite.benchmarks.page.theme import colours_of, ticks_of_ratios
from goldpiece.suite.benchmarks.page.view import Detail, Judgement, Moment, Page, Row, Side, Tone
from goldpiece.suite.benchmarks.standings import Between

from .made_up_runs import measured

if TYPE_CHECKING:
    from playwright.sync_api import Browser
    from playwright.sync_api import Page as Tab

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
# Without the last four it would look for updates and accounts, and complain where there is no network.
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
         "--disable-sync", "--no-first-run")  # fmt: skip
NO_CHANGE = Judgement("no change", Tone.SAME)
COLOURS = colours_of("AB")
SIDES = (
    Side("A", measured()),
    Side("B", measured((1.15e-3, 1.16e-3, 1.14e-3), 480_000, 1.72, places=["goldpiece/b.py:9 new"])),
)
SLOWER = Row(
    "wordpiece/words",
    time=Judgement("slower", Tone.WORSE, interval=Between(1.15, 1.13, 1.17)),
    memory=Judgement("hungrier", Tone.WORSE, interval=Between(1.2, 1.2, 1.2)),
    peaks=(400_000, 480_000),
    noise=Between(1.001, 0.98, 1.02),
)
SAME = Row("bpe/words", replace(NO_CHANGE, interval=Between(1, 0.99, 1.01)), NO_CHANGE, (400_000, 400_000))
MISSING = Row("new/words", Judgement("missing", Tone.UNSURE, "A has no such workload"), NO_CHANGE, (None, 1))
MOMENTS = {"B": (Moment(0, "one", Between(1.0, 0.98, 1.02)), Moment(1, "two", Between(1.3, 1.28, 1.33)))}
DETAILS = (
    Detail("wordpiece/words", "Words <as> they come.", {"time": SLOWER.time, "memory": SLOWER.memory}, SIDES, MOMENTS),
    Detail("bpe/words", "Words.", {"time": SAME.time, "memory": SAME.memory}, (SIDES[0], Side("B", SIDES[0].measured))),
)
PAGE = Page(
    title="main & HEAD", lead="1 slower, 1 hungrier, 1 missing", labels=[("A", "main <1>"), ("B", "HEAD")],
    facts=[("CPU", "fast")], details=DETAILS, no_change=1.03, rows=[SLOWER, SAME, MISSING],
    noise="2 of 2: no change.", notes=["A note."],
)  # fmt: skip


@pytest.fixture(scope="module")
def html() -> str:
    return render(PAGE)


def test_the_page_is_whole_and_needs_nothing(html: str) -> None:
    assert html == render(PAGE)
    assert "<script" not in html
    assert not re.search(r"@import|<link|<img|\ssrc=", html)
    addresses = re.findall(r'"(https?:[^"]*)"', html)
    assert set(addresses) <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    assert "main &amp; HEAD" in html
    assert "Words &lt;as&gt; they come." in html
    assert "&lt;listcomp&gt;" in html
    assert not re.search(r"#(0[\da])\1\1\b", html), "a colour that is to be a variable of the page"


def test_names_within_figures_are_those_of_one_figure(html: str) -> None:
    defined = re.findall(r' id="([^"]+)"', html)
    used = re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', html)
    assert {first or second for first, second in used} <= set(defined)
    drawings = re.findall(r"<figure>(.*?)</figure>", html, re.S)
    assert len(drawings) == 4 + 3
    owners = [set(re.findall(r' id="(f[0-9a-f]+)-', drawing)) for drawing in drawings]
    assert all(len(each) == 1 for each in owners)


def test_a_side_has_its_colour_wherever_it_stands() -> None:
    """Also where the other side has no such workload, and where there are more sides than colours."""
    alone = replace(PAGE, details=[replace(DETAILS[0], sides=SIDES[1:])])
    assert '<th scope="row" class="s1">B</th>' in render(alone)
    assert "var(--s0)" not in "".join(re.findall(r"<figure>.*?</figure>", render(alone), re.S))
    many = [replace(SIDES[0], label=f"subject {number}") for number in range(8)]
    assert '<th scope="row" class="s1">subject 7</th>' in render(
        replace(PAGE, labels=(), rows=(), noise="", details=[Detail("w", "", {}, many)])
    )


def test_a_figure_says_in_words_what_it_shows() -> None:
    drawn = figures.growth({side.label: side.measured.growth for side in SIDES if side.measured.growth}, COLOURS)
    assert 'aria-label="Processor time grows. A: as the length to the power of 1.01; B: ' in drawn
    assert re.search(r">B +n\^1\.72<", drawn)
    drawn = figures.strips({"A": [1e-3, 3e-3, 2e-3], "<B>": [4e-3]}, colours_of(["A", "<B>"]), 1.03)
    assert "A: median 2.00 ms; &lt;B&gt;: median 4.00 ms" in drawn
    for text in ("2.00 ms", "4.00 ms", "1×", "2×"):
        assert f">{text}<" in drawn
    drawn = figures.memory_over_time(
        {side.label: side.measured.memory for side in SIDES if side.measured.memory}, COLOURS
    )
    assert re.search(r">A +400 kB<", drawn)
    assert re.search(r">B +480 kB<", drawn)
    assert ">B  1.300×<" in figures.history(MOMENTS, COLOURS, 1.03)


def test_memory_that_nobody_looked_at_in_time_is_not_drawn(html: str) -> None:
    memory = SIDES[1].measured.memory
    assert memory
    short = replace(SIDES[1], measured=replace(SIDES[1].measured, memory=replace(memory, over_time=((0.0, 0),))))
    page = render(replace(PAGE, details=[replace(DETAILS[0], sides=(SIDES[0], short))]))
    assert "Memory in use over time" in html
    assert "Memory in use over time" not in page
    assert ">480 kB<" in page


def test_equal_distances_are_equal_ratios() -> None:
    """Of a point twice as slow and one four times as slow, the second is as far from the first as that from 1."""
    drawn = figures.strips({"A": [1.0], "B": [2.0, 4.0]}, COLOURS, 1.03)
    found = re.findall(r'<use xlink:href="#[^"]*" x="([\d.]+)" y="[\d.]+" style="fill: var\(--s[01]\)', drawn)
    one, two, four = map(float, found)
    assert four - two == pytest.approx(two - one, abs=0.01)


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [
        (0.97, 1.03, [0.97, 1.0, 1.03]),
        (0.95, 1.2, [0.95, 1.0, 1.05]),
        (0.4, 3.3, [0.5, 1.0, 2.0]),
        (0.985, 1.1, [1.0, 1.1]),
        (0.47, 115.0, [1.0, 10.0, 100.0]),
        (0.02, 30.0, [0.1, 1.0, 10.0]),
        (1e-4, 50.0, [1e-4, 1e-2, 1.0]),
        (0.999, 1.001, [1.0]),
        (1.2, 1.21, []),
    ],
)
def test_ticks_are_few_and_round(low: float, high: float, ticks: Sequence[float]) -> None:
    assert ticks_of_ratios(low, high) == pytest.approx(ticks)


def test_numbers_have_as_many_digits_as_tell() -> None:
    assert [units.seconds(each) for each in (1.234, 0.0123, 1.2e-6, 3e-9)] == [
        "1.23 s",
        "12.3 ms",
        "1.20 µs",
        "3.00 ns",
    ]
    assert [units.size(each) for each in (999, 12_345, 4.5e6, 2e9)] == ["999 B", "12.3 kB", "4.50 MB", "2.00 GB"]
    assert [units.ratio(each) for each in (1.0004, 0.5, 12.34, 1234.5)] == ["1.000", "0.500", "12.3", "1,234"]


# In a browser.


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="not run: playwright is not installed; it is in the extra `browser`"
    )
    if not CHROMIUM:
        pytest.skip("not run: there is no Chromium on the path")
    with playwright.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield started
        started.close()


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory, html: str) -> str:
    path: Path = tmp_path_factory.mktemp("page") / "page.html"
    path.write_text(html, encoding="utf-8")
    return path.as_uri()


def opened(browser: "Browser", address: str, **settings: object) -> "Tab":
    """The page, in a browser that has no network and runs no script of the page."""
    context = browser.new_context(offline=True, java_script_enabled=False, **settings)
    tab = context.new_page()
    asked: list[str] = []
    tab.on("request", lambda request: asked.append(request.url))
    tab.on("console", lambda message: asked.append(message.text))
    tab.goto(address)
    assert asked == [address]
    return tab


def test_the_table_says_every_verdict_without_a_picture(browser: "Browser", address: str) -> None:
    tab = opened(browser, address)
    rows = [row.inner_text().split("\t") for row in tab.locator("table").first.locator("tbody tr").all()]
    cells = [[cell.strip() for cell in row] for row in rows]
    assert cells[0][:3] == ["wordpiece/words", "slower", "1.150 [1.130, 1.170]"]
    assert cells[0][4:8] == ["hungrier", "400 kB", "480 kB", "1.200"]
    assert cells[1][:3] == ["bpe/words", "no change", "1.000 [0.990, 1.010]"]
    assert cells[2][:2] == ["new/words", "missing"]
    assert cells[2][-1] == "A has no such workload"
    first, second = tab.locator("main > details[id]").all()
    assert first.get_attribute("open") is not None
    assert second.get_attribute("open") is None
    second.locator("summary").click()  # opens without a script
    assert second.locator("figure").first.is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_can_be_read_in_light_and_in_dark(browser: "Browser", address: str, scheme: str) -> None:
    """By the contrast that WCAG 2 asks of text, of each colour in use against what is behind it."""
    context = browser.new_context(color_scheme=scheme)
    tab = context.new_page()
    tab.goto(address)
    for details in tab.locator("details").all():
        details.evaluate("each => each.open = true")
    found = tab.evaluate(
        """() => [...document.querySelectorAll("h1, h2, p, th, td, td span, dt, dd, a, summary, figcaption, svg text")]
        .filter(each => each.textContent.trim())
        .map(each => {
            const style = getComputedStyle(each);
            return [each.namespaceURI.endsWith("svg") ? style.fill : style.color, each.textContent.trim()];
        })"""
    )
    paper = tab.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (luminance(paper) < 0.1) == (scheme == "dark")
    assert len(found) > 60
    unreadable = [(colour, text) for colour, text in found if contrast(colour, paper) < 4.5]
    assert unreadable == []


def luminance(colour: str) -> float:
    """Relative luminance, as WCAG 2 defines it."""
    parts = [int(each) / 255 for each in re.findall(r"\d+", colour)[:3]]
    red, green, blue = (each / 12.92 if each <= 0.03928 else ((each + 0.055) / 1.055) ** 2.4 for each in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("width", [360, 1280])
def test_nothing_is_wider_than_the_window(browser: "Browser", address: str, width: int) -> None:
    """A table that is too wide scrolls by itself, and no text of a figure lies outside it."""
    context = browser.new_context(viewport={"width": width, "height": 800})
    tab = context.new_page()
    tab.goto(address)
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    outside = tab.evaluate(
        """() => [...document.querySelectorAll("figure svg")].flatMap(svg => {
            const frame = svg.getBoundingClientRect();
            return [...svg.querySelectorAll("text")].filter(text => {
                const box = text.getBoundingClientRect();
                return box.left < frame.left - 1 || box.right > frame.right + 1 || box.bottom > frame.bottom + 1;
            }).map(text => text.textContent);
        })"""
    )
    assert outside == []
