"""Which texts of a tokenizer the kernels do not encode, so that the reference has to.

- One that has an added token which is found in a way of its own: as a single word, with the white space beside it, or
  beginning with anything but an ASCII punctuation mark.
- One that may have an added token which is sought in normalized text: that has characters of which every one of the
  token's could have come.
- Without special tokens in text, one that has any added token that is no special one; for where these stand depends on
  the special ones, though those are plain text.

Code points beyond the tables, lone surrogates, and unknown words without an unknown token are for the kernels to find.
"""

import re
import string
from collections.abc import Sequence
from dataclasses import dataclass

from goldpiece.fast.wordpiece.characters import spellings
from goldpiece.reference.added_tokens import AddedToken
from goldpiece.reference.normalizer import Normalizer


@dataclass(frozen=True)
class Coverage:
    """What of the added tokens the kernels find, and what tells that a text may have another."""

    found: Sequence[str]  # by the kernels
    verbatim: Sequence[str]  # not by them, and in the text as given
    normalized: Sequence[Sequence[re.Pattern[str]]]  # of each token that is sought in normalized text, its characters

    @classmethod
    def of(cls, added: Sequence[AddedToken], normalizer: Normalizer, parse_special: bool) -> "Coverage":
        """That of a tokenizer which has these added tokens."""
        raw = [token for token in added if token.content and not token.normalized]
        if parse_special:
            found = [token.content for token in raw if _is_plain(token)]
            verbatim = [token.content for token in raw if not _is_plain(token)]
        else:
            found, verbatim = [], [token.content for token in raw if not token.special]
        forms = {normalizer.normalize(token.content) for token in added if token.normalized}
        normalized = [
            [re.compile(f"[{re.escape(spellings(normalizer, char))}]") for char in sorted(set(form) - {" "})]
            for form in sorted(forms - {""})
        ]
        return cls(found, verbatim, normalized)

    @property
    def is_whole(self) -> bool:
        """Whether there is nothing to look for in a text."""
        return not (self.verbatim or self.normalized)

    def leaves(self, text: str) -> bool:
        """Whether a text is for the reference."""
        return any(token in text for token in self.verbatim) or any(
            all(char.search(text) for char in token) for token in self.normalized
        )


def _is_plain(token: AddedToken) -> bool:
    """Whether a token is found wherever it stands, and ends the word before it by its first character."""
    return token.content[0] in string.punctuation and not (token.single_word or token.lstrip or token.rstrip)
