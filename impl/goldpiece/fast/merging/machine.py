"""Compiled kernels as functions of the machine: made by numba once, and loaded without it ever after.

numba would take a third of a second and 120 MB to load what it has compiled; the library that it compiles with takes a
twentieth of one, and 45 MB. What it made is kept in a folder that is named for all that it follows from.
"""

import ctypes
import os
from collections.abc import Callable
from contextlib import suppress
from functools import cache, cached_property
from importlib.metadata import version
from pathlib import Path
from typing import TypeAlias

import llvmlite.binding as llvm
import numpy as np
from numpy.typing import NDArray

from goldpiece.errors import FileError
from goldpiece.fast.compiled_folder import folder_for
from goldpiece.fast.merging.arrays import Arrays, Rule
from goldpiece.formats.atomic import write_atomically

KERNELS = ("best", "join", "take_anew")
# Whether it failed, which it never does; where the result goes, and an exception would; and what a kernel is given.
FUNCTION = ctypes.CFUNCTYPE(ctypes.c_int32, *[ctypes.c_void_p] * 3, ctypes.c_int64, ctypes.c_int64)
DESTRUCTOR = "NRT_MemInfo_call_dtor"  # of arrays that numba owns, of which kernels have none
NOTHING = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda _: None)

Objects: TypeAlias = dict[str, tuple[str, bytes]]


class Table:
    """What kernels are given: the address of each array, then the length of each, then the rule."""

    def __init__(self, arrays: Arrays, rule: Rule) -> None:
        self._arrays = arrays  # which are not to go as long as their addresses are there
        numbers = [each.ctypes.data for each in arrays] + [len(each) for each in arrays] + [int(each) for each in rule]
        self._table: NDArray[np.int64] = np.array(numbers, np.int64)
        self.address = self._table.ctypes.data


class Machine:
    """The compiled kernels."""

    def __init__(self, objects: Objects) -> None:
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        if llvm.address_of_symbol(DESTRUCTOR) is None:
            llvm.add_symbol(DESTRUCTOR, ctypes.cast(NOTHING, ctypes.c_void_p).value)
        machine = llvm.Target.from_default_triple().create_target_machine()
        self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
        for _, content in objects.values():
            self._engine.add_object_file(llvm.ObjectFileRef.from_data(content))
        self._engine.finalize_object()
        found = (FUNCTION(self._engine.get_function_address(objects[kernel][0])) for kernel in KERNELS)
        self._best, self._join, self._take_anew = found

    def best(self, table: Table) -> int:
        """See kernels.best."""
        return _called(self._best, table, 0, 0)

    def join(self, table: Table, pair: int, joined: int) -> None:
        """See kernels.join."""
        _called(self._join, table, pair, joined)

    def take_anew(self, table: Table, symbol: int, found: int) -> None:
        """See kernels.take_anew."""
        _called(self._take_anew, table, symbol, found)


def _called(function: Callable[..., int], table: Table, one: int, other: int) -> int:
    result, exception = ctypes.c_int64(), ctypes.c_void_p()
    failed = function(ctypes.addressof(result), ctypes.addressof(exception), table.address, one, other)
    assert not failed
    return result.value


class Kept:
    """What was compiled, in a folder."""

    @cached_property
    def folder(self) -> Path | None:
        """Where it is kept; None where nothing can be written."""
        cpu = llvm.get_host_cpu_name() + llvm.get_host_cpu_features().flatten()
        sources = (path.read_bytes() for path in sorted(Path(__file__).parent.glob("*.py")))
        content = b"".join([version("numba").encode(), cpu.encode(), *sources])
        return folder_for(content, os.environ.get("NUMBA_CACHE_DIR"))

    def is_there(self) -> bool:
        """Whether kernels were compiled before."""
        return self.folder is not None and all(self._file(kernel).is_file() for kernel in KERNELS)

    def read(self) -> Objects:
        """What was written."""
        parts = {kernel: self._file(kernel).read_bytes().partition(b"\n") for kernel in KERNELS}
        return {kernel: (name.decode(), content) for kernel, (name, _, content) in parts.items()}

    def write(self, objects: Objects) -> None:
        """Keeps it, if that can be."""
        if self.folder is not None:
            with suppress(FileError):
                for kernel, (name, content) in objects.items():
                    write_atomically(self._file(kernel), name.encode() + b"\n" + content)

    def _file(self, kernel: str) -> Path:
        assert self.folder is not None
        return self.folder / f"{kernel}.o"


KEPT = Kept()


@cache
def machine() -> Machine:
    """The compiled kernels, which are compiled if they never were."""
    if KEPT.is_there():
        return Machine(KEPT.read())
    from goldpiece.fast.merging.compiling import objects  # noqa: PLC0415 (numba takes its time, and memory)

    made = objects()
    KEPT.write(made)
    return Machine(made)
