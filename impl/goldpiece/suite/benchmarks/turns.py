"""Two sides by turns, until each workload has a verdict or there is no more patience; and A against itself.

The first rounds have three fresh processes, on one core: A, A again, and B. All make the workloads ready, and wait;
then one at a time measures a lap of some milliseconds: A, A again, B, of the next workload, and so on, over all of them
several times. So what else the machine does at a time falls on all three; and since they follow each other in the same
order in each turn, each finds the caches as another has left them. The processes of a round have one seed for the
hashes of strings, so that sets and dictionaries lie alike in all of them, and each round has another. The ratio of A
again to A is the noise: of the same minutes, and of as many processes, as the first ratio that it is compared with.
When it is known, rounds go on with A and B alone, for what cannot be told yet.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeAlias

from goldpiece.suite.benchmarks.process import ProcessFailed
from goldpiece.suite.benchmarks.record import Lap, Sample
from goldpiece.suite.benchmarks.verdict import (
    FEWEST_PAIRS,
    LARGEST_EFFECT,
    MINIMUM_EFFECT,
    Ratio,
    Verdict,
    Verdicts,
    ratio_of_pairs,
)

SWEEPS = 8  # laps of a workload in a process, at most
FEWEST_LAPS = 2
SHARE = 0.012  # seconds of processor time, after which a workload has no more laps in a process than the fewest
LONG = 0.5  # seconds, after which it has no more at all; what takes longer has the largest minimum effect
BETWEEN_LOOKS = 4  # rounds
DIFFERENCES = (Verdict.SLOWER, Verdict.FASTER)

Key: TypeAlias = tuple[str, str]  # workload, subject
Pair: TypeAlias = tuple[Key, Key]  # of A and of B


class Sitting(Protocol):
    """A fresh process of a side, which measures some workloads a lap at a time."""

    def begin(self) -> list[str | None]:
        """Of each workload why it is not measured, if so."""

    def lap(self, place: int) -> Lap: ...

    def end(self) -> tuple[list[str | None], float]:
        """Of each workload why its result is not right, if so; and the seconds of the calibration."""


class Sampler(Protocol):
    """A side that can be measured."""

    def sit(self, keys: Sequence[Key], name: str, hash_seed: int) -> AbstractContextManager[Sitting]:
        """A process for these workloads, which is over behind the `with`; raises ProcessFailed if it ends before."""


@dataclass(frozen=True)
class Round:
    """What a round found out about a workload."""

    a: Sample
    b: Sample
    again: Sample | None  # A once more, as long as the noise is not known


@dataclass
class Series:
    """What was measured of a workload so far, and what may be said from that."""

    rounds: list[Round] = field(default_factory=list)
    missing: str = ""  # why there are no more
    said: Verdicts | None = None  # None before there are enough
    _suspicion: tuple[int, Verdict] | None = None  # behind how many rounds something looked slower, or faster

    def add(self, found: Round | str) -> None:
        """Another round, or why there is none. Looks at the whole each time that there are enough new ones."""
        if isinstance(found, str):
            self.missing = found
            return
        self.rounds.append(found)
        if len(self.rounds) >= FEWEST_PAIRS and (len(self.rounds) - FEWEST_PAIRS) % BETWEEN_LOOKS == 0:
            self.said = self._look()

    def _look(self) -> Verdicts:
        """The verdict by all rounds. If that is a difference: by those alone that came after it was first seen."""
        whole = self._by(0)
        if whole.seen not in DIFFERENCES:
            self._suspicion = None
            return whole
        if not self._suspicion or self._suspicion[1] is not whole.seen:
            self._suspicion = len(self.rounds), whole.seen
        since, seen = self._suspicion
        if len(self.rounds) - since >= FEWEST_PAIRS and (alone := self._by(since)).seen is seen:
            return alone
        return replace(whole, confirmed=False)

    def _by(self, since: int) -> Verdicts:
        """What the rounds say from one on, with the noise of all."""

        def ratio(name: str) -> Ratio:
            found = self.rounds[since:]
            return ratio_of_pairs([getattr(each.a, name) for each in found], [getattr(each.b, name) for each in found])

        twice = [(each.a.cpu_s, each.again.cpu_s) for each in self.rounds if each.again]
        least = LARGEST_EFFECT if min(each.a.cpu_s for each in self.rounds) >= LONG else MINIMUM_EFFECT
        return Verdicts(ratio("cpu_s"), ratio("wall_s"), ratio_of_pairs(*zip(*twice, strict=True)), least)

    @property
    def open(self) -> bool:
        return not self.missing and not (self.said and self.said.verdict is not Verdict.CANNOT_TELL)

    @property
    def noise_is_open(self) -> bool:
        """Whether A is to be measured twice: until there are enough, and as long as it differs from itself."""
        return self.said is None or self.said.noisy


def by_turns(
    a: Sampler, b: Sampler, pairs: Sequence[Pair], rounds: int, told: Callable[[str], None]
) -> Mapping[Pair, Series]:
    """Measures these, which one process of a side takes together, for no more than so many rounds. Of each workload it
    is `told` when it is over.
    """
    series = {pair: Series() for pair in pairs}
    for number in range(rounds):
        left = [pair for pair in pairs if series[pair].open]
        if not left:
            break
        twice = any(series[pair].noise_is_open for pair in left)
        for pair, found in zip(left, round_of(a, b, left, number, twice), strict=True):
            series[pair].add(found)
            if not series[pair].open:
                told(pair[0][0])
    for pair in pairs:
        if series[pair].open:
            told(pair[0][0])
    return series


def round_of(a: Sampler, b: Sampler, pairs: Sequence[Pair], number: int, twice: bool) -> list[Round | str]:
    """What fresh processes find out about each pair, or why nothing; of A there may be two. What ends a process is
    measured alone, so that it spoils nothing else.
    """
    of_a, of_b = [a_key for a_key, _ in pairs], [b_key for _, b_key in pairs]
    again = [(a, of_a, "again")] if twice else []
    try:
        with ExitStack() as stack:
            sides = [
                stack.enter_context(side.sit(keys, name, number + 1))
                for side, keys, name in ((a, of_a, "a"), (b, of_b, "b"), *again)
            ]
            return _measured(sides, len(pairs), number)
    except ProcessFailed as error:
        return [round_of(a, b, [pair], number, twice)[0] for pair in pairs] if len(pairs) > 1 else [str(error)]


def _measured(sides: Sequence[Sitting], count: int, number: int) -> list[Round | str]:
    begun = [sitting.begin() for sitting in sides]
    ready = [place for place in range(count) if not any(reasons[place] for reasons in begun)]
    laps: list[list[list[Lap]]] = [[[] for _ in sides] for _ in range(count)]
    for sweep in range(SWEEPS):
        for place in ready:
            spent = _seconds(laps[place]) / len(sides)
            if spent < SHARE or (sweep < FEWEST_LAPS and spent < LONG):
                for turn in range(len(sides)):
                    side = (number + sweep + turn) % len(sides)
                    laps[place][side].append(sides[side].lap(place))
    ends = [sitting.end() for sitting in sides]
    found: list[Round | str] = []
    for place in range(count):
        wrong = [reasons[place] or end[0][place] for reasons, end in zip(begun, ends, strict=True)]
        said = dict.fromkeys(f"{label}: {why}" for label, why in zip("ABA", wrong, strict=False) if why)
        if said:
            found.append("; ".join(said))
        else:
            a, b, *again = (Sample.of(of, end[1]) for of, end in zip(laps[place], ends, strict=True))
            found.append(Round(a, b, again[0] if again else None))
    return found


def _seconds(laps: Sequence[Sequence[Lap]]) -> float:
    """Processor time of all laps of all sides so far."""
    return sum(lap.cpu_s * lap.passes for of_side in laps for lap in of_side)
