"""Real vocabularies and corpora. They are no part of the project: a folder has them, or what needs them is not run."""

import os
from pathlib import Path

from goldpiece.errors import GoldpieceError
from goldpiece.suite.rooms import room

VARIABLE = "GOLDPIECE_DATA"


class DataMissing(GoldpieceError):
    """A real vocabulary or corpus is not on this machine."""

    def __init__(self, name: str, folder: Path) -> None:
        super().__init__(f"{name} is not in {folder}: set {VARIABLE} to a folder that has it")


def data_folder() -> Path:
    """The folder that GOLDPIECE_DATA names, else the one that lies beside a checkout."""
    named = os.environ.get(VARIABLE)
    return Path(named) if named else room("spec").parent.parent / "shared" / "data"


def data_file(name: str) -> Path:
    """The path of one file, such as `bert/bert-base-uncased-vocab.txt`. Raises DataMissing."""
    path = data_folder() / name
    if not path.is_file():
        raise DataMissing(name, data_folder())
    return path
