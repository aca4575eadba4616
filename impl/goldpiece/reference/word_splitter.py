"""Words or characters: text cut without a vocabulary. Spec: spec/word_splitter.yaml."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from goldpiece.errors import GoldpieceError

Unit: TypeAlias = Literal["white_space", "words", "words_and_marks", "characters"]

PATTERNS: Mapping[str, re.Pattern[str]] = {
    "white_space": re.compile(r"\S+"),
    "words": re.compile(r"\w+"),
    "words_and_marks": re.compile(r"\w+|[^\w\s]"),
    "characters": re.compile(r".", re.DOTALL),
}


class UnknownUnit(GoldpieceError):
    """A name that stands for no unit."""

    def __init__(self, unit: object) -> None:
        super().__init__(f"there is no unit {unit!r}: give {', '.join(get_args(Unit))}")


@dataclass(frozen=True)
class WordSplitter:
    """Cuts text into tokens of a `unit`. Raises UnknownUnit."""

    unit: Unit = "words_and_marks"
    lowercase: bool = True

    def __post_init__(self) -> None:
        if self.unit not in PATTERNS:
            raise UnknownUnit(self.unit)

    def split(self, text: str) -> tuple[list[str], list[tuple[int, int]]]:
        """The tokens of `text`, and where what each was made of begins and ends in it, in code points."""
        written = text.lower() if self.lowercase else text
        found = list(PATTERNS[self.unit].finditer(written))
        # Lowercasing makes two characters of U+0130 and one of each other; both stand where it stood.
        sources = [place for place, char in enumerate(text) for _ in (char.lower() if self.lowercase else char)]
        return (
            [match[0] for match in found],
            [(sources[match.start()], sources[match.end() - 1] + 1) for match in found],
        )
