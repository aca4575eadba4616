"""Text cut into words as BERT's normalizer and pre-tokenizer cut it, much of it at once.

In ASCII, characters are normalized each by itself, marks are set apart by spaces, and the rest is one call. Other text
is cut in units, which are what stands between two spaces. They are joined, normalized together and parted again, at a
character that comes through as it is and lets nothing pass: normalizing looks beyond a character only at marks in a
row, and in search of the end of a word, and it is neither a mark nor white space nor a letter that has a case.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from goldpiece.reference.normalizer import SEPARATOR, Normalizer
from goldpiece.reference.pre_tokenizer import PreTokenizer
from goldpiece.reference.unicode import characters

IN_ASCII = re.compile("[a-zA-Z0-9]+|[^ ]")  # matches the words of normalized text, of which there are few


class Cutter:
    """Cuts by a normalizer, which has to be one of BERT's two, and a pre-tokenizer."""

    def __init__(self, normalizer: Normalizer, pre_tokenizer: PreTokenizer) -> None:
        assert normalizer.profile != "simple"
        self._normalizer, self._pre_tokenizer = normalizer, pre_tokenizer

    def words_in_ascii(self, text: str) -> list[str]:
        """The words of a text that is ASCII."""
        codes = text.translate(self._in_ascii).encode()  # of which bytes replaces one by several four times as fast
        for mark in self._marks_in_ascii:
            codes = codes.replace(mark, b" " + mark + b" ")
        return codes.decode().split()

    def words(self, units: Sequence[str]) -> Iterator[list[str]]:
        """The words of each unit, which may be any string."""
        others = [unit for unit in units if not unit.isascii() and SEPARATOR not in unit]
        forms = self._normalizer.normalize(SEPARATOR.join(others)).split(SEPARATOR)
        found = dict(zip(others, map(self._word.findall, forms), strict=True)) if others else {}
        return (found[unit] if unit in found else self._words_alone(unit) for unit in units)

    def _words_alone(self, unit: str) -> list[str]:
        if unit.isascii():
            if unit.isalnum() and unit.islower():  # as most are
                return [unit]
            return IN_ASCII.findall(unit.translate(self._in_ascii))
        return self._pre_tokenizer.pre_tokenize(self._normalizer.normalize(unit))[0]

    @cached_property
    def _in_ascii(self) -> dict[int, str | None]:
        """What normalizing makes of each character of ASCII; None where that is nothing.

        That is what str.translate knows as a deletion, which it does several times as fast as to write nothing.
        """
        return {point: self._normalizer.normalize(chr(point)) or None for point in range(128)}

    @cached_property
    def _marks_in_ascii(self) -> list[bytes]:
        """What of a normalized text in ASCII is a word by itself."""
        forms = "".join(filter(None, self._in_ascii.values()))
        return [form.encode() for form in sorted(set(forms)) if not form.isalnum() and form != " "]

    @cached_property
    def _word(self) -> re.Pattern[str]:
        """Matches a word: a punctuation mark, or what stands between such marks and white space."""
        known = characters(self._pre_tokenizer.profile)
        marks = "".join(map(re.escape, sorted(known.punctuation)))
        spaces = "".join(map(re.escape, sorted(known.white_space)))
        return re.compile(f"[{marks}]|[^{marks}{spaces}]+")
