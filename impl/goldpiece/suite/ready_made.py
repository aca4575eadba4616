"""A subject that is a whole tokenizer with a vocabulary of its own, as people use it: text in, tokens out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from goldpiece.errors import GoldpieceError, UsageError
from goldpiece.suite.component import Component, Disagreement
from goldpiece.suite.loader import load_specs
from goldpiece.suite.subject import OutOfPatience, Subject, SubjectFailure, Unsupported

REMEDY = "name hf:PATH, reference:PATH, or an object of yours whose vocabulary is fixed"


class NoAnswer(GoldpieceError):
    """So many calls hung that nothing can be said of the rest of the texts."""


@dataclass(frozen=True)
class Encoded:
    """What a tokenizer makes of a text. Offsets count code points of the text."""

    ids: Sequence[int]
    tokens: Sequence[str]
    offsets: Sequence[Sequence[int]]
    error: str | None = None  # in which it ended, and gave none of these


class ReadyMade:
    """Encodes texts: framed, where the subject has a frame, special tokens sought in the text.

    Raises UsageError where the subject cannot.
    """

    def __init__(self, subject: Subject) -> None:
        self.name, self.version = subject.declaration.name, subject.declaration.version
        offered = subject.declaration.components.get("tokenizer")
        if offered is None or "vocab" in offered.parameters:
            lacks = "takes any vocabulary" if offered else "has no tokenizer"
            raise UsageError(f"{self.name} {lacks}: {REMEDY}")
        try:
            self._instance = Component(subject, load_specs().named("tokenizer"), None)()
        except (Unsupported, SubjectFailure) as problem:
            raise UsageError(f"{self.name} is no ready tokenizer ({problem}): {REMEDY}") from problem
        told = offered.told(load_specs().named("tokenizer").operations["encode"]).output
        if lacking := [name for name in ("tokens", "offsets") if name not in told]:
            raise UsageError(f"{self.name} tells no {' and no '.join(lacking)}, which are compared: {REMEDY}")
        self._framed = self._has_frame()

    def _has_frame(self) -> bool:
        try:
            self._instance.answer("encode", "", None, True, True)
        except Unsupported:
            return False
        except (SubjectFailure, OutOfPatience):
            pass  # it has one, as far as can be told
        return True

    def encode(self, text: str) -> Encoded:
        """What it makes of a text. Raises NoAnswer."""
        try:
            answer: Any = self._instance.answer("encode", text, None, self._framed, True)
        except (SubjectFailure, Unsupported) as problem:
            answer = {"error": str(problem)}
        except OutOfPatience as problem:
            raise NoAnswer(f"{self.name}: {problem}; leave out of the corpus what it hangs on") from problem
        if "error" in answer:
            return Encoded([], [], [], answer["error"])
        return Encoded(answer["ids"], answer["tokens"], answer["offsets"])

    def knows(self, tokens: Sequence[str]) -> list[bool] | None:
        """Whether its vocabulary has each of the tokens; None where it does not say."""
        try:
            return [number is not None for number in self._instance.batch("token_to_id", [[each] for each in tokens])]
        except (SubjectFailure, Unsupported, OutOfPatience, Disagreement):
            return None
