"""Measures again where a time or its growth is not as recorded, before anybody is told.

Of many measurements on a machine that others share, one always differs: what is still so with all that several
measurements found is believed. Memory repeats, and is not asked for twice.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from goldpiece.suite.benchmarks.baselines import Baseline, baselines_of
from goldpiece.suite.benchmarks.record import Growth, Measured, Run
from goldpiece.suite.benchmarks.verifying import differences

AGAIN = 3  # times, at most


def confirmed(run: Run, recorded: Sequence[Baseline], measured_again: Callable[[Sequence[str]], Run]) -> Run:
    """The run with all that is found out about the workloads whose times differ from what was recorded."""
    for _ in range(AGAIN):
        found = differences(recorded, baselines_of(run))
        if not (in_doubt := sorted({each.workload for each in found if each.is_of_time})):
            break
        run = joined(run, measured_again(in_doubt))
    return run


def joined(run: Run, again: Run) -> Run:
    """A run with the times of another of the same workloads."""
    measured = [_joined(each, found) if (found := again.of(*each.key)) else each for each in run.measured]
    return replace(run, measured=tuple(measured))


def _joined(one: Measured, other: Measured) -> Measured:
    growth = one.growth
    if growth and other.growth:
        growth = Growth.of(growth.sizes, [min(times) for times in zip(growth.cpu_s, other.growth.cpu_s, strict=True)])
    return replace(one, samples=(*one.samples, *other.samples), growth=growth)
