"""The cases of a golden set: what of golden/inputs, or of a corpus, an operation is given."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import cast

from goldpiece.errors import FileError
from goldpiece.formats import vocab_txt
from goldpiece.formats.fingerprint import fingerprint
from goldpiece.suite.corpus import DATA_CORPORA, documents, read_corpus
from goldpiece.suite.data import data_file
from goldpiece.suite.golden.data import MADE_OF_DATA
from goldpiece.suite.golden.json_lines import read_lines
from goldpiece.suite.rooms import room
from goldpiece.suite.spec import GoldenSet, Spec
from goldpiece.suite.values import ShapeError, Value


@dataclass(frozen=True, eq=False)
class Case:
    """One input of an operation, with the parameters of the instance that is given it."""

    number: int  # within its set, from 1; of a corpus, the number of the document
    config: Mapping[str, Value]
    input: Mapping[str, Value]
    own: Mapping[str, Value]  # what of both is its own, and not given to all cases


@dataclass(frozen=True, eq=False)
class Cases:
    """The cases of a set, and what it gives to all of them."""

    shared: Mapping[str, Value]
    each: tuple[Case, ...]

    @property
    def digest(self) -> str:
        """SHA-256 of all that is given, as 16 hexadecimal digits: where it is another, outputs cannot be compared."""
        content = json.dumps([self.shared, [case.own for case in self.each]], sort_keys=True)
        return hashlib.sha256(content.encode()).hexdigest()[:16]

    @property
    def fingerprint(self) -> str | None:
        """That of the vocabulary that all cases share, if they share one."""
        vocab = self.shared.get("vocab")
        return fingerprint(cast(list[str], vocab)) if vocab is not None else None


def inputs_folder() -> Path:
    """The folder of the inputs that are written by hand."""
    return room("golden") / "inputs"


def needs_data(golden: GoldenSet) -> bool:
    """Whether the set can be run only where the data folder is."""
    return golden.data is not None or golden.data_vocab is not None or golden.corpus in DATA_CORPORA


@cache
def cases(spec: Spec, golden: GoldenSet) -> Cases:
    """The cases of a set. Raises FileError, and DataMissing for one that needs data which are not there."""
    shared = dict(golden.given) | _made(golden)
    operation = spec.operations[golden.operation]
    kinds = {parameter.name: parameter.type for parameter in spec.parameters.values()} | dict(operation.input)
    free = [name for name in operation.input if name not in shared]
    found = []
    lines: dict[str, int | None] = {}
    for number, line, raw, path in _written(golden):
        own = raw if isinstance(raw, dict) else {free[0]: raw} if len(free) == 1 else {}
        if not set(free) <= own.keys() <= kinds.keys():
            raise FileError(path, line, f"it is no input of {operation.name}", f"Give {', '.join(free)} by name")
        try:
            values = shared | {name: kinds[name].accept(value) for name, value in own.items()}
        except ShapeError as error:
            raise FileError(path, line, str(error), "Write a value of that type") from error
        if (written := json.dumps(own)) in lines:
            raise FileError(path, line, f"it is the case of line {lines[written]} again", "Take one of them out")
        lines[written] = line
        config = {name: value for name, value in values.items() if name in spec.parameters}
        inputs = {name: values[name] for name in operation.input}
        found.append(Case(number, config, inputs, {name: values[name] for name in own}))
    return Cases(shared, tuple(found))


def _made(golden: GoldenSet) -> dict[str, Value]:
    """The parameters that come from files."""
    if golden.data:
        return dict(MADE_OF_DATA[golden.data]())
    if golden.vocab:
        return {"vocab": vocab_txt.read(inputs_folder() / golden.vocab)}
    if golden.data_vocab:
        return {"vocab": vocab_txt.read(data_file(golden.data_vocab))}
    return {}


def _written(golden: GoldenSet) -> list[tuple[int, int | None, object, Path]]:
    """Each case's number, its line, what it is given, and the file that says so."""
    if golden.inputs:
        path = inputs_folder() / golden.inputs
        lines = read_lines(path)
        return [(number, line, raw, path) for number, (line, raw) in enumerate(lines, start=1)]
    assert golden.corpus
    texts = list(documents(read_corpus(golden.corpus)))
    chosen = range(0, len(texts), golden.every)
    return [(place + 1, None, texts[place], Path(golden.corpus)) for place in chosen]
