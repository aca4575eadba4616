"""What every encoder does with batches: the keywords for truncation, padding and tensors that the field expects."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

import numpy as np

from goldpiece.encoding import Encodings
from goldpiece.errors import UsageError
from goldpiece.reference.batch import Batch, Tensors, as_tensors, cut, pad
from goldpiece.reference.padding import Padding
from goldpiece.reference.truncation import Strategy, Truncation

HowToCut: TypeAlias = bool | Strategy | Truncation | None
HowToPad: TypeAlias = bool | Literal["longest", "max_length"] | Padding | None


class Batching(ABC):
    """What a tokenizer can do with batches as soon as it has `encode_batch`.

    `truncation` is True for longest_first, the name of a strategy, or a Truncation, which says all. `padding` is True
    for the longest row, "max_length" for that width, or a Padding, which says all. Keywords that mean nothing, or
    nothing beside each other, raise UsageError.
    """

    profile: Literal["hf", "google"]  # says where the odd token of a pair stays

    @property
    @abstractmethod
    def pad_id(self) -> int | None:
        """The id of the padding token; None where the vocabulary has none."""

    @abstractmethod
    def encode_batch(
        self, texts: Sequence[str], pairs: Sequence[str | None] | None = None, add_special_tokens: bool = True
    ) -> Encodings:
        """The encodings of several texts, each with its pair if there are pairs."""

    def __call__(
        self,
        texts: Sequence[str],
        pairs: Sequence[str | None] | None = None,
        *,
        add_special_tokens: bool = True,
        truncation: HowToCut = None,
        max_length: int | None = None,
        stride: int = 0,
        overflow: bool = False,
        padding: HowToPad = None,
        pad_to_multiple_of: int | None = None,
        return_tensors: Tensors | None = None,
    ) -> dict[str, Any]:
        """Texts as models take them: `input_ids`, `token_type_ids` and `attention_mask`.

        They are lists, or with `return_tensors` arrays of NumPy ("np") or tensors of torch ("pt"). With `overflow` what
        is cut off makes further rows, and `overflow_to_sample_mapping` says of which text each row is.
        """
        if isinstance(texts, str):
            raise UsageError(f"{texts[:40]!r} is one text: give a list of texts, or call encode")
        if max_length is not None and not truncation and padding != "max_length":
            problem = f"max_length = {max_length}, and neither truncation nor padding takes it"
            raise UsageError(f'{problem}: give truncation=True, or padding="max_length"')
        encodings = self.encode_batch(texts, pairs, add_special_tokens)
        if truncation or stride or overflow:
            encodings = self.truncate(encodings, truncation, max_length, stride, overflow)
        width = max_length if padding == "max_length" else None
        how = padding_of(padding, width, pad_to_multiple_of, self.pad_id)
        made = pad(encodings, how).inputs(return_tensors) if how else _ragged(encodings, return_tensors)
        if overflow and encodings.examples is not None:
            made["overflow_to_sample_mapping"] = as_tensors(encodings.examples, return_tensors)
        return made

    def truncate(
        self,
        encodings: Encodings,
        truncation: HowToCut = True,
        max_length: int | None = None,
        stride: int = 0,
        overflow: bool = False,
    ) -> Encodings:
        """Encodings of which no row is longer than `max_length`, their frames whole.

        With `overflow` what is cut off makes further rows, each of which shares `stride` tokens with the one before;
        `examples` of the result says of which text each row is. Raises what Truncation raises.
        """
        return cut(encodings, truncation_of(self.profile, truncation, max_length, stride, overflow), overflow)

    def pad(
        self,
        encodings: Encodings,
        padding: HowToPad = True,
        max_length: int | None = None,
        pad_to_multiple_of: int | None = None,
    ) -> Batch:
        """Encodings in one width, as arrays. Raises PadTokenMissing and RowTooLong."""
        how = padding_of(padding, max_length, pad_to_multiple_of, self.pad_id)
        if how is None:
            raise UsageError(
                f"padding = {padding!r} makes no batch of rows of several lengths: give True, or a Padding"
            )
        return pad(encodings, how)


def truncation_of(
    profile: Literal["hf", "google"], truncation: HowToCut, max_length: int | None, stride: int, overflow: bool
) -> Truncation:
    """What the keywords of an encoder ask for. Raises UsageError."""
    if stride and not overflow:
        raise UsageError(f"stride = {stride} is for the rows that overflow: give overflow=True, or leave it out")
    if isinstance(truncation, Truncation):
        if max_length not in (None, truncation.max_length) or stride not in (0, truncation.stride):
            raise UsageError("max_length or stride stand beside a Truncation that says otherwise: say it there alone")
        return truncation
    if truncation is None or truncation is False:
        raise UsageError("overflow is asked for, and nothing is truncated: give truncation=True, or leave it out")
    if max_length is None:
        raise UsageError(f"truncation = {truncation!r} needs max_length: say how long a row may be")
    strategy: Strategy = "longest_first" if truncation is True else truncation
    return Truncation(max_length, profile, strategy, stride=stride)


def padding_of(
    padding: HowToPad, max_length: int | None, pad_to_multiple_of: int | None, pad_id: int | None
) -> Padding | None:
    """What the keywords of an encoder ask for; None where nothing is to be filled. Raises UsageError."""
    if isinstance(padding, Padding):
        if pad_to_multiple_of not in (None, padding.multiple_of) or max_length not in (None, padding.max_length):
            problem = "max_length or pad_to_multiple_of stand beside a Padding that says otherwise"
            raise UsageError(f"{problem}: say it there alone")
        return padding
    if padding is None or padding is False:
        if pad_to_multiple_of is not None:
            raise UsageError("pad_to_multiple_of is given, and nothing is padded: give padding=True, or leave it out")
        return None
    if padding not in (True, "longest", "max_length"):
        raise UsageError(f"padding = {padding!r}; there are True, longest, max_length, and a Padding")
    if padding == "max_length" and max_length is None:
        raise UsageError("padding to max_length needs max_length: say how wide rows are")
    if padding != "max_length" and max_length is not None:
        raise UsageError(f'max_length = {max_length} is no width of the longest row: give padding="max_length"')
    return Padding(pad_id, max_length=max_length, multiple_of=pad_to_multiple_of)


def _ragged(encodings: Encodings, return_tensors: Tensors | None) -> dict[str, Any]:
    """What Batch.inputs gives, without padding. Raises UsageError where tensors are asked for and lengths differ."""
    if return_tensors is None:
        rows = list(encodings)
        return {
            "input_ids": [row.ids for row in rows],
            "token_type_ids": [row.type_ids for row in rows],
            "attention_mask": [row.attention_mask for row in rows],
        }
    lengths = np.unique(np.diff(encodings.row_starts))
    if len(lengths) > 1:
        problem = f"rows have from {lengths[0]} to {lengths[-1]} tokens, and a tensor has one width"
        raise UsageError(f"{problem}: give padding=True")
    return pad(encodings, Padding()).inputs(return_tensors)  # which has nothing to fill
