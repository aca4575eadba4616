"""How long `from goldpiece import Tokenizer` takes, and a whole `goldpiece check`, in processes that are new to both.

They are of no component, so that no spec declares them.
"""

import subprocess
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from statistics import median

import pytest

from goldpiece.suite.loader import load_specs
from goldpiece.suite.values import Value

from .conftest import skipped_if_missing
from .figures import Figures, Ratio
from .measuring import Benchmark
from .subjects import IMPORT, PACKAGES, REFERENCE
from .workloads import Case, Effort, Material, Workload

CHECKED = "post_processor"  # one of the smaller specs


def one_run(_: Material) -> Sequence[Value]:
    return [None]


def all_hold(_: Material, runs: Sequence[Value]) -> Sequence[Value]:
    """How many clauses hold: each under each of its profiles."""
    clauses = load_specs().named(CHECKED).clauses
    return [sum(len(clause.rows) for clause in clauses) for _ in runs]


CHECK = Workload(
    *("package", "check", "check", "topics", Case(one_run, all_hold), {"spec": CHECKED}),
    takes_vocab=False, long=True, apart=True,
)  # fmt: skip
WORKLOADS = (CHECK,)


def test_package(measurement: Callable[[], None]) -> None:
    measurement()


# NumPy comes with both in most programs, but not in this one: what it takes is part of the time.
TIMED_IMPORT = """
import sys, time
start = time.perf_counter()
from {package} import Tokenizer
import {package}
seconds = time.perf_counter() - start
print(seconds, {package}.__version__)
"""


def seconds_to_import(package: str, folder: Path) -> float:
    """The seconds that the import takes in a fresh process, whose start is not counted.

    Raises AssertionError unless it is the package that is installed here which was imported.
    """
    command = [sys.executable, "-c", TIMED_IMPORT.format(package=package)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True, timeout=60)
    seconds, found = done.stdout.split()
    assert found == version(package), f"{package} {found} was imported, and {version(package)} is installed"
    return float(seconds)


@pytest.mark.parametrize(
    "subject", [pytest.param(subject, marks=skipped_if_missing(subject)) for subject in PACKAGES], ids=PACKAGES
)
def test_import(
    subject: str, benchmark: Benchmark, effort: Effort, record: Callable[[Figures], None], tmp_path: Path
) -> None:
    """By turns, as elsewhere: each process of the subject behind one that imports goldpiece."""
    before: list[float] = []
    found: list[float] = []

    def setup() -> None:
        before.append(seconds_to_import(PACKAGES[REFERENCE], tmp_path))

    def target() -> None:
        found.append(seconds_to_import(PACKAGES[subject], tmp_path))

    benchmark.group = IMPORT
    benchmark.pedantic(target, setup=setup, rounds=effort.processes, warmup_rounds=1)
    if benchmark.disabled:
        return
    ratio = None if subject == REFERENCE else Ratio.of(list(zip(before, found, strict=True))[1:])
    seconds = median(found[1:])
    record(Figures(IMPORT, subject, 1, 0, rounds=len(found) - 1, ratio=ratio, p50_s=seconds))
