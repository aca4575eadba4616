"""What becomes of each code point when text is normalized and cut into words: tables, by the reference's Unicode.

Normalizing and cutting look at one code point at a time, but for two things: marks may change places with marks, and in
the profile `google` a sigma ends a word in a form of its own. Code points of these, and the few of which normalizing
makes several words, are BEYOND the tables: a text that has one is left to the reference.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from math import ceil

import numpy as np
from numpy.typing import NDArray

from goldpiece.reference.normalizer import SEPARATOR, Normalizer, drop_marks
from goldpiece.reference.unicode import Characters, UnicodeProfile, characters
from goldpiece.reference.unicode.hf import TableCharacters

POINTS = 0x110000
SURROGATES = range(0xD800, 0xE000)
BLOCK = 256  # code points that are looked at together
MARKS_END = 0x20000  # behind the last code point that may change places

# What a code point is.
WORD = 0  # part of a word, or of nothing if its form is empty
SPACE = 1  # between words
ALONE = 2  # a word of its own: a punctuation mark, or an ideograph
BEYOND = 3  # for the reference

# FORMS, for a code point of the class WORD: 0 where normalizing leaves it as it is.
IS_CHANGED, PLACE_SHIFT, CHARS_SHIFT = 1 << 63, 16, 8  # else also the place in FORM_BYTES, characters, and bytes


@dataclass(frozen=True, eq=False)
class CharacterTables:
    """The tables of one normalizer, whatever the vocabulary."""

    classes: NDArray[np.uint8]  # (POINTS,)
    forms: NDArray[np.uint64]  # (POINTS,)
    form_bytes: NDArray[np.uint8]
    alone: NDArray[np.int64]  # the code points of the class ALONE
    written: Mapping[int, str]  # the words that code points of the class ALONE are, where other than they themselves
    bytes_growth: int  # a normalized word has at most so many times the bytes that it had,
    chars_growth: int  # and at most so many characters for each of these bytes


@cache
def character_tables(normalizer: Normalizer) -> CharacterTables:
    """The tables of a normalizer; its profile is that of the pre-tokenizer as well."""
    assert normalizer.profile != "simple"
    known = characters(normalizer.profile)
    classes, forms = np.zeros(POINTS, np.uint8), np.zeros(POINTS, np.uint64)
    classes[_points(known.white_space)] = SPACE
    classes[_points(known.punctuation)] = ALONE
    if normalizer.handle_chinese_chars:
        classes[_ideographs(normalizer.profile)] = ALONE
    cleaned = known.cleaned if normalizer.clean_text else {}
    if cleaned:
        points = np.fromiter(cleaned, np.int64, len(cleaned))
        is_space = np.fromiter(map(" ".__eq__, cleaned.values()), bool, len(cleaned))
        classes[points] = np.where(is_space, SPACE, WORD)
        forms[points] = IS_CHANGED
    form_bytes, written, bytes_growth, chars_growth = bytearray(), {}, 1, 1
    for point, form, is_beyond in _forms(normalizer, known, cleaned):
        word = form.strip(" ")
        classes[point] = kind = BEYOND if is_beyond else _class_of(form, word, known)
        if kind == ALONE:
            written[point] = word
        elif kind == WORD and form != chr(point):
            encoded = form.encode()
            forms[point] = IS_CHANGED | len(form_bytes) << PLACE_SHIFT | len(form) << CHARS_SHIFT | len(encoded)
            form_bytes += encoded
            width = len(chr(point).encode())
            bytes_growth = max(bytes_growth, ceil(len(encoded) / width))
            chars_growth = max(chars_growth, ceil(len(form) / width))
    blob = np.frombuffer(bytes(form_bytes) or bytes(1), np.uint8)
    alone = np.flatnonzero(classes == ALONE)
    return CharacterTables(classes, forms, blob, alone, written, bytes_growth, chars_growth)


def _forms(normalizer: Normalizer, known: Characters, cleaned: Mapping[int, str]) -> Iterator[tuple[int, str, bool]]:
    """Each code point that may change: its normalized form, and whether that depends on what stands beside it."""
    points = [point for point in _changing(normalizer.profile) if point not in cleaned]
    text = SEPARATOR.join(map(chr, points))
    forms = normalizer.normalize(text).split(SEPARATOR)
    bare = drop_marks(known.decompose(text), known).split(SEPARATOR)
    for point, form, rest in zip(points, forms, bare, strict=True):
        changes_places = normalizer.strips_accents and any(map(known.mark_class, form + rest))
        yield point, form, changes_places or (normalizer.lowercase and _ends_words(chr(point), known))


def spellings(normalizer: Normalizer, wanted: str) -> str:
    """The characters of a text that may have become one of its normalized form, in a text of whatever kind."""
    assert normalizer.profile != "simple"
    found = {
        point
        for point, form, is_beyond in _forms(normalizer, characters(normalizer.profile), {})
        if is_beyond or wanted in form
    }
    return "".join(map(chr, sorted(found | {ord(wanted)})))


def _class_of(form: str, word: str, known: Characters) -> int:
    """What a code point is that has this form, and `word` for that without spaces around."""
    is_text = [char not in known.white_space and char not in known.punctuation for char in form]
    if all(is_text):
        return WORD
    if known.white_space.issuperset(form):
        return SPACE
    if len(word) == 1 and word not in known.white_space:
        return ALONE
    return BEYOND


def _ends_words(char: str, known: Characters) -> bool:
    """Whether a character has another form in lower case at the end of a word, as the sigma has."""
    lower = known.lower(char)
    return lower != char and known.lower(f"a{char}") != f"a{lower}"


@cache
def _changing(profile: UnicodeProfile) -> list[int]:
    """The code points that have a decomposition or a lower case, and the marks, which may go or change places."""
    known = characters(profile)
    points = set(known.nonspacing)
    if isinstance(
        known, TableCharacters
    ):  # whose tables have all of it, and looking into them takes a tenth of the time
        points.update(known.decomposition, known.lowercase, map(ord, known.combining_class))
        return sorted(points)
    everything = _everything()
    points.update(point for point, place in enumerate(map(known.mark_class, everything[:MARKS_END])) if place)
    starts = (first for first in range(0, POINTS, BLOCK) if first not in SURROGATES)
    blocks = (everything[first : first + BLOCK] for first in starts)
    changed = [block for block in blocks if known.decompose(block) != block or known.lower(block) != block]
    chars = [char for block in changed for char in block if char != SEPARATOR]
    text = SEPARATOR.join(chars)
    for change in (known.decompose, known.lower):
        forms = change(text).split(SEPARATOR)
        points.update(ord(char) for char, form in zip(chars, forms, strict=True) if form != char)
    return sorted(points)


def _everything() -> str:
    """All code points in order, the surrogates among them."""
    return np.arange(POINTS, dtype="<u4").tobytes().decode("utf-32-le", "surrogatepass")


@cache
def _ideographs(profile: UnicodeProfile) -> NDArray[np.int64]:
    return _points(characters(profile).ideograph.findall(_everything()))


def _points(chars: Iterable[str]) -> NDArray[np.int64]:
    return np.array([ord(char) for char in chars], np.int64)
