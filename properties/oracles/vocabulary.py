"""What spec/vocabulary.yaml defines: each token's place, by counting which others come before it."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Definition:
    """A corpus, and what is made of it."""

    corpus: Sequence[str]
    special_tokens: Sequence[str] = ("<pad>", "<unk>")
    unk_token: str | None = "<unk>"
    min_count: int = 1
    max_size: int | None = None

    @property
    def frequent(self) -> list[str]:
        """All tokens of the corpus: before each stand those that are more frequent, or as frequent and met before."""
        different = [token for place, token in enumerate(self.corpus) if token not in self.corpus[:place]]
        ranked: dict[int, str] = {}
        for token in different:
            count, first = self.count(token), self.corpus.index(token)
            before = [
                other
                for other in different
                if self.count(other) > count or (self.count(other) == count and self.corpus.index(other) < first)
            ]
            ranked[len(before)] = token
        return [ranked[place] for place in range(len(different))]

    def count(self, token: str) -> int:
        """How often the corpus has it."""
        return sum(each == token for each in self.corpus)

    @property
    def entries(self) -> list[str]:
        """The token of each id."""
        others = [token for token in self.frequent if self.count(token) >= self.min_count]
        whole = [*self.special_tokens, *(token for token in others if token not in self.special_tokens)]
        return whole if self.max_size is None else whole[: self.max_size]

    def id(self, token: str) -> int:
        """The id of a token, by looking at each entry."""
        found = [number for number, entry in enumerate(self.entries) if entry == token]
        return found[0] if found else self.id(str(self.unk_token))
