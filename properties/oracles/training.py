"""What the specs of the trainers define: each merge found by trying every pair at every place of the corpus."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

Pair = tuple[str, str]
Row = tuple[list[str], int]  # symbols, and how often the corpus has them


@dataclass(frozen=True)
class Definition:
    """A corpus of words and their counts, and what training on it gives."""

    words: Sequence[str]
    counts: Sequence[int]
    size: int = 0
    special_tokens: Sequence[str] = ()
    initial_alphabet: Sequence[str] = ()
    limit_alphabet: int | None = None
    min_frequency: int | None = 2
    max_token_length: int | None = None
    end_of_word: str = ""
    end_of_word_apart: bool = False
    ties: str = "ids"

    # The alphabet.

    @cached_property
    def corpus(self) -> list[tuple[str, int]]:
        """Each word once, where it is first met, with all that is counted of it."""
        met = [word for word, count in zip(self.words, self.counts, strict=True) if count]
        return [
            (word, sum(count for other, count in zip(self.words, self.counts, strict=True) if other == word))
            for place, word in enumerate(met)
            if word not in met[:place] and word and word not in self.special_tokens
        ]

    @cached_property
    def characters(self) -> list[str]:
        """Those that the alphabet keeps: each has fewer before it than there is room for."""
        found = {character for word, _ in self.corpus for character in word} | set(self.initial_alphabet)

        def rank(character: str) -> tuple[bool, int, int]:
            often = sum(count * word.count(character) for word, count in self.corpus)
            return character not in self.initial_alphabet, -often, ord(character)

        ranked = sorted(found, key=rank)
        room = len(ranked) if self.limit_alphabet is None else self.limit_alphabet
        return ranked[: max(room, len(set(self.initial_alphabet)))]

    @cached_property
    def alphabet(self) -> list[str]:
        """The symbols that are entries before any merge."""
        met = [symbol for word, _ in self.corpus for symbol in self.symbols(word)]
        symbols: list[str] = []
        for character in sorted(self.characters):
            symbols += [form for form in self.forms(character) if form in met or character in self.initial_alphabet]
        symbols += [self.end_of_word] * bool(self.end_of_word and self.end_of_word_apart)
        return [
            symbol
            for place, symbol in enumerate(symbols)
            if symbol not in symbols[:place] and symbol not in self.special_tokens
        ]

    def forms(self, character: str) -> list[str]:
        """How a character may stand in a word."""
        return [character] if self.end_of_word_apart else [character, character + self.end_of_word]

    def symbols(self, word: str) -> list[str]:
        """What a word begins as."""
        mark = [self.end_of_word] * bool(self.end_of_word)
        return [*word, *mark] if self.end_of_word_apart else [*word[:-1], "".join([word[-1], *mark])]

    @cached_property
    def rows(self) -> list[Row]:
        """The symbols of the corpus, parted where one is not in the alphabet."""
        known = self.alphabet
        rows: list[Row] = []
        for word, count in self.corpus:
            symbols = self.symbols(word)
            ends = [-1, *(place for place, symbol in enumerate(symbols) if symbol not in known), len(symbols)]
            rows += [(symbols[start + 1 : end], count) for start, end in itertools.pairwise(ends)]
        return rows

    # The merges.

    def text(self, pair: Pair) -> str:
        """What a merge makes."""
        return pair[0] + pair[1]

    def length(self, token: str) -> int:
        """As max_token_length counts it."""
        return len(token)

    @property
    def floor(self) -> int:
        """How often a pair has to occur to be merged."""
        return self.min_frequency or 1

    def after(self, merges: Sequence[Pair]) -> list[Row]:
        """What the corpus has become."""
        rows = self.rows
        for pair in merges:
            rows = [(joined(symbols, pair, self.text(pair)), count) for symbols, count in rows]
        return rows

    def entries(self, merges: Sequence[Pair]) -> list[str]:
        """The token of each id."""
        tokens = [*self.special_tokens, *self.alphabet]
        for pair in merges:
            tokens += [self.text(pair)] * (self.text(pair) not in tokens)
        return tokens

    def candidates(self, rows: Sequence[Row]) -> dict[Pair, int]:
        """The pairs that may be merged, in the order of the corpus, and how often each occurs."""
        met = [pair for symbols, _ in rows for pair in itertools.pairwise(symbols)]
        found = {pair: occurrences(rows, pair) for pair in met}
        return {pair: count for pair, count in found.items() if count >= self.floor and self.may_be(pair)}

    def may_be(self, pair: Pair) -> bool:
        text = self.text(pair)
        longest = self.length(text) if self.max_token_length is None else self.max_token_length
        return text not in self.special_tokens and self.length(text) <= longest

    def worth(self, pair: Pair, rows: Sequence[Row]) -> tuple[object, ...]:
        """What the pair that is merged has the most of."""
        return (occurrences(rows, pair),)

    def trained(self) -> dict[str, object]:
        """The right answer."""
        merges: list[Pair] = []
        counts: list[int] = []
        if len(self.entries(merges)) > self.size:
            return {"error": "no-room"}
        while len(tokens := self.entries(merges)) < self.size:
            rows = self.after(merges)
            worth = {pair: self.worth(pair, rows) for pair in self.candidates(rows)}
            equals = [pair for pair in worth if worth[pair] == max(worth.values())]
            if not equals:
                break
            if self.ties == "ids":
                equals.sort(key=lambda pair: (tokens.index(pair[0]), tokens.index(pair[1])))
            merges.append(equals[0])
            counts.append(occurrences(rows, equals[0]))
        return {
            "tokens": tokens,
            "merges": [list(pair) for pair in merges],
            "counts": counts,
            "short_by": self.size - len(tokens),
        }


def joined(symbols: list[str], pair: Pair, text: str) -> list[str]:
    """The symbols with the first place of the pair joined, and then what stands behind it in the same way."""
    for place in range(len(symbols) - 1):
        if (symbols[place], symbols[place + 1]) == pair:
            return [*symbols[:place], text, *joined(symbols[place + 2 :], pair, text)]
    return symbols


def occurrences(rows: Sequence[Row], pair: Pair) -> int:
    """How often a pair of neighbours stands in the corpus."""
    return sum(
        count
        for symbols, count in rows
        for place in range(len(symbols) - 1)
        if (symbols[place], symbols[place + 1]) == pair
    )


class NoRoom(Exception):
    """An error that the specs of trainers name."""


@dataclass(frozen=True)
class WordPieceDefinition(Definition):
    """The same of WordPiece, whose symbols have a prefix where they go on with a word."""

    special_tokens: Sequence[str] = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
    min_frequency: int | None = None
    prefix: str = "##"
    rule: str = "likelihood"
    eligible: str = "any"

    @property
    def floor(self) -> int:
        if self.min_frequency is not None:
            return self.min_frequency
        return 20 if self.rule == "likelihood" else 2

    def forms(self, character: str) -> list[str]:
        return [character, self.prefix + character]

    def symbols(self, word: str) -> list[str]:
        return [word[0], *(self.prefix + character for character in word[1:])]

    def text(self, pair: Pair) -> str:
        return pair[0] + pair[1][len(self.prefix) :]

    def length(self, token: str) -> int:
        return len(token) - len(self.prefix) * token.startswith(self.prefix)

    def may_be(self, pair: Pair) -> bool:
        goes_on = self.prefix != "" and pair[0].startswith(self.prefix)
        return super().may_be(pair) and not (goes_on and self.eligible == "word_initial")

    def worth(self, pair: Pair, rows: Sequence[Row]) -> tuple[object, ...]:
        often = occurrences(rows, pair)
        if self.rule == "frequency":
            return (often,)
        first, second = (sum(count * symbols.count(symbol) for symbols, count in rows) for symbol in pair)
        score = Fraction(often, first * second)
        return (score, often) if self.ties == "ids" else (score,)


class BPETrainer:
    """The definition as an implementation, for what is no error but NoRoom."""

    kind: type[Definition] = Definition

    def __init__(self, size: int, **parameters: Any) -> None:
        self.parameters = {"size": size, **parameters}

    def train(self, words: list[str]) -> object:
        return self.train_from_counts(words, [1] * len(words))

    def train_from_counts(self, words: list[str], counts: list[int]) -> object:
        found = self._trained(words, counts)
        return found["tokens"], found["merges"]

    def account(self, words: list[str]) -> object:
        found = self._trained(words, [1] * len(words))
        return found["counts"], found["short_by"]

    def _trained(self, words: list[str], counts: list[int]) -> dict[str, object]:
        found = self.kind(words, counts, **self.parameters).trained()
        if "error" in found:
            raise NoRoom
        return found


class WordPieceTrainer(BPETrainer):
    """The same of WordPiece."""

    kind = WordPieceDefinition
