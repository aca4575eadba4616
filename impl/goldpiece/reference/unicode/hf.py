"""Unicode as Hugging Face tokenizers sees it: older tables than any Python's, shipped in hf.json.

`python -m goldpiece.reference.unicode.make_hf` writes that file, by asking `tokenizers` about every code point.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import product
from pathlib import Path

from goldpiece.reference.unicode import ranges

FILE = Path(__file__).with_name("hf.json")


@dataclass(frozen=True)
class TableCharacters:
    """See `goldpiece.reference.unicode.Characters`."""

    cleaned: Mapping[int, str]
    ideograph: re.Pattern[str]
    nonspacing: Mapping[int, str]
    white_space: frozenset[str]
    punctuation: frozenset[str]
    word_ranges: str
    decomposition: Mapping[int, str]  # full: no part of it decomposes further
    combining_class: Mapping[str, int]  # of the characters that take part in reordering
    lowercase: Mapping[int, str]
    reorderable: re.Pattern[str]  # two characters or more that may have to change places

    def decompose(self, text: str) -> str:
        """NFD: marks in order of their combining class, and of their place in the text where that is equal."""

        def in_order(run: re.Match[str]) -> str:
            return "".join(sorted(run[0], key=self.combining_class.__getitem__))

        return self.reorderable.sub(in_order, text.translate(self.decomposition))

    @cached_property
    def word(self) -> frozenset[str]:
        """What a regular expression of Rust takes for \\w: so many characters that they are made when asked for."""
        return frozenset(map(chr, ranges.read(self.word_ranges)))

    def mark_class(self, char: str) -> int:
        return self.combining_class.get(char, 0)

    def lower(self, text: str) -> str:
        """Each character by itself: no final sigma."""
        return text.translate(self.lowercase)


@cache
def load() -> TableCharacters:
    table = json.loads(FILE.read_text(encoding="utf-8"))
    joined = {name: " ".join(lines) for name, lines in table.items() if isinstance(lines, list)}
    classes = {
        chr(point): int(number) for number, points in table["combining_class"].items() for point in ranges.read(points)
    }
    cleaned = dict.fromkeys(ranges.read(joined["deleted"]), "")
    cleaned.update(dict.fromkeys(ranges.read(joined["spaces"]), " "))  # in place: most are private, and there are many
    return TableCharacters(
        cleaned=cleaned,
        ideograph=re.compile(ranges.pattern(ranges.read(joined["ideographs"]))),
        nonspacing=dict.fromkeys(ranges.read(joined["nonspacing"]), ""),
        white_space=frozenset(map(chr, ranges.read(joined["white_space"]))),
        punctuation=frozenset(map(chr, ranges.read(joined["punctuation"]))),
        word_ranges=joined["word"],
        decomposition=_read_forms(joined["decomposition"]) | _hangul(),
        combining_class=classes,
        lowercase=_read_forms(joined["lowercase"]),
        reorderable=re.compile(ranges.pattern(map(ord, classes)) + "{2,}"),
    )


def _read_forms(text: str) -> dict[int, str]:
    """`c0=41+300`: U+00C0 becomes U+0041 U+0300."""
    forms = (item.split("=") for item in text.split())
    return {int(point, 16): "".join(chr(int(part, 16)) for part in form.split("+")) for point, form in forms}


def _hangul() -> dict[int, str]:
    """The 11,172 syllables, which Unicode decomposes by rule (The Unicode Standard, section 3.12)."""
    leads, vowels = map(chr, range(0x1100, 0x1113)), map(chr, range(0x1161, 0x1176))
    tails = ["", *map(chr, range(0x11A8, 0x11C3))]
    return {0xAC00 + place: "".join(jamo) for place, jamo in enumerate(product(leads, vowels, tails))}
