"""The clauses of spec/masking.yaml that a record of batches shows exactly, row by row."""

from collections.abc import Iterator

import numpy as np

from goldpiece.suite.component import Disagreement
from goldpiece.suite.recorded.judging import fault, judges
from goldpiece.suite.recorded.record import Record, RecordedRow
from goldpiece.suite.subject import Unsupported

from .oracles.masking import bert_target

NOT_SELECTED = -100


def claimed(record: Record, **wanted: str) -> None:
    """Raises Unsupported unless the collator claims to do what the clause speaks of."""
    for name, value in wanted.items():
        if getattr(record.claims, name) != value:
            raise Unsupported(f"{name} = {value}, for it is held to {name} = {getattr(record.claims, name)}")


def with_originals(record: Record) -> Iterator[RecordedRow]:
    """The rows whose original ids are recorded. Raises Unsupported where none are."""
    rows = [row for row in record.rows if row.originals is not None]
    if not rows:
        raise Unsupported("the original ids: record original_ids or tokens")
    yield from rows


@judges("masking.shape")
def shape(record: Record) -> None:
    if record.misshapen:
        raise Disagreement("as many of each as there are tokens", record.misshapen[0], f"{len(record.misshapen)} rows")


@judges("masking.labels")
def labels(record: Record) -> None:
    for row in with_originals(record):
        for place in np.flatnonzero(row.selected & (row.labels != row.ids))[:1].tolist():
            raise fault(
                record, row, place, int(row.ids[place]), int(row.labels[place]), "the label of what is selected"
            )


@judges("masking.unselected")
def unselected(record: Record) -> None:
    for row in with_originals(record):
        for place in np.flatnonzero(~row.selected & (row.seen != row.ids))[:1].tolist():
            raise fault(
                record, row, place, int(row.ids[place]), int(row.seen[place]), "what the model sees, unlabelled"
            )


@judges("masking.special-tokens")
def special_tokens(record: Record) -> None:
    for row in record.rows:
        special = row.is_token & record.is_special[row.ids]
        for place in np.flatnonzero(row.selected & special)[:1].tolist():
            token = record.claims.vocab[row.ids[place]]
            raise fault(record, row, place, NOT_SELECTED, int(row.labels[place]), f"{token} is special")
        if record.claims.rate == 1 and record.claims.budget == "bernoulli":
            for place in [place for place in record.candidates(row).tolist() if not row.selected[place]][:1]:
                raise fault(record, row, place, int(row.ids[place]), NOT_SELECTED, "at the rate 1 all is selected")


@judges("masking.padding")
def padding(record: Record) -> None:
    if all(row.is_token.all() for row in record.rows):
        raise Unsupported("padding: no attention_mask has a 0, and no padding token is at the end of a row")
    for row in record.rows:
        for place in np.flatnonzero(row.selected & ~row.is_token)[:1].tolist():
            raise fault(record, row, place, NOT_SELECTED, int(row.labels[place]), "padding is selected")


# Words.


def all_or_none(record: Record, row: RecordedRow) -> None:
    """Raises Disagreement where a word is selected in part."""
    for word in record.words(row):
        chosen = [place for place in word if row.selected[place]]
        if 0 < len(chosen) < len(word):
            left = next(place for place in word if place not in chosen)
            raise fault(record, row, left, word, chosen, "places of a word, and those that are selected")


@judges("masking.whole-words")
def whole_words(record: Record) -> None:
    claimed(record, unit="word")
    for row in record.rows:
        all_or_none(record, row)


@judges("masking.span-words")
def span_words(record: Record) -> None:
    claimed(record, unit="span")
    for row in record.rows:
        all_or_none(record, row)


@judges("masking.words-by-ids")
def words_by_ids(record: Record) -> None:
    rows = [row for row in record.rows if row.word_ids is not None]
    if not rows:
        raise Unsupported("word ids: record word_ids")
    for row in rows:
        able = np.zeros(len(row.seen), np.bool_)
        able[record.candidates(row)] = True
        ordinary = row.is_token & ~record.is_special[row.ids]
        for place in np.flatnonzero(row.selected & ordinary & ~able)[:1].tolist():
            raise fault(record, row, place, NOT_SELECTED, int(row.labels[place]), "it has no word id")


@judges("masking.replaces-by-unit")
def replaces_by_unit(record: Record) -> None:
    claimed(record, unit="word", replace_per="unit")
    for row in record.rows:
        for word in record.words(row):
            chosen = [place for place in word if row.selected[place]]
            masked = [bool(row.seen[place] == record.mask_id) for place in chosen]
            if len(set(masked)) > 1:
                raise fault(
                    record, row, chosen[0], [masked[0]] * len(masked), masked, "which tokens of a word are masked"
                )


# Budgets.


def no_other_fits(record: Record, row: RecordedRow, most: int) -> None:
    """Raises Disagreement where more is selected than may be, or another unit would still fit."""
    count = int(row.selected.sum())
    if count > most:
        raise fault(record, row, int(row.selected.argmax()), f"{most} tokens at most", count)
    for unit in record.units(row):
        if not row.selected[unit[0]] and count + len(unit) <= most:
            raise fault(record, row, unit[0], f"{unit} selected as well", count, f"{most} tokens may be selected")


def tokens_of(row: RecordedRow) -> int:
    """How many a row has, special ones included. Raises Unsupported where some may be padding."""
    if not row.shows_padding:
        raise Unsupported("what is padding: record attention_mask")
    return int(row.is_token.sum())


@judges("masking.budget-bert")
def budget_bert(record: Record) -> None:
    claimed(record, unit="subword", budget="bert")
    for row in record.rows:
        no_other_fits(record, row, bert_target(tokens_of(row), record.claims.rate, record.claims.max_predictions))


@judges("masking.budget-bert-words")
def budget_bert_words(record: Record) -> None:
    claimed(record, unit="word", budget="bert")
    for row in record.rows:
        no_other_fits(record, row, bert_target(tokens_of(row), record.claims.rate, record.claims.max_predictions))


@judges("masking.budget-greedy")
def budget_greedy(record: Record) -> None:
    claimed(record, unit="word", budget="greedy")
    for row in record.rows:
        target, count = int(tokens_of(row) * record.claims.rate), int(row.selected.sum())
        taken = [len(word) for word in record.words(row) if row.selected[word[0]]]
        if count < target or count > target + 2:
            no_other_fits(record, row, target + 2)  # it stops short only where no word fits
        elif taken and count - max(taken) >= target:
            place = int(row.selected.argmax())
            raise fault(
                record, row, place, f"no word beyond {target} tokens", count, "a word was taken behind the last"
            )


@judges("masking.budget-fraction")
def budget_fraction(record: Record) -> None:
    claimed(record, budget="fraction")
    if record.claims.unit == "span":
        raise Unsupported("spans that are not selected")
    for row in record.rows:
        units = record.units(row)
        count, exact = sum(bool(row.selected[unit[0]]) for unit in units), record.claims.rate * len(units)
        if not int(exact) <= count <= int(exact + 1 - 1e-9):
            place = units[0][0] if units else 0
            raise fault(record, row, place, f"{exact:.2f} units, rounded down or up", count)


@judges("masking.reproducible")
def reproducible(record: Record) -> None:
    seen: dict[tuple[int, int], RecordedRow] = {}
    again = False
    for row in record.rows:
        if row.index is None:
            continue
        first = seen.setdefault((row.epoch, row.index), row)
        if first is row:
            continue
        again = True
        one, other = (each.labels[each.is_token].tolist() for each in (first, row))
        if one != other:
            place = int(row.selected.argmax())
            raise fault(record, row, place, one, other, f"index {row.index} in epoch {row.epoch}, as in {first.place}")
    if not again:
        raise Unsupported("a row twice: record the same index in one epoch again, as after a restart")
