"""The subject `module:attr[,key=value]`: whatever a user's Python module holds, taken by its shape.

`attr` may be a class, a ready object or a function; a module or object whose attributes are called like components
offers each of them. Key and value are one more keyword for the constructor; a value that is not JSON is text.
"""

import inspect
import json
import sys
from collections.abc import Callable, Mapping
from importlib import import_module, metadata
from pathlib import Path
from types import ModuleType, SimpleNamespace

from goldpiece.errors import UsageError
from goldpiece.suite.spec import Spec, Specs
from goldpiece.suite.subject import ComponentDeclaration, Declaration, Subject
from goldpiece.suite.subjects.objects import Factory, ObjectSubject, declare, describe, taken
from goldpiece.suite.values import Value

DEFAULT_PROFILE = "hf"


def python_subject(name: str, specs: Specs) -> Subject:
    """The subject called `module:attr[,key=value…]`."""
    address, *options = name.split(",")
    module_name, _, attribute = address.partition(":")
    module = _import(module_name)
    thing = _attribute(module, attribute)
    keywords = dict(_option(name, option) for option in options)
    if all(hasattr(thing, part) for part in ("declaration", "new", "call", "free")):
        return thing  # type: ignore[return-value]
    candidates = {spec.name: getattr(thing, spec.name, thing) for spec in specs}
    offers, reasons = {}, {}
    for spec in specs:
        try:
            offers[spec.name] = _offer(spec, candidates[spec.name], keywords)
        except _Misfit as misfit:
            reasons[spec.name] = str(misfit)
    if not offers:
        raise UsageError(f"{address} is no implementation of anything specified: {_lacking(thing, specs, reasons)}")
    version = getattr(module, "__version__", None) or _installed_version(module_name)
    declaration = Declaration(
        name=name,
        version=str(version or "unknown"),
        profiles=tuple(getattr(thing, "profiles", (DEFAULT_PROFILE,))),
        surrogates=bool(getattr(thing, "surrogates", False)),
        components={component: offered for component, (offered, _) in offers.items()},
        reasons=reasons,
    )
    return ObjectSubject(declaration, specs, {component: factory for component, (_, factory) in offers.items()})


class _Misfit(Exception):
    """Why an object is no implementation of a component."""


def _offer(spec: Spec, thing: object, keywords: Mapping[str, Value]) -> tuple[ComponentDeclaration, Factory]:
    """What `thing` offers of a component, and how an instance is made; raises _Misfit if it is none."""
    if inspect.isclass(thing):
        return _offer_class(spec, thing, keywords)
    if inspect.isroutine(thing):
        return _offer_function(spec, thing, keywords)
    operations = _operations(spec, thing)
    if keywords:
        raise UsageError(f"{', '.join(keywords)}: a ready object takes no keywords; name its class instead")
    for parameter in spec.parameters.values():
        if parameter.required:
            raise _Misfit(f"it is a ready object, and the laws choose {parameter.name}: name its class instead")
    return ComponentDeclaration(operations, {}), lambda: thing


def _offer_class(spec: Spec, factory: Factory, keywords: Mapping[str, Value]) -> tuple[ComponentDeclaration, Factory]:
    operations = _operations(spec, factory)
    offered = declare(spec, factory)
    for parameter in spec.parameters.values():
        if parameter.required and parameter.name not in {*offered.parameters, *keywords}:
            raise _Misfit(f"its constructor does not take {parameter.name} ({parameter.says})")
    unknown = [name for name in keywords if not taken(factory, [name])]
    if unknown:
        raise UsageError(f"the constructor of {factory.__name__} does not take {', '.join(unknown)}")
    fixed = {name: values for name, values in offered.parameters.items() if name not in keywords}
    given = {name: (value,) for name, value in keywords.items() if name in offered.parameters}
    return ComponentDeclaration(operations, fixed | given), lambda **config: factory(**(dict(keywords) | config))


def _offer_function(
    spec: Spec, function: Callable[..., object], keywords: Mapping[str, Value]
) -> tuple[ComponentDeclaration, Factory]:
    name = getattr(function, "__name__", "")
    if list(spec.operations) != [name]:
        raise _Misfit(f"a function stands for it only if it is called {' or '.join(spec.operations)}")
    parameters = taken(function, [*spec.parameters, "profile"])
    for parameter in spec.parameters.values():
        if parameter.required and parameter.name not in {*parameters, *keywords}:
            raise _Misfit(f"the function does not take {parameter.name} ({parameter.says})")

    def bound(**config: Value) -> object:
        return SimpleNamespace(**{name: lambda *inputs: function(*inputs, **(dict(keywords) | config))})

    return ComponentDeclaration(frozenset([name]), dict.fromkeys(parameters)), bound


def _operations(spec: Spec, thing: object) -> frozenset[str]:
    found = frozenset(name for name in spec.operations if callable(getattr(thing, name, None)))
    if not found:
        missing = ", ".join(f"{each.name}({', '.join(each.input)})" for each in spec.operations.values())
        raise _Misfit(f"it has no method {missing}")
    return found


def _lacking(thing: object, specs: Specs, reasons: Mapping[str, str]) -> str:
    public = [name for name in dir(thing) if not name.startswith("_")][:20]
    whys = "; ".join(f"{spec.name}: {reasons[spec.name]}" for spec in specs)
    return f"{whys}. It has {', '.join(public) or 'no public attributes'}"


def _import(name: str) -> ModuleType:
    if (here := str(Path.cwd())) not in sys.path:
        sys.path.insert(0, here)
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name and name.startswith(error.name):
            where = f"neither installed nor in {here}"
            raise UsageError(
                f"there is no module {error.name!r}, {where}: install it, or run from its folder"
            ) from error
        raise UsageError(f"importing {name} failed: {describe(error)}") from error
    except Exception as error:
        raise UsageError(f"importing {name} failed: {describe(error)}") from error


def _attribute(module: ModuleType, dotted: str) -> object:
    thing: object = module
    for part in filter(None, dotted.split(".")):
        if not hasattr(thing, part):
            public = ", ".join(name for name in dir(thing) if not name.startswith("_"))
            raise UsageError(f"{module.__name__} has no {dotted!r}; it has {public or 'nothing public'}")
        thing = getattr(thing, part)
    return thing


def _option(subject: str, option: str) -> tuple[str, Value]:
    key, equals, value = option.partition("=")
    if not (key.isidentifier() and equals):
        raise UsageError(f"{option!r} in {subject!r} is no key=value; write module:attr,key=value")
    try:
        return key, json.loads(value)
    except ValueError:  # what is not JSON is text
        return key, value


def _installed_version(module_name: str) -> str | None:
    try:
        return metadata.version(module_name.partition(".")[0])
    except metadata.PackageNotFoundError:
        return None
