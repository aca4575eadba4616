"""Adapters for the BPE model of Hugging Face tokenizers, and for what it does at the level of bytes."""

import re

from goldpiece.errors import GoldpieceError
from goldpiece.suite.subjects.ready import HAVE_IT, UnknownTokenMissing

if HAVE_IT:
    import tokenizers as hf


class MergeOutOfVocabulary(GoldpieceError):
    """What `tokenizers` reports with a plain Exception."""


class DropoutOutOfRange(GoldpieceError):
    """What `tokenizers` reports with a plain Exception."""


PROBLEMS = {  # what a message says, and what it means
    "Token .* out of vocabulary": MergeOutOfVocabulary,
    "Dropout should be between": DropoutOutOfRange,
    "Unk token .* not found in the vocabulary": UnknownTokenMissing,
}


class BPE:
    """models.BPE"""

    def __init__(
        self,
        vocab: list[str],
        merges: list[list[str]],
        *,
        unk_token: str | None = None,
        fuse_unk: bool = False,
        end_of_word: str = "",
        byte_fallback: bool = False,
        ignore_merges: bool = False,
        dropout: float | None = None,
    ) -> None:
        ids = {token: number for number, token in enumerate(vocab)}
        given = {"unk_token": unk_token, "end_of_word_suffix": end_of_word or None, "dropout": dropout}
        switches = {"fuse_unk": fuse_unk, "byte_fallback": byte_fallback, "ignore_merges": ignore_merges}
        said = {name: value for name, value in given.items() if value is not None}  # it refuses None
        try:
            self.model = hf.models.BPE(ids, [(first, second) for first, second in merges], **said, **switches)
        except BaseException as error:
            if type(error).__name__ == "PanicException":
                raise NotImplementedError("saying which merge makes no entry: it panics") from error
            raise renamed(error) from error

    def tokenize(self, word: str) -> object:
        try:
            tokens = self.model.tokenize(word)
        except Exception as error:
            raise renamed(error) from error
        # Its offsets count bytes here, and characters in the encodings of a whole tokenizer.
        of_byte = [place for place, character in enumerate(word) for _ in character.encode()] + [len(word)]
        spans = [(of_byte[start], of_byte[end - 1] + 1) for start, end in (token.offsets for token in tokens)]
        return [token.value for token in tokens], spans


def renamed(error: BaseException) -> BaseException:
    """The error that a spec names; the same where none does."""
    kinds = (kind for pattern, kind in PROBLEMS.items() if re.search(pattern, str(error)))
    return next((kind(str(error)) for kind in kinds), error)
