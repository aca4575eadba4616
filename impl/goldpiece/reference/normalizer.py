"""BERT normalizer: text made ready to be cut into words. Spec: spec/normalizer.yaml."""

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from typing import Literal

from goldpiece.reference.unicode import Characters, characters

Profile = Literal["hf", "google", "simple"]

SEPARATOR = "\u1401"  # a letter that no stage changes, and that is in no other character's form


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
        for stage in self._stages():
            text = stage(text)
        return text

    def align(self, text: str) -> tuple[str, list[int]]:
        """The normalized form, and for each of its characters the place in `text` of the one that it came from.

        Nothing but the order of marks and the final sigma depends on a character's neighbours, and neither changes how
        many characters there are: so it suffices to count, stage by stage, what becomes of each. The profile `simple`
        has no alignment.
        """
        if self.profile == "simple":
            raise NotImplementedError("the alignment of the simple form, which collapses white space")
        sources = list(range(len(text)))
        for stage in self._stages():
            if stage == self._known.decompose:
                sources = sources_of_decomposition(text, sources, self._known)
            else:
                sources = [source for char, source in zip(text, sources, strict=True) for _ in stage(char)]
            text = stage(text)
        return text, sources

    def _stages(self) -> list[Callable[[str], str]]:
        """What a text passes through, one after the other."""
        known = self._known
        accents: list[Callable[[str], str]] = [known.decompose, partial(drop_marks, known=known)]
        lower: list[Callable[[str], str]] = [known.lower] if self.lowercase else []
        return [
            *([partial(clean, known=known)] if self.clean_text else []),
            *([partial(set_ideographs_apart, known=known)] if self.handle_chinese_chars else []),
            *(lower if self.profile == "google" else []),
            *(accents if self.strips_accents else []),
            *(lower if self.profile == "hf" else []),
        ]

    @property
    def _known(self) -> Characters:
        return characters("hf" if self.profile == "hf" else "google")

    @property
    def strips_accents(self) -> bool:
        return self.lowercase if self.strip_accents is None else self.strip_accents


def clean(text: str, known: Characters) -> str:
    """Controls are deleted, so that their neighbours join; every white-space character becomes one space."""
    return text.translate(known.cleaned)


def set_ideographs_apart(text: str, known: Characters) -> str:
    """A space on either side of every ideograph: each will be a word of its own."""
    return known.ideograph.sub(r" \g<0> ", text)


def sources_of_decomposition(text: str, sources: Sequence[int], known: Characters) -> list[int]:
    """The places of the characters of the decomposition of `text`, whose own characters have the places `sources`.

    Marks that change places leave the places in order: in the order of the result, the first part of each character
    takes the next place, and any other part that of what stands before it.
    """
    parts = [(part, number == 0) for char in text for number, part in enumerate(known.decompose(char))]
    classes = [known.mark_class(part) for part, _ in parts]
    letters = accumulate(number == 0 for number in classes)  # which letter each mark belongs to
    order = sorted(zip(letters, classes, parts, strict=True), key=lambda each: each[:2])
    places = iter(sources)
    found: list[int] = []
    for _, _, (_, is_first) in order:
        found.append(next(places) if is_first else found[-1])
    return found


def drop_marks(text: str, known: Characters) -> str:
    """Text without its nonspacing marks."""
    return text.translate(known.nonspacing)


def simple_form(text: str) -> str:
    """NFD without nonspacing marks, lowercased, each run of white space one space, none at the ends."""
    decomposed = unicodedata.normalize("NFD", text)
    bare = "".join(char for char in decomposed if unicodedata.category(char) != "Mn")
    return " ".join(bare.lower().split())
