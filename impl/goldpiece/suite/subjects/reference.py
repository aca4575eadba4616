"""The subject `reference`: our own reference implementation of every component; `reference:PATH` is one tokenizer."""

from functools import partial
from importlib import import_module
from pathlib import Path

import goldpiece
from goldpiece.reference.tokenizer import Tokenizer
from goldpiece.suite.spec import Spec, Specs
from goldpiece.suite.subject import ComponentDeclaration, Declaration, Subject
from goldpiece.suite.subjects.objects import Factory, ObjectSubject, declare, one_tokenizer


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


def ready_reference(path: str, specs: Specs) -> Subject:
    """The tokenizer of a vocab.txt, under each profile, or of a tokenizer.json. Raises FileError."""
    spec = specs.named("tokenizer")
    make: Factory
    profiles: tuple[str, ...] = ("hf",)
    if Path(path).suffix == ".json":
        make, parameters = partial(Tokenizer.from_file, Path(path)), {}
        make()  # what is wrong with the file is said before any law runs
    else:
        make, profiles = partial(Tokenizer.from_vocab, Tokenizer.from_vocab(Path(path)).vocab), tuple(spec.profiles)
        parameters = {"profile": None}
    offered = ComponentDeclaration(declare(spec, Tokenizer).operations, parameters)
    declaration = one_tokenizer(specs, f"reference:{path}", goldpiece.__version__, profiles, True, offered)
    return ObjectSubject(declaration, specs, {spec.name: make})
