"""The subject `batches:FILE,vocab=FILE[,key=value]`: what a collator made, which is judged and not called.

The keys are the parameters of spec/masking.yaml: what the collator is held to. A value that is not JSON is text.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from goldpiece.errors import GoldpieceError, UsageError
from goldpiece.formats import vocab_txt
from goldpiece.reference.masking import Masking
from goldpiece.reference.masking.tokens import special_tokens_of
from goldpiece.reference.tokenizer import Tokenizer
from goldpiece.suite.recorded.record import Record, read_record
from goldpiece.suite.spec import Spec, Specs
from goldpiece.suite.subject import Declaration
from goldpiece.suite.subjects.objects import ObjectSubject
from goldpiece.suite.values import ShapeError, Value

KIND = "batches"
SPEC = "masking"
VOCAB = "vocab"


@dataclass(kw_only=True)
class RecordedBatches(ObjectSubject):
    """A subject of which nothing is left to ask, but a record."""

    record: Record


def recorded_batches(written: str, specs: Specs) -> RecordedBatches:
    """The record that `FILE,vocab=FILE[,key=value]` names. Raises UsageError and FileError."""
    file, *options = re.split(r",(?=\w+=)", written)
    values = dict(option.split("=", 1) for option in options)
    if VOCAB not in values:
        remedy = f"write {KIND}:{file},vocab=vocab.txt, or vocab=tokenizer.json"
        raise UsageError(f"{KIND}:{file}: without a vocabulary nobody knows which tokens are special: {remedy}")
    tokens, special = _vocabulary(Path(values.pop(VOCAB)))
    claims = {name: _claim(specs.named(SPEC), name, value) for name, value in values.items()}
    try:
        masking = Masking(**{"vocab": tokens, "special_tokens": special, **claims})  # type: ignore[arg-type]
    except GoldpieceError as error:
        raise UsageError(f"{KIND}:{file}: nothing can be held to that: {error}") from error
    record = read_record(Path(file), masking, claims)
    reasons = {spec.name: "recorded batches answer no questions" for spec in specs}
    declaration = Declaration(f"{KIND}:{written}", f"of {len(record.rows):,} rows", (), False, {}, reasons)
    return RecordedBatches(declaration, specs, {}, record=record)


def _vocabulary(path: Path) -> tuple[list[str], list[str]]:
    """The tokens of a vocab.txt or tokenizer.json, and those that are special."""
    if path.suffix == ".json":
        tokenizer = Tokenizer.from_file(path)
        return list(tokenizer.all_tokens), special_tokens_of(tokenizer)
    tokens = vocab_txt.read(path)
    return tokens, special_tokens_of(tokens)


def _claim(spec: Spec, name: str, written: str) -> Value:
    """The value of a parameter. Raises UsageError."""
    if name not in spec.parameters:
        raise UsageError(f"{name}={written}: there is no such parameter; there are {', '.join(spec.parameters)}")
    parse: Callable[[str], object] = json.loads
    try:
        value = parse(written)
    except ValueError:  # what is not JSON is text
        value = written
    try:
        return spec.parameters[name].type.accept(value)
    except ShapeError as error:
        raise UsageError(f"{name}={written}: {error}") from error
