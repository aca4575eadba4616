"""Persistence: vocabularies and tokenizers as files, and their fingerprints. Spec: spec/persistence.yaml."""

from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from goldpiece.errors import GoldpieceError
from goldpiece.formats import fingerprint, tokenizer_json, vocab_txt
from goldpiece.reference import tokenizer_file
from goldpiece.reference.tokenizer import Tokenizer


class NotBase64(GoldpieceError):
    """The content of a file has to come as base64."""


@dataclass(frozen=True)
class Persistence:
    """goldpiece.formats with the contents of files as text, in base64 where bytes matter, so that they pass as JSON."""

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

    def read_tokenizer(self, content: str) -> Mapping[str, object]:
        """What a tokenizer.json says, by name. Raises what `tokenizer_json.parse` raises."""
        file = tokenizer_json.parse(content.encode())
        added = sorted(file.added_tokens, key=lambda token: token.id)
        return {
            "vocab": file.vocab,
            "added_tokens": [token.content for token in added],
            "added_ids": [token.id for token in added],
            **{flag: [token.content for token in added if getattr(token, flag)] for flag in tokenizer_json.FLAGS},
            **{name: getattr(file, name) for name in tokenizer_file.ALIKE},
        }

    def rewrite_tokenizer(self, content: str) -> str:
        """The file as the tokenizer that was read from it is saved."""
        return tokenizer_json.render(tokenizer_file.describe(self._tokenizer(content))).decode()

    def run_tokenizer(self, content: str, text: str) -> tuple[list[int], list[str], list[tuple[int, int]], str, str]:
        """The ids, tokens and offsets of `text`, and the text of the ids without special tokens and with them."""
        tokenizer = self._tokenizer(content)
        encoding = tokenizer.encode(text)
        decoded, whole = (tokenizer.decode(encoding.ids, skip) for skip in (True, False))
        return encoding.ids, encoding.tokens, encoding.offsets, decoded, whole

    def _tokenizer(self, content: str) -> Tokenizer:
        return Tokenizer(**tokenizer_file.fields(tokenizer_json.parse(content.encode())))
