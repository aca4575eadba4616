"""Masking in NumPy: bit for bit what `goldpiece.reference.masking` gives, for padded batches. Spec: spec/masking.yaml.

Random numbers are taken for units and selected tokens only, where that is less; a batch is never walked token by token.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldpiece.encoding import NONE
from goldpiece.reference import masking as reference
from goldpiece.reference.masking.draws import ACTION, BITS, GAMMA, SELECTION, SPAN, STREAMS, WORD, absorbed
from goldpiece.reference.masking.errors import IdOutOfRange, LengthsDiffer
from goldpiece.reference.masking.selection import Bert, Greedy, Spans
from goldpiece.reference.masking.words import CONTINUES, ENDS, NOT_SELECTED

Integers: TypeAlias = NDArray[np.int64]
Numbers: TypeAlias = NDArray[np.uint64]
Flags: TypeAlias = NDArray[np.bool_]

ORDINARY, BEGINS, ENDS_WORD = 1, 2, 4  # bits of what is known of a token


@dataclass(frozen=True)
class Batch:
    """Rows with all padding on the right. Positions of all rows count through: row · width + place."""

    ids: Integers  # (rows, width)
    lengths: Integers  # (rows,), without padding
    word_ids: Integers | None  # (rows, width), NONE where a token has no word
    states: Numbers  # (rows,), of the rows' random numbers

    @property
    def width(self) -> int:
        return int(self.ids.shape[1])

    def numbers(self, positions: Integers, stream: int) -> Numbers:
        """The random numbers of some positions."""
        rows, places = np.divmod(positions, self.width)
        return mixed(self.states[rows] + _steps(places, stream))


@dataclass(frozen=True)
class Units:
    """What can be selected, in order: each is so many of `candidates`, which stand side by side."""

    candidates: Integers  # (candidates,), positions
    firsts: Integers  # (units,), the place in `candidates` of each unit's first
    sizes: Integers  # (units,)

    @property
    def starts(self) -> Integers:
        """The positions of the units' first tokens."""
        return self.candidates[self.firsts]


class Masking(reference.Masking):
    """See `goldpiece.reference.masking.Masking`."""

    def mask(
        self,
        ids: Sequence[Sequence[int]],
        word_ids: Sequence[Sequence[int | None]] | None = None,
        attention_mask: Sequence[Sequence[int]] | None = None,
        indexes: Sequence[int] | None = None,
        epoch: int = 0,
    ) -> reference.Masked:
        """Masks rows that need not have one length. `mask_arrays` takes no detour over lists."""
        for name, given in (("word_ids", word_ids), ("attention_mask", attention_mask), ("indexes", indexes)):
            if given is not None and len(given) != len(ids):
                raise LengthsDiffer(name, len(given), len(ids), "the batch")
        for number, row in enumerate(ids):
            for each in (min(row, default=0), max(row, default=0)):
                if row and not 0 <= each < len(self.vocab):
                    raise IdOutOfRange(each, number, len(self.vocab))
            for name, of_rows in (("attention_mask", attention_mask), ("word_ids", word_ids)):
                if of_rows is not None and len(of_rows[number]) != len(row):
                    raise LengthsDiffer(name, len(of_rows[number]), len(row), f"row {number}")
        lengths = [len(row) for row in ids]
        width = max(lengths, default=0)
        real = [[1] * length for length in lengths] if attention_mask is None else attention_mask
        input_ids, labels = self.mask_arrays(
            _padded(ids, width, 0),
            _padded(real, width, 0),
            None if word_ids is None else _padded([_numbered(row) for row in word_ids], width, NONE),
            indexes,
            epoch,
        )
        return reference.Masked(
            [row[:length].tolist() for row, length in zip(input_ids, lengths, strict=True)],
            [row[:length].tolist() for row, length in zip(labels, lengths, strict=True)],
        )

    def mask_arrays(
        self,
        ids: NDArray[np.integer],
        attention_mask: NDArray[np.integer] | Flags | None = None,
        word_ids: NDArray[np.integer] | None = None,
        indexes: Sequence[int] | NDArray[np.integer] | None = None,
        epoch: int = 0,
    ) -> tuple[Integers, Integers]:
        """Input ids and labels of a padded batch. All arrays are (rows, width), `indexes` is (rows,).

        `attention_mask` is 0 on padding, on either side; `word_ids` is NONE (-1) on what has no word.
        Raises IdOutOfRange, LengthsDiffer and NoWordScheme.
        """
        rows = np.asarray(ids, np.int64)
        for name, given in (("word_ids", word_ids), ("attention_mask", attention_mask)):
            if given is not None and given.shape != rows.shape:
                raise LengthsDiffer(f"the shape {given.shape} of {name}", len(given), len(rows), "the batch")
        if indexes is not None and len(indexes) != len(rows):
            raise LengthsDiffer("indexes", len(indexes), len(rows), "the batch")
        self._check_ids(rows)
        words = None if word_ids is None else np.asarray(word_ids, np.int64)
        real = None if attention_mask is None else np.asarray(attention_mask, np.bool_)
        if real is None or not _has_gaps(real):
            return self._mask_batch(self._batch(rows, real, words, indexes, epoch))
        order = np.argsort(~real, axis=1, kind="stable")  # tokens first, padding behind
        closed = [each if each is None else np.take_along_axis(each, order, 1) for each in (rows, real, words)]
        results = self._mask_batch(self._batch(closed[0], closed[1], closed[2], indexes, epoch))  # type: ignore[arg-type]
        for result in results:
            np.put_along_axis(result, order, result.copy(), 1)
        return results

    def _check_ids(self, rows: Integers) -> None:
        if rows.size and (rows.min() < 0 or rows.max() >= len(self.vocab)):
            row, place = np.argwhere((rows < 0) | (rows >= len(self.vocab)))[0]
            raise IdOutOfRange(int(rows[row, place]), int(row), len(self.vocab))

    def _batch(
        self,
        ids: Integers,
        real: Flags | None,
        word_ids: Integers | None,
        indexes: Sequence[int] | NDArray[np.integer] | None,
        epoch: int,
    ) -> Batch:
        """The batch, whose padding is on the right, with the states of its rows' random numbers."""
        rows, width = ids.shape
        lengths = np.full(rows, width, np.int64) if real is None else real.sum(1, dtype=np.int64)
        if indexes is None:
            weights = mixed(np.uint64(GAMMA) * np.arange(1, width + 1, dtype=np.uint64))
            counted = ids if real is None else ids * real
            up_to = np.concatenate([np.zeros(1, np.uint64), np.cumsum(weights, dtype=np.uint64)])
            keys = counted.astype(np.uint64) @ weights + up_to[lengths]
        else:
            keys = np.array([int(index) & BITS for index in indexes], np.uint64)
        common = absorbed((self.seed, epoch, int(indexes is None)))
        states = mixed((keys ^ np.uint64(common)) + np.uint64(GAMMA))
        return Batch(ids, lengths, word_ids, states)

    def _mask_batch(self, batch: Batch) -> tuple[Integers, Integers]:
        selected, lots = self._selected(batch)
        input_ids, labels = batch.ids.copy(), np.full(batch.ids.shape, NOT_SELECTED, np.int64)
        labels.ravel()[selected] = batch.ids.ravel()[selected]
        self._replace(batch, input_ids.ravel(), selected, lots)
        return input_ids, labels

    # Selection.

    def _selected(self, batch: Batch) -> tuple[Integers, Integers]:
        """The positions that are selected, and for each the position whose lot decides what replaces it."""
        if self.unit == "subword" and self.budget == "bernoulli":
            places = np.arange(batch.width, dtype=np.int64)
            numbers = mixed(batch.states[:, None] + _steps(places, SELECTION))
            picked = np.flatnonzero(_below(numbers, self.rate))
            picked = picked[self._are_candidates(batch, picked)]
            return picked, picked
        units = self._units(batch)
        chosen = self._chosen(batch, units)
        selected = units.candidates[np.repeat(chosen, units.sizes)]
        if self.replace_per == "unit":
            return selected, np.repeat(units.starts[chosen], units.sizes[chosen])
        return selected, selected

    def _are_candidates(self, batch: Batch, positions: Integers) -> Flags:
        """Of each position whether a token stands there that may be selected."""
        found = (self._known[batch.ids.ravel()[positions]] & ORDINARY).astype(np.bool_)
        if (batch.lengths < batch.width).any():
            rows, places = np.divmod(positions, batch.width)
            found &= places < batch.lengths[rows]
        if batch.word_ids is not None:
            found &= batch.word_ids.ravel()[positions] != NONE
        return found

    @cached_property
    def _known(self) -> NDArray[np.uint8]:
        """What is known of each token of the vocabulary."""
        special = self._special
        return np.array([ORDINARY * (token not in special) for token in self.vocab], np.uint8)

    @cached_property
    def _known_of_words(self) -> NDArray[np.uint8]:
        """The same with what the marks of words say. Raises NoWordScheme."""
        scheme = self._scheme
        marked = np.array([scheme.marks(token) for token in self.vocab], np.bool_)
        bits = ENDS_WORD * marked if scheme.mark == ENDS else BEGINS * (marked != (scheme.mark == CONTINUES))
        return np.bitwise_or(self._known, bits.astype(np.uint8))

    def _units(self, batch: Batch) -> Units:
        by_marks = self.unit != "subword" and batch.word_ids is None
        known = (self._known_of_words if by_marks else self._known)[batch.ids]
        ordinary = (known & ORDINARY).astype(np.bool_)
        if (batch.lengths < batch.width).any():
            ordinary &= np.arange(batch.width) < batch.lengths[:, None]
        if batch.word_ids is not None:
            ordinary &= batch.word_ids != NONE
        candidates = np.flatnonzero(ordinary)
        if self.unit == "subword":
            return Units(candidates, np.arange(len(candidates)), np.ones(len(candidates), np.int64))
        begins = np.ones_like(ordinary)  # and where nothing stands before, or what is no candidate
        begins[:, 1:] = ~ordinary[:, :-1]
        if batch.word_ids is not None:
            begins[:, 1:] |= batch.word_ids[:, 1:] != batch.word_ids[:, :-1]
        elif self._scheme.mark == ENDS:
            begins[:, 1:] |= (known[:, :-1] & ENDS_WORD).astype(np.bool_)
        else:
            begins |= (known & BEGINS).astype(np.bool_)
        words = Units(candidates, *_groups(begins.ravel()[candidates]))
        return self._spans(batch, words) if self.unit == "span" else words

    def _spans(self, batch: Batch, words: Units) -> Units:
        """The words that each stretch is cut into spans of, as `reference.masking.selection.Spans` cuts it."""
        starts = words.starts
        ends = starts + words.sizes
        apart = np.ones(len(starts), np.bool_)  # from the word before, which ends elsewhere or in another row
        apart[1:] = (starts[1:] != ends[:-1]) | (starts[1:] % batch.width == 0)
        bounds = np.flatnonzero(np.append(apart, True))
        stretch_ends = bounds[np.cumsum(apart)] if len(starts) else bounds[:0]
        chances = np.array(Spans(self.span_p, self.span_limit).chances)
        drawn = (batch.numbers(starts, SPAN) >> np.uint64(11)) / 2**53
        lengths = 1 + np.searchsorted(chances, drawn, side="right")
        following = np.minimum(np.arange(len(starts)) + lengths, stretch_ends).tolist()
        heads, at = [], 0
        while at < len(following):
            heads.append(at)
            at = following[at]
        firsts = words.firsts[np.array(heads, np.int64)]
        return Units(words.candidates, firsts, np.diff(firsts, append=len(words.candidates)))

    def _chosen(self, batch: Batch, units: Units) -> Flags:
        """Of each unit whether it is selected."""
        numbers = batch.numbers(units.starts, SELECTION)
        if self.budget == "bernoulli":
            return _below(numbers, self.rate)
        rows = units.starts // max(1, batch.width)
        counts = np.bincount(rows, minlength=len(batch.ids))
        columns = np.arange(len(rows)) - (np.cumsum(counts) - counts)[rows]
        table = np.full((len(batch.ids), int(counts.max(initial=0))), BITS, np.uint64)
        table[rows, columns] = numbers
        match self.selection.budget:
            case Bert(rate, most):
                targets = np.maximum(1, np.rint(batch.lengths * rate).astype(np.int64))
                targets = targets if most is None else np.minimum(targets, most)
                limits = targets
            case Greedy(rate):
                targets = (batch.lengths * rate).astype(np.int64)
                limits = targets + 2
            case _:
                of_rows = (mixed(batch.states.copy()) >> np.uint64(11)) / 2**53
                return _smallest(numbers, rows, table, (self.rate * counts + of_rows).astype(np.int64))
        if self.unit == "subword" or not len(rows):
            return _smallest(numbers, rows, table, targets)
        sizes = np.zeros(table.shape, np.int64)
        sizes[rows, columns] = units.sizes
        order = np.argsort(table, axis=1)
        filled = np.zeros(table.shape, np.bool_)
        np.put_along_axis(filled, order, _filled(np.take_along_axis(sizes, order, 1), targets, limits), 1)
        return filled[rows, columns]

    # Replacement.

    def _replace(self, batch: Batch, into: Integers, selected: Integers, lots: Integers) -> None:
        """Writes what replaces the selected positions into the flat input ids."""
        numbers = batch.numbers(lots, ACTION)
        masked = _below(numbers, self.mask_rate)
        into[selected[masked]] = self.replacement.mask_id
        rest, numbers = selected[~masked], numbers[~masked]
        randomised = rest[_below(numbers, self.mask_rate + self.random_rate)]
        if len(randomised):
            words = self._random_ids
            drawn = (batch.numbers(randomised, WORD) >> np.uint64(32)) * np.uint64(len(words)) >> np.uint64(32)
            into[randomised] = words[drawn.astype(np.int64)]

    @cached_property
    def _random_ids(self) -> Integers:
        return np.array(self.replacement.random_ids, np.int64)


def mixed(numbers: Numbers) -> Numbers:
    """`reference.masking.draws.mixed` of each number, in place."""
    scratch = numbers >> np.uint64(30)
    numbers ^= scratch
    numbers *= np.uint64(0xBF58476D1CE4E5B9)
    np.right_shift(numbers, np.uint64(27), out=scratch)
    numbers ^= scratch
    numbers *= np.uint64(0x94D049BB133111EB)
    np.right_shift(numbers, np.uint64(31), out=scratch)
    numbers ^= scratch
    return numbers


def _steps(places: Integers, stream: int) -> Numbers:
    """How far the numbers of a stream are from the state of their row."""
    steps = places.astype(np.uint64)
    steps *= np.uint64(STREAMS * GAMMA & BITS)
    steps += np.uint64((stream + 1) * GAMMA & BITS)
    return steps


def _below(numbers: Numbers, rate: float) -> Flags:
    """Of each number whether the fraction that it stands for is below the rate."""
    limit = ceil(rate * 2**53) << 11
    return numbers < np.uint64(limit) if limit <= BITS else np.ones(numbers.shape, np.bool_)


def _smallest(numbers: Numbers, rows: Integers, table: Numbers, counts: Integers) -> Flags:
    """Of each unit whether its number is among the `counts` smallest of its row. `table` has them row by row."""
    counts = np.minimum(counts, table.shape[1])
    if not counts.any():
        return np.zeros(len(numbers), np.bool_)
    limits = np.take_along_axis(np.sort(table, axis=1), np.maximum(counts - 1, 0)[:, None], 1)[:, 0]
    chosen: Flags = (numbers <= limits[rows]) & (counts > 0)[rows]
    return chosen


def _filled(sizes: Integers, targets: Integers, limits: Integers) -> Flags:
    """Of units in their order, row by row, whether each is taken. A unit of size 0 is none.

    Each round takes what fits up to the first that does not; what is too long by then is passed over from there on.
    """
    taken = np.zeros(sizes.shape, np.bool_)
    totals = np.zeros(len(sizes), np.int64)
    begin = np.zeros(len(sizes), np.int64)
    columns = np.arange(sizes.shape[1])
    open_rows = np.flatnonzero(targets > 0)
    while len(open_rows):
        left = limits[open_rows] - totals[open_rows]
        of_rows = sizes[open_rows]
        fits = (of_rows > 0) & (of_rows <= left[:, None]) & (columns >= begin[open_rows, None])
        reached = np.cumsum(np.where(fits, of_rows, 0), axis=1)
        wanted = targets[open_rows] - totals[open_rows]
        stops = fits & ((reached > left[:, None]) | (reached - of_rows >= wanted[:, None]))
        ends = np.where(stops.any(1), stops.argmax(1), sizes.shape[1])
        now = fits & (columns < ends[:, None])
        taken[open_rows] |= now
        totals[open_rows] += np.where(now, of_rows, 0).sum(1)
        begin[open_rows] = ends
        open_rows = open_rows[(ends < sizes.shape[1]) & (totals[open_rows] < targets[open_rows])]
    return taken


def _groups(begins: Flags) -> tuple[Integers, Integers]:
    """Where groups begin, and how long each is."""
    firsts = np.flatnonzero(begins)
    return firsts, np.diff(firsts, append=len(begins))


def _has_gaps(real: Flags) -> bool:
    """Whether a token stands behind padding."""
    return bool((real[:, 1:] > real[:, :-1]).any())


def _padded(rows: Sequence[Sequence[int]], width: int, filler: int) -> Integers:
    """Rows of unequal length as one array."""
    padded = np.full((len(rows), width), filler, np.int64)
    for number, row in enumerate(rows):
        padded[number, : len(row)] = row
    return padded


def _numbered(word_ids: Sequence[int | None]) -> list[int]:
    """Word ids from 0 on in place of any, since only neighbours are compared; NONE for none."""
    numbers: dict[int, int] = {}
    return [NONE if each is None else numbers.setdefault(each, len(numbers)) for each in word_ids]
