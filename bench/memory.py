"""Peak memory of a call, as memray sees it: what Python's own allocators hand out is counted one by one."""

import sys
from collections.abc import Callable
from pathlib import Path

NOT_RUN = "not run: memray has no Windows build" if sys.platform == "win32" else None


def peak_memory(work: Callable[[], None], folder: Path) -> int:
    """The most bytes that were allocated at once since `work` began. It runs much slower than it would, so time it
    elsewhere. What was in memory before, such as tables that are read once, is not counted.
    """
    import memray  # noqa: PLC0415 (there is none for Windows)

    path = folder / "memray.bin"
    path.unlink(missing_ok=True)
    with memray.Tracker(path, trace_python_allocators=True, file_format=memray.FileFormat.AGGREGATED_ALLOCATIONS):
        work()
    with memray.FileReader(path) as reader:
        peak: int = reader.metadata.peak_memory
    return peak
