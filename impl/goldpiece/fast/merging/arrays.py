"""What is known of a corpus and its pairs of symbols while merges are made, by number."""

from typing import Any, NamedTuple, TypeAlias

# Arrays of NumPy; for kernels that are not compiled, memoryviews of the same memory, from which Python reads single
# numbers in less than half the time.
Numbers: TypeAlias = Any

GAP = -1  # a symbol that is none: what lies between words, and what has joined its left neighbour
NONE = -1  # a pair or place that is none
BEGUN = -2  # in place of a pair that is still to be numbered
BLOCK = 64  # pairs whose scores have a bound together

PAIRS, USED, PLACE, WORK = range(4)  # in `totals`
TOTALS = 4


class Arrays(NamedTuple):
    """The words stand in a row, with gaps between; `places` tells where in it each pair is."""

    totals: Numbers  # pairs; how much of `places` is used; where the last merge was first; what was done so far
    # Of each place in the row:
    symbols: Numbers
    following: Numbers  # the next place: not always the one behind, since what was joined has left gaps
    before: Numbers
    word: Numbers  # which one it is in
    pair: Numbers  # which one begins there
    # Of each word:
    times: Numbers  # how often the corpus has it
    # Of each symbol:
    singles: Numbers  # how often the corpus has it
    as_first: Numbers  # the newest of the pairs that begin with it, and by `next_first` the others
    as_second: Numbers
    ahead: Numbers  # NONE, but for within a call: the number of the pair of it and the symbol at hand
    behind: Numbers  # the same of the pair of the symbol at hand and it
    # Of each pair:
    first: Numbers  # its symbols
    second: Numbers
    counts: Numbers  # how often the corpus has it
    start: Numbers  # where its places are among all; at some of them it is no more
    end: Numbers
    next_first: Numbers
    next_second: Numbers
    scores: Numbers  # 0 for what is not to be merged, else the higher, the sooner
    # Of each block of pairs:
    bounds: Numbers  # no score in it is higher
    # Of each pair together:
    places: Numbers  # ascending for each
    # Within a call:
    begun: Numbers  # places, ascending, at which a pair is to be numbered
    renumbered: Numbers


class Rule(NamedTuple):
    """Which pair is merged: by likelihood or by frequency alone, and of those that are equal by it the one that …"""

    by_likelihood: bool
    by_count: bool  # … is more frequent
    by_first_seen: bool  # … stands first in the row; else the one of the lower numbers
    floor: int  # a pair that is less frequent is never merged
