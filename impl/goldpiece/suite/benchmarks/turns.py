"""Two sides by turns: A B B A, in fresh processes, until each workload has a verdict or there is no more patience."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from goldpiece.suite.benchmarks.record import Sample
from goldpiece.suite.benchmarks.verdict import FEWEST_PAIRS, Ratio, ratio_of_pairs

Key: TypeAlias = tuple[str, str]  # workload, subject
Pair: TypeAlias = tuple[Key, Key]  # of A and of B


class Sampler(Protocol):
    """A side that can be measured."""

    def samples(self, keys: Sequence[Key]) -> list[Sample | str]:
        """A sample of each from one process; or why there is none, and there will be none."""


@dataclass
class Series:
    """What was measured of a workload on both sides so far; samples at one place followed each other."""

    a: list[Sample] = field(default_factory=list)
    b: list[Sample] = field(default_factory=list)
    missing: str = ""  # why there are no more

    def add(self, a: Sample | str, b: Sample | str) -> None:
        if isinstance(a, str) or isinstance(b, str):
            self.missing = "; ".join(f"{side}: {each}" for side, each in (("A", a), ("B", b)) if isinstance(each, str))
        else:
            self.a.append(a)
            self.b.append(b)

    @property
    def ratio(self) -> Ratio | None:
        """Of processor time; None before there are enough."""
        return self._ratio("cpu_s")

    @property
    def wall(self) -> Ratio | None:
        return self._ratio("wall_s")

    @property
    def open(self) -> bool:
        return not self.missing and not (self.ratio and self.ratio.settled(len(self.a)))

    def _ratio(self, name: str) -> Ratio | None:
        if self.missing or len(self.a) < FEWEST_PAIRS:
            return None
        return ratio_of_pairs(*([getattr(each, name) for each in side] for side in (self.a, self.b)))


def by_turns(a: Sampler, b: Sampler, pairs: Sequence[Pair], rounds: int) -> Mapping[Pair, Series]:
    """Measures these, which one process of a side takes together, for no more than so many rounds, or one more.

    A round is one process of each side. The side that begins has the machine as the other left it, so that they take
    turns in that as well.
    """
    series = {pair: Series() for pair in pairs}
    while left := [pair for pair in pairs if series[pair].open and len(series[pair].a) < rounds]:
        of_a, of_b = [a_key for a_key, _ in left], [b_key for _, b_key in left]
        first, second = a.samples(of_a), b.samples(of_b)
        third, fourth = b.samples(of_b), a.samples(of_a)
        for place, pair in enumerate(left):
            series[pair].add(first[place], second[place])
            if not series[pair].missing:
                series[pair].add(fourth[place], third[place])
    return series
