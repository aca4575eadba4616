"""Mutants of the byte level."""

import unicodedata
from base64 import b64encode
from collections.abc import Iterable

import regex

from goldpiece.reference.byte_level import BYTES, PATTERNS, ByteLevel, bytes_of, written
from goldpiece.suite.mutants import mutant

Words = tuple[list[str], list[tuple[int, int]]]


def cut(pattern: str, text: str) -> Words:
    """What another pattern makes of a text."""
    spans = [match.span() for match in regex.finditer(pattern, text)]
    return [written(text[start:end].encode()) for start, end in spans], spans


@mutant(
    breaks="byte_level.alphabet",
    report="paiml/aprender#2121",
    story="takes the alphabet for a shift, which is right for ASCII alone",
)
class LinearShift(ByteLevel):
    def decode_bytes(self, tokens: Iterable[str]) -> str:
        points = [ord(char) for char in "".join(tokens)]
        return b64encode(bytes(point if point < 0x7F else (point - 0x100) % 0x100 for point in points)).decode()


@mutant(breaks="byte_level.bytes-of-text", story="composes text before it is cut")
class Composes(ByteLevel):
    def pre_tokenize(self, text: str) -> Words:
        return super().pre_tokenize(unicodedata.normalize("NFC", text))


@mutant(breaks="byte_level.bytes-of-text", story="drops the words that are a single control character")
class DropsControls(ByteLevel):
    def pre_tokenize(self, text: str) -> Words:
        words, offsets = super().pre_tokenize(text)
        kept = [place for place, (start, end) in enumerate(offsets) if text[start:end].strip()]
        return [words[place] for place in kept], [offsets[place] for place in kept]


class OtherGpt2(ByteLevel):
    """With another pattern in the place of gpt2."""

    other = PATTERNS["gpt2"]

    def pre_tokenize(self, text: str) -> Words:
        return cut(self.other, text) if self.pattern == "gpt2" else super().pre_tokenize(text)


@mutant(breaks="byte_level.gpt2", story="takes no account of the case of contractions")
class AnyCase(OtherGpt2):
    other = PATTERNS["gpt2"].replace("(?:", "(?i:", 1)


@mutant(breaks="byte_level.gpt2", story="leaves the last space of a run with the run")
class NoSpaceForTheWord(OtherGpt2):
    other = PATTERNS["gpt2"].replace(r"|\s+(?!\S)", "")


@mutant(breaks="byte_level.gpt2", story="knows the letters of ASCII alone")
class AsciiLetters(OtherGpt2):
    other = PATTERNS["gpt2"].replace(r"\p{L}", "a-zA-Z").replace("?a-zA-Z+", "?[a-zA-Z]+")


@mutant(breaks="byte_level.gpt2", story="takes the separators of ASCII for white space, as str.isspace does")
class IsSpace(OtherGpt2):
    other = PATTERNS["gpt2"].replace(r"[^\s", r"[^\s\x1c-\x1f").replace(r"|\s+", r"|[\s\x1c-\x1f]+")


@mutant(breaks="byte_level.gpt2", story="takes digits alone for numbers")
class DigitsOnly(OtherGpt2):
    other = PATTERNS["gpt2"].replace(r"\p{N}", r"\p{Nd}")


class OtherCl100k(ByteLevel):
    """With another pattern in the place of cl100k."""

    other = PATTERNS["cl100k"]

    def pre_tokenize(self, text: str) -> Words:
        return cut(self.other, text) if self.pattern == "cl100k" else super().pre_tokenize(text)


@mutant(breaks="byte_level.cl100k", story="leaves numbers whole")
class WholeNumbers(OtherCl100k):
    other = PATTERNS["cl100k"].replace("{1,3}", "+")


@mutant(breaks="byte_level.cl100k", story="takes account of the case of contractions")
class OneCase(OtherCl100k):
    other = PATTERNS["cl100k"].replace("(?i:", "(?:")


@mutant(breaks="byte_level.cl100k", story="leaves white space at the end whole, line breaks and all")
class WholeEnd(OtherCl100k):
    other = r"\s++$|" + PATTERNS["cl100k"]


@mutant(breaks="byte_level.cl100k", story="lets marks stand with letters, as o200k does")
class MarksAreLetters(OtherCl100k):
    other = PATTERNS["cl100k"].replace(r"?\p{L}+", r"?[\p{L}\p{M}]+")


class OtherO200k(ByteLevel):
    """With another pattern in the place of o200k."""

    other = PATTERNS["o200k"]

    def pre_tokenize(self, text: str) -> Words:
        return cut(self.other, text) if self.pattern == "o200k" else super().pre_tokenize(text)


@mutant(breaks="byte_level.o200k", story="does what cl100k does")
class IsCl100k(OtherO200k):
    other = PATTERNS["cl100k"]


@mutant(breaks="byte_level.o200k", story="lets no mark stand with letters")
class MarksApart(OtherO200k):
    other = PATTERNS["o200k"].replace(r"\p{M}", "")


@mutant(breaks="byte_level.o200k", story="does not keep a slash behind punctuation with it")
class SlashApart(OtherO200k):
    other = PATTERNS["o200k"].replace(r"[\r\n/]*", r"[\r\n]*")


@mutant(breaks="byte_level.unknown-pattern", story="takes gpt2 for every pattern that it does not know")
class FallsBack(ByteLevel):
    def __post_init__(self) -> None:
        if self.pattern not in PATTERNS:
            object.__setattr__(self, "pattern", "gpt2")


@mutant(
    breaks="byte_level.offsets",
    report="huggingface/tokenizers#156",
    story="counts the bytes, so that offsets move behind each character of several",
)
class OffsetsOfBytes(ByteLevel):
    def pre_tokenize(self, text: str) -> Words:
        words, offsets = super().pre_tokenize(text)
        return words, [(len(text[:start].encode()), len(text[:end].encode())) for start, end in offsets]


@mutant(breaks="byte_level.offsets", story="leaves the space before a word out of its offsets")
class TrimsOffsets(ByteLevel):
    def pre_tokenize(self, text: str) -> Words:
        words, offsets = super().pre_tokenize(text)
        return words, [(start + (text[start:end] != " " and text[start] == " "), end) for start, end in offsets]


@mutant(
    breaks="byte_level.prefix-space",
    report="huggingface/transformers#16321",
    story="counts the space that it puts before the text",
)
class CountsThePrefix(ByteLevel):
    def pre_tokenize(self, text: str) -> Words:
        words, offsets = super().pre_tokenize(text)
        shift = int(self.add_prefix_space and not text.startswith(" "))
        return words, [(start + shift, end + shift) for start, end in offsets]


@mutant(breaks="byte_level.prefix-space", story="puts a space before text that begins with one as well")
class AlwaysPrefixes(ByteLevel):
    def pre_tokenize(self, text: str) -> Words:
        if not (self.add_prefix_space and text.startswith(" ")):
            return super().pre_tokenize(text)
        words, offsets = ByteLevel(self.pattern).pre_tokenize(f" {text}")
        return words, [(max(0, start - 1), end - 1) for start, end in offsets]


@mutant(breaks="byte_level.parts", story="begins every text as if a space stood before it")
class PrefixesUnasked(ByteLevel):
    def pre_tokenize(self, text: str) -> Words:
        return ByteLevel(self.pattern, add_prefix_space=True).pre_tokenize(text)


@mutant(breaks="byte_level.any-length", story="cuts text into blocks of 65,536 characters")
class InBlocks(ByteLevel):
    def pre_tokenize(self, text: str) -> Words:
        words: list[str] = []
        offsets: list[tuple[int, int]] = []
        for begin in range(0, len(text), 65_536):
            more, spans = super().pre_tokenize(text[begin : begin + 65_536])
            words += more
            offsets += [(start + begin, end + begin) for start, end in spans]
        return words, offsets


@mutant(breaks="byte_level.lone-surrogates", story="writes the three bytes that a surrogate would have")
class PassesSurrogates(ByteLevel):
    def pre_tokenize(self, text: str) -> Words:
        spans = [match.span() for match in regex.finditer(PATTERNS[self.pattern], text)]
        return [written(text[start:end].encode("utf-8", "surrogatepass")) for start, end in spans], spans


@mutant(breaks="byte_level.pure", story="keeps what it made of a text under its beginning")
class CachesByBeginning(ByteLevel):
    def pre_tokenize(self, text: str) -> Words:
        cache: dict[str, Words] = self.__dict__.setdefault("cache", {})
        return cache.setdefault(text[:3], super().pre_tokenize(text))


@mutant(breaks="byte_level.bytes-round-trip", story="trims spaces from the bytes")
class TrimsBytes(ByteLevel):
    def decode_bytes(self, tokens: Iterable[str]) -> str:
        return b64encode(b"".join(map(bytes_of, tokens)).strip(b" ")).decode()


@mutant(breaks="byte_level.round-trip", story="trims the text")
class TrimsText(ByteLevel):
    def decode(self, tokens: Iterable[str]) -> str:
        return super().decode(tokens).strip()


@mutant(breaks="byte_level.malformed", story="leaves out bytes that are no UTF-8")
class LeavesOut(ByteLevel):
    def decode(self, tokens: Iterable[str]) -> str:
        return b"".join(map(bytes_of, tokens)).decode("utf-8", "ignore")


@mutant(breaks="byte_level.malformed", story="gives U+FFFD for each byte of a character that is not whole")
class OneForEachByte(ByteLevel):
    def decode(self, tokens: Iterable[str]) -> str:
        content = b"".join(map(bytes_of, tokens)).decode("utf-8", "surrogateescape")
        return "".join("\ufffd" if "\udc80" <= char <= "\udcff" else char for char in content)


@mutant(breaks="byte_level.malformed", story="ends in an exception where bytes are no UTF-8")
class Raises(ByteLevel):
    def decode(self, tokens: Iterable[str]) -> str:
        return b"".join(map(bytes_of, tokens)).decode()


@mutant(breaks="byte_level.other-characters", story="leaves out what the alphabet lacks")
class LeavesOthersOut(ByteLevel):
    def decode_bytes(self, tokens: Iterable[str]) -> str:
        return super().decode_bytes("".join(char for char in token if char in BYTES) for token in tokens)


@mutant(
    breaks="byte_level.stream-joins",
    report="Blaizzy/mlx-vlm#1778",
    story="puts U+FFFD in the place of half a character whose other half the next token brings",
)
class TokenByToken(ByteLevel):
    def stream(self, tokens: Iterable[str]) -> list[str]:
        return [*(self.decode([token]) for token in tokens), ""]


@mutant(breaks="byte_level.stream-joins", story="says nothing of half a character at the end")
class LosesTheEnd(ByteLevel):
    def stream(self, tokens: Iterable[str]) -> list[str]:
        return [*super().stream(tokens)[:-1], ""]


@mutant(
    breaks="byte_level.stream-whole-characters",
    report="Blaizzy/mlx-vlm#1778",
    story="gives out half a character as U+FFFD, and takes it back by no means",
)
class Halves(TokenByToken):
    pass


@mutant(breaks="byte_level.stream-whole-characters", story="holds all back while the text ends in half a character")
class HoldsBack(ByteLevel):
    def stream(self, tokens: Iterable[str]) -> list[str]:
        parts, waiting = [], list[str]()
        for token in tokens:
            waiting.append(token)
            text = self.decode(waiting)
            parts.append("" if text.endswith("\ufffd") else text)
            waiting = waiting if text.endswith("\ufffd") else []
        return [*parts, self.decode(waiting)]
