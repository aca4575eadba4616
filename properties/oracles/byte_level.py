"""What spec/byte_level.yaml defines: its patterns by Python's own `re`, over classes made from Unicode 14.0."""

import re
from collections.abc import Iterator, Sequence
from functools import cache

from goldpiece.suite.loader import load_specs
from goldpiece.suite.values import Value

from .. import unicode14

# A byte is written as the character that Latin-1 has for it where that can be seen, else as the next from U+0100 on.
SEEN = [byte for byte in range(256) if chr(byte).isprintable() and byte != 0x20]
UNSEEN = [byte for byte in range(256) if byte not in SEEN]
CHARACTER = {byte: chr(byte) for byte in SEEN} | {byte: chr(0x100 + place) for place, byte in enumerate(UNSEEN)}
BYTE = {character: byte for byte, character in CHARACTER.items()}


def in_alphabet(content: bytes) -> str:
    return "".join(CHARACTER[byte] for byte in content)


def content_of(tokens: Sequence[str]) -> bytes:
    """The bytes of tokens."""
    content = b""
    for token in tokens:
        written = set(token) <= BYTE.keys()
        content += bytes([BYTE[character] for character in token]) if written else token.encode()
    return content


@cache
def pattern(name: str) -> re.Pattern[str]:
    """The pattern as the spec defines it."""
    said = load_specs().named("byte_level").definitions[name]
    return re.compile("".join(_translated(said[said.index("`") + 1 : said.rindex("`")])))


def _translated(source: str) -> Iterator[str]:
    """The pattern with classes of code points written out."""
    is_inside = False
    for part in re.findall(r"\\p\{\w+\}|\\.|.", source):
        is_inside = part == "[" or (is_inside and part != "]")
        if part == r"\S":
            yield f"[^{_white_space()}]"
        elif part == r"\s" or part.startswith(r"\p"):
            points = _white_space() if part == r"\s" else _category(part[3:-1])
            yield points if is_inside else f"[{points}]"
        else:
            yield part


@cache
def _white_space() -> str:
    return _ranges(load_specs().named("pre_tokenizer").table("white-space", "hf"))


@cache
def _category(name: str) -> str:
    return _ranges(unicode14.of(name))


def _ranges(points: Sequence[int]) -> str:
    """Code points as the inside of a class."""
    runs: list[list[int]] = []
    for point in sorted(points):
        if runs and runs[-1][1] == point - 1:
            runs[-1][1] = point
        else:
            runs.append([point, point])
    return "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in runs)


def words(name: str, text: str, prefix_space: bool = False) -> Value:
    """The outputs of pre_tokenize, by name."""
    put_before = int(prefix_space and text != "" and text[0] != " ")
    spans = [match.span() for match in pattern(name).finditer(" " * put_before + text)]
    whole = " " * put_before + text
    return {
        "tokens": [in_alphabet(whole[start:end].encode()) for start, end in spans],
        "offsets": [[max(0, start - put_before), end - put_before] for start, end in spans],
    }


def parts(tokens: Sequence[str]) -> list[str]:
    """What a stream gives out: at each token the longest text that no further byte can change, less what was out."""
    given: list[str] = []
    content = b""
    for token in tokens:
        content += content_of([token])
        given.append(_settled(content)[len("".join(given)) :])
    return [*given, content.decode("utf-8", "replace")[len("".join(given)) :]]


def _settled(content: bytes) -> str:
    """The text of bytes, without an end that may be the beginning of a character."""
    for length in (1, 2, 3):
        end = content[-length:]
        if len(end) == length and _may_begin(end):
            return content[:-length].decode("utf-8", "replace")
    return content.decode("utf-8", "replace")


def _may_begin(end: bytes) -> bool:
    """Whether bytes are the beginning of a character, and not all of it: whether some others make them one."""
    tails = (b"\x80", b"\xbf", b"\x80\x80", b"\xbf\xbf", b"\x80\x80\x80", b"\xbf\xbf\xbf")
    return any(_is_character(end + tail) for tail in tails)


def _is_character(content: bytes) -> bool:
    try:
        return len(content.decode()) == 1
    except UnicodeDecodeError:
        return False
