"""Mutants of the WordPiece trainer: those of any trainer, and those of likelihood and of continuations."""

from collections.abc import Mapping, Sequence
from itertools import count

from goldpiece.reference.bpe import Pair
from goldpiece.reference.training import Part
from goldpiece.reference.wordpiece_trainer import WordPieceTrainer
from goldpiece.suite.mutants import mutant

from . import training_merges
from .training import Changed, mutants_of

REPORTS = {
    "GoesBeyond": "huggingface/tokenizers#886",
    "CountsSpecials": "huggingface/tokenizers#438",
}
globals().update(mutants_of(WordPieceTrainer, __name__, REPORTS))


@mutant(breaks="wordpiece_trainer.continuations", story="leaves the prefix of the second piece in what it makes")
class KeepsThePrefix(WordPieceTrainer):
    def _joined(self, pair: Pair) -> str:
        return "".join(pair)


@mutant(breaks="wordpiece_trainer.continuations", story="makes pieces without the prefix")
class NeverPrefixed(WordPieceTrainer):
    def _joined(self, pair: Pair) -> str:
        return super()._joined(pair).removeprefix(self.prefix)


@mutant(breaks="wordpiece_trainer.likelihood", story="merges the most frequent pair, as BPE does")
class ByFrequency(Changed, WordPieceTrainer):
    def changed(self, parameters: dict[str, object]) -> None:
        parameters["rule"] = "frequency"


@mutant(breaks="wordpiece_trainer.likelihood", story="keeps the frequencies that symbols had when they were made")
class StaleFrequencies(WordPieceTrainer):
    def _learn(self, tokens: list[str], parts: Sequence[Part]) -> tuple[list[Pair], list[int]]:
        self.__dict__["known"] = {}
        return super()._learn(tokens, parts)

    def _score(self, pair: Pair, pairs: Mapping[Pair, int], symbols: Mapping[str, int]) -> tuple[object, ...]:
        known = self.__dict__["known"]
        return super()._score(pair, pairs, {each: known.setdefault(each, symbols[each]) for each in pair})


@mutant(breaks="wordpiece_trainer.likelihood", story="divides by the frequency of the first symbol alone")
class HalfAScore(WordPieceTrainer):
    def _score(self, pair: Pair, pairs: Mapping[Pair, int], symbols: Mapping[str, int]) -> tuple[object, ...]:
        return super()._score(pair, pairs, {pair[1]: 1, pair[0]: symbols[pair[0]]})


@mutant(breaks="wordpiece_trainer.likelihood", story="scores all pairs once, before the first merge")
class ScoresOnce(WordPieceTrainer):
    def _learn(self, tokens: list[str], parts: Sequence[Part]) -> tuple[list[Pair], list[int]]:
        self.__dict__["scores"] = {}
        return super()._learn(tokens, parts)

    def _score(self, pair: Pair, pairs: Mapping[Pair, int], symbols: Mapping[str, int]) -> tuple[object, ...]:
        scores: dict[Pair, tuple[object, ...]] = self.__dict__["scores"]
        return scores.setdefault(pair, super()._score(pair, pairs, symbols))


@mutant(breaks="wordpiece_trainer.exact-scores", story="compares scores in floating point")
class Floats(WordPieceTrainer):
    def _score(self, pair: Pair, pairs: Mapping[Pair, int], symbols: Mapping[str, int]) -> tuple[object, ...]:
        score, *others = super()._score(pair, pairs, symbols)
        return (float(score), *others)  # type: ignore[arg-type]


@mutant(breaks="wordpiece_trainer.ties-by-ids", story="takes no account of how often pairs of one score occur")
class CountsBreakNoTie(WordPieceTrainer):
    def _score(self, pair: Pair, pairs: Mapping[Pair, int], symbols: Mapping[str, int]) -> tuple[object, ...]:
        return super()._score(pair, pairs, symbols)[:1]


@mutant(breaks="wordpiece_trainer.frequency", story="goes by likelihood in any case")
class AlwaysLikelihood(Changed, WordPieceTrainer):
    def changed(self, parameters: dict[str, object]) -> None:
        parameters["rule"] = "likelihood"


@mutant(breaks="wordpiece_trainer.unknown-rule", story="takes any other rule for the usual one")
class AnyScore(Changed, WordPieceTrainer):
    def changed(self, parameters: dict[str, object]) -> None:
        if parameters.get("rule") != "frequency":
            parameters["rule"] = "likelihood"


@mutant(breaks="wordpiece_trainer.word-initial", story="merges any pair")
class AnyPair(Changed, WordPieceTrainer):
    def changed(self, parameters: dict[str, object]) -> None:
        parameters["eligible"] = "any"


@mutant(breaks="wordpiece_trainer.word-initial", story="merges only what began as the first characters of a word")
class FirstTwo(WordPieceTrainer):
    def _may_be(self, pair: Pair) -> bool:
        return super()._may_be(pair) and (self.eligible == "any" or len(pair[0]) == 1)


@mutant(breaks="wordpiece_trainer.unknown-eligibility", story="takes any other name for any pair")
class AnyName(Changed, WordPieceTrainer):
    def changed(self, parameters: dict[str, object]) -> None:
        if parameters.get("eligible") != "word_initial":
            parameters["eligible"] = "any"


@mutant(breaks="wordpiece_trainer.usual-frequency", story="has no floor unless it is told one")
class NoFloor(WordPieceTrainer):
    @property
    def _floor(self) -> int:
        return self.min_frequency or 1


@mutant(breaks="wordpiece_trainer.usual-frequency", story="has one floor for both rules")
class OneFloor(WordPieceTrainer):
    @property
    def _floor(self) -> int:
        return self.min_frequency or 20


@mutant(
    breaks="wordpiece_trainer.pure",
    report=("huggingface/tokenizers#1794", "huggingface/tokenizers#903"),
    story="breaks ties in another way each time",
)
class AnyOrder(training_merges.Tied, WordPieceTrainer):
    def rank(self, tokens: Sequence[str], pair: Pair) -> tuple[object, ...]:
        order = self.__dict__.setdefault("order", count())
        return (next(order) * 7 % 5, tokens.index(pair[0]))
