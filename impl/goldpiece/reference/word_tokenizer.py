"""A tokenizer of words or characters: a splitter, a vocabulary, and the same encodings as any other tokenizer's."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NamedTuple, Self

import numpy as np

from goldpiece.encoding import Encoding, Encodings
from goldpiece.reference.added_tokens import AddedToken, AddedTokens
from goldpiece.reference.batching import Batching
from goldpiece.reference.vocabulary import PAD_TOKEN, UnknownTokenMissing, Vocabulary
from goldpiece.reference.word_splitter import Unit, WordSplitter


class Word(NamedTuple):
    """One token of a sequence: its id, and where it stands in the original text."""

    id: int
    start: int
    end: int


@dataclass(frozen=True)
class WordTokenizer(Batching):
    """Each token of the splitter is one of the vocabulary, or the unknown one. No frame is put around a text."""

    vocabulary: Vocabulary
    splitter: WordSplitter = field(default_factory=WordSplitter)
    pad_token: str = PAD_TOKEN
    profile: Literal["hf"] = "hf"  # says where the odd token of a pair stays

    @classmethod
    def of_texts(
        cls, texts: Iterable[str], unit: Unit = "words_and_marks", lowercase: bool = True, **options: object
    ) -> Self:
        """The tokenizer whose vocabulary is made of these texts; `options` are the other fields of Vocabulary."""
        splitter = WordSplitter(unit, lowercase)
        tokens = (token for text in texts for token in splitter.split(text)[0])
        return cls(Vocabulary(tokens, **options), splitter)  # type: ignore[arg-type]

    # Text to ids.

    def encode(
        self, text: str, pair: str | None = None, add_special_tokens: bool = True, parse_special: bool = True
    ) -> Encoding:
        """The encoding of `text`, or of `text` and `pair`; see `encode_batch`."""
        return self.encode_batch([text], [pair], add_special_tokens, parse_special)[0]

    def encode_batch(
        self,
        texts: Sequence[str],
        pairs: Sequence[str | None] | None = None,
        add_special_tokens: bool = True,  # noqa: ARG002 (there are none to add)
        parse_special: bool = True,
    ) -> Encodings:
        """The encodings of several texts, each with its pair if there are pairs. Raises UnknownTokenMissing.

        Without `parse_special` special tokens in the text are plain text, and none but the unknown one comes out of it.
        """
        rows = list(zip(texts, pairs or [None] * len(texts), strict=True))
        sequences = [[list(self._words(each, parse_special)) for each in row if each is not None] for row in rows]
        flat = [
            (word, number, place)
            for row in sequences
            for place, words in enumerate(row)
            for number, word in enumerate(words)
        ]
        places = np.array([place for _, _, place in flat], np.int8)
        return Encodings(
            flat_ids=np.array([word.id for word, _, _ in flat], np.int32),
            flat_offsets=np.array([(word.start, word.end) for word, _, _ in flat], np.int64).reshape(-1, 2),
            flat_type_ids=places,
            flat_word_ids=np.array([number for _, number, _ in flat], np.int32),
            flat_sequence_ids=places,
            flat_special_tokens_mask=np.zeros(len(flat), np.int8),
            row_starts=np.cumsum([0, *(sum(map(len, row)) for row in sequences)], dtype=np.int64),
            texts=rows,
            vocab=self.vocabulary.tokens,
        )

    def tokenize(self, text: str) -> list[str]:
        """The tokens of `text`, the unknown one for what the vocabulary lacks."""
        return self.encode(text).tokens

    def _words(self, text: str, parse_special: bool) -> Iterator[Word]:
        """The tokens of one text, cut at the special tokens in it."""
        for part, (begin, end), special in zip(*self._special.split(text, parse_special), strict=True):
            if special is not None:
                yield Word(self.vocabulary.ids[special], begin, end)
            else:
                for token, (start, stop) in zip(*self.splitter.split(part), strict=True):
                    yield Word(self._plain_id(token), begin + start, begin + stop)

    def _plain_id(self, token: str) -> int:
        """The id of a token of plain text: one that is spelt like a special token is not known."""
        if token not in self.vocabulary.special_tokens:
            return self.vocabulary.encode([token])[0]
        if self.vocabulary.unk_token is None:
            raise UnknownTokenMissing(token)
        return self.vocabulary.ids[self.vocabulary.unk_token]

    @cached_property
    def _special(self) -> AddedTokens:
        return AddedTokens.of(
            [AddedToken(token, normalized=False, special=True) for token in self.vocabulary.special_tokens]
        )

    # Ids to text.

    def decode(self, ids: Iterable[int], skip_special_tokens: bool = True) -> str:
        """The tokens of `ids`, a space between words and none between characters. Raises UnknownId."""
        special = self.vocabulary.special_tokens if skip_special_tokens else ()
        tokens = [token for token in self.vocabulary.decode(ids) if token not in special]
        return ("" if self.splitter.unit == "characters" else " ").join(tokens)

    # The vocabulary.

    @property
    def vocab_size(self) -> int:
        """How many ids there are."""
        return len(self.vocabulary)

    @property
    def pad_id(self) -> int | None:
        """The id of the padding token; None where there is none."""
        return self.token_to_id(self.pad_token)

    def token_to_id(self, token: str) -> int | None:
        """The id of a token; None if there is none."""
        return self.vocabulary.ids.get(token)

    def id_to_token(self, number: int) -> str:
        """The token of an id. Raises UnknownId."""
        return self.vocabulary.decode([number])[0]
