"""A record of batches: rows as a collator made them, what it claims to do, and what follows from both."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldpiece.encoding import NONE
from goldpiece.errors import FileError
from goldpiece.reference.masking import NOT_SELECTED, Masking
from goldpiece.suite.recorded.files import IDS, LABELS, Fields, read_rows
from goldpiece.suite.values import Value

Ints: TypeAlias = NDArray[np.int64]

MASK = "attention_mask"
PADDING = ("[PAD]", "<pad>")  # tokens that pad rows, as vocabularies name them


class NotEnough(Exception):
    """The record is too small to tell."""

    def __init__(self, found: int, wanted: int, what: str) -> None:
        super().__init__(f"{found:,} {what} tell too little: record {wanted:,} or more")


@dataclass(frozen=True, eq=False)
class RecordedRow:
    """One row. All arrays are (width,), padding included."""

    place: str  # in the file
    seen: Ints  # what the model sees
    labels: Ints
    is_token: NDArray[np.bool_]  # and no padding
    originals: Ints | None  # where they are recorded
    word_ids: Ints | None  # likewise; NONE where there is no word
    epoch: int
    index: int | None
    batch: int | None
    shows_padding: bool = True  # else `is_token` may be so of padding

    @cached_property
    def selected(self) -> NDArray[np.bool_]:
        return np.asarray(self.labels != NOT_SELECTED)

    @cached_property
    def ids(self) -> Ints:
        """The original ids: as they are recorded, else what the labels and the unselected tokens say."""
        return np.where(self.selected, self.labels, self.seen) if self.originals is None else self.originals

    @property
    def key(self) -> object:
        """By which it is found again in another epoch."""
        return self.ids[self.is_token].tobytes() if self.index is None else self.index


@dataclass(frozen=True, eq=False)
class Record:
    """The rows of a file, and the masking that its collator claims to do."""

    path: Path
    claims: Masking
    config: Mapping[str, Value]  # the same claims, as a report shows them
    rows: Sequence[RecordedRow]
    misshapen: Sequence[str] = field(default=())  # what is wrong with the shapes of rows, which are not among these

    @cached_property
    def mask_id(self) -> int:
        return self.claims.vocab.index(self.claims.mask_token)

    @cached_property
    def is_special(self) -> NDArray[np.bool_]:
        """Of each id of the vocabulary."""
        special = set(self.claims.special_tokens)
        return np.array([token in special for token in self.claims.vocab], np.bool_)

    def candidates(self, row: RecordedRow) -> Ints:
        """The places that may be selected."""
        able = row.is_token & ~self.is_special[row.ids]
        return np.flatnonzero(able if row.word_ids is None else able & (row.word_ids != NONE))

    def words(self, row: RecordedRow) -> list[list[int]]:
        """The places of each word. Raises NoWordScheme."""
        words: list[list[int]] = []
        able = set(self.candidates(row).tolist())
        places = np.flatnonzero(row.is_token).tolist()
        if row.word_ids is None:
            spans = self.claims.identify_word_groups([self.claims.vocab[number] for number in row.ids[places]])
            return [places[start:end] for start, end in spans]
        before: tuple[int, int] | None = None  # the last candidate, and its word
        for place in places:
            if place in able:
                word = int(row.word_ids[place])
                if before == (place - 1, word):
                    words[-1].append(place)
                else:
                    words.append([place])
                before = place, word
        return words

    def units(self, row: RecordedRow) -> list[list[int]]:
        """The places of what is selected as a whole; spans are drawn, and so their words stand for them."""
        if self.claims.unit == "subword":
            return [[place] for place in self.candidates(row).tolist()]
        return self.words(row)


def read_record(path: Path, claims: Masking, config: Mapping[str, Value]) -> Record:
    """The record in a file. Raises FileError, and UsageError where a package is missing."""
    rows: list[RecordedRow] = []
    misshapen: list[str] = []
    ids = {token: number for number, token in enumerate(claims.vocab)}
    for place, fields in read_rows(path):
        made = _row(_Fields(path, place, fields), ids)
        if isinstance(made, str):
            misshapen.append(f"{path.name}, {place}: {made}")
        else:
            rows.append(made)
    if not rows and not misshapen:
        raise FileError(path, None, "it has no rows", "Record some batches")
    return Record(path, claims, config, rows, misshapen)


@dataclass(frozen=True)
class _Fields:
    """The fields of a row, which are looked at one by one. All raise FileError for what is none."""

    path: Path
    place: str
    fields: Fields

    def ints(self, name: str, highest: int) -> Ints | None:
        """A list of integers from -100 on to `highest`, in which None is NONE; None where there is no such field.

        Booleans are integers of a mask alone.
        """
        given = self.fields.get(name)
        if given is None:
            return None
        kinds = (int, bool) if name == MASK else (int,)
        if not isinstance(given, list) or not all(each is None or type(each) in kinds for each in given):
            raise self.wrong(f"{name} is no list of integers")
        values = [NONE if each is None else each for each in given]
        if (least := min(values, default=0)) < NOT_SELECTED:
            raise self.wrong(f"{name} has {least}, and the lowest that there is is {NOT_SELECTED}")
        if (most := max(values, default=0)) > highest:
            raise self.wrong(f"{name} has {most}, and the highest that there is is {highest}")
        return np.array(values, np.int64)

    def one(self, name: str) -> int | None:
        given = self.fields.get(name)
        if given is not None and type(given) is not int:
            raise self.wrong(f"{name} is no integer")
        return given

    def tokens(self, ids: Mapping[str, int]) -> Ints | None:
        """The ids of the original tokens."""
        given = self.fields.get("tokens")
        if given is None:
            return None
        if not isinstance(given, list) or not all(isinstance(each, str) for each in given):
            raise self.wrong("tokens is no list of texts")
        if unknown := [token for token in given if token not in ids]:
            raise self.wrong(f"the vocabulary has no token {unknown[0]!r}")
        return np.array([ids[token] for token in given], np.int64)

    def wrong(self, problem: str) -> FileError:
        return FileError(self.path, None, f"{self.place}: {problem}", "Mend the record, or name the right vocabulary")


def _row(fields: _Fields, ids: Mapping[str, int]) -> RecordedRow | str:
    """A row, or what is wrong with its shape."""
    seen, labels = (fields.ints(name, len(ids) - 1) for name in (IDS, LABELS))
    if seen is None or labels is None:
        raise fields.wrong(f"{IDS} or {LABELS} is null")
    attention = fields.ints(MASK, 1)
    if len(labels) != len(seen):
        return f"{len(seen)} input_ids and {len(labels)} labels"
    if attention is not None and len(attention) != len(seen):
        return f"{len(seen)} input_ids and an attention_mask of {len(attention)}"
    pad = next((ids[token] for token in PADDING if token in ids), None)
    if attention is None:
        is_token = _within_padding(np.where(labels == NOT_SELECTED, seen, labels), pad)
    else:
        is_token = attention == 1
    of_tokens: dict[str, Any] = {}
    originals = fields.ints("original_ids", len(ids) - 1)
    for name, given in (
        ("originals", fields.tokens(ids) if originals is None else originals),
        ("word_ids", fields.ints("word_ids", 2**62)),
    ):
        whole = None if given is None else _whole(given, is_token, seen if name == "originals" else None)
        if given is not None and whole is None:
            return f"{is_token.sum()} tokens, and {name} of {len(given)}"
        of_tokens[name] = whole
    for name, values in ((IDS, seen), ("originals", of_tokens["originals"])):
        if values is not None and (values < 0).any():
            raise fields.wrong(f"{name} has {values.min()}, which is no id")
    if (labels[labels != NOT_SELECTED] < 0).any():
        raise fields.wrong("labels has what is neither an id nor -100")
    epoch = fields.one("epoch") or 0
    return RecordedRow(
        fields.place,
        seen,
        labels,
        is_token,
        **of_tokens,
        epoch=epoch,
        index=fields.one("index"),
        batch=fields.one("batch"),
        shows_padding=attention is not None or pad is not None,
    )


def _within_padding(ids: Ints, pad: int | None) -> NDArray[np.bool_]:
    """The places of a row that are no padding, where no mask tells: padding is at an end, and may be wrongly selected.

    Within a row a padding token is a token like others.
    """
    tokens = np.flatnonzero(ids != (NONE if pad is None else pad))
    is_token = np.zeros(len(ids), np.bool_)
    if len(tokens):
        is_token[tokens[0] : tokens[-1] + 1] = True
    return is_token


def _whole(given: Ints, is_token: NDArray[np.bool_], padding: Ints | None) -> Ints | None:
    """Values of all places, where those of tokens alone may be given; None where they are neither."""
    if len(given) == len(is_token):
        return given
    if len(given) != is_token.sum():
        return None
    whole = np.full(len(is_token), NONE, np.int64) if padding is None else padding.copy()
    whole[is_token] = given
    return whole


def by_epoch(rows: Sequence[RecordedRow]) -> Mapping[int, Sequence[RecordedRow]]:
    """The rows of each epoch, in order."""
    found: dict[int, list[RecordedRow]] = {}
    for row in rows:
        found.setdefault(row.epoch, []).append(row)
    return dict(sorted(found.items()))


def in_pairs(rows: Sequence[RecordedRow]) -> Iterator[tuple[int, int, list[tuple[RecordedRow, RecordedRow]]]]:
    """For each epoch and the next that is recorded the rows that are in both; of equal ones in an epoch the first."""
    keyed = {epoch: {row.key: row for row in reversed(each)} for epoch, each in by_epoch(rows).items()}
    epochs = list(keyed)
    for one, other in pairwise(epochs):
        yield one, other, [(row, keyed[other][key]) for key, row in keyed[one].items() if key in keyed[other]]
