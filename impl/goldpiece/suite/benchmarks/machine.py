"""What machine a run was made on: times of another are compared by their ratios to a calibration alone."""

import os
import platform
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PACKAGES = ("numpy", "regex", "tokenizers", "transformers")  # what subjects compute with


@dataclass(frozen=True)
class Machine:
    """The fingerprint: what times depend on besides the code that is measured."""

    cpu: str
    cores: int  # that this process may use
    system: str
    python: str
    packages: Mapping[str, str]  # those of PACKAGES that are installed

    def differs_from(self, other: "Machine") -> list[str]:
        """What of the machine or of Python is another; versions of packages may be what is compared."""
        return [
            f"{name} {mine} and {theirs}"
            for name in ("cpu", "cores", "system", "python")
            if (mine := getattr(self, name)) != (theirs := getattr(other, name))
        ]


def this_machine() -> Machine:
    """That of this process."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    packages = {name: found for name in PACKAGES if (found := _version(name))}
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return Machine(_cpu(), cores, f"{platform.system()} {platform.machine()}", python, packages)


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _cpu() -> str:
    """The model, where the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()
