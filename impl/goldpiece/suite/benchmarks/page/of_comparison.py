"""The page about a comparison: a verdict for each workload, and what it rests on."""

from collections import Counter
from collections.abc import Iterator, Sequence

from goldpiece.suite.benchmarks.account import patience
from goldpiece.suite.benchmarks.comparison import Comparison, Party
from goldpiece.suite.benchmarks.comparison import Row as Compared
from goldpiece.suite.benchmarks.gates import Judgment
from goldpiece.suite.benchmarks.memory import MemoryVerdict
from goldpiece.suite.benchmarks.page import view
from goldpiece.suite.benchmarks.page.of_run import history, says
from goldpiece.suite.benchmarks.page.view import Judgement, Side, Tone
from goldpiece.suite.benchmarks.record import Run
from goldpiece.suite.benchmarks.standings import Between
from goldpiece.suite.benchmarks.verdict import CONFIDENCE, LARGEST_EFFECT, MINIMUM_EFFECT, Ratio, Verdict

TONES = {
    Verdict.SLOWER: Tone.WORSE,
    Verdict.FASTER: Tone.BETTER,
    Verdict.NO_CHANGE: Tone.SAME,
    Verdict.CANNOT_TELL: Tone.UNSURE,
    Verdict.MISSING: Tone.UNSURE,
}
TONES_OF_MEMORY = {
    MemoryVerdict.MORE: Tone.WORSE,
    MemoryVerdict.LESS: Tone.BETTER,
    MemoryVerdict.NO_CHANGE: Tone.SAME,
    MemoryVerdict.NOT_MEASURED: Tone.SAME,
}
METHODS = {
    "interleaved": "measured by turns in fresh processes",
    "saved": "two saved runs of one machine",
    "calibrated": "saved runs of two machines, by their ratios to the calibration alone",
}


def page_of_comparison(found: Comparison, judgment: Judgment, earlier: Sequence[Run]) -> view.Page:
    """The page about a comparison; with a history of B if there are earlier runs."""
    several = len({(row.subject_a, row.subject_b) for row in found.rows}) > 1
    failed = {row.key: names for row, names in judgment.failed}
    both = [(_row(row, failed.get(row.key, ()), several), row) for row in found.rows]
    both.sort(key=lambda each: not each[0].is_notable)
    return view.Page(
        title=f"Benchmarks: {_party(found.b)} against {_party(found.a)}",
        lead=". ".join(_lead(found, judgment)),
        labels=[("A", _party(found.a)), ("B", _party(found.b))],
        facts=_facts(found),
        details=[_detail(row, given, earlier) for row, given in both if given.a or given.b],
        no_change=1 + MINIMUM_EFFECT,
        rows=[row for row, _ in both],
        noise=_noise(found),
        notes=[
            *found.notes,
            f"Times are processor time. An interval holds the true ratio in {CONFIDENCE:.0%} of cases; a change counts "
            f"from {MINIMUM_EFFECT:.0%} on, or from as far as A against A reaches, up to {LARGEST_EFFECT:.0%}. Memory "
            "repeats, and needs no interval.",
            *(f"No gate judges {row.workload}: {why}." for row, why in judgment.refused),
        ],
    )


def _lead(found: Comparison, judgment: Judgment) -> Iterator[str]:
    counts = Counter(row.verdict for row in found.rows)
    hungry = sum(row.memory.verdict is MemoryVerdict.MORE for row in found.rows)
    said = [f"{counts[verdict]} {verdict}" for verdict in Verdict if counts[verdict]]
    yield ", ".join([*said, *([f"{hungry} with more memory"] if hungry else [])])
    if judgment.failed:
        yield f"{len(judgment.failed)} fail the gates"
    elif judgment.refused:
        yield f"The gates refuse to judge {len(judgment.refused)}"
    elif any(vars(judgment.gates).values()):
        yield "The gates pass"


def _party(party: Party) -> str:
    name = "Goldpiece" if party.side == "." else party.side
    return f"{name} {party.version}" if party.version != party.side else name


def _facts(found: Comparison) -> list[tuple[str, str]]:
    machines = dict.fromkeys(
        f"{each.machine.cpu}, {each.machine.cores} cores, {each.machine.system}" for each in (found.a, found.b)
    )
    pythons = dict.fromkeys(each.machine.python for each in (found.a, found.b))
    corpus = found.corpus or "of each workload its own"
    return [
        ("machine", " and ".join(machines)),
        ("Python", " and ".join(pythons)),
        ("date", found.date),
        ("method", METHODS[found.method]),
        ("inputs", f"{found.depth}; corpus: {corpus}; vocabulary: {found.vocab or 'small'}"),
    ]


def _row(row: Compared, failed: Sequence[str], several: bool) -> view.Row:
    memory = row.memory
    patient = patience(row) if row.verdict is Verdict.CANNOT_TELL and not row.reason else row.reason
    fails = f"fails {', '.join(failed)}" if failed else ""
    whole = f"the whole process takes {memory.rss_ratio:.2f} times as much" if memory.rss_ratio else ""
    by_rss = whole if memory.verdict is MemoryVerdict.MORE and (memory.ratio or 0) < memory.worst else ""
    return view.Row(
        workload=_name(row, several),
        time=Judgement(
            row.verdict.value,
            TONES[row.verdict],
            "; ".join(filter(None, (fails, patient))),
            _between(row.said.ratio if row.said else None),
        ),
        memory=Judgement(
            "–" if row.verdict is Verdict.MISSING else memory.verdict.value,
            TONES_OF_MEMORY[memory.verdict],
            by_rss,
            Between.of([memory.ratio]) if memory.ratio else None,
        ),
        peaks=(memory.a, memory.b),
        noise=_between(row.said.noise if row.said else None),
    )


def _name(row: Compared, several: bool) -> str:
    subjects = row.subject_a if row.subject_a == row.subject_b else f"{row.subject_a} and {row.subject_b}"
    return f"{row.workload} of {subjects}" if several else row.workload


def _between(ratio: Ratio | None) -> Between | None:
    return Between(ratio.estimate, ratio.low, ratio.high) if ratio else None


def _detail(row: view.Row, compared: Compared, earlier: Sequence[Run]) -> view.Detail:
    sides = [Side(label, each) for label, each in (("A", compared.a), ("B", compared.b)) if each]
    of_b = [side for side in sides if side.label == "B"]
    verdicts = {"time": row.time, "memory": row.memory}
    return view.Detail(row.workload, says(compared.workload), verdicts, sides, history(of_b, earlier))


def _noise(found: Comparison) -> str:
    noises = [row.said.noise for row in found.rows if row.said and row.said.noise]
    if not noises:
        return ""
    calm = sum(noise.verdict() is Verdict.NO_CHANGE for noise in noises)
    low, high = min(noise.low for noise in noises), max(noise.high for noise in noises)
    return f"Of {len(noises)} workloads, {calm} surely show none; all intervals lie within {low:.2f} and {high:.2f}."
