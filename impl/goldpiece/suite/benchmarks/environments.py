"""Environments for what is not installed here: a revision of this repository, or a version of a package.

Each is built once, and kept in the cache folder of the user: what a commit or a version is does not change. Of those
that were used last so many are kept; each takes about 200 MB.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import goldpiece
from goldpiece.errors import UsageError
from goldpiece.suite.benchmarks.process import Environment
from goldpiece.suite.rooms import room

LONGEST = 1800  # seconds to build one
MARK = "complete"
MAKING = "making-"  # how the names of folders begin in which one is made
MOST_KEPT = 8
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
    return _built(_home(commit[:16]), lambda: _worktree(commit))


def of_requirement(requirement: str) -> Environment:
    """An environment with a version of a package, as `tokenizers==0.22.0`, and this Goldpiece beside it; of Goldpiece
    itself with that alone. Raises UsageError where it cannot be built.
    """
    root = room("bench").parent
    if package_of(requirement) == "goldpiece":
        name, wanted = requirement, [requirement]
    elif (root / "pyproject.toml").is_file():  # a checkout, which goes on changing
        name, wanted = f"{requirement} {root}", ["--editable", str(root), requirement]
    else:
        name, wanted = f"{requirement} {goldpiece.__version__}", [f"goldpiece=={goldpiece.__version__}", requirement]
    return _built(_home(name), lambda: nullcontext(wanted))


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
    """Where it says that the environment is whole, and when it was used."""
    return home / MARK


def _built(home: Path, wanted: Callable[[], AbstractContextManager[Sequence[str]]]) -> Environment:
    """The environment in the folder, made now of what is wanted if it is not there.

    It is made elsewhere and moved there when it is whole: of several processes that make it, the first is heeded.
    """
    if not _mark(home).exists():
        shutil.rmtree(home, ignore_errors=True)
        home.parent.mkdir(parents=True, exist_ok=True)
        with wanted() as requirements, TemporaryDirectory(prefix=MAKING, dir=home.parent) as folder:
            made = Path(folder) / home.name
            what = f"make an environment in {home}"
            _checked([sys.executable, "-m", "venv", str(made)], what)
            install = [str(_python(made)), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
            _checked([*install, *requirements], what)
            _mark(made).touch()
            with suppress(OSError):  # it is there
                made.rename(home)
    _mark(home).touch()  # used now
    used = sorted(home.parent.glob(f"*/{MARK}"), key=lambda mark: mark.stat().st_mtime, reverse=True)
    for path in [*(mark.parent for mark in used[MOST_KEPT:]), *filter(_is_given_up, home.parent.glob(f"{MAKING}*"))]:
        shutil.rmtree(path, ignore_errors=True)
    return Environment(_python(home))


def _is_given_up(folder: Path) -> bool:
    """Whether a process that was making an environment in it must be gone."""
    with suppress(FileNotFoundError):  # another has just moved what it made
        return time.time() - folder.stat().st_mtime > 2 * LONGEST
    return False


@contextmanager
def _worktree(commit: str) -> Iterator[Sequence[str]]:
    """A commit, checked out for as long as it is needed."""
    with TemporaryDirectory(prefix="goldpiece-worktree-") as folder:
        tree = Path(folder) / "tree"
        _checked(["git", "worktree", "add", "--detach", "--quiet", str(tree), commit], f"check {commit} out")
        try:
            yield [str(tree)]
        finally:
            _run(["git", "worktree", "remove", "--force", str(tree)])


def _checked(command: Sequence[str], what: str) -> None:
    done = _run(command)
    if done.returncode:
        remedy = "Mend that, or name a Python that has it installed, as path/to/bin/python"
        raise UsageError(f"could not {what}:\n{done.stderr.strip()[-TOLD:]}\n{remedy}")


def _run(command: Sequence[str]) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(  # noqa: S603 (git, venv and pip, with what the user named)
        command, capture_output=True, text=True, encoding="utf-8", errors="replace", timeout=LONGEST, check=False
    )
