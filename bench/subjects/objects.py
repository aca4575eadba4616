"""The operations of a user's class, `module:attr`: it has what the spec asks for, and registers nothing.

What it takes is told by the adapter of goldpiece.suite, and what is timed is a call of its own method. Only operations
are measured that users write by themselves, on workloads whose parameters it takes.
"""

from collections.abc import Callable, Collection, Mapping
from functools import cache
from typing import Any

from goldpiece.suite.loader import load_specs
from goldpiece.suite.subjects.objects import ObjectSubject
from goldpiece.suite.subjects.python import python_subject
from goldpiece.suite.values import Value

from ..workloads import Builder, Ready, Setup

# Of each operation what follows its first input, and the outputs that are compared.
MEASURED: Mapping[str, tuple[tuple[Value, ...], tuple[str, ...]]] = {
    "normalizer.normalize": ((), ("text",)),
    "pre_tokenizer.pre_tokenize": ((), ("tokens", "offsets")),
    "wordpiece.tokenize": ((), ("pieces",)),
    "decoder.decode": ((False,), ("text",)),
    "tokenizer.encode": ((None, True, True), ("ids",)),
    "tokenizer.encode_batch": ((), ("ids",)),
    "tokenizer.decode": ((True,), ("text",)),
}


def is_address(name: str) -> bool:
    """Whether a subject is called as one of a user's is."""
    return ":" in name


@cache
def _subject(address: str) -> ObjectSubject | None:
    """Raises UsageError where there is none at that address, or it implements nothing that is specified."""
    found = python_subject(address, load_specs())
    return found if isinstance(found, ObjectSubject) else None


def builder_of_object(address: str, call: str, parameters: Collection[str] = ()) -> Builder | None:
    """What builds an operation of it; None where it does not offer that, or does not take these parameters.

    Raises UsageError.
    """
    subject, (component, operation) = _subject(address), call.split(".")
    offered = subject.declaration.components.get(component) if subject else None
    if call not in MEASURED or not subject or not offered or operation not in offered.operations:
        return None
    if not {*parameters} <= {*offered.parameters}:
        return None
    others, outputs = MEASURED[call]
    return lambda setup: _ready(subject.factories[component], setup, operation, others, outputs)


def _ready(
    factory: Callable[..., object], setup: Setup, operation: str, others: tuple[Value, ...], outputs: tuple[str, ...]
) -> Ready[Any, Any]:
    method = getattr(factory(**setup.config), operation)
    call = (lambda given: method(given, *others)) if others else method
    return Ready(call, lambda result: _plain(result, outputs))


def _plain(result: Any, outputs: tuple[str, ...]) -> Value:
    """The outputs that are compared, however the method gives them: by name, as attributes, in order, or one alone."""
    if isinstance(result, Mapping):
        found = [result[name] for name in outputs]
    elif all(hasattr(result, name) for name in outputs):
        found = [getattr(result, name) for name in outputs]
    elif len(outputs) > 1:
        found = list(result)[: len(outputs)]
    else:
        found = [result]
    listed = [_listed(each) for each in found]
    return listed[0] if len(outputs) == 1 else listed


def _listed(value: Any) -> Value:
    return [_listed(each) for each in value] if isinstance(value, list | tuple) else value
