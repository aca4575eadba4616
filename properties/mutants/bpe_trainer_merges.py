"""Mutants of the BPE trainer that merge what they should not."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise

from goldpiece.reference.bpe import Pair, merge_pair
from goldpiece.reference.bpe_trainer import BPETrainer
from goldpiece.reference.training import Part, Trained
from goldpiece.suite.mutants import mutant

from .bpe_trainer import Changed


class Ranked(BPETrainer):
    """A trainer that counts in another way."""

    def counted(self, parts: Sequence[Part]) -> Sequence[Part]:
        """What is counted in place of the corpus."""
        raise NotImplementedError

    def _best(self, tokens: Sequence[str], parts: Sequence[Part]) -> tuple[Pair, int] | None:
        return super()._best(tokens, self.counted(parts))


@mutant(breaks="bpe_trainer.most-frequent", story="counts each different word once")
class CountsWordsOnce(Ranked):
    def counted(self, parts: Sequence[Part]) -> Sequence[Part]:
        return [(symbols, self.min_frequency) for symbols, _ in parts]


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
class HalfTheCorpus(Ranked):
    def counted(self, parts: Sequence[Part]) -> Sequence[Part]:
        return parts[: len(parts) // 2 + 1]


class Tied(BPETrainer):
    """A trainer that has another rule for what is equally frequent."""

    def rank(self, tokens: Sequence[str], pair: Pair) -> tuple[object, ...]:
        raise NotImplementedError

    def _best(self, tokens: Sequence[str], parts: Sequence[Part]) -> tuple[Pair, int] | None:
        self.__dict__["tokens"] = tokens
        return super()._best(tokens, parts)

    def _score(self, pair: Pair, pairs: Mapping[Pair, int], symbols: Mapping[str, int]) -> tuple[object, ...]:
        return (*super()._score(pair, pairs, symbols), *self.rank(self.__dict__["tokens"], pair))


@mutant(breaks="bpe_trainer.ties-by-ids", story="takes the pair of the highest ids")
class HighestIds(Tied):
    def rank(self, tokens: Sequence[str], pair: Pair) -> tuple[object, ...]:
        return (tokens.index(pair[0]), tokens.index(pair[1])) if self.ties == "ids" else ()


@mutant(breaks="bpe_trainer.ties-by-ids", story="looks at the second symbol first")
class SecondSymbolFirst(Tied):
    def rank(self, tokens: Sequence[str], pair: Pair) -> tuple[object, ...]:
        return (-tokens.index(pair[1]), -tokens.index(pair[0])) if self.ties == "ids" else ()


@mutant(breaks="bpe_trainer.ties-by-ids", story="takes the pair that is lowest by its text")
class LowestByText(Tied):
    def rank(self, tokens: Sequence[str], pair: Pair) -> tuple[object, ...]:
        places = sorted([*(token for token in tokens), "".join(pair)])
        return (-places.index("".join(pair)),) if self.ties == "ids" else ()


@mutant(breaks="bpe_trainer.ties-first-seen", story="takes the pair of the lowest ids")
class AlwaysByIds(Tied):
    def rank(self, tokens: Sequence[str], pair: Pair) -> tuple[object, ...]:
        return (-tokens.index(pair[0]), -tokens.index(pair[1]))


@mutant(breaks="bpe_trainer.ties-first-seen", story="takes the pair that stands first from the end")
class LastSeen(Ranked):
    def counted(self, parts: Sequence[Part]) -> Sequence[Part]:
        return parts if self.ties == "ids" else parts[::-1]


@mutant(breaks="bpe_trainer.unknown-tie-rule", story="takes any other rule for the usual one")
class AnyRule(Changed):
    def changed(self, parameters: dict[str, object]) -> None:
        if parameters.get("ties") != "first_seen":
            parameters["ties"] = "ids"


@mutant(breaks="bpe_trainer.overlaps", story="counts only the pairs of equal symbols that can all be merged")
class CountsTwoByTwo(Ranked):
    def counted(self, parts: Sequence[Part]) -> Sequence[Part]:
        return [(each, count) for symbols, count in parts for each in self.apart(list(symbols))]

    def apart(self, symbols: list[str]) -> Iterator[list[str]]:
        runs = [(symbol, len(list(run))) for symbol, run in groupby(symbols)]
        yield [symbol for symbol, _ in runs]
        yield from ([symbol, symbol] for symbol, length in runs for _ in range(length // 2))


class Merging(BPETrainer):
    """A trainer that merges in another way."""

    def merged(self, symbols: list[str], pair: Pair) -> list[str]:
        raise NotImplementedError

    def _learn(self, tokens: list[str], parts: Sequence[Part]) -> tuple[list[Pair], list[int]]:
        merges: list[Pair] = []
        counts: list[int] = []
        while len(tokens) < self.size and (best := self._best(tokens, parts)):
            pair, count = best
            parts = [(self.merged(list(symbols), pair), times) for symbols, times in parts]
            merges.append(pair)
            counts.append(count)
            if "".join(pair) not in tokens:
                tokens.append("".join(pair))
        return merges, counts


@mutant(breaks="bpe_trainer.overlaps", story="merges from the right")
class FromTheRight(Merging):
    def merged(self, symbols: list[str], pair: Pair) -> list[str]:
        backwards = [symbol[::-1] for symbol in symbols[::-1]]
        joined = merge_pair(backwards, (pair[1][::-1], pair[0][::-1]))
        return [symbol[::-1] for symbol in joined[::-1]]


@mutant(breaks="bpe_trainer.same-text", story="adds an entry for every merge, though its text is an entry already")
class EntryForEachMerge(BPETrainer):
    def train_from_counts(self, words: Sequence[str], counts: Sequence[int]) -> Trained:
        found = super().train_from_counts(words, counts)
        begun = len(found.tokens) - len(
            set(map("".join, found.merges)) - set(self._alphabet(self._corpus(words, counts)))
        )
        return found._replace(tokens=found.tokens[:begun] + list(map("".join, found.merges)))


@mutant(breaks="bpe_trainer.same-text", story="makes no merge whose text is an entry already")
class NoTextTwice(Tied):
    def _may_be(self, pair: Pair) -> bool:
        return super()._may_be(pair) and "".join(pair) not in self.__dict__["tokens"]

    def rank(self, tokens: Sequence[str], pair: Pair) -> tuple[object, ...]:
        return ()


@mutant(breaks="bpe_trainer.min-frequency", story="wants one more than min_frequency")
class MoreThanFrequent(Changed):
    def changed(self, parameters: dict[str, object]) -> None:
        least = parameters.get("min_frequency", 2)
        assert isinstance(least, int)
        parameters["min_frequency"] = least + 1


@mutant(breaks="bpe_trainer.min-frequency", story="merges whatever is left until the size is reached")
class AnyFrequency(Changed):
    def changed(self, parameters: dict[str, object]) -> None:
        parameters["min_frequency"] = 1


@mutant(breaks="bpe_trainer.max-token-length", story="makes no token of max_token_length itself")
class ShorterThanTheLongest(BPETrainer):
    def _may_be(self, pair: Pair) -> bool:
        return super()._may_be(pair) and len("".join(pair)) != self.max_token_length


@mutant(breaks="bpe_trainer.max-token-length", story="ends where the best pair would be too long")
class EndsAtTheLongest(BPETrainer):
    def _best(self, tokens: Sequence[str], parts: Sequence[Part]) -> tuple[Pair, int] | None:
        any_length = BPETrainer(**{**vars(self), "max_token_length": None})
        best = any_length._best(tokens, parts)
        return best if best and self._may_be(best[0]) else None


@mutant(breaks="bpe_trainer.size", report="huggingface/tokenizers#950", story="adds the special tokens to the size")
class SpecialsOnTop(Changed):
    def changed(self, parameters: dict[str, object]) -> None:
        size, special = parameters["size"], parameters.get("special_tokens", ())
        assert isinstance(size, int)
        assert isinstance(special, Sequence)
        parameters["size"] = size + len(special)


@mutant(breaks="bpe_trainer.size", story="ends without a word when no pair is left")
class SaysNothing(BPETrainer):
    def train_from_counts(self, words: Sequence[str], counts: Sequence[int]) -> Trained:
        return super().train_from_counts(words, counts)._replace(short_by=0)
