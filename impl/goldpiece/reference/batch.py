"""Encodings cut to a length, filled up to one width, and as tensors: what a model is fed.

Which tokens stay is what spec/truncation.yaml says, and where padding stands what spec/padding.yaml says.
"""

from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from goldpiece.encoding import NONE, Encodings
from goldpiece.errors import UsageError
from goldpiece.reference.padding import Padding, PadTokenMissing
from goldpiece.reference.truncation import Truncation

Ints: TypeAlias = NDArray[np.int64]
Tensors: TypeAlias = Literal["np", "pt"]


@dataclass(frozen=True, eq=False)
class Batch:
    """Rows of one width. All arrays but the last three are (rows, width); padding is where `attention_mask` is 0."""

    ids: Ints
    type_ids: Ints
    attention_mask: Ints  # 1 on tokens, 0 on padding
    special_tokens_mask: Ints  # 1 on what a frame added, and on padding
    word_ids: Ints  # NONE (-1) on what a frame added, and on padding
    sequence_ids: Ints  # likewise
    offsets: Ints  # (rows, width, 2), (0, 0) on what a frame added, and on padding
    examples: Ints  # (rows,), of which text each row is
    uncut_lengths: Ints  # (rows,), how many tokens each had before truncation

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def lengths(self) -> Ints:
        """(rows,), how many tokens each row has."""
        return np.asarray(self.attention_mask.sum(axis=1), np.int64)

    def inputs(self, return_tensors: Tensors | None = None) -> dict[str, Any]:
        """`input_ids`, `token_type_ids` and `attention_mask`, as models take them: lists, or tensors of NumPy or torch.

        Raises UsageError where there is no such kind of tensors, or torch is not installed.
        """
        arrays = {"input_ids": self.ids, "token_type_ids": self.type_ids, "attention_mask": self.attention_mask}
        return {name: as_tensors(array, return_tensors) for name, array in arrays.items()}


def as_tensors(array: Ints, return_tensors: Tensors | None) -> Any:  # torch has no types unless it is installed
    """An array as it is ("np"), as a tensor of torch ("pt"), or as lists (None). Raises UsageError."""
    if return_tensors is None:
        return array.tolist()
    if return_tensors not in get_args(Tensors):
        raise UsageError(f"there are no tensors {return_tensors!r}; there are np and pt, and lists without either")
    if return_tensors == "np":
        return array
    if find_spec("torch") is None:
        raise UsageError('return_tensors="pt" needs torch, which is not installed: install it, or take "np"')
    return import_module("torch").from_numpy(array)


def cut(encodings: Encodings, truncation: Truncation, overflow: bool = False) -> Encodings:
    """Encodings of which no row is longer than `max_length`; their frames stay whole.

    What is cut off makes further rows if `overflow` is asked for, behind the first of their text; `examples` says of
    which text each row is. Raises what Truncation raises.
    """
    tokens: list[Ints] = []
    rows: list[int] = []
    for row in range(len(encodings)):
        begin, end = encodings.row_starts[row], encodings.row_starts[row + 1]
        sequence_ids = encodings.flat_sequence_ids[begin:end]
        frame, first, second = (begin + np.flatnonzero(sequence_ids == number) for number in (NONE, 0, 1))
        lengths = len(first), None if encodings.texts[row][1] is None else len(second), len(frame)
        for one, other in truncation.spans(*lengths) if overflow else [truncation.row(*lengths)]:
            parts = (frame, first[one.start : one.stop], second[other.start : other.stop])
            tokens.append(np.sort(np.concatenate(parts)))
            rows.append(row)
    starts = np.cumsum([0, *map(len, tokens)], dtype=np.int64)
    return encodings.take(np.concatenate([np.empty(0, np.int64), *tokens]), starts, rows)


def pad(encodings: Encodings, padding: Padding) -> Batch:
    """Encodings in one width. Raises PadTokenMissing and RowTooLong."""
    if padding.pad_id is None:
        raise PadTokenMissing
    lengths = np.diff(encodings.row_starts)
    width = padding.width(lengths.tolist())
    columns = np.arange(width)
    if padding.side == "left":
        columns = columns[::-1]
    is_token = columns < lengths[:, None]

    def filled(flat: NDArray[Any], value: int) -> Ints:
        made = np.full((*is_token.shape, *flat.shape[1:]), value, np.int64)
        made[is_token] = flat
        return made

    return Batch(
        ids=filled(encodings.flat_ids, padding.pad_id),
        type_ids=filled(encodings.flat_type_ids, padding.pad_type_id),
        attention_mask=is_token.astype(np.int64),
        special_tokens_mask=filled(encodings.flat_special_tokens_mask, 1),
        word_ids=filled(encodings.flat_word_ids, NONE),
        sequence_ids=filled(encodings.flat_sequence_ids, NONE),
        offsets=filled(encodings.flat_offsets, 0),
        examples=np.arange(len(encodings)) if encodings.examples is None else encodings.examples,
        uncut_lengths=lengths if encodings.uncut_lengths is None else encodings.uncut_lengths,
    )
