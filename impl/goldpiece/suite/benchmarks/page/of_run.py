"""The page about one run: subjects side by side, and how they did in earlier runs."""

from collections.abc import Iterator, Mapping, Sequence
from statistics import median

from goldpiece.suite.benchmarks.page import units
from goldpiece.suite.benchmarks.page.view import Detail, Moment, Page, Side
from goldpiece.suite.benchmarks.record import Measured, Run
from goldpiece.suite.benchmarks.standings import Between, not_run, standings
from goldpiece.suite.loader import load_specs

NO_CHANGE = 1.05  # a run judges nothing: this is how wide the band of its figures is
OF_THE_PACKAGE = {
    "package/check": "A whole `goldpiece check` of a small spec.",
    "package/import": "The import of the package, in a process that has imported nothing yet.",
}


def page_of_run(run: Run, earlier: Sequence[Run]) -> Page:
    """The page about a run, with a history if there are earlier ones."""
    found = standings(run)
    wrong = sum(not each.is_equal for each in found)
    return Page(
        title=f"Benchmarks of Goldpiece {run.version}",
        lead="; ".join([*([f"{wrong} wrong, and not measured"] if wrong else []), *_speeds(run)]) or "One subject.",
        labels=(),
        facts=facts(run),
        details=[_detail(run, workload, earlier) for workload in dict.fromkeys(each.workload for each in run.measured)],
        no_change=NO_CHANGE,
        standings=found,
        notes=[
            "Equal: whether the output is that of the reference. Where it is not, nothing is measured.",
            "Times are processor time of one core. Those of another machine are others: compare the ratios.",
            *not_run(run),
        ],
    )


def _speeds(run: Run) -> Iterator[str]:
    """Of each subject how it stands to the reference, over all workloads."""
    found = [(each.subject, each.speed.ratio) for each in standings(run) if each.speed]
    for subject in dict.fromkeys(subject for subject, _ in found):
        ratios = [ratio for name, ratio in found if name == subject]
        least, most = (units.three_digits(ratio) for ratio in (min(ratios), max(ratios)))
        yield f"{subject} is {least} to {most} times as fast as the reference, in {len(ratios)} workloads"


def facts(run: Run) -> list[tuple[str, str]]:
    """What a run was made with: names and texts."""
    machine = run.machine
    packages = ", ".join(f"{name} {version}" for name, version in machine.packages.items())
    return [
        ("machine", f"{machine.cpu}, {machine.cores} cores, {machine.system}"),
        ("Python", f"{machine.python}; {packages}" if packages else machine.python),
        ("date", run.date),
        (
            "inputs",
            f"{run.depth}; corpus: {run.corpus or 'of each workload its own'}; vocabulary: {run.vocab or 'small'}",
        ),
    ]


def _detail(run: Run, workload: str, earlier: Sequence[Run]) -> Detail:
    sides = [Side(each.subject, each) for each in run.measured if each.workload == workload]
    return Detail(workload, says(workload), {}, sides, history(sides, [*earlier, run]))


def says(workload: str) -> str:
    """What a workload is, as its spec says it."""
    component, _, name = workload.partition("/")
    spec = load_specs().by_name.get(component)
    entry = spec.bench.get(name) if spec else None
    return entry.says if entry else OF_THE_PACKAGE.get(workload, "")


def history(sides: Sequence[Side], runs: Sequence[Run]) -> Mapping[str, Sequence[Moment]]:
    """How each side did in runs, by how many times as long as the calibration it took, if there are two at least that
    measured it with the same inputs.
    """
    found: dict[str, Sequence[Moment]] = {}
    for side in sides:
        same = [
            (number, each)
            for number, run in enumerate(runs)
            if (each := run.of(*side.measured.key)) and each.digest == side.measured.digest
        ]
        if len(same) > 1:
            first = median(same[0][1].calibrations)
            found[side.label] = [Moment(number, runs[number].date[:10], _by(first, each)) for number, each in same]
    return found


def _by(first: float, measured: Measured) -> Between:
    return Between.of([each / first for each in measured.calibrations])
