"""The oracles as an implementation: definitions from the Unicode Character Database and by trying everything.

They share no code with the reference, and so can confirm what it records.
"""

import hashlib
import json
import re
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from .oracles import normalizer, pre_tokenizer
from .oracles.decoder import joined
from .oracles.masking import Masking
from .oracles.wordpiece import longest_pieces
from .strategies.wordpiece import Case

LARGEST = 2_000  # entries of a vocabulary
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


class Normalizer:
    """oracles/normalizer.py"""

    def __init__(
        self,
        profile: str,
        clean_text: bool = True,
        handle_chinese_chars: bool = True,
        strip_accents: bool | None = None,
        lowercase: bool = True,
    ) -> None:
        self.profile, self.known = profile, normalizer.definition_of(profile)
        self.switches: dict[str, Any] = {
            "clean_text": clean_text,
            "handle_chinese_chars": handle_chinese_chars,
            "strip_accents": strip_accents,
            "lowercase": lowercase,
        }

    def normalize(self, text: str) -> str:
        return self.known.simple_form(text) if self.profile == "simple" else self.known.normalize(text, **self.switches)

    def align(self, text: str) -> object:
        return self.normalize(text), self.known.sources(text, **self.switches)


class PreTokenizer:
    """oracles/pre_tokenizer.py"""

    def __init__(self, profile: str) -> None:
        self.known = pre_tokenizer.definition_of(profile)

    def pre_tokenize(self, text: str) -> object:
        return self.known.words(text)


class WordPiece:
    """oracles/wordpiece.py"""

    def __init__(self, vocab: list[str]) -> None:
        self.vocab = vocab

    def tokenize(self, word: str) -> list[str]:
        return longest_pieces(Case(self.vocab, word)) if len(word) <= 100 else ["[UNK]"]


class Decoder:
    """oracles/decoder.py"""

    def decode(self, tokens: list[str], skip_special_tokens: bool) -> str:
        return joined([token for token in tokens if not (skip_special_tokens and token in SPECIAL)])

    def decode_words(self, tokens: list[str], keep_unknown: bool) -> list[str]:
        kept = [token for token in tokens if token not in SPECIAL or (keep_unknown and token == "[UNK]")]
        return joined(kept).split(" ") if kept else []


class PostProcessor:
    """The frame, sequence by sequence."""

    def process(self, first: list[str], second: list[str] | None) -> object:
        rows: list[tuple[str, int, int, int | None]] = [("[CLS]", 0, 1, None)]
        for number, tokens in enumerate([first] if second is None else [first, second]):
            rows += [*((token, number, 0, number) for token in tokens), ("[SEP]", number, 1, None)]
        tokens, type_ids, mask, sequences = (list(column) for column in zip(*rows, strict=True))
        return {
            "tokens": tokens,
            "type_ids": type_ids,
            "special_tokens_mask": mask,
            "attention_mask": [1] * len(rows),
            "sequence_ids": sequences,
        }


class NotUtf8(Exception):
    """An error that spec/persistence.yaml names, as the next two."""


class BlankLine(Exception):
    """See NotUtf8."""


class DuplicateToken(Exception):
    """See NotUtf8."""


class Persistence:
    """vocab.txt byte by byte, and the fingerprint from its definition."""

    def read_vocab(self, content: str, strict: bool) -> object:
        lines = b64decode(content).removeprefix(b"\xef\xbb\xbf").split(b"\n")
        whole = [line.removesuffix(b"\r") for line in lines[:-1]] + lines[-1:] * bool(lines[-1])
        try:
            tokens = [line.decode() for line in whole]
        except UnicodeDecodeError as error:
            raise NotUtf8 from error
        if strict and "" in tokens:
            raise BlankLine
        if strict and len(set(tokens)) < len(tokens):
            raise DuplicateToken
        last: dict[str, int | None] = {token: number for number, token in enumerate(tokens)}
        return tokens, [(last | {"": None})[token] for token in tokens]

    def write_vocab(self, tokens: Sequence[str]) -> str:
        return b64encode(b"".join(token.encode() + b"\n" for token in tokens)).decode()

    def fingerprint(self, tokens: Sequence[str]) -> str:
        quoted = ",".join(json.dumps(token, ensure_ascii=False) for token in tokens)
        return hashlib.sha256(f"[{quoted}]".encode()).hexdigest()


class Tokenizer:
    """The special tokens by a regular expression, and between them the definitions one after the other."""

    def __init__(self, vocab: list[str], profile: str) -> None:
        if len(vocab) > LARGEST:
            raise NotImplementedError("a vocabulary so large that trying every entry takes for ever")
        self.vocab, self.profile = vocab, profile
        self.cut = re.compile("|".join(f"({re.escape(token)})" for token in SPECIAL if token in vocab) or "(?!)")

    def encode(self, text: str, pair: str | None, add_special_tokens: bool, parse_special: bool) -> object:
        if not parse_special:
            raise NotImplementedError("parse_special = false")
        rows: list[tuple[str, list[int], int, int | None, int | None]] = []
        frame: list[tuple[str, list[int], int, int | None, int | None]]
        for number, sequence in enumerate([text] if pair is None else [text, pair]):
            frame = [("[CLS]", [0, 0], 0, None, None)] if add_special_tokens and not rows else []
            rows += frame + [(token, span, number, number, word) for token, span, word in self._tokens(sequence)]
            rows += [("[SEP]", [0, 0], number, None, None)] * add_special_tokens
        return {
            "ids": [self.vocab.index(row[0]) for row in rows],
            "tokens": [row[0] for row in rows],
            "offsets": [row[1] for row in rows],
            "type_ids": [row[2] for row in rows],
            "word_ids": [row[4] for row in rows],
            "sequence_ids": [row[3] for row in rows],
            "attention_mask": [1] * len(rows),
            "special_tokens_mask": [int(row[3] is None) for row in rows],
        }

    def decode(self, ids: list[int], skip_special_tokens: bool) -> str:
        return Decoder().decode([self.vocab[number] for number in ids], skip_special_tokens)

    def _tokens(self, text: str) -> Iterator[tuple[str, list[int], int]]:
        """Each token with its span and the number of its word."""
        word, done = 0, 0
        for special in [*self.cut.finditer(text), None]:
            end = len(text) if special is None else special.start()
            for tokens in self._words(text[done:end], done):
                yield from ((token, span, word) for token, span in tokens)
                word += 1
            if special:
                yield special[0], list(special.span()), word
                word, done = word + 1, special.end()

    def _words(self, part: str, begin: int) -> Iterator[list[tuple[str, list[int]]]]:
        """The tokens of each word with their spans in the whole text."""
        switches = Normalizer(self.profile).switches
        known = normalizer.definition_of(self.profile)
        text, sources = known.normalize(part, **switches), known.sources(part, **switches)
        for start, end in pre_tokenizer.definition_of(self.profile).spans(text):
            pieces = WordPiece(self.vocab).tokenize(text[start:end])
            lengths = [len(piece) - 2 * (place > 0) for place, piece in enumerate(pieces)]
            lengths = [end - start] if len(pieces) == 1 else lengths
            places = [start + sum(lengths[:place]) for place in range(len(pieces) + 1)]
            yield [
                (piece, [begin + sources[first], begin + sources[behind - 1] + 1])
                for piece, first, behind in zip(pieces, places[:-1], places[1:], strict=True)
            ]


COMPONENTS: Mapping[str, Callable[..., object]] = {
    "normalizer": Normalizer,
    "pre_tokenizer": PreTokenizer,
    "wordpiece": WordPiece,
    "decoder": Decoder,
    "masking": Masking,
    "post_processor": PostProcessor,
    "persistence": Persistence,
    "tokenizer": Tokenizer,
}
