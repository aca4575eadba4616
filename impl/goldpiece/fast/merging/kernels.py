"""The functions that merge. They are Python, and what numba compiles: see goldpiece.fast.merging.compiling.

A pair that occurs less often than the floor has no number, and its places are not kept: it cannot become more frequent
unless one of its symbols is made again, and then all pairs of that are taken anew.
"""

from goldpiece.fast.merging.arrays import BEGUN, BLOCK, GAP, NONE, PAIRS, PLACE, USED, WORK, Arrays, Numbers, Rule

CLOSE = 1 - 2**-48  # of a score and a lower one: floating point may have put them in the wrong order


# Two instructions that numba is told in its own way.


def highest(values: Numbers, start: int, stop: int) -> float:
    """The highest of some values."""
    found: float = max(values[start:stop])
    return found


def compared(one: tuple[int, int, int], other: tuple[int, int, int]) -> int:
    """-1, 0 or 1, as a product of three is less than another, equal, or more: exact, however large they are."""
    first, second = one[0] * one[1] * one[2], other[0] * other[1] * other[2]
    return (first > second) - (first < second)


# Which pair is merged.


def best(arrays: Arrays, rule: Rule) -> int:
    """The pair to merge; NONE if there is none."""
    bounds, scores, pairs = arrays.bounds, arrays.scores, arrays.totals[PAIRS]
    blocks = (pairs + BLOCK - 1) // BLOCK
    while blocks:
        top = highest(bounds, 0, blocks)
        if top <= 0:
            break
        close, seen = top * CLOSE, 0.0
        for block in range(blocks):
            if bounds[block] >= close:
                bounds[block] = highest(scores, block * BLOCK, min(block * BLOCK + BLOCK, pairs))
                seen = max(seen, bounds[block])
        if seen == top:
            return _first_of(arrays, rule, close)
    return NONE


def _first_of(arrays: Arrays, rule: Rule, close: float) -> int:
    """Of the pairs whose scores are so high that exact numbers have to decide, the one to merge."""
    bounds, scores, pairs = arrays.bounds, arrays.scores, arrays.totals[PAIRS]
    found = NONE
    for block in range((pairs + BLOCK - 1) // BLOCK):
        if bounds[block] >= close:
            arrays.totals[WORK] += 1
            for pair in range(block * BLOCK, min(block * BLOCK + BLOCK, pairs)):
                if scores[pair] >= close and (found == NONE or _precedes(arrays, rule, pair, found)):
                    found = pair
    return found


def _precedes(arrays: Arrays, rule: Rule, one: int, other: int) -> bool:
    """Whether of two pairs the one is merged sooner than the other."""
    first, second, counts, singles = arrays.first, arrays.second, arrays.counts, arrays.singles
    if rule.by_likelihood:
        order = compared(
            (counts[one], singles[first[other]], singles[second[other]]),
            (counts[other], singles[first[one]], singles[second[one]]),
        )
        if order != 0:
            return order > 0
    if rule.by_count and counts[one] != counts[other]:
        return bool(counts[one] > counts[other])
    if rule.by_first_seen:
        return first_place(arrays, one) < first_place(arrays, other)
    if first[one] != first[other]:
        return bool(first[one] < first[other])
    return bool(second[one] < second[other])


def first_place(arrays: Arrays, pair: int) -> int:
    """Where the row has a pair first. It has to occur."""
    at = arrays.start[pair]
    while arrays.pair[arrays.places[at]] != pair:
        at += 1
    arrays.start[pair] = at
    return int(arrays.places[at])


# What a merge changes.


def join(arrays: Arrays, rule: Rule, pair: int, joined: int) -> None:
    """Joins a pair wherever it stands, from left to right, to the symbol `joined`, and looks at no other place."""
    symbols, following, before, word = arrays.symbols, arrays.following, arrays.before, arrays.word
    times, pair_at, places, begun, singles = arrays.times, arrays.pair, arrays.places, arrays.begun, arrays.singles
    arrays.totals[PLACE] = first_place(arrays, pair)
    arrays.totals[WORK] += arrays.end[pair] - arrays.start[pair]
    found = total = 0
    for at in range(arrays.start[pair], arrays.end[pair]):
        place = places[at]
        if pair_at[place] != pair:
            continue
        gone, left = following[place], before[place]
        right, often = following[gone], times[word[place]]
        total += often
        _leave(arrays, rule, gone, often)
        symbols[place], symbols[gone] = joined, GAP
        following[place], before[right] = right, place
        if symbols[left] != GAP and pair_at[left] != BEGUN:  # else its pair begins with what was joined before
            _leave(arrays, rule, left, often)
            pair_at[left], begun[found] = BEGUN, left
            found += 1
        pair_at[place] = NONE
        if symbols[right] != GAP:
            pair_at[place], begun[found] = BEGUN, place
            found += 1
    first, second = arrays.first[pair], arrays.second[pair]
    singles[first] -= total
    singles[second] -= total
    singles[joined] += total
    drop(arrays, pair)
    _enter(arrays, rule, joined, found)
    if rule.by_likelihood:  # all pairs of what has become rarer have become likelier
        _score_all_of(arrays, rule, first)
        if first != second:
            _score_all_of(arrays, rule, second)


def take_anew(arrays: Arrays, rule: Rule, symbol: int, found: int) -> None:
    """Counts the pairs of a symbol again: for one that has been made a second time, and may have more of them.

    The first `found` places that are begun are all at which they begin.
    """
    for number in range(found):
        place = arrays.begun[number]
        _leave(arrays, rule, place, arrays.times[arrays.word[place]])
    _enter(arrays, rule, symbol, found)


def drop(arrays: Arrays, pair: int) -> None:
    """Has a pair no more: it is merged, or never will be."""
    arrays.counts[pair] = 0
    arrays.scores[pair] = 0


def _leave(arrays: Arrays, rule: Rule, place: int, often: int) -> None:
    """No pair begins at a place any more. The score is that by frequency; by likelihood, it is still to come."""
    pair = arrays.pair[place]
    if pair >= 0:
        arrays.pair[place] = NONE
        arrays.counts[pair] -= often
        arrays.scores[pair] = arrays.counts[pair] if arrays.counts[pair] >= rule.floor else 0


def _enter(arrays: Arrays, rule: Rule, symbol: int, found: int) -> None:
    """Numbers the pairs at the places that are begun, of each of which a symbol is a part. All are new."""
    symbols, following, pair_at, begun = arrays.symbols, arrays.following, arrays.pair, arrays.begun
    ahead, behind, renumbered = arrays.ahead, arrays.behind, arrays.renumbered
    begin, used = arrays.totals[PAIRS], arrays.totals[USED]
    end = begin
    for number in range(found):
        place = begun[number]
        one, other = symbols[place], symbols[following[place]]
        beside, part = (behind, other) if one == symbol else (ahead, one)
        if beside[part] == NONE:
            beside[part] = end
            arrays.first[end], arrays.second[end] = one, other
            arrays.counts[end] = arrays.end[end] = 0
            end += 1
        pair = beside[part]
        arrays.counts[pair] += arrays.times[arrays.word[place]]
        arrays.end[pair] += 1  # for now, how many places it has
        pair_at[place] = pair
    kept = begin
    for pair in range(begin, end):
        one, other = arrays.first[pair], arrays.second[pair]
        if one == symbol:
            behind[other] = NONE
        else:
            ahead[one] = NONE
        renumbered[pair - begin] = NONE
        if arrays.counts[pair] >= rule.floor:
            renumbered[pair - begin] = kept
            count, length = arrays.counts[pair], arrays.end[pair]
            arrays.first[kept], arrays.second[kept], arrays.counts[kept] = one, other, count
            arrays.start[kept] = arrays.end[kept] = used
            used += length
            kept += 1
    for number in range(found):
        place = begun[number]
        pair = pair_at[place] = renumbered[pair_at[place] - begin]
        if pair != NONE:
            arrays.places[arrays.end[pair]] = place
            arrays.end[pair] += 1
    arrays.totals[PAIRS], arrays.totals[USED] = kept, used
    arrays.totals[WORK] += found
    rank(arrays, rule, begin)


# How high pairs rank.


def rank(arrays: Arrays, rule: Rule, begin: int) -> None:
    """Scores the pairs from `begin` on for the first time."""
    for pair in range(begin, arrays.totals[PAIRS]):
        if rule.by_likelihood:
            one, other = arrays.first[pair], arrays.second[pair]
            arrays.next_first[pair], arrays.as_first[one] = arrays.as_first[one], pair
            arrays.next_second[pair], arrays.as_second[other] = arrays.as_second[other], pair
        _score(arrays, rule, pair)


def _score_all_of(arrays: Arrays, rule: Rule, symbol: int) -> None:
    """Scores the pairs that a symbol is part of again, by likelihood."""
    _score_beside(arrays, rule, symbol, arrays.second, arrays.as_first, arrays.next_first)
    _score_beside(arrays, rule, symbol, arrays.first, arrays.as_second, arrays.next_second)


def _score_beside(arrays: Arrays, rule: Rule, symbol: int, others: Numbers, heads: Numbers, after: Numbers) -> None:
    """Scores the pairs in a list, of a symbol and others, and forgets those that are no more."""
    counts, singles, scores, bounds = arrays.counts, arrays.singles, arrays.scores, arrays.bounds
    often, floor, done = float(singles[symbol]), rule.floor, 0
    pair, last = heads[symbol], NONE
    while pair != NONE:
        count = counts[pair]
        if count >= floor:
            score = scores[pair] = count / (often * float(singles[others[pair]]))
            bounds[pair // BLOCK] = max(bounds[pair // BLOCK], score)
            last = pair
        elif last == NONE:
            heads[symbol] = after[pair]
        else:
            after[last] = after[pair]
        pair = after[pair]
        done += 1
    arrays.totals[WORK] += done


def _score(arrays: Arrays, rule: Rule, pair: int) -> None:
    """Notes the score of a pair that is frequent enough; by likelihood, it is right to within what is called close."""
    score = float(arrays.counts[pair])
    if rule.by_likelihood:
        score /= float(arrays.singles[arrays.first[pair]]) * float(arrays.singles[arrays.second[pair]])
    arrays.scores[pair] = score
    arrays.bounds[pair // BLOCK] = max(arrays.bounds[pair // BLOCK], score)


# What kernels call of each other.
PARTS = (rank, first_place, drop, _first_of, _precedes, _leave, _enter, _score_all_of, _score_beside, _score)
