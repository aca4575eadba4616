"""What the suite asks of an implementation under test: three calls that exchange JSON values, and a declaration."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias, TypedDict

from goldpiece.suite.values import Value

Config: TypeAlias = Mapping[str, Value]
Handle: TypeAlias = int | str


class Unsupported(Exception):
    """The subject does not do what was asked of it, and says so: no fault, but no promise either."""


class SubjectFailure(Exception):
    """The subject broke: it raised what no spec promises, or gave what no spec describes."""


class Answer(TypedDict, total=False):
    """What became of one input: exactly one of the keys `output`, `error`, `failed` and `unsupported`."""

    output: Mapping[str, object]  # by name
    error: str  # one of the operation's errors, by name
    failed: str  # any other exception, as a person would want to read it
    unsupported: str  # why


@dataclass(frozen=True)
class ComponentDeclaration:
    """What a subject offers of one component.

    A parameter that takes only some values lists them; one that takes any has None; one that is missing takes only the
    default of the spec.
    """

    operations: frozenset[str]
    parameters: Mapping[str, Sequence[Value] | None]


@dataclass(frozen=True)
class Declaration:
    """What a subject is and offers. `profiles` are those that it is held to unless a run names one."""

    name: str
    version: str
    profiles: tuple[str, ...]
    surrogates: bool  # whether its text may hold lone surrogates
    components: Mapping[str, ComponentDeclaration]
    reasons: Mapping[str, str]  # why a component is not among them, where that can be told


class Subject(Protocol):
    """An implementation under test. Offsets count code points; nothing but JSON values passes."""

    @property
    def declaration(self) -> Declaration:
        """What the subject is and offers."""

    def new(self, component: str, config: Config) -> Handle:
        """An instance of a component. Raises Unsupported, or whatever the subject raises."""

    def call(self, handle: Handle, operation: str, inputs: Sequence[Mapping[str, Value]]) -> Sequence[Answer]:
        """One answer for each input, in order; a failing input does not spoil the others."""

    def free(self, handle: Handle) -> None:
        """The instance is not needed any more."""
