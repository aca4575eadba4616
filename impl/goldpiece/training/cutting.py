"""How text becomes the words that are counted: as the tokenizer will cut it that is being trained."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, groupby, islice
from typing import Any, ClassVar, Protocol

from goldpiece.errors import GoldpieceError
from goldpiece.fast.cutting import Cutter
from goldpiece.reference.added_tokens import AddedTokens
from goldpiece.reference.byte_level import BYTES, ByteLevel, LoneSurrogate, compiled, written
from goldpiece.reference.normalizer import Normalizer
from goldpiece.reference.pre_tokenizer import PreTokenizer
from goldpiece.reference.unicode import UnicodeProfile

SHOWN = 60  # characters of a word
REMEMBERED = 1 << 16  # units, with their words: some 20 MB
AT_ONCE = 1 << 14  # units that are cut together
TEXTS, PART = 1 << 8, 1 << 20  # texts that are, and characters of them


class NotAWord(GoldpieceError):
    """A word of a table that text is never cut into."""

    def __init__(self, word: str, why: str) -> None:
        super().__init__(f"the word {word[:SHOWN]!r} is none to the tokenizer that is trained: {why}")


class Cutting(Protocol):
    """Cuts text into words, by way of units that can be cut each by itself: they come again, and are cut once."""

    __dataclass_fields__: ClassVar[dict[str, Any]]  # it is a dataclass, of what it was made of

    @property
    def special_tokens(self) -> Sequence[str]:
        """What is found in text before it is cut, and is not learnt."""
        ...

    def units(self, texts: Sequence[str]) -> Iterable[Sequence[str]]:
        """What texts without special tokens fall into, part by part; the words of all units are those of the texts."""
        ...

    def cut(self, units: Sequence[str]) -> Iterable[Sequence[str]]:
        """The words of each unit."""
        ...

    def length(self, word: str) -> int:
        """How many characters of text a word has."""
        ...

    def require(self, word: str) -> None:
        """Raises NotAWord for what is none."""
        ...


@dataclass(frozen=True)
class BertCutting:
    """BERT's normalizer and pre-tokenizer. Both work on what stands between two spaces by itself.

    Of texts in ASCII, which are cut at once, the units are the words.
    """

    special_tokens: Sequence[str]
    lowercase: bool = True
    profile: UnicodeProfile = "hf"

    def units(self, texts: Sequence[str]) -> Iterable[Sequence[str]]:
        """See Cutting."""
        for is_ascii, some in groupby(texts, str.isascii):
            if is_ascii:
                part = list(some)
                together = " ".join(part)
                yield from map(self._cutter.words_in_ascii, [together] if len(together) <= PART else part)
            else:
                yield from (text.split(" ") for text in some)

    def cut(self, units: Sequence[str]) -> Iterable[Sequence[str]]:
        """See Cutting."""
        return self._cutter.words(units)

    def length(self, word: str) -> int:
        """See Cutting; the characters are those of normalized text."""
        return len(word)

    def require(self, word: str) -> None:
        """See Cutting."""
        (cut,) = self._cutter.words([word])
        if cut != [word]:
            raise NotAWord(word, f"it becomes {' '.join(cut)[:SHOWN]!r}; count its words, or train --cased")

    @cached_property
    def _cutter(self) -> Cutter:
        normalizer = Normalizer(profile=self.profile, lowercase=self.lowercase)
        return Cutter(normalizer, PreTokenizer(profile=self.profile))


@dataclass(frozen=True)
class ByteCutting:
    """The pre-tokenizer of byte-level BPE. Raises UnknownPattern."""

    special_tokens: Sequence[str]
    pattern: str = "gpt2"

    def __post_init__(self) -> None:
        """See the class."""
        ByteLevel(self.pattern)

    def units(self, texts: Sequence[str]) -> Iterable[Sequence[str]]:
        """See Cutting."""
        return map(compiled(self.pattern).findall, texts)

    def cut(self, units: Sequence[str]) -> Iterable[Sequence[str]]:
        """See Cutting. Raises LoneSurrogate."""
        for unit in units:
            try:
                yield (written(unit.encode()),)
            except UnicodeEncodeError as error:
                raise LoneSurrogate(unit, error.start) from error

    def length(self, word: str) -> int:
        """See Cutting: every byte but those that continue a character."""
        return sum(BYTES[character] & 0xC0 != 0x80 for character in word)

    def require(self, word: str) -> None:
        """See Cutting."""
        if not all(character in BYTES for character in word):
            raise NotAWord(word, "write each byte as the alphabet of byte-level BPE has it, with Ġ for the space")


@dataclass
class WordCounter:
    """Counts words, and remembers what it has cut."""

    cutting: Cutting
    _known: dict[str, Sequence[str] | None] = field(default_factory=dict, init=False)

    def count(self, texts: Iterable[str]) -> Counter[str]:
        """How often each word stands in texts, in the order in which they are met."""
        units = Counter[str]()
        coming = iter(texts)
        while some := list(islice(coming, TEXTS)):
            units.update(chain.from_iterable(self.cutting.units(self._ordinary(some))))
        words: dict[str, int] = {}
        left = iter(units.items())
        while part := dict(islice(left, AT_ONCE)):
            known = self._cut(part)
            for unit, times in part.items():
                cut = known[unit]
                for word in (unit,) if cut is None else cut:
                    words[word] = words.get(word, 0) + times
        return Counter(words)

    def _ordinary(self, texts: Sequence[str]) -> Sequence[str]:
        """What stands between special tokens."""
        if not self._has_special(" ".join(texts)):
            return texts
        found = (self._special.split(text, parse_special=True) for text in texts)
        return [part for parts, _, ids in found for part, token in zip(parts, ids, strict=True) if token is None]

    @cached_property
    def _has_special(self) -> Callable[[str], object]:
        return re.compile("|".join(map(re.escape, filter(None, self.cutting.special_tokens))) or "(?!)").search

    @cached_property
    def _special(self) -> AddedTokens:
        return AddedTokens(list(self.cutting.special_tokens), special=list(self.cutting.special_tokens))

    def _cut(self, units: Iterable[str]) -> Mapping[str, Sequence[str] | None]:
        """What is known, units that are given included: the words of each, and None where it is its only word."""
        new = [unit for unit in units if unit not in self._known]
        if len(self._known) + len(new) > REMEMBERED:
            self._known.clear()
            new = list(units)
        for unit, words in zip(new, self.cutting.cut(new), strict=True):
            self._known[unit] = None if len(words) == 1 and words[0] == unit else words
        return self._known
