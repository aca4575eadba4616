"""What spec/normalizer.yaml defines, from the Unicode Character Database and the spec's tables, character by character.

The reference reads the profile `hf` from tables that `tokenizers` was asked for. Here it is Unicode 14.0 with the
differences that the spec lists: two roads that have to meet.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from goldpiece.suite.loader import load_specs
from goldpiece.suite.scope import Scope
from goldpiece.suite.spec import Spec

from .. import unicode14

BREAKS = frozenset(map(ord, "\t\n\r\u2028\u2029"))


@dataclass(frozen=True, eq=False)
class Definition:
    """One profile's definition: what each stage makes of each character, and of a text."""

    spec: Spec
    profile: str

    def _table(self, name: str) -> frozenset[int]:
        return frozenset(self.spec.table(name, self.profile))

    @cached_property
    def deleted(self) -> frozenset[int]:
        controls = frozenset(unicode14.of("Cc", "Cf")) - BREAKS - self._table("controls-kept")
        return controls | {0, 0xFFFD} | self._table("others-deleted")

    @cached_property
    def spaces(self) -> frozenset[int]:
        return frozenset(unicode14.of("Zs")) | BREAKS

    @cached_property
    def ideographs(self) -> frozenset[int]:
        return self._table("ideographs")

    @cached_property
    def marks(self) -> frozenset[int]:
        """What stripping accents drops."""
        return frozenset(unicode14.of("Mn")) - self._table("marks-kept") | self._table("others-dropped")

    @cached_property
    def decompositions(self) -> Mapping[int, str]:
        whole = ((point, unicode14.decomposition(chr(point))) for point in unicode14.assigned())
        kept = self._table("not-decomposed")
        return {point: parts for point, parts in whole if parts != chr(point) and point not in kept}

    @cached_property
    def capitals(self) -> Mapping[int, str]:
        """Every character that lowercasing changes, the sigma taken as inside a word."""
        pairs = ((point, unicode14.lower(chr(point))) for point in unicode14.assigned())
        small = map(chr, self.spec.table("newer-small", self.profile))
        newer = zip(self.spec.table("newer-capitals", self.profile), small, strict=True)
        return {point: small for point, small in pairs if small != chr(point)} | dict(newer)

    @cached_property
    def combining_classes(self) -> Mapping[int, int]:
        """Every character that canonical ordering may move."""
        classes = ((point, unicode14.combining_class(chr(point))) for point in unicode14.of("M"))
        kept = self._table("order-kept")
        return {point: number for point, number in classes if number and point not in kept}

    def clean(self, text: str) -> str:
        kept = (char for char in text if ord(char) not in self.deleted)
        return "".join(" " if ord(char) in self.spaces else char for char in kept)

    def set_ideographs_apart(self, text: str) -> str:
        return "".join(f" {char} " if ord(char) in self.ideographs else char for char in text)

    def decompose(self, text: str) -> str:
        chars = [part for char in text for part in self.decompositions.get(ord(char), char)]
        classes = [self.combining_classes.get(ord(char), 0) for char in chars]
        for end in range(1, len(chars)):  # canonical ordering, as an insertion sort
            place = end
            while classes[place] and place and classes[place - 1] > classes[place]:
                chars[place - 1], chars[place] = chars[place], chars[place - 1]
                classes[place - 1], classes[place] = classes[place], classes[place - 1]
                place -= 1
        return "".join(chars)

    def strip_accents(self, text: str) -> str:
        return "".join(char for char in self.decompose(text) if ord(char) not in self.marks)

    def lower(self, text: str) -> str:
        return "".join(
            "ς"
            if char == "Σ" and self.profile != "hf" and ends_word(text, place)
            else self.capitals.get(ord(char), char)
            for place, char in enumerate(text)
        )

    def normalize(
        self, text: str, *, clean_text: bool, handle_chinese_chars: bool, strip_accents: bool | None, lowercase: bool
    ) -> str:
        """All stages that are switched on."""
        accents = lowercase if strip_accents is None else strip_accents
        text = self.clean(text) if clean_text else text
        text = self.set_ideographs_apart(text) if handle_chinese_chars else text
        text = self.strip_accents(text) if accents and self.profile == "hf" else text
        text = self.lower(text) if lowercase else text
        return self.strip_accents(text) if accents and self.profile == "google" else text

    def sources(self, text: str, **switches: Any) -> list[int]:
        """For each character of the result the place of the one that it came from: stage by stage what is left of each.

        Marks are sorted before any is dropped, and leave the places in order: in the order of the result, what is first
        of a character takes the next place, and its other parts that of what stands before them.
        """
        accents = switches["lowercase"] if switches["strip_accents"] is None else switches["strip_accents"]
        placed = [(char, place) for place, char in enumerate(text)]
        if switches["clean_text"]:
            placed = [(part, place) for char, place in placed for part in self.clean(char)]
        if switches["handle_chinese_chars"]:
            placed = [(part, place) for char, place in placed for part in self.set_ideographs_apart(char)]
        if switches["lowercase"] and self.profile == "google":
            placed = [(part, place) for char, place in placed for part in self.lower(char)]
        if accents:
            placed = [each for each in self._decomposed(placed) if ord(each[0]) not in self.marks]
        if switches["lowercase"] and self.profile == "hf":
            placed = [(part, place) for char, place in placed for part in self.lower(char)]
        return [place for _, place in placed]

    def _decomposed(self, placed: list[tuple[str, int]]) -> list[tuple[str, int]]:
        parts = [(part, not number) for char, _ in placed for number, part in enumerate(self.decompose(char))]
        for end in range(1, len(parts)):  # canonical ordering, as an insertion sort
            place = end
            while place and self._class(parts[place - 1][0]) > self._class(parts[place][0]) > 0:
                parts[place - 1], parts[place] = parts[place], parts[place - 1]
                place -= 1
        taken = 0
        found: list[tuple[str, int]] = []
        for part, is_first in parts:
            taken += is_first
            found.append((part, placed[taken - 1][1]))
        return found

    def _class(self, char: str) -> int:
        return self.combining_classes.get(ord(char), 0)

    def simple_form(self, text: str) -> str:
        bare = self.lower(self.strip_accents(text))
        words = "".join("\n" if char.isspace() else char for char in bare).split("\n")
        return " ".join(word for word in words if word)


def ends_word(text: str, place: int) -> bool:
    """Unicode's Final_Sigma: a cased letter before the place and none after it, looking past what is case-ignorable."""

    def cased(chars: str) -> bool:
        return next((unicode14.is_cased(char) for char in chars if not unicode14.is_case_ignorable(char)), False)

    return cased(text[:place][::-1]) and not cased(text[place + 1 :])


@cache
def definition_of(profile: str) -> Definition:
    """A profile's definition; its tables are made once."""
    return Definition(load_specs().named("normalizer"), profile)


def definition(scope: Scope) -> Definition:
    """The definition of the profile at hand."""
    assert scope.profile is not None
    return definition_of(scope.profile)
