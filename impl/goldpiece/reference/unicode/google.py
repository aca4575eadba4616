"""Unicode as google-research/bert sees it: through Python's own `unicodedata` and `str.lower`."""

import re
import string
import sys
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from goldpiece.reference.unicode import ranges

# The eight blocks of google-research/bert, tokenization.py, _is_chinese_char.
IDEOGRAPHS = "3400-4dbf 4e00-9fff f900-faff 20000-2a6df 2a700-2b73f 2b740-2b81f 2b820-2ceaf 2f800-2fa1f"

NUL, REPLACEMENT = 0, 0xFFFD
# U+2028 and U+2029 are not among the characters that cleaning names, but the split into words that follows cuts there.
BREAKS = "\t\n\r\u2028\u2029"


@dataclass(frozen=True)
class PythonCharacters:
    """See `goldpiece.reference.unicode.Characters`."""

    cleaned: Mapping[int, str]
    ideograph: re.Pattern[str]
    nonspacing: Mapping[int, str]
    white_space: frozenset[str]
    punctuation: frozenset[str]

    def decompose(self, text: str) -> str:
        return unicodedata.normalize("NFD", text)

    def mark_class(self, char: str) -> int:
        return unicodedata.combining(char)

    def lower(self, text: str) -> str:
        """Lower case with Greek's final sigma. White space ends a word there too: it is as if word by word."""
        return text.lower()


@cache
def load() -> PythonCharacters:
    category = {point: unicodedata.category(chr(point)) for point in range(sys.maxunicode + 1)}
    controls = [point for point, kind in category.items() if kind in ("Cc", "Cf") and chr(point) not in BREAKS]
    spaces = [point for point, kind in category.items() if kind == "Zs" or chr(point) in BREAKS]
    marks = [point for point, kind in category.items() if kind == "Mn"]
    return PythonCharacters(
        cleaned=dict.fromkeys([NUL, REPLACEMENT, *controls], "") | dict.fromkeys(spaces, " "),
        ideograph=re.compile(ranges.pattern(ranges.read(IDEOGRAPHS))),
        nonspacing=dict.fromkeys(marks, ""),
        white_space=frozenset(chr(point) for point in category if chr(point).isspace()),
        punctuation=frozenset(string.punctuation) | {chr(point) for point, kind in category.items() if kind[0] == "P"},
    )
