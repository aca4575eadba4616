"""The kernels linked by the library that numba compiles with, which takes a tenth of a second, and up to 100 MB."""

import ctypes
from collections.abc import Sequence

import llvmlite.binding as llvm

from goldpiece.fast.merging.code import DESTRUCTOR, NOTHING


class Linked:
    """Functions of object files, which are given by their names, for as long as this lives."""

    def __init__(self, objects: Sequence[tuple[str, bytes]]) -> None:
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        if llvm.address_of_symbol(DESTRUCTOR) is None:
            llvm.add_symbol(DESTRUCTOR, ctypes.cast(NOTHING, ctypes.c_void_p).value)
        machine = llvm.Target.from_default_triple().create_target_machine()
        self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
        for _, content in objects:
            self._engine.add_object_file(llvm.ObjectFileRef.from_data(content))
        self._engine.finalize_object()
        self.entries: list[int] = [self._engine.get_function_address(name) for name, _ in objects]


def processor() -> str:
    """The processor that code is compiled for, and what it can do."""
    return f"{llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()}"
