"""The subjects `nanotoken`, `tokie`, `kitoken`, `budtiktok` and `morpheme`, on their ways through WordPiece and BPE."""

from collections.abc import Callable
from dataclasses import replace
from importlib import metadata
from importlib.util import find_spec

from goldpiece.errors import UsageError
from goldpiece.suite.spec import Specs
from goldpiece.suite.subject import ComponentDeclaration, Declaration, Subject
from goldpiece.suite.subjects.objects import ObjectSubject, declare
from goldpiece.suite.subjects.peer_adapters import Adapter, Decoder, Tokenizer, WordPiece
from goldpiece.suite.subjects.peer_bpe import BPETokenizer, aligns
from goldpiece.suite.subjects.peer_libraries import LIBRARIES, Library

COMPONENTS: dict[str, type[Adapter]] = {
    "tokenizer": Tokenizer,
    "wordpiece": WordPiece,
    "decoder": Decoder,
    "bpe_tokenizer": BPETokenizer,
}


def peer(name: str, specs: Specs) -> Subject:
    """The subject of that name. Raises UsageError where its package is not installed."""
    library = LIBRARIES[name]
    if find_spec(library.package) is None:
        raise UsageError(
            f"the subject {name!r} needs the package {name}, which is not installed: run `pip install {name}`, "
            "or install goldpiece with its extra `rivals`"
        )
    factories: dict[str, Callable[..., object]] = {}
    components = {name: each for name, each in COMPONENTS.items() if library.has_bpe or name != "bpe_tokenizer"}
    for component, adapter in components.items():
        told = library.outputs if adapter is Tokenizer else {}
        factories[component] = type(adapter.__name__, (adapter,), {"library": library, "outputs": told})
    offered = {each: declare(specs.named(each), factory) for each, factory in factories.items()}
    others = [spec.name for spec in specs if spec.name not in factories]
    declaration = Declaration(
        name=name,
        version=metadata.version(name),
        profiles=("hf",),
        surrogates=False,
        components=_within(library, offered),
        reasons=dict.fromkeys(others, f"{name} offers no such component by itself"),
    )
    return ObjectSubject(declaration, specs, factories)


def _within(library: type[Library], offered: dict[str, ComponentDeclaration]) -> dict[str, ComponentDeclaration]:
    """What is offered, without the operations that the library has nothing for."""
    gone: dict[str, set[str]] = {name: set() for name in offered}
    if not library.lookups:
        gone["tokenizer"] = {"id_to_token", "token_to_id"}
    if not aligns(library):
        gone |= {"bpe_tokenizer": {"align"}}
    return {name: replace(each, operations=each.operations - gone[name]) for name, each in offered.items()}
