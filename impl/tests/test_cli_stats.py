"""`goldpiece stats`, as a user types it."""

import json
from importlib import import_module
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from goldpiece.cli.histogram import drawing_of
from goldpiece.errors import UsageError

from .conftest import Goldpiece


@pytest.fixture(autouse=True)
def _files(tmp_path: Path) -> None:
    (tmp_path / "vocab.txt").write_text("[PAD]\n[UNK]\n[CLS]\n[SEP]\na\nb\n", encoding="utf-8")
    (tmp_path / "a<b.txt").write_text("a b\n\na\n" + "b " * 18 + "\n", encoding="utf-8")


def test_figures_and_histogram(goldpiece: Goldpiece) -> None:
    done = goldpiece("stats", "a<b.txt", "--vocab", "vocab.txt", "--max-length", "8", "--plot", "lengths.svg")
    assert done.stdout.splitlines()[:10] == [
        "        rows  4, of which 1 without text",
        "      tokens  17",
        "     lengths  50 % have 3 at most, 95 % have 20 at most, 99 % have 20 at most; longest 20",
        "   truncated  25.0% of the rows",
        "     padding  46.9% of the places, in batches of 32",
        " all padding  0 rows",
        "",
        "         0–1   0",
        f"         2–3  {'#' * 50} 2",
        f"         4–5  {'#' * 25} 1",
    ]


def test_the_histogram_is_drawn(goldpiece: Goldpiece, tmp_path: Path) -> None:
    goldpiece("stats", "a<b.txt", "--vocab", "vocab.txt", "--plot", "lengths.svg")
    drawing = ET.fromstring((tmp_path / "lengths.svg").read_text(encoding="utf-8"))  # noqa: S314 (we drew it)
    written = ["".join(each.itertext()) for each in drawing if each.tag.endswith("text")]
    assert written[0] == "Tokens of the 4 texts of a<b.txt"
    assert written[1:7] == ["0–1", "0", "2–3", "2", "4–5", "1"]


def test_the_histogram_is_drawn_in_pixels(goldpiece: Goldpiece, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="not run: the extra `plot` is not installed")
    (tmp_path / "a<b.txt").rename(tmp_path / "$a_b$.txt")
    done = goldpiece("stats", "$a_b$.txt", "--vocab", "vocab.txt", "--plot", "lengths.png")
    assert done.returncode == 0, done.stderr
    pixels = import_module("matplotlib.image").imread(tmp_path / "lengths.png")
    bars = (abs(pixels[..., :3] - [0x2A / 255, 0x7F / 255, 0x9E / 255]) < 0.01).all(-1)  # where a bar is drawn
    widths = [width for width, before in zip(bars.sum(1), [0, *bars.sum(1)], strict=False) if width != before and width]
    assert len(widths) == 3  # bars of 2, 1 and 1 rows
    assert widths[0] == pytest.approx(2 * widths[1], abs=2)


def test_pixels_need_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("goldpiece.cli.histogram.find_spec", lambda _: None)
    with pytest.raises(UsageError, match=r"x\.png needs matplotlib, which is not installed"):
        drawing_of(Path("x.png"))


def test_as_json(goldpiece: Goldpiece) -> None:
    options = ("--vocab", "vocab.txt", "--no-frame", "--batch-size", "2", "--json")
    found = json.loads(goldpiece("stats", "a<b.txt", *options).stdout)
    assert found["percentiles"] == {"50": 1, "95": 18, "99": 18}
    assert (found["rows"], found["all_padding"], found["padding"]) == (4, 1, 1 - 21 / 40)
    assert found["histogram"][0] == [0, 1, 2]
    assert sum(rows for _, _, rows in found["histogram"]) == 4


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--plot", "x.gif"], "x.gif cannot be drawn: name a file that ends in .svg or .png"),
        (["--batch-size", "0"], "--batch-size 0: give a whole number from 1 on"),
        (["--max-length", "1"], "max_length = 1 has no room for 2 special tokens: give 3 or more"),
    ],
)
def test_bad_options(goldpiece: Goldpiece, options: list[str], message: str) -> None:
    done = goldpiece("stats", "a<b.txt", "--vocab", "vocab.txt", *options)
    assert (done.returncode, message in done.stderr) == (2, True), done.stderr


def test_a_file_without_lines(goldpiece: Goldpiece, tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_bytes(b"")
    done = goldpiece("stats", "empty.txt", "--vocab", "vocab.txt")
    assert (done.returncode, "empty.txt has no lines" in done.stderr) == (2, True)
