"""Persistence: vocabularies as files, and their fingerprints. Spec: spec/persistence.yaml."""

from base64 import b64decode, b64encode
from collections.abc import Iterable
from dataclasses import dataclass

from goldpiece.errors import GoldpieceError
from goldpiece.formats import fingerprint, vocab_txt


class NotBase64(GoldpieceError):
    """The content of a file has to come as base64."""


@dataclass(frozen=True)
class Persistence:
    """goldpiece.formats with the contents of files as base64, so that they can pass as JSON."""

    def read_vocab(self, content: str, strict: bool = True) -> tuple[list[str], list[int | None]]:
        """The tokens in the order of their ids, and for each the id by which it is looked up, None for a blank line.

        Raises NotBase64, NotUtf8, and if `strict` BlankLine and DuplicateToken.
        """
        try:
            decoded = b64decode(content, validate=True)
        except ValueError as error:
            problem = f"the content {content[: vocab_txt.LONGEST]!r} is not base64 ({error})"
            raise NotBase64(f"{problem}: encode the bytes of the file") from error
        tokens = vocab_txt.parse(decoded, strict)
        ids = vocab_txt.look_up(tokens)
        return tokens, [ids.get(token) for token in tokens]

    def write_vocab(self, tokens: Iterable[str]) -> str:
        """The content of the file. Raises TokenNotWritable."""
        return b64encode(vocab_txt.render(tokens)).decode("ascii")

    def fingerprint(self, tokens: Iterable[str]) -> str:
        """64 hexadecimal digits. Raises TokenNotWritable for a lone surrogate."""
        return fingerprint.fingerprint(tokens)
