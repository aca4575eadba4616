"""Of the subject `tokenizers` what cuts and fills rows, before a model to which numbers are words."""

from collections.abc import Sequence

from goldpiece.errors import GoldpieceError
from goldpiece.suite.subjects.ready import HAVE_IT

if HAVE_IT:
    import tokenizers as hf


OTHER = "?"  # a token that is no number


class SequenceTooShort(GoldpieceError):
    """What `tokenizers` reports with a plain Exception, as the next."""


class SecondSequenceMissing(GoldpieceError):
    """See SequenceTooShort."""


class StrideTooLarge(GoldpieceError):
    """What `tokenizers` reports with a ValueError or a panic."""


class Truncation:
    """Tokenizer.enable_truncation, before a template with so many special tokens"""

    def __init__(self, max_length: int, strategy: str = "longest_first", side: str = "right", stride: int = 0) -> None:
        self.max_length, self.stride, self.strategy, self.side = max_length, stride, strategy, side

    def truncate(self, first: list[int], second: list[int] | None, special_tokens: int) -> object:
        (row,) = self._rows([(first, second)], special_tokens)
        return self._kept(row, 0), None if second is None else self._kept(row, 1)

    def windows(self, first: int, second: int | None, special_tokens: int) -> object:
        (row,) = self._rows([(range(first), None if second is None else range(second))], special_tokens)
        rows = [row, *row.overflowing]
        return [self._kept(each, 0) for each in rows], None if second is None else [
            self._kept(each, 1) for each in rows
        ]

    def windows_of_batch(self, lengths: list[int], special_tokens: int) -> object:
        batch = self._rows([(range(length), None) for length in lengths], special_tokens)
        rows = [(number, each) for number, row in enumerate(batch) for each in (row, *row.overflowing)]
        return [number for number, _ in rows], [self._kept(row, 0) for _, row in rows]

    def _rows(
        self, given: Sequence[tuple[Sequence[int], Sequence[int] | None]], special_tokens: int
    ) -> "list[hf.Encoding]":
        """One for each sequence or pair, with the others as what overflows from it."""
        numbers = {str(number) for pair in given for sequence in pair for number in sequence or ()}
        ids = {word: number for number, word in enumerate([OTHER, *numbers])}
        whole = hf.Tokenizer(hf.models.WordLevel(ids, unk_token=OTHER))
        frame = [OTHER] * special_tokens
        whole.post_processor = hf.processors.TemplateProcessing(
            single=[*frame, "$A:0"], pair=[*frame, "$A:0", "$B:1"], special_tokens=[(OTHER, 0)]
        )
        words = [tuple([*map(str, sequence)] for sequence in pair if sequence is not None) for pair in given]
        rows = [pair[0] if len(pair) == 1 else pair for pair in words]
        try:
            whole.enable_truncation(self.max_length, stride=self.stride, strategy=self.strategy, direction=self.side)
            return whole.encode_batch(rows, is_pretokenized=True)
        except BaseException as error:  # a panic is no Exception
            raise _truncation_error(error) from error

    def _kept(self, row: "hf.Encoding", sequence: int) -> list[int]:
        known = zip(row.tokens, row.type_ids, row.special_tokens_mask, strict=True)
        return [int(token) for token, type_id, mark in known if not mark and type_id == sequence]


def _truncation_error(error: BaseException) -> BaseException:
    """The error under the name that the spec has for it."""
    kinds = {
        "too short to respect": SequenceTooShort,
        "Second sequence not provided": SecondSequenceMissing,
        "stride": StrideTooLarge,
    }
    return next((kind(str(error)) for message, kind in kinds.items() if message in str(error)), error)


class Padding:
    """Tokenizer.enable_padding"""

    def __init__(
        self,
        pad_id: int | None = 0,
        pad_type_id: int = 0,
        side: str = "right",
        max_length: int | None = None,
        multiple_of: int | None = None,
    ) -> None:
        if pad_id is None:
            raise NotImplementedError("pad_id = null")
        self.max_length = max_length
        self.options = {
            "pad_id": pad_id,
            "pad_type_id": pad_type_id,
            "direction": side,
            "length": max_length,
            "pad_to_multiple_of": multiple_of,
        }

    def pad(self, ids: list[list[int]], type_ids: object, special_tokens_mask: object) -> object:
        if (type_ids, special_tokens_mask) != (None, None):
            raise NotImplementedError("type ids and masks that are given")
        rows = self._tokenizer(ids).encode_batch([list(map(str, row)) for row in ids], is_pretokenized=True)
        names = ("ids", "type_ids", "special_tokens_mask", "attention_mask")
        return {name: [getattr(row, name) for row in rows] for name in names}

    def pad_or_truncate(self, ids: list[int]) -> object:
        if self.max_length is None:
            raise NotImplementedError("a row without a length")
        whole = self._tokenizer([ids])
        whole.enable_truncation(self.max_length)
        return whole.encode(list(map(str, ids)), is_pretokenized=True).ids

    def _tokenizer(self, ids: list[list[int]]) -> "hf.Tokenizer":
        known = {str(number): number for row in ids for number in row} or {OTHER: 0}
        whole = hf.Tokenizer(hf.models.WordLevel(known, unk_token=next(iter(known))))
        whole.enable_padding(**self.options)
        return whole
