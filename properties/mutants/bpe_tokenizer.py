"""Mutants of the byte-level BPE tokenizer."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar

from goldpiece.encoding import Encoding
from goldpiece.reference.added_tokens import AddedTokens
from goldpiece.reference.bpe import BPE, UnknownTokenMissing
from goldpiece.reference.bpe_tokenizer import BPETokenizer
from goldpiece.reference.byte_level import ALPHABET, ByteLevel
from goldpiece.reference.encoder import Token
from goldpiece.suite.mutants import mutant

Tokenized = tuple[list[str], list[tuple[int, int]]]


@mutant(breaks="bpe_tokenizer.tokens", story="merges over the borders of words")
class OneWord(BPETokenizer):
    @cached_property
    def _byte_level(self) -> Any:
        return _Whole(self.pattern)


class _Whole(ByteLevel):
    def pre_tokenize(self, text: str) -> Tokenized:
        words, _ = super().pre_tokenize(text)
        return (["".join(words)], [(0, len(text))]) if words else ([], [])


@mutant(breaks="bpe_tokenizer.tokens", story="takes the alphabet for the order of ids, whatever the vocabulary says")
class IdsOfTheAlphabet(BPETokenizer):
    @cached_property
    def ids(self) -> dict[str, int]:
        return {token: number for number, token in enumerate(sorted(self.all_tokens))}


@mutant(breaks="bpe_tokenizer.tokens", story="cuts as gpt2 does, whatever the pattern")
class AlwaysGpt2(BPETokenizer):
    @cached_property
    def _byte_level(self) -> ByteLevel:
        return ByteLevel("gpt2", self.add_prefix_space)


@mutant(breaks="bpe_tokenizer.ignore-merges", story="merges a word that is an entry all the same")
class NeverIgnores(BPETokenizer):
    @cached_property
    def _model(self) -> BPE:
        return BPE(self.vocab, self.merges)


@mutant(
    breaks="bpe_tokenizer.byte-missing",
    report="huggingface/tokenizers#517",
    story="leaves out the bytes that the vocabulary lacks",
)
class DropsBytes(BPETokenizer):
    @cached_property
    def _model(self) -> BPE:
        return _Dropping(self.vocab, self.merges, ignore_merges=self.ignore_merges)


class _Dropping(BPE):
    def tokenize(self, word: str) -> Tokenized:
        return super().tokenize("".join(char for char in word if char in self._entries))


@mutant(breaks="bpe_tokenizer.special-tokens-in-text", story="takes special tokens in text for text")
class NeverParses(BPETokenizer):
    def encode(self, text: str, *args: Any, **keywords: Any) -> Encoding:
        return super().encode(text, parse_special=False)


@mutant(breaks="bpe_tokenizer.special-tokens-in-text", story="takes the space before a special token with it")
class TakesTheSpace(BPETokenizer):
    @cached_property
    def _raw_tokens(self) -> AddedTokens:
        return AddedTokens.of([replace(token, lstrip=True) for token in self.added])


@mutant(breaks="bpe_tokenizer.plain-text", story="finds special tokens whether it may or not")
class AlwaysParses(BPETokenizer):
    def encode(self, text: str, *args: Any, **keywords: Any) -> Encoding:
        return super().encode(text)


@mutant(breaks="bpe_tokenizer.special-tokens-made", story="gives the id of a special token that merges make")
class LeavesWhatMergesMake(BPETokenizer):
    def _pieces(self, word: str) -> Tokenized:
        return self._model.tokenize(word)


@mutant(breaks="bpe_tokenizer.special-tokens-made", story="makes no merge of which a special token is the result")
class NeverMakesThem(BPETokenizer):
    @cached_property
    def _model(self) -> BPE:
        return BPE(self.vocab, [pair for pair in self.merges if "".join(pair) not in self._special])


@mutant(breaks="bpe_tokenizer.special-tokens-made", story="refuses a byte that is a special token")
class RefusesBytes(BPETokenizer):
    def _apart(self, piece: str) -> list[str]:
        if piece in self._special and len(piece) == 1:
            raise UnknownTokenMissing(piece, piece, None)
        return super()._apart(piece)


@mutant(breaks="bpe_tokenizer.pairs", story="leaves the pair out")
class NoPair(BPETokenizer):
    def encode(self, text: str, pair: str | None = None, *args: Any, **keywords: Any) -> Encoding:
        return super().encode(text, None, *args, **keywords)


@mutant(breaks="bpe_tokenizer.pairs", story="encodes the pair as if it went on with the text")
class PairGoesOn(BPETokenizer):
    def encode(self, text: str, pair: str | None = None, *args: Any, **keywords: Any) -> Encoding:
        return super().encode(text + (pair or ""), None, *args, **keywords)


@mutant(breaks="bpe_tokenizer.parts", story="begins every text as if a space stood before it")
class AlwaysPrefixes(BPETokenizer):
    @cached_property
    def _byte_level(self) -> ByteLevel:
        return ByteLevel(self.pattern, add_prefix_space=True)


@mutant(breaks="bpe_tokenizer.lone-surrogates", story="puts U+FFFD in the place of a surrogate unasked")
class ReplacesSurrogates(BPETokenizer):
    def encode(self, text: str, *args: Any, **keywords: Any) -> Encoding:
        return super().encode(text, errors="replace")


@mutant(breaks="bpe_tokenizer.pure", story="keeps what it made of a text under its beginning")
class CachesByBeginning(BPETokenizer):
    def encode(self, text: str, *args: Any, **keywords: Any) -> Encoding:
        cache: dict[str, Encoding] = self.__dict__.setdefault("cache", {})
        return cache.setdefault(text[:3], super().encode(text))


@mutant(
    breaks="bpe_tokenizer.pure", story="keeps what it made of a text for all tokenizers, whatever their vocabularies"
)
class CachesForAll(BPETokenizer):
    cache: ClassVar[dict[str, Encoding]] = {}

    def encode(self, text: str, *args: Any, **keywords: Any) -> Encoding:
        return self.cache.setdefault(text, super().encode(text))


@mutant(breaks="bpe_tokenizer.pure", story="merges less with every text")
class ForgetsMerges(BPETokenizer):
    def encode(self, text: str, *args: Any, **keywords: Any) -> Encoding:
        encoding = super().encode(text)
        kept = [pair for pair in self.merges if "".join(pair) not in encoding.tokens]
        self.__dict__["_model"] = BPE(self.vocab, kept)
        return encoding


@mutant(
    breaks="bpe_tokenizer.offsets",
    report="huggingface/tokenizers#156",
    story="gives each byte a place of its own, so that offsets run behind the text",
)
class OffsetsOfBytes(BPETokenizer):
    def _normalized(self, part: str, start: int, word: int, parse_special: bool) -> list[Token]:
        tokens = super()._normalized(part, start, word, parse_special)
        place, moved = start, []
        for token in tokens:
            length = len(self.all_tokens[token.id])
            moved.append(token._replace(start=place, end=place + length))
            place += length
        return moved


@mutant(breaks="bpe_tokenizer.offsets", story="gives the part of a character that its last byte is not of no width")
class NoWidth(BPETokenizer):
    def _normalized(self, part: str, start: int, word: int, parse_special: bool) -> list[Token]:
        tokens = super()._normalized(part, start, word, parse_special)
        behind = [*tokens[1:], None]
        return [
            one._replace(end=one.start) if other is not None and other.start == one.start else one
            for one, other in zip(tokens, behind, strict=True)
        ]


@mutant(breaks="bpe_tokenizer.words", story="numbers tokens, and not words")
class NumbersTokens(BPETokenizer):
    def _sequence(self, text: str, parse_special: bool, errors: str) -> list[Token]:
        tokens = super()._sequence(text, parse_special, errors)
        return [token._replace(word=number) for number, token in enumerate(tokens)]


@mutant(breaks="bpe_tokenizer.trim-offsets", story="does not trim")
class NeverTrims(BPETokenizer):
    def _normalized(self, part: str, start: int, word: int, parse_special: bool) -> list[Token]:
        whole: BPETokenizer = replace(self, trim_offsets=False)
        return BPETokenizer._normalized(whole, part, start, word, parse_special)


@mutant(breaks="bpe_tokenizer.trim-offsets", story="trims one space at the most")
class TrimsOne(NeverTrims):
    def _normalized(self, part: str, start: int, word: int, parse_special: bool) -> list[Token]:
        tokens = super()._normalized(part, start, word, parse_special)
        spaced = [self.all_tokens[token.id].startswith("Ġ") for token in tokens]
        return [token._replace(start=token.start + cut) for token, cut in zip(tokens, spaced, strict=True)]


@mutant(breaks="bpe_tokenizer.round-trip", story="decodes token by token, and breaks characters that are in two")
class TokenByToken(BPETokenizer):
    def decode(self, ids: Iterable[int], skip_special_tokens: bool = True) -> str:
        return "".join(super(TokenByToken, self).decode([number], skip_special_tokens) for number in ids)


@mutant(breaks="bpe_tokenizer.skips-special-tokens", story="never leaves special tokens out")
class NeverSkips(BPETokenizer):
    def decode(self, ids: Iterable[int], skip_special_tokens: bool = True) -> str:
        return super().decode(ids, skip_special_tokens=False)


@mutant(breaks="bpe_tokenizer.skips-special-tokens", story="always leaves special tokens out")
class AlwaysSkips(BPETokenizer):
    def decode(self, ids: Iterable[int], skip_special_tokens: bool = True) -> str:
        return super().decode(ids, skip_special_tokens=True)


@mutant(
    breaks="bpe_tokenizer.unknown-ids",
    report="huggingface/transformers#20781",
    story="drops ids that no token has",
)
class DropsIds(BPETokenizer):
    def decode(self, ids: Iterable[int], skip_special_tokens: bool = True) -> str:
        return super().decode([number for number in ids if 0 <= number < self.vocab_size], skip_special_tokens)


@mutant(breaks="bpe_tokenizer.unknown-ids", story="counts negative ids from the end")
class CountsBack(BPETokenizer):
    def id_to_token(self, number: int) -> str:
        tokens: Sequence[str] = self.all_tokens
        return tokens[number] if -len(tokens) <= number < 0 else super().id_to_token(number)


@mutant(breaks="bpe_tokenizer.bytes-round-trip", story="goes through text, which half a character does not survive")
class ThroughText(BPETokenizer):
    def bytes_of_ids(self, ids: Iterable[int], skip_special_tokens: bool = False) -> bytes:
        return self.decode(ids, skip_special_tokens).encode()


@mutant(breaks="bpe_tokenizer.bytes-round-trip", story="takes the first 256 ids for the bytes in their order")
class FirstIdsAreBytes(BPETokenizer):
    def bytes_of_ids(self, ids: Iterable[int], skip_special_tokens: bool = False) -> bytes:
        given = list(ids)
        if all(number < len(ALPHABET) for number in given):
            return bytes(given)
        return super().bytes_of_ids(given, skip_special_tokens)
