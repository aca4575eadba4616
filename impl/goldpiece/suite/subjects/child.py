"""A subject in a process of its own: what it does to itself there becomes an answer, and the run goes on.

The messages are those of spec/PROTOCOL.md. The process is started when it is needed, and again after it died; instances
are built again in the new one when they are needed.
"""

import itertools
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from goldpiece.errors import UsageError
from goldpiece.suite.spec import Specs
from goldpiece.suite.subject import (
    ROUND_TRIPS,
    Answer,
    ComponentDeclaration,
    Config,
    Declaration,
    Handle,
    OutOfPatience,
    SubjectFailure,
    Unsupported,
)
from goldpiece.suite.subjects.process import Hang, Process
from goldpiece.suite.values import Value

PROTOCOL = 1
START = 60.0  # seconds to start in: a large library may have to be imported
TIMEOUT = 10.0  # seconds for a call,
PER_INPUT = 0.002  # and for each of its inputs
AFTER_A_HANG = 0.1  # of these, as long as a smaller input is sought that hangs as well
PATIENCE = 60.0  # seconds in all that are spent on calls that hang


@dataclass
class ChildSubject:
    """See `goldpiece.suite.subject.Subject`."""

    name: str
    command: Sequence[str]
    specs: Specs
    timeout: float = TIMEOUT
    declaration: Declaration = field(init=False)
    _spent: float = 0.0  # seconds on calls that hung
    _in_a_hurry: bool = False
    _process: Process | None = None
    _life: object = None  # another one for each process, and after each restart
    _restarts: bool = False  # whether it can begin anew without being started anew
    _handles: dict[Handle, "_Instance"] = field(default_factory=dict)
    _numbers: "itertools.count[int]" = field(default_factory=itertools.count)

    def __post_init__(self) -> None:
        try:
            said = self._start()
            self.declaration = _declaration(self.name, said, self.specs)
            self._restarts = said.get("restarts") is True
        except SubjectFailure as failure:
            raise UsageError(f"the adapter is broken: {self.name}: {failure}") from failure

    def new(self, component: str, config: Config) -> Handle:
        handle = next(self._numbers)
        self._handles[handle] = _Instance(component, config)
        self._built(self._handles[handle])
        return handle

    def call(self, handle: Handle, operation: str, inputs: Sequence[Mapping[str, Value]]) -> Sequence[Answer]:
        try:
            return self._call(handle, operation, inputs)
        except SubjectFailure as failure:
            if len(inputs) == 1:
                raise
            return self._one_by_one(handle, operation, inputs, failure)

    def free(self, handle: Handle) -> None:
        instance = self._handles.pop(handle)
        if instance.life is self._life and self._process and self._process.is_alive:
            self._ask_or_close({"free": instance.remote})

    def restart(self) -> bool:
        self._in_a_hurry = False
        if self._restarts and self._process and self._process.is_alive:
            self._ask_or_close({"restart": True})
            self._life = object()
        else:
            self._close()
        return True

    def _close(self) -> None:
        if self._process:
            self._process.kill()
            self._process = None

    def _call(self, handle: Handle, operation: str, inputs: Sequence[Mapping[str, Value]]) -> Sequence[Answer]:
        answers = self._asked(handle, operation, {"inputs": self._listed(handle, operation, inputs)}, len(inputs))
        return self._checked(answers)

    def at_once(
        self, handle: Handle, operation: str, batches: Sequence[Sequence[Mapping[str, Value]]]
    ) -> Sequence[Sequence[Answer]]:
        if not self.declaration.threads:
            raise Unsupported("calls from several threads at once")
        listed = [self._listed(handle, operation, batch) for batch in batches]
        answers = self._asked(handle, operation, {"at_once": listed}, sum(map(len, listed)))
        if not isinstance(answers, list):
            raise self._broken("it gave no list of lists of answers")
        return [self._checked(each) for each in answers]

    def _asked(self, handle: Handle, operation: str, inputs: Mapping[str, object], count: int) -> object:
        instance = self._handles[handle]
        self._built(instance)
        return self._ask({"call": instance.remote, "operation": operation, **inputs}, count).get("answers")

    def _listed(self, handle: Handle, operation: str, inputs: Sequence[Mapping[str, Value]]) -> list[list[Value]]:
        """The inputs as they are sent: a list for each, in the order of the spec."""
        names = self.specs.named(self._handles[handle].component).operations[operation].input
        return [[each[name] for name in names] for each in inputs]

    def _checked(self, answers: object) -> list[Answer]:
        if not isinstance(answers, list) or not all(isinstance(each, dict) for each in answers):
            raise self._broken("it gave no list of answers")
        return answers

    def _one_by_one(
        self, handle: Handle, operation: str, inputs: Sequence[Mapping[str, Value]], failure: SubjectFailure
    ) -> Sequence[Answer]:
        """The answers to inputs that are given alone, after they broke the subject together: finds those that do it."""
        answers: list[Answer] = []
        for each in inputs:
            try:
                answers += self._call(handle, operation, [each])
            except SubjectFailure as alone:
                answers.append({"failed": str(alone)})
                break  # the rest is not asked: one is enough to tell what is wrong
        if len(answers) == len(inputs) and not any("failed" in answer for answer in answers):
            raise SubjectFailure(f"{failure}; with each of {len(inputs)} inputs alone it did not")
        rest: list[Answer] = [{"unsupported": "what comes after an input that broke it"}] * (len(inputs) - len(answers))
        return answers + rest

    def _built(self, instance: "_Instance") -> None:
        """Makes sure that the instance is there, in the process that is there."""
        if self._process is None or not self._process.is_alive:
            self._start()
        if instance.life is not self._life:
            answer = self._ask({"new": instance.component, "config": instance.config})
            if "unsupported" in answer:
                raise Unsupported(str(answer["unsupported"]))
            if "failed" in answer:
                raise SubjectFailure(str(answer["failed"]))
            instance.remote, instance.life = answer.get("handle"), self._life

    def _start(self) -> Mapping[str, Any]:
        """Starts the process; what it says of itself."""
        self._close()
        self._process, self._life = Process(self.command), object()
        return self._ask({"hello": PROTOCOL})

    def _ask(self, question: Mapping[str, object], inputs: int = 0) -> Mapping[str, Any]:
        assert self._process
        if self._spent > PATIENCE:
            raise OutOfPatience(f"over {PATIENCE:g} s went to calls that gave no answer")
        number = next(self._numbers)
        hurry = AFTER_A_HANG if self._in_a_hurry else 1.0
        seconds = START if "hello" in question else (self.timeout + inputs * PER_INPUT) * hurry
        started = time.monotonic()
        try:
            answer = self._process.ask({"id": number, **question}, seconds)
        except Hang:
            self._spent += time.monotonic() - started
            self._in_a_hurry = True
            raise
        if answer.get("id") != number:
            raise self._broken(f"it answered question {answer.get('id')!r}, and was asked {number}")
        return answer

    def _ask_or_close(self, question: Mapping[str, object]) -> None:
        """Asks what no input depends on: a process that breaks on it is ended, and the next one begins without."""
        try:
            self._ask(question)
        except (SubjectFailure, OutOfPatience):
            self._close()

    def _broken(self, problem: str) -> SubjectFailure:
        self._close()
        return SubjectFailure(problem)


@dataclass
class _Instance:
    """An instance that the laws hold, and where it is at present."""

    component: str
    config: Config
    life: object = None
    remote: object = None  # what the process calls it


def _outputs(component: str, offer: Mapping[str, Any]) -> Mapping[str, Sequence[str]]:
    outputs = offer.get("outputs", {})
    if not isinstance(outputs, dict) or not all(isinstance(told, list | tuple) for told in outputs.values()):
        raise SubjectFailure(f"its outputs of {component} are {outputs!r}: lists of outputs by operation")
    return {str(operation): [str(name) for name in told] for operation, told in outputs.items()}


def _declaration(name: str, said: Mapping[str, Any], specs: Specs) -> Declaration:
    """What a subject says of itself, if that can be true. Raises SubjectFailure, and the UsageError that it says."""
    if "error" in said:
        raise UsageError(str(said["error"]))
    if said.get("protocol") != PROTOCOL:
        raise SubjectFailure(f"it speaks protocol {said.get('protocol')!r}, and this Goldpiece speaks {PROTOCOL}")
    offers = said.get("components")
    if not isinstance(offers, dict) or not offers:
        raise SubjectFailure("its handshake names no components")
    components = {}
    for component, offer in offers.items():
        spec = specs.named(component) if component in specs.by_name else None
        if spec is None or not isinstance(offer, dict):
            raise SubjectFailure(f"its handshake offers {component!r}; there are {', '.join(specs.by_name)}")
        operations, parameters = offer.get("operations"), offer.get("parameters", {})
        if not isinstance(operations, list) or not set(operations) <= spec.operations.keys():
            raise SubjectFailure(f"its operations of {component} are {operations!r}: {', '.join(spec.operations)}")
        if not isinstance(parameters, dict) or not parameters.keys() <= {*spec.parameters, "profile"}:
            raise SubjectFailure(f"its parameters of {component} are {parameters!r}: {', '.join(spec.parameters)}")
        components[component] = ComponentDeclaration(frozenset(operations), parameters, _outputs(component, offer))
        if problem := components[component].untold(spec):
            raise SubjectFailure(f"of {component} {problem}")
    profiles = said.get("profiles", ["hf"])
    if not isinstance(profiles, list) or not set(profiles) <= set(specs.profiles):
        raise SubjectFailure(f"its handshake names the profiles {profiles!r}; there are {', '.join(specs.profiles)}")
    if (round_trip := said.get("round_trip")) not in (None, *ROUND_TRIPS):
        raise SubjectFailure(f"its handshake names the round trip {round_trip!r}; there are {', '.join(ROUND_TRIPS)}")
    return Declaration(
        name=name,
        version=str(said.get("version", "unknown")),
        profiles=tuple(profiles),
        surrogates=said.get("surrogates") is True,
        components=components,
        threads=said.get("threads") is True,
        round_trip=round_trip,
        reasons={str(key): str(reason) for key, reason in (said.get("reasons") or {}).items()},
    )
