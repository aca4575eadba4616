"""The subject `module:attr[,key=value]`: whatever a user's Python module holds, taken by its shape.

`attr` may be a class, a ready object or a function; a module or object whose attributes are called like components
offers each of them; an object that is a `goldpiece.suite.subject.Subject` is taken as it is. Key and value are one more
keyword for the constructor or function; a value that is not JSON is text. Two keys mean more: `component` says which
one component it is, where its methods could be those of another, and `profile` what it is held to as well.

A tokenizer may be ready made, with a vocabulary that laws cannot choose: a class that takes none, or an object. Its
`encode` may take a text alone and give ids.
"""

import inspect
import json
import re
import sys
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import replace
from importlib import import_module, metadata
from pathlib import Path
from types import ModuleType, SimpleNamespace

from goldpiece.errors import UsageError
from goldpiece.suite.spec import Parameter, Spec, Specs
from goldpiece.suite.subject import ROUND_TRIPS, ComponentDeclaration, Declaration, Subject
from goldpiece.suite.subjects.objects import Factory, ObjectSubject, describe, taken, told_outputs
from goldpiece.suite.subjects.plain import Plain, is_plain
from goldpiece.suite.values import Value

DEFAULT_PROFILE = "hf"


def python_subject(name: str, specs: Specs) -> Subject:
    """The subject called `module:attr[,key=value…]`."""
    address, *options = re.split(r",(?=\w+=|\w*$)", name)  # a comma within a value is none
    module_name, _, attribute = address.partition(":")
    module = _import(module_name)
    thing = _attribute(module, attribute)
    keywords = dict(_option(name, option) for option in options)
    version = getattr(module, "__version__", None) or _installed_version(module_name) or "unknown"
    return object_subject(thing, name, str(version), keywords, specs)


def object_subject(thing: object, name: str, version: str, options: Mapping[str, Value], specs: Specs) -> Subject:
    """The subject that an object is, by its shape; it is called `name`. Raises UsageError where it is none."""
    keywords = dict(options)
    if _is_subject(thing):
        if keywords:
            raise UsageError(f"{', '.join(keywords)}: {name} is a subject as it is, and takes no keywords")
        return thing  # type: ignore[return-value]
    component = keywords.pop("component", None)
    candidates = [specs.named(str(component))] if component else list(specs)
    offers, reasons, parts = {}, {}, [thing]
    for spec in candidates:
        try:
            part = getattr(thing, spec.name, thing)
            offers[spec.name] = _offer(spec, part, keywords)
            parts.append(part)
        except _Misfit as misfit:
            reasons[spec.name] = str(misfit)
        except UsageError:
            raise
        except Exception as error:  # a property that raises, or a class without a signature
            reasons[spec.name] = f"it cannot be looked at: {describe(error)}"
    if not offers:
        raise UsageError(f"{name} is no implementation of anything specified:{_lacking(thing, reasons)}")
    declaration = Declaration(
        name=name,
        version=version,
        profiles=_profiles(parts, keywords, specs),
        surrogates=any(getattr(part, "surrogates", False) is True for part in parts),
        components={each: offered for each, (offered, _) in offers.items()},
        reasons=reasons,
        round_trip=_round_trip(parts),
    )
    return ObjectSubject(declaration, specs, {each: factory for each, (_, factory) in offers.items()})


def _is_subject(thing: object) -> bool:
    try:
        return isinstance(getattr(thing, "declaration", None), Declaration)
    except Exception:  # an attribute of a user's object may do anything
        return False


class _Misfit(Exception):
    """Why an object is no implementation of a component."""


def _offer(spec: Spec, thing: object, keywords: Mapping[str, Value]) -> tuple[ComponentDeclaration, Factory]:
    """What `thing` offers of a component, and how an instance is made; raises _Misfit if it is none."""
    offered, factory = _offer_as_it_is(spec, thing, keywords)
    if spec.name == "tokenizer" and is_plain(thing):
        told = replace(offered, operations=offered.operations & Plain.operations, outputs=Plain.outputs)
        return told, lambda **config: Plain(factory(**config))
    return offered, factory


def _offer_as_it_is(spec: Spec, thing: object, keywords: Mapping[str, Value]) -> tuple[ComponentDeclaration, Factory]:
    """The same of one whose methods take what the spec says."""
    if inspect.isclass(thing):
        return _offer_callable(spec, _operations(spec, thing), thing, thing, keywords)
    if inspect.isroutine(thing):
        name = getattr(thing, "__name__", "")
        if name not in spec.operations:
            raise _Misfit(f"a function stands for it only if it is called {' or '.join(spec.operations)}")

        def bound(**config: Value) -> object:
            return SimpleNamespace(**{name: lambda *inputs: thing(*inputs, **config)})

        return _offer_callable(spec, frozenset([name]), thing, bound, keywords)
    operations = _operations(spec, thing)
    if keywords:
        raise UsageError(f"{', '.join(keywords)}: a ready object takes no keywords; name its class instead")
    for parameter in spec.parameters.values():
        if parameter.required and not _may_be_fixed(parameter, spec, operations):
            raise _Misfit(f"it is a ready object, and the laws choose {parameter.name}: name its class instead")
    return ComponentDeclaration(operations, {}, told_outputs(spec, thing)), lambda: thing


def _offer_callable(
    spec: Spec,
    operations: frozenset[str],
    signed: Callable[..., object],
    factory: Factory,
    keywords: Mapping[str, Value],
) -> tuple[ComponentDeclaration, Factory]:
    """What a class or function offers, told from the signature of `signed`; the keywords fix some of its parameters."""
    unknown = [name for name in keywords if not taken(signed, [name])]
    if unknown:
        raise UsageError(f"{getattr(signed, '__name__', signed)} does not take {', '.join(unknown)}")
    parameters = taken(signed, [*spec.parameters, "profile"])
    for parameter in spec.parameters.values():
        needed = parameter.required and not _may_be_fixed(parameter, spec, operations)
        if needed and parameter.name not in parameters:
            raise _Misfit(f"it does not take {parameter.name} ({parameter.says})")
    allowed = {name: (keywords[name],) if name in keywords else None for name in parameters}
    offered = ComponentDeclaration(operations, allowed, told_outputs(spec, signed))
    if problem := offered.untold(spec):
        raise UsageError(f"{getattr(signed, '__name__', signed)}: of {spec.name} {problem}")
    return offered, lambda **config: factory(**(dict(keywords) | config))


def _may_be_fixed(parameter: Parameter, spec: Spec, operations: Container[str]) -> bool:
    """Whether a ready-made thing need not take it: one that does what the spec's first operation says."""
    return parameter.may_be_fixed and next(iter(spec.operations)) in operations


def _operations(spec: Spec, thing: object) -> frozenset[str]:
    found = frozenset(name for name in spec.operations if callable(getattr(thing, name, None)))
    kind = thing if inspect.isclass(thing) else type(thing)
    if not found or issubclass(kind, str | bytes):  # whose encode and decode are something else
        missing = ", ".join(f"{each.name}({', '.join(each.input)})" for each in spec.operations.values())
        raise _Misfit(f"it has no method {missing}")
    return found


def _profiles(parts: Sequence[object], keywords: Mapping[str, Value], specs: Specs) -> tuple[str, ...]:
    """What the subject is held to: what a keyword fixes, else what an attribute `profiles` says."""
    found = [getattr(part, "profiles", None) for part in parts]
    declared = [each for each in found if isinstance(each, str | tuple | list)]
    said = keywords.get("profile", declared[-1] if declared else DEFAULT_PROFILE)
    return tuple(specs.profile(str(name)) for name in ([said] if isinstance(said, str) else said))  # type: ignore[union-attr]


def _round_trip(parts: Sequence[object]) -> str | None:
    """What an attribute `round_trip` says. Raises UsageError where there is no such form."""
    said = [each for each in (getattr(part, "round_trip", None) for part in parts) if isinstance(each, str)]
    for each in said:
        if each not in ROUND_TRIPS:
            raise UsageError(f"round_trip = {each!r}: there is no such form; there are {', '.join(ROUND_TRIPS)}")
    return said[0] if said else None


def _lacking(thing: object, reasons: Mapping[str, str]) -> str:
    public = [name for name in dir(thing) if not name.startswith("_")][:20]
    whys = "".join(f"\n  {component}: {reason}" for component, reason in reasons.items())
    return f"{whys}\nIt has {', '.join(public) or 'no public attributes'}"


def _import(name: str) -> ModuleType:
    if (here := str(Path.cwd())) not in sys.path:
        sys.path.append(here)  # at the end: a folder that is called like a package of ours must not hide it
    try:
        return import_module(name)
    except KeyboardInterrupt:
        raise
    except ModuleNotFoundError as error:
        if error.name and f"{name}.".startswith(f"{error.name}."):
            where = f"neither installed nor in {here}"
            raise UsageError(
                f"there is no module {error.name!r}, {where}: install it, or run from its folder"
            ) from error
        raise UsageError(f"importing {name} failed: {describe(error)}") from error
    except BaseException as error:  # SystemExit among them
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
