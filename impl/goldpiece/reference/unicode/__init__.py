"""What each profile knows of Unicode: the controls, spaces, ideographs and marks, and each character's other forms.

Two implementations of BERT's normalizer differ chiefly in their tables. The profile `google` takes its tables from the
running Python; its promises cover what Unicode 14.0 assigns. The profile `hf` carries those of Hugging Face tokenizers.
"""

import re
from collections.abc import Mapping
from typing import Literal, Protocol, TypeAlias, overload

from goldpiece.reference.unicode import google, hf

UnicodeProfile: TypeAlias = Literal["hf", "google"]


class Characters(Protocol):
    """One profile's Unicode. The mappings are what `str.translate` takes."""

    @property
    def cleaned(self) -> Mapping[int, str]:
        """Characters that cleaning deletes ("") or turns into a space (" ")."""

    @property
    def ideograph(self) -> re.Pattern[str]:
        """Matches one ideograph."""

    @property
    def nonspacing(self) -> Mapping[int, str]:
        """Characters that stripping accents drops."""

    @property
    def white_space(self) -> frozenset[str]:
        """Characters at which words are cut, and which belong to none."""

    @property
    def punctuation(self) -> frozenset[str]:
        """Characters that are words of their own."""

    def decompose(self, text: str) -> str:
        """The canonical decomposition of `text`, its marks in canonical order."""

    def mark_class(self, char: str) -> int:
        """The canonical combining class of a character; 0 if it keeps its place."""

    def lower(self, text: str) -> str:
        """`text` in lower case."""


@overload
def characters(profile: Literal["hf"]) -> hf.TableCharacters: ...
@overload
def characters(profile: UnicodeProfile) -> Characters: ...
def characters(profile: UnicodeProfile) -> Characters:
    """The Unicode of a profile, `hf` or `google`. That of `hf` also knows what added tokens need: word characters."""
    return hf.load() if profile == "hf" else google.load()
