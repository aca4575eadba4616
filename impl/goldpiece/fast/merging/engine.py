"""Who merges: kernels as Python, which are there at once, or compiled."""

import sys
from collections.abc import Callable
from importlib.util import find_spec
from math import inf
from typing import Literal, NamedTuple, TypeAlias, get_args

from goldpiece.errors import UsageError
from goldpiece.fast.merging import kernels

EngineName: TypeAlias = Literal["auto", "python", "compiled"]

# What is done, in places looked at and scores made, from where on a start is worth its time: it takes half a second, as
# this does in Python, and some ten where kernels have to be compiled first.
WORTH, WORTH_COMPILING = 200_000, 4_000_000
COMPILED = "goldpiece.fast.merging.compiled"


class Engine(NamedTuple):
    """The kernels of goldpiece.fast.merging.kernels."""

    name: Literal["python", "compiled"]
    best: Callable[..., int]
    join: Callable[..., None]
    take_anew: Callable[..., None]


PYTHON = Engine("python", kernels.best, kernels.join, kernels.take_anew)


class Choice:
    """Which engine goes on when so much has been done. Raises UsageError for an engine that there is not."""

    def __init__(self, name: EngineName) -> None:
        if name not in get_args(EngineName):
            raise UsageError(f"there is no engine {name!r}; there are {', '.join(get_args(EngineName))}")
        if name == "compiled" and not _has_numba():
            raise UsageError(
                "engine='compiled' needs numba, which is not installed: install goldpiece[fast], or take 'auto'"
            )
        is_at_once = name == "compiled" or COMPILED in sys.modules  # what has started already costs nothing
        self._from = inf if name == "python" else 0 if is_at_once else WORTH

    def engine(self, work: int) -> Engine:
        """The engine for what comes next."""
        if self._from == WORTH <= work:
            self._from = inf if not _has_numba() else 0 if _are_kept() else WORTH_COMPILING
        return PYTHON if work < self._from else _compiled()


def _has_numba() -> bool:
    return find_spec("numba") is not None


def _compiled() -> Engine:
    from goldpiece.fast.merging.compiled import ENGINE  # noqa: PLC0415 (numba takes a third of a second)

    return ENGINE


def _are_kept() -> bool:
    from goldpiece.fast.merging.compiled import are_kept  # noqa: PLC0415 (numba takes a third of a second)

    return are_kept()
