"""What differences have in common: their kind, and the characters that they are about."""

import unicodedata
from collections.abc import Collection, Iterable, Sequence
from enum import Enum

from goldpiece.suite.drift.differences import Difference, Token

UNKNOWN = frozenset(["[UNK]", "<unk>"])  # what tokenizers call the token of what they do not know
CONTINUES, BEGINS, ENDS = "##", ("▁", "Ġ"), "</w>"  # marks of pieces of a word


class Kind(Enum):
    """In what two tokenizers part, as a report has it."""

    ERROR = "one ends in an error"
    NEW_UNKNOWN = "unknown to NEW"
    OLD_UNKNOWN = "unknown to OLD"
    NEW_WITHOUT = "no token in NEW"
    OLD_WITHOUT = "no token in OLD"
    NORMALIZED = "normalized otherwise"
    SPLIT = "split otherwise"
    IDS = "the same tokens with other ids"
    OFFSETS = "the same tokens at other offsets"


def kind_of(difference: Difference) -> Kind:
    """What differs, the gravest first."""
    old, new = difference.old, difference.new
    if difference.old_error or difference.new_error:
        return Kind.ERROR
    if [token.text for token in old] == [token.text for token in new]:
        return Kind.OFFSETS if [token.id for token in old] == [token.id for token in new] else Kind.IDS
    if not old or not new:
        return Kind.NEW_WITHOUT if old else Kind.OLD_WITHOUT
    unknown = [any(token.text in UNKNOWN for token in tokens) for tokens in (old, new)]
    if unknown[0] != unknown[1]:
        return Kind.NEW_UNKNOWN if unknown[1] else Kind.OLD_UNKNOWN
    return Kind.SPLIT if all(unknown) or spelt(old) == spelt(new) else Kind.NORMALIZED


def spelt(tokens: Iterable[Token]) -> str:
    """What tokens spell, without the marks of words and pieces."""
    return "".join(_unmarked(token.text) for token in tokens)


def _unmarked(token: str) -> str:
    bare = token.removesuffix(ENDS)
    for mark in BEGINS:
        bare = bare.removeprefix(mark)
    return bare if bare == CONTINUES else bare.removeprefix(CONTINUES)


def normalization(old: str, new: str) -> str | None:
    """How two spellings of one text are related: what one of two normalizers did, and the other did not."""
    if old.lower() == new.lower():
        return "letter case"
    if _without_marks(old) == _without_marks(new):
        return "accents"
    if _without_marks(old).lower() == _without_marks(new).lower():
        return "letter case and accents"
    if unicodedata.normalize("NFKC", old) == unicodedata.normalize("NFKC", new):
        return "compatibility forms"
    return None


def _without_marks(text: str) -> str:
    return "".join(char for char in unicodedata.normalize("NFD", text) if unicodedata.category(char) != "Mn")


def characters(text: Collection[str]) -> str:
    """What a text is made of: `Greek letters`, `digits and numbers, punctuation`."""
    classes = sorted({_class(char) for char in text})
    if len(classes) <= 2:
        return ", ".join(classes)
    letters = [each for each in classes if each.endswith("letters")]
    return f"{letters[0]} and others" if len(letters) == 1 else "characters of several kinds"


def character(char: str) -> str:
    """What a single character is, more exactly: `capital Greek letters with marks`."""
    if not char.isalpha():
        return _class(char)
    capital = "capital " if unicodedata.category(char) in ("Lu", "Lt") else ""
    # The syllables of Hangul are taken apart into letters.
    marked = any(unicodedata.category(each).startswith("M") for each in unicodedata.normalize("NFD", char))
    return f"{capital}{_class(char)}{' with marks' if marked else ''}"


_CLASSES = {
    "M": "marks",
    "N": "digits and numbers",
    "P": "punctuation",
    "S": "symbols",
    "Z": "spaces",
    "C": "control characters",
}


def _class(char: str) -> str:
    category = unicodedata.category(char)
    if category == "Co":
        return "characters of private use"
    if category == "Cn":
        return "unassigned characters"
    if not category.startswith("L"):
        return _CLASSES[category[0]]
    script = unicodedata.name(char, "other").split()[0].title()
    return "ideographs" if script == "Cjk" else f"{script} letters"


def vocabularies(lacking: Sequence[bool]) -> str | None:
    """Whether NEW lacks a token of OLD's, and the other way round."""
    match lacking:
        case (True, True):
            return "each lacks pieces of the other's"
        case (True, False):
            return "NEW lacks pieces of OLD's"
        case (False, True):
            return "OLD lacks pieces of NEW's"
    return None
