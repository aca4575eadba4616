"""The instructions of which kernels are made: how they read and write memory, and look at 64 bytes at once.

Kernels take addresses and not arrays: numba checks and counts references of arrays wherever they are passed, and turns
each of them into an object of its own at each call from Python. Each instruction is given twice, as what the machine is
to do and as Python. Addresses, lengths and ids are signed numbers of 64 bits; `Bits` are unsigned, and meet signed ones
only through `signed` and `bits`, for numba makes a fraction of a sum of both.
"""

import ctypes
from collections.abc import Callable
from inspect import Parameter, Signature
from typing import Any, ParamSpec, TypeAlias, TypeVar

import numpy as np
from llvmlite import ir
from numba import types
from numba._helperlib import c_helpers  # type: ignore[attr-defined] # it is made in C
from numba.core import cgutils
from numba.extending import intrinsic

from goldpiece.fast.wordpiece.compilation import IS_PYTHON

Given = ParamSpec("Given")
Result = TypeVar("Result")
Bits: TypeAlias = np.uint64
Emit: TypeAlias = Callable[..., Any]  # given the builder and values of llvmlite, which has no types

NONE, ONE, ALL = np.uint64(0), np.uint64(1), np.uint64(0xFFFFFFFFFFFFFFFF)
BLOCK = 64  # bytes that are looked at together
NARROW = 16  # characters that become bytes together

_I1, _I8, _I16, _I32, _I64 = (ir.IntType(width) for width in (1, 8, 16, 32, 64))
_BYTES = ir.VectorType(_I8, BLOCK)
_POINTER = _I8.as_pointer()
_S, _U = types.int64, types.uint64


def _instruction(signature: Any, emit: Emit) -> Callable[[Callable[Given, Result]], Callable[Given, Result]]:
    """Lets kernels do what `emit` makes, where without a compiler the function itself is called."""

    def choose(function: Callable[Given, Result]) -> Callable[Given, Result]:
        if IS_PYTHON:
            return function

        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            made = emit(builder, *values)
            if isinstance(made, tuple):
                return context.make_tuple(builder, signature.return_type, made)
            return context.get_dummy_value() if signature.return_type == types.void else made

        def typed(_context: Any, *_arguments: Any) -> Any:
            return signature, generate

        typed.__name__, typed.__doc__ = function.__name__, function.__doc__
        context = Parameter("context", Parameter.POSITIONAL_ONLY)
        taken = [
            each.replace(kind=Parameter.POSITIONAL_ONLY)
            for each in Signature.from_callable(function).parameters.values()
        ]
        typed.__signature__ = Signature([context, *taken])  # type: ignore[attr-defined] # numba looks there
        made: Callable[Given, Result] = intrinsic(typed)
        return made

    return choose


def _at(builder: Any, address: Any, kind: Any) -> Any:
    return builder.inttoptr(address, kind.as_pointer())


def _load(builder: Any, address: Any, kind: Any) -> Any:
    return builder.load(_at(builder, address, kind), align=1)


def _store(builder: Any, address: Any, value: Any, kind: Any) -> None:
    builder.store(value if kind is _I64 else builder.trunc(value, kind), _at(builder, address, kind), align=1)


# What is in memory.


@_instruction(_S(_S), lambda b, address: b.zext(_load(b, address, _I8), _I64))
def byte_at(address: int) -> int:
    """The byte at an address."""
    return ctypes.c_uint8.from_address(int(address)).value


@_instruction(_S(_S), lambda b, address: b.zext(_load(b, address, _I16), _I64))
def u16_at(address: int) -> int:
    """The two bytes from an address on, as a number from 0 to 2¹⁶ - 1."""
    return ctypes.c_uint16.from_address(int(address)).value


@_instruction(_S(_S), lambda b, address: b.zext(_load(b, address, _I32), _I64))
def u32_at(address: int) -> int:
    """The four bytes from an address on, as a number from 0 to 2³² - 1."""
    return ctypes.c_uint32.from_address(int(address)).value


@_instruction(_S(_S), lambda b, address: _load(b, address, _I64))
def int_at(address: int) -> int:
    """The eight bytes from an address on, as a signed number."""
    return ctypes.c_int64.from_address(int(address)).value


@_instruction(_U(_S), lambda b, address: _load(b, address, _I64))
def bits_at(address: int) -> Bits:
    """The eight bytes from an address on, the first of them lowest."""
    return np.uint64(ctypes.c_uint64.from_address(int(address)).value)


@_instruction(types.void(_S, _S), lambda b, address, value: _store(b, address, value, _I8))
def put_byte(address: int, value: int) -> None:
    """Writes the lowest byte of a number."""
    ctypes.c_uint8.from_address(int(address)).value = int(value)


@_instruction(types.void(_S, _S), lambda b, address, value: _store(b, address, value, _I32))
def put_u32(address: int, value: int) -> None:
    """Writes the lowest four bytes of a number."""
    ctypes.c_uint32.from_address(int(address)).value = int(value) & 0xFFFFFFFF


@_instruction(types.void(_S, _S), lambda b, address, value: _store(b, address, value, _I64))
def put_int(address: int, value: int) -> None:
    """Writes a signed number of eight bytes."""
    ctypes.c_int64.from_address(int(address)).value = int(value)


@_instruction(types.void(_S, _U), lambda b, address, value: _store(b, address, value, _I64))
def put_bits(address: int, value: Bits) -> None:
    """Writes eight bytes."""
    ctypes.c_uint64.from_address(int(address)).value = int(value)


@_instruction(
    types.void(_S, _S, _S),
    lambda b, to, source, count: cgutils.raw_memcpy(b, _at(b, to, _I8), _at(b, source, _I8), count, 1),
)
def copy(to: int, source: int, count: int) -> None:
    """Copies bytes; the two places do not overlap."""
    ctypes.memmove(int(to), int(source), int(count))


def _emit_fill(builder: Any, to: Any, value: Any, count: Any) -> None:
    cgutils.memset(builder, _at(builder, to, _I8), count, builder.trunc(value, _I8))


@_instruction(types.void(_S, _S, _S), _emit_fill)
def fill(to: int, value: int, count: int) -> None:
    """Writes the same byte so many times."""
    ctypes.memset(int(to), int(value) & 0xFF, int(count))


def _emit_prefetch(builder: Any, address: Any) -> None:
    kind = ir.FunctionType(ir.VoidType(), [_POINTER, _I32, _I32, _I32])
    fetch = builder.module.declare_intrinsic("llvm.prefetch", [_POINTER], kind)
    builder.call(fetch, [_at(builder, address, _I8), _I32(0), _I32(3), _I32(1)])  # to read, to keep, data


@_instruction(types.void(_S), _emit_prefetch)
def prefetch(address: int) -> None:
    """Has the machine fetch what is at an address into its cache, and goes on without waiting."""


# Bits.


@_instruction(_S(_U), lambda _, value: value)
def signed(value: Bits) -> int:
    """The same 64 bits as a signed number."""
    return int(np.int64(np.uint64(value).astype(np.int64)))


@_instruction(_U(_S), lambda _, value: value)
def bits(value: int) -> Bits:
    """The same 64 bits as an unsigned number."""
    return np.uint64(int(value) & 0xFFFFFFFFFFFFFFFF)


@_instruction(_S(_U), lambda b, value: b.cttz(value, _I1(0)))
def trailing_zeros(value: Bits) -> int:
    """How many bits are 0 below the lowest that is 1; 64 if none is 1."""
    number = int(value)
    return (number & -number).bit_length() - 1 if number else 64


@_instruction(_S(_U), lambda b, value: b.ctpop(value))
def count_ones(value: Bits) -> int:
    """How many bits are 1."""
    return int(value).bit_count()


# 64 bytes at once: bit i of a result is about byte i.


def _equal(builder: Any, block: Any, value: int) -> Any:
    return builder.icmp_unsigned("==", block, ir.Constant(_BYTES, [value] * BLOCK))


def _within(builder: Any, block: Any, first: int, last: int) -> Any:
    low, width = (ir.Constant(_BYTES, [value] * BLOCK) for value in (first, last - first))
    return builder.icmp_unsigned("<=", builder.sub(block, low), width)


def _emit_boundaries(b: Any, address: Any) -> tuple[Any, Any]:
    block = _load(b, address, _BYTES)
    lower = b.or_(block, ir.Constant(_BYTES, [0x20] * BLOCK))
    alphanumeric = b.or_(_within(b, lower, 0x61, 0x7A), _within(b, block, 0x30, 0x39))
    spaces = b.or_(b.or_(_equal(b, block, 0x20), _equal(b, block, 0x0D)), _within(b, block, 0x09, 0x0A))
    marks = b.and_(_within(b, block, 0x21, 0x7E), b.not_(alphanumeric))
    leads = b.or_(_within(b, block, 0xE3, 0xE9), _equal(b, block, 0xEF))
    return b.bitcast(spaces, _I64), b.bitcast(b.or_(b.or_(spaces, marks), leads), _I64)


@_instruction(types.UniTuple(_U, 2)(_S), _emit_boundaries)
def boundaries(address: int) -> tuple[Bits, Bits]:
    """Which of 64 bytes are ASCII white space, and at which a word may end.

    It ends at ASCII white space and punctuation, whatever the tokenizer, and may end at what begins like an ideograph.
    """
    block = ctypes.string_at(int(address), BLOCK)
    spaces = sum(1 << place for place, byte in enumerate(block) if byte in b" \t\n\r")
    ends = sum(
        1 << place
        for place, byte in enumerate(block)
        if byte in b" \t\n\r"
        or (0x21 <= byte <= 0x7E and not chr(byte).isalnum())
        or 0xE3 <= byte <= 0xE9
        or byte == 0xEF
    )
    return np.uint64(spaces), np.uint64(ends)


def _emit_beginnings(b: Any, address: Any) -> Any:
    block = _load(b, address, _BYTES)
    return b.bitcast(b.not_(_within(b, block, 0x80, 0xBF)), _I64)


@_instruction(_U(_S), _emit_beginnings)
def beginnings(address: int) -> Bits:
    """Which of 64 bytes of UTF-8 begin a code point."""
    block = ctypes.string_at(int(address), BLOCK)
    return np.uint64(sum(1 << place for place, byte in enumerate(block) if not 0x80 <= byte <= 0xBF))


# 16 characters of one, two or four bytes at once.


def _emit_narrow(width: int) -> Emit:
    def emit(b: Any, to: Any, source: Any) -> tuple[Any, Any]:
        kind, narrow = ir.VectorType(ir.IntType(8 * width), NARROW), ir.VectorType(_I8, NARROW)
        block = _load(b, source, kind)
        b.store(b.trunc(block, narrow) if width > 1 else block, _at(b, to, narrow), align=1)
        borders = (ir.Constant(kind, [border] * NARROW) for border in (0x80, 0x800)[:width])
        beyond = (b.bitcast(b.icmp_unsigned(">=", block, border), ir.IntType(NARROW)) for border in borders)
        found = [b.zext(bits, _I64) for bits in beyond]
        return found[0], found[1] if width > 1 else _I64(0)

    return emit


def _narrow(to: int, source: int, width: int) -> tuple[Bits, Bits]:
    block = ctypes.string_at(int(source), width * NARROW)
    ctypes.memmove(int(to), block[::width], NARROW)
    points = np.frombuffer(block, f"<u{width}")
    ascii_, two = (sum(1 << place for place in np.flatnonzero(points >= border).tolist()) for border in (0x80, 0x800))
    return np.uint64(ascii_), np.uint64(two)


@_instruction(types.UniTuple(_U, 2)(_S, _S), _emit_narrow(1))
def narrow_bytes(to: int, source: int) -> tuple[Bits, Bits]:
    """Writes the lowest byte of each of NARROW numbers of one byte, and tells which of them are from 0x80 and from
    0x800 on.
    """
    return _narrow(to, source, 1)


@_instruction(types.UniTuple(_U, 2)(_S, _S), _emit_narrow(2))
def narrow_pairs(to: int, source: int) -> tuple[Bits, Bits]:
    """The same of numbers of two bytes."""
    return _narrow(to, source, 2)


@_instruction(types.UniTuple(_U, 2)(_S, _S), _emit_narrow(4))
def narrow_quads(to: int, source: int) -> tuple[Bits, Bits]:
    """The same of numbers of four bytes."""
    return _narrow(to, source, 4)


# Objects of Python.


def _emit_item(b: Any, row: Any, number: Any) -> Any:
    get = cgutils.get_or_insert_function(b.module, ir.FunctionType(_POINTER, [_POINTER, _I64]), "PyTuple_GetItem")
    return b.ptrtoint(b.call(get, [_at(b, row, _I8), number]), _I64)


@_instruction(_S(_S, _S), _emit_item)
def item_of(row: int, number: int) -> int:
    """The address of an object in the `tuple` object at `row`. The GIL must be held."""
    get = ctypes.pythonapi.PyTuple_GetItem
    get.restype, get.argtypes = ctypes.c_void_p, (ctypes.c_void_p, ctypes.c_ssize_t)
    return int(get(int(row), int(number)))


def _emit_characters(b: Any, text: Any) -> tuple[Any, Any, Any]:
    length, kind, is_ascii, hashed = (cgutils.alloca_once(b, each) for each in (_I64, _I32, _I32, _I64))
    extract = cgutils.get_or_insert_function(
        b.module,
        ir.FunctionType(_POINTER, [_POINTER, *(each.type for each in (length, kind, is_ascii, hashed))]),
        "numba_extract_unicode",
    )
    measure = cgutils.get_or_insert_function(b.module, ir.FunctionType(_I64, [_POINTER]), "PyUnicode_GetLength")
    clear = cgutils.get_or_insert_function(b.module, ir.FunctionType(ir.VoidType(), []), "PyErr_Clear")
    place = cgutils.alloca_once_value(b, _I64(0))
    for each in (length, kind, is_ascii):
        b.store(each.type.pointee(0), each)
    with b.if_else(b.icmp_signed("<", b.call(measure, [_at(b, text, _I8)]), _I64(0)), likely=False) as (other, found):
        with other:
            b.call(clear, [])
        with found:
            given = [_at(b, text, _I8), length, kind, is_ascii, hashed]
            b.store(b.ptrtoint(b.call(extract, given), _I64), place)
    width = b.zext(b.load(kind), _I64)
    has_one = b.icmp_unsigned("!=", b.load(is_ascii), _I32(0))
    return b.load(place), b.load(length), b.select(has_one, _I64(0), width)


@_instruction(types.UniTuple(_S, 3)(_S), _emit_characters)
def characters_of(text: int) -> tuple[int, int, int]:
    """Where the characters of the `str` object at `text` are, how many there are, and the bytes of each; 0 for bytes
    where all are ASCII.

    The address is 0 for what is no `str`. The GIL must be held. numba knows what a `str` of each Python looks like.
    """
    is_text = ctypes.pythonapi.PyUnicode_GetLength
    is_text.restype, is_text.argtypes = ctypes.c_ssize_t, (ctypes.c_void_p,)
    try:
        is_text(int(text))
    except TypeError:
        return 0, 0, 0
    length, kind, is_ascii, hashed = ctypes.c_ssize_t(), ctypes.c_int(), ctypes.c_uint(), ctypes.c_ssize_t()
    out = (ctypes.byref(each) for each in (length, kind, is_ascii, hashed))
    place = _extract(int(text), *out)
    return place or 0, length.value, 0 if is_ascii.value else kind.value


_extract = ctypes.PYFUNCTYPE(ctypes.c_void_p, *[ctypes.c_void_p] * 5)(c_helpers["extract_unicode"])
