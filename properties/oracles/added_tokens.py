"""What spec/added_tokens.yaml defines: all occurrences of all tokens, and of which of them each character is."""

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import groupby

from goldpiece.suite.loader import load_specs
from goldpiece.suite.scope import Scope
from goldpiece.suite.spec import Spec
from goldpiece.suite.values import Value

from .. import unicode14
from ..strategies.added_tokens import Case

# What is alphabetic and neither letter, number nor mark: letters in circles and squares.
ENCLOSED = (range(0x24B6, 0x24EA), range(0x1F130, 0x1F14A), range(0x1F150, 0x1F16A), range(0x1F170, 0x1F18A))
JOINERS = (0x200C, 0x200D)


@dataclass(frozen=True, eq=False)
class Definition:
    """One profile's definition: which characters are white space or belong to words, and what is cut where."""

    spec: Spec
    profile: str

    @cached_property
    def white_space(self) -> frozenset[str]:
        return frozenset(map(chr, [*unicode14.of("Z"), *range(0x09, 0x0E), 0x85]))

    @cached_property
    def word(self) -> frozenset[str]:
        alphabetic = [*unicode14.of("L", "Nl"), *(point for letters in ENCLOSED for point in letters)]
        others = [*unicode14.of("M", "Nd", "Pc"), *JOINERS]
        return frozenset(map(chr, [*alphabetic, *others, *self.spec.table("newer-word-characters", self.profile)]))

    @cached_property
    def ends(self) -> Sequence[int]:
        """The first and the last code point of every run of one kind: word characters, white space, others."""
        kinds = [(char in self.word, char in self.white_space) for char in map(chr, range(sys.maxunicode + 1))]
        last = [point for point in range(sys.maxunicode) if kinds[point] != kinds[point + 1]]
        surrogates = range(0xD800, 0xE000)
        return [point for end in last for point in (end, end + 1) if point not in surrogates]

    def cut(self, case: Case, parse_special: bool = True) -> Value:
        """Each character is that of one token, or of none; a part is a run of characters that are of the same."""
        text, found = case.text, self._found(case, parse_special)
        owner: list[int | None] = [None] * len(text)
        for number, (start, token) in enumerate(found):
            owner[start : start + len(token)] = [number] * len(token)
        for name in ("rstrip", "lstrip"):
            for number, (start, token) in enumerate(found):
                beside = range(start + len(token), len(text)) if name == "rstrip" else range(start - 1, -1, -1)
                for place in beside if case.has(name, token) else ():
                    if text[place] not in self.white_space or owner[place] not in (None, number):
                        break
                    owner[place] = number
        runs = [(number, list(run)) for number, run in groupby(range(len(text)), key=owner.__getitem__)]
        return {
            "parts": [text[run[0] : run[-1] + 1] for _, run in runs],
            "offsets": [[run[0], run[-1] + 1] for _, run in runs],
            "added": [None if number is None else found[number][1] for number, _ in runs],
        }

    def _found(self, case: Case, parse_special: bool) -> list[tuple[int, str]]:
        """The occurrences that begin within no other that counts, the longest of each place; less the refused."""
        text = case.text
        tokens = filter(None, case.tokens)
        occurrences = [
            (each.start(), token) for token in tokens for each in re.finditer(f"(?={re.escape(token)})", text)
        ]
        counting: list[tuple[int, str]] = []
        for start, token in sorted(occurrences, key=lambda each: (each[0], -len(each[1]))):
            if not counting or start >= counting[-1][0] + len(counting[-1][1]):
                counting.append((start, token))

        def is_refused(start: int, token: str) -> bool:
            beside = {text[place] for place in (start - 1, start + len(token)) if 0 <= place < len(text)}
            within = case.has("single_word", token) and bool(beside & self.word)
            return within or (case.has("special", token) and not parse_special)

        return [(start, token) for start, token in counting if not is_refused(start, token)]


@cache
def _definition(spec: Spec, profile: str) -> Definition:
    return Definition(spec, profile)


def definition(scope: Scope) -> Definition:
    """The profile's definition; its tables are made once."""
    assert scope.profile is not None
    return _definition(scope.spec, scope.profile)


def definition_of(profile: str) -> Definition:
    """The same by the name of the profile."""
    return _definition(load_specs().named("added_tokens"), profile)
