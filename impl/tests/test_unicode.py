"""The tables are what they say they are: our own against the running Python, and against Hugging Face tokenizers."""

import os
import random
import subprocess
import sys
import unicodedata
from importlib import import_module
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldpiece.reference.normalizer import Normalizer
from goldpiece.reference.unicode import characters, ranges
from goldpiece.suite.loader import load_specs

unicode14 = import_module("goldpiece.properties.unicode14")
Definition = import_module("goldpiece.properties.oracles.normalizer").Definition

SCALARS = [chr(point) for point in range(sys.maxunicode + 1) if not 0xD800 <= point <= 0xDFFF]
SWITCHES = ("clean_text", "handle_chinese_chars", "strip_accents", "lowercase")


def test_the_running_python_agrees_with_unicode_14_where_it_is_promised() -> None:
    """Says which Unicode the running Python has, and which code points differ: those assigned since."""
    categories = unicode14.by_category()
    newer = [point for point in categories["Cn"] if unicodedata.category(chr(point)) != "Cn"]
    print(f"this Python has Unicode {unicodedata.unidata_version}; {len(newer):,} code points are newer than 14.0:")  # noqa: T201
    print(ranges.write(newer) or "none")  # noqa: T201
    if unicodedata.unidata_version == "14.0.0":
        assert newer == []
    gone = [point for point in unicode14.assigned() if unicodedata.category(chr(point)) == "Cn"]
    assert gone == []


def test_the_counts_that_define_unicode_14() -> None:
    """Figures of the Unicode Character Database 14.0, by general category."""
    counts = {name: len(points) for name, points in unicode14.by_category().items()}
    published = {"Mn": 1950, "Cf": 163, "Zs": 17, "Cc": 65, "Co": 137_468, "Cs": 2_048, "Lu": 1_831, "Nd": 660}
    assert {name: counts[name] for name in published} == published


def test_the_final_sigma_rule_is_pythons() -> None:
    """The oracle derives the rule from properties; Python has it built in. Each character is tried beside a sigma."""
    definition = Definition(load_specs().named("normalizer"), "google")
    for frame in ("A{}Σ", "AΣ{}", "AΣ{}A", "{}Σ", "A Σ{}"):
        for point in unicode14.assigned():
            text = frame.format(chr(point))
            assert definition.lower(text) == text.lower(), ascii(text)


def test_ranges_are_read_as_they_were_written() -> None:
    assert list(ranges.read("41-43 5f")) == [0x41, 0x42, 0x43, 0x5F]
    assert ranges.write([0x5F, 0x43, 0x41, 0x42, 0x42]) == "41-43 5f"


@given(st.sets(st.integers(0, sys.maxunicode)))
def test_ranges_round_trip(points: set[int]) -> None:
    assert set(ranges.read(ranges.write(points))) == points


def _peer(**switches: bool | None) -> Any:
    tokenizers = pytest.importorskip("tokenizers", reason="the extra `peers` is not installed")
    return tokenizers.normalizers.BertNormalizer(**switches).normalize_str


FULL = os.environ.get("GOLDPIECE_PARITY") == "full"
ALL = [
    dict(zip(SWITCHES, values, strict=True))
    for values in product([True, False], [True, False], [True, False, None], [True, False])
]


@pytest.mark.parametrize(
    "switches",
    ALL if FULL else [ALL[0], ALL[-1]],
    ids=lambda switches: " ".join(name for name, value in switches.items() if value) or "none",
)
def test_hf_is_exact_for_every_code_point(switches: dict[str, bool | None]) -> None:
    """With all stages and with none; under every combination with GOLDPIECE_PARITY=full."""
    ours, theirs = Normalizer(**switches).normalize, _peer(**switches)  # type: ignore[arg-type]
    alone = " ".join(SCALARS)
    between = " ".join(f"a{char}b" for char in SCALARS)
    assert ours(alone) == theirs(alone)
    assert ours(between) == theirs(between)


def test_hf_is_exact_on_runs_of_marks() -> None:
    """Canonical ordering is about neighbours: every mark beside one of each class, and long runs at random."""
    ours, theirs = Normalizer(strip_accents=True).normalize, _peer(strip_accents=True)
    marks = [point for point in range(sys.maxunicode + 1) if unicodedata.category(chr(point)).startswith("M")]
    of_each_class = {unicodedata.combining(chr(point)): chr(point) for point in marks}.values()
    pairs = " ".join(f"a{chr(point)}{other}b{other}{chr(point)}" for point in marks for other in of_each_class)
    assert ours(pairs) == theirs(pairs)
    staying = [char for char in map(chr, marks) if char not in theirs("a" + char)[1:] or theirs("a" + char) != "a"]
    generator = random.Random(0)
    runs = " ".join("a" + "".join(generator.choices(staying, k=5)) for _ in range(50_000))
    assert ours(runs) == theirs(runs)


@pytest.mark.skipif(not FULL, reason="not run: it takes long; GOLDPIECE_PARITY=full runs it, as in CI")
def test_the_table_is_what_its_script_makes() -> None:
    pytest.importorskip("tokenizers", reason="the extra `peers` is not installed")
    command = [sys.executable, "-m", "goldpiece.reference.unicode.make_hf", "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "hf.json is up to date\n")


def test_cleaning_differs_only_where_the_tables_say_so() -> None:
    spec, hf, google = load_specs().named("normalizer"), characters("hf"), characters("google")
    differing = {
        point for point in map(ord, SCALARS) if hf.cleaned.get(point) != google.cleaned.get(point)
    } & unicode14.assigned()
    assert differing == set(spec.table("controls-kept", "hf")) | set(spec.table("others-deleted", "hf"))
