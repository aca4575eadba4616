"""The byte-level BPE tokenizer, as GPT-2 has it: text to ids and back. Spec: spec/bpe_tokenizer.yaml."""

from base64 import b64encode
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Literal, Self

from goldpiece.encoding import Encoding
from goldpiece.formats import bpe_files, bpe_tokenizer_json
from goldpiece.formats.bpe_tokenizer_json import BPETokenizerFile
from goldpiece.formats.strict_json import UnsupportedPart
from goldpiece.formats.tokenizer_json import AddedToken as ListedToken
from goldpiece.formats.vocab_txt import LONGEST
from goldpiece.reference.added_tokens import AddedToken, AddedTokens
from goldpiece.reference.bpe import BPE, Merge
from goldpiece.reference.byte_level import PATTERNS, ByteLevel, bytes_of, written
from goldpiece.reference.encoder import Encoder, Token

END_OF_TEXT = "<|endoftext|>"
_NAMES = {pattern: name for name, pattern in PATTERNS.items()}


@dataclass(frozen=True)
class BPEExplanation:
    """What became of a text, merge by merge."""

    text: str
    added: list[str]  # the added tokens that were found in it
    words: list[str]  # in the alphabet of bytes, added tokens among them
    merges: list[list[Merge]]  # of each word what its merges made, in order, with its places in the word
    pieces: list[list[str]]  # of each word, as they came out
    ids: list[int]


@dataclass(frozen=True)
class BPETokenizer(Encoder):
    """`vocab` has the token of each id, in the alphabet of bytes, and `merges` pairs of them, that of rank 0 first.

    Special tokens and added tokens that the vocabulary lacks get the ids behind it, in their order. With `trim_offsets`
    the offsets of a token leave out the spaces at its ends.
    """

    vocab: Sequence[str]
    merges: Sequence[tuple[str, str]]
    pattern: str = "gpt2"
    add_prefix_space: bool = False
    ignore_merges: bool = False
    special_tokens: Sequence[str] = ()
    added_tokens: Sequence[AddedToken] = ()
    trim_offsets: bool = False
    pad_token: str = END_OF_TEXT
    profile: Literal["hf", "google"] = "hf"  # says where the odd token of a pair stays when it is truncated

    def __post_init__(self) -> None:
        for name in ("vocab", "merges"):  # they are read more than once, and an iterator has its items only once
            object.__setattr__(self, name, tuple(getattr(self, name)))

    @classmethod
    def from_files(
        cls, encoder: Path | str, merges: Path | str, special_tokens: Sequence[str] = (END_OF_TEXT,)
    ) -> Self:
        """The tokenizer of GPT-2's encoder.json and vocab.bpe, at their paths. Raises FileError."""
        return cls(bpe_files.read_encoder(encoder), bpe_files.read_merges(merges), special_tokens=special_tokens)

    @classmethod
    def from_tiktoken(cls, ranks: Path | str, pattern: str, special_tokens: Sequence[str] = (END_OF_TEXT,)) -> Self:
        """The tokenizer of a file of tiktoken's ranks. Its special tokens, which the file lacks, get the ids behind it.

        Raises FileError, and UnknownPattern.
        """
        tokens = bpe_files.read_ranks(ranks)
        merges = [(written(first), written(second)) for first, second in bpe_files.merges_of_ranks(tokens)]
        return cls(list(map(written, tokens)), merges, pattern, ignore_merges=True, special_tokens=special_tokens)

    @classmethod
    def from_file(cls, path: Path | str) -> Self:
        """The tokenizer of a tokenizer.json with a byte-level BPE model, at its path.

        Raises FileError where the file cannot be read, is faulty, or has a part that is unsupported.
        """
        file = bpe_tokenizer_json.read(path)
        if file.split is not None and file.split not in _NAMES:
            problem, known = f"pre_tokenizer splits by {file.split[:LONGEST]!r}", ", ".join(_NAMES.values())
            raise UnsupportedPart(path, None, problem, f"Let it be the pattern of one of {known}")
        added = [
            AddedToken(**{name: value for name, value in vars(each).items() if name != "id"})
            for each in file.added_tokens
        ]
        return cls(
            file.vocab,
            file.merges,
            "gpt2" if file.split is None else _NAMES[file.split],
            add_prefix_space=file.add_prefix_space,
            ignore_merges=file.ignore_merges,
            added_tokens=added,
            trim_offsets=file.trim_offsets,
        )

    def save(self, path: Path | str) -> None:
        """Writes a tokenizer.json for `from_file` and Hugging Face tokenizers: all of it or, where it raises, nothing.

        Raises NotWritable and TokenNotWritable for what the file cannot carry, MergeOutOfVocabulary for merges that
        nobody could load, and FileError where it cannot be written.
        """
        listed = [ListedToken(self.ids[each.content], **vars(each)) for each in dict.fromkeys(self.added)]
        file = BPETokenizerFile(
            tuple(self._model.vocab),  # the model refuses merges that do not fit
            self.merges,
            sorted(listed, key=lambda token: token.id),
            None if self.pattern == "gpt2" else PATTERNS[self.pattern],
            *(self.add_prefix_space, self.ignore_merges, self.trim_offsets),
        )
        bpe_tokenizer_json.write(path, file)

    def align(self, text: str) -> Encoding:
        """The encoding of `text`, for what it says of places: `offsets` and `word_ids`. Raises what `encode` raises."""
        return self.encode(text)

    def explain(self, text: str) -> BPEExplanation:
        """What becomes of `text`, merge by merge. Raises what `encode` raises."""
        ids = self.encode(text).ids
        parts, _, added = self._raw_tokens.split(text)
        found = BPEExplanation(text, [name for name in added if name is not None], [], [], [], ids)
        for part, name in zip(parts, added, strict=True):
            for word in [name] if name is not None else self._byte_level.pre_tokenize(part)[0]:
                found.words.append(word)
                found.merges.append([] if name is not None else self._model_for(word).merges_made(word))
                found.pieces.append([word] if name is not None else self._pieces(word)[0])
        return found

    # Ids to text.

    def decode(self, ids: Iterable[int], skip_special_tokens: bool = True) -> str:
        """The text of `ids`, with U+FFFD where their bytes are no UTF-8. Raises UnknownId."""
        return self.bytes_of_ids(ids, skip_special_tokens).decode("utf-8", "replace")

    def decode_bytes(self, ids: Iterable[int], skip_special_tokens: bool = False) -> str:
        """The bytes of `ids`, in base64; `bytes_of_ids` gives them as they are. Raises UnknownId."""
        return b64encode(self.bytes_of_ids(ids, skip_special_tokens)).decode("ascii")

    def bytes_of_ids(self, ids: Iterable[int], skip_special_tokens: bool = False) -> bytes:
        """The bytes of `ids`. Raises UnknownId."""
        tokens = map(self.id_to_token, ids)
        return b"".join(
            token.encode("utf-8", "surrogatepass") if token in self._as_text else bytes_of(token)
            for token in tokens
            if not (skip_special_tokens and token in self._special)
        )

    # The vocabulary.

    @cached_property
    def all_tokens(self) -> Sequence[str]:
        """The token of each id: the vocabulary, and behind it the added tokens that it lacks."""
        known = set(self.vocab)
        return [*self.vocab, *dict.fromkeys(token.content for token in self.added if token.content not in known)]

    @cached_property
    def added(self) -> Sequence[AddedToken]:
        """The added tokens, and the special tokens."""
        special = [AddedToken(token, normalized=False, special=True) for token in self.special_tokens]
        return [*special, *self.added_tokens]

    @cached_property
    def _special(self) -> frozenset[str]:
        return frozenset(token.content for token in self.added if token.special)

    @cached_property
    def _as_text(self) -> frozenset[str]:
        """Added tokens, which are written as they stand in text, and not in the alphabet of bytes."""
        return frozenset(token.content for token in self.added)

    # The components.

    @cached_property
    def _raw_tokens(self) -> AddedTokens:
        """There is no normalizer, so that all added tokens are sought in the text as given."""
        return AddedTokens.of(self.added)

    @cached_property
    def _byte_level(self) -> ByteLevel:
        return ByteLevel(self.pattern, self.add_prefix_space)

    @cached_property
    def _model(self) -> BPE:
        return BPE(self.vocab, self.merges, ignore_merges=self.ignore_merges)

    @cached_property
    def _merging(self) -> BPE:
        """For words and pieces that are special tokens, which no entry may stand for."""
        return replace(self._model, ignore_merges=False)

    def _model_for(self, word: str) -> BPE:
        return self._merging if word in self._special else self._model

    def _pieces(self, word: str) -> tuple[list[str], list[tuple[int, int]]]:
        """The pieces of a word, and where they begin and end. Text that is plain never becomes a special token.

        Merges may make one on the way to other pieces; one that is left is taken apart.
        """
        pieces, spans = self._model_for(word).tokenize(word)
        if self._special.isdisjoint(pieces):
            return pieces, spans
        pieces = [part for piece in pieces for part in self._apart(piece)]
        return pieces, list(pairwise(accumulate(map(len, pieces), initial=0)))

    def _apart(self, piece: str) -> list[str]:
        """The piece; where it is a special token, the two that its last merge joined, which are none any more.

        A byte is left as it is: nothing else stands for it.
        """
        if piece not in self._special or len(piece) == 1:
            return [piece]
        middle = self._merging.merges_made(piece)[-1].middle
        return [part for each in (piece[:middle], piece[middle:]) for part in self._apart(each)]

    def _normalized(self, part: str, start: int, word: int, parse_special: bool) -> list[Token]:  # noqa: ARG002
        tokens: list[Token] = []
        for text, (begin, end) in zip(*self._byte_level.pre_tokenize(part), strict=True):
            pieces, spans = self._pieces(text)
            starts, ends = _places(part[begin:end], start + begin, len(text))
            for piece, (first, behind) in zip(pieces, spans, strict=True):
                if self.trim_offsets:
                    first, behind = _without_spaces(piece, first, behind)  # noqa: PLW2901 (the same place, narrower)
                begins = starts[first] if first < behind else ends[behind - 1]
                tokens.append(Token(self.ids[piece], begins, ends[behind - 1], word))
            word += 1
        return tokens


def _without_spaces(piece: str, first: int, behind: int) -> tuple[int, int]:
    """Where a piece begins and ends within its word, in bytes, without the spaces at its ends."""
    before = len(piece) - len(piece.lstrip("Ġ"))
    if before == len(piece):
        return behind, behind
    return first + before, behind - (len(piece) - len(piece.rstrip("Ġ")))


def _places(text: str, start: int, length: int) -> tuple[Sequence[int], Sequence[int]]:
    """For each of the `length` bytes of a word where the character that it is of begins and ends.

    The word is `text`, which begins at `start`; a byte more is a space that was put before it, and takes no place.
    """
    if len(text) == length:
        return range(start, start + length), range(start + 1, start + length + 1)
    places = [place for place, char in enumerate(text, start) for _ in char.encode()]
    put_before = [start] * (length - len(places))
    return put_before + places, put_before + [place + 1 for place in places]
