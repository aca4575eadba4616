"""Faults of a trainer of any kind, in what it merges and when it ends."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise

from goldpiece.reference.bpe import Pair, merge_pair
from goldpiece.reference.training import Part, Trained, Trainer

from .training import Changed, Rearranged, fault, right


@fault(breaks="specials-are-not-learnt", story="merges the text of a special token")
class LearnsSpecials(Trainer):
    def _may_be(self, pair: Pair) -> bool:
        return super()._may_be(pair) or self._joined(pair) in self.special_tokens


@fault(
    breaks="large-counts",
    story="counts in 32 bits",
)
class CountsIn32Bits(Trainer):
    def _score(self, pair: Pair, pairs: Mapping[Pair, int], symbols: Mapping[str, int]) -> tuple[object, ...]:
        return super()._score(pair, {pair: (pairs[pair] + (1 << 31)) % (1 << 32) - (1 << 31)}, symbols)


@fault(breaks="smaller-size", story="sorts the entries when it is done")
class SortsEntries(Rearranged):
    def arranged(self, tokens: list[str]) -> list[str]:
        return sorted(tokens)


@fault(breaks="order-of-words", story="takes of equals the pair that the corpus has first")
class FirstSeenAnyway(Changed):
    def changed(self, parameters: dict[str, object]) -> None:
        parameters["ties"] = "first_seen"


@fault(breaks="spells-the-words", story="leaves out the entries that no word is cut into in the end")
class LeavesPartsOut(Trainer):
    def train_from_counts(self, words: Sequence[str], counts: Sequence[int]) -> Trained:
        found = super().train_from_counts(words, counts)
        parts = self._parts(self._corpus(words, counts), frozenset(found.tokens))
        for pair in found.merges:
            parts = [(merge_pair(symbols, pair, self._joined(pair)), times) for symbols, times in parts]
        used = {symbol for symbols, _ in parts for symbol in symbols}
        return found._replace(tokens=[token for token in found.tokens if token in used])


class Ranked(Trainer):
    """A trainer that counts in another way."""

    def counted(self, parts: Sequence[Part]) -> Sequence[Part]:
        """What is counted in place of the corpus."""
        raise NotImplementedError

    def _best(self, tokens: Sequence[str], parts: Sequence[Part]) -> tuple[Pair, int] | None:
        return super()._best(tokens, self.counted(parts))


class Tied(Trainer):
    """A trainer that has another rule for what is equally frequent."""

    def rank(self, tokens: Sequence[str], pair: Pair) -> tuple[object, ...]:
        raise NotImplementedError

    def _best(self, tokens: Sequence[str], parts: Sequence[Part]) -> tuple[Pair, int] | None:
        self.__dict__["tokens"] = tokens
        return super()._best(tokens, parts)

    def _score(self, pair: Pair, pairs: Mapping[Pair, int], symbols: Mapping[str, int]) -> tuple[object, ...]:
        return (*super()._score(pair, pairs, symbols), *self.rank(self.__dict__["tokens"], pair))


@fault(breaks="ties-by-ids", story="takes the pair of the highest ids")
class HighestIds(Tied):
    def rank(self, tokens: Sequence[str], pair: Pair) -> tuple[object, ...]:
        return (tokens.index(pair[0]), tokens.index(pair[1])) if self.ties == "ids" else ()


@fault(breaks="ties-by-ids", story="looks at the second symbol first")
class SecondSymbolFirst(Tied):
    def rank(self, tokens: Sequence[str], pair: Pair) -> tuple[object, ...]:
        return (-tokens.index(pair[1]), -tokens.index(pair[0])) if self.ties == "ids" else ()


@fault(breaks="ties-by-ids", story="takes the pair that is lowest by its text")
class LowestByText(Tied):
    def rank(self, tokens: Sequence[str], pair: Pair) -> tuple[object, ...]:
        places = sorted([*tokens, self._joined(pair)])
        return (-places.index(self._joined(pair)),) if self.ties == "ids" else ()


@fault(breaks="ties-first-seen", story="takes the pair of the lowest ids")
class AlwaysByIds(Tied):
    def rank(self, tokens: Sequence[str], pair: Pair) -> tuple[object, ...]:
        return (-tokens.index(pair[0]), -tokens.index(pair[1]))


@fault(breaks="ties-first-seen", story="takes the pair that stands first from the end")
class LastSeen(Ranked):
    def counted(self, parts: Sequence[Part]) -> Sequence[Part]:
        return parts if self.ties == "ids" else parts[::-1]


@fault(breaks="unknown-tie-rule", story="takes any other rule of ties for the usual one")
class AnyRule(Changed):
    def changed(self, parameters: dict[str, object]) -> None:
        if parameters.get("ties") != "first_seen":
            parameters["ties"] = "ids"


@fault(breaks="overlaps", story="counts only the pairs of equal symbols that can all be merged")
class CountsTwoByTwo(Ranked):
    def counted(self, parts: Sequence[Part]) -> Sequence[Part]:
        return [(each, count) for symbols, count in parts for each in self.apart(list(symbols))]

    def apart(self, symbols: list[str]) -> Iterator[list[str]]:
        runs = [(symbol, len(list(run))) for symbol, run in groupby(symbols)]
        yield [symbol for symbol, _ in runs]
        yield from ([symbol, symbol] for symbol, length in runs for _ in range(length // 2))


@fault(breaks="overlaps", story="merges from the right")
class FromTheRight(Trainer):
    def _learn(self, tokens: list[str], parts: Sequence[Part]) -> tuple[list[Pair], list[int]]:
        merges: list[Pair] = []
        counts: list[int] = []
        while len(tokens) < self.size and (best := self._best(tokens, parts)):
            (first, second), count = best
            joined = self._joined((first, second))
            parts = [(merge_pair(symbols[::-1], (second, first), joined)[::-1], times) for symbols, times in parts]
            merges.append((first, second))
            counts.append(count)
            if joined not in tokens:
                tokens.append(joined)
        return merges, counts


@fault(breaks="min-frequency", story="wants one more than min_frequency")
class MoreThanFrequent(Trainer):
    @property
    def _floor(self) -> int:
        return super()._floor + 1


@fault(breaks="min-frequency", story="merges whatever is left until the size is reached")
class AnyFrequency(Changed):
    def changed(self, parameters: dict[str, object]) -> None:
        parameters["min_frequency"] = 1


@fault(breaks="max-token-length", story="makes no token of max_token_length itself")
class ShorterThanTheLongest(Trainer):
    def _may_be(self, pair: Pair) -> bool:
        return super()._may_be(pair) and self._length(self._joined(pair)) != self.max_token_length


@fault(breaks="max-token-length", story="ends where the best pair would be too long")
class EndsAtTheLongest(Trainer):
    def _best(self, tokens: Sequence[str], parts: Sequence[Part]) -> tuple[Pair, int] | None:
        best = right(self, max_token_length=None)._best(tokens, parts)
        return best if best and self._may_be(best[0]) else None


@fault(breaks="size", story="adds the special tokens to the size")
class SpecialsOnTop(Changed):
    def changed(self, parameters: dict[str, object]) -> None:
        size, special = parameters["size"], parameters.get("special_tokens", ())
        assert isinstance(size, int)
        assert isinstance(special, Sequence)
        parameters["size"] = size + len(special)


@fault(breaks="account", story="ends without a word when no pair is left")
class SaysNothing(Trainer):
    def train_from_counts(self, words: Sequence[str], counts: Sequence[int]) -> Trained:
        return super().train_from_counts(words, counts)._replace(short_by=0)


@fault(breaks="account", story="counts the words that a pair stands in, and not its places")
class CountsWords(Trainer):
    def _learn(self, tokens: list[str], parts: Sequence[Part]) -> tuple[list[Pair], list[int]]:
        merges, _ = super()._learn(tokens, parts)
        counts = []
        for pair in merges:
            counts.append(sum(times for symbols, times in parts if pair in pairwise(symbols)))
            parts = [(merge_pair(symbols, pair, self._joined(pair)), times) for symbols, times in parts]
        return merges, counts


@fault(breaks="size", story="ends one entry early")
class OneShort(Trainer):
    def _learn(self, tokens: list[str], parts: Sequence[Part]) -> tuple[list[Pair], list[int]]:
        begun = len(tokens)
        merges, counts = super()._learn(tokens, parts)
        if len(tokens) > max(begun, self.size - 1):
            tokens.pop()
            return merges[:-1], counts[:-1]
        return merges, counts
