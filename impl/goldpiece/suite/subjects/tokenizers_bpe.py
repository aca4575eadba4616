"""Adapters for the BPE model of Hugging Face tokenizers, and for what it does at the level of bytes."""

import re
from collections.abc import Sequence

from goldpiece.errors import GoldpieceError
from goldpiece.reference.byte_level import PATTERNS
from goldpiece.suite.subjects.named_errors import UnknownTokenMissing
from goldpiece.suite.subjects.ready import HAVE_IT, ReadyTokenizer

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


class ByteLevel:
    """pre_tokenizers.ByteLevel, behind pre_tokenizers.Split for another pattern; decoders.ByteLevel and DecodeStream"""

    def __init__(self, pattern: str = "gpt2", add_prefix_space: bool = False) -> None:
        if pattern not in PATTERNS or (add_prefix_space and pattern != "gpt2"):
            raise NotImplementedError("other patterns, which have no names and take no prefix space")
        is_own = pattern == "gpt2"
        in_bytes = hf.pre_tokenizers.ByteLevel(add_prefix_space=add_prefix_space, use_regex=is_own)
        split = [] if is_own else [hf.pre_tokenizers.Split(hf.Regex(PATTERNS[pattern]), "isolated")]
        self.words = hf.pre_tokenizers.Sequence([*split, in_bytes])

    def pre_tokenize(self, text: str) -> object:
        words = self.words.pre_tokenize_str(text)
        return [word for word, _ in words], [offsets for _, offsets in words]

    def decode(self, tokens: list[str]) -> object:
        return hf.decoders.ByteLevel().decode(tokens)

    def stream(self, tokens: list[str]) -> object:
        """It has no end of the stream, at which it gives out nothing."""
        ids = {token: number for number, token in enumerate(dict.fromkeys(["?", *tokens]))}
        whole = hf.Tokenizer(hf.models.WordLevel(ids, unk_token="?"))
        whole.decoder = hf.decoders.ByteLevel()
        decoding = hf.decoders.DecodeStream(skip_special_tokens=False)
        return [*(decoding.step(whole, ids[token]) or "" for token in tokens), ""]


class BPETokenizer(ReadyTokenizer):
    """Tokenizer with models.BPE and what ByteLevel there is"""

    def __init__(
        self,
        vocab: list[str],
        merges: list[list[str]],
        *,
        pattern: str = "gpt2",
        add_prefix_space: bool = False,
        ignore_merges: bool = False,
        special_tokens: Sequence[str] = (),
        trim_offsets: bool = False,
    ) -> None:
        super().__init__(hf.Tokenizer(BPE(vocab, merges, ignore_merges=ignore_merges).model))
        self.whole.pre_tokenizer = ByteLevel(pattern, add_prefix_space).words
        self.whole.decoder = hf.decoders.ByteLevel()
        self.whole.post_processor = hf.processors.ByteLevel(
            add_prefix_space=add_prefix_space, trim_offsets=trim_offsets
        )
        self.whole.add_special_tokens(list(special_tokens))

    def align(self, text: str) -> object:
        return self.whole.encode(text)


def renamed(error: BaseException) -> BaseException:
    """The error that a spec names; the same where none does."""
    kinds = (kind for pattern, kind in PROBLEMS.items() if re.search(pattern, str(error)))
    return next((kind(str(error)) for kind in kinds), error)
