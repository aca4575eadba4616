"""Who merges: kernels as Python, which are there at once, or compiled."""

import os
import sys
from collections.abc import Callable
from importlib.util import find_spec
from math import inf
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from goldpiece.errors import UsageError
from goldpiece.fast.merging import kernels
from goldpiece.fast.merging.arrays import Arrays, Rule
from goldpiece.fast.merging.storage import shown_to_python

EngineName: TypeAlias = Literal["auto", "python", "compiled"]

# What is done, in places looked at and scores made, from where on a start is worth its time: it takes some hundredths
# of a second, as this does in Python, and some ten seconds where kernels have to be compiled first.
WORTH, WORTH_COMPILING = 10_000, 4_000_000
MACHINE = "goldpiece.fast.merging.machine"


class Engine(NamedTuple):
    """The kernels of goldpiece.fast.merging.kernels, given what `show` makes of arrays and a rule."""

    name: Literal["python", "compiled"]
    show: Callable[[Arrays, Rule], Any]
    best: Callable[[Any], int]
    join: Callable[[Any, int, int], None]
    take_anew: Callable[[Any, int, int], None]


PYTHON = Engine(
    "python",
    lambda arrays, rule: (shown_to_python(arrays), rule),
    lambda shown: kernels.best(shown[0], shown[1]),
    lambda shown, pair, joined: kernels.join(shown[0], shown[1], pair, joined),
    lambda shown, symbol, found: kernels.take_anew(shown[0], shown[1], symbol, found),
)


class Choice:
    """Which engine goes on when so much has been done. Raises UsageError for an engine that there is not."""

    def __init__(self, name: EngineName) -> None:
        if name not in get_args(EngineName):
            raise UsageError(f"there is no engine {name!r}; there are {', '.join(get_args(EngineName))}")
        if name == "compiled" and not _has_numba():
            raise UsageError(
                "engine='compiled' needs numba, which is not installed: install goldpiece[fast], or take 'auto'"
            )
        is_at_once = name == "compiled" or MACHINE in sys.modules  # what has started already costs nothing
        is_for_python = name == "python" or os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
        self._from = inf if is_for_python else 0 if is_at_once else WORTH

    def engine(self, work: int) -> Engine:
        """The engine for what comes next."""
        if self._from == WORTH <= work:
            self._from = inf if not _has_numba() else 0 if _are_kept() else WORTH_COMPILING
        return PYTHON if work < self._from else _compiled()


def _has_numba() -> bool:
    return find_spec("numba") is not None


def _compiled() -> Engine:
    from goldpiece.fast.merging.machine import Table, machine  # noqa: PLC0415 (numba may not be there)

    made = machine()
    return Engine("compiled", Table, made.best, made.join, made.take_anew)


def _are_kept() -> bool:
    from goldpiece.fast.merging.machine import KEPT  # noqa: PLC0415 (numba may not be there)

    return KEPT.is_there()
