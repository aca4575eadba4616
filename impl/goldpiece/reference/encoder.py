"""What every tokenizer does, whatever its model: batches, added tokens in the text as given, and the look-up of ids."""

from abc import abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np

from goldpiece.encoding import NONE, Encoding, Encodings
from goldpiece.errors import GoldpieceError
from goldpiece.formats import fingerprint, vocab_txt
from goldpiece.reference.added_tokens import AddedTokens
from goldpiece.reference.batching import Batching
from goldpiece.reference.vocabulary import UnknownId


class LoneSurrogate(GoldpieceError):
    """A text holds half a character, which no encoding of text can carry. `position` counts code points."""

    def __init__(self, text: str, position: int) -> None:
        self.position = position
        super().__init__(
            f"character {position} of the text, U+{ord(text[position]):04X}, is a lone surrogate: "
            'mend the text, or put U+FFFD in its place with errors="replace"'
        )


class Token(NamedTuple):
    """One token of a sequence: its id, where it stands in the original text, and the number of its word."""

    id: int
    start: int
    end: int
    word: int


class Encoder(Batching):
    """Text to ids and back, for the models that say how a part of a text without added tokens is cut."""

    pad_token: str

    # What a model says.

    @property
    @abstractmethod
    def all_tokens(self) -> Sequence[str]:
        """The token of each id."""

    @property
    @abstractmethod
    def _raw_tokens(self) -> AddedTokens:
        """The added tokens that are sought in the text as given."""

    @abstractmethod
    def _normalized(self, part: str, start: int, word: int, parse_special: bool) -> list[Token]:
        """The tokens of a part without added tokens, which begins at `start` of the text and at the word `word`."""

    # Text to ids.

    def encode(
        self,
        text: str,
        pair: str | None = None,
        add_special_tokens: bool = True,
        parse_special: bool = True,
        errors: Literal["strict", "replace"] = "strict",
    ) -> Encoding:
        """The encoding of `text`, or of `text` and `pair`.

        With `add_special_tokens` it is framed. Without `parse_special` special tokens in the text are plain text, and
        no special id but the unknown token's comes out of it. Raises LoneSurrogate unless `errors` is "replace", and
        SpecialTokenMissing, UnknownTokenMissing where the vocabulary lacks what the result needs.
        """
        return self.encode_batch([text], [pair], add_special_tokens, parse_special, errors)[0]

    def encode_batch(
        self,
        texts: Sequence[str],
        pairs: Sequence[str | None] | None = None,
        add_special_tokens: bool = True,
        parse_special: bool = True,
        errors: Literal["strict", "replace"] = "strict",
    ) -> Encodings:
        """The encodings of several texts, each with its pair if there are pairs. See `encode`."""
        rows = list(zip(texts, pairs or [None] * len(texts), strict=True))
        framed = [self._framed(text, pair, add_special_tokens, parse_special, errors) for text, pair in rows]
        flat = [each for row in framed for each in row]
        return Encodings(
            flat_ids=np.array([token.id for token, _, _ in flat], np.int32),
            flat_offsets=np.array([(token.start, token.end) for token, _, _ in flat], np.int32).reshape(-1, 2),
            flat_type_ids=np.array([type_id for _, type_id, _ in flat], np.int8),
            flat_word_ids=np.array([token.word for token, _, _ in flat], np.int32),
            flat_sequence_ids=np.array([sequence for _, _, sequence in flat], np.int8),
            flat_special_tokens_mask=np.array([sequence == NONE for _, _, sequence in flat], np.int8),
            row_starts=np.cumsum([0, *map(len, framed)], dtype=np.int64),
            texts=rows,
            vocab=self.all_tokens,
        )

    def tokenize(self, text: str) -> list[str]:
        """The tokens of `text`, without a frame."""
        return self.encode(text, add_special_tokens=False).tokens

    def _framed(
        self,
        text: str,
        pair: str | None,
        frame: bool,  # noqa: ARG002 (some models have none)
        parse_special: bool,
        errors: str,
    ) -> list[tuple[Token, int, int]]:
        """Tokens with their type id and sequence id, in the order of the row. Here a frame adds nothing."""
        sequences = self._sequences(text, pair, parse_special, errors)
        return [(token, number, number) for number, tokens in enumerate(sequences) for token in tokens]

    def _sequences(self, text: str, pair: str | None, parse_special: bool, errors: str) -> list[list[Token]]:
        """The tokens of a text, and of its pair if there is one."""
        return [self._sequence(each, parse_special, errors) for each in (text, pair) if each is not None]

    def _sequence(self, text: str, parse_special: bool, errors: str) -> list[Token]:
        """The tokens of one text, cut at the added tokens that are sought in the text as given."""
        text = self._without_surrogates(text, errors)
        tokens: list[Token] = []
        parts, offsets, added = self._raw_tokens.split(text, parse_special)
        for part, (start, end), name in zip(parts, offsets, added, strict=True):
            word = tokens[-1].word + 1 if tokens else 0
            if name is not None:
                tokens.append(Token(self.ids[name], start, end, word))
            else:
                tokens += self._normalized(part, start, word, parse_special)
        return tokens

    def _without_surrogates(self, text: str, errors: str) -> str:
        places = [] if text.isascii() else [place for place, char in enumerate(text) if "\ud800" <= char <= "\udfff"]
        if places and errors == "strict":
            raise LoneSurrogate(text, places[0])
        return "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in text) if places else text

    # Back to the text.

    def original_text(self, encoding: Encoding | str, sequence: Literal[0, 1] = 0) -> str:
        """What the tokens of a sequence were made of: the text from the first of them to the last, as it was given.

        A text stands for its encoding.
        """
        if isinstance(encoding, str):
            encoding = self.encode(encoding, add_special_tokens=False)
        text = encoding.text if sequence == 0 else encoding.pair or ""
        spans = [
            span for span, number in zip(encoding.offsets, encoding.sequence_ids, strict=True) if number == sequence
        ]
        return text[spans[0][0] : spans[-1][1]] if spans else ""

    # The vocabulary.

    @property
    def vocab_size(self) -> int:
        """How many ids there are, added tokens included."""
        return len(self.all_tokens)

    @property
    def pad_id(self) -> int | None:
        """The id of the padding token; None where there is none."""
        return self.ids.get(self.pad_token)

    def token_to_id(self, token: str) -> int | None:
        """The id of a token; None if there is none."""
        return self.ids.get(token)

    def id_to_token(self, number: int) -> str:
        """The token of an id. Raises UnknownId."""
        if not 0 <= number < self.vocab_size:
            raise UnknownId(number, self.vocab_size)
        return self.all_tokens[number]

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of the tokens in the order of their ids, as 64 hexadecimal digits."""
        return fingerprint.fingerprint(self.all_tokens)

    @cached_property
    def ids(self) -> dict[str, int]:
        """The id of each token."""
        return vocab_txt.look_up(self.all_tokens)
