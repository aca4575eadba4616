"""Mutants of persistence."""

import hashlib
import json
import unicodedata
from base64 import b64decode, b64encode
from collections.abc import Iterable
from itertools import pairwise
from typing import TypeAlias

from goldpiece.formats import vocab_txt
from goldpiece.reference.persistence import Persistence
from goldpiece.suite.mutants import mutant

Read: TypeAlias = tuple[list[str], list[int | None]]


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


class _ChangesText(Persistence):
    """Reads another text than the file holds."""

    def change(self, text: str) -> str:
        raise NotImplementedError

    def read_vocab(self, content: str, strict: bool = True) -> Read:
        text = self.change(b64decode(content).decode())
        return super().read_vocab(b64encode(text.encode()).decode("ascii"), strict)


@mutant(breaks="persistence.line-numbers", story="counts lines from 1")
class CountsFromOne(Persistence):
    def read_vocab(self, content: str, strict: bool = True) -> Read:
        tokens, ids = super().read_vocab(content, strict)
        return tokens, [None if number is None else number + 1 for number in ids]


@mutant(breaks="persistence.line-numbers", story="numbers the tokens in alphabetical order")
class Sorts(Persistence):
    def read_vocab(self, content: str, strict: bool = True) -> Read:
        tokens, ids = super().read_vocab(content, strict)
        return sorted(tokens), ids


@mutant(
    breaks="persistence.line-ends",
    report="huggingface/transformers#1078",
    story="ends lines at U+2028 and at whatever else str.splitlines does",
)
class SplitsLines(_ChangesText):
    def change(self, text: str) -> str:
        return "\n".join([*text.splitlines(), ""])


@mutant(breaks="persistence.line-ends", story="ends lines at CR alone too, as Python does with newline=None")
class UniversalNewlines(_ChangesText):
    def change(self, text: str) -> str:
        return text.replace("\r\n", "\n").replace("\r", "\n")


@mutant(breaks="persistence.line-ends", story="ends lines in LF alone, and leaves CR in the tokens")
class KeepsCarriageReturns(_ChangesText):
    def change(self, text: str) -> str:
        return text.replace("\r\n", "\r\r\n")


@mutant(breaks="persistence.last-line", story="does not see a last line without a line end")
class DropsTheUnended(_ChangesText):
    def change(self, text: str) -> str:
        return text[: text.rfind("\n") + 1]


@mutant(breaks="persistence.last-line", story="finds a blank line behind the last line end")
class BlankAtTheEnd(_ChangesText):
    def change(self, text: str) -> str:
        return text + "\n" * text.endswith("\n")


@mutant(
    breaks="persistence.byte-order-mark",
    report="probe:vocab-bom",
    story="takes a byte order mark for the beginning of the first token",
)
class KeepsTheMark(_ChangesText):
    def change(self, text: str) -> str:
        return "\ufeff" * text.startswith("\ufeff") + text


@mutant(breaks="persistence.byte-order-mark", story="takes U+FEFF out wherever it stands")
class DropsEveryMark(_ChangesText):
    def change(self, text: str) -> str:
        return text.replace("\ufeff", "")


@mutant(breaks="persistence.byte-order-mark", story="skips every U+FEFF at the start of the file")
class SkipsAllMarks(_ChangesText):
    def change(self, text: str) -> str:
        return text.lstrip("\ufeff")


class _ChangesTokens(Persistence):
    """Reads every token as something else."""

    def change(self, token: str) -> str:
        return token

    def read_vocab(self, content: str, strict: bool = True) -> Read:
        tokens, ids = super().read_vocab(content, strict)
        return [self.change(token) for token in tokens], ids


@mutant(
    breaks="persistence.exact-tokens", report="probe:vocab-trim", story="trims white space from the end of each line"
)
class TrimsTheEnd(_ChangesTokens):
    def change(self, token: str) -> str:
        return token.rstrip()


@mutant(breaks="persistence.exact-tokens", story="trims spaces from the start of each line")
class TrimsTheStart(_ChangesTokens):
    def change(self, token: str) -> str:
        return token.lstrip(" ")


@mutant(breaks="persistence.exact-tokens", story="composes the tokens")
class Composes(_ChangesTokens):
    def change(self, token: str) -> str:
        return unicodedata.normalize("NFC", token)


@mutant(breaks="persistence.exact-tokens", story="ends a token at a tab, behind which a count may stand")
class EndsAtTabs(_ChangesTokens):
    def change(self, token: str) -> str:
        return token.partition("\t")[0]


@mutant(breaks="persistence.blank-lines", report="pytorch/text#1840", story="skips blank lines")
class SkipsBlankLines(_ChangesText):
    def change(self, text: str) -> str:
        *ended, last = text.split("\n")
        return "\n".join([*(line for line in ended if line.removesuffix("\r")), last])


@mutant(breaks="persistence.blank-lines", story="takes blank lines at the end of the file for its end")
class StripsTheEnd(_ChangesText):
    def change(self, text: str) -> str:
        return text.rstrip("\r\n")


@mutant(breaks="persistence.blank-lines", story="takes a bare CRLF for a token")
class BlankIsLineFeedAlone(_ChangesText):
    def change(self, text: str) -> str:
        return text if "\n\n" in f"\n{text}" else text.replace("\r\n", " \n")


@mutant(
    breaks="persistence.duplicate-lines",
    report="OpenNMT/OpenNMT-tf#910",
    story="lets the last of two equal tokens win, and says nothing",
)
class DuplicatesInSilence(Persistence):
    def read_vocab(self, content: str, strict: bool = True) -> Read:
        try:
            return super().read_vocab(content, strict)
        except vocab_txt.DuplicateToken:
            return super().read_vocab(content, False)


@mutant(breaks="persistence.duplicate-lines", story="sees equal tokens only side by side")
class ComparesNeighbours(Persistence):
    def read_vocab(self, content: str, strict: bool = True) -> Read:
        tokens, ids = super().read_vocab(content, False)
        side_by_side = any(left == right for left, right in pairwise(tokens))
        return super().read_vocab(content, strict) if side_by_side or "" in tokens else (tokens, ids)


@mutant(
    breaks="persistence.keeps-blank-lines",
    report="pytorch/text#1840",
    story="skips blank lines, so that later ids are lower",
)
class LowersLaterIds(SkipsBlankLines):
    pass


@mutant(breaks="persistence.keeps-blank-lines", story="looks the empty token up by a blank line")
class MatchesNothing(Persistence):
    def read_vocab(self, content: str, strict: bool = True) -> Read:
        tokens, _ = super().read_vocab(content, strict)
        ids = {token: number for number, token in enumerate(tokens)}
        return tokens, [ids[token] for token in tokens]


@mutant(breaks="persistence.keeps-blank-lines", story="refuses blank lines whatever is asked for")
class AlwaysStrict(Persistence):
    def read_vocab(self, content: str, strict: bool = True) -> Read:
        return super().read_vocab(content, True)


@mutant(breaks="persistence.last-duplicate-wins", story="looks equal tokens up by the first of them")
class FirstWins(Persistence):
    def read_vocab(self, content: str, strict: bool = True) -> Read:
        tokens, _ = super().read_vocab(content, strict)
        return tokens, [tokens.index(token) if token else None for token in tokens]


@mutant(breaks="persistence.last-duplicate-wins", story="skips a token that it knows, so that later ids are lower")
class SkipsDuplicates(_ChangesText):
    def change(self, text: str) -> str:
        return "\n".join([*dict.fromkeys(text.replace("\r\n", "\n").split("\n")[:-1]), ""])


class _DecodesAnything(Persistence):
    """Makes text of any bytes."""

    def decode(self, content: bytes) -> str:
        return content.decode("latin-1")

    def read_vocab(self, content: str, strict: bool = True) -> Read:
        try:
            return super().read_vocab(content, strict)
        except vocab_txt.NotUtf8:
            return super().read_vocab(b64encode(self.decode(b64decode(content)).encode()).decode("ascii"), strict)


@mutant(breaks="persistence.not-utf8", story="puts U+FFFD in the place of what is not UTF-8")
class Replaces(_DecodesAnything):
    def decode(self, content: bytes) -> str:
        return content.decode(errors="replace")


@mutant(breaks="persistence.not-utf8", story="reads what is not UTF-8 as Latin-1")
class FallsBackToLatin1(_DecodesAnything):
    pass


@mutant(breaks="persistence.not-utf8", story="skips broken bytes unless it is strict")
class SkipsWhenNotStrict(_DecodesAnything):
    def decode(self, content: bytes) -> str:
        return content.decode(errors="ignore")

    def read_vocab(self, content: str, strict: bool = True) -> Read:
        return Persistence().read_vocab(content) if strict else super().read_vocab(content, strict)


class _Renders(Persistence):
    """Writes what can be written in another way."""

    def render(self, tokens: list[str]) -> bytes:
        return vocab_txt.render(tokens)

    def write_vocab(self, tokens: Iterable[str]) -> str:
        listed = list(tokens)
        vocab_txt.render(listed)  # refuses what it should
        return b64encode(self.render(listed)).decode("ascii")


@mutant(breaks="persistence.writes", story="ends lines in CRLF, as Windows does")
class WritesCrlf(_Renders):
    def render(self, tokens: list[str]) -> bytes:
        return "".join(f"{token}\r\n" for token in tokens).encode()


@mutant(breaks="persistence.writes", story="puts no line end behind the last token")
class LeavesTheLastOpen(_Renders):
    def render(self, tokens: list[str]) -> bytes:
        return "\n".join(tokens).encode()


@mutant(breaks="persistence.writes", story="begins with a byte order mark")
class WritesTheMark(_Renders):
    def render(self, tokens: list[str]) -> bytes:
        return "".join(f"{token}\n" for token in tokens).encode("utf-8-sig")


@mutant(breaks="persistence.round-trip", story="writes the tokens in alphabetical order")
class WritesSorted(_Renders):
    def render(self, tokens: list[str]) -> bytes:
        return vocab_txt.render(sorted(tokens, key=lambda token: token.replace("\ufeff", "\U0010ffff")))


@mutant(breaks="persistence.round-trip", story="writes invisible characters as escapes, and reads them as they stand")
class WritesEscapes(_Renders):
    def render(self, tokens: list[str]) -> bytes:
        return "".join(f"{token.encode('unicode_escape').decode()}\n" for token in tokens).encode()


@mutant(breaks="persistence.round-trip", story="trims the tokens that it writes")
class WritesTrimmed(_Renders):
    def render(self, tokens: list[str]) -> bytes:
        return "".join(f"{token.strip() or token}\n" for token in tokens).encode()


@mutant(
    breaks="persistence.refuses",
    report="WorksApplications/SudachiTra#64",
    story="writes a token that holds a line feed as two lines",
)
class WritesTwoLines(Persistence):
    def write_vocab(self, tokens: Iterable[str]) -> str:
        listed = list(tokens)
        if any("\n" in token for token in listed):
            return b64encode("".join(f"{token}\n" for token in listed).encode()).decode("ascii")
        return super().write_vocab(listed)


@mutant(breaks="persistence.refuses", story="leaves empty tokens out")
class LeavesEmptyOut(Persistence):
    def write_vocab(self, tokens: Iterable[str]) -> str:
        return super().write_vocab(filter(None, tokens))


@mutant(breaks="persistence.refuses", story="writes a token once that stands twice")
class WritesOnce(Persistence):
    def write_vocab(self, tokens: Iterable[str]) -> str:
        return super().write_vocab(dict.fromkeys(tokens))


@mutant(breaks="persistence.refuses", story="writes a carriage return at the end of a token")
class WritesCarriageReturns(Persistence):
    def write_vocab(self, tokens: Iterable[str]) -> str:
        return super().write_vocab(token.rstrip("\r") or token for token in tokens)


@mutant(breaks="persistence.refuses", story="begins the file with a token that begins with U+FEFF")
class BeginsWithTheMark(Persistence):
    def write_vocab(self, tokens: Iterable[str]) -> str:
        first, *others = list(tokens) or ["a"]
        return super().write_vocab([first.removeprefix("\ufeff") or "a", *others] if first else [first, *others])


@mutant(breaks="persistence.surrogates", story="writes lone surrogates as three bytes each")
class WritesSurrogates(Persistence):
    def write_vocab(self, tokens: Iterable[str]) -> str:
        content = "".join(f"{token}\n" for token in tokens)
        return b64encode(content.encode("utf-8", "surrogatepass")).decode("ascii")


@mutant(breaks="persistence.surrogates", story="writes some lone surrogates as the bytes that Python made them from")
class WritesEscapedBytes(Persistence):
    def write_vocab(self, tokens: Iterable[str]) -> str:
        listed = list(tokens)
        try:
            return b64encode("".join(f"{token}\n" for token in listed).encode("utf-8", "surrogateescape")).decode()
        except UnicodeEncodeError:
            return super().write_vocab(listed)


@mutant(breaks="persistence.fingerprint", story="escapes what is not ASCII")
class EscapesAll(Persistence):
    def fingerprint(self, tokens: Iterable[str]) -> str:
        return digest(json.dumps(list(tokens), separators=(",", ":")))


@mutant(breaks="persistence.fingerprint", story="puts a space behind each comma")
class Spaced(Persistence):
    def fingerprint(self, tokens: Iterable[str]) -> str:
        return digest(json.dumps(list(tokens), ensure_ascii=False))


@mutant(breaks="persistence.fingerprint", story="takes the fingerprint of the file")
class OfTheFile(Persistence):
    def fingerprint(self, tokens: Iterable[str]) -> str:
        return digest("".join(f"{token}\n" for token in tokens))


@mutant(breaks="persistence.fingerprint", story="gives the digits in capitals")
class InCapitals(Persistence):
    def fingerprint(self, tokens: Iterable[str]) -> str:
        return super().fingerprint(tokens).upper()


@mutant(breaks="persistence.fingerprint-differs", story="does not heed the order")
class OfTheSet(Persistence):
    def fingerprint(self, tokens: Iterable[str]) -> str:
        return super().fingerprint(sorted(tokens))


@mutant(breaks="persistence.fingerprint-differs", story="joins the tokens before it takes their digest")
class OfTheJoined(Persistence):
    def fingerprint(self, tokens: Iterable[str]) -> str:
        return digest("".join(tokens))


@mutant(breaks="persistence.fingerprint-surrogates", story="puts a question mark in the place of a lone surrogate")
class QuestionMarks(Persistence):
    def fingerprint(self, tokens: Iterable[str]) -> str:
        return super().fingerprint(token.encode(errors="replace").decode() for token in tokens)
