"""The kernels as numba compiles them, to code that needs nothing of numba when it runs: addresses go in, and numbers.

numba is imported with this module: a third of a second, and 70 MB.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

import numba
from llvmlite import ir
from numba import carray, types
from numba.core import cgutils
from numba.extending import intrinsic, overload, register_jitable

from goldpiece.fast.merging import kernels
from goldpiece.fast.merging.arrays import Arrays, Numbers, Rule

Three: TypeAlias = tuple[int, int, int]

PRODUCT = ir.IntType(192)  # holds that of three numbers of 64 bits
FACTORS = types.UniTuple(types.int64, 3)
FIELDS = len(Arrays._fields)
OPTIONS = {"error_model": "numpy", "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
ENTRY = types.int64(types.CPointer(types.int64), types.int64, types.int64)

for part in (kernels.best, kernels.join, kernels.take_anew, *kernels.PARTS):
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


# Arrays from a table: of each field the address, then of each the length, then the rule.


def _pointer(kind: Any) -> Any:
    """What makes an address one of numbers of a kind."""

    def typed(_context: Any, _address: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            return builder.inttoptr(values[0], context.get_value_type(signature.return_type))

        return types.CPointer(kind)(types.int64), generate

    return intrinsic(typed)


_of_ints, _of_longs, _of_floats = map(_pointer, (types.int32, types.int64, types.float64))


@register_jitable  # type: ignore[untyped-decorator]
def _ints(table: Numbers, field: int) -> Numbers:
    return carray(_of_ints(table[field]), (table[FIELDS + field],))


@register_jitable  # type: ignore[untyped-decorator]
def _longs(table: Numbers, field: int) -> Numbers:
    return carray(_of_longs(table[field]), (table[FIELDS + field],))


@register_jitable  # type: ignore[untyped-decorator]
def _floats(table: Numbers, field: int) -> Numbers:
    return carray(_of_floats(table[field]), (table[FIELDS + field],))


@register_jitable  # type: ignore[untyped-decorator]
def _arrays(table: Numbers) -> Arrays:
    return Arrays(
        _longs(table, 0),  # totals
        _ints(table, 1),
        _ints(table, 2),
        _ints(table, 3),
        _ints(table, 4),
        _ints(table, 5),
        _longs(table, 6),  # times
        _longs(table, 7),  # singles
        _ints(table, 8),
        _ints(table, 9),
        _ints(table, 10),
        _ints(table, 11),
        _ints(table, 12),
        _ints(table, 13),
        _longs(table, 14),  # counts
        _longs(table, 15),  # start
        _longs(table, 16),  # end
        _ints(table, 17),
        _ints(table, 18),
        _floats(table, 19),  # scores
        _floats(table, 20),  # bounds
        _ints(table, 21),
        _ints(table, 22),
        _ints(table, 23),
    )


@register_jitable  # type: ignore[untyped-decorator]
def _rule(table: Numbers) -> Rule:
    at = 2 * FIELDS
    return Rule(table[at] != 0, table[at + 1] != 0, table[at + 2] != 0, table[at + 3])


def best(table: Numbers, _one: int, _other: int) -> int:
    """See kernels.best."""
    return kernels.best(_arrays(table), _rule(table))


def join(table: Numbers, pair: int, joined: int) -> int:
    """See kernels.join."""
    kernels.join(_arrays(table), _rule(table), pair, joined)
    return 0


def take_anew(table: Numbers, symbol: int, found: int) -> int:
    """See kernels.take_anew."""
    kernels.take_anew(_arrays(table), _rule(table), symbol, found)
    return 0


def objects() -> list[tuple[str, bytes]]:
    """Of each kernel, the name of its function in the object file that has it, and that file."""
    made = []
    for function in (best, join, take_anew):
        compiled = numba.njit(ENTRY, **OPTIONS)(function).overloads[ENTRY.args]
        made.append((compiled.fndesc.llvm_func_name, compiled.library._get_compiled_object()))
    return made
