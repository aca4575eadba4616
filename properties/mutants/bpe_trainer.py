"""Mutants of the BPE trainer: those of any trainer, and those of merging by frequency and of ends of words."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from goldpiece.reference.bpe import Pair
from goldpiece.reference.bpe_trainer import BPETrainer
from goldpiece.reference.training import Part, Trained
from goldpiece.suite.mutants import mutant

from . import training_merges
from .training import Changed, mutants_of

REPORTS = {
    "SpecialsOnTop": "huggingface/tokenizers#950",
    "SecondId": "huggingface/tokenizers#1200",
    "CountsIn32Bits": "huggingface/tokenizers#437",
}
globals().update(mutants_of(BPETrainer, __name__, REPORTS))


@mutant(breaks="bpe_trainer.end-of-word", story="does not mark the end of a word")
class NoMark(Changed, BPETrainer):
    def changed(self, parameters: dict[str, object]) -> None:
        parameters.pop("end_of_word", None)


@mutant(breaks="bpe_trainer.end-of-word", story="puts the characters that carry the mark behind all others")
class MarkedLast(BPETrainer):
    def _alphabet(self, corpus: Mapping[str, int]) -> list[str]:
        return sorted(super()._alphabet(corpus), key=lambda symbol: (len(symbol) > 1, symbol))


@mutant(breaks="bpe_trainer.end-of-word-apart", story="lets the last character carry the mark")
class MarksAttached(Changed, BPETrainer):
    def changed(self, parameters: dict[str, object]) -> None:
        parameters.pop("end_of_word_apart", None)


@mutant(breaks="bpe_trainer.end-of-word-apart", story="puts the mark in front of the alphabet")
class MarkInFront(BPETrainer):
    def _alphabet(self, corpus: Mapping[str, int]) -> list[str]:
        found = super()._alphabet(corpus)
        return found[-1:] + found[:-1] if self.end_of_word_apart else found


@mutant(breaks="bpe_trainer.most-frequent", story="counts each different word once")
class CountsWordsOnce(training_merges.Ranked, BPETrainer):
    def counted(self, parts: Sequence[Part]) -> Sequence[Part]:
        return [(symbols, self._floor) for symbols, _ in parts]


@mutant(breaks="bpe_trainer.most-frequent", story="takes the pair that is longest, of those that are frequent enough")
class LongestPair(BPETrainer):
    def _score(self, pair: Pair, pairs: Mapping[Pair, int], symbols: Mapping[str, int]) -> tuple[object, ...]:
        return (len("".join(pair)), pairs[pair])


@mutant(breaks="bpe_trainer.most-frequent", story="keeps the counts of the beginning for pairs of characters")
class StaleCounts(BPETrainer):
    def _learn(self, tokens: list[str], parts: Sequence[Part]) -> tuple[list[Pair], list[int]]:
        self.__dict__["begun"] = list(parts)
        return super()._learn(tokens, parts)

    def _score(self, pair: Pair, pairs: Mapping[Pair, int], symbols: Mapping[str, int]) -> tuple[object, ...]:
        begun = (count * list(pairwise(each)).count(pair) for each, count in self.__dict__["begun"])
        return (max(pairs[pair], sum(begun)),)


@mutant(breaks="bpe_trainer.most-frequent", story="takes the merges of the beginning of the corpus")
class HalfTheCorpus(training_merges.Ranked, BPETrainer):
    def counted(self, parts: Sequence[Part]) -> Sequence[Part]:
        return parts[: len(parts) // 2 + 1]


@mutant(breaks="bpe_trainer.same-text", story="adds an entry for every merge, though its text is an entry already")
class EntryForEachMerge(BPETrainer):
    def train_from_counts(self, words: Sequence[str], counts: Sequence[int]) -> Trained:
        found = super().train_from_counts(words, counts)
        begun = len(found.tokens) - len(
            set(map("".join, found.merges)) - set(self._alphabet(self._corpus(words, counts)))
        )
        return found._replace(tokens=found.tokens[:begun] + list(map("".join, found.merges)))


@mutant(breaks="bpe_trainer.same-text", story="makes no merge whose text is an entry already")
class NoTextTwice(training_merges.Tied, BPETrainer):
    def _may_be(self, pair: Pair) -> bool:
        return super()._may_be(pair) and "".join(pair) not in self.__dict__["tokens"]

    def rank(self, tokens: Sequence[str], pair: Pair) -> tuple[object, ...]:
        return ()
