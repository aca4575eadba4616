"""What spec/word_splitter.yaml defines, character by character, from the Unicode Character Database."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from typing import Literal, TypeAlias

from goldpiece.suite.values import Value

from .. import unicode14

Kind: TypeAlias = Literal["space", "word", "mark"]

SEPARATORS = range(0x1C, 0x20)
# White_Space beside the categories Z; U+180E and the zero-width spaces are none.
CONTROLS = frozenset([*range(0x09, 0x0E), 0x85])


@cache
def white_space() -> frozenset[int]:
    """What the definition `white-space` says."""
    return frozenset(unicode14.of("Z")) | CONTROLS | frozenset(SEPARATORS)


@cache
def word_characters() -> frozenset[int]:
    """What the definition `word-character` says."""
    return frozenset(unicode14.of("L", "N")) | {ord("_")}


@cache
def kind(char: str) -> Kind:
    """What a character is to the splitter."""
    if ord(char) in white_space():
        return "space"
    return "word" if ord(char) in word_characters() else "mark"


@cache
def edges(stride: int) -> tuple[int, ...]:
    """White space, the code points beside which another kind of character stands, and of all others one in so many."""
    points = sorted(unicode14.assigned() - frozenset(range(0xD800, 0xE000)))
    kinds = [kind(chr(point)) for point in points]
    return tuple(
        point
        for place, point in enumerate(points)
        if place % stride == 0 or kinds[place] == "space" or len(set(kinds[max(0, place - 1) : place + 2])) > 1
    )


def lowercased(text: str) -> list[tuple[str, int]]:
    """The characters of the lowercased text, each with the place of the one that it came from."""
    return [(char, place) for place in range(len(text)) for char in _lowercased_at(text, place)]


def _lowercased_at(text: str, place: int) -> str:
    if text[place].isascii():
        return text[place].lower()
    if text[place] != "Σ":
        return unicode14.lower(text[place])
    before = _first_that_counts(text[i] for i in range(place - 1, -1, -1))
    behind = _first_that_counts(text[i] for i in range(place + 1, len(text)))
    return "ς" if before and not behind else "σ"


def _first_that_counts(chars: Iterator[str]) -> bool:
    """Whether the first character that is not case-ignorable is cased."""
    return next((unicode14.is_cased(char) for char in chars if not unicode14.is_case_ignorable(char)), False)


@lru_cache(maxsize=4)
def _characters(text: str, lowercase: bool) -> tuple[list[tuple[str, int]], list[Kind]]:
    """The characters to cut, each with its place in the text, and their kinds. Laws ask for one text in all units."""
    chars = lowercased(text) if lowercase else list(zip(text, range(len(text)), strict=True))
    return chars, [kind(char) for char, _ in chars]


@dataclass(frozen=True)
class Definition:
    """A unit, and whether text is lowercased: a cut stands between two characters unless both belong to one token."""

    unit: str = "words_and_marks"
    lowercase: bool = True

    def split(self, text: str) -> Value:
        """The outputs of the operation, by name."""
        chars, kinds = _characters(text, self.lowercase)
        inner = (place + 1 for place, pair in enumerate(pairwise(kinds)) if not self._holds_together(*pair))
        cuts = sorted({0, len(chars), *inner})
        spans = [(start, end) for start, end in pairwise(cuts) if self._is_token(kinds[start])]
        return {
            "tokens": ["".join(char for char, _ in chars[start:end]) for start, end in spans],
            "offsets": [[chars[start][1], chars[end - 1][1] + 1] for start, end in spans],
        }

    def _holds_together(self, before: Kind, behind: Kind) -> bool:
        if self.unit == "white_space":
            return (before == "space") == (behind == "space")
        return self.unit != "characters" and before == behind == "word"

    def _is_token(self, first: Kind) -> bool:
        if self.unit == "characters":
            return True
        return first == "word" if self.unit == "words" else first != "space"
