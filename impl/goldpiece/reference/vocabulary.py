"""Word vocabulary: ids for the tokens of a corpus, the most frequent ones first. Spec: spec/vocabulary.yaml."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple, Self

from goldpiece.errors import GoldpieceError, UsageError

PAD_TOKEN = "<pad>"
UNK_TOKEN = "<unk>"


class SpecialTokenTwice(GoldpieceError):
    """A special token that is named twice."""

    def __init__(self, token: str) -> None:
        super().__init__(f"the special token {token!r} is named twice: keep one of them")


class UnknownTokenNotSpecial(GoldpieceError):
    """The token for what is unknown has no id of its own."""

    def __init__(self, token: str, special_tokens: Sequence[str]) -> None:
        super().__init__(
            f"unk_token {token!r} is none of the special tokens {list(special_tokens)}: add it, or give unk_token=None"
        )


class NoRoom(GoldpieceError):
    """A vocabulary that cannot hold its special tokens."""

    def __init__(self, max_size: int, special: int) -> None:
        super().__init__(f"max_size = {max_size} has no room for the {special} special tokens: raise it")


class UnknownTokenMissing(GoldpieceError):
    """A token that the vocabulary lacks, where nothing stands for it."""

    def __init__(self, token: str) -> None:
        super().__init__(f"the vocabulary lacks {token!r}: add it to the corpus, or give an unk_token to stand for it")


class UnknownId(GoldpieceError):
    """An id that no token has."""

    def __init__(self, number: int, size: int) -> None:
        known = f"ids go from 0 to {size - 1}" if size else "the vocabulary is empty"
        super().__init__(f"there is no token of id {number}: {known}")


class Counted(NamedTuple):
    """Tokens, and how often each occurs."""

    tokens: list[str]
    counts: list[int]


class Coverage(NamedTuple):
    """What each of several values of min_count would do."""

    sizes: list[int]  # entries of the vocabulary, special tokens included
    unknown: list[float]  # share of the tokens that it would lack, from 0 to 1


@dataclass(frozen=True)
class Vocabulary:
    """The special tokens, and behind them the tokens of `corpus` by falling count, ties by first appearance.

    The corpus is all its tokens one after the other, or the count of each. Left out is what occurs less than
    `min_count` times, and what would make it more than `max_size` entries.
    Raises SpecialTokenTwice, UnknownTokenNotSpecial, NoRoom, and UsageError for a min_count below 1.
    """

    corpus: Iterable[str] | Mapping[str, int]
    special_tokens: Sequence[str] = (PAD_TOKEN, UNK_TOKEN)
    unk_token: str | None = UNK_TOKEN
    min_count: int = 1
    max_size: int | None = None
    _counts: Mapping[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        twice = [token for token, count in Counter(self.special_tokens).items() if count > 1]
        if twice:
            raise SpecialTokenTwice(twice[0])
        if self.unk_token is not None and self.unk_token not in self.special_tokens:
            raise UnknownTokenNotSpecial(self.unk_token, self.special_tokens)
        if self.max_size is not None and self.max_size < len(self.special_tokens):
            raise NoRoom(self.max_size, len(self.special_tokens))
        if self.min_count < 1:
            raise UsageError(f"min_count = {self.min_count!r}: give a whole number from 1 on")
        if not isinstance(self.corpus, Sequence | Mapping):  # an iterator is spent now; its counts do as well
            object.__setattr__(self, "corpus", Counter(self.corpus))
        # Sorting keeps those that are equally frequent in the order in which they were met.
        counts = sorted(Counter(self.corpus).items(), key=lambda item: -item[1])
        object.__setattr__(self, "_counts", dict(counts))

    @classmethod
    def from_counts(cls, counts: Mapping[str, int] | Iterable[tuple[str, int]], **options: object) -> Self:
        """The vocabulary of a corpus of which only counts are known; ties by the order in which they are given.

        A token that is given twice has the sum of its counts. Raises UsageError for a count below 0; `options` are
        the other fields.
        """
        summed: dict[str, int] = {}
        for token, count in counts.items() if isinstance(counts, Mapping) else counts:
            if count < 0:
                raise UsageError(f"the count of {token!r} is {count}: give a whole number from 0 on")
            summed[token] = summed.get(token, 0) + count
        return cls({token: count for token, count in summed.items() if count}, **options)  # type: ignore[arg-type]

    # What there is.

    @cached_property
    def tokens(self) -> list[str]:
        """The token of each id."""
        frequent = [token for token, count in self._counts.items() if count >= self.min_count]
        return [*self.special_tokens, *(token for token in frequent if token not in self.special_tokens)][
            : self.max_size
        ]

    @cached_property
    def ids(self) -> dict[str, int]:
        """The id of each token."""
        return {token: number for number, token in enumerate(self.tokens)}

    def __len__(self) -> int:
        return len(self.tokens)

    def __contains__(self, token: object) -> bool:
        return token in self.ids

    def entries(self) -> Counted:
        """The token of each id, and how often each occurs in the corpus."""
        return Counted(list(self.tokens), [self._counts.get(token, 0) for token in self.tokens])

    # Tokens to ids and back.

    def encode(self, tokens: Iterable[str]) -> list[int]:
        """The ids of tokens; that of `unk_token` for what is no entry. Raises UnknownTokenMissing."""
        return [self._id(token) for token in tokens]

    def decode(self, ids: Iterable[int]) -> list[str]:
        """The tokens of ids. Raises UnknownId."""
        return [self._token(number) for number in ids]

    def _id(self, token: str) -> int:
        if token in self.ids:
            return self.ids[token]
        if self.unk_token is None:
            raise UnknownTokenMissing(token)
        return self.ids[self.unk_token]

    def _token(self, number: int) -> str:
        if not 0 <= number < len(self):
            raise UnknownId(number, len(self))
        return self.tokens[number]

    # What the corpus is like.

    def most_common(self, limit: int | None = None) -> Counted:
        """The most frequent tokens of the corpus, entries or not; all of them without a limit."""
        if limit is not None and limit < 0:
            raise UsageError(f"limit = {limit}: give a whole number from 0 on, or None for all")
        return Counted(list(self._counts)[:limit], list(self._counts.values())[:limit])

    def coverage(self, tokens: Iterable[str], min_counts: Sequence[int]) -> Coverage:
        """For each min_count, how many entries there would be, and which share of `tokens` would be unknown."""
        sought = Counter(tokens)
        several = [replace(self, corpus=self._counts, min_count=each) for each in min_counts]
        missing = [sum(count for token, count in sought.items() if token not in each) for each in several]
        return Coverage([len(each) for each in several], [each / max(1, sought.total()) for each in missing])
