"""What spec/vocabulary.yaml defines: the tokens, by sorting the places where the corpus has them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby


@dataclass(frozen=True)
class Definition:
    """A corpus, and what is made of it."""

    corpus: Sequence[str]
    special_tokens: Sequence[str] = ("<pad>", "<unk>")
    unk_token: str | None = "<unk>"
    min_count: int = 1
    max_size: int | None = None

    @cached_property
    def places(self) -> dict[str, list[int]]:
        """Where the corpus has each token."""
        in_order = sorted(range(len(self.corpus)), key=self.corpus.__getitem__)
        return {token: list(places) for token, places in groupby(in_order, key=self.corpus.__getitem__)}

    @cached_property
    def frequent(self) -> list[str]:
        """All tokens of the corpus: first those that are most frequent, and of as frequent ones that met first."""
        return sorted(self.places, key=lambda token: (-len(self.places[token]), self.places[token][0]))

    def count(self, token: str) -> int:
        """How often the corpus has it."""
        return len(self.places.get(token, []))

    @cached_property
    def entries(self) -> list[str]:
        """The token of each id."""
        others = [token for token in self.frequent if self.count(token) >= self.min_count]
        whole = [*self.special_tokens, *(token for token in others if token not in self.special_tokens)]
        return whole if self.max_size is None else whole[: self.max_size]

    def id(self, token: str) -> int:
        """The id of a token, by looking at each entry."""
        found = [number for number, entry in enumerate(self.entries) if entry == token]
        return found[0] if found else self.id(str(self.unk_token))
