"""What training has in common, whether of BPE or of WordPiece: the loop, the alphabet, and what may become of it.

The loop is that of the textbooks. All is counted again after every merge, so that it takes as long as it takes; what
it gives is what the efficient trainers of goldpiece.fast have to give.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple, TypeAlias

from goldpiece.errors import GoldpieceError, UsageError
from goldpiece.reference.bpe import Pair, count_pairs, merge_pair

IDS, FIRST_SEEN = "ids", "first_seen"
TIES = (IDS, FIRST_SEEN)

Form: TypeAlias = tuple[str, bool]  # a character, and whether it carries the mark of its place in the word
Part: TypeAlias = tuple[Sequence[str], int]  # symbols in a row, and how often the corpus has them


class SpecialTokenTwice(GoldpieceError):
    """A special token that is named twice."""

    def __init__(self, token: str) -> None:
        super().__init__(f"the special token {token!r} is named twice: keep one of them")


class NoRoom(GoldpieceError):
    """A vocabulary that cannot hold its special tokens and its alphabet."""

    def __init__(self, size: int, special: int, alphabet: int) -> None:
        super().__init__(
            f"size = {size} has no room for {special} special tokens and an alphabet of {alphabet}: raise it to "
            f"{special + alphabet} at least, or give a limit_alphabet"
        )


class NotACharacter(GoldpieceError):
    """An initial alphabet of something else than characters."""

    def __init__(self, entry: str) -> None:
        super().__init__(f"{entry!r} of initial_alphabet is not one character: give each character by itself")


class UnknownTieRule(GoldpieceError):
    """A name that stands for no rule of what comes first among equals."""

    def __init__(self, ties: str) -> None:
        super().__init__(f"ties = {ties!r}: give one of {', '.join(TIES)}")


class CountsDoNotFit(GoldpieceError):
    """Counts of which there is not one from 0 on for each word."""


class Trained(NamedTuple):
    """What training gives."""

    tokens: list[str]  # of each id: special tokens, alphabet, and what the merges made, in their order
    merges: list[Pair]  # the one of rank 0 first
    counts: list[int]  # how often the pair of each merge stood in the corpus when it was merged
    short_by: int  # how many entries fewer there are than were asked for


@dataclass(frozen=True)
class Trainer(ABC):
    """The parameters that all trainers have; see spec/bpe_trainer.yaml and spec/wordpiece_trainer.yaml."""

    size: int  # entries
    special_tokens: Sequence[str] = ()
    initial_alphabet: Sequence[str] = ()
    limit_alphabet: int | None = None  # characters
    min_frequency: int | None = 2
    max_token_length: int | None = None  # code points
    ties: str = IDS

    def __post_init__(self) -> None:
        """Raises SpecialTokenTwice, NotACharacter, UnknownTieRule, and UsageError for a number out of range."""
        for token, count in Counter(self.special_tokens).items():
            if count > 1:
                raise SpecialTokenTwice(token)
        for entry in self.initial_alphabet:
            if len(entry) != 1:
                raise NotACharacter(entry)
        if self.ties not in TIES:
            raise UnknownTieRule(self.ties)
        least = {"size": 0, "limit_alphabet": 0, "min_frequency": 1, "max_token_length": 1}
        for name, minimum in least.items():
            if (value := getattr(self, name)) is not None and value < minimum:
                raise UsageError(f"{name} = {value}: give a whole number from {minimum} on")

    def train(self, words: Iterable[str]) -> Trained:
        """What the words of a corpus, one after the other, teach. Raises NoRoom."""
        counts = Counter(words)
        return self.train_from_counts(list(counts), list(counts.values()))

    def account(self, words: Iterable[str]) -> Trained:
        """What `train` gives, for how it went: `counts` and `short_by`."""
        return self.train(words)

    def train_from_counts(self, words: Sequence[str], counts: Sequence[int]) -> Trained:
        """The same for a corpus of which the count of each word is known. Raises CountsDoNotFit and NoRoom.

        A word that is given twice has the sum of its counts; its place is the first.
        """
        tokens, parts = self._begin(words, counts)
        merges, frequencies = self._learn(tokens, list(parts))
        return Trained(tokens, merges, frequencies, self.size - len(tokens))

    def _begin(self, words: Sequence[str], counts: Sequence[int]) -> tuple[list[str], Iterable[Part]]:
        """The entries and the symbols of the words before any merge."""
        corpus = self._corpus(words, counts)
        alphabet = self._alphabet(corpus)
        return self._entries(alphabet), self._parts(corpus, frozenset(alphabet))

    def _entries(self, alphabet: Sequence[str]) -> list[str]:
        """What is there before any merge. Raises NoRoom."""
        if len(self.special_tokens) + len(alphabet) > self.size:
            raise NoRoom(self.size, len(self.special_tokens), len(alphabet))
        return [*self.special_tokens, *alphabet]

    def _corpus(self, words: Sequence[str], counts: Sequence[int]) -> Mapping[str, int]:
        """The count of each word that something can be learnt from, in the order in which they are met."""
        if len(words) != len(counts):
            raise CountsDoNotFit(f"{len(words)} words have {len(counts)} counts: give one for each")
        summed: Counter[str] = Counter()
        for word, count in zip(words, counts, strict=True):
            if count < 0:
                raise CountsDoNotFit(f"the count of {word!r} is {count}: give a whole number from 0 on")
            if count and word and word not in self.special_tokens:
                summed[word] += count
        return summed

    # The alphabet.

    def _alphabet(self, corpus: Mapping[str, int]) -> list[str]:
        """What is an entry before any merge, beside special tokens."""
        forms = {form for word in corpus for form in self._forms(word)}
        return self._symbols_of(forms, self._characters(corpus))

    def _symbols_of(self, forms: Set[Form], kept: Container[str]) -> list[str]:
        """The symbols of the characters that are kept, by character, the unmarked form first."""
        found = (self._written(form) for form in sorted(forms | self._initial_forms()) if form[0] in kept)
        return [symbol for symbol in dict.fromkeys(found) if symbol not in self.special_tokens]

    def _characters(self, corpus: Mapping[str, int]) -> Container[str]:
        """The characters that are kept."""
        counts: Counter[str] = Counter()
        for word, count in corpus.items():
            for character in word:
                counts[character] += count
        return self._most_frequent(counts)

    def _most_frequent(self, counts: Mapping[str, int]) -> Container[str]:
        """As many characters as there may be; those of the initial alphabet are always kept."""
        initial = dict.fromkeys(self.initial_alphabet)
        others = sorted(counts.keys() - initial.keys(), key=lambda character: (-counts[character], character))
        room = None if self.limit_alphabet is None else max(0, self.limit_alphabet - len(initial))
        return {*initial, *others[:room]}

    def _initial_forms(self) -> set[Form]:
        return {(character, False) for character in self.initial_alphabet}

    @abstractmethod
    def _forms(self, word: str) -> list[Form]:
        """What a word begins as."""

    @abstractmethod
    def _written(self, form: Form) -> str:
        """The symbol of a character."""

    def _parts(self, corpus: Mapping[str, int], alphabet: Container[str]) -> Iterable[Part]:
        """The symbols of each word; what is not in the alphabet parts it."""
        return (
            (list(symbols), count)
            for word, count in corpus.items()
            for known, symbols in groupby(self._symbols(word), alphabet.__contains__)
            if known
        )

    def _symbols(self, word: str) -> Iterator[str]:
        return map(self._written, self._forms(word))

    # The loop.

    @property
    def _floor(self) -> int:
        """How often a pair has to occur to be merged."""
        return self.min_frequency or 1

    def _learn(self, tokens: list[str], parts: Sequence[Part]) -> tuple[list[Pair], list[int]]:
        """Merges until there are tokens enough, or no pair is left; appends to `tokens` what becomes one."""
        merges: list[Pair] = []
        counts: list[int] = []
        while len(tokens) < self.size and (best := self._best(tokens, parts)):
            pair, count = best
            joined = self._joined(pair)
            parts = [(merge_pair(symbols, pair, joined), times) for symbols, times in parts]
            merges.append(pair)
            counts.append(count)
            if joined not in tokens:
                tokens.append(joined)
        return merges, counts

    def _best(self, tokens: Sequence[str], parts: Sequence[Part]) -> tuple[Pair, int] | None:
        """The pair to merge, and its count; None if there is none."""
        pairs, symbols = _counted(parts)
        allowed = [pair for pair, count in pairs.items() if count >= self._floor and self._may_be(pair)]
        if not allowed:
            return None
        ids = {token: number for number, token in enumerate(tokens)}

        def rank(pair: Pair) -> tuple[object, ...]:
            by_ids = (-ids[pair[0]], -ids[pair[1]]) if self.ties == IDS else ()
            return (*self._score(pair, pairs, symbols), *by_ids)

        best = max(allowed, key=rank)  # the first of those that rank alike: `pairs` has them in the order of the corpus
        return best, pairs[best]

    def _score(self, pair: Pair, pairs: Mapping[Pair, int], symbols: Mapping[str, int]) -> tuple[object, ...]:  # noqa: ARG002
        """How much there is to say for merging a pair: the largest is merged."""
        return (pairs[pair],)

    def _joined(self, pair: Pair) -> str:
        """What a merge makes."""
        return "".join(pair)

    def _may_be(self, pair: Pair) -> bool:
        """Whether what a merge makes may be a token."""
        joined = self._joined(pair)
        return joined not in self.special_tokens and self._length(joined) <= (self.max_token_length or len(joined))

    def _length(self, token: str) -> int:
        return len(token)


def _counted(parts: Iterable[Part]) -> tuple[Counter[Pair], Counter[str]]:
    """How often each pair of neighbours and each symbol stands in the corpus, in the order in which they are met."""
    pairs: Counter[Pair] = Counter()
    singles: Counter[str] = Counter()
    for symbols, times in parts:
        for pair, count in count_pairs(symbols).items():
            pairs[pair] += count * times
        for symbol in symbols:
            singles[symbol] += times
    return pairs, singles
