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
