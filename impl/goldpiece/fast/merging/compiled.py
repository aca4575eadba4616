"""The kernels compiled by numba, which is imported with this module: a third of a second, and seconds to compile."""

from collections.abc import Callable
from typing import Any, TypeAlias

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload, register_jitable

from goldpiece.fast.merging import kernels
from goldpiece.fast.merging.arrays import Numbers
from goldpiece.fast.merging.engine import PYTHON, Engine
from goldpiece.fast.wordpiece.compilation import IS_PYTHON, is_kept, kernel

Three: TypeAlias = tuple[int, int, int]

PRODUCT = ir.IntType(192)  # holds that of three numbers of 64 bits
FACTORS = types.UniTuple(types.int64, 3)

for part in kernels.PARTS:
    register_jitable(part)


@overload(kernels.highest)  # type: ignore[untyped-decorator]
def _highest(values: Numbers, start: int, stop: int) -> Callable[[Numbers, int, int], float]:  # noqa: ARG001
    def loop(values: Numbers, start: int, stop: int) -> float:
        found: float = values[start]
        for place in range(start + 1, stop):
            found = max(found, values[place])
        return found

    return loop


@intrinsic  # type: ignore[untyped-decorator]
def _order(_context: Any, _one: Any, _other: Any) -> Any:
    """The order of two products, which the machine makes in numbers of as many bits as they need."""

    def generate(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        first, second = (_product(builder, each) for each in values)
        more, less = (builder.icmp_unsigned(sign, first, second) for sign in (">", "<"))
        return builder.sub(*(builder.zext(each, ir.IntType(64)) for each in (more, less)))

    return types.int64(FACTORS, FACTORS), generate


def _product(builder: Any, factors: Any) -> Any:
    one, other, third = (builder.zext(each, PRODUCT) for each in cgutils.unpack_tuple(builder, factors))
    return builder.mul(builder.mul(one, other), third)


@overload(kernels.compared)  # type: ignore[untyped-decorator]
def _compared(one: Three, other: Three) -> Callable[[Three, Three], int]:  # noqa: ARG001
    def order(one: Three, other: Three) -> int:
        found: int = _order(one, other)
        return found

    return order


# Each is compiled when it is first called; if numba was told to compile nothing, Python is quicker without it.
ENGINE = (
    PYTHON
    if IS_PYTHON
    else Engine("compiled", kernel()(kernels.best), kernel()(kernels.join), kernel()(kernels.take_anew))
)


def are_kept() -> bool:
    """Whether they were compiled before, so that they are there at once."""
    return is_kept(kernels.join)
