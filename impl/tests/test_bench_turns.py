"""Sides that take turns: what is measured how often, when something may be told, and what spoils nothing else.

The machine is made up here, and so are its times; test_bench_compare.py lets real code take turns.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import numpy as np
import pytest

from goldpiece.suite.benchmarks.process import ProcessFailed
from goldpiece.suite.benchmarks.record import Lap, Sample
from goldpiece.suite.benchmarks.turns import LONG, SHARE, Key, Round, Series, by_turns
from goldpiece.suite.benchmarks.verdict import Ratio, Verdict, Verdicts

SAME = Ratio(1.0, 1.0, 1.0)


class Sides:
    """Processes of a machine that only counts: which made a lap, in which order, and how often there was a new one."""

    def __init__(self, seconds: Callable[[str, int], float | str]) -> None:
        self.order: list[str] = []
        self.rounds = 0
        self.seeds: list[int] = []
        self.seconds = seconds  # of a process with a workload, in a round; or what is wrong with it

    def side(self) -> "OneSide":
        return OneSide(self)


class OneSide:
    def __init__(self, both: Sides) -> None:
        self.both = both

    @contextmanager
    def sit(self, keys: Sequence[Key], name: str, hash_seed: int) -> Iterator["OneSitting"]:
        self.both.rounds += name == "a"
        self.both.seeds.append(hash_seed)
        yield OneSitting(self.both, name, keys)


class OneSitting:
    def __init__(self, both: Sides, name: str, keys: Sequence[Key]) -> None:
        self.both, self.name, self.keys = both, name, keys

    def _found(self, place: int) -> float | str:
        return self.both.seconds(f"{self.name} {self.keys[place][0]}", self.both.rounds)

    def begin(self) -> list[str | None]:
        found = [self._found(place) for place in range(len(self.keys))]
        if "it ends" in found:
            raise ProcessFailed("it ends")
        return [each if isinstance(each, str) else None for each in found]

    def lap(self, place: int) -> Lap:
        self.both.order.append(self.name)
        found = self._found(place)
        assert isinstance(found, float)
        return Lap(found, found, 1)

    def end(self) -> tuple[list[str | None], float]:
        return [None for _ in self.keys], 1.0


def turns(both: Sides, names: Sequence[str], rounds: int) -> dict[str, tuple[int, str]]:
    """Of each workload how many rounds there are, and why there are no more."""
    pairs = [((name, "s"), (name, "s")) for name in names]
    over: list[str] = []
    found = by_turns(both.side(), both.side(), pairs, rounds, over.append)
    assert sorted(over) == sorted(names)
    return {key[0][0]: (len(series.rounds), series.missing) for key, series in found.items()}


def test_three_processes_take_turns_and_each_is_the_first_as_often_as_another() -> None:
    both = Sides(lambda *_: 0.001)
    assert turns(both, ["quiet"], 40) == {"quiet": (8, "")}
    assert both.order[:6] == ["a", "b", "again", "b", "again", "a"]
    assert len(both.order) == 8 * 3 * 8
    assert {name: both.order[::3].count(name) for name in ("a", "again", "b")} == {"a": 21, "b": 22, "again": 21}
    assert both.seeds == [number for number in range(1, 9) for _ in range(3)]  # those of a round have one


@pytest.mark.parametrize(("seconds", "laps"), [(SHARE / 100, 8), (SHARE / 3.9, 4), (SHARE * 2, 2), (LONG, 1)])
def test_what_takes_long_has_few_laps(seconds: float, laps: int) -> None:
    both = Sides(lambda *_: seconds)
    turns(both, ["w"], 8)
    assert len(both.order) == laps * 3 * 8


def test_what_is_noisy_is_measured_longer_and_the_rest_is_not() -> None:
    draws = np.random.default_rng(1)
    both = Sides(lambda name, _: float(draws.uniform(1, 2)) if "noisy" in name else 1.0)
    assert turns(both, ["quiet", "noisy"], 20) == {"quiet": (8, ""), "noisy": (20, "")}


def test_a_difference_is_told_when_new_rounds_say_it_by_themselves() -> None:
    both = Sides(lambda name, _: 1.2 if name == "b slow" else 1.0)
    assert turns(both, ["slow"], 40) == {"slow": (16, "")}
    at_first = Sides(lambda name, number: 1.2 if name == "b slow" and number <= 8 else 1.0)
    assert turns(at_first, ["slow"], 40)["slow"][0] > 16


def test_what_is_slower_is_told_by_new_rounds_alone() -> None:
    series = Series()
    for number in range(16):
        a, b = (Sample(seconds, seconds, 1, 1.0) for seconds in (0.1, 0.15 if number < 8 else 0.12))
        series.add(Round(a, b, a if number < 8 else None))
        assert series.open == (number < 15)
    assert series.said == Verdicts(Ratio(*[pytest.approx(1.2)] * 3), Ratio(*[pytest.approx(1.2)] * 3), SAME)  # type: ignore[arg-type]


def test_what_takes_long_counts_from_the_largest_effect() -> None:
    for seconds, verdict in ((LONG / 2, Verdict.CANNOT_TELL), (LONG, Verdict.NO_CHANGE)):
        series = Series()
        for _ in range(8):
            a, b = (Sample(each, each, 1, 1.0) for each in (seconds, 1.07 * seconds))
            series.add(Round(a, b, a))
        assert series.said
        assert series.said.verdict is verdict


def test_what_differs_from_itself_is_measured_twice_as_long_as_that() -> None:
    always = Sides(lambda name, _: 0.0012 if name == "again w" else 0.001)
    assert turns(always, ["w"], 20) == {"w": (20, "")}
    assert always.order.count("again") == always.order.count("a")
    at_first = Sides(lambda name, number: 0.0012 if name == "again w" and number <= 8 else 0.001)
    assert turns(at_first, ["w"], 40) == {"w": (12, "")}


def test_when_the_noise_is_known_two_processes_are_enough() -> None:
    both = Sides(lambda name, _: 0.0012 if name == "b w" else 0.001)
    assert turns(both, ["w"], 40) == {"w": (16, "")}
    assert both.order.count("a") == both.order.count("b") == 2 * both.order.count("again")
    assert both.order[-4:] == ["b", "a", "a", "b"] or both.order[-4:] == ["a", "b", "b", "a"]


def test_what_is_not_confirmed_cannot_be_told() -> None:
    series = Series()
    for _ in range(12):
        a, b = (Sample(seconds, seconds, 1, 1.0) for seconds in (0.1, 0.12))
        series.add(Round(a, b, a))
    assert series.open
    assert series.said
    assert series.said.verdict is Verdict.CANNOT_TELL
    assert "slower at first sight, and no 8 new measurements" in series.said.reason


def test_noise_is_hardly_ever_a_difference_however_many_workloads_there_are() -> None:
    """Sixty workloads on a machine far too noisy for one round to tell: not one that looks slower is told so."""
    draws = np.random.default_rng(3)
    both = Sides(lambda *_: float(np.exp(draws.standard_t(3) * 0.05)))
    names = [f"w{number}" for number in range(60)]
    pairs = [((name, "s"), (name, "s")) for name in names]
    found = by_turns(both.side(), both.side(), pairs, 20, lambda _: None)
    said = [series.said.verdict for series in found.values() if series.said]
    assert len(said) == 60
    assert not {Verdict.SLOWER, Verdict.FASTER} & set(said)


def test_a_process_that_ends_spoils_only_what_ended_it() -> None:
    both = Sides(lambda name, number: "it ends" if name == "b bad" and number > 2 else 1.0)
    assert turns(both, ["bad", "good"], 40) == {"bad": (2, "it ends"), "good": (8, "")}


def test_what_is_wrong_is_measured_no_more() -> None:
    both = Sides(lambda name, number: "it is wrong" if name == "b bad" and number > 4 else 1.0)
    assert turns(both, ["bad", "good"], 40) == {"bad": (4, "B: it is wrong"), "good": (8, "")}
