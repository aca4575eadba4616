"""A tokenizer of words or characters: a splitter, a vocabulary, and the same encodings as any other tokenizer's."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, Self

from goldpiece.reference.added_tokens import AddedToken, AddedTokens
from goldpiece.reference.encoder import Encoder, Token
from goldpiece.reference.vocabulary import PAD_TOKEN, UnknownTokenMissing, Vocabulary
from goldpiece.reference.word_splitter import Unit, WordSplitter


@dataclass(frozen=True)
class WordTokenizer(Encoder):
    """Each token of the splitter is one of the vocabulary, or the unknown one. No frame is put around a text."""

    vocabulary: Vocabulary
    splitter: WordSplitter = field(default_factory=WordSplitter)
    pad_token: str = PAD_TOKEN
    profile: Literal["hf"] = "hf"  # says where the odd token of a pair stays when it is truncated

    @classmethod
    def of_texts(
        cls, texts: Iterable[str], unit: Unit = "words_and_marks", lowercase: bool = True, **options: object
    ) -> Self:
        """The tokenizer whose vocabulary is made of these texts; `options` are the other fields of Vocabulary."""
        splitter = WordSplitter(unit, lowercase)
        tokens = (token for text in texts for token in splitter.split(text)[0])
        return cls(Vocabulary(tokens, **options), splitter)  # type: ignore[arg-type]

    def decode(self, ids: Iterable[int], skip_special_tokens: bool = True) -> str:
        """The tokens of `ids`, a space between words and none between characters. Raises UnknownId."""
        special = self.vocabulary.special_tokens if skip_special_tokens else ()
        tokens = [token for token in map(self.id_to_token, ids) if token not in special]
        return ("" if self.splitter.unit == "characters" else " ").join(tokens)

    @property
    def all_tokens(self) -> Sequence[str]:
        """The token of each id."""
        return self.vocabulary.tokens

    @cached_property
    def _raw_tokens(self) -> AddedTokens:
        """The special tokens; there is no normalizer, so that they are sought in the text as given."""
        special = self.vocabulary.special_tokens
        return AddedTokens.of([AddedToken(token, normalized=False, special=True) for token in special])

    def _normalized(self, part: str, start: int, word: int, parse_special: bool) -> list[Token]:  # noqa: ARG002
        tokens, spans = self.splitter.split(part)
        return [
            Token(self._plain_id(token), start + begin, start + end, word + place)
            for place, (token, (begin, end)) in enumerate(zip(tokens, spans, strict=True))
        ]

    def _plain_id(self, token: str) -> int:
        """The id of a token of plain text: one that is spelt like a special token is not known."""
        if token not in self.vocabulary.special_tokens:
            return self.vocabulary.encode([token])[0]
        if self.vocabulary.unk_token is None:
            raise UnknownTokenMissing(token)
        return self.ids[self.vocabulary.unk_token]
