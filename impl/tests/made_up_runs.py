"""Runs as `goldpiece bench` saves them, for tests that measure nothing."""

from collections.abc import Sequence

from goldpiece.suite.benchmarks.machine import Machine
from goldpiece.suite.benchmarks.record import Growth, Measured, Memory, NotMeasured, Run, Sample, Site

MACHINE = Machine("a processor", 2, "Linux x86_64", "CPython 3.11.7", {"numpy": "2.0"})


def measured(
    seconds: Sequence[float] = (1e-3, 1.01e-3, 0.99e-3),
    peak: int = 400_000,
    exponent: float | None = 1.01,
    *,
    workload: str = "wordpiece/words",
    subject: str = "reference",
    digest: str = "d",
    places: Sequence[str] = (),
) -> Measured:
    """A workload on a subject, whose passes took so many seconds, one in each process."""
    sites = [Site("goldpiece/a.py:1 <listcomp>", peak // 2, 7), *(Site(place, peak // 4, 3) for place in places)]
    return Measured(
        workload=workload,
        subject=subject,
        inputs=1,
        utf8_bytes=1_000,
        tokens=100,
        digest=digest,
        samples=tuple(Sample(each, each, 3, 1e-3, 2e-4, 5e-4) for each in seconds),
        peak_rss_bytes=90_000_000,
        memory=Memory(peak, 1_234, tuple(sites), ((0.0, 0), (0.01, peak), (0.02, 10))),
        growth=None if exponent is None else grown(exponent),
    )


def grown(exponent: float) -> Growth:
    """Times that grow with that power of the length."""
    return Growth((100, 200, 400), (1e-3, 1e-3 * 2**exponent, 1e-3 * 4**exponent), exponent)


def run(*found: Measured, not_measured: Sequence[NotMeasured] = (), date: str = "2026-11-30T12:00:00+00:00") -> Run:
    """A run of small inputs."""
    return Run(".", "0.1.0", date, MACHINE, "quick", None, None, found, tuple(not_measured))
