"""Prints what catches each public fault."""

from collections import Counter
from collections.abc import Sequence
from itertools import groupby

from rich import box
from rich.table import Table
from rich.text import Text

from goldpiece.cli.output import console
from goldpiece.suite.reports import COMPONENTS, Trace
from goldpiece.suite.spec import Specs


def print_reports(traces: Sequence[Trace], specs: Specs) -> None:
    """A table for each component, and how many reports are traced."""
    in_order = sorted(traces, key=lambda each: COMPONENTS.index(each.report.component))
    for component, group in groupby(in_order, key=lambda each: each.report.component):
        version = specs.named(component).version if component in specs.by_name else "(not here yet)"
        console.print(Text.assemble((component, "bold"), f" {version}"))
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, expand=True)
        for heading, ratio in (("report", 4), ("caught by", 4), ("re-enacted by", 3)):
            table.add_column(heading, overflow="fold", ratio=ratio)
        for each in group:
            table.add_row(each.report.id, *_catch(each))
        console.print(table)
        console.print()
    counts = Counter(map(_fate, traces))
    console.print(f"{len(traces)} reports: {', '.join(f'{count} {fate}' for fate, count in counts.most_common())}")


def _catch(each: Trace) -> tuple[Text, Text]:
    """The clauses and the mutants; or why there are none."""
    if each.is_untraced:
        return Text("no clause names it", "red"), Text("")
    if each.reason:
        return Text(each.reason, "dim"), Text("")
    mutants = (mutant.name for mutant in each.mutants)
    return Text(", ".join(clause.id for clause in each.clauses)), Text(", ".join(mutants))


def _fate(each: Trace) -> str:
    if each.clauses:
        return "traced to clauses"
    if each.report.out_of_reach:
        return "out of reach"
    return "untraced" if each.is_untraced else "of components not here yet"
