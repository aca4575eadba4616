"""How kernels are compiled, and where what was compiled is kept.

A kernel is compiled when it is first called, which takes seconds, and kept on disk, from where it is taken in a
fraction of one. With NUMBA_DISABLE_JIT=1 nothing is compiled, and the same functions run as Python.
"""

from collections.abc import Callable
from functools import cache, wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import numba
import numpy as np

from goldpiece.fast.compiled_folder import folder_for

Given = ParamSpec("Given")
Result = TypeVar("Result")

IS_PYTHON = bool(numba.config.DISABLE_JIT)
# No check for division by zero, which there is none of; no division of Python's, either.
OPTIONS = {"error_model": "numpy", "nogil": True}


def part(function: Callable[Given, Result]) -> Callable[Given, Result]:
    """A function that only kernels call. It becomes part of each of them, where the compiler has it inlined."""
    made: Callable[Given, Result] = numba.njit(forceinline=True, **OPTIONS)(function)
    return made


def rare(function: Callable[Given, Result]) -> Callable[Given, Result]:
    """A part that is called rarely, and stays a function of its own."""
    made: Callable[Given, Result] = numba.njit(**OPTIONS)(function)
    return made


def kernel(holds_gil: bool = False) -> Callable[[Callable[Given, Result]], Callable[Given, Result]]:
    """A function for Python to call, with whole numbers and addresses alone. Others run meanwhile unless it holds the
    GIL, as it must to touch objects of Python.
    """

    def compile_lazily(function: Callable[Given, Result]) -> Callable[Given, Result]:
        if IS_PYTHON:
            return _wrapping_silently(function)
        folder = folder_of_compiled()
        before, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(folder or "")
        try:
            options: dict[str, Any] = OPTIONS | {"nogil": not holds_gil, "cache": folder is not None}
            made: Callable[Given, Result] = numba.njit(**options)(function)
            return made
        finally:
            numba.config.CACHE_DIR = before

    return compile_lazily


def _wrapping_silently(function: Callable[Given, Result]) -> Callable[Given, Result]:
    """In Python, NumPy would warn of a product that is cut to 64 bits, as those of hashes are."""

    @wraps(function)
    def run(*given: Given.args, **named: Given.kwargs) -> Result:
        with np.errstate(over="ignore"):
            return function(*given, **named)

    return run


@cache
def folder_of_compiled() -> Path | None:
    """Where compiled kernels are kept; None where nothing can be written, and each process compiles for itself.

    numba looks at the file of a kernel to see whether it changed, and not at those of the parts that were compiled into
    it. So the name of the folder tells the content of them all. It is in NUMBA_CACHE_DIR where that is set.
    """
    sources = (path.read_bytes() for path in sorted(Path(__file__).parent.glob("*.py")))
    return folder_for(b"".join([numba.__version__.encode(), *sources]), numba.config.CACHE_DIR)
