"""Measures one workload on one subject: its output first, then its speed, the latency of a call, and its memory.

Speed is compared in pairs. Behind each round of the reference comes one of the subject, so that both have the machine
as it is at that moment; the ratio is the median over the pairs, and how far the middle half of them spreads tells the
noise. A round is as many passes over all inputs as make both rounds about as long: else what interrupts a machine would
mostly hit the longer. The loop of a pass, some 50 ns an input, is included. Garbage collection is on. Latency is that
of single calls, each on the next input; a percentile is one of the calls and no mean of two.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from math import ceil
from pathlib import Path
from statistics import mean, median
from typing import Any, Protocol

from goldpiece.errors import GoldpieceError
from goldpiece.suite.values import Value, abridged, show

from .figures import Figures, Ratio
from .memory import APART, NOT_RUN, peak_memory
from .workloads import AnyReady, Effort, Material, Workload

MOST_ROUNDS = 200
MOST_PASSES = 100
MOST_TRIES = 3
LONG = 0.5  # seconds of a pass, from which it is not made again to see what it takes


class WrongOutput(GoldpieceError):
    """A subject does not do what a workload is about, so that its speed means nothing."""

    def __init__(self, workload: str, subject: str, given: Value, expected: Value, actual: Value) -> None:
        given, expected, actual = (show(abridged(value)) for value in (given, expected, actual))
        super().__init__(
            f"{subject} is wrong in '{workload}', and is not measured\n"
            f"     input  {given}\n  expected  {expected}\n    actual  {actual}"
        )


class Benchmark(Protocol):
    """What is used of the fixture of pytest-benchmark."""

    group: str | None
    extra_info: dict[str, Any]  # whatever JSON holds
    disabled: bool  # nothing is timed, as under pytest-xdist

    def pedantic(
        self, target: Callable[[], object], *, setup: Callable[[], None], rounds: int, warmup_rounds: int
    ) -> object:
        """Times rounds of `target`, each behind a call of `setup`; the result of the last."""


@dataclass(frozen=True)
class Contender:
    """A subject in a workload: its name, and how its operation is built."""

    name: str
    build: Callable[[], AnyReady]


@dataclass(frozen=True)
class Pass:
    """One pass over all inputs, which gives all results, and the seconds that it takes where nothing interrupts it."""

    run: Callable[[], list[Any]]
    seconds: float


@dataclass
class Turns:
    """Rounds of a subject, each behind one of the reference unless the subject is that."""

    subject: Pass
    reference: Pass | None
    spent: list[float] = field(default_factory=list)  # seconds of a pass, for each round
    spent_before: list[float] = field(default_factory=list)  # the same of the reference
    _early: list[float] = field(default_factory=list)  # seconds of the passes of this round so far

    @property
    def _longer(self) -> float:
        return max(each.seconds for each in (self.subject, self.reference) if each)

    def _passes(self, each: Pass) -> int:
        """How many passes a round has: about as long as one of the slower."""
        return max(1, min(MOST_PASSES, round(self._longer / each.seconds)))

    def run(self, benchmark: Benchmark, effort: Effort) -> list[Any]:
        """As many turns as there is time for, behind one that does not count; the results of the last pass.

        Of what takes long there is one: many are made by `goldpiece bench run`.
        """
        rounds = max(effort.rounds, min(MOST_ROUNDS, int(effort.seconds / (2 * self._longer))))
        warm = self._longer < LONG
        last: Any = benchmark.pedantic(
            self._target, setup=self._setup, rounds=rounds if warm else 1, warmup_rounds=int(warm)
        )
        if warm:
            del self.spent[:1], self.spent_before[:1]
        results: list[Any] = last
        return results

    def _setup(self) -> None:
        """The round of the reference, and all passes of the subject but the last, which pytest-benchmark times."""
        if self.reference:
            self.spent_before.append(mean(_seconds(self.reference.run) for _ in range(self._passes(self.reference))))
        self._early = [_seconds(self.subject.run) for _ in range(self._passes(self.subject) - 1)]

    def _target(self) -> list[Any]:
        start = time.perf_counter()
        results = self.subject.run()
        self.spent.append(mean([*self._early, time.perf_counter() - start]))
        return results

    @property
    def ratio(self) -> Ratio | None:
        return Ratio.of(list(zip(self.spent_before, self.spent, strict=True))) if self.reference else None


def _seconds(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


@cache
def inputs_and_outputs(workload: Workload, material: Material) -> tuple[Sequence[Value], Sequence[Value]]:
    """The inputs and the right outputs, which are the same for all subjects."""
    inputs = workload.case.inputs(material)
    if not inputs:
        raise GoldpieceError(f"'{workload.id}' has no inputs, for the text has no words: give another by --corpus")
    return inputs, workload.case.right(material, inputs)


@dataclass(frozen=True, eq=False)
class Entry:
    """A contender in a workload, built, with the inputs in its own form."""

    workload: str
    contender: Contender
    inputs: Sequence[Value]
    right: Sequence[Value]

    def ready(self) -> tuple[AnyReady, list[Any]]:
        """It is built, and its inputs are made."""
        ready = self.contender.build()
        return ready, [ready.take(each) for each in self.inputs]

    @cached_property
    def warm(self) -> tuple[AnyReady, list[Any]]:
        """The same, built once for all that is timed."""
        return self.ready()

    def check(self, ready: AnyReady, outputs: Sequence[Value]) -> None:
        """Raises WrongOutput for the first output that is not the right one."""
        for given, expected, actual in zip(self.inputs, self.right, outputs, strict=True):
            if not (ready.is_right(given, actual) if ready.is_right else actual == expected):
                raise WrongOutput(self.workload, self.contender.name, given, expected, actual)

    def checked_pass(self, apart: bool, tries: int) -> tuple[Pass, Callable[[list[Any]], None]]:
        """A pass over all inputs, the first of which was right, and what raises if the results of another are not.

        It is made so many times more, to see what it takes. What is a process of its own takes long, and the only pass
        of it is checked as the others are, behind it.
        """
        ready, taken = self.warm
        call = ready.call

        def run() -> list[Any]:
            return [call(each) for each in taken]

        def check(results: list[Any]) -> None:
            self.check(ready, [ready.plain(result) for result in results])

        if apart:
            return Pass(run, LONG), check
        start = time.perf_counter()
        results = run()
        first = time.perf_counter() - start
        check(results)
        return Pass(run, min([first, *(_seconds(run) for _ in range(tries))]) if first < LONG else first), check

    def latencies(self, calls: int) -> tuple[float, float]:
        """The seconds within which half of the calls end, and 99 of 100."""
        ready, taken = self.warm
        call, clock = ready.call, time.perf_counter_ns
        spent: list[int] = []
        for number in range(calls):
            given = taken[number % len(taken)]
            start = clock()
            call(given)
            spent.append(clock() - start)
        spent.sort()
        return spent[ceil(calls * 0.50) - 1] / 1e9, spent[ceil(calls * 0.99) - 1] / 1e9

    def use(self) -> None:
        """What memory is measured of: it and its inputs are made, and it is called for each; each result is let go."""
        ready, taken = self.ready()
        for each in taken:
            ready.call(each)


def measure(
    workload: Workload,
    contender: Contender,
    reference: Contender | None,
    material: Material,
    benchmark: Benchmark,
    folder: Path,
) -> Figures:
    """The figures of a contender, compared with the reference unless it is that; `folder` is for files of its own.

    Raises WrongOutput, and measures nothing, if an output is wrong, of the contender or of the reference; also if one
    was right at first.
    """
    given = inputs_and_outputs(workload, material)
    entry = Entry(workload.id, contender, *given)
    how = workload.apart, min(material.effort.rounds, MOST_TRIES)
    subject, check = entry.checked_pass(*how)
    other = Entry(workload.id, reference, *given).checked_pass(*how)[0] if reference else None
    turns = Turns(subject, other)
    check(turns.run(benchmark, material.effort))
    figures = _counted(workload, contender, material)
    if benchmark.disabled:
        return figures
    took = median(turns.spent)
    figures = replace(
        figures,
        rounds=len(turns.spent),
        mb_per_s=figures.utf8_bytes / 1e6 / took if figures.utf8_bytes else None,
        tokens_per_s=None if figures.tokens is None else figures.tokens / took,
        ratio=turns.ratio,
    )
    if not workload.long:
        calls = material.effort.calls
        p50, p99 = entry.latencies(calls)
        figures = replace(figures, calls=calls, p50_s=p50, p99_s=p99)
    reason = APART if workload.apart else NOT_RUN
    peak = None if reason else peak_memory(entry.use, folder)
    return replace(figures, peak_memory_bytes=peak, no_memory_because=reason)


def _counted(workload: Workload, contender: Contender, material: Material) -> Figures:
    inputs, right = inputs_and_outputs(workload, material)
    utf8_bytes, tokens = workload.sizes(inputs, right)
    return Figures(workload.id, contender.name, len(inputs), utf8_bytes, tokens)
