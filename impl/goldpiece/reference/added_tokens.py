"""Added tokens: text cut at tokens that no other stage may touch. Spec: spec/added_tokens.yaml."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from goldpiece.reference.unicode import characters


@dataclass(frozen=True)
class AddedToken:
    """A token that was added to a vocabulary, and how it is found in text.

    `single_word` keeps it from being found within a word; `lstrip` and `rstrip` give it the white space on that side.
    A `normalized` token is sought in normalized text and another in the text as given, which is for the caller to heed.
    A `special` token is one that text may be forbidden to contain.
    """

    content: str
    single_word: bool = False
    lstrip: bool = False
    rstrip: bool = False
    normalized: bool = True
    special: bool = False


@dataclass(frozen=True)
class AddedTokens:
    """Cuts text at `tokens`. The other lists name those of them that are found in a way of their own."""

    tokens: Sequence[str]
    single_word: Sequence[str] = ()
    lstrip: Sequence[str] = ()
    rstrip: Sequence[str] = ()
    special: Sequence[str] = ()

    @classmethod
    def of(cls, tokens: Sequence[AddedToken]) -> "AddedTokens":
        """The same from tokens that each say how they are found; no two have the same content."""
        return cls(
            tokens=[token.content for token in tokens],
            single_word=[token.content for token in tokens if token.single_word],
            lstrip=[token.content for token in tokens if token.lstrip],
            rstrip=[token.content for token in tokens if token.rstrip],
            special=[token.content for token in tokens if token.special],
        )

    def split(self, text: str, parse_special: bool = True) -> tuple[list[str], list[tuple[int, int]], list[str | None]]:
        """The parts of `text`, where each begins and ends in code points, and the token that it is, if it is one.

        Without `parse_special` special tokens are plain text.
        """
        found = [
            (start, token)
            for start, token in self._matches(text)
            if not self._is_refused(text, start, token, parse_special)
        ]
        parts: list[tuple[int, int, str | None]] = []
        done = 0  # where the last part ends
        for start, end, token in self._widened(text, found):
            if done < start:
                parts.append((done, start, None))
            parts.append((start, end, token))
            done = end
        if done < len(text):
            parts.append((done, len(text), None))
        offsets = [(start, end) for start, end, _ in parts]
        return [text[start:end] for start, end in offsets], offsets, [token for _, _, token in parts]

    def _matches(self, text: str) -> Iterator[tuple[int, str]]:
        """Where tokens stand in `text`: the first place, the longest one there, and so on behind it."""
        place = 0
        while place < len(text):
            token = self._longest(text, place)
            if token:
                yield place, token
            place += len(token) or 1

    def _longest(self, text: str, place: int) -> str:
        """The longest token that begins at `place`, or none: the empty text, so that an empty token is never found."""
        return max((token for token in self.tokens if text.startswith(token, place)), key=len, default="")

    def _is_refused(self, text: str, start: int, token: str, parse_special: bool) -> bool:
        """Whether `token` may not be found at `start`."""
        if token in self.special and not parse_special:
            return True
        end = start + len(token)
        beside = text[max(0, start - 1) : start] + text[end : end + 1]
        return token in self.single_word and not characters("hf").word.isdisjoint(beside)

    def _widened(self, text: str, found: Iterable[tuple[int, str]]) -> Iterator[tuple[int, int, str]]:
        """Each match with the white space that it takes, which no other match has."""
        white_space = characters("hf").white_space
        done = 0  # where the match before ends
        for (start, token), (limit, _) in pairwise([*found, (len(text), "")]):
            left, right = start, start + len(token)
            while token in self.lstrip and left > done and text[left - 1] in white_space:
                left -= 1
            while token in self.rstrip and right < limit and text[right] in white_space:
                right += 1
            yield left, right, token
            done = right
