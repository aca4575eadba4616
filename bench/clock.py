"""Clocks of a process: what it computes, whatever else the machine does, and how much memory it had."""

import sys
import time
from pathlib import Path

if sys.platform == "win32":

    def cpu_clock() -> float:
        """Seconds of processor time of this process, all its threads included."""
        return time.process_time()

else:
    import resource

    def cpu_clock() -> float:
        """Seconds of processor time of this process, all its threads and those child processes included that ended."""
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        return time.process_time() + children.ru_utime + children.ru_stime


def peak_rss() -> int | None:
    """Bytes of the most memory that this process, or a child process that ended, had in the machine at once.

    None where the system does not tell. Linux's figure for a process counts also what its parent had when it started
    it, unless it is read where it is of this program alone.
    """
    if sys.platform == "win32":
        return None
    unit = 1 if sys.platform == "darwin" else 1024
    children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * unit
    try:
        lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
        own = next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:"))
    except (OSError, StopIteration):
        own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    return max(own, children)
