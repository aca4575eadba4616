"""Public reports: faults that tokenizers and maskers have had, and the clauses that would have caught them.

properties/reports.yaml holds a list:

    - id: huggingface/tokenizers#145        # or probe:NAME, for what we met ourselves and nobody has reported
      url: https://github.com/huggingface/tokenizers/issues/145
      component: decoder
      symptom: Decode does not join continuation pieces.
      input: ids of ['ju','##gg','##ler']
      expected: juggler
      invariant: what a law about it would say
      severity: high
      evidence: how far it is confirmed, and what became of it   (of a probe: `seen`, where)
      probe: what a version of today does                        (may be missing)
      out_of_reach: why no clause will ever catch it             (may be missing)

A clause names the reports that it would have caught (`reports: [id]`), and a mutant the one that it re-enacts.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import cast

from goldpiece.errors import FileError, UsageError
from goldpiece.suite.mutants import Mutant
from goldpiece.suite.rooms import room
from goldpiece.suite.spec import Clause, Spec
from goldpiece.suite.strict_yaml import Document, Place, Raw, read_yaml

COMPONENTS = (
    *("normalizer", "pre_tokenizer", "added_tokens", "vocabulary", "wordpiece", "wordpiece_trainer", "bpe"),
    *(
        "byte_level",
        "bpe_tokenizer",
        "bpe_trainer",
        "post_processor",
        "truncation",
        "padding",
        "packing",
        "decoder",
        "tokenizer",
    ),
    *("masking", "persistence"),
)
SEVERITIES = ("low", "medium", "high", "critical")

PUBLIC = re.compile(r"(?P<repository>[\w.-]+/[\w.-]+)#(?P<number>[1-9][0-9]*)", re.ASCII)
PROBE = re.compile(r"probe:[a-z0-9]+(-[a-z0-9]+)*")

ALWAYS = frozenset({"id", "component", "symptom", "input", "expected", "invariant", "severity"})
OF_PUBLIC = frozenset({"url", "evidence"})
OF_PROBE = frozenset({"seen"})
OPTIONAL = frozenset({"probe", "out_of_reach"})


@dataclass(frozen=True)
class Report:
    """One fault: of which component, what shows it, and what is right."""

    id: str
    component: str
    symptom: str
    input: str
    expected: str
    invariant: str
    severity: str
    evidence: str  # how far it is confirmed; of a probe, where it was seen
    url: str  # empty for a probe
    probe: str  # what a version of today does, as far as we tried
    out_of_reach: str  # why no clause will catch it; empty where one should
    line: int


@dataclass(frozen=True)
class Trace:
    """What catches a report."""

    report: Report
    clauses: tuple[Clause, ...]
    mutants: tuple[Mutant, ...]
    has_spec: bool  # whether the component is there

    @property
    def reason(self) -> str:
        """Why no clause names it; empty where one does, or where none does and one should."""
        if self.clauses:
            return ""
        return self.report.out_of_reach or ("" if self.has_spec else "component not here yet")

    @property
    def is_untraced(self) -> bool:
        """Whether a clause should name it, and none does."""
        return not self.clauses and not self.reason


def reports_file() -> Path:
    """Where the reports are."""
    return room("properties") / "reports.yaml"


@cache
def load_reports() -> tuple[Report, ...]:
    """All reports, in the order of the file."""
    return read_reports(reports_file())


def reports_of(component: str | None) -> list[Report]:
    """The reports of one component, which need not have a spec yet; all of them without one."""
    if component not in (None, *COMPONENTS):
        raise UsageError(f"there is no component {component!r}; there are {', '.join(COMPONENTS)}")
    return [report for report in load_reports() if component in (None, report.component)]


def read_reports(path: Path) -> tuple[Report, ...]:
    """The reports of one file."""
    document = read_yaml(path)
    if not isinstance(document.data, list):
        raise FileError(path, 1, "it is no list of reports", "Begin each with `- id: …`")
    found: dict[str, Report] = {}
    for index, raw in enumerate(document.data):
        report = _report(document, (index,), raw)
        if report.id in found:
            problem = f"{report.id} stands twice, first in line {found[report.id].line}"
            raise document.error((index, "id"), problem, "Keep one of them")
        found[report.id] = report
    return tuple(found.values())


def _report(document: Document, place: Place, raw: Raw) -> Report:
    if not isinstance(raw, dict):
        raise document.error(place, "it is no report", f"Give {', '.join(sorted(ALWAYS))}")
    for key, value in raw.items():
        if not isinstance(value, str):
            raise document.error((*place, key), f"{key} is {value!r}, where text is wanted", "Put it in quotes")
        if not value.strip():
            raise document.error((*place, key), f"{key} is empty", "Say it, or leave the key out")
    needed = ALWAYS | (OF_PROBE if raw.get("id", "").startswith("probe:") else OF_PUBLIC)
    for key in sorted(needed - raw.keys()):
        raise document.error(place, f"{key} is missing", f"Give {', '.join(sorted(needed))}")
    for key in raw.keys() - needed - OPTIONAL:
        known = ", ".join(sorted(needed | OPTIONAL))
        raise document.error((*place, key), f"there is no key {key!r} here", f"There are {known}")
    _check_id(document, place, raw)
    for key, known_values in (("component", COMPONENTS), ("severity", SEVERITIES)):
        if raw[key] not in known_values:
            raise document.error(
                (*place, key), f"there is no {key} {raw[key]!r}", f"There are {', '.join(known_values)}"
            )
    texts = cast(dict[str, str], raw)
    return Report(
        evidence=texts.get("evidence") or texts["seen"],
        url=texts.get("url", ""),
        probe=texts.get("probe", ""),
        out_of_reach=texts.get("out_of_reach", ""),
        line=document.lines[place],
        **{key: texts[key] for key in ALWAYS},
    )


def _check_id(document: Document, place: Place, raw: Raw) -> None:
    public = PUBLIC.fullmatch(raw["id"])
    if not public and not PROBE.fullmatch(raw["id"]):
        problem = f"{raw['id']!r} is no id of a report"
        raise document.error((*place, "id"), problem, "Write owner/repository#number, or probe:name in small letters")
    if public:
        urls = [f"https://github.com/{public['repository']}/{kind}/{public['number']}" for kind in ("issues", "pull")]
        if raw["url"] not in urls:
            raise document.error((*place, "url"), f"{raw['url']} is not that of {raw['id']}", f"Give {urls[0]}")


def trace(reports: Sequence[Report], specs: Sequence[Spec], mutants: Sequence[Mutant]) -> list[Trace]:
    """For each report the clauses that name it and the mutants that re-enact it."""
    present = {spec.name for spec in specs}
    return [
        Trace(
            report,
            tuple(clause for spec in specs for clause in spec.clauses if report.id in clause.reports),
            tuple(mutant for mutant in mutants if report.id in mutant.reports),
            report.component in present,
        )
        for report in reports
    ]


def lint_reports(
    reports: Sequence[Report], specs: Sequence[Spec], mutants: Sequence[Mutant], path: Path
) -> Iterator[FileError]:
    """What is wrong between the reports (of the file at `path`), the clauses that name them, and the mutants."""
    known = {report.id for report in reports}
    named: dict[str, frozenset[str]] = {}
    for spec in specs:
        for clause in spec.clauses:
            named[clause.id] = frozenset(clause.reports)
            for name in clause.reports:
                if name not in known:
                    problem = f"{clause.id} names a report that there is not, {name}"
                    yield FileError(spec.path, clause.line, problem, f"Add it to {path.name}, or mend the id")
    for mutant in mutants:
        for name in mutant.reports:
            if name not in named.get(mutant.breaks, ()):
                problem = f"{mutant.id} re-enacts {name}, which {mutant.breaks} does not name"
                module = room("properties") / "mutants" / f"{mutant.component}.py"
                yield FileError(module, None, problem, "Add it to `reports` of the clause, or take it off the mutant")
    for each in trace(reports, specs, mutants):
        if each.is_untraced:
            problem = f"no clause of {each.report.component} names {each.report.id}"
            remedy = "Add it to `reports` of the clause that catches it, or say why none does (out_of_reach)"
            yield FileError(path, each.report.line, problem, remedy)
        elif each.clauses and each.report.out_of_reach:
            problem = f"{each.report.id} is out of reach, and {each.clauses[0].id} names it"
            yield FileError(path, each.report.line, problem, "Keep one of them")
        elif each.clauses and not each.mutants:
            problem = (
                f"no mutant re-enacts {each.report.id}, so that nothing proves that {each.clauses[0].id} catches it"
            )
            yield FileError(path, each.report.line, problem, "Write one, with `report=` that id")
