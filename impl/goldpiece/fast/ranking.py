"""The pairs with the highest scores, found without looking at all of them each time."""

import numpy as np

from goldpiece.fast.row import Numbers, with_room

BLOCK = 256  # pairs. About the root of their number: as many blocks are looked at as there are pairs in one
CLOSE = 1 - 2**-48  # of a score and a lower one: floating point may have put them in the wrong order


class Ranking:
    """Scores from 0 on, by the number of each pair; 0 is for what is not to be merged.

    Each block of pairs has a bound that no score in it exceeds. It is made true when the block is looked at, so that a
    score that falls costs nothing.
    """

    def __init__(self) -> None:
        self._scores = np.zeros((0, BLOCK))
        self._bounds = np.zeros(0)

    def put(self, pairs: Numbers, scores: Numbers) -> None:
        """Gives pairs other scores."""
        if not len(pairs):
            return
        blocks = int(pairs.max()) // BLOCK + 1
        if blocks > len(self._bounds):
            self._bounds, self._scores = with_room(self._bounds, blocks), with_room(self._scores, blocks)
        self._scores.reshape(-1)[pairs] = scores
        np.maximum.at(self._bounds, pairs // BLOCK, scores)

    def best(self) -> Numbers:
        """The pairs with the highest score, and those so close to it that exact numbers have to decide."""
        while len(self._bounds) and (highest := self._bounds.max()) > 0:
            blocks = (self._bounds >= highest * CLOSE).nonzero()[0]
            scores = self._scores[blocks]
            self._bounds[blocks] = bounds = scores.max(axis=1)
            if bounds.max() == highest:
                close = (scores >= highest * CLOSE).ravel().nonzero()[0]
                found: Numbers = blocks[close // BLOCK] * BLOCK + close % BLOCK
                return found
        return np.zeros(0, dtype=np.int64)
