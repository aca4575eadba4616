"""What a law sees of a subject: one component, whose instances answer as the spec says or fail in a known way."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

from goldpiece.errors import HarnessError
from goldpiece.suite.spec import Operation, Spec
from goldpiece.suite.subject import (
    Answer,
    ComponentDeclaration,
    Fixed,
    Handle,
    OutOfPatience,
    Subject,
    SubjectFailure,
    Unsupported,
)
from goldpiece.suite.subjects.objects import ObjectSubject, describe
from goldpiece.suite.values import ShapeError, Value, show

A = TypeVar("A")
Note: TypeAlias = str | Callable[[], str]


class Told(dict[str, Value]):
    """The outputs of an operation by name, or `error`. To ask for one that the subject does not tell is Unsupported."""

    def __init__(self, outputs: Mapping[str, Value], lacking: Iterable[str] = ()) -> None:
        super().__init__(outputs)
        self.lacking = frozenset(lacking)

    def __missing__(self, name: str) -> Value:
        if name in self.lacking:
            raise Unsupported(f"questions about {name}")
        raise KeyError(name)

    def alike(self, right: Mapping[str, Value]) -> dict[str, Value]:
        """What is right, as far as it can be compared. Raises Unsupported where nothing can."""
        known = {name: value for name, value in right.items() if name not in self.lacking}
        if right and not known:
            raise Unsupported(f"questions about {', '.join(right)}")
        return known


class Disagreement(AssertionError):
    """A law found the subject doing something else than its clause says.

    `note` says more than the two values can. One that is dear to make is given as what makes it: it is made only for
    a report.
    """

    def __init__(self, expected: Value, actual: Value, note: Note = "") -> None:
        self.expected, self.actual, self._note = expected, actual, note
        super().__init__(f"expected {show(expected)}, got {show(actual)}")

    def explained(self) -> str:
        """The note. To make it may be to ask the subject more."""
        return self._note if isinstance(self._note, str) else self._note()


@dataclass(frozen=True)
class Call:
    """One input given to the subject. A failing law shows the last one: laws ask last what they judge."""

    config: Mapping[str, Value]
    operation: str
    input: Mapping[str, Value]


@dataclass
class Component:
    """Makes instances of one component of a subject, under one profile.

    Those of a ready-made subject are dear to make and all alike: they serve one example after another.
    """

    subject: Subject
    spec: Spec
    profile: str | None
    last: Call | None = None  # of the present example
    inputs: int = 0  # given to the subject so far
    _handles: list[Handle] = field(default_factory=list)  # of the present example
    _kept: list[Handle] = field(default_factory=list)  # of a ready-made subject
    _taken: int = 0  # of those kept, by the present example

    def __call__(self, **config: Value) -> "Instance":
        """An instance built with these parameters; the others have the spec's defaults."""
        offered = self.offered.parameters
        sent: dict[str, Value] = {}
        fixed = self.subject.declaration.fixed(self.spec)
        for name, value in config.items():
            if name in offered:
                if not self.takes(name, value):
                    raise Unsupported(f"{name} = {show(value)}")
                sent[name] = value
            elif name in fixed:
                raise Fixed(name)
            elif value != self.spec.parameters[name].default:
                raise Unsupported(f"the parameter {name}")
        for name in offered.keys() - config.keys() - {"profile"}:
            if not self.takes(name, self.spec.parameters[name].default):
                raise Unsupported(f"{name} = {show(self.spec.parameters[name].default)}")
        if "profile" in offered and self.profile:
            if self.profile not in (offered["profile"] or [self.profile]):
                raise Unsupported(f"the profile {self.profile}")
            sent["profile"] = self.profile
        if not fixed or config:
            self._handles.append(self._new(config, sent))
            return Instance(self, self._handles[-1], config)
        if self._taken == len(self._kept):
            self._kept.append(self._new(config, sent))
        self._taken += 1
        return Instance(self, self._kept[self._taken - 1], config)

    def _new(self, config: Mapping[str, Value], sent: Mapping[str, Value]) -> Handle:
        try:
            return self.subject.new(self.spec.name, sent)
        except (Unsupported, OutOfPatience, KeyboardInterrupt):
            raise
        except SubjectFailure:
            self.last = Call(config, "new", {})
            raise
        except BaseException as error:  # a panic in a Rust extension is no Exception
            self.last = Call(config, "new", {})
            raise SubjectFailure(f"building it raised {describe(error)}") from error

    @property
    def is_here(self) -> bool:
        """Whether the subject runs in this process, so that a law can see what it does to what both share."""
        return isinstance(self.subject, ObjectSubject)

    def takes(self, parameter: str, value: Value) -> bool:
        """Whether the subject takes a value for a parameter."""
        allowed = self.offered.parameters.get(parameter, (self.spec.parameters[parameter].default,))
        return allowed is None or value in allowed

    @property
    def offered(self) -> ComponentDeclaration:
        """What the subject offers of it."""
        return self.subject.declaration.components[self.spec.name]

    def begin(self) -> None:
        """A new example begins: the instances of the one before are let go, or serve this one."""
        self.last, self._taken = None, 0
        while self._handles:
            self.subject.free(self._handles.pop())

    def end(self) -> None:
        """The last example is over: all instances are let go."""
        self._handles += self._kept
        self._kept.clear()
        self.begin()


@dataclass(frozen=True)
class Instance:
    """One instance of a component. Its operations are its methods: `wordpiece(vocab=…).tokenize(word)`."""

    component: Component
    handle: Handle
    config: Mapping[str, Value]

    def __getattr__(self, operation: str) -> Callable[..., Value]:
        if operation not in self.component.spec.operations:
            raise AttributeError(operation)
        return lambda *inputs: self.batch(operation, [inputs])[0]

    def batch(self, operation: str, inputs: Sequence[Sequence[Value]]) -> list[Value]:
        """The outputs for many inputs in one call: a value where the operation has one output, else a mapping.

        An error that the spec names is a Disagreement here, since the law wants a value.
        """
        results: list[Value] = []
        alone = len(self.component.spec.operations[operation].output) == 1
        for result in self.answers(operation, inputs):
            if "error" in result:
                raise Disagreement("a result and no error", result)
            results.append(next(iter(result.values())) if alone else result)
        return results

    def answer(self, operation: str, *inputs: Value) -> Told:
        """The outputs by name, or `{"error": name}` where the subject ends in an error that the spec names."""
        return self.answers(operation, [inputs])[0]

    def answers(self, operation: str, inputs: Sequence[Sequence[Value]]) -> list[Told]:
        """See `answer`."""
        named = self._named(operation, inputs)
        subject = self.component.subject
        answers = self._asked(operation, named, lambda: subject.call(self.handle, operation, named))
        return self._judged_all(operation, named, answers)

    def at_once(self, operation: str, batches: Sequence[Sequence[Sequence[Value]]]) -> list[list[Told]]:
        """The answers to several batches of inputs, each given from a thread of its own, all at the same time."""
        named = [self._named(operation, batch) for batch in batches]
        subject = self.component.subject
        answers = self._asked(operation, named[0], lambda: subject.at_once(self.handle, operation, named))
        return [self._judged_all(operation, *each) for each in zip(named, answers, strict=True)]

    def _named(self, operation: str, inputs: Sequence[Sequence[Value]]) -> list[dict[str, Value]]:
        spec = self.component.spec.operations[operation]
        if operation not in self.component.offered.operations:
            raise Unsupported(f"the operation {operation}")
        self.component.inputs += len(inputs)
        return [dict(zip(spec.input, each, strict=True)) for each in inputs]

    def _asked(self, operation: str, named: Sequence[Mapping[str, Value]], ask: Callable[[], A]) -> A:
        """What `ask` gives; whatever breaks the subject is a SubjectFailure with the first input."""
        try:
            return ask()
        except (Unsupported, OutOfPatience, KeyboardInterrupt):
            raise
        except SubjectFailure:
            self.component.last = Call(self.config, operation, named[0])
            raise
        except BaseException as error:
            self.component.last = Call(self.config, operation, named[0])
            raise SubjectFailure(f"calling it raised {describe(error)}") from error

    def _judged_all(
        self, operation: str, named: Sequence[Mapping[str, Value]], answers: Sequence[Answer]
    ) -> list[Told]:
        spec = self.component.spec.operations[operation]
        if len(answers) != len(named):
            raise SubjectFailure(f"{len(named)} inputs got {len(answers)} answers")
        return [self._judged(spec, each, answer) for each, answer in zip(named, answers, strict=True)]

    def _judged(self, operation: Operation, given: Mapping[str, Value], answer: Answer) -> Told:
        self.component.last = Call(self.config, operation.name, given)
        match answer:
            case {"unsupported": reason}:
                raise Unsupported(reason)
            case {"failed": message}:
                raise SubjectFailure(message)
            case {"error": name}:
                return Told({"error": name})
            case {"output": output}:
                told = self.component.offered.told(operation)
                return Told(accepted(told, output), operation.output.keys() - told.output.keys())
        raise HarnessError(f"{answer!r} is no answer")


def accepted(operation: Operation, output: Mapping[str, object]) -> Mapping[str, Value]:
    """The outputs of an operation as plain JSON. Raises SubjectFailure where they are not what it promises."""
    if set(output) != set(operation.output):
        raise SubjectFailure(
            f"it gave the outputs {', '.join(output)}, where {', '.join(operation.output)} is promised"
        )
    try:
        return {name: kind.accept(output[name]) for name, kind in operation.output.items()}
    except ShapeError as error:
        raise SubjectFailure(f"it returned the wrong shape: {error}") from error
    except Exception as error:  # the value is of a class of the subject's, and may do anything
        raise SubjectFailure(f"it returned what cannot be read: {describe(error)}") from error
