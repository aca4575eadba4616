"""Mutants of the tokenizer."""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from goldpiece.encoding import NONE, Encoding, Encodings
from goldpiece.reference.normalizer import Normalizer
from goldpiece.reference.tokenizer import SPECIAL_TOKENS, Token, Tokenizer
from goldpiece.suite.mutants import mutant


def changed(encodings: Encodings, **arrays: Any) -> Encodings:
    """The same rows with other arrays."""
    return replace(encodings, **arrays)


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
        return changed(encodings, flat_ids=np.minimum(encodings.flat_ids + 1, self.vocab_size - 1))


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
        return changed(encodings, flat_word_ids=np.where(encodings.flat_word_ids == NONE, NONE, numbers))


class CountsTheResult(Normalizer):
    """A normalizer that knows no other places than those of its result."""

    def align(self, text: str) -> tuple[str, list[int]]:
        normalized = self.normalize(text)
        return normalized, list(range(len(normalized)))


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
        return changed(encodings, flat_offsets=offsets)


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
        return changed(encodings, flat_offsets=offsets)


@mutant(breaks="tokenizer.frame", story="leaves out the frame where the second text is empty")
class NoFrameBesideNothing(Tokenizer):
    def encode(self, text: str, pair: str | None = None, add_special_tokens: bool = True, *rest: Any) -> Encoding:
        return super().encode(text, pair, add_special_tokens and pair != "", *rest)


class MaskWithFrame(Encoding):
    """An encoding whose mask of special tokens counts a frame that is not there."""

    @property
    def special_tokens_mask(self) -> list[int]:
        return [1, *super().special_tokens_mask, 1]


@mutant(
    breaks="tokenizer.frame",
    report="huggingface/transformers#2963",
    story="gives the mask of the frame also where there is no frame, longer than the ids",
)
class MasksTheAbsentFrame(Tokenizer):
    def encode(self, text: str, pair: str | None = None, add_special_tokens: bool = True, *rest: Any) -> Encoding:
        encoding = super().encode(text, pair, add_special_tokens, *rest)
        return encoding if add_special_tokens else MaskWithFrame(encoding.rows, encoding.row)


@mutant(breaks="tokenizer.frame", story="goes on counting words in the second sequence")
class WordsGoOn(Changed):
    def change(self, encodings: Encodings) -> Encodings:
        first = encodings.flat_word_ids[encodings.flat_sequence_ids == 0]
        behind = encodings.flat_sequence_ids == 1
        shift = int(first.max()) + 1 if len(first) else 0
        return changed(
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
        return changed(encodings, flat_special_tokens_mask=np.isin(encodings.flat_ids, special).astype(np.int8))


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


@mutant(
    breaks="tokenizer.decodes", report="huggingface/tokenizers#802", story="joins tokens as they are, without a decoder"
)
class HasNoDecoder(Tokenizer):
    def decode(self, ids: Iterable[int], skip_special_tokens: bool = True) -> str:
        special = self.special_tokens if skip_special_tokens else ()
        return " ".join(token for token in map(self.id_to_token, ids) if token not in special)


@mutant(breaks="tokenizer.decodes", story="takes only the tokens of the frame for special")
class FrameIsSpecial(Tokenizer):
    def decode(self, ids: Iterable[int], skip_special_tokens: bool = True) -> str:
        return replace(self, special_tokens=(self.cls_token, self.sep_token)).decode_plainly(ids, skip_special_tokens)

    def decode_plainly(self, ids: Iterable[int], skip_special_tokens: bool) -> str:
        return Tokenizer.decode(self, ids, skip_special_tokens)


@mutant(breaks="tokenizer.unknown-ids", report="huggingface/transformers#20781", story="drops ids that no token has")
class DropsUnknownIds(Tokenizer):
    def decode(self, ids: Iterable[int], skip_special_tokens: bool = True) -> str:
        return super().decode([number for number in ids if 0 <= number < self.vocab_size], skip_special_tokens)


@mutant(breaks="tokenizer.unknown-ids", story="counts ids below 0 from the end")
class CountsFromTheEnd(Tokenizer):
    def decode(self, ids: Iterable[int], skip_special_tokens: bool = True) -> str:
        return super().decode(
            [number + self.vocab_size if number < 0 else number for number in ids], skip_special_tokens
        )


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
        return changed(encodings, flat_offsets=offsets)


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
