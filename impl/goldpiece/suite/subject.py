"""What the suite asks of an implementation under test: calls that exchange JSON values, and a declaration."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeAlias, TypedDict

from goldpiece.suite.spec import Operation, Spec
from goldpiece.suite.values import Value

ROUND_TRIPS = ("exact", "NFC", "NFD", "NFKC", "NFKD")

Config: TypeAlias = Mapping[str, Value]
Handle: TypeAlias = int | str


class Unsupported(Exception):
    """The subject does not do what was asked of it, and says so: no fault, but no promise either."""


class Fixed(Unsupported):
    """The subject is built with something that a law would have to choose."""

    def __init__(self, parameter: str) -> None:
        super().__init__(f"any {parameter} but its own, which is fixed")


class SubjectFailure(Exception):
    """The subject broke: it raised what no spec promises, or gave what no spec describes."""


class OutOfPatience(Exception):
    """So much time went to calls without an answer that no more is spent on the subject."""


class Answer(TypedDict, total=False):
    """What became of one input: exactly one of the keys `output`, `error`, `failed` and `unsupported`."""

    output: Mapping[str, object]  # by name
    error: str  # one of the operation's errors, by name
    failed: str  # what else happened, as a person would want to read it: `it raised ValueError: …`
    unsupported: str  # why


@dataclass(frozen=True)
class ComponentDeclaration:
    """What a subject offers of one component.

    A parameter that takes only some values lists them; one that takes any has None; one that is missing takes only the
    default of the spec, or is fixed if the spec has no default. An operation of which it tells only some outputs lists
    these.
    """

    operations: frozenset[str]
    parameters: Mapping[str, Sequence[Value] | None]
    outputs: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def told(self, operation: Operation) -> Operation:
        """The operation with those outputs that the subject tells."""
        if operation.name not in self.outputs:
            return operation
        told = self.outputs[operation.name]
        return replace(operation, output={name: kind for name, kind in operation.output.items() if name in told})

    def untold(self, spec: Spec) -> str | None:
        """What is wrong with `outputs`, if anything is: those may be missing that the spec says."""
        for name, told in self.outputs.items():
            operation = spec.operations.get(name)
            if operation is None or not set(told) <= operation.output.keys():
                return f"it tells {', '.join(told)} of {name}, which the spec does not know"
            if lacking := operation.output.keys() - set(told) - operation.may_lack:
                return f"it does not tell {', '.join(sorted(lacking))} of {name}, which laws cannot do without"
        return None


@dataclass(frozen=True)
class Declaration:
    """What a subject is and offers. `profiles` are those that it is held to unless a run names one."""

    name: str
    version: str
    profiles: tuple[str, ...]
    surrogates: bool  # whether its text may hold lone surrogates
    components: Mapping[str, ComponentDeclaration]
    reasons: Mapping[str, str]  # why a component is not among them, where that can be told
    threads: bool = True  # whether it can be called from several at once
    round_trip: str | None = (
        None  # the form in which the ids of a ready-made tokenizer give a text back; see ROUND_TRIPS
    )

    def fixed(self, spec: Spec) -> list[str]:
        """The parameters of a component that a law has to choose and the subject does not let it."""
        offered = self.components.get(spec.name)
        required = [parameter.name for parameter in spec.parameters.values() if parameter.required]
        return [name for name in required if offered and name not in offered.parameters]


class Subject(Protocol):
    """An implementation under test. Offsets count code points; nothing but JSON values passes."""

    @property
    def declaration(self) -> Declaration:
        """What the subject is and offers."""

    def new(self, component: str, config: Config) -> Handle:
        """An instance of a component. Raises Unsupported, or whatever the subject raises."""

    def call(self, handle: Handle, operation: str, inputs: Sequence[Mapping[str, Value]]) -> Sequence[Answer]:
        """One answer for each input, in order; a failing input does not spoil the others.

        A law may call it from several threads at once.
        """

    def at_once(
        self, handle: Handle, operation: str, batches: Sequence[Sequence[Mapping[str, Value]]]
    ) -> Sequence[Sequence[Answer]]:
        """As `call` for several batches, each from a thread of its own, all at the same time. May raise Unsupported."""

    def free(self, handle: Handle) -> None:
        """The instance is not needed any more."""

    def restart(self) -> bool:
        """Lets nothing that happened so far have an effect, where the subject is a process; whether it is one."""
