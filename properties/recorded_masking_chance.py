"""The clauses of spec/masking.yaml on chances, judged on all that a record of batches holds. See chance.py."""

from collections.abc import Iterator, Sequence

import numpy as np

from goldpiece.suite.recorded.judging import fault, judges
from goldpiece.suite.recorded.record import NotEnough, Record, RecordedRow, by_epoch, in_pairs
from goldpiece.suite.subject import Unsupported

from .chance import Mixed, Share, expect_shares
from .recorded_masking import claimed

FEW = 1_000  # trials with less than that tell too little
BINS = 16
SIZES = ("", "one token", "two tokens", "three tokens and more")
NEAR = 8  # batches behind one another that are compared: as many workers as begin an epoch together, or so


def enough(found: int, what: str, wanted: int = FEW) -> None:
    """Raises NotEnough where there are less than are wanted."""
    if found < wanted:
        raise NotEnough(found, wanted, what)


def by_chance(record: Record) -> None:
    """Raises Unsupported unless each unit is selected on its own, and the record shows which there were."""
    claimed(record, budget="bernoulli")
    if record.claims.unit == "span":
        raise Unsupported("spans that are not selected")


@judges("masking.equal-chances")
def equal_chances(record: Record) -> None:
    by_chance(record)
    every = f"{record.claims.unit}s"
    counts: dict[str, list[int]] = {}  # of what is looked at how many are selected, and how many there are
    for row in record.rows:
        units = record.units(row)
        for number, unit in enumerate(units):
            half = "first" if 2 * number < len(units) else "second"
            looked_at = [every, f"{every} in the {half} half of their rows", f"{every} of {SIZES[min(len(unit), 3)]}"]
            looked_at += [f"{every} that begin their rows"] if number == 0 else []
            for what in looked_at:
                count = counts.setdefault(what, [0, 0])
                count[0] += bool(row.selected[unit[0]])
                count[1] += 1
    enough(counts.get(every, [0, 0])[1], every)
    expect_shares([Share(what, count, of, record.claims.rate) for what, (count, of) in counts.items()], len(counts))


@judges("masking.independence")
def independence(record: Record) -> None:
    by_chance(record)
    both = of = 0
    for row in record.rows:
        units = record.units(row)
        for one, other in zip(units[::2], units[1::2], strict=False):
            if other[0] == one[-1] + 1:
                both += bool(row.selected[one[0]] and row.selected[other[0]])
                of += 1
    enough(of, f"pairs of {record.claims.unit}s")
    expect_shares([Share("two side by side, both selected", both, of, record.claims.rate**2)], 1)


# Replacement.


def lots(record: Record) -> Iterator[tuple[RecordedRow, int]]:
    """The selected places that have a lot of their own."""
    for row in record.rows:
        if record.claims.replace_per == "unit" and record.claims.unit != "subword":
            if record.claims.unit == "span":
                raise Unsupported("which tokens are of one span")
            yield from ((row, word[0]) for word in record.words(row) if row.selected[word[0]])
        else:
            yield from ((row, place) for place in np.flatnonzero(row.selected & row.is_token).tolist())


@judges("masking.rates")
def rates(record: Record) -> None:
    counts = {"masked": 0, "random": 0, "kept": 0}
    for row, place in lots(record):
        seen = row.seen[place]
        counts["masked" if seen == record.mask_id else "kept" if seen == row.labels[place] else "random"] += 1
    total = sum(counts.values())
    enough(total, "selected tokens")
    mask, other = record.claims.mask_rate, record.claims.random_rate
    pool = random_ids(record)
    hidden = other / len(pool)  # a random token may be the one that stood there, and the mask token where it may
    chances = {"masked": mask + hidden * (record.mask_id in pool), "kept": 1 - mask - other + hidden}
    chances["random"] = 1 - sum(chances.values())
    shares = [Share(what, counts[what], total, min(1.0, max(0.0, round(chances[what], 15)))) for what in counts]
    expect_shares(shares, len(shares))


def random_ids(record: Record) -> Sequence[int]:
    """The ids that a random token may have, in order."""
    every = record.claims.random_special
    return [number for number, special in enumerate(record.is_special.tolist()) if every or not special]


def drawn_evenly(record: Record) -> None:
    """Raises Disagreement where a random token is none that may be drawn, or some are drawn more often than others."""
    pool = random_ids(record)
    ranks = {number: rank for rank, number in enumerate(pool)}
    bins = min(BINS, len(pool))
    sizes = [len(pool) * (number + 1) // bins - len(pool) * number // bins for number in range(bins)]

    def bin_of(number: int) -> int:
        return next(each for each in range(bins) if ranks[number] < len(pool) * (each + 1) // bins)

    counts, chances, total = [0] * bins, [0.0] * bins, 0
    for row in record.rows:
        for place in np.flatnonzero(row.selected & row.is_token).tolist():
            seen, original = int(row.seen[place]), int(row.labels[place])
            if seen in (original, record.mask_id):
                continue
            if seen not in ranks:
                note = f"{record.claims.vocab[seen]} was drawn"
                raise fault(record, row, place, "an id that may be drawn", seen, note)
            # Those that look like something else cannot be told, and are not counted.
            hidden = [bin_of(each) for each in {original, record.mask_id} if each in ranks]
            for each in range(bins):
                chances[each] += (sizes[each] - hidden.count(each)) / (len(pool) - len(hidden))
            counts[bin_of(seen)] += 1
            total += 1
    if record.claims.random_rate == 0 and not total:
        raise Unsupported("random tokens, for their rate is 0")
    enough(total, "random tokens", FEW // 2)
    ends = [pool[len(pool) * number // bins] for number in range(bins)]
    expect_shares(
        [
            Mixed(f"ids from {ends[each]} on, of {sizes[each]}", counts[each], total, chances[each] / total)
            for each in range(bins)
        ],
        bins,
    )


@judges("masking.random-words")
def random_words(record: Record) -> None:
    if record.claims.random_special:
        raise Unsupported("random tokens without special ones, for it is held to random_special = true")
    drawn_evenly(record)


@judges("masking.random-special")
def random_special(record: Record) -> None:
    if not record.claims.random_special:
        raise Unsupported("special random tokens, for it is held to random_special = false")
    drawn_evenly(record)


@judges("masking.replaces-by-token")
def replaces_by_token(record: Record) -> None:
    claimed(record, unit="word", replace_per="token")
    masked = of = 0
    for row in record.rows:
        for word in record.words(row):
            if len(word) > 1 and row.selected[word].all():
                masked += bool((row.seen[word[:2]] == record.mask_id).all())
                of += 1
    enough(of, "words of several tokens", FEW // 2)
    chance = record.claims.mask_rate
    if record.claims.random_special:
        chance += record.claims.random_rate / len(record.claims.vocab)
    expect_shares([Share("words of which the first two tokens are masked", masked, of, chance**2)], 1)


# What a mask depends on.


@judges("masking.epochs")
def epochs(record: Record) -> None:
    if len(by_epoch(record.rows)) < 2:
        raise Unsupported("a second epoch: record `epoch` beside each row")
    if record.claims.unit == "span":
        raise Unsupported("spans that are not selected")
    pairs = list(in_pairs(record.rows))
    if not any(rows for _, _, rows in pairs):
        raise Unsupported("rows of one epoch in another: record `index`, or the original ids")
    judge = alike_by_units if record.claims.budget == "bernoulli" else alike_by_rows
    expect_shares([judge(record, f"in the epochs {one} and {other}", rows) for one, other, rows in pairs], len(pairs))


def alike_by_units(record: Record, what: str, pairs: Sequence[tuple[RecordedRow, RecordedRow]]) -> Share:
    """Units that fared alike in two epochs, of all."""
    rate, alike, of = record.claims.rate, 0, 0
    for first, second in pairs:
        for one, other in zip(record.units(first), record.units(second), strict=False):
            alike += bool(first.selected[one[0]] == second.selected[other[0]])
            of += 1
    enough(of, f"{record.claims.unit}s {what}")
    return Share(f"{record.claims.unit}s that fared alike {what}", alike, of, rate**2 + (1 - rate) ** 2)


def alike_by_rows(record: Record, what: str, pairs: Sequence[tuple[RecordedRow, RecordedRow]]) -> Share:
    """Rows of which the same was selected in two epochs.

    With a budget, what is selected first is any of the units; that it is one of those that were selected in the other
    epoch has a chance that is their share, and that all are has no greater one.
    """
    alike, chance, of = 0, 0.0, 0
    for first, second in pairs:
        units = record.units(first)
        chosen = [unit for unit in units if first.selected[unit[0]]]
        if not chosen or len(chosen) == len(units):
            continue  # there was no choice, or none that is known of
        chance += len(chosen) / len(units)
        alike += first.labels[first.is_token].tolist() == second.labels[second.is_token].tolist()
        of += 1
    enough(of, f"rows {what}", 50)
    # Less than chance gives is no fault here: the chance is but a bound.
    return Mixed(f"rows with the same mask {what}", max(alike, int(chance)), of, chance / of)


@judges("masking.rows-differ")
def rows_differ(record: Record) -> None:
    by_chance(record)
    batches: dict[tuple[int, int], list[RecordedRow]] = {}
    for row in record.rows:
        if row.batch is not None:
            batches.setdefault((row.epoch, row.batch), []).append(row)
    if len(batches) < 2:
        raise Unsupported("what was one batch: record `batch` beside each row, or a batch a line")
    order = sorted(batches)
    near = [(one, other) for number, one in enumerate(order) for other in order[number + 1 : number + 1 + NEAR]]
    rate, worst, tests = record.claims.rate, None, 0
    for one, other in [pair for pair in near if pair[0][0] == pair[1][0]]:
        found = fates_alike(record, batches[one], batches[other])
        if found[1] < FEW // 20:
            continue
        tests += 1
        what = f"places that fared alike in the batches {one[1]} and {other[1]} of epoch {one[0]}"
        share = Share(what, *found, rate**2 + (1 - rate) ** 2)
        worst = share if worst is None or share.p_value < worst.p_value else worst
    if worst is None:
        raise NotEnough(0, FEW // 20, "places in the same rows of two batches")
    expect_shares([worst], tests)


def fates_alike(record: Record, first: Sequence[RecordedRow], second: Sequence[RecordedRow]) -> tuple[int, int]:
    """How many units at the same place of the same row fared alike, of how many.

    Random numbers that are drawn for whole arrays are those of the same places where both arrays have one shape, and
    else in the first row.
    """
    shapes = {(len(rows), len(rows[0].seen)) for rows in (first, second)}
    alike = of = 0
    for one, other in list(zip(first, second, strict=False))[: None if len(shapes) == 1 else 1]:
        starts = {unit[0] for unit in record.units(one)} & {unit[0] for unit in record.units(other)}
        alike += sum(bool(one.selected[place] == other.selected[place]) for place in starts)
        of += len(starts)
    return alike, of
