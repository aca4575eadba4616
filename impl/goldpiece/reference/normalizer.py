"""BERT normalizer: text made ready to be cut into words. Spec: spec/normalizer.yaml."""

import unicodedata
from dataclasses import dataclass
from typing import Literal

from goldpiece.reference.unicode import Characters, characters

Profile = Literal["hf", "google", "simple"]


@dataclass(frozen=True)
class Normalizer:
    """Cleans text, sets ideographs apart, strips accents and lowercases, each of them a switch.

    `strip_accents=None` means "as `lowercase` says". The profile `simple` takes no switches.
    """

    profile: Profile = "hf"
    clean_text: bool = True
    handle_chinese_chars: bool = True
    strip_accents: bool | None = None
    lowercase: bool = True

    def normalize(self, text: str) -> str:
        """The normalized form of `text`, which may be any string, lone surrogates included."""
        if self.profile == "simple":
            return simple_form(text)
        known = characters(self.profile)
        if self.clean_text:
            text = clean(text, known)
        if self.handle_chinese_chars:
            text = set_ideographs_apart(text, known)
        if self.lowercase:
            text = known.lower(text)
        if self.strips_accents:
            text = strip_accents(text, known)
        return text

    def align(self, text: str) -> tuple[str, list[int]]:
        """The normalized form, and for each of its characters the place in `text` of the one that it came from.

        Nothing but the order of marks and the final sigma depends on a character's neighbours, and neither changes how
        many characters there are: so it suffices to count what becomes of each. The profile `simple` has no alignment.
        """
        if self.profile == "simple":
            raise NotImplementedError("the alignment of the simple form, which collapses white space")
        sources = [place for place, char in enumerate(text) for _ in self.normalize(char)]
        return self.normalize(text), sources

    @property
    def strips_accents(self) -> bool:
        return self.lowercase if self.strip_accents is None else self.strip_accents


def clean(text: str, known: Characters) -> str:
    """Controls are deleted, so that their neighbours join; every white-space character becomes one space."""
    return text.translate(known.cleaned)


def set_ideographs_apart(text: str, known: Characters) -> str:
    """A space on either side of every ideograph: each will be a word of its own."""
    return known.ideograph.sub(r" \g<0> ", text)


def strip_accents(text: str, known: Characters) -> str:
    """Canonical decomposition (NFD) without its nonspacing marks."""
    return known.decompose(text).translate(known.nonspacing)


def simple_form(text: str) -> str:
    """NFD without nonspacing marks, lowercased, each run of white space one space, none at the ends."""
    decomposed = unicodedata.normalize("NFD", text)
    bare = "".join(char for char in decomposed if unicodedata.category(char) != "Mn")
    return " ".join(bare.lower().split())
