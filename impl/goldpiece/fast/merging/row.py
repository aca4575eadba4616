"""All words of a corpus in one row of numbers, and what is known of its pairs while they are merged."""

from typing import Literal

import numpy as np

from goldpiece.fast.merging.arrays import BLOCK, GAP, NONE, PAIRS, PLACE, USED, WORK, Rule
from goldpiece.fast.merging.engine import PYTHON, Choice, EngineName
from goldpiece.fast.merging.kernels import drop, rank
from goldpiece.fast.merging.storage import Laid, arrays_of, shown_to_python, with_room

AT_ONCE = 1 << 16  # places whose symbols are counted together


class Row:
    """The row of a corpus that has so many different symbols. What is merged in it follows from the rule alone."""

    def __init__(self, laid: Laid, symbols: int, rule: Rule, engine: EngineName = "auto") -> None:
        self._rule = rule
        # Kernels that are compiled have counts of 64 bits, and places of 32.
        fits = laid.times.dtype == np.int64 and len(laid.symbols) < 2**31
        self._choice = Choice(engine if fits else "python")
        self._engine = self._choice.engine(len(laid.symbols))  # merges look at nearly every place, sooner or later
        self._arrays = arrays_of(laid, symbols)
        self._show()
        self._enter_all()
        rank(shown_to_python(self._arrays), rule, 0)

    @property
    def engine_in_use(self) -> Literal["python", "compiled"]:
        """Who makes the next merge: "python" or "compiled"."""
        return self._engine.name

    def counts_of(self, pair: int) -> tuple[int, int, int]:
        """How often the corpus has a pair, and each of its symbols."""
        arrays = self._arrays
        return (
            int(arrays.counts[pair]),
            int(arrays.singles[arrays.first[pair]]),
            int(arrays.singles[arrays.second[pair]]),
        )

    def symbols_of(self, pair: int) -> tuple[int, int]:
        """The two of a pair."""
        return int(self._arrays.first[pair]), int(self._arrays.second[pair])

    def find(self, first: int, second: int) -> int | None:
        """The number of a pair; None where it is not frequent enough."""
        arrays = self._arrays
        pairs = slice(arrays.totals[PAIRS])
        is_it = (arrays.first[pairs] == first) & (arrays.second[pairs] == second)
        found = np.flatnonzero(is_it & (arrays.counts[pairs] >= self._rule.floor))
        return int(found[0]) if len(found) else None

    def word_at(self, place: int) -> list[int]:
        """The symbols of the word around a place that holds one of them, as they are now."""
        symbols, before, following = self._arrays.symbols, self._arrays.before, self._arrays.following
        while symbols[before[place]] != GAP:
            place = before[place]
        found = []
        while symbols[place] != GAP:
            found.append(int(symbols[place]))
            place = following[place]
        return found

    def best(self) -> int | None:
        """The pair to merge; None if there is none."""
        found = self._engine.best(self._shown)
        return None if found == NONE else found

    def drop(self, pair: int) -> None:
        """Forgets a pair: it will not be merged."""
        drop(self._arrays, pair)

    def join(self, pair: int, joined: int) -> int:
        """Joins a pair wherever it stands to a symbol, new or old. The first place where it did."""
        is_old = joined < len(self._arrays.singles) and bool(self._arrays.singles[joined])
        occurs = int(self._arrays.end[pair] - self._arrays.start[pair])
        self._make_room_for(joined, 2 * occurs)
        self._engine.join(self._shown, pair, joined)
        place = int(self._arrays.totals[PLACE])
        if is_old:
            self._take_anew(joined)
        self._turn()
        return place

    def _take_anew(self, symbol: int) -> None:
        symbols, before, following = self._arrays.symbols, self._arrays.before, self._arrays.following
        places = np.flatnonzero(symbols == symbol)
        begun = np.union1d(places, before[places])
        begun = begun[(symbols[begun] != GAP) & (symbols[following[begun]] != GAP)]
        self._make_room_for(symbol, len(begun))
        self._arrays.begun[: len(begun)] = begun
        self._engine.take_anew(self._shown, symbol, len(begun))

    def _make_room_for(self, symbol: int, begun: int) -> None:
        """Has room for the pairs of a symbol that are to be numbered, at so many places."""
        arrays = self._arrays
        symbols = max(symbol + 1, len(arrays.singles))
        pairs = min(begun, 2 * symbols)
        most = arrays.totals[PAIRS] + pairs
        has_room = (
            symbols == len(arrays.singles)
            and begun <= len(arrays.begun)
            and most <= len(arrays.first)
            and most <= BLOCK * len(arrays.bounds)
            and arrays.totals[USED] + begun <= len(arrays.places)
        )
        if not has_room:
            self._grow(pairs=pairs, places=begun, begun=begun, symbols=symbols)

    def _grow(self, **needed: int) -> None:
        self._arrays = with_room(self._arrays, **needed)
        self._show()

    def _show(self) -> None:
        self._shown = self._engine.show(self._arrays, self._rule)

    def _turn(self) -> None:
        """Has another engine go on, if what was done is worth its start."""
        if self._engine is PYTHON:
            self._engine = self._choice.engine(int(self._arrays.totals[WORK]))
            if self._engine is not PYTHON:
                self._show()

    def _enter_all(self) -> None:
        """Numbers the pairs that the corpus begins with. Numbers are as small as they may be, for there are many."""
        arrays, symbols = self._arrays, len(self._arrays.singles)
        for start in range(0, len(arrays.symbols), AT_ONCE):
            part = slice(start, start + AT_ONCE)
            inside = arrays.symbols[part] != GAP
            np.add.at(arrays.singles, arrays.symbols[part][inside], arrays.times[arrays.word[part][inside]])
        is_symbol = arrays.symbols != GAP
        places = np.flatnonzero(is_symbol[:-1] & is_symbol[1:]).astype(arrays.places.dtype)
        if not len(places):
            return
        keys = arrays.symbols[places].astype(np.int32 if symbols**2 < 2**31 else np.int64)
        keys *= symbols
        keys += arrays.symbols[places + 1]
        order = np.argsort(keys, kind="stable")
        places, keys = places[order], keys[order]
        del order
        starts = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
        lengths = np.diff(starts, append=len(places))
        counts = np.add.reduceat(arrays.times[arrays.word[places]], starts)
        kept = counts >= self._rule.floor
        places, keys, lengths = places[np.repeat(kept, lengths)], keys[starts[kept]], lengths[kept]
        self._grow(pairs=len(keys), places=len(places))
        arrays, new = self._arrays, np.arange(len(keys), dtype=np.int32)
        arrays.pair[places] = np.repeat(new, lengths)
        arrays.first[new], arrays.second[new], arrays.counts[new] = keys // symbols, keys % symbols, counts[kept]
        arrays.end[new] = np.cumsum(lengths)
        arrays.start[new] = arrays.end[new] - lengths
        arrays.places[: len(places)] = places
        arrays.totals[PAIRS], arrays.totals[USED] = len(keys), len(places)
