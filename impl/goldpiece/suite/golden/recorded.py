"""Goldens as files: golden/<spec>/<set>.jsonl, or <set>.<profile>.jsonl where the spec has profiles.

The first line says where the rest comes from:

    {"golden": "normalizer/sentences", "profile": "hf", "version": "1.0.0", "operation": "normalize",
     "inputs": "6f2c…", "vocab": null, "generator": "goldpiece 0.1.0", "confirmed_by": {"tokenizers 0.23.3": "all"}}

Each other line is a case: what it is given, and what it gives. Cases of a corpus have the number of their document, and
the length and a digest of each output.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, TypeGuard

from goldpiece.errors import FileError
from goldpiece.formats.atomic import write_atomically
from goldpiece.suite.golden.cases import Case, cases
from goldpiece.suite.golden.json_lines import read_lines, render_lines
from goldpiece.suite.rooms import room
from goldpiece.suite.spec import GoldenSet, Spec
from goldpiece.suite.values import Value

REMEDY = "Make it anew with `goldpiece golden update`"


@dataclass(frozen=True)
class Header:
    """Where a golden comes from."""

    golden: str  # `normalizer/sentences`
    profile: str | None
    version: str  # of the spec
    operation: str
    inputs: str  # digest of all that the cases give
    vocab: str | None  # fingerprint
    generator: str
    confirmed_by: Mapping[str, str]  # witness with its version → `all`, or `all but 3, 17`


@dataclass(frozen=True)
class Recorded:
    """What a file holds: for each case what it was given, and the outputs by name, or `error` with the name of one."""

    header: Header
    given: tuple[Mapping[str, Value], ...]
    gives: tuple[Mapping[str, Value], ...]


def golden_path(spec: Spec, golden: GoldenSet, profile: str | None) -> Path:
    """Where the outputs of a set are recorded under a profile."""
    name = f"{golden.name}.{profile}.jsonl" if profile else f"{golden.name}.jsonl"
    return room("golden") / spec.name / name


def given_of(golden: GoldenSet, case: Case) -> Mapping[str, Value]:
    """What a file says of a case's input: all of it, or, where it is not ours to copy, which document it is."""
    return {"document": case.number} if golden.corpus else case.own


def kept(golden: GoldenSet, answer: Mapping[str, Value]) -> Mapping[str, Value]:
    """What is recorded of an answer: the set's outputs, or, of a corpus, the length and a digest of each.

    What the subject does not tell is left out.
    """
    if "error" in answer:
        return answer
    outputs = {name: answer[name] for name in golden.outputs if name in answer}
    return {name: digest(value) for name, value in outputs.items()} if golden.corpus else outputs


def digest(value: Value) -> list[Value]:
    """The length of a text or list, and the start of SHA-256 of it as JSON."""
    content = json.dumps(value, separators=(",", ":"))
    length = len(value) if isinstance(value, str | Sequence) else 1
    return [length, hashlib.sha256(content.encode()).hexdigest()[:16]]


def write_recorded(path: Path, recorded: Recorded) -> None:
    """Writes a golden, all of it or nothing."""
    lines = [{"given": given, "gives": gives} for given, gives in zip(recorded.given, recorded.gives, strict=True)]
    path.parent.mkdir(exist_ok=True)
    write_atomically(path, render_lines([asdict(recorded.header), *lines]).encode())


def read_recorded(path: Path) -> Recorded:
    """What a golden holds. Raises FileError where it is none."""
    lines = read_lines(path)
    if not lines:
        raise FileError(path, None, "it is empty", REMEDY)
    (number, header), *cases = lines
    if not _has(header, {field.name for field in fields(Header)}):
        raise FileError(path, number, "it is no header of a golden", REMEDY)
    for number, case in cases:
        if not _has(case, {"given", "gives"}) or not all(isinstance(side, dict) for side in case.values()):
            raise FileError(path, number, "it is no case of a golden", REMEDY)
    found: list[Any] = [case for _, case in cases]
    confirmed = header["confirmed_by"]
    if not isinstance(confirmed, dict) or not all(isinstance(claim, str) for claim in confirmed.values()):
        raise FileError(path, number, "`confirmed_by` is no mapping from witnesses to what they agree with", REMEDY)
    given, gives = (tuple(case[side] for case in found) for side in ("given", "gives"))
    return Recorded(Header(**header), given, gives)


def recorded_outputs(spec: Spec, golden: GoldenSet, profile: str | None) -> tuple[Mapping[str, Value], ...]:
    """What is recorded for each case, to hold a subject to. Raises FileError where a golden is missing or old."""
    path = golden_path(spec, golden, profile)
    recorded, given = read_recorded(path), cases(spec, golden)
    if recorded.header.inputs != given.digest or len(recorded.gives) != len(given.each):
        raise FileError(path, None, "it was recorded for other inputs", REMEDY)
    return recorded.gives


def _has(value: object, keys: set[str]) -> TypeGuard[dict[str, Any]]:
    return isinstance(value, dict) and value.keys() == keys
