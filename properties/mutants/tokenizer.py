"""Mutants of the tokenizer."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from goldpiece.encoding import NONE, Encoding, Encodings
from goldpiece.reference.added_tokens import AddedToken
from goldpiece.reference.encoder import Token
from goldpiece.reference.normalizer import Normalizer
from goldpiece.reference.tokenizer import SPECIAL_TOKENS, Tokenizer
from goldpiece.suite.mutants import mutant

from .normalizer import CountsTheResult


class Changed(Tokenizer):
    """A tokenizer that does something to its encodings."""

    def change(self, encodings: Encodings) -> Encodings:
        raise NotImplementedError

    def encode_batch(self, *given: Any, **named: Any) -> Encodings:
        return self.change(super().encode_batch(*given, **named))


@mutant(breaks="tokenizer.tokens", story="does not lowercase")
class KeepsCase(Tokenizer):
    def _normalized(self, part: str, start: int, word: int, parse_special: bool) -> list[Token]:
        return Tokenizer._normalized(replace(self, lowercase=False), part, start, word, parse_special)


@mutant(breaks="tokenizer.tokens", report="huggingface/transformers#9518", story="numbers ids from 1")
class IdsFromOne(Changed):
    def change(self, encodings: Encodings) -> Encodings:
        return replace(encodings, flat_ids=np.minimum(encodings.flat_ids + 1, self.vocab_size - 1))


@mutant(
    breaks="tokenizer.tokens",
    report="probe:bert-vocab-file-ignored",
    story="ignores the vocabulary that it is given, and knows the special tokens alone",
)
class IgnoresTheVocabulary(Tokenizer):
    def __init__(self, vocab: Sequence[str], **options: Any) -> None:
        super().__init__(SPECIAL_TOKENS, **options)


@mutant(breaks="tokenizer.tokens", story="gives each piece a word of its own")
class PiecesAsWords(Changed):
    def change(self, encodings: Encodings) -> Encodings:
        numbers = np.arange(len(encodings.flat_ids), dtype=np.int32)
        return replace(encodings, flat_word_ids=np.where(encodings.flat_word_ids == NONE, NONE, numbers))


@mutant(breaks="tokenizer.offsets", report="elastic/elasticsearch#92329", story="counts offsets in the normalized text")
class OffsetsOfNormalizedText(Tokenizer):
    @property
    def _normalizer(self) -> Normalizer:
        return CountsTheResult(self.profile, lowercase=self.lowercase)


@mutant(
    breaks="tokenizer.offsets",
    report="tensorflow/text#380",
    story="gives an unknown word the length of the unknown token",
)
class UnknownSpan(Changed):
    def change(self, encodings: Encodings) -> Encodings:
        offsets = encodings.flat_offsets.copy()
        unknown = encodings.flat_ids == self.ids.get(self.unk_token, NONE)
        offsets[unknown, 1] = offsets[unknown, 0] + len(self.unk_token)
        return replace(encodings, flat_offsets=offsets)


@mutant(
    breaks="tokenizer.offsets-ascend",
    report="huggingface/tokenizers#156",
    story="shifts offsets behind a character of several bytes",
)
class OffsetsShift(Changed):
    def change(self, encodings: Encodings) -> Encodings:
        text = encodings.texts[0][0]
        wide = [len(text[:end].encode("utf-8", "replace")) - end for _, end in encodings.flat_offsets.tolist()]
        offsets = encodings.flat_offsets.copy()
        offsets[:, 1] += np.array(wide, np.int64)
        return replace(encodings, flat_offsets=offsets)


@mutant(breaks="tokenizer.offsets-ascend", story="gives offsets of the end and the length")
class EndAndLength(Changed):
    def change(self, encodings: Encodings) -> Encodings:
        starts, ends = encodings.flat_offsets.T
        return replace(encodings, flat_offsets=np.stack([ends, ends - starts], axis=1))


@mutant(breaks="tokenizer.offsets-overlap", story="gives each piece the span of its word")
class SpansOfWords(Tokenizer):
    def _normalized(self, part: str, start: int, word: int, parse_special: bool) -> list[Token]:
        tokens = super()._normalized(part, start, word, parse_special)
        ends = {token.word: token.end for token in tokens}
        starts = {token.word: token.start for token in reversed(tokens)}
        return [token._replace(start=starts[token.word], end=ends[token.word]) for token in tokens]


@mutant(breaks="tokenizer.one-length", story="gives no type to the token that ends the row")
class OneTypeTooFew(Changed):
    def change(self, encodings: Encodings) -> Encodings:
        return replace(encodings, flat_type_ids=encodings.flat_type_ids[:-1])


def outputs(encoding: Encoding) -> dict[str, Any]:
    """An encoding as a mapping, to be changed."""
    names = ("ids", "tokens", "offsets", "type_ids", "word_ids", "sequence_ids", "attention_mask")
    return {name: getattr(encoding, name) for name in (*names, "special_tokens_mask")}


@mutant(
    breaks="tokenizer.one-length",
    report="huggingface/transformers#2963",
    story="gives the mask of the frame also where there is no frame, longer than the ids",
)
class MasksTheAbsentFrame(Tokenizer):
    def encode(self, *given: Any) -> Any:
        encoding = outputs(super().encode(*given))
        return encoding if given[2] else encoding | {"special_tokens_mask": [1, *encoding["special_tokens_mask"], 1]}


@mutant(breaks="tokenizer.attention-mask", story="tells padding by its id, also where the text has it")
class MasksByPadId(Tokenizer):
    def encode(self, *given: Any) -> Any:
        encoding = outputs(super().encode(*given))
        pad = self.ids["[PAD]"]
        return encoding | {"attention_mask": [int(number != pad) for number in encoding["ids"]]}


@mutant(breaks="tokenizer.frame-only-adds", story="marks unknown words as special tokens")
class MarksUnknown(Changed):
    def change(self, encodings: Encodings) -> Encodings:
        unknown = encodings.flat_ids == self.ids.get(self.unk_token, NONE)
        return replace(encodings, flat_special_tokens_mask=encodings.flat_special_tokens_mask | unknown)


@mutant(breaks="tokenizer.frame-only-adds", story="strips the text where it is framed")
class StripsFramed(Tokenizer):
    def encode(self, text: str, pair: str | None = None, add_special_tokens: bool = True, *rest: Any) -> Encoding:
        return super().encode(text.strip() if add_special_tokens else text, pair, add_special_tokens, *rest)


@mutant(breaks="tokenizer.frame", story="leaves out the frame where the second text is empty")
class NoFrameBesideNothing(Tokenizer):
    def encode(self, text: str, pair: str | None = None, add_special_tokens: bool = True, *rest: Any) -> Encoding:
        return super().encode(text, pair, add_special_tokens and pair != "", *rest)


@mutant(breaks="tokenizer.frame", story="goes on counting words in the second sequence")
class WordsGoOn(Changed):
    def change(self, encodings: Encodings) -> Encodings:
        first = encodings.flat_word_ids[encodings.flat_sequence_ids == 0]
        behind = encodings.flat_sequence_ids == 1
        shift = int(first.max()) + 1 if len(first) else 0
        return replace(
            encodings, flat_word_ids=np.where(behind, encodings.flat_word_ids + shift, encodings.flat_word_ids)
        )


@mutant(
    breaks="tokenizer.special-tokens-in-text",
    report="huggingface/transformers#2052",
    story="normalizes text before it looks for special tokens",
)
class NormalizesFirst(Tokenizer):
    def _sequence(self, text: str, parse_special: bool, errors: str) -> list[Token]:
        return super()._sequence(text.lower() if len(text.lower()) == len(text) else text, parse_special, errors)


@mutant(breaks="tokenizer.special-tokens-in-text", story="marks special tokens of the text in the mask")
class MarksTheText(Changed):
    def change(self, encodings: Encodings) -> Encodings:
        special = [self.ids[token] for token in self.special_tokens if token in self.ids]
        return replace(encodings, flat_special_tokens_mask=np.isin(encodings.flat_ids, special).astype(np.int8))


@mutant(
    breaks="tokenizer.plain-text", report="marcelroed/gigatoken#57", story="parses special tokens whatever is asked for"
)
class AlwaysParses(Tokenizer):
    def encode(
        self,
        text: str,
        pair: str | None = None,
        add_special_tokens: bool = True,
        parse_special: bool = True,
        *rest: Any,
    ) -> Encoding:
        return super().encode(text, pair, add_special_tokens, True, *rest)


@mutant(breaks="tokenizer.plain-text", story="lets a word become the special token that is spelt like it")
class WordsBecomeSpecial(Tokenizer):
    @property
    def _model_of_plain_text(self) -> Any:
        return self._model


@mutant(breaks="tokenizer.added-tokens", report="huggingface/tokenizers#1027", story="seeks all in the text as given")
class AddedTokensAsGiven(Tokenizer):
    @property
    def added(self) -> Sequence[AddedToken]:
        return [replace(token, normalized=False) for token in Tokenizer.added.func(self)]  # type: ignore[attr-defined]


@mutant(breaks="tokenizer.added-tokens", story="seeks verbatim tokens in the normalized text")
class VerbatimNormalized(Tokenizer):
    @property
    def added(self) -> Sequence[AddedToken]:
        return [replace(token, normalized=not token.special) for token in Tokenizer.added.func(self)]  # type: ignore[attr-defined]


@mutant(breaks="tokenizer.added-tokens", story="seeks special tokens in the normalized text")
class SpecialTokensNormalized(Tokenizer):
    @property
    def added(self) -> Sequence[AddedToken]:
        return [replace(token, normalized=True) for token in Tokenizer.added.func(self)]  # type: ignore[attr-defined]


@mutant(breaks="tokenizer.added-tokens", story="normalizes the text, but not the added token that it seeks there")
class TokensNotNormalized(Tokenizer):
    @property
    def _names_of_normalized(self) -> dict[str, str]:
        return {token.content: token.content for token in self.added if token.normalized}


@mutant(
    breaks="tokenizer.added-tokens",
    report="huggingface/transformers#3518",
    story="keeps an added token whole until the model cuts it up",
)
class CutsUpAddedTokens(Tokenizer):
    def _cut(self, text: str, parse_special: bool) -> Iterable[tuple[int, str | None, str]]:
        return ((start, None, word) for start, _, word in super()._cut(text, parse_special))


@mutant(breaks="tokenizer.original-text", story="joins what the tokens stand on, and forgets what lies between them")
class JoinsSpans(Tokenizer):
    def original_text(self, encoding: Encoding | str, sequence: Literal[0, 1] = 0) -> str:
        whole = self.encode(encoding, add_special_tokens=False) if isinstance(encoding, str) else encoding
        return "".join(whole.text[start:end] for start, end in whole.offsets)


@mutant(breaks="tokenizer.original-text", story="strips white space, and nothing else that no token came from")
class OnlyStrips(Tokenizer):
    def original_text(self, encoding: Encoding | str, sequence: Literal[0, 1] = 0) -> str:
        return (encoding if isinstance(encoding, str) else encoding.text).strip()


@mutant(
    breaks="tokenizer.text-round-trip",
    report="huggingface/transformers#22016",
    story="leaves no space before punctuation, an opening quotation mark among it",
)
class ClosesUp(Tokenizer):
    def decode(self, ids: Iterable[int], skip_special_tokens: bool = True) -> str:
        text = super().decode(ids, skip_special_tokens)
        return re.sub(r" ([.,?!'])", r"\1", text)


@mutant(breaks="tokenizer.text-round-trip", story="drops unknown words, whatever it is told of special tokens")
class DropsUnknown(Tokenizer):
    def decode(self, ids: Iterable[int], skip_special_tokens: bool = True) -> str:
        return super().decode([number for number in ids if number != self.ids[self.unk_token]], skip_special_tokens)


@mutant(breaks="tokenizer.round-trip", story="decodes every piece as a word")
class DecodesPieces(Tokenizer):
    def decode_words(self, ids: Iterable[int], keep_unknown: bool = False) -> list[str]:
        return [word for number in ids for word in super(DecodesPieces, self).decode_words([number], keep_unknown)]


@mutant(breaks="tokenizer.round-trip", story="composes words when it decodes")
class ComposesWords(Tokenizer):
    def decode_words(self, ids: Iterable[int], keep_unknown: bool = False) -> list[str]:
        words = super().decode_words(ids, keep_unknown)
        return [unicodedata.normalize("NFC", word) for word in words]


@mutant(
    breaks="tokenizer.decodes",
    report="huggingface/transformers#1885",
    story="gives every special token the id of the unknown one, which alone is left out",
)
class UnknownForSpecial(Tokenizer):
    def decode(self, ids: Iterable[int], skip_special_tokens: bool = True) -> str:
        return Tokenizer(self.vocab, special_tokens=[self.unk_token]).decode(ids, skip_special_tokens)


@mutant(breaks="tokenizer.decodes", report="huggingface/tokenizers#802", story="has no decoder, and joins tokens")
class HasNoDecoder(Tokenizer):
    def decode(self, ids: Iterable[int], skip_special_tokens: bool = True) -> str:
        special = self.special_tokens if skip_special_tokens else ()
        return " ".join(token for token in map(self.id_to_token, ids) if token not in special)


@mutant(breaks="tokenizer.batches", story="encodes equal texts once, and leaves out the others")
class DropsEqualTexts(Tokenizer):
    def encode_batch(self, texts: Sequence[str], *rest: Any, **named: Any) -> Encodings:
        return super().encode_batch(list(dict.fromkeys(texts)), *rest, **named)


@mutant(breaks="tokenizer.batches", story="goes on counting offsets from one text to the next")
class OffsetsGoOn(Changed):
    def change(self, encodings: Encodings) -> Encodings:
        offsets = encodings.flat_offsets.copy()
        before = 0
        for row, (text, _) in enumerate(encodings.texts):
            rows = slice(int(encodings.row_starts[row]), int(encodings.row_starts[row + 1]))
            offsets[rows] += before
            before += len(text)
        return replace(encodings, flat_offsets=offsets)


@mutant(breaks="tokenizer.pure", story="keeps an encoding for all texts that end alike and have as many tokens")
class KeepsByEnd(Tokenizer):
    def encode(self, text: str, *rest: Any) -> Encoding:
        encoding = super().encode(text, *rest)
        key = (text[-3:], len(encoding))
        kept = self.__dict__.setdefault("kept", {}).setdefault(key, encoding)
        return kept if text[-1:].isalpha() else encoding


@mutant(
    breaks="tokenizer.lone-surrogates",
    report="openai/tiktoken#82",
    story="raises what the encoding of the text raises, which is no error of a tokenizer",
)
class RaisesTheCodec(Tokenizer):
    def _without_surrogates(self, text: str, errors: str) -> str:
        return text.encode().decode()


@mutant(
    breaks="tokenizer.threads",
    report="huggingface/transformers#47085",
    story="keeps in itself what one call works on, where another thread puts its own",
)
class KeepsTheText(Tokenizer):
    def _sequence(self, text: str, parse_special: bool, errors: str) -> list[Token]:
        self.__dict__["text"] = text
        tokens = super()._sequence(text, parse_special, errors)
        return [token for token in tokens if token.end <= len(self.__dict__["text"])]
