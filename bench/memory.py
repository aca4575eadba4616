"""Memory of a call, as memray sees it: what Python's own allocators hand out is counted one by one."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from goldpiece.suite.benchmarks.record import Memory, Site

NOT_RUN = "not run: memray has no Windows build" if sys.platform == "win32" else None
APART = "not measured: what is called is a process of its own"
INTERVAL_MS = 10  # between two looks at how much is in use
MOST_POINTS = 200  # of memory over time
MOST_SITES = 10


def peak_memory(work: Callable[[], None], folder: Path) -> int:
    """The most bytes that were allocated at once since `work` began. It runs much slower than it would, so time it
    elsewhere. What was in memory before, such as tables that are read once, is not counted.
    """
    import memray  # noqa: PLC0415 (there is none for Windows)

    path = _new(folder)
    with memray.Tracker(path, trace_python_allocators=True, file_format=memray.FileFormat.AGGREGATED_ALLOCATIONS):
        work()
    with memray.FileReader(path) as reader:
        peak: int = reader.metadata.peak_memory
    return peak


def traced(work: Callable[[], None], folder: Path) -> Memory:
    """The same with all that memray tells, which takes some times as long."""
    import memray  # noqa: PLC0415

    path = _new(folder)
    with memray.Tracker(path, trace_python_allocators=True, memory_interval_ms=INTERVAL_MS):
        work()
    with memray.FileReader(path) as reader:
        about = reader.metadata
        in_use = [_site(each) for each in reader.get_high_watermark_allocation_records(merge_threads=True)]
        looks = [(each.time, each.heap) for each in reader.get_memory_snapshots()]
    return Memory(about.peak_memory, about.total_allocations, tuple(_largest(in_use)), _thinned(looks))


def _new(folder: Path) -> Path:
    path = folder / "memray.bin"
    path.unlink(missing_ok=True)
    return path


def _site(record: Any) -> Site:
    stack = record.stack_trace(max_stacks=1)
    if not stack:
        return Site("?", record.size, record.n_allocations)
    function, file, line = stack[0]
    return Site(f"{_within(file)}:{line} {function}", record.size, record.n_allocations)


def _within(file: str) -> str:
    """The path of a module from its package on: the rest is the machine's own."""
    path = Path(file)
    for parent in sorted(map(Path, filter(None, sys.path)), key=lambda each: -len(each.parts)):
        if path.is_relative_to(parent):
            return path.relative_to(parent).as_posix()
    return path.name


def _largest(sites: Sequence[Site]) -> list[Site]:
    """One for each place, the largest first, and no more than MOST_SITES."""
    places: dict[str, Site] = {}
    for site in sites:
        before = places.get(site.place, Site(site.place, 0, 0))
        places[site.place] = Site(site.place, before.bytes + site.bytes, before.allocations + site.allocations)
    return sorted(places.values(), key=lambda site: (-site.bytes, site.place))[:MOST_SITES]


def _thinned(points: Sequence[tuple[int, int]]) -> tuple[tuple[float, int], ...]:
    """Seconds since the first point, and bytes, at no more than MOST_POINTS places."""
    if not points:
        return ()
    step = -(-len(points) // MOST_POINTS)
    return tuple(((time - points[0][0]) / 1e3, heap) for time, heap in points[::step])
