"""Unicode 14.0, whatever Python runs: what it assigns has not changed its category, case or decomposition since.

What it does not assign is unassigned here, also where the running Python knows better.
"""

import unicodedata
from functools import cache

from goldpiece.suite.rooms import room


@cache
def assigned() -> frozenset[int]:
    """The code points that Unicode 14.0 assigns, from spec/unicode-14.0.txt."""
    lines = (room("spec") / "unicode-14.0.txt").read_text(encoding="ascii").splitlines()
    points: set[int] = set()
    for span in " ".join(line for line in lines if not line.startswith("#")).split():
        first, _, last = span.partition("-")
        points.update(range(int(first, 16), int(last or first, 16) + 1))
    return frozenset(points)


@cache
def by_category() -> dict[str, list[int]]:
    """All code points by their general category; those that are not assigned are `Cn`."""
    known = assigned()
    found: dict[str, list[int]] = {}
    for point in range(0x110000):
        found.setdefault(unicodedata.category(chr(point)) if point in known else "Cn", []).append(point)
    return found


def of(*categories: str) -> list[int]:
    """The code points of some categories: `of("Mn")`, or of all that begin alike: `of("M")`."""
    return [point for name, points in by_category().items() if name.startswith(categories) for point in points]


def lower(char: str) -> str:
    """The full lowercase mapping of one character."""
    return char.lower() if ord(char) in assigned() else char


def decomposition(char: str) -> str:
    """The full canonical decomposition of one character, from the mappings of the Unicode Character Database."""
    point = ord(char)
    if 0xAC00 <= point <= 0xD7A3:
        place, tail = divmod(point - 0xAC00, 28)
        lead, vowel = divmod(place, 21)
        return chr(0x1100 + lead) + chr(0x1161 + vowel) + (chr(0x11A7 + tail) if tail else "")
    mapping = unicodedata.decomposition(char) if point in assigned() else ""
    if not mapping or mapping.startswith("<"):
        return char
    return "".join(decomposition(chr(int(part, 16))) for part in mapping.split())


def combining_class(char: str) -> int:
    """The canonical combining class; 0 for what is not assigned."""
    return unicodedata.combining(char) if ord(char) in assigned() else 0


# Besides marks, controls and modifiers, Case_Ignorable holds what a word may have inside (Word_Break MidLetter,
# MidNumLet and Single_Quote).
_INSIDE_WORDS = frozenset(":\u00b7\u0387\u055f\u05f4\u2027\ufe13\ufe55\uff1a.\u2018\u2019\u2024\ufe52\uff07\uff0e'")


def is_case_ignorable(char: str) -> bool:
    """Whether the final-sigma rule looks past the character."""
    if ord(char) not in assigned():
        return False
    return char in _INSIDE_WORDS or unicodedata.category(char) in ("Mn", "Me", "Cf", "Lm", "Sk")


def is_cased(char: str) -> bool:
    """Whether the character has a case: Uppercase, Lowercase or titlecase."""
    return ord(char) in assigned() and (char.islower() or char.isupper() or char.istitle())
