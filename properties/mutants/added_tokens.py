"""Mutants of the added tokens."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from itertools import accumulate, pairwise
from typing import TypeAlias

from goldpiece.reference.added_tokens import AddedTokens
from goldpiece.reference.unicode import characters
from goldpiece.suite.mutants import mutant

Parts: TypeAlias = tuple[list[str], list[tuple[int, int]], list[str | None]]
Match: TypeAlias = tuple[int, str]

ASCII = " \t\n\v\f\r"


@mutant(breaks="added_tokens.covers-the-text", story="drops the text behind the last token")
class DropsTheEnd(AddedTokens):
    def split(self, text: str, parse_special: bool = True) -> Parts:
        parts, offsets, added = super().split(text, parse_special)
        kept = slice(-1 if added[1:] and added[-1] is None else None)
        return parts[kept], offsets[kept], added[kept]


@mutant(breaks="added_tokens.covers-the-text", story="puts an empty part between tokens that adjoin")
class EmptyParts(AddedTokens):
    def split(self, text: str, parse_special: bool = True) -> Parts:
        parts, offsets, added = super().split(text, parse_special)
        for place in range(len(parts) - 1, 0, -1):
            if added[place - 1] is not None and added[place] is not None:
                end = offsets[place - 1][1]
                parts.insert(place, "")
                offsets.insert(place, (end, end))
                added.insert(place, None)
        return parts, offsets, added


@mutant(breaks="added_tokens.covers-the-text", story="cuts around a match that it refuses")
class CutsAroundTheRefused(AddedTokens):
    def split(self, text: str, parse_special: bool = True) -> Parts:
        _, spans, added = super().split(text, parse_special)
        known = dict(zip(spans, added, strict=True))
        refused = [
            (start, start + len(token))
            for start, token in self._matches(text)
            if self._is_refused(text, start, token, parse_special)
        ]
        pieces = list(pairwise(sorted({edge for span in [*spans, *refused] for edge in span})))
        return [text[start:end] for start, end in pieces], pieces, [known.get(piece) for piece in pieces]


@mutant(breaks="added_tokens.longest-match", story="takes the first of the list that matches")
class FirstOfTheList(AddedTokens):
    def _longest(self, text: str, place: int) -> str:
        return next((token for token in self.tokens if token and text.startswith(token, place)), "")


@mutant(
    breaks="added_tokens.longest-match", story="takes the longest token of the text first, and not the first to come"
)
class LongestOfAll(AddedTokens):
    def _matches(self, text: str) -> Iterator[Match]:
        found: list[Match] = []
        rest = text
        for token in sorted(self.tokens, key=len, reverse=True):
            for match in re.finditer(re.escape(token), rest) if token else ():
                found.append((match.start(), token))
            rest = rest.replace(token, "\ufdd0" * len(token)) if token else rest
        yield from sorted(found)


@mutant(breaks="added_tokens.longest-match", story="finds each token once only")
class FindsOnce(AddedTokens):
    def _matches(self, text: str) -> Iterator[Match]:
        seen: set[str] = set()
        for start, token in super()._matches(text):
            if token not in seen:
                yield start, token
            seen.add(token)


class OtherWords(AddedTokens):
    """Added tokens with another notion of what may not stand beside a single word."""

    def forbids(self, before: str, behind: str) -> bool:
        """Whether a single word is refused between one character and two, fewer at an end of the text."""
        raise NotImplementedError

    def _is_refused(self, text: str, start: int, token: str, parse_special: bool) -> bool:
        if token not in self.single_word:
            return super()._is_refused(text, start, token, parse_special)
        end = start + len(token)
        return self.forbids(text[max(0, start - 1) : start], text[end : end + 2])


@mutant(breaks="added_tokens.single-word", story="knows only the word characters of ASCII")
class AsciiWords(OtherWords):
    def forbids(self, before: str, behind: str) -> bool:
        return bool(re.search(r"\w", before + behind[:1], re.ASCII))


@mutant(breaks="added_tokens.single-word", story="takes for \\w what Python does, which leaves out marks and joiners")
class PythonsWords(OtherWords):
    def forbids(self, before: str, behind: str) -> bool:
        return bool(re.search(r"\w", before + behind[:1]))


@mutant(breaks="added_tokens.single-word", story="does not look at what stands before the token")
class LooksBehindOnly(OtherWords):
    def forbids(self, before: str, behind: str) -> bool:
        return behind[:1] in characters("hf").word


@mutant(breaks="added_tokens.single-word", report="huggingface/tokenizers#918", story="looks one character too far")
class OneTooFar(OtherWords):
    def forbids(self, before: str, behind: str) -> bool:
        return not characters("hf").word.isdisjoint(before + behind[1:])


@mutant(
    breaks="added_tokens.single-word", story="lets a single word stand beside another token, whatever that ends with"
)
class TokensAreBoundaries(OtherWords):
    def forbids(self, before: str, behind: str) -> bool:
        beside = {before, behind[:1]} - set(self.tokens)
        return not characters("hf").word.isdisjoint(beside)


@mutant(breaks="added_tokens.refused-matches", story="tries a shorter token in the place of a refused one")
class TriesTheShorter(AddedTokens):
    def _longest(self, text: str, place: int) -> str:
        fitting = [token for token in self.tokens if token and text.startswith(token, place)]
        return max((each for each in fitting if not self._is_refused(text, place, each, True)), key=len, default="")


@mutant(breaks="added_tokens.refused-matches", story="searches on within a match that is no single word")
class SearchesWithin(AddedTokens):
    def _matches(self, text: str) -> Iterator[Match]:
        place = 0
        while place < len(text):
            token = self._longest(text, place)
            refused = self._is_refused(text, place, token, True)
            if token and not refused:
                yield place, token
            place += 1 if refused else len(token) or 1


@mutant(breaks="added_tokens.refused-matches", story="finds other tokens within special ones that are switched off")
class SpecialLeftOut(AddedTokens):
    def split(self, text: str, parse_special: bool = True) -> Parts:
        sought = [token for token in self.tokens if parse_special or token not in self.special]
        return AddedTokens(sought, self.single_word, self.lstrip, self.rstrip).split(text)


class TakesLess(AddedTokens):
    """Added tokens that take less of the white space beside them."""

    def before(self, spaces: str) -> str:
        """The end of `spaces` that is taken."""
        return spaces

    def behind(self, spaces: str) -> str:
        """The beginning of `spaces` that is taken."""
        return spaces

    def _widened(self, text: str, found: Iterable[Match]) -> Iterator[tuple[int, int, str]]:
        matches = list(found)
        for (first, token), (start, end, _) in zip(matches, super()._widened(text, matches), strict=True):
            last = first + len(token)
            yield first - len(self.before(text[start:first])), last + len(self.behind(text[last:end])), token


@mutant(breaks="added_tokens.lstrip", story="takes one white-space character before a token, and not all")
class TakesOneBefore(TakesLess):
    def before(self, spaces: str) -> str:
        return spaces[-1:]


@mutant(breaks="added_tokens.lstrip", story="takes only the white space of ASCII before a token")
class TakesAsciiBefore(TakesLess):
    def before(self, spaces: str) -> str:
        return spaces[len(spaces.rstrip(ASCII)) :]


@mutant(breaks="added_tokens.lstrip", story="takes white space that is another token, or that the one before has taken")
class RunsIntoTheOneBefore(AddedTokens):
    def _widened(self, text: str, found: Iterable[Match]) -> Iterator[tuple[int, int, str]]:
        matches = list(found)
        for match, (_, end, token) in zip(matches, super()._widened(text, matches), strict=True):
            [(start, _, _)] = super()._widened(text, [match])
            yield start, end, token


@mutant(breaks="added_tokens.rstrip", story="takes one white-space character behind a token, and not all")
class TakesOneBehind(TakesLess):
    def behind(self, spaces: str) -> str:
        return spaces[:1]


@mutant(breaks="added_tokens.rstrip", story="takes only the white space of ASCII behind a token")
class TakesAsciiBehind(TakesLess):
    def behind(self, spaces: str) -> str:
        return spaces[: len(spaces) - len(spaces.lstrip(ASCII))]


@mutant(breaks="added_tokens.no-overlap", story="takes white space with which the next token begins")
class RunsIntoTheNext(AddedTokens):
    def _widened(self, text: str, found: Iterable[Match]) -> Iterator[tuple[int, int, str]]:
        for start, end, token in super()._widened(text, found):
            rest = text[end:].lstrip() if token in self.rstrip else text[end:]
            yield start, len(text) - len(rest), token


@mutant(breaks="added_tokens.no-overlap", story="leaves white space to a token that is refused")
class StopsAtTheRefused(AddedTokens):
    def _widened(self, text: str, found: Iterable[Match]) -> Iterator[tuple[int, int, str]]:
        places = [place for place, _ in self._matches(text)]
        for start, end, token in super()._widened(text, found):
            behind = (place for place in places if start + len(token) <= place < end)
            yield start, min(behind, default=end), token


@mutant(breaks="added_tokens.special", report="keras-team/keras-hub#1395", story="does not find special tokens")
class NeverFindsSpecial(AddedTokens):
    def split(self, text: str, parse_special: bool = True) -> Parts:
        return super().split(text, False)


@mutant(
    breaks="added_tokens.special",
    report="marcelroed/gigatoken#57",
    story="finds special tokens also where it should not",
)
class AlwaysFindsSpecial(AddedTokens):
    def split(self, text: str, parse_special: bool = True) -> Parts:
        return super().split(text, True)


@mutant(breaks="added_tokens.special", story="finds no token at all without parse_special")
class SwitchesAllOff(AddedTokens):
    def _is_refused(self, text: str, start: int, token: str, parse_special: bool) -> bool:
        return not parse_special or super()._is_refused(text, start, token, parse_special)


@mutant(
    breaks="added_tokens.exact-characters",
    report="huggingface/transformers#2052",
    story="lowercases the text before it is cut",
)
class LowercasesFirst(AddedTokens):
    def split(self, text: str, parse_special: bool = True) -> Parts:
        return super().split(text.lower(), parse_special)


@mutant(breaks="added_tokens.exact-characters", story="overlooks case")
class OverlooksCase(AddedTokens):
    def _longest(self, text: str, place: int) -> str:
        fitting = (token for token in self.tokens if text[place : place + len(token)].lower() == token.lower())
        return max(fitting, key=len, default="")


@mutant(breaks="added_tokens.exact-characters", story="composes the text before it is cut")
class ComposesFirst(AddedTokens):
    def split(self, text: str, parse_special: bool = True) -> Parts:
        return super().split(unicodedata.normalize("NFC", text), parse_special)


@mutant(breaks="added_tokens.empty-contents", story="finds an empty token at the start of the text")
class FindsTheEmpty(AddedTokens):
    def split(self, text: str, parse_special: bool = True) -> Parts:
        parts, offsets, added = super().split(text, parse_special)
        return (["", *parts], [(0, 0), *offsets], ["", *added]) if "" in self.tokens else (parts, offsets, added)


@mutant(
    breaks="added_tokens.offsets",
    report="huggingface/transformers#3796",
    story="counts a token by its own length, so that offsets shift behind white space that it has taken",
)
class OffsetsByLength(AddedTokens):
    def split(self, text: str, parse_special: bool = True) -> Parts:
        parts, _, added = super().split(text, parse_special)
        lengths = [len(part if token is None else token) for part, token in zip(parts, added, strict=True)]
        return parts, list(pairwise(accumulate(lengths, initial=0))), added


@mutant(breaks="added_tokens.offsets", story="counts the bytes of UTF-8")
class OffsetsInBytes(AddedTokens):
    def split(self, text: str, parse_special: bool = True) -> Parts:
        parts, _, added = super().split(text, parse_special)
        lengths = [len(part.encode("utf-8", "surrogatepass")) for part in parts]
        return parts, list(pairwise(accumulate(lengths, initial=0))), added


@mutant(breaks="added_tokens.pure", story="remembers how a text was cut, with parse_special or without")
class RemembersTheText(AddedTokens):
    def split(self, text: str, parse_special: bool = True) -> Parts:
        seen: dict[str, Parts] = self.__dict__.setdefault("seen", {})
        return seen.setdefault(text, super().split(text, parse_special))
