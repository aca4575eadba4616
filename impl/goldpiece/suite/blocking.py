"""One broken primitive is one fault: what fails for want of it is blocked by it.

A clause names in `needs` what it cannot do without. Where it fails, and one of these fails or errors as well, its
failure tells nothing more: the row says which clause to mend first. Nothing is excused by that: a blocked clause
counts as the fault that it is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from goldpiece.suite.spec import Specs
from goldpiece.suite.verdict import Row

Key: TypeAlias = tuple[str, str | None]  # a clause and a profile


def block(rows: Sequence[Row], specs: Specs) -> tuple[Row, ...]:
    """The rows, in which what fails for want of another clause names it. A declared divergence blocks nothing."""
    at_fault = {(row.clause, row.profile): row for row in rows if row.verdict.is_fault}
    return tuple(
        replace(row, blocked_by=_root(row, at_fault, specs)) if (row.clause, row.profile) in at_fault else row
        for row in rows
    )


def _root(row: Row, at_fault: Mapping[Key, Row], specs: Specs) -> str | None:
    """The clause that has to be mended before this one, and needs none itself; None if there is no such."""
    for needed in specs.clause(row.clause).needs:
        blocking = at_fault.get((needed, row.profile))
        if blocking:
            return _root(blocking, at_fault, specs) or needed
    return None
