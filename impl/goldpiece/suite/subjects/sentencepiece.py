"""The subject `sentencepiece:MODEL`: one model of SentencePiece."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from importlib import import_module, metadata
from importlib.util import find_spec
from typing import Any, ClassVar

from goldpiece.errors import FileError, UsageError
from goldpiece.suite.spec import Specs
from goldpiece.suite.subject import ComponentDeclaration, Subject
from goldpiece.suite.subjects.named_errors import UnknownId
from goldpiece.suite.subjects.objects import ObjectSubject, declare, describe, one_tokenizer


class Tokenizer:
    """SentencePieceProcessor. Control symbols in a text are text, whatever is asked."""

    outputs: ClassVar[Mapping[str, Sequence[str]]] = {"encode": ["ids", "tokens", "offsets"], "encode_batch": ["ids"]}

    def __init__(self, whole: Any) -> None:
        self.whole = whole

    def encode(self, text: str, pair: str | None, add_special_tokens: bool, _parse_special: bool) -> object:
        if pair is not None or add_special_tokens:
            raise NotImplementedError("pairs" if pair is not None else "a frame")
        told = self.whole.encode(text, return_type="offset_mapping")
        return told["ids"], told["pieces"], told["offsets"]

    def encode_batch(self, texts: list[str]) -> object:
        return self.whole.encode(texts)

    def decode(self, ids: list[int], _skip_special_tokens: bool) -> object:
        return _known(lambda: self.whole.decode(ids))

    def encode_saved(self, text: str) -> object:
        return self.read_again.encode(text)

    @cached_property
    def read_again(self) -> Any:
        return type(self.whole)(model_proto=self.whole.serialized_model_proto())

    def id_to_token(self, number: int) -> object:
        return _known(lambda: self.whole.id_to_piece(number))

    def token_to_id(self, token: str) -> object:
        number = self.whole.piece_to_id(token)  # the unknown piece stands for what there is not
        return None if self.whole.is_unknown(number) and self.whole.id_to_piece(number) != token else number


def _known(ask: Callable[[], object]) -> object:
    try:
        return ask()
    except (IndexError, TypeError, OverflowError) as error:
        raise UnknownId(str(error)) from error


def ready_sentencepiece(path: str, specs: Specs) -> Subject:
    """The tokenizer of a model. Raises FileError, and UsageError where the package is not installed."""
    name = f"sentencepiece:{path}"
    if find_spec("sentencepiece") is None:
        raise UsageError(
            f"the subject {name!r} needs the package sentencepiece, which is not installed: "
            "run `pip install sentencepiece`, or install goldpiece with its extra `rivals`"
        )
    try:
        whole = import_module("sentencepiece").SentencePieceProcessor(model_file=path)
    except Exception as error:
        problem = f"sentencepiece makes no tokenizer of it: {describe(error)}"
        raise FileError(path, None, problem, "Name a model that sentencepiece has trained") from error
    spec = specs.named("tokenizer")
    offered = ComponentDeclaration(declare(spec, Tokenizer).operations, {}, Tokenizer.outputs)
    declared = one_tokenizer(specs, name, metadata.version("sentencepiece"), ("hf",), False, offered)
    return ObjectSubject(declared, specs, {spec.name: lambda: Tokenizer(whole)})
