"""The WordPiece tokenizer: text to ids and back, through all components. Spec: spec/tokenizer.yaml."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Self

from goldpiece.encoding import NONE
from goldpiece.errors import GoldpieceError
from goldpiece.formats import tokenizer_json, vocab_txt
from goldpiece.reference import tokenizer_file
from goldpiece.reference.added_tokens import AddedToken, AddedTokens
from goldpiece.reference.decoder import Decoder
from goldpiece.reference.encoder import Encoder, Token
from goldpiece.reference.normalizer import Normalizer
from goldpiece.reference.post_processor import PostProcessor
from goldpiece.reference.pre_tokenizer import PreTokenizer
from goldpiece.reference.unicode import UnicodeProfile
from goldpiece.reference.wordpiece import WordPiece

SPECIAL_TOKENS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


class SpecialTokenMissing(GoldpieceError):
    """The vocabulary lacks a token that the frame needs."""

    def __init__(self, token: str) -> None:
        super().__init__(f"the vocabulary has no {token!r}: add it, or encode with add_special_tokens=False")


@dataclass(frozen=True)
class Explanation:
    """What each stage made of a text."""

    text: str
    added: list[str]  # the added tokens that were found in the text as given
    normalized: str
    words: list[str]  # as they stand in the original text
    pieces: list[list[str]]  # of each word
    ids: list[int]


@dataclass(frozen=True)
class Tokenizer(Encoder):
    """`vocab` has the token of each id. Added tokens that it lacks get the ids behind it, in their order.

    Of `special_tokens` those count that the vocabulary has.
    """

    vocab: Sequence[str]
    profile: UnicodeProfile = "hf"
    lowercase: bool = True
    strip_accents: bool | None = None
    clean_text: bool = True
    handle_chinese_chars: bool = True
    unk_token: str = "[UNK]"
    cls_token: str = "[CLS]"
    sep_token: str = "[SEP]"
    prefix: str = "##"
    max_input_chars: int = 100
    special_tokens: Sequence[str] = SPECIAL_TOKENS
    added_tokens: Sequence[AddedToken | str] = ()  # a text alone is sought in normalized text
    verbatim_tokens: Sequence[str] = ()  # added as well, and sought in the text as given
    cleanup: bool = False  # whether decoded text has no space before punctuation and contractions
    pad_token: str = "[PAD]"

    @classmethod
    def from_vocab(cls, vocab: Path | str | Iterable[str], profile: UnicodeProfile = "hf", **options: object) -> Self:
        """A tokenizer of a vocab.txt, by its path, or of the tokens in the order of their ids.

        Raises FileError where the file cannot be read; `options` are the other fields.
        """
        tokens = vocab_txt.read(vocab) if isinstance(vocab, Path | str) else list(vocab)
        return cls(tokens, profile, **options)  # type: ignore[arg-type]

    @classmethod
    def from_file(cls, path: Path | str) -> Self:
        """The tokenizer of a tokenizer.json, at its path.

        Raises FileError where the file cannot be read, is faulty, or has a part that is unsupported.
        """
        return cls(**tokenizer_file.fields(tokenizer_json.read(path)))

    def save(self, path: Path | str) -> None:
        """Writes a tokenizer.json for `from_file` and Hugging Face tokenizers: all of it or, where it raises, nothing.

        Raises NotWritable and TokenNotWritable for what the file cannot carry, FileError where it cannot be written.
        """
        tokenizer_json.write(path, tokenizer_file.describe(self))

    def encode_saved(self, text: str) -> list[int]:
        """The ids of `text`, without a frame, by what was saved and read again. Raises as `save` and `encode` do."""
        return self._read_again.encode(text, add_special_tokens=False).ids

    @cached_property
    def _read_again(self) -> Self:
        with TemporaryDirectory() as folder:
            path = Path(folder) / "tokenizer.json"
            self.save(path)
            return self.from_file(path)

    # Text to ids.

    def explain(self, text: str) -> Explanation:
        """What each stage makes of `text`, without a frame. Raises what `encode` raises."""
        encoding = self.encode(text, add_special_tokens=False)
        parts, _, added = self._raw_tokens.split(text)
        normalized = [
            part if name is not None else self._normalizer.normalize(part)
            for part, name in zip(parts, added, strict=True)
        ]
        words: dict[int, list[str]] = {}
        for token, number in zip(encoding.tokens, encoding.word_ids, strict=True):
            words.setdefault(number or 0, []).append(token)
        spans: dict[int, tuple[int, int]] = {}
        for (start, end), number in zip(encoding.offsets, encoding.word_ids, strict=True):
            spans[number or 0] = (spans.get(number or 0, (start, end))[0], end)
        return Explanation(
            text=text,
            added=[name for name in added if name is not None],
            normalized="".join(normalized),
            words=[text[start:end] for start, end in spans.values()],
            pieces=list(words.values()),
            ids=encoding.ids,
        )

    def _framed(
        self, text: str, pair: str | None, frame: bool, parse_special: bool, errors: str
    ) -> list[tuple[Token, int, int]]:
        if not frame:
            return super()._framed(text, pair, frame, parse_special, errors)
        sequences = self._sequences(text, pair, parse_special, errors)
        for needed in (self.cls_token, self.sep_token):
            if needed not in self.ids:
                raise SpecialTokenMissing(needed)
        names = [[self.all_tokens[token.id] for token in tokens] for tokens in sequences]
        added = self._post_processor.process(names[0], names[1] if pair is not None else None)
        tokens = iter([token for sequence in sequences for token in sequence])
        return [
            (Token(self.ids[name], 0, 0, NONE), type_id, NONE)
            if sequence is None
            else (next(tokens), type_id, sequence)
            for name, type_id, sequence in zip(added.tokens, added.type_ids, added.sequence_ids, strict=True)
        ]

    def _normalized(self, part: str, start: int, word: int, parse_special: bool) -> list[Token]:
        text, sources = self._normalizer.align(part)
        model = self._model if parse_special else self._model_of_plain_text
        tokens: list[Token] = []
        for begin, name, piece in self._cut(text, parse_special):
            places = [start + source for source in sources[begin : begin + len(piece)]]
            pieces = [name] if name is not None else model.tokenize(piece)
            done = 0
            for each in pieces:
                length = len(piece) if len(pieces) == 1 else len(each.removeprefix(self.prefix) if done else each)
                tokens.append(Token(self.ids[each], places[done], places[done + length - 1] + 1, word))
                done += length
            word += 1
        return tokens

    def _cut(self, text: str, parse_special: bool) -> Iterable[tuple[int, str | None, str]]:
        """The words of normalized text: where each begins, which added token it is if any, and the word."""
        parts, offsets, added = self._normalized_tokens.split(text, parse_special)
        for part, (start, _), found in zip(parts, offsets, added, strict=True):
            if found is not None:
                yield start, self._names_of_normalized[found], part
            else:
                words, spans = self._pre_tokenizer.pre_tokenize(part)
                yield from ((start + begin, None, word) for word, (begin, _) in zip(words, spans, strict=True))

    # Ids to text.

    def decode(self, ids: Iterable[int], skip_special_tokens: bool = True) -> str:
        """The text of `ids`, a space between words. Raises UnknownId."""
        return self._decoder.decode(map(self.id_to_token, ids), skip_special_tokens)

    def decode_words(self, ids: Iterable[int], keep_unknown: bool = False) -> list[str]:
        """The words of `ids` without special tokens; `keep_unknown` keeps the unknown one. Raises UnknownId."""
        return self._decoder.decode_words(map(self.id_to_token, ids), keep_unknown)

    @cached_property
    def all_tokens(self) -> Sequence[str]:
        """The token of each id: the vocabulary, and behind it the added tokens that it lacks."""
        known = set(self.vocab)
        return [*self.vocab, *dict.fromkeys(token.content for token in self.added if token.content not in known)]

    @cached_property
    def added(self) -> Sequence[AddedToken]:
        """The added tokens, and the special tokens of the vocabulary."""
        known = set(self.vocab)
        special = [token for token in self.special_tokens if token in known]
        more = (AddedToken(token) if isinstance(token, str) else token for token in self.added_tokens)
        verbatim = (AddedToken(token, normalized=False) for token in self.verbatim_tokens)
        return [*(AddedToken(token, normalized=False, special=True) for token in special), *more, *verbatim]

    # The components.

    @cached_property
    def _normalizer(self) -> Normalizer:
        return Normalizer(self.profile, self.clean_text, self.handle_chinese_chars, self.strip_accents, self.lowercase)

    @cached_property
    def _raw_tokens(self) -> AddedTokens:
        return AddedTokens.of([token for token in self.added if not token.normalized])

    @cached_property
    def _names_of_normalized(self) -> dict[str, str]:
        """The added tokens that are sought in normalized text, by their own normalized form."""
        normalize = self._normalizer.normalize
        return {normalize(token.content): token.content for token in self.added if token.normalized}

    @cached_property
    def _normalized_tokens(self) -> AddedTokens:
        forms = {name: form for form, name in self._names_of_normalized.items()}
        sought = [token for token in self.added if token.content in forms]
        return AddedTokens.of([replace(token, content=forms[token.content]) for token in sought])

    @cached_property
    def _pre_tokenizer(self) -> PreTokenizer:
        return PreTokenizer(self.profile)

    @cached_property
    def _model(self) -> WordPiece:
        return WordPiece(self.vocab, self.unk_token, self.prefix, self.max_input_chars)

    @cached_property
    def _model_of_plain_text(self) -> WordPiece:
        """The model for text whose words must not become special tokens, even where one is spelt like a word."""
        special = {token.content for token in self.added if token.special} - {self.unk_token}
        entries = [entry for entry in self.vocab if entry not in special]
        return WordPiece(entries, self.unk_token, self.prefix, self.max_input_chars)

    @cached_property
    def _post_processor(self) -> PostProcessor:
        return PostProcessor(self.cls_token, self.sep_token)

    @cached_property
    def _decoder(self) -> Decoder:
        special = [token.content for token in self.added if token.special]
        return Decoder(self.prefix, special, self.unk_token, self.cleanup)
