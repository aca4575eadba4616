"""What nanotoken, tokie, kitoken, budtiktok and morpheme do, as their interfaces say it.

All of them read the tokenizer.json of Hugging Face and promise the same tokens.
"""

import json
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar

PLAIN = "special tokens in text that are to be plain text"


class Library:
    """What one of the libraries does with a tokenizer.json. Each method says what the interface says."""

    package: ClassVar[str]
    outputs: ClassVar[Mapping[str, Sequence[str]]]  # that it tells of encode and encode_batch
    lookups: ClassVar[bool] = True  # whether it has id_to_token and token_to_id
    no_token: ClassVar[tuple[type[Exception], ...]] = (OverflowError,)  # what it raises for an id that no token has
    special_unknown: ClassVar[bool] = False  # whether its unknown token has to be special
    has_bpe: ClassVar[bool] = True

    def __init__(self, content: str) -> None:
        self.whole = self.loaded(import_module(self.package), content)

    def loaded(self, package: Any, content: str) -> Any:
        """The tokenizer."""
        return package.Tokenizer.from_str(content)

    def encode(self, text: str, pair: str | None, framed: bool, parse_special: bool) -> object:
        """The outputs that it tells."""
        self.one_text(pair, parse_special)
        return self.whole.encode(text, framed)

    def one_text(self, pair: str | None, parse_special: bool) -> None:
        """Says that it does not take what is not one text with special tokens."""
        if pair is not None:
            raise NotImplementedError("pairs")
        if not parse_special:
            raise NotImplementedError(PLAIN)

    def ids(self, text: str) -> list[int]:
        """Without a frame."""
        return list(self.whole.encode(text, False).ids)

    def encode_batch(self, texts: list[str]) -> object:
        """The outputs that it tells, framed."""
        return {"ids": [list(row.ids) for row in self.whole.encode_batch(texts)]}

    def decode(self, ids: list[int], skip_special_tokens: bool) -> object:
        """The text of ids."""
        return self.whole.decode(ids, skip_special_tokens=skip_special_tokens)

    def bytes_of(self, ids: list[int]) -> bytes:
        """The bytes of ids."""
        raise NotImplementedError("the bytes of ids")


class Nanotoken(Library):
    """nanotoken.Tokenizer, which tells ids, and of WordPiece alone"""

    package = "nanotoken"
    outputs: ClassVar = {"encode": ["ids"], "encode_batch": ["ids"]}
    no_token = (ValueError, OverflowError)
    has_bpe = False

    def loaded(self, package: Any, content: str) -> Any:
        return package.Tokenizer.from_json(content)

    def encode(self, text: str, pair: str | None, framed: bool, parse_special: bool) -> object:
        self.one_text(pair, parse_special)
        return self.whole.encode(text, add_special_tokens=framed).tolist()

    def ids(self, text: str) -> list[int]:
        return list(self.whole.encode(text, add_special_tokens=False).tolist())

    def encode_batch(self, texts: list[str]) -> object:
        return self.whole.encode_batch_list(texts)


class Tokie(Library):
    """tokie.Tokenizer; its offsets are of the normalized text, and are left out"""

    package = "tokie"
    outputs: ClassVar = {
        "encode": ["ids", "tokens", "type_ids", "attention_mask", "special_tokens_mask"],
        "encode_batch": ["ids"],
    }

    def loaded(self, package: Any, content: str) -> Any:
        with TemporaryDirectory() as folder:
            path = Path(folder) / "tokenizer.json"
            path.write_text(content, encoding="utf-8")
            return package.Tokenizer.from_json(str(path))

    def encode(self, text: str, pair: str | None, framed: bool, parse_special: bool) -> object:
        self.one_text(None, parse_special)
        return self.whole.encode(text, framed) if pair is None else self.whole.encode_pair(text, pair, framed)

    def decode(self, ids: list[int], skip_special_tokens: bool) -> object:
        if not skip_special_tokens:
            raise NotImplementedError("text with the special tokens of ids")
        return self.whole.decode(ids)


class Kitoken(Library):
    """kitoken.Kitoken, which tells ids without a frame"""

    package = "kitoken"
    outputs: ClassVar = {"encode": ["ids"]}
    lookups = False
    no_token = (ValueError, OverflowError)
    special_unknown = True

    def loaded(self, package: Any, content: str) -> Any:
        known = json.loads(content)
        model, added = known["model"], {token["content"] for token in known["added_tokens"]}
        prefix = model["continuing_subword_prefix"] if model["type"] == "WordPiece" else None
        if prefix is not None and all(token.startswith(prefix) for token in model["vocab"].keys() - added):
            raise NotImplementedError("a vocabulary of which no word begins: it ends the process")
        return package.Kitoken.from_tokenizers(content.encode())

    def encode(self, text: str, pair: str | None, framed: bool, parse_special: bool) -> object:
        if framed:
            raise NotImplementedError("a frame")
        self.one_text(pair, parse_special=True)
        return self.whole.encode(text, parse_special)

    def ids(self, text: str) -> list[int]:
        return list(self.whole.encode(text, False))

    def encode_batch(self, texts: list[str]) -> object:
        raise NotImplementedError("a frame")

    def decode(self, ids: list[int], skip_special_tokens: bool) -> object:
        return self.whole.decode(ids, not skip_special_tokens).decode("utf-8", "replace")

    def bytes_of(self, ids: list[int]) -> bytes:
        return bytes(self.whole.decode(ids, True))


class Budtiktok(Library):
    """budtiktok.Tokenizer, whose offsets are said to count bytes"""

    package = "budtiktok"
    outputs: ClassVar[Mapping[str, Sequence[str]]] = {}

    def encode(self, text: str, pair: str | None, framed: bool, parse_special: bool) -> object:
        self.one_text(pair, parse_special)
        told = self.whole.encode(text, framed)
        names = ("ids", "tokens", "type_ids", "word_ids", "sequence_ids", "attention_mask", "special_tokens_mask")
        return {name: getattr(told, name) for name in names} | {"offsets": _in_characters(text, told.offsets)}

    def encode_batch(self, texts: list[str]) -> object:
        rows = self.whole.encode_batch(texts)
        spans = [_in_characters(text, row.offsets) for text, row in zip(texts, rows, strict=True)]
        return [row.ids for row in rows], spans


class Morpheme(Library):
    """morpheme.Tokenizer"""

    package = "morpheme"
    outputs: ClassVar = {"encode": ["ids", "tokens", "offsets", "type_ids", "attention_mask", "special_tokens_mask"]}

    def encode_batch(self, texts: list[str]) -> object:
        rows = self.whole.encode_batch(texts)
        return [row.ids for row in rows], [row.offsets for row in rows]


def _in_characters(text: str, spans: Sequence[tuple[int, int]]) -> list[list[int]]:
    """Spans that count bytes of UTF-8, in code points."""
    content = text.encode()
    return [[len(content[:place].decode("utf-8", "ignore")) for place in span] for span in spans]


LIBRARIES = {each.package: each for each in (Nanotoken, Tokie, Kitoken, Budtiktok, Morpheme)}
