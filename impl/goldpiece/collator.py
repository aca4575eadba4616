"""Batches for masked language models: rows are padded and masked, under the names that users of collators know."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from multiprocessing.context import get_spawning_popen
from multiprocessing.sharedctypes import RawValue
from typing import Any, Literal, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from goldpiece.encoding import NONE, Encoding
from goldpiece.errors import GoldpieceError
from goldpiece.fast.masking import Masking
from goldpiece.reference.masking.errors import UnknownChoice
from goldpiece.reference.masking.tokens import Vocabulary, special_tokens_of, tokens_of

Example: TypeAlias = Encoding | Mapping[str, Any] | Sequence[int] | NDArray[np.integer]
Batch: TypeAlias = dict[str, Any]  # arrays, tensors or lists, as return_tensors says

IDS, MASK, WORDS, LABELS = "input_ids", "attention_mask", "word_ids", "labels"
FILLERS = {"special_tokens_mask": 1, WORDS: NONE}  # what pads a field of tokens; any other 0
OF_ENCODINGS = {IDS: "ids", "token_type_ids": "type_ids", MASK: "attention_mask", WORDS: "word_ids"}


class BadExample(GoldpieceError):
    """An example that cannot be put into a batch."""

    def __init__(self, number: int, problem: str) -> None:
        super().__init__(f"example {number} of the batch {problem}")


class PadTokenMissing(GoldpieceError):
    """Rows are to be padded, and nothing says with what."""

    def __init__(self) -> None:
        super().__init__("the rows have to be padded, and the vocabulary has no pad token: name it as pad_token")


class TorchMissing(GoldpieceError):
    """Tensors are wanted, and torch is not installed."""

    def __init__(self) -> None:
        super().__init__('return_tensors="pt" needs torch: install it, or ask for "np"')


@dataclass
class MaskingCollator:
    """Makes a padded and masked batch of a list of encodings, of mappings with `input_ids`, or of lists of ids.

    `tokenizer` is one, or a list with the token of each id. The batch has `input_ids`, `attention_mask` and `labels`,
    all of (rows, width), and every other field of the examples but the `helpers`; a field with an entry for each token
    is padded like the ids. An example's `index`, its number in the data set, says by what its mask is drawn; without,
    its ids do. Masks follow from seed, epoch and that alone, whatever the number of workers: call `set_epoch` before
    each epoch. Whole words are told by `word_ids`, else by the marks of the vocabulary.

    Raises what `Masking` raises for its parameters; when called, BadExample and PadTokenMissing.
    """

    tokenizer: Vocabulary
    mlm_probability: float = 0.15
    mask_replace_prob: float = 0.8
    random_replace_prob: float = 0.1
    whole_word_mask: bool = False
    pad_to_multiple_of: int | None = None
    return_tensors: Literal["np", "pt", "list"] = "np"
    seed: int = 0
    unit: str | None = None  # "word" with whole_word_mask, else "subword"; "span" for spans of words
    budget: str = "bernoulli"
    max_predictions: int | None = None
    padding_side: Literal["right", "left"] = "right"
    mask_token: str | None = None  # that of the tokenizer, else [MASK]
    pad_token: str | None = None  # that of the tokenizer, else [PAD]
    special_tokens: Sequence[str] | None = None  # what is never masked: those of the tokenizer, else the five of BERT
    helpers: Sequence[str] = (WORDS, "index", "special_tokens_mask", "offset_mapping")  # fields that no model takes
    masking: Masking = field(init=False, repr=False)

    def __post_init__(self) -> None:
        for name, known in (("return_tensors", ("np", "pt", "list")), ("padding_side", ("right", "left"))):
            if getattr(self, name) not in known:
                raise UnknownChoice(name, getattr(self, name), known)
        if self.pad_to_multiple_of is not None and self.pad_to_multiple_of < 1:
            raise UnknownChoice("pad_to_multiple_of", str(self.pad_to_multiple_of), ("None", "1", "2", "…"))
        if self.whole_word_mask and self.unit not in (None, "word"):
            raise UnknownChoice("unit with whole_word_mask", str(self.unit), ("word",))
        vocab = tokens_of(self.tokenizer)
        pad_token = self.pad_token or _named(self.tokenizer, "pad_token") or "[PAD]"
        self._pad_id = vocab.index(pad_token) if pad_token in vocab else None
        self.masking = Masking(
            vocab,
            special_tokens_of(self.tokenizer) if self.special_tokens is None else self.special_tokens,
            self.mask_token or _named(self.tokenizer, "mask_token") or "[MASK]",
            "word" if self.whole_word_mask else self.unit or "subword",
            self.budget,
            self.mlm_probability,
            self.max_predictions,
            self.mask_replace_prob,
            self.random_replace_prob,
            seed=self.seed,
        )
        self._epoch = RawValue("q", 0)  # without a lock, which would tie it to one way of starting processes

    @property
    def epoch(self) -> int:
        """The epoch whose masks are drawn."""
        return int(self._epoch.value)

    def set_epoch(self, epoch: int) -> None:
        """Draws other masks from now on, in every process that was started with this collator as well."""
        self._epoch.value = epoch

    def __getstate__(self) -> dict[str, Any]:
        """What is pickled. A process that is being started shares the epoch; any other copy has its own."""
        state = dict(vars(self))
        return state if get_spawning_popen() is not None else state | {"_epoch": self.epoch}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        if isinstance(self._epoch, int):
            self._epoch = RawValue("q", self._epoch)

    def __call__(self, examples: Sequence[Example]) -> Batch:
        """The batch. Raises BadExample where one lacks ids, brings labels, or has other fields than the first."""
        rows = [_fields(example, number) for number, example in enumerate(examples)]
        for number, row in enumerate(rows):
            if row.keys() != rows[0].keys():
                other = ", ".join(sorted(row.keys() ^ rows[0].keys()))
                raise BadExample(number, f"and the first have not the same fields, but for {other}: give all the same")
        lengths = [len(row[IDS]) for row in rows]
        width = max(lengths, default=0)
        multiple = self.pad_to_multiple_of or 1
        width += -width % multiple
        if self._pad_id is None and any(length < width for length in lengths):
            raise PadTokenMissing
        batch: Batch = {IDS: self._padded([row[IDS] for row in rows], width, self._pad_id or 0)}
        given = [row.get(MASK, [1] * len(row[IDS])) for row in rows]
        batch[MASK] = self._padded(given, width, 0)
        for name in [name for name in (rows[0] if rows else ()) if name not in (IDS, MASK)]:
            values = [row[name] for row in rows]
            if all(_is_of_tokens(value, length) for value, length in zip(values, lengths, strict=True)):
                batch[name] = self._padded(values, width, FILLERS.get(name, 0))
            else:
                batch[name] = values
        indexes = [row["index"] for row in rows] if rows and "index" in rows[0] else None
        batch[IDS], batch[LABELS] = self.masking.mask_arrays(
            batch[IDS], batch[MASK], batch.get(WORDS), indexes, self.epoch
        )
        return {name: self._returned(values) for name, values in batch.items() if name not in self.helpers}

    def _padded(self, rows: Sequence[Sequence[Any]], width: int, filler: int) -> NDArray[np.int64]:
        """Rows of unequal length as one array; entries may be pairs, and NONE stands for None."""
        inner = next((np.shape(row[0]) for row in rows if len(row)), ())
        padded = np.full((len(rows), width, *inner), filler, np.int64)
        for number, row in enumerate(rows):
            values = [NONE if each is None else each for each in row] if isinstance(row, list) else row
            place = slice(0, len(row)) if self.padding_side == "right" else slice(width - len(row), width)
            if len(row):
                padded[number, place] = values
        return padded

    def _returned(self, values: NDArray[np.int64] | list[Any]) -> Any:
        """An array or a list of values as `return_tensors` says; what holds no numbers stays a list."""
        if self.return_tensors == "list":
            return values.tolist() if isinstance(values, np.ndarray) else values
        array = values if isinstance(values, np.ndarray) else _as_numbers(values)
        if array is None or self.return_tensors == "np":
            return values if array is None else array
        try:
            import torch  # noqa: PLC0415 (optional, and slow to import)
        except ImportError as error:
            raise TorchMissing from error
        return torch.from_numpy(array)


def _fields(example: Example, number: int) -> dict[str, Any]:
    """The fields of an example under the names that a batch has. Raises BadExample."""
    if isinstance(example, Mapping):
        fields = dict(example)
        if LABELS in fields:
            raise BadExample(number, f"brings {LABELS}, which masking is to make: take them out, or rename them")
        if IDS not in fields:
            raise BadExample(number, f"has no {IDS}, only {', '.join(map(str, fields)) or 'nothing'}")
    elif hasattr(example, "ids"):
        fields = {name: getattr(example, attribute) for name, attribute in OF_ENCODINGS.items()}
    else:
        fields = {IDS: example}
    ids = fields[IDS]
    shape = np.shape(ids)
    if len(shape) == 2 and shape[0] == 1:  # one row with a dimension for the batch, as tokenizers give it for tensors
        fields = {name: value[0] if np.shape(value)[:1] == (1,) else value for name, value in fields.items()}
    elif len(shape) != 1:
        raise BadExample(number, f"has {IDS} of the shape {shape}: give a row of ids")
    for name in (MASK, WORDS):
        if name in fields and len(fields[name]) != len(fields[IDS]):
            raise BadExample(number, f"has {len(fields[name])} {name} for {len(fields[IDS])} ids")
    return fields


def _is_of_tokens(value: object, length: int) -> bool:
    """Whether a field has a number, or several, for each token."""
    if isinstance(value, str | bytes) or not hasattr(value, "__len__") or len(value) != length:
        return False
    entries = cast(Sequence[object], value)
    return all(each is None or isinstance(each, int | np.integer | list | tuple | np.ndarray) for each in entries)


def _as_numbers(values: list[Any]) -> NDArray[Any] | None:
    """An array of numbers, or None where the values are none or have unequal shapes."""
    try:
        array = np.array(values)
    except ValueError:
        return None
    return array if array.dtype.kind in "biuf" else None


def _named(tokenizer: object, attribute: str) -> str | None:
    """A token that the tokenizer names, if it names one."""
    named = getattr(tokenizer, attribute, None)
    return named if isinstance(named, str) else None
