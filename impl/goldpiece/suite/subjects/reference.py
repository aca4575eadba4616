"""The subject `reference`: our own reference implementation of every component."""

from importlib import import_module

import goldpiece
from goldpiece.suite.spec import Spec, Specs
from goldpiece.suite.subject import Declaration, Subject
from goldpiece.suite.subjects.objects import Factory, ObjectSubject, declare


def reference(specs: Specs) -> Subject:
    """Each spec names its class in goldpiece.reference.<spec>."""
    factories = {spec.name: reference_class(spec) for spec in specs}
    declaration = Declaration(
        name="reference",
        version=goldpiece.__version__,
        profiles=specs.profiles,
        surrogates=True,
        components={spec.name: declare(spec, factories[spec.name]) for spec in specs},
        reasons={},
    )
    return ObjectSubject(declaration, specs, factories)


def reference_class(spec: Spec) -> Factory:
    factory: Factory = getattr(import_module(f"goldpiece.reference.{spec.name}"), spec.reference)
    return factory
