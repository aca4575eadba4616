"""WordPiece model: one word as the longest pieces of a vocabulary, left to right. Spec: spec/wordpiece.yaml."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from goldpiece.errors import GoldpieceError


class UnknownTokenMissing(GoldpieceError):
    """A word needs the unknown token, and the vocabulary lacks it."""

    def __init__(self, word: str, unk_token: str) -> None:
        super().__init__(
            f"the word {word[:40]!r} has no segmentation and the vocabulary has no {unk_token!r} to stand for it: "
            f"add {unk_token!r} to the vocabulary, or name its unknown token as unk_token"
        )


@dataclass(frozen=True)
class WordPiece:
    """Greedy longest-match-first segmentation, as google-research/bert defines it.

    `vocab` holds whole words and beginnings of words as they are, and continuations behind `prefix`; its order does not
    matter. `max_input_chars` counts code points.
    """

    vocab: Iterable[str]
    unk_token: str = "[UNK]"
    prefix: str = "##"
    max_input_chars: int = 100
    _entries: frozenset[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_entries", frozenset(self.vocab))

    def tokenize(self, word: str) -> list[str]:
        """The pieces of `word`, a normalized pre-token; `[unk_token]` if it has no segmentation or is too long."""
        if len(word) > self.max_input_chars:
            return self._unknown(word)
        pieces: list[str] = []
        start = 0
        while start < len(word):
            end = self._longest_match(word, start)
            if end == start:
                return self._unknown(word)
            pieces.append(self._written(word, start, end))
            start = end
        return pieces

    def _longest_match(self, word: str, start: int) -> int:
        """End of the longest entry that begins at `start`; `start` itself if none does."""
        for end in range(len(word), start, -1):
            if self._written(word, start, end) in self._entries:
                return end
        return start

    def _written(self, word: str, start: int, end: int) -> str:
        """How the vocabulary writes the piece of `word` from `start` to `end`."""
        return (self.prefix if start else "") + word[start:end]

    def _unknown(self, word: str) -> list[str]:
        if self.unk_token not in self._entries:
            raise UnknownTokenMissing(word, self.unk_token)
        return [self.unk_token]
