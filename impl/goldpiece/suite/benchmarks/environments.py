"""Environments for what is not installed here: a revision of this repository, or a version of a package.

Each is built once, and kept in the cache folder of the user: what a commit or a version is does not change.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import goldpiece
from goldpiece.errors import UsageError
from goldpiece.suite.benchmarks.process import Environment
from goldpiece.suite.rooms import room

LONGEST = 1800  # seconds to build one
TOLD = 2_000  # characters of what a program said last


def commit_of(revision: str) -> str | None:
    """The commit that a revision of the repository of this folder names; None where there is none."""
    if revision.startswith("-"):
        return None
    try:
        done = _run(["git", "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}"])
    except FileNotFoundError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def of_commit(commit: str) -> Environment:
    """An environment with the Goldpiece of a commit. Raises UsageError where it cannot be built."""
    home = _home(commit[:16])
    if _is_complete(home):
        return Environment(_python(home))
    with TemporaryDirectory(prefix="goldpiece-worktree-") as folder:
        tree = Path(folder) / "tree"
        _checked(["git", "worktree", "add", "--detach", "--quiet", str(tree), commit], f"check {commit} out")
        try:
            return _built(home, [str(tree)])
        finally:
            _run(["git", "worktree", "remove", "--force", str(tree)])


def of_requirement(requirement: str) -> Environment:
    """An environment with a version of a package, as `tokenizers==0.22.0`, and this Goldpiece beside it; of Goldpiece
    itself with that alone. Raises UsageError where it cannot be built.
    """
    if package_of(requirement) == "goldpiece":
        return _built(_home(requirement), [requirement])
    root = room("bench").parent
    if (root / "pyproject.toml").is_file():  # a checkout, which goes on changing
        return _built(_home(f"{requirement} {root}"), ["--editable", str(root), requirement])
    return _built(_home(f"{requirement} {goldpiece.__version__}"), [f"goldpiece=={goldpiece.__version__}", requirement])


def package_of(requirement: str) -> str:
    """The name before the version."""
    return requirement.partition("==")[0].strip()


def _home(name: str) -> Path:
    """The folder of an environment by what is in it."""
    system = os.environ.get("LOCALAPPDATA") if sys.platform == "win32" else os.environ.get("XDG_CACHE_HOME")
    cache = Path(system) if system else Path.home() / ".cache"
    readable = re.sub(r"[^A-Za-z0-9.=]+", "-", name)[:40]
    digest = hashlib.sha256(f"{name} {sys.executable}".encode()).hexdigest()[:8]
    return cache / "goldpiece" / "bench" / f"{readable}-{sys.implementation.cache_tag}-{digest}"


def _python(home: Path) -> Path:
    return home / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def _mark(home: Path) -> Path:
    """Where it says that the environment is whole: building may have been interrupted."""
    return home / "complete"


def _is_complete(home: Path) -> bool:
    return _mark(home).exists()


def _built(home: Path, wanted: Sequence[str]) -> Environment:
    """The environment in the folder, made now if it is not there."""
    if not _is_complete(home):
        shutil.rmtree(home, ignore_errors=True)
        what = f"make an environment in {home}"
        _checked([sys.executable, "-m", "venv", str(home)], what)
        install = [str(_python(home)), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        _checked([*install, *wanted], what)
        _mark(home).touch()
    return Environment(_python(home))


def _checked(command: Sequence[str], what: str) -> None:
    done = _run(command)
    if done.returncode:
        remedy = "Mend that, or name a Python that has it installed, as path/to/bin/python"
        raise UsageError(f"could not {what}:\n{done.stderr.strip()[-TOLD:]}\n{remedy}")


def _run(command: Sequence[str]) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(  # noqa: S603 (git, venv and pip, with what the user named)
        command, capture_output=True, text=True, encoding="utf-8", errors="replace", timeout=LONGEST, check=False
    )
