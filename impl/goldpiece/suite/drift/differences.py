"""The places where two tokenizers part on one text.

Both are cut where both have an end of tokens; what lies between two cuts and is not alike is a difference. So a word
that is split otherwise is one, however many pieces it has, and the rest of the text none.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise, takewhile
from typing import TypeAlias

from goldpiece.suite.ready_made import Encoded

Gap: TypeAlias = tuple[int, int, int]  # before how manieth token; from where to where in the text nothing stands


@dataclass(frozen=True)
class Token:
    """A token, and where in the text it stands; one of the frame has no width."""

    text: str
    id: int
    offset: tuple[int, int]  # as it was given
    start: int = field(compare=False)
    end: int = field(compare=False)


Tokens: TypeAlias = tuple[Token, ...]


@dataclass(frozen=True)
class Difference:
    """A place of the text, and what each makes of it: nothing, if it has no token there."""

    text: str
    start: int  # of the place, in code points
    old: Tokens
    new: Tokens
    old_error: str | None = None  # in which it ended: then the place is the whole text
    new_error: str | None = None


def differences(text: str, old: Encoded, new: Encoded) -> Iterator[Difference]:
    """Where they part, from left to right."""
    if old == new:
        return
    ours, theirs = _placed(old, len(text)), _placed(new, len(text))
    if old.error or new.error:
        if old.error != new.error:
            yield Difference(text, 0, ours, theirs, old.error, new.error)
        return
    for one, other in _parted(ours, theirs, len(text)):
        yield from _between(text, one, other)


def _placed(encoded: Encoded, length: int) -> Tokens:
    """The tokens. One without width says nothing of its place: behind all others it stands at the end of the text."""
    last = max((place for place, (start, end) in enumerate(encoded.offsets) if start < end), default=0)
    tokens: list[Token] = []
    reached = 0
    for token, number, (start, end) in zip(encoded.tokens, encoded.ids, encoded.offsets, strict=True):
        place = max(start, reached) if len(tokens) <= last else length
        stands = (start, end) if start < end else (place, place)
        tokens.append(Token(token, number, (start, end), *stands))
        reached = max(reached, end)
    return tuple(tokens)


def _gaps(tokens: Tokens, length: int) -> list[Gap]:
    """Where the tokens can be cut in two so that none before reaches behind one after: also before all and after all.

    Several tokens of one character have none between them.
    """
    starts = [length] * (len(tokens) + 1)  # of all from there on
    for place in reversed(range(len(tokens))):
        starts[place] = min(starts[place + 1], tokens[place].start)
    gaps, reached = [], 0
    for place, start in enumerate(starts):
        if reached <= start or place in (0, len(tokens)):
            gaps.append((place, reached, max(reached, start)))
        if place < len(tokens):
            reached = max(reached, tokens[place].end)
    return gaps


def _cuts(old: Sequence[Gap], new: Sequence[Gap]) -> Iterator[tuple[int, int]]:
    """How many tokens of each stand before each place where both can be cut."""
    yield 0, 0
    ours, theirs = 0, 0
    while ours < len(old) and theirs < len(new):
        place, low, high = old[ours]
        other, other_low, other_high = new[theirs]
        if max(low, other_low) <= min(high, other_high):
            yield place, other
        ours, theirs = ours + (high <= other_high), theirs + (other_high <= high)
    yield old[-1][0], new[-1][0]


def _parted(old: Tokens, new: Tokens, length: int) -> Iterator[tuple[Tokens, Tokens]]:
    """What lies between two cuts and is not the same; as one, where neighbours together have the same tokens.

    Then it is offsets that differ, and the cuts, which rest on offsets, are none.
    """
    between = [
        (old[start:end], new[other:other_end])
        for (start, other), (end, other_end) in pairwise(_cuts(_gaps(old, length), _gaps(new, length)))
    ]
    for same, run in groupby(between, key=lambda pair: pair[0] == pair[1]):
        if not same:
            yield from _joined(list(run))


def _joined(run: Sequence[tuple[Tokens, Tokens]]) -> Sequence[tuple[Tokens, Tokens]]:
    old = tuple(token for ours, _ in run for token in ours)
    new = tuple(token for _, theirs in run for token in theirs)
    return [(old, new)] if _texts(old) == _texts(new) else run


def _texts(tokens: Tokens) -> list[str]:
    return [token.text for token in tokens]


def _between(text: str, old: Tokens, new: Tokens) -> Iterator[Difference]:
    """The differences between two cuts: one, or one for each token where only ids or offsets differ."""
    if _texts(old) == _texts(new):
        for one, other in zip(old, new, strict=True):
            if one != other:
                yield _difference(text, (one,), (other,))
        return
    begin = _alike(old, new)
    end = _alike(old[begin:][::-1], new[begin:][::-1])
    yield _difference(text, old[begin : len(old) - end], new[begin : len(new) - end])


def _alike(old: Tokens, new: Tokens) -> int:
    """How many tokens at the beginning are the same."""
    same = takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False))
    return sum(1 for _ in same)


def _difference(text: str, old: Tokens, new: Tokens) -> Difference:
    both = (*old, *new)
    wide = [token for token in both if token.start < token.end] or both
    start, end = min(token.start for token in wide), max(token.end for token in wide)
    return Difference(text[start:end], start, old, new)
