"""Compiled kernels as functions of the machine: made by numba once, and loaded without it ever after.

numba would take a third of a second and 120 MB to load what it has compiled; to place code in memory takes some
milliseconds. What numba made is kept in a folder that is named for all that it follows from.
"""

import ctypes
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache, cached_property
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldpiece.errors import FileError
from goldpiece.fast.compiled_folder import folder_for
from goldpiece.fast.merging.arrays import Arrays, Rule
from goldpiece.fast.merging.code import Code, Placed
from goldpiece.formats.atomic import write_atomically

KERNELS = ("best", "join", "take_anew")
# Whether it failed, which it never does; where the result goes, and an exception would; and what a kernel is given.
FUNCTION = ctypes.CFUNCTYPE(ctypes.c_int32, *[ctypes.c_void_p] * 3, ctypes.c_int64, ctypes.c_int64)
PROCESSORS = Path("/proc/cpuinfo")
OBJECT, CODE = "o", "code"  # how files end
DIGEST = 32  # bytes

Objects: TypeAlias = list[tuple[str, bytes]]  # of each kernel, the name of its function and the object file


class Table:
    """What kernels are given: the address of each array, then the length of each, then the rule."""

    def __init__(self, arrays: Arrays, rule: Rule) -> None:
        self._arrays = arrays  # which are not to go as long as their addresses are there
        numbers = [each.ctypes.data for each in arrays] + [len(each) for each in arrays] + [int(each) for each in rule]
        self._table: NDArray[np.int64] = np.array(numbers, np.int64)
        self.address = self._table.ctypes.data
        self.result, self.exception = ctypes.c_int64(), ctypes.c_void_p()  # of the last call
        self.outcome = ctypes.addressof(self.result), ctypes.addressof(self.exception)


class Loaded(Protocol):
    """Kernels in memory, and their addresses, in the order of KERNELS."""

    entries: list[int]


class Machine:
    """The compiled kernels."""

    def __init__(self, loaded: Loaded) -> None:
        self._loaded = loaded  # which is not to go as long as it is called
        self._best, self._join, self._take_anew = map(FUNCTION, loaded.entries)

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
    failed = function(*table.outcome, table.address, one, other)
    assert not failed
    return table.result.value


class Kept:
    """What was compiled, in a folder: of each kernel the object file, and its code where that can be placed.

    In front of each is its digest: what is damaged is not executed.
    """

    @cached_property
    def folder(self) -> Path | None:
        """Where it is kept; None where nothing can be written."""
        sources = (path.read_bytes() for path in sorted(Path(__file__).parent.glob("*.py")))
        content = b"".join([_numba().encode(), _processor().encode(), *sources])
        return folder_for(content, os.environ.get("NUMBA_CACHE_DIR"))

    def is_there(self) -> bool:
        """Whether kernels were compiled before."""
        return self.folder is not None and all(self._file(kernel, OBJECT).is_file() for kernel in KERNELS)

    def objects(self) -> Objects | None:
        """The object files; None if there is not each of them, whole."""
        parts = [content.partition(b"\n") for content in self._contents(OBJECT)]
        return [(name.decode(), content) for name, _, content in parts] or None

    def codes(self) -> list[Code] | None:
        """The codes; None if there is not each of them, whole."""
        return [Code.of_bytes(content) for content in self._contents(CODE)] or None

    def write(self, objects: Objects, codes: Sequence[Code] | None) -> None:
        """Keeps it, if that can be."""
        if self.folder is not None:
            with suppress(FileError):
                for kernel, code in zip(KERNELS, codes or (), strict=False):
                    self._write(kernel, CODE, code.to_bytes())
                for kernel, (name, content) in zip(KERNELS, objects, strict=True):
                    self._write(kernel, OBJECT, name.encode() + b"\n" + content)

    def _contents(self, kind: str) -> list[bytes]:
        """Those of all files of a kind; none if one is not there, or damaged."""
        if self.folder is None:
            return []
        found = []
        for kernel in KERNELS:
            try:
                written = self._file(kernel, kind).read_bytes()
            except OSError:
                return []
            digest, content = written[:DIGEST], written[DIGEST:]
            if sha256(content).digest() != digest:
                return []
            found.append(content)
        return found

    def _write(self, kernel: str, kind: str, content: bytes) -> None:
        write_atomically(self._file(kernel, kind), sha256(content).digest() + content)

    def _file(self, kernel: str, kind: str) -> Path:
        assert self.folder is not None
        return self.folder / f"{kernel}.{kind}"


def _numba() -> str:
    """Which one is installed, by the name of the folder that says so: importlib.metadata takes ten times as long."""
    found = find_spec("numba")
    assert found
    assert found.origin
    packages = Path(found.origin).parents[1]
    return " ".join([str(packages), *sorted(path.name for path in packages.glob("numba-*"))])


def _processor() -> str:
    """What code is compiled for. Linux tells it of x86-64, and the library that compiles of others."""
    with suppress(OSError):
        first = PROCESSORS.read_text(encoding="utf-8").partition("\n\n")[0]
        told = [line for line in first.splitlines() if line.startswith(("model name", "flags"))]
        if len(told) == 2:
            return "\n".join(told)
    from goldpiece.fast.merging.linking import processor  # noqa: PLC0415 (it takes long to load)

    return processor()


KEPT = Kept()


@cache
def machine() -> Machine:
    """The compiled kernels, which are compiled if they never were."""
    objects, codes = KEPT.objects(), KEPT.codes()
    if objects is None:
        from goldpiece.fast.merging.compiling import objects as compiled  # noqa: PLC0415 (numba takes its time)

        objects = compiled()
        found = [code for each in objects if (code := Code.of_object(*each))]
        codes = found if len(found) == len(KERNELS) else None
        KEPT.write(objects, codes)
    if codes:
        with suppress(OSError):  # memory may not be written and executed
            return Machine(Placed(codes))
    from goldpiece.fast.merging.linking import Linked  # noqa: PLC0415 (it takes long to load)

    return Machine(Linked(objects))
