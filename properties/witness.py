"""The oracles as an implementation: definitions from the Unicode Character Database and by trying everything.

They share no code with the reference, and so can confirm what it records.
"""

import hashlib
import json
import re
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from .oracles import byte_level, normalizer, pre_tokenizer, vocabulary, word_splitter
from .oracles.bpe import answer_of
from .oracles.decoder import joined
from .oracles.masking import Masking
from .oracles.training import BPETrainer, WordPieceTrainer
from .oracles.truncation import kept_of_pair, windows
from .oracles.wordpiece import longest_pieces
from .strategies.bpe import Case as Table
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


class UnknownTokenMissing(Exception):
    """An error that spec/bpe.yaml names."""


class BPE:
    """oracles/bpe.py, without dropout"""

    def __init__(
        self,
        vocab: list[str],
        merges: list[list[str]],
        *,
        unk_token: str | None = None,
        fuse_unk: bool = False,
        end_of_word: str = "",
        end_of_word_apart: bool = False,
        byte_fallback: bool = False,
        ignore_merges: bool = False,
    ) -> None:
        given = {name: value for name, value in locals().items() if name not in ("self", "vocab", "merges")}
        self.table = Table(vocab, [(first, second) for first, second in merges], "", given)

    def tokenize(self, word: str) -> object:
        answer = answer_of(self.table, word)
        if "error" in answer:
            raise UnknownTokenMissing
        return answer


class ByteLevel:
    """oracles/byte_level.py"""

    def __init__(self, pattern: str = "gpt2") -> None:
        self.pattern = pattern

    def pre_tokenize(self, text: str) -> object:
        return byte_level.words(self.pattern, text)


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


class Truncation:
    """oracles/truncation.py, for what can be cut"""

    def __init__(
        self, max_length: int, profile: str, strategy: str = "longest_first", side: str = "right", stride: int = 0
    ) -> None:
        self.max_length, self.profile, self.strategy, self.side, self.stride = (
            max_length,
            profile,
            strategy,
            side,
            stride,
        )

    def truncate(self, first: list[int], second: list[int] | None, special_tokens: int) -> object:
        rows = self._rows(len(first), len(second or ()), special_tokens)
        sequences = zip((first, second or []), rows[0], strict=True)
        one, other = ([tokens[place] for place in places] for tokens, places in sequences)
        return one, None if second is None else other

    def windows(self, first: int, second: int | None, special_tokens: int) -> object:
        rows = self._rows(first, second or 0, special_tokens)
        return [one for one, _ in rows], None if second is None else [other for _, other in rows]

    def _rows(self, first: int, second: int, special_tokens: int) -> list[tuple[list[int], list[int]]]:
        room = self.max_length - special_tokens
        sizes = (first, second)
        if first + second > room:
            one, other = {"only_first": (room - second, second), "only_second": (first, room - first)}.get(
                self.strategy, kept_of_pair(first, second, room, self.profile)
            )
            sizes = (one, other)
        parts: list[list[list[int]]] = [
            windows(length, size, self.stride, self.side) if size else [[]]
            for length, size in zip((first, second), sizes, strict=True)
        ]
        return [(one, other) for one in parts[0] for other in parts[1]]


class Padding:
    """Place by place."""

    def __init__(
        self,
        pad_id: int = 0,
        pad_type_id: int = 0,
        side: str = "right",
        max_length: int | None = None,
        multiple_of: int = 1,
    ) -> None:
        self.fill, self.side = (pad_id, pad_type_id, 1, 0), side
        self.least, self.multiple = max_length, multiple_of

    def pad(self, ids: list[list[int]], type_ids: None, special_tokens_mask: None) -> object:  # noqa: ARG002
        width = max(map(len, ids), default=0) if self.least is None else self.least
        while width % (self.multiple or 1):
            width += 1
        made: list[list[list[int]]] = [[], [], [], []]
        for row in ids:
            first = width - len(row) if self.side == "left" else 0
            places = range(first, first + len(row))
            for output, filling, tokens in zip(made, self.fill, (row, None, None, None), strict=True):
                of_token = 1 if output is made[3] else 0
                output.append(
                    [(tokens[p - first] if tokens else of_token) if p in places else filling for p in range(width)]
                )
        return tuple(made)


class Packing:
    """Place by place: the tokens in order, each in the first place that it may have."""

    def __init__(self, length: int, pad_id: int | None = 0, split: bool = True) -> None:
        self.length, self.pad_id, self.split = length, pad_id, split

    def pack(self, documents: list[list[int]]) -> object:
        places: dict[int, tuple[int, int, int]] = {}
        place = 0
        for number, document in enumerate(documents):
            left = -place % self.length
            if not self.split and len(document) > left:
                place += left
            for position, token in enumerate(document):
                places[place] = (token, number, position)
                place += 1
        rows = range(0, place, self.length)
        cells = [[places.get(start + column) for column in range(self.length)] for start in rows]
        return {
            "ids": [[cell[0] if cell else self.pad_id for cell in row] for row in cells],
            "sequence_ids": [[cell[1] if cell else None for cell in row] for row in cells],
            "positions": [[cell[2] if cell else 0 for cell in row] for row in cells],
            "attention_mask": [[int(cell is not None) for cell in row] for row in cells],
        }


class WordSplitter:
    """oracles/word_splitter.py"""

    def __init__(self, unit: str) -> None:
        self.definition = word_splitter.Definition(unit)

    def split(self, text: str) -> object:
        return self.definition.split(text)


class Vocabulary:
    """oracles/vocabulary.py"""

    def __init__(
        self,
        corpus: list[str],
        special_tokens: Sequence[str] = ("<pad>", "<unk>"),
        unk_token: str | None = "<unk>",
        min_count: int = 1,
        max_size: int | None = None,
    ) -> None:
        self.definition = vocabulary.Definition(corpus, special_tokens, unk_token, min_count, max_size)

    def entries(self) -> object:
        return self._counted(self.definition.entries)

    def encode(self, tokens: list[str]) -> list[int]:
        return list(map(self.definition.id, tokens))

    def most_common(self, limit: int | None) -> object:
        return self._counted(self.definition.frequent[:limit])

    def coverage(self, tokens: list[str], min_counts: list[int]) -> object:
        several = [replace(self.definition, min_count=each).entries for each in min_counts]
        shares = [sum(token not in known for token in tokens) / max(1, len(tokens)) for known in several]
        return [len(known) for known in several], shares

    def _counted(self, tokens: list[str]) -> object:
        return tokens, list(map(self.definition.count, tokens))


COMPONENTS: Mapping[str, Callable[..., object]] = {
    "normalizer": Normalizer,
    "pre_tokenizer": PreTokenizer,
    "wordpiece": WordPiece,
    "wordpiece_trainer": WordPieceTrainer,
    "bpe": BPE,
    "bpe_trainer": BPETrainer,
    "byte_level": ByteLevel,
    "decoder": Decoder,
    "masking": Masking,
    "post_processor": PostProcessor,
    "persistence": Persistence,
    "tokenizer": Tokenizer,
    "truncation": Truncation,
    "padding": Padding,
    "packing": Packing,
    "word_splitter": WordSplitter,
    "vocabulary": Vocabulary,
}
