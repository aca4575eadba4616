"""What spec/pre_tokenizer.yaml defines, from the Unicode Character Database and the spec's tables."""

import string
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise

from goldpiece.suite.scope import Scope
from goldpiece.suite.spec import Spec
from goldpiece.suite.values import Value

from .. import unicode14


@dataclass(frozen=True, eq=False)
class Definition:
    """One profile's definition: which characters cut, and what is left between the cuts."""

    spec: Spec
    profile: str

    @cached_property
    def white_space(self) -> frozenset[int]:
        return frozenset(self.spec.table("white-space", self.profile))

    @cached_property
    def punctuation(self) -> frozenset[int]:
        of_unicode = frozenset(unicode14.of("P")) | frozenset(map(ord, string.punctuation))
        gone, once = (self.spec.table(name, self.profile) for name in ("not-punctuation", "once-punctuation"))
        return of_unicode - frozenset(gone) | frozenset(once)

    def words(self, text: str) -> Value:
        """A blank in the place of white space, blanks around punctuation: what stands between blanks is a token."""
        tokens: list[Value] = []
        offsets: list[Value] = []
        cuts = sorted(
            {0, len(text)}
            | {
                edge
                for place, char in enumerate(text)
                if ord(char) in self.white_space or ord(char) in self.punctuation
                for edge in (place, place + 1)
            }
        )
        for start, end in pairwise(cuts):
            if ord(text[start]) not in self.white_space:
                tokens.append(text[start:end])
                offsets.append([start, end])
        return {"tokens": tokens, "offsets": offsets}


@cache
def _definition(spec: Spec, profile: str) -> Definition:
    return Definition(spec, profile)


def definition(scope: Scope) -> Definition:
    """The profile's definition; its tables are made once."""
    assert scope.profile is not None
    return _definition(scope.spec, scope.profile)
