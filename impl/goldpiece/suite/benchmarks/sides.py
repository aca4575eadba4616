"""What the sides of a comparison may be called."""

import os
from collections.abc import Collection
from importlib import import_module
from pathlib import Path

from goldpiece.errors import UsageError
from goldpiece.suite.benchmarks.environments import commit_of, of_commit, of_requirement, package_of
from goldpiece.suite.benchmarks.measuring import Side
from goldpiece.suite.benchmarks.process import HERE, Environment
from goldpiece.suite.benchmarks.record import Run, read_run

MODULE = ":"  # in a subject `module:attr`, of a user's
OURS = ("reference", "fast")  # what is measured of a Goldpiece
KINDS = (
    "name `.` (this Goldpiece), a revision of the repository of this folder, a version as tokenizers==0.22.0, a Python "
    "that has Goldpiece, a file of `bench run --json`, or a subject: {subjects}, module:attr"
)


def here(subjects: Collection[str]) -> Environment:
    """This Python; where a module of the user's is measured, with what lies in this folder."""
    if not any(MODULE in name for name in subjects):
        return HERE
    places = [str(Path.cwd()), os.environ.get("PYTHONPATH", "")]
    return Environment(HERE.python, {"PYTHONPATH": os.pathsep.join(filter(None, places))})


def find_side(name: str, subjects: Collection[str] = ()) -> Side | Run:
    """The side of that name; of a Goldpiece these subjects, or our own. Revisions and versions are built first.

    Raises UsageError, and FileError for a file that is no saved run.
    """
    wanted = tuple(subjects) or OURS
    path = Path(name)
    if name == ".":
        return Side(name, "", here(wanted), wanted)
    if path.is_file():
        if path.suffix == ".json":
            return read_run(path)
        if os.access(path, os.X_OK):
            return Side(name, "", Environment(path.absolute()), wanted)
    known: Collection[str] = import_module("goldpiece.bench.subjects").SUBJECTS
    if name in known or MODULE in name:
        return Side(name, "", here([name]), (name,))
    if "==" in name:
        package = package_of(name)
        return Side(name, name, of_requirement(name), (package,) if package in known else wanted)
    if commit := commit_of(name):
        return Side(name, commit[:12], of_commit(commit), wanted)
    raise UsageError(f"there is nothing called {name!r} to compare: {KINDS.format(subjects=', '.join(known))}")
