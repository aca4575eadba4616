"""Byte level: text as words of bytes written as characters, and back. Spec: spec/byte_level.yaml."""

from base64 import b64encode
from codecs import getincrementaldecoder
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

import regex

from goldpiece.errors import GoldpieceError

# As published with the models. `\p{L}` and the like have the Unicode of the package regex.
PATTERNS: Mapping[str, str] = {
    "gpt2": r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
    "cl100k": (
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
        r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
    ),
    "o200k": (
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
        r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
        r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
    ),
}


class UnknownPattern(GoldpieceError):
    """A name that no pattern has."""

    def __init__(self, name: str) -> None:
        super().__init__(f"there is no pattern {name!r}; there are {', '.join(PATTERNS)}")


class LoneSurrogate(GoldpieceError):
    """Half a character, which has no bytes. `position` counts code points."""

    def __init__(self, text: str, position: int) -> None:
        self.position = position
        super().__init__(
            f"character {position} of the text, U+{ord(text[position]):04X}, is a lone surrogate, which UTF-8 has no "
            "bytes for: mend the text, or put U+FFFD in its place"
        )


def _alphabet() -> str:
    """The character of each byte: itself where it can be seen, else the next from U+0100 on."""
    seen = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    others = iter(range(0x100, 0x200))
    return "".join(chr(byte if byte in seen else next(others)) for byte in range(0x100))


ALPHABET = _alphabet()
BYTES: Mapping[str, int] = {character: byte for byte, character in enumerate(ALPHABET)}


def written(content: bytes) -> str:
    """Bytes in the alphabet."""
    return content.decode("latin-1").translate(_CHARACTERS)


_CHARACTERS = dict(enumerate(ALPHABET))


def bytes_of(token: str) -> bytes:
    """The bytes that a token stands for; those of its own UTF-8 where it is not written in the alphabet."""
    if all(character in BYTES for character in token):
        return bytes(BYTES[character] for character in token)
    return token.encode("utf-8", "surrogatepass")


class StreamDecoder:
    """Text from tokens as they come: each character as soon as it is whole, and never half of one."""

    def __init__(self) -> None:
        self._decoder = getincrementaldecoder("utf-8")("replace")

    def feed(self, token: str) -> str:
        """What can be given out behind one more token."""
        return self._decoder.decode(bytes_of(token))

    def end(self) -> str:
        """What is left: U+FFFD where the stream ended within a character. The next token begins a new stream."""
        left = self._decoder.decode(b"", final=True)
        self._decoder.reset()
        return left


@dataclass(frozen=True)
class ByteLevel:
    """GPT-2's way from text to the words of a BPE model whose symbols are bytes, and the way back from its tokens."""

    pattern: str = "gpt2"
    add_prefix_space: bool = False

    def __post_init__(self) -> None:
        """Raises UnknownPattern."""
        if self.pattern not in PATTERNS:
            raise UnknownPattern(self.pattern)

    def pre_tokenize(self, text: str) -> tuple[list[str], list[tuple[int, int]]]:
        """The words of `text` in the alphabet, and their places in the text, in code points. Raises LoneSurrogate."""
        spaced = f" {text}" if self.add_prefix_space and text and not text.startswith(" ") else text
        put_before = len(spaced) - len(text)
        words: list[str] = []
        offsets: list[tuple[int, int]] = []
        for match in compiled(self.pattern).finditer(spaced):
            try:
                words.append(written(match[0].encode()))
            except UnicodeEncodeError as error:
                raise LoneSurrogate(text, match.start() + error.start - put_before) from error
            offsets.append((max(0, match.start() - put_before), match.end() - put_before))
        return words, offsets

    def decode_bytes(self, tokens: Iterable[str]) -> str:
        """The bytes that tokens stand for, in base64; `bytes_of` gives those of one token as they are."""
        return b64encode(b"".join(map(bytes_of, tokens))).decode("ascii")

    def decode(self, tokens: Iterable[str]) -> str:
        """The text of tokens, with U+FFFD where their bytes are no UTF-8."""
        return b"".join(map(bytes_of, tokens)).decode("utf-8", "replace")

    def stream(self, tokens: Iterable[str]) -> list[str]:
        """What a StreamDecoder gives out behind each token, and at the end."""
        decoder = StreamDecoder()
        return [*map(decoder.feed, tokens), decoder.end()]


@cache
def compiled(pattern: str) -> "regex.Pattern[str]":
    """The pattern of a name: each of its matches is a word."""
    return regex.compile(PATTERNS[pattern])
