"""The subject `transformers`, its BertTokenizer, and `transformers:PATH`, whatever tokenizer it makes of files."""

import os
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar

from goldpiece.errors import FileError, UsageError
from goldpiece.suite.spec import Specs
from goldpiece.suite.subject import ComponentDeclaration, Declaration, Subject
from goldpiece.suite.subjects.named_errors import UnknownId
from goldpiece.suite.subjects.objects import ObjectSubject, declare, describe, one_tokenizer

SPECIAL_TOKENS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
# What `encode` tells, and what it is called there.
NAMES = {
    "ids": "input_ids",
    "offsets": "offset_mapping",
    "type_ids": "token_type_ids",
    "attention_mask": "attention_mask",
    "special_tokens_mask": "special_tokens_mask",
}


class ReadyTokenizer:
    """A tokenizer that keeps to the interface of transformers, built on tokenizers"""

    def __init__(self, whole: Any) -> None:
        self.whole = whole

    def encode(self, text: str, pair: str | None, add_special_tokens: bool, parse_special: bool) -> object:
        told = self.whole(
            text,
            pair,
            add_special_tokens=add_special_tokens,
            split_special_tokens=not parse_special,
            return_offsets_mapping=True,
            return_special_tokens_mask=True,
            return_token_type_ids=True,
            return_attention_mask=True,
        )
        outputs = {name: told[theirs] for name, theirs in NAMES.items()}
        return outputs | {"tokens": told.tokens(), "word_ids": told.word_ids(), "sequence_ids": told.sequence_ids()}

    def encode_batch(self, texts: list[str]) -> object:
        told = self.whole(texts, return_offsets_mapping=True)
        return told["input_ids"], told["offset_mapping"]

    def decode(self, ids: list[int], skip_special_tokens: bool) -> object:
        options = {"skip_special_tokens": skip_special_tokens, "clean_up_tokenization_spaces": False}
        return _known(lambda: self.whole.decode(ids, **options))

    def encode_saved(self, text: str) -> object:
        return self.read_again(text, add_special_tokens=False)["input_ids"]

    @cached_property
    def read_again(self) -> Any:
        with TemporaryDirectory() as folder:
            self.whole.save_pretrained(folder)
            return type(self.whole).from_pretrained(folder, local_files_only=True)

    def id_to_token(self, number: int) -> object:
        return _known(lambda: self.whole.convert_ids_to_tokens(number))

    def token_to_id(self, token: str) -> object:
        return self.whole.convert_tokens_to_ids(token)


class IdsAlone(ReadyTokenizer):
    """A tokenizer that keeps to the interface of transformers, written in Python"""

    outputs: ClassVar[Mapping[str, Sequence[str]]] = {"encode": ["ids"], "encode_batch": ["ids"]}

    def encode(self, text: str, pair: str | None, add_special_tokens: bool, parse_special: bool) -> object:
        options = {"add_special_tokens": add_special_tokens, "split_special_tokens": not parse_special}
        return self.whole(text, pair, **options)["input_ids"]

    def encode_batch(self, texts: list[str]) -> object:
        return [self.whole(text)["input_ids"] for text in texts]


def _known(ask: Callable[[], object]) -> object:
    """What `ask` gives of ids. Raises UnknownId where one is unknown."""
    try:
        answer = ask()
    except OverflowError as error:
        raise UnknownId(str(error)) from error
    if answer is None:
        raise UnknownId("None")
    return answer


class Tokenizer(ReadyTokenizer):
    """BertTokenizer; special tokens that the vocabulary lacks it adds behind it"""

    def __init__(
        self,
        vocab: list[str],
        special_tokens: list[str] = SPECIAL_TOKENS,
        lowercase: bool = True,
        added_tokens: Sequence[str] = (),
        verbatim_tokens: Sequence[str] = (),
    ) -> None:
        others = [token for token in special_tokens if token not in SPECIAL_TOKENS and token in vocab]
        if plain := [token for token in SPECIAL_TOKENS if token in vocab and token not in special_tokens]:
            raise NotImplementedError(f"{', '.join(plain)} as no special token")
        super().__init__(
            _package().BertTokenizer(
                vocab={token: number for number, token in enumerate(vocab)},
                do_lower_case=lowercase,
                extra_special_tokens=others,
            )
        )
        for tokens, normalized in ((added_tokens, True), (verbatim_tokens, False)):
            self.whole.add_tokens([_package().AddedToken(token, normalized=normalized) for token in tokens])


def _package() -> Any:
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    os.environ["HF_HUB_OFFLINE"] = "1"  # a path that is none must not be sought elsewhere
    return import_module("transformers")


def transformers(specs: Specs) -> Subject:
    """The subject. Raises UsageError where the package is not installed."""
    need_it("transformers")
    spec = specs.named("tokenizer")
    others = [each.name for each in specs if each is not spec]
    declaration = Declaration(
        name="transformers",
        version=_package().__version__,
        profiles=("hf",),
        surrogates=False,
        components={spec.name: declare(spec, Tokenizer)},
        reasons=dict.fromkeys(others, "transformers offers no such component by itself"),
    )
    return ObjectSubject(declaration, specs, {spec.name: Tokenizer})


def ready_transformers(path: str, specs: Specs) -> Subject:
    """The tokenizer of a folder that transformers has saved, or of a tokenizer.json. Raises FileError."""
    name = f"transformers:{path}"
    need_it(name)
    if not Path(path).exists():
        raise FileError(path, None, "there is no such file or folder", "Name a folder that transformers has saved")

    def whole() -> Any:
        if Path(path).is_file():
            return _package().PreTrainedTokenizerFast(tokenizer_file=path)
        return _package().AutoTokenizer.from_pretrained(path, local_files_only=True)

    try:
        kind: type[ReadyTokenizer] = ReadyTokenizer if whole().is_fast else IdsAlone
    except Exception as error:
        problem = f"transformers {_package().__version__} makes no tokenizer of it: {describe(error)}"
        raise FileError(path, None, problem, "Name a folder that it has saved, or a tokenizer.json") from error
    spec = specs.named("tokenizer")
    offered = ComponentDeclaration(declare(spec, kind).operations, {}, declare(spec, kind).outputs)
    declaration = one_tokenizer(specs, name, _package().__version__, ("hf",), False, offered)
    return ObjectSubject(declaration, specs, {spec.name: lambda: kind(whole())})


def need_it(subject: str) -> None:
    """Raises UsageError where the package is not installed."""
    if find_spec("transformers") is None:
        raise UsageError(
            f"the subject {subject!r} needs the package transformers, which is not installed: "
            "run `pip install transformers`, or install goldpiece with its extra `rivals`"
        )
