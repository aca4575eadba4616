"""How text becomes the words that are counted: as the tokenizer will cut it that is being trained."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from operator import itemgetter
from typing import Any, ClassVar, Protocol

from goldpiece.errors import GoldpieceError
from goldpiece.reference.added_tokens import AddedTokens
from goldpiece.reference.byte_level import BYTES, ByteLevel, LoneSurrogate, compiled, written
from goldpiece.reference.normalizer import Normalizer
from goldpiece.reference.pre_tokenizer import PreTokenizer
from goldpiece.reference.unicode import UnicodeProfile

SHOWN = 60  # characters of a word
REMEMBERED = 1 << 17  # units, with their words: some 50 MB


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

    def units(self, text: str) -> Iterable[str]:
        """What text without special tokens falls into; the words of all units are the words of the text."""
        ...

    def words(self, unit: str) -> Sequence[str]:
        """The words of a unit."""
        ...

    def length(self, word: str) -> int:
        """How many characters of text a word has."""
        ...

    def require(self, word: str) -> None:
        """Raises NotAWord for what is none."""
        ...


@dataclass(frozen=True)
class BertCutting:
    """BERT's normalizer and pre-tokenizer. Both work on what stands between two spaces by itself."""

    special_tokens: Sequence[str]
    lowercase: bool = True
    profile: UnicodeProfile = "hf"

    def units(self, text: str) -> Iterable[str]:
        """See Cutting."""
        return text.split(" ")

    def words(self, unit: str) -> Sequence[str]:
        """See Cutting."""
        return self._pre_tokenizer.pre_tokenize(self._normalizer.normalize(unit))[0]

    def length(self, word: str) -> int:
        """See Cutting; the characters are those of normalized text."""
        return len(word)

    def require(self, word: str) -> None:
        """See Cutting."""
        if (cut := self.words(word)) != [word]:
            raise NotAWord(word, f"it becomes {' '.join(cut)[:SHOWN]!r}; count its words, or train --cased")

    @cached_property
    def _normalizer(self) -> Normalizer:
        return Normalizer(profile=self.profile, lowercase=self.lowercase)

    @cached_property
    def _pre_tokenizer(self) -> PreTokenizer:
        return PreTokenizer(profile=self.profile)


@dataclass(frozen=True)
class ByteCutting:
    """The pre-tokenizer of byte-level BPE. Raises UnknownPattern."""

    special_tokens: Sequence[str]
    pattern: str = "gpt2"

    def __post_init__(self) -> None:
        """See the class."""
        ByteLevel(self.pattern)

    def units(self, text: str) -> Iterable[str]:
        """See Cutting."""
        return map(itemgetter(0), compiled(self.pattern).finditer(text))

    def words(self, unit: str) -> Sequence[str]:
        """See Cutting. Raises LoneSurrogate."""
        try:
            return (written(unit.encode()),)
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
    _known: dict[str, Sequence[str]] = field(default_factory=dict, init=False)

    def count(self, texts: Iterable[str]) -> Counter[str]:
        """How often each word stands in texts, in the order in which they are met."""
        units = Counter(chain.from_iterable(map(self.cutting.units, self._ordinary(texts))))
        words: Counter[str] = Counter()
        for unit, times in units.items():
            for word in self._cut(unit):
                words[word] += times
        return words

    def _ordinary(self, texts: Iterable[str]) -> Iterator[str]:
        """What stands between special tokens."""
        has_some = re.compile("|".join(map(re.escape, filter(None, self.cutting.special_tokens))) or "(?!)").search
        for text in texts:
            if has_some(text):
                parts, _, found = self._special.split(text, parse_special=True)
                yield from (part for part, token in zip(parts, found, strict=True) if token is None)
            else:
                yield text

    @cached_property
    def _special(self) -> AddedTokens:
        return AddedTokens(list(self.cutting.special_tokens), special=list(self.cutting.special_tokens))

    def _cut(self, unit: str) -> Sequence[str]:
        if (words := self._known.get(unit)) is None:
            if len(self._known) >= REMEMBERED:
                self._known.clear()
            words = self._known[unit] = self.cutting.words(unit)
        return words
