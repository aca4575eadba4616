"""Persistence: vocabularies as files, and their fingerprints. Spec: spec/persistence.yaml."""

from base64 import b64decode, b64encode
from collections.abc import Iterable
from dataclasses import dataclass

from goldpiece.formats import fingerprint, vocab_txt


@dataclass(frozen=True)
class Persistence:
    """goldpiece.formats with the contents of files as base64, so that they can pass as JSON."""

    def read_vocab(self, content: str, strict: bool = True) -> tuple[list[str], list[int | None]]:
        """The tokens in the order of their ids, and for each the id by which it is looked up, None for a blank line.

        Raises NotUtf8, and if `strict` BlankLine and DuplicateToken.
        """
        tokens = vocab_txt.parse(b64decode(content, validate=True), strict)
        ids = vocab_txt.look_up(tokens)
        return tokens, [ids.get(token) for token in tokens]

    def write_vocab(self, tokens: Iterable[str]) -> str:
        """The content of the file. Raises TokenNotWritable."""
        return b64encode(vocab_txt.render(tokens)).decode("ascii")

    def fingerprint(self, tokens: Iterable[str]) -> str:
        """64 hexadecimal digits. Raises TokenNotWritable for a lone surrogate."""
        return fingerprint.fingerprint(tokens)
