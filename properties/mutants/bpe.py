"""Mutants of the BPE model."""

import unicodedata
from collections.abc import Sequence
from functools import cached_property
from random import Random

from goldpiece.reference.bpe import BPE, Symbol, UnknownTokenMissing, candidates
from goldpiece.suite.mutants import mutant

Tokenized = tuple[list[str], list[tuple[int, int]]]


def texts(symbols: Sequence[Symbol]) -> list[str]:
    return [symbol.text for symbol in symbols]


@mutant(breaks="bpe.spells-the-word", story="loses the last character of a word that was merged")
class LosesTheEnd(BPE):
    def tokenize(self, word: str) -> Tokenized:
        pieces, offsets = super().tokenize(word)
        return (pieces, offsets) if len(pieces) == len(word) else (pieces[:-1], offsets[:-1])


@mutant(breaks="bpe.lowest-rank-first", story="merges the leftmost pair that can be merged, whatever its rank")
class LeftmostPair(BPE):
    def _next(self, symbols: Sequence[Symbol], draws: Random) -> int | None:
        return min((place for _, place in candidates(texts(symbols), self._ranks)), default=None)


@mutant(breaks="bpe.lowest-rank-first", story="takes the longest entry that fits, from left to right")
class LongestEntry(BPE):
    def tokenize(self, word: str) -> Tokenized:
        pieces: list[str] = []
        offsets: list[tuple[int, int]] = []
        start, longest = 0, max(map(len, self._entries), default=0)
        while start < len(word):
            ends = range(min(start + longest, len(word)), start, -1)
            end = next((end for end in ends if word[start:end] in self._entries), start + 1)
            pieces.append(word[start:end])
            offsets.append((start, end))
            start = end
        return pieces, offsets


@mutant(breaks="bpe.lowest-rank-first", story="takes the last merge of the list for the first")
class HighestRank(BPE):
    @cached_property
    def _ranks(self) -> dict[tuple[str, str], int]:
        return {(first, second): -rank for rank, (first, second) in enumerate(self.merges)}


@mutant(breaks="bpe.leftmost-first", story="merges the rightmost of several pairs of one rank")
class RightmostFirst(BPE):
    def _next(self, symbols: Sequence[Symbol], draws: Random) -> int | None:
        found = candidates(texts(symbols), self._ranks)
        return max((place for rank, place in found if rank == found[0][0]), default=None)


@mutant(breaks="bpe.one-at-a-time", story="merges all places of a pair before it looks at what they have become")
class AllPlacesAtOnce(BPE):
    def _next(self, symbols: Sequence[Symbol], draws: Random) -> int | None:
        found = candidates(texts(symbols), self._ranks)
        going: list[int] = self.__dict__.setdefault("going", [-1])  # the rank that is being merged
        places = [place for rank, place in found if rank == going[0]]
        if not places and found:
            going[0] = found[0][0]
            places = [found[0][1]]
        going[0] = going[0] if places else -1
        return min(places, default=None)


@mutant(breaks="bpe.nothing-left-to-merge", story="goes once through the list of merges, and never back")
class NeverBack(BPE):
    def tokenize(self, word: str) -> Tokenized:
        symbols = self._symbols(word)
        for first, second in self.merges:
            place = 0
            while place < len(symbols) - 1:
                if (symbols[place].text, symbols[place + 1].text) == (first, second):
                    span = symbols[place].start, symbols[place + 1].end
                    symbols[place : place + 2] = [Symbol(first + second, *span)]
                place += 1
        return texts(symbols), [(symbol.start, symbol.end) for symbol in symbols]


@mutant(breaks="bpe.nothing-left-to-merge", story="makes no more than three merges in a word")
class FewMerges(BPE):
    def _next(self, symbols: Sequence[Symbol], draws: Random) -> int | None:
        length = symbols[-1].end if symbols else 0
        return None if len(symbols) <= length - 3 else super()._next(symbols, draws)


@mutant(breaks="bpe.merges-only", story="joins any two neighbours that make an entry")
class JoinsIntoEntries(BPE):
    @cached_property
    def _ranks(self) -> dict[tuple[str, str], int]:
        ranks = dict(super()._ranks)
        for entry in self.vocab:
            for place in range(1, len(entry)):
                ranks.setdefault((entry[:place], entry[place:]), len(ranks))
        return ranks


@mutant(breaks="bpe.merges-only", story="takes a word that is an entry whole, without being asked to")
class AlwaysWhole(BPE):
    def tokenize(self, word: str) -> Tokenized:
        return ([word], [(0, len(word))]) if word in self._entries else super().tokenize(word)


@mutant(
    breaks="bpe.unknown-characters",
    report="huggingface/transformers#28096",
    story="fuses unknown characters whether it is asked to or not",
)
class AlwaysFuses(BPE):
    def tokenize(self, word: str) -> Tokenized:
        return BPE(self.vocab, self.merges, self.unk_token, fuse_unk=True).tokenize(word)


@mutant(breaks="bpe.unknown-characters", story="takes the whole word for unknown if one character of it is")
class WholeWordUnknown(BPE):
    def tokenize(self, word: str) -> Tokenized:
        pieces, offsets = super().tokenize(word)
        return ([str(self.unk_token)], [(0, len(word))]) if self.unk_token in pieces else (pieces, offsets)


@mutant(
    breaks="bpe.fuse-unknown",
    report="huggingface/transformers#28096",
    story="does not fuse unknown characters",
)
class NeverFuses(BPE):
    def tokenize(self, word: str) -> Tokenized:
        return BPE(self.vocab, self.merges, self.unk_token).tokenize(word)


@mutant(breaks="bpe.fuse-unknown", story="fuses unknown characters over the known ones between them")
class FusesOverKnown(BPE):
    def tokenize(self, word: str) -> Tokenized:
        pieces, offsets = super().tokenize(word)
        kept = [place for place, piece in enumerate(pieces) if piece != self.unk_token or piece not in pieces[:place]]
        return [pieces[place] for place in kept], [offsets[place] for place in kept]


@mutant(
    breaks="bpe.unknown-token-missing",
    report="huggingface/tokenizers#517",
    story="leaves out the characters that the vocabulary lacks",
)
class DropsUnknown(BPE):
    def tokenize(self, word: str) -> Tokenized:
        if self.unk_token is None:
            word = "".join(char for char in word if char in self._entries)
        return super().tokenize(word)


@mutant(breaks="bpe.unknown-token-missing", story="answers with an unk_token that the vocabulary lacks")
class InventsUnknown(BPE):
    def _unknown(self, word: str, text: str) -> str:
        return super()._unknown(word, text) if self.unk_token is None else self.unk_token


@mutant(breaks="bpe.unknown-token-missing", story="refuses every word where there is no unk_token")
class AlwaysNeedsUnknown(BPE):
    def tokenize(self, word: str) -> Tokenized:
        if self.unk_token is None:
            raise UnknownTokenMissing(word, "", None)
        return super().tokenize(word)


@mutant(breaks="bpe.byte-fallback", story="writes the bytes that the vocabulary has, and leaves out the others")
class SomeBytes(BPE):
    def _bytes(self, text: str) -> list[str]:
        written = [f"<0x{byte:02X}>" for byte in text.encode("utf-8", "surrogatepass")] if self.byte_fallback else []
        return [byte for byte in written if byte in self._entries]


@mutant(
    breaks="bpe.byte-fallback",
    report="probe:bpe-fallback-order",
    story="writes an unknown character behind the bytes of the one that follows it",
)
class BytesOvertake(BPE):
    def _symbols(self, word: str) -> list[Symbol]:
        symbols = super()._symbols(word)
        for place in range(1, len(symbols)):
            before, now = symbols[place - 1 : place + 1]
            if self.byte_fallback and before.text == self.unk_token and now.text.startswith("<0x"):
                symbols[place - 1 : place + 1] = [now, before]
        return symbols


@mutant(breaks="bpe.byte-fallback", story="counts the bytes in the offsets")
class OffsetsOfBytes(BPE):
    def tokenize(self, word: str) -> Tokenized:
        pieces, offsets = super().tokenize(word)
        shift = 0
        for place, piece in enumerate(pieces):
            offsets[place] = (offsets[place][0] + shift, offsets[place][1] + shift)
            shift += place + 1 < len(pieces) and piece.startswith("<0x") and offsets[place + 1][0] + shift == shift
        return pieces, offsets


@mutant(breaks="bpe.ignore-merges", story="merges a word that is an entry all the same")
class NeverIgnores(BPE):
    def tokenize(self, word: str) -> Tokenized:
        return BPE(self.vocab, self.merges, self.unk_token).tokenize(word)


@mutant(breaks="bpe.ignore-merges", story="takes the longest beginning of a word that is an entry whole as well")
class IgnoresInParts(BPE):
    def tokenize(self, word: str) -> Tokenized:
        end = next((end for end in range(len(word), 1, -1) if self.ignore_merges and word[:end] in self._entries), 0)
        pieces, offsets = super().tokenize(word[end:])
        begun = [word[:end]] if end else []
        return begun + pieces, [(0, end)] * len(begun) + [(start + end, behind + end) for start, behind in offsets]


@mutant(breaks="bpe.end-of-word", story="does not mark the end of a word")
class NoMark(BPE):
    def _symbols(self, word: str) -> list[Symbol]:
        return BPE(self.vocab, self.merges, self.unk_token, self.fuse_unk)._symbols(word)


@mutant(breaks="bpe.end-of-word", story="marks every character")
class MarksAll(BPE):
    def _symbols(self, word: str) -> list[Symbol]:
        parts = [super(MarksAll, self)._symbols(char) for char in word]
        return [Symbol(part[0].text, place, place + 1) for place, part in enumerate(parts)]


@mutant(breaks="bpe.end-of-word-apart", story="lets the last character carry the mark")
class MarksAttached(BPE):
    def _symbols(self, word: str) -> list[Symbol]:
        symbols = super()._symbols(word)
        if len(symbols) > 1 and symbols[-1].text == self.end_of_word:
            symbols[-2:] = [Symbol(symbols[-2].text + self.end_of_word, symbols[-2].start, symbols[-1].end)]
        return symbols


@mutant(breaks="bpe.end-of-word-apart", story="gives the mark a place in the text")
class MarkTakesPlace(BPE):
    def tokenize(self, word: str) -> Tokenized:
        pieces, offsets = super().tokenize(word)
        return pieces, offsets[:-1] + [(start, end + 1) for start, end in offsets[-1:]]


@mutant(breaks="bpe.offsets", story="counts the bytes of UTF-8")
class OffsetsInUtf8(BPE):
    def tokenize(self, word: str) -> Tokenized:
        pieces, offsets = super().tokenize(word)
        sizes = [len(word[:place].encode("utf-8", "surrogatepass")) for place in range(len(word) + 1)]
        return pieces, [(sizes[start], sizes[end]) for start, end in offsets]


@mutant(breaks="bpe.offsets", story="gives a merged piece the offsets of its last part")
class OffsetsOfTheLast(BPE):
    def tokenize(self, word: str) -> Tokenized:
        pieces, offsets = super().tokenize(word)
        return pieces, [(end - 1, end) for _, end in offsets]


@mutant(breaks="bpe.merge-out-of-vocabulary", story="leaves merges out that the vocabulary does not allow")
class LeavesMergesOut(BPE):
    def __post_init__(self) -> None:
        known = [(first, second) for first, second in self.merges if {first, second, first + second} <= self._entries]
        object.__setattr__(self, "merges", known)


@mutant(breaks="bpe.empty-word", story="gives the empty word an empty piece")
class EmptyPiece(BPE):
    def tokenize(self, word: str) -> Tokenized:
        return super().tokenize(word) if word else ([""], [(0, 0)])


@mutant(breaks="bpe.exact-characters", story="composes words before they are cut")
class Composes(BPE):
    def tokenize(self, word: str) -> Tokenized:
        return super().tokenize(unicodedata.normalize("NFKC", word))


@mutant(breaks="bpe.exact-characters", story="trims white space from words, and ends them at a NUL")
class Trims(BPE):
    def tokenize(self, word: str) -> Tokenized:
        return super().tokenize(word.strip().partition("\x00")[0])


@mutant(breaks="bpe.any-length", story="cuts words into parts of 512 characters")
class InParts(BPE):
    def tokenize(self, word: str) -> Tokenized:
        pieces: list[str] = []
        offsets: list[tuple[int, int]] = []
        for begin in range(0, len(word), 512 + 1):
            more, spans = super().tokenize(word[begin : begin + 512 + 1])
            pieces += more
            offsets += [(start + begin, end + begin) for start, end in spans]
        return pieces, offsets


@mutant(breaks="bpe.vocabulary-order", story="takes the place in the vocabulary of what a merge makes for its rank")
class RanksOfVocabulary(BPE):
    @cached_property
    def _ranks(self) -> dict[tuple[str, str], int]:
        ids = {entry: number for number, entry in enumerate(self.vocab)}
        return {(first, second): ids[first + second] for first, second in self.merges}


@mutant(breaks="bpe.pure", story="caches the pieces of a word under its beginning")
class CachesByBeginning(BPE):
    def tokenize(self, word: str) -> Tokenized:
        cache: dict[str, Tokenized] = self.__dict__.setdefault("cache", {})
        return cache.setdefault(word[:2], super().tokenize(word))


@mutant(breaks="bpe.steps", story="leaves the first step out")
class FirstStepMissing(BPE):
    def steps(self, word: str) -> list[list[str]]:
        return super().steps(word)[1:]


@mutant(breaks="bpe.steps", story="shows all places of a pair in one step")
class StepsByPair(BPE):
    def steps(self, word: str) -> list[list[str]]:
        steps = super().steps(word)
        return [step for place, step in enumerate(steps) if place in (0, len(steps) - 1) or place % 2]
