"""Mutants of dropout in the BPE model."""

from collections.abc import Sequence
from random import Random

from goldpiece.reference.bpe import BPE, Symbol, candidates
from goldpiece.suite.mutants import mutant

from .bpe import Tokenized, texts


@mutant(
    breaks="bpe.dropout-ends",
    report="google/sentencepiece#569",
    story="takes dropout for the chance of a merge to be made",
)
class DropoutInverted(BPE):
    def _next(self, symbols: Sequence[Symbol], draws: Random) -> int | None:
        if self.dropout is None:
            return super()._next(symbols, draws)
        found = candidates(texts(symbols), self._ranks)
        return next((place for _, place in found if draws.random() < (self.dropout or 0)), None)


@mutant(
    breaks="bpe.dropout-ends",
    report="huggingface/tokenizers#1550",
    story="refuses a dropout of 0",
)
class NoDropoutOfZero(BPE):
    def tokenize(self, word: str) -> Tokenized:
        if self.dropout == 0:
            raise ValueError("dropout should be between 0 and 1, exclusive")
        return super().tokenize(word)


@mutant(breaks="bpe.dropout-only-merges", story="leaves out symbols, and not merges")
class DropsSymbols(BPE):
    def _symbols(self, word: str) -> list[Symbol]:
        return [symbol for place, symbol in enumerate(super()._symbols(word)) if place == 0 or not self.dropout]


@mutant(breaks="bpe.dropout-only-merges", story="joins neighbours at random")
class JoinsAtRandom(BPE):
    def _next(self, symbols: Sequence[Symbol], draws: Random) -> int | None:
        return 0 if self.dropout and len(symbols) > 1 else super()._next(symbols, draws)


@mutant(
    breaks="bpe.dropout-chance",
    report="google/sentencepiece#569",
    story="takes dropout for the chance of a merge to be made, also where it is neither 0 nor 1",
)
class DropoutInvertedInBetween(DropoutInverted):
    pass


@mutant(breaks="bpe.dropout-chance", story="passes over all merges of a word at once, or over none")
class AllOrNothing(BPE):
    def tokenize(self, word: str) -> Tokenized:
        rate = self.dropout or 0
        passed = Random(f"{self.seed}{word}".encode("utf-8", "surrogatepass")).random() < rate
        return BPE(self.vocab, [] if passed else self.merges, self.unk_token).tokenize(word)


@mutant(breaks="bpe.dropout-chance", story="goes on while any merge is left, and only changes their order")
class OnlyDelays(BPE):
    def _next(self, symbols: Sequence[Symbol], draws: Random) -> int | None:
        found = candidates(texts(symbols), self._ranks)
        place = super()._next(symbols, draws)
        return found[0][1] if place is None and found else place


@mutant(breaks="bpe.dropout-seed", story="draws anew each time")
class Unseeded(BPE):
    def tokenize(self, word: str) -> Tokenized:
        calls: list[int] = self.__dict__.setdefault("calls", [0])
        calls[0] += 1
        return BPE(self.vocab, self.merges, dropout=self.dropout, seed=self.seed + calls[0]).tokenize(word)


@mutant(breaks="bpe.dropout-seed", story="draws the same whatever the seed")
class SeedIgnored(BPE):
    def tokenize(self, word: str) -> Tokenized:
        return BPE(self.vocab, self.merges, dropout=self.dropout).tokenize(word)


@mutant(breaks="bpe.dropout-range", story="takes any number for a dropout")
class AnyDropout(BPE):
    def __post_init__(self) -> None:
        object.__setattr__(self, "dropout", None if self.dropout is None else min(1, max(0, self.dropout)))
