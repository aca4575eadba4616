"""The loop of training without counting all again: after each merge only what it has changed is looked at."""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, NamedTuple

from goldpiece.errors import GoldpieceError
from goldpiece.fast.merging.arrays import Rule
from goldpiece.fast.merging.engine import Choice, EngineName
from goldpiece.fast.merging.laying import Characters
from goldpiece.fast.merging.row import Row
from goldpiece.fast.merging.storage import Ints
from goldpiece.reference.bpe import Pair
from goldpiece.reference.training import FIRST_SEEN, Trained, Trainer


class MergeDoesNotFit(GoldpieceError):
    """A merge that is said to be made already, and that the corpus does not have."""

    def __init__(self, rank: int, pair: Pair) -> None:
        super().__init__(
            f"the merge of rank {rank}, {pair[0]!r} + {pair[1]!r}, is none that training on these words can have made: "
            "go on with the same words and parameters, or begin anew"
        )


class Merge(NamedTuple):
    """A merge, and how often its pair and both parts occurred right before."""

    rank: int
    pair: Pair
    joined: str
    of_pair: int
    of_first: int
    of_second: int
    place: int  # in the corpus, of the first of them; see Merging.word_at


@dataclass(frozen=True)
class Incremental(Trainer):
    """A trainer whose merges look at no more of the corpus than they change.

    `engine` is "python"; "compiled", which needs numba (the extra `fast`); or "auto": Python until so much has been
    done that to start the compiled one was worth it, and that from then on, or at once where the process has it. Counts
    that 64 bits do not hold are for Python. Merging.engine_in_use tells which it is. Raises UsageError for an engine
    that there is not.
    """

    engine: EngineName = field(default="auto", compare=False)

    def __post_init__(self) -> None:
        """See the class, and Trainer."""
        super().__post_init__()
        Choice(self.engine)

    def train_from_counts(self, words: Sequence[str], counts: Sequence[int]) -> Trained:
        """See the reference."""
        merging = self.merging(words, counts)
        for _ in merging:
            pass
        return merging.trained

    def merging(self, words: Sequence[str], counts: Sequence[int], begun: Iterable[Pair] = ()) -> "Merging":
        """The same merge by merge, so that something may be done in between; those of `begun` are made at once.

        Raises CountsDoNotFit and NoRoom, and MergeDoesNotFit.
        """
        tokens, row = self._laid_out(words, counts)
        merging = Merging(tokens, row, self._rule, size=self.size, joined=self._joined, may_be=self._may_be)
        for pair in begun:
            merging.make(pair)
        return merging

    def _corpus(self, words: Sequence[str], counts: Sequence[int]) -> Mapping[str, int]:
        """See the reference, of which nothing is needed where each word is one to be learnt from, and given once."""
        corpus = dict(zip(words, counts, strict=False))
        is_one = len(corpus) == len(words) == len(counts) and min(counts, default=0) > 0
        if is_one and corpus.keys().isdisjoint(("", *self.special_tokens)):
            return corpus
        return super()._corpus(words, counts)

    def _laid_out(self, words: Sequence[str], counts: Sequence[int]) -> tuple[list[str], Row]:
        """The entries and the row of the words before any merge."""
        characters = Characters(self._corpus(words, counts), self._marks)
        forms = characters.forms()
        met = {character: 0 for character, _ in forms} if self.limit_alphabet is None else characters.counts()
        alphabet = self._symbols_of(forms.keys(), self._most_frequent(met))
        tokens = self._entries(alphabet)
        ids = {
            symbol: number for number, symbol in enumerate(tokens[len(self.special_tokens) :], len(self.special_tokens))
        }
        symbols = {number: ids[symbol] for form, number in forms.items() if (symbol := self._written(form)) in ids}
        laid = characters.laid(symbols, ids.get(self._closing))
        return tokens, Row(laid, len(tokens), self._rule, self.engine)

    @abstractmethod
    def _marks(self, lengths: Ints) -> Ints:
        """Of which characters of words that are so long the form is the one with a mark: what `_forms` says."""

    @property
    def _closing(self) -> str:
        """The symbol behind each word; empty if there is none."""
        return ""

    @property
    def _rule(self) -> Rule:
        """Which pair is merged: the most frequent."""
        return Rule(False, True, self.ties == FIRST_SEEN, self._floor)


class Merging(Iterator[Merge]):
    """Training under way. Each step makes a merge; it ends where there are `size` tokens, or no pair is left."""

    def __init__(
        self,
        tokens: list[str],
        row: Row,
        rule: Rule,
        *,
        size: int,
        joined: Callable[[Pair], str],
        may_be: Callable[[Pair], bool],
    ) -> None:
        self.tokens = tokens
        self.merges: list[Pair] = []
        self.counts: list[int] = []
        self._ids = {token: number for number, token in enumerate(tokens)}
        self._row, self._rule = row, rule
        self._size, self._joined, self._may_be = size, joined, may_be

    @property
    def trained(self) -> Trained:
        """What has been learnt so far."""
        return Trained(self.tokens, self.merges, self.counts, self._size - len(self.tokens))

    @property
    def engine_in_use(self) -> Literal["python", "compiled"]:
        """What makes a merge that comes now."""
        return self._row.engine_in_use

    def __next__(self) -> Merge:
        if len(self.tokens) >= self._size or (pair := self._best()) is None:
            raise StopIteration
        return self._make(pair)

    def make(self, pair: Pair) -> Merge:
        """Makes a merge without asking whether it is the best. Raises MergeDoesNotFit."""
        first, second = map(self._ids.get, pair)
        found = None if first is None or second is None else self._row.find(first, second)
        if found is None or len(self.tokens) >= self._size:
            raise MergeDoesNotFit(len(self.merges), pair)
        return self._make(found)

    def score_of(self, merge: Merge) -> Fraction:
        """The score for which a merge was made, exactly: how often its pair occurred, or its likelihood."""
        return Fraction(merge.of_pair, merge.of_first * merge.of_second if self._rule.by_likelihood else 1)

    def word_of(self, merge: Merge) -> list[str]:
        """The symbols of the first word that a merge has changed, as they are now."""
        return [self.tokens[symbol] for symbol in self._row.word_at(merge.place)]

    def _best(self) -> int | None:
        """The pair to merge; None if there is none."""
        while (best := self._row.best()) is not None and not self._may_be(self._texts(best)):
            self._row.drop(best)
        return best

    def _texts(self, pair: int) -> Pair:
        first, second = self._row.symbols_of(pair)
        return self.tokens[first], self.tokens[second]

    def _make(self, pair: int) -> Merge:
        row, texts = self._row, self._texts(pair)
        joined = self._joined(texts)
        number = self._ids.setdefault(joined, len(self.tokens))
        if number == len(self.tokens):
            self.tokens.append(joined)
        counts = row.counts_of(pair)
        merge = Merge(len(self.merges), texts, joined, *counts, place=row.join(pair, number))
        self.merges.append(texts)
        self.counts.append(merge.of_pair)
        return merge
