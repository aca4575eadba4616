"""Where words begin and end: from word ids, from a segmentation of the text, or from the marks that tokens carry."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from goldpiece.reference.masking.errors import LengthsDiffer, NoWordScheme, SegmentsOutOfOrder, UnknownChoice

CONTINUES, BEGINS, ENDS = "##", ("Ġ", "▁"), "</w>"
SCHEMES = (CONTINUES, *BEGINS, ENDS)


@dataclass(frozen=True)
class Scheme:
    """How a vocabulary marks words: `##` on what continues one, `Ġ` or `▁` on what begins one, `</w>` on its end."""

    mark: str

    def __post_init__(self) -> None:
        if self.mark not in SCHEMES:
            raise UnknownChoice("scheme", self.mark, SCHEMES)

    @classmethod
    def of(cls, tokens: Iterable[str]) -> "Scheme":
        """The mark that most tokens carry besides something else, of equals the first. Raises NoWordScheme."""
        counts = Counter(mark for token in tokens for mark in SCHEMES if token != mark and cls(mark).marks(token))
        if not counts:
            raise NoWordScheme
        return cls(max(SCHEMES, key=lambda mark: counts[mark]))

    def marks(self, token: str) -> bool:
        """Whether a token carries the mark."""
        return token.endswith(self.mark) if self.mark == ENDS else token.startswith(self.mark)

    def begins_word(self, token: str, before: str | None) -> bool:
        """Whether a word begins at `token`, by what it and the token before it are."""
        if before is None:
            return True
        if self.mark == ENDS:
            return self.marks(before)
        return self.marks(token) != (self.mark == CONTINUES)

    def begin_words(self, tokens: Sequence[str]) -> list[bool]:
        """For each token whether it begins a word."""
        return [self.begins_word(token, before) for token, before in zip(tokens, [None, *tokens], strict=False)]


def words_of(candidates: Sequence[bool], begin_words: Sequence[bool]) -> list[range]:
    """The words of a row as ranges of positions. What is no candidate belongs to none, and ends the word before it."""
    words: list[range] = []
    for place, candidate in enumerate(candidates):
        if candidate and (begin_words[place] or not words or words[-1].stop != place):
            words.append(range(place, place + 1))
        elif candidate:
            words[-1] = range(words[-1].start, place + 1)
    return words


def begin_words_of_ids(word_ids: Sequence[int | None]) -> list[bool]:
    """For each token whether it begins a word: whether its word id is another than that before it."""
    return [place == 0 or number != word_ids[place - 1] for place, number in enumerate(word_ids)]


def word_ids_of_segments(offsets: Sequence[Sequence[int]], segments: Sequence[Sequence[int]]) -> list[int | None]:
    """Word ids from a segmentation of the text, such as that of a Chinese text by its words.

    `offsets` says where each token begins and ends in the text, `segments` the same of each word, in order. A token
    belongs to the segment in which it begins; one that begins in none is a word of its own; one that is empty, as what
    a frame added, has no word. Raises SegmentsOutOfOrder.
    """
    done = 0
    for start, end in segments:
        if start < done or end <= start:
            raise SegmentsOutOfOrder(start, end)
        done = end
    word_ids: list[int | None] = []
    word, latest = -1, None
    for start, end in offsets:
        if start == end:
            word_ids.append(None)
            latest = None
            continue
        segment = next((number for number, (first, last) in enumerate(segments) if first <= start < last), None)
        if segment is None or segment != latest:
            word += 1
        word_ids.append(word)
        latest = segment
    return word_ids


class Leak(NamedTuple):
    """How many tokens were selected, and of how many of them the word stayed partly visible."""

    selected: int
    leaking: int

    @property
    def share(self) -> float:
        """The part that leaks, from 0 to 1; 0 where nothing was selected."""
        return self.leaking / self.selected if self.selected else 0.0


def leak(labels: Sequence[int], words: Sequence[Sequence[int]]) -> Leak:
    """What the words of a row give away of what was selected. `words` are pairs of begin and end.

    A selected token counts as leaking where its word has another that is not selected: a reader can guess it from
    there. Raises LengthsDiffer where a word ends behind the labels.
    """
    selected = leaking = 0
    for start, end in words:
        if end > len(labels):
            raise LengthsDiffer("labels", len(labels), end, "the row")
        hidden = sum(label != NOT_SELECTED for label in labels[start:end])
        selected += hidden
        leaking += hidden if hidden < end - start else 0
    return Leak(selected, leaking)


NOT_SELECTED = -100  # the label of what is not to be predicted, as loss functions ignore it
