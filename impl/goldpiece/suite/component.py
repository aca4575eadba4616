"""What a law sees of a subject: one component, whose instances answer as the spec says or fail in a known way."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from goldpiece.errors import HarnessError
from goldpiece.suite.spec import Operation, Spec
from goldpiece.suite.subject import Answer, Handle, Subject, SubjectFailure, Unsupported
from goldpiece.suite.subjects.objects import describe
from goldpiece.suite.values import ShapeError, Value, show


class Disagreement(AssertionError):
    """A law found the subject doing something else than its clause says."""

    def __init__(self, expected: Value, actual: Value, note: str = "") -> None:
        self.expected, self.actual, self.note = expected, actual, note
        super().__init__(f"expected {show(expected)}, got {show(actual)}")


@dataclass(frozen=True)
class Call:
    """One input given to the subject. A failing law shows the last one: laws ask last what they judge."""

    config: Mapping[str, Value]
    operation: str
    input: Mapping[str, Value]


@dataclass
class Component:
    """Makes instances of one component of a subject, under one profile."""

    subject: Subject
    spec: Spec
    profile: str | None
    last: Call | None = None  # of the present example
    inputs: int = 0  # given to the subject so far
    _handles: list[Handle] = field(default_factory=list)

    def __call__(self, **config: Value) -> "Instance":
        """An instance built with these parameters; the others have the spec's defaults."""
        offered = self.subject.declaration.components[self.spec.name].parameters
        sent: dict[str, Value] = {}
        for name, value in config.items():
            if name in offered:
                if not self.takes(name, value):
                    raise Unsupported(f"{name} = {show(value)}")
                sent[name] = value
            elif value != self.spec.parameters[name].default:
                raise Unsupported(f"the parameter {name}")
        for name in offered.keys() - config.keys() - {"profile"}:
            if not self.takes(name, self.spec.parameters[name].default):
                raise Unsupported(f"{name} = {show(self.spec.parameters[name].default)}")
        if "profile" in offered and self.profile:
            if self.profile not in (offered["profile"] or [self.profile]):
                raise Unsupported(f"the profile {self.profile}")
            sent["profile"] = self.profile
        try:
            handle = self.subject.new(self.spec.name, sent)
        except (Unsupported, KeyboardInterrupt):
            raise
        except BaseException as error:  # a panic in a Rust extension is no Exception
            self.last = Call(config, "new", {})
            raise SubjectFailure(f"building it raised {describe(error)}") from error
        self._handles.append(handle)
        return Instance(self, handle, config)

    def takes(self, parameter: str, value: Value) -> bool:
        """Whether the subject takes a value for a parameter."""
        offered = self.subject.declaration.components[self.spec.name].parameters
        allowed = offered.get(parameter, (self.spec.parameters[parameter].default,))
        return allowed is None or value in allowed

    def begin(self) -> None:
        """A new example begins: the instances of the one before are let go."""
        self.last = None
        while self._handles:
            self.subject.free(self._handles.pop())


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
        results = []
        for result in self.answers(operation, inputs):
            if "error" in result:
                raise Disagreement("a result and no error", result)
            results.append(next(iter(result.values())) if len(result) == 1 else result)
        return results

    def answer(self, operation: str, *inputs: Value) -> Mapping[str, Value]:
        """The outputs by name, or `{"error": name}` where the subject ends in an error that the spec names."""
        return self.answers(operation, [inputs])[0]

    def answers(self, operation: str, inputs: Sequence[Sequence[Value]]) -> list[Mapping[str, Value]]:
        """See `answer`."""
        spec = self.component.spec.operations[operation]
        named = [dict(zip(spec.input, each, strict=True)) for each in inputs]
        if operation not in self.component.subject.declaration.components[self.component.spec.name].operations:
            raise Unsupported(f"the operation {operation}")
        self.component.inputs += len(named)
        try:
            answers = self.component.subject.call(self.handle, operation, named)
        except (Unsupported, KeyboardInterrupt):
            raise
        except BaseException as error:
            self.component.last = Call(self.config, operation, named[0])
            raise SubjectFailure(f"calling it raised {describe(error)}") from error
        if len(answers) != len(named):
            raise SubjectFailure(f"{len(named)} inputs got {len(answers)} answers")
        return [self._judged(spec, each, answer) for each, answer in zip(named, answers, strict=True)]

    def _judged(self, operation: Operation, given: Mapping[str, Value], answer: Answer) -> Mapping[str, Value]:
        self.component.last = Call(self.config, operation.name, given)
        match answer:
            case {"unsupported": reason}:
                raise Unsupported(reason)
            case {"failed": message}:
                raise SubjectFailure(f"it raised {message}")
            case {"error": name}:
                return {"error": name}
            case {"output": output}:
                return _outputs(operation, output)
        raise HarnessError(f"{answer!r} is no answer")


def _outputs(operation: Operation, output: Mapping[str, object]) -> Mapping[str, Value]:
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
