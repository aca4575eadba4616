"""Holds a run to the baselines: what is worse, what is better, and what cannot be compared."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from goldpiece.suite.benchmarks.account import kilobytes
from goldpiece.suite.benchmarks.baselines import Baseline

MEMORY = 1.05  # a peak repeats but for a little; more than this is a change
LINEAR = 1.0  # less than that is what a call costs whatever its input, and grows when that shrinks
GROWTH = 0.25  # an exponent is fitted to three times; a step in the cost of a call is larger
TIME = 2.0  # a ratio of two times is far steadier than a time, and still moves with the processor
PEAK = "memory"  # the difference that is not of time


class Kind(Enum):
    """What a difference means for whoever changed the code."""

    WORSE = "worse"
    BETTER = "better"
    NEW = "new"
    GONE = "gone"
    NOT_COMPARED = "not compared"

    @property
    def is_fault(self) -> bool:
        """Whether the baselines do not hold: what is new or gone has to be recorded, or nothing would be held to it."""
        return self in (Kind.WORSE, Kind.NEW, Kind.GONE)


@dataclass(frozen=True)
class Difference:
    """Of a baseline and what is measured now: of what, and both in words."""

    workload: str
    subject: str
    kind: Kind
    what: str
    was: str
    now: str

    @property
    def is_of_time(self) -> bool:
        """Whether it is something that another measurement may not find."""
        return self.kind in (Kind.WORSE, Kind.BETTER) and self.what != PEAK


def differences(recorded: Sequence[Baseline], measured: Sequence[Baseline]) -> list[Difference]:
    """All that are beyond the tolerances, of what was recorded and is to be measured, and of what is measured."""
    was, now = ({each.key: each for each in baselines} for baselines in (recorded, measured))
    return [each for key in sorted({*was, *now}) for each in _of(key, was.get(key), now.get(key))]


def _of(key: tuple[str, str], was: Baseline | None, now: Baseline | None) -> Iterator[Difference]:
    if was is None or now is None:
        kind = Kind.NEW if was is None else Kind.GONE
        yield Difference(*key, kind, "baseline", "–" if was is None else "recorded", "–" if now is None else "measured")
        return
    yield from _memory(was, now)
    yield from _growth(was, now)
    for name in sorted({*was.times_as_fast, *now.times_as_fast}):
        yield from _speed(was, now, name)


def _memory(was: Baseline, now: Baseline) -> Iterator[Difference]:
    written = kilobytes(was.peak_bytes), kilobytes(now.peak_bytes)
    if was.python != now.python:
        if was.peak_bytes != now.peak_bytes:
            yield Difference(*now.key, Kind.NOT_COMPARED, f"memory: it was recorded with {was.python}", *written)
    elif was.digest != now.digest:
        yield Difference(*now.key, Kind.NEW, "inputs", was.digest, now.digest)
    elif was.peak_bytes is None or now.peak_bytes is None:
        if was.peak_bytes != now.peak_bytes:
            yield Difference(*now.key, Kind.NOT_COMPARED, PEAK, *written)
    elif now.peak_bytes > was.peak_bytes * MEMORY:
        yield Difference(*now.key, Kind.WORSE, PEAK, *written)
    elif now.peak_bytes * MEMORY < was.peak_bytes:
        yield Difference(*now.key, Kind.BETTER, PEAK, *written)


def _growth(was: Baseline, now: Baseline) -> Iterator[Difference]:
    if was.exponent is None or now.exponent is None:
        if was.exponent != now.exponent:
            yield Difference(*now.key, Kind.NEW, "growth", _power(was.exponent), _power(now.exponent))
    elif abs(steeper := max(now.exponent, LINEAR) - max(was.exponent, LINEAR)) > GROWTH:
        kind = Kind.WORSE if steeper > 0 else Kind.BETTER
        yield Difference(*now.key, kind, "growth", _power(was.exponent), _power(now.exponent))


def _power(exponent: float | None) -> str:
    return "–" if exponent is None else f"n^{exponent:.2f}"


def _speed(was: Baseline, now: Baseline, name: str) -> Iterator[Difference]:
    before, after = was.times_as_fast.get(name), now.times_as_fast.get(name)
    what = f"times as fast as {name}"
    written = "–" if before is None else f"{before:g}", "–" if after is None else f"{after:g}"
    if after is None:
        yield Difference(*now.key, Kind.NOT_COMPARED, f"{what}, which was not measured", *written)
    elif before is None:
        yield Difference(*now.key, Kind.NEW, what, *written)
    elif after * TIME < before:
        yield Difference(*now.key, Kind.WORSE, what, *written)
    elif after > before * TIME:
        yield Difference(*now.key, Kind.BETTER, what, *written)


def updated(recorded: Sequence[Baseline], measured: Sequence[Baseline], found: Sequence[Difference]) -> list[Baseline]:
    """The baselines to record: as measured where they differ, else as recorded: what is within the tolerances, or could
    not be compared, does not move.
    """
    now = {each.key: each for each in measured}
    differing = {(each.workload, each.subject): each.kind for each in found if each.kind is not Kind.NOT_COMPARED}
    kept = [each for each in recorded if each.key not in differing]
    made = [_with_what_was_not_measured(now[key], recorded) for key in differing if key in now]
    return [*kept, *made]


def _with_what_was_not_measured(made: Baseline, recorded: Sequence[Baseline]) -> Baseline:
    """A ratio to a library that was not there is kept."""
    was = next((each for each in recorded if each.key == made.key), None)
    return replace(made, times_as_fast={**was.times_as_fast, **made.times_as_fast}) if was else made
