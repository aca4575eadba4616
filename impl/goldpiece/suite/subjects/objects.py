"""Subjects that are Python objects in this process: a class per component whose methods are the operations.

The constructor takes the component's parameters as keywords, a method takes the operation's inputs by position and
returns the output; where there are several, a tuple in their order, a mapping by name, or an object that has them as
attributes. Where it cannot tell all of these, `outputs = {"encode": ["ids"]}` lists those that it tells.
An error that a spec names, such as `unknown-token-missing`, is an exception class `UnknownTokenMissing` or
`UnknownTokenMissingError`; one that is raised while an instance is built is the answer to whatever is asked of it.
`NotImplementedError` says "unsupported".
"""

import inspect
import itertools
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from dataclasses import dataclass, field
from threading import Barrier
from typing import TypeAlias

from goldpiece.errors import UsageError
from goldpiece.suite.spec import Operation, Spec, Specs
from goldpiece.suite.subject import Answer, ComponentDeclaration, Config, Declaration, Handle, Unsupported
from goldpiece.suite.values import Value, show, visible

LONGEST = 300  # characters of a message

Factory: TypeAlias = Callable[..., object]


@dataclass
class ObjectSubject:
    """See `goldpiece.suite.subject.Subject`."""

    declaration: Declaration
    specs: Specs
    factories: Mapping[str, Factory]
    _instances: dict[Handle, tuple[Spec, object]] = field(default_factory=dict)
    _numbers: "itertools.count[int]" = field(default_factory=itertools.count)

    def new(self, component: str, config: Config) -> Handle:
        try:
            # Copies, here and below: what a subject does to its arguments must not reach the law that compares.
            instance = self.factories[component](**deepcopy(dict(config)))
        except NotImplementedError as error:
            raise Unsupported(str(error) or f"{component} with {', '.join(config)}") from error
        except Exception as error:
            operations = self.specs.named(component).operations.values()
            if not any(_named(error, operation) for operation in operations):
                raise
            instance = error
        handle = next(self._numbers)
        self._instances[handle] = self.specs.named(component), instance
        return handle

    def call(self, handle: Handle, operation: str, inputs: Sequence[Mapping[str, Value]]) -> Sequence[Answer]:
        spec, instance = self._instances[handle]
        told = self.declaration.components[spec.name].told(spec.operations[operation])
        if isinstance(instance, Exception):  # raised while it was built
            name = _named(instance, told)
            return [{"error": name} if name else {"failed": f"building it raised {describe(instance)}"} for _ in inputs]
        method: Callable[..., object] = getattr(instance, operation)
        return [_answer(method, told, each) for each in inputs]

    def at_once(
        self, handle: Handle, operation: str, batches: Sequence[Sequence[Mapping[str, Value]]]
    ) -> Sequence[Sequence[Answer]]:
        together = Barrier(len(batches))

        def ask(batch: Sequence[Mapping[str, Value]]) -> Sequence[Answer]:
            together.wait()
            return self.call(handle, operation, batch)

        before = sys.getswitchinterval()
        sys.setswitchinterval(1e-6)  # else a short call is over before another thread has its turn
        try:
            with ThreadPoolExecutor(len(batches)) as pool:
                return list(pool.map(ask, batches))
        finally:
            sys.setswitchinterval(before)

    def free(self, handle: Handle) -> None:
        del self._instances[handle]

    def restart(self) -> bool:
        return False


def _answer(method: Callable[..., object], operation: Operation, given: Mapping[str, Value]) -> Answer:
    try:
        result = method(*(deepcopy(given[name]) for name in operation.input))
    except KeyboardInterrupt:
        raise
    except NotImplementedError as error:
        return {"unsupported": str(error) or f"{operation.name} of such an input"}
    except BaseException as error:  # a panic in a Rust extension is no Exception
        name = _named(error, operation)
        return {"error": name} if name else {"failed": f"it raised {describe(error)}"}
    if isinstance(result, Mapping):
        return {"output": result}
    if len(operation.output) > 1 and all(hasattr(result, name) for name in operation.output):
        return {"output": {name: getattr(result, name) for name in operation.output}}
    if len(operation.output) == 1:
        return {"output": dict.fromkeys(operation.output, result)}
    if isinstance(result, tuple) and len(result) == len(operation.output):
        return {"output": dict(zip(operation.output, result, strict=True))}
    return {"failed": f"it returned {type(result).__name__}, where the {len(operation.output)} outputs are promised"}


def _named(error: BaseException, operation: Operation) -> str | None:
    """The error of an operation that an exception stands for, if it stands for one."""
    return next((name for kind in type(error).__mro__ if (name := error_name(kind)) in operation.errors), None)


def error_name(kind: type) -> str:
    """`unknown-token-missing` for UnknownTokenMissing and UnknownTokenMissingError."""
    words = re.findall("[A-Z][a-z0-9]*", kind.__name__.removesuffix("Error"))
    return "-".join(words).lower()


def describe(error: BaseException) -> str:
    """What was raised, on one line of bearable length."""
    try:
        message = " ".join(str(error).split())
    except Exception:
        message = "(its message cannot be read)"
    shown = visible(message[:LONGEST]) + ("…" if len(message) > LONGEST else "")
    return f"{type(error).__name__}: {shown}" if message else type(error).__name__


def declare(spec: Spec, factory: Factory) -> ComponentDeclaration:
    """What a class offers of a component, told from its methods and the signature of its constructor."""
    return ComponentDeclaration(
        operations=frozenset(name for name in spec.operations if callable(getattr(factory, name, None))),
        parameters=dict.fromkeys(taken(factory, [*spec.parameters, "profile"])),
        outputs=told_outputs(spec, factory),
    )


def told_outputs(spec: Spec, thing: object) -> Mapping[str, Sequence[str]]:
    """Which outputs it tells of operations of which it does not tell all: what its attribute `outputs` says."""
    said = getattr(thing, "outputs", None)
    if not isinstance(said, Mapping | list | tuple | set | str):  # an attribute of that name that means something else
        return {}
    if not isinstance(said, Mapping):
        raise UsageError(f'outputs = {show(said)}: give a mapping, as {{"encode": ["ids", "offsets"]}}')
    return {name: tuple(map(str, told)) for name, told in said.items() if name in spec.operations}


def one_tokenizer(
    specs: Specs,
    name: str,
    version: str,
    profiles: tuple[str, ...],
    surrogates: bool,
    offered: ComponentDeclaration,
    *,
    round_trip: str | None = None,
) -> Declaration:
    """What a subject is that offers a whole tokenizer and none of its components."""
    others = [spec.name for spec in specs if spec.name != "tokenizer"]
    reasons = dict.fromkeys(others, "the subject is one whole tokenizer, whose components cannot be reached")
    return Declaration(name, version, profiles, surrogates, {"tokenizer": offered}, reasons, round_trip=round_trip)


def taken(factory: Factory, names: Sequence[str]) -> list[str]:
    """Which of the names the callable takes as keywords."""
    parameters = inspect.signature(factory).parameters.values()
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        return list(names)
    by_keyword = {each.name for each in parameters if each.kind in (each.KEYWORD_ONLY, each.POSITIONAL_OR_KEYWORD)}
    return [name for name in names if name in by_keyword]
