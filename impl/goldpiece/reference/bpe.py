"""BPE model: the symbols of one word joined by merges, lowest rank first. Spec: spec/bpe.yaml.

`count_pairs`, `merge_pair` and `bpe_encode` are the algorithm in its shortest form, for learning; `BPE` does the same
with all that models in use need besides.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from random import Random
from typing import NamedTuple, TypeAlias

from goldpiece.errors import GoldpieceError

Pair: TypeAlias = tuple[str, str]


class UnknownTokenMissing(GoldpieceError):
    """A character can be written in no way, and nothing stands for it."""

    def __init__(self, word: str, character: str, unk_token: str | None) -> None:
        remedy = f"add {unk_token!r} to the vocabulary" if unk_token is not None else "name an unk_token"
        super().__init__(
            f"the vocabulary lacks {character!r} of the word {word[:40]!r}, and there is no token for what is unknown: "
            f"{remedy}, or use bytes"
        )


class MergeOutOfVocabulary(GoldpieceError):
    """A merge of something that is no entry, or into something that is none."""

    def __init__(self, rank: int, pair: Sequence[str], lacking: str) -> None:
        super().__init__(
            f"the merge of rank {rank}, {' + '.join(map(repr, pair))}, needs {lacking!r}, which the vocabulary lacks: "
            "take vocabulary and merges from one training"
        )


class DropoutOutOfRange(GoldpieceError):
    """A dropout that is no probability."""

    def __init__(self, dropout: float) -> None:
        super().__init__(f"dropout = {dropout} is no probability: give a number from 0 to 1, or None for none")


class Symbol(NamedTuple):
    """A piece of a word in the making, and where the word holds it, in code points."""

    text: str
    start: int
    end: int


class Merge(NamedTuple):
    """What two symbols of a word became, and where the word holds it; the two meet at `middle`. In code points."""

    text: str
    start: int
    middle: int
    end: int


def count_pairs(symbols: Sequence[str]) -> Counter[Pair]:
    """How often each pair of neighbours stands in a word; `a a a` holds two."""
    return Counter(pairwise(symbols))


def merge_pair(symbols: Sequence[str], pair: Pair, joined: str | None = None) -> list[str]:
    """The symbols with every place of `pair` joined, from left to right: of `a a a` the first two.

    `joined` is what the pair becomes, if that is another text than both, as it is where pieces have a prefix.
    """
    joined = "".join(pair) if joined is None else joined
    merged: list[str] = []
    place = 0
    while place < len(symbols):
        found = tuple(symbols[place : place + 2]) == pair
        merged.append(joined if found else symbols[place])
        place += 2 if found else 1
    return merged


def bpe_encode(word: str, merges: Iterable[Pair]) -> list[str]:
    """The pieces of `word` under `merges`, the one of rank 0 first. Every character is a symbol."""
    ranks = {pair: rank for rank, pair in enumerate(merges)}
    symbols = list(word)
    while (place := lowest(symbols, ranks)) is not None:
        symbols[place : place + 2] = [symbols[place] + symbols[place + 1]]
    return symbols


def lowest(symbols: Sequence[str], ranks: Mapping[Pair, int]) -> int | None:
    """Where the pair of the lowest rank begins, the leftmost of several; None if no pair is a merge."""
    return next((place for _, place in candidates(symbols, ranks)), None)


def candidates(symbols: Sequence[str], ranks: Mapping[Pair, int]) -> list[tuple[int, int]]:
    """Rank and place of each pair that is a merge, in the order in which they are to be made."""
    return sorted((ranks[pair], place) for place, pair in enumerate(pairwise(symbols)) if pair in ranks)


@dataclass(frozen=True)
class BPE:
    """`vocab` holds the entries, in any order, and `merges` pairs of them, the one of rank 0 first.

    With `dropout`, what is passed over follows from `seed` and the word: take another seed in each epoch.
    """

    vocab: Iterable[str]
    merges: Iterable[Sequence[str]]
    unk_token: str | None = None
    fuse_unk: bool = False
    end_of_word: str = ""
    end_of_word_apart: bool = False
    byte_fallback: bool = False
    ignore_merges: bool = False
    dropout: float | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        """Raises MergeOutOfVocabulary and DropoutOutOfRange."""
        for name in ("vocab", "merges"):  # they are read more than once, and an iterator has its items only once
            object.__setattr__(self, name, tuple(getattr(self, name)))
        if self.dropout is not None and not 0 <= self.dropout <= 1:
            raise DropoutOutOfRange(self.dropout)
        for rank, (first, second) in enumerate(self.merges):
            for entry in (first, second, first + second):
                if entry not in self._entries:
                    raise MergeOutOfVocabulary(rank, (first, second), entry)

    @cached_property
    def _entries(self) -> frozenset[str]:
        return frozenset(self.vocab)

    @cached_property
    def _ranks(self) -> Mapping[Pair, int]:
        return {(first, second): rank for rank, (first, second) in enumerate(self.merges)}

    def tokenize(self, word: str) -> tuple[list[str], list[tuple[int, int]]]:
        """The pieces of `word`, a pre-token, and where each begins and ends. Raises UnknownTokenMissing."""
        symbols: list[Symbol] = []
        for symbols in self._run(word):  # noqa: B007 (the last of them counts)
            pass
        return [symbol.text for symbol in symbols], [(symbol.start, symbol.end) for symbol in symbols]

    def steps(self, word: str) -> list[list[str]]:
        """The symbols of `word` at the beginning, and after each merge. Raises UnknownTokenMissing."""
        return [[symbol.text for symbol in symbols] for symbols in self._run(word)]

    def merges_made(self, word: str) -> list[Merge]:
        """What each merge made, in order: `steps` without what stays as it is. Raises UnknownTokenMissing."""
        made: list[Merge] = []
        before: list[Symbol] = []
        for symbols in self._run(word):
            if before:
                one, new = next((one, new) for one, new in zip(before, symbols, strict=False) if one != new)
                made.append(Merge(new.text, new.start, one.end, new.end))
            before = list(symbols)
        return made

    def _run(self, word: str) -> Iterator[list[Symbol]]:
        """The same list again and again, shorter by one symbol each time."""
        if self.ignore_merges and word in self._entries:
            yield [Symbol(word, 0, len(word))]
            return
        symbols = self._symbols(word)
        draws = Random(f"{self.seed} {word}".encode("utf-8", "surrogatepass"))
        yield symbols
        while (place := self._next(symbols, draws)) is not None:
            first, second = symbols[place : place + 2]
            symbols[place : place + 2] = [Symbol(first.text + second.text, first.start, second.end)]
            yield symbols

    def _next(self, symbols: Sequence[Symbol], draws: Random) -> int | None:
        """Where the next merge is made; None if there is none, or dropout passes over all that there are."""
        for _, place in candidates([symbol.text for symbol in symbols], self._ranks):
            if not self.dropout or draws.random() >= self.dropout:
                return place
        return None

    def _symbols(self, word: str) -> list[Symbol]:
        """What a word begins as."""
        symbols: list[Symbol] = []
        unknown_up_to = 0  # where the last unknown character ends
        for place, character in enumerate(word):
            is_last = place == len(word) - 1
            text = character + (self.end_of_word if is_last and not self.end_of_word_apart else "")
            if text in self._entries:
                symbols.append(Symbol(text, place, place + 1))
            elif written := self._bytes(text):
                symbols += [Symbol(byte, place, place + 1) for byte in written]
            elif self.fuse_unk and unknown_up_to == place > 0:
                symbols[-1] = symbols[-1]._replace(end=place + 1)
                unknown_up_to = place + 1
            else:
                symbols.append(Symbol(self._unknown(word, text), place, place + 1))
                unknown_up_to = place + 1
        if word and self.end_of_word_apart and self.end_of_word:
            known = self.end_of_word in self._entries
            text = self.end_of_word if known else self._unknown(word, self.end_of_word)
            symbols.append(Symbol(text, len(word), len(word)))
        return symbols

    def _bytes(self, text: str) -> list[str]:
        """The entries of the bytes of a character; none where they are not wanted, or one is missing."""
        if not self.byte_fallback:
            return []
        written = [f"<0x{byte:02X}>" for byte in text.encode("utf-8", "surrogatepass")]
        return written if self._entries.issuperset(written) else []

    def _unknown(self, word: str, text: str) -> str:
        if self.unk_token is None or self.unk_token not in self._entries:
            raise UnknownTokenMissing(word, text, self.unk_token)
        return self.unk_token
