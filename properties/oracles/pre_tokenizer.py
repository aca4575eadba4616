"""What spec/pre_tokenizer.yaml defines, from the Unicode Character Database and the spec's tables."""

import string
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise

from goldpiece.suite.loader import load_specs
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

    @cached_property
    def cutting(self) -> frozenset[int]:
        return self.white_space | self.punctuation

    def spans(self, text: str) -> list[tuple[int, int]]:
        """A cut on either side of white space and punctuation: what stands between cuts and is no white space."""
        places = (place for place, char in enumerate(text) if ord(char) in self.cutting)
        cuts = sorted({0, len(text)} | {edge for place in places for edge in (place, place + 1)})
        return [(start, end) for start, end in pairwise(cuts) if ord(text[start]) not in self.white_space]

    def words(self, text: str) -> Value:
        """The outputs of the operation, by name."""
        spans = self.spans(text)
        return {"tokens": [text[start:end] for start, end in spans], "offsets": [list(span) for span in spans]}


@cache
def definition_of(profile: str) -> Definition:
    """A profile's definition; its tables are made once."""
    return Definition(load_specs().named("pre_tokenizer"), profile)


def definition(scope: Scope) -> Definition:
    """The definition of the profile at hand."""
    assert scope.profile is not None
    return definition_of(scope.profile)
