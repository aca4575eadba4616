"""Where the rooms are: inside the package in a wheel, beside impl/ in a checkout."""

from pathlib import Path

import goldpiece
from goldpiece.errors import FileError


def room(name: str) -> Path:
    """The folder `spec`, `properties`, `golden` or `bench` of this Goldpiece."""
    for parent in goldpiece.__path__:
        if (folder := Path(parent) / name).is_dir():
            return folder
    raise FileError(Path(goldpiece.__path__[0]) / name, None, "the folder is missing", "Install goldpiece again")
