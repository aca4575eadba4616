"""What a run of `pytest bench` adds to pytest: its options, its fixtures, and the table at the end."""

import warnings
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path

import pytest

from goldpiece.errors import GoldpieceError, UsageError
from goldpiece.suite.corpus import read_corpus
from goldpiece.suite.data import DataMissing

from .figures import Figures
from .measuring import Benchmark, Contender, measure
from .subjects import MISSING, REFERENCE, SUBJECTS, builder
from .table import notes, table
from .vocabulary import read_vocabulary, vocabulary_of
from .workloads import EFFORTS, Effort, Material, Workload

SMOKE = "smoke"  # the depth unless another is asked for
RESULTS = pytest.StashKey[list[Figures]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("goldpiece-bench", "benchmarks of Goldpiece")
    group.addoption("--bench-depth", default=SMOKE, choices=list(EFFORTS), help="smoke: does it work; full: how fast")
    group.addoption("--corpus", metavar="NAME|FILE", help="the text to measure with, in place of each workload's own")
    group.addoption("--vocab", metavar="NAME|FILE", help="a vocab.txt, or bert-base-uncased of GOLDPIECE_DATA")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[RESULTS] = []
    # A workload that is refused is not timed; that pytest-benchmark has nothing to time or save is no second fault.
    config.addinivalue_line("filterwarnings", "ignore:Benchmark fixture was not used")
    warnings.filterwarnings("ignore", "Not saving anything")  # at the end of the run, where no line above holds
    try:
        read_vocabulary(_option(config, "--vocab"), _effort(config).entries)
        if (corpus := _option(config, "--corpus")) and not read_corpus(corpus).strip():
            raise UsageError(f"{corpus} is blank: give a text with words by --corpus")
    except GoldpieceError as error:
        raise pytest.UsageError(str(error)) from error


def _option(config: pytest.Config, name: str) -> str | None:
    """None also where pytest came upon this room late, and knows none of its options."""
    value: str | None = config.getoption(name, None)
    return value


def _effort(config: pytest.Config) -> Effort:
    return EFFORTS[_option(config, "--bench-depth") or SMOKE]


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """The files of this room, whatever the configuration calls files of tests; pytest takes one that is named."""
    if not file_path.match("bench_*.py") or parent.session.isinitpath(file_path):
        return None
    module: pytest.Module = pytest.Module.from_parent(parent, path=file_path)
    return module


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Each workload of the module on each subject that has its operation, the reference first."""
    if "workload" not in metafunc.fixturenames:
        return
    workloads: Sequence[Workload] = metafunc.module.WORKLOADS
    pairs = [(workload, subject) for workload in workloads for subject in SUBJECTS if builder(subject, workload)]
    metafunc.parametrize(
        ("workload", "subject"),
        [pytest.param(*pair, id=f"{pair[0].name}-{pair[1]}", marks=skipped_if_missing(pair[1])) for pair in pairs],
    )


def skipped_if_missing(subject: str) -> list[pytest.MarkDecorator]:
    return [pytest.mark.skip(reason=MISSING[subject])] if subject in MISSING else []


@pytest.fixture(scope="session")
def effort(pytestconfig: pytest.Config) -> Effort:
    """How much is measured."""
    return _effort(pytestconfig)


@pytest.fixture(scope="session")
def material_of(pytestconfig: pytest.Config, effort: Effort) -> Callable[[Workload], Material]:
    """The material of a workload; what several have in common is made once. Raises DataMissing."""
    of_the_run = read_vocabulary(_option(pytestconfig, "--vocab"), effort.entries)
    made = cache(lambda corpus, vocab: Material(read_corpus(corpus), vocab, effort))

    def material(workload: Workload) -> Material:
        corpus = _option(pytestconfig, "--corpus") or workload.corpus
        found: Material = made(corpus, tuple(vocabulary_of(workload, of_the_run)))
        return found

    return material


@pytest.fixture
def record(pytestconfig: pytest.Config, benchmark: Benchmark) -> Callable[[Figures], None]:
    """Puts figures into the JSON of pytest-benchmark and into the table."""

    def note(figures: Figures) -> None:
        benchmark.extra_info.update(figures.as_info())
        pytestconfig.stash[RESULTS].append(figures)

    return note


@pytest.fixture
def measurement(
    workload: Workload,
    subject: str,
    material_of: Callable[[Workload], Material],
    benchmark: Benchmark,
    record: Callable[[Figures], None],
    tmp_path: Path,
) -> Callable[[], None]:
    """Measures the workload on the subject, and records what was found."""
    try:
        material = material_of(workload)
    except DataMissing as error:
        pytest.skip(f"not run: {error}")
    benchmark.group = workload.id

    def contender(name: str) -> Contender:
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        build = builder(name, workload)
        assert build
        return Contender(name, partial(build, workload.setup(material.vocab, folder)))

    def take() -> None:
        reference = None if subject == REFERENCE else contender(REFERENCE)
        try:
            record(measure(workload, contender(subject), reference, material, benchmark, tmp_path))
        except GoldpieceError as error:
            raise pytest.fail.Exception(str(error), pytrace=False) from None

    return take


@pytest.hookimpl(trylast=True)  # behind the tables of pytest-benchmark
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    write = terminalreporter.write_line
    rows = config.stash[RESULTS]
    if any(row.rounds for row in rows):
        terminalreporter.section("how fast")
        for line in [*table(rows), "", *notes(rows)]:
            write(line)
    elif rows or config.getoption("numprocesses", None):
        write(
            "bench: the outputs were checked, and nothing was measured: pytest-benchmark times nothing under",
            yellow=True,
        )
        write("pytest-xdist, where workers share the machine, nor with --benchmark-disable.", yellow=True)
