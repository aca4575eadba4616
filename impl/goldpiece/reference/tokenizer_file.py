"""A tokenizer as tokenizer.json tells of it, and back. Spec: spec/persistence.yaml."""

from collections.abc import Sequence
from typing import Any, Protocol

from goldpiece.formats.tokenizer_json import SWITCHES, NotWritable, TokenizerFile
from goldpiece.formats.tokenizer_json import AddedToken as ListedToken
from goldpiece.reference.added_tokens import AddedToken

ALIKE = ("unk_token", "prefix", "max_input_chars", *SWITCHES, "cls_token", "sep_token", "cleanup")


class Described(Protocol):
    """What the file tells of a tokenizer, besides what ALIKE names."""

    @property
    def profile(self) -> str: ...
    @property
    def vocab(self) -> Sequence[str]: ...
    @property
    def added(self) -> Sequence[AddedToken]: ...
    @property
    def all_tokens(self) -> Sequence[str]: ...


def fields(file: TokenizerFile) -> dict[str, Any]:
    """The fields of the tokenizer. Its special tokens are those that the file lists, and no others."""
    added = [
        AddedToken(**{name: value for name, value in vars(token).items() if name != "id"})
        for token in file.added_tokens
    ]
    alike = {name: getattr(file, name) for name in ALIKE}
    return {"vocab": file.vocab, "special_tokens": (), "added_tokens": added} | alike


def describe(tokenizer: Described) -> TokenizerFile:
    """What the file tells of `tokenizer`. Raises NotWritable for a profile that it has no name for."""
    if tokenizer.profile != "hf":
        raise NotWritable(
            f"tokenizer.json has no name for the profile {tokenizer.profile}, and whoever reads it follows hf: "
            'make the tokenizer with profile="hf", or keep its vocab.txt'
        )
    ids = {token: number for number, token in enumerate(tokenizer.all_tokens)}
    added = [ListedToken(ids[token.content], **vars(token)) for token in dict.fromkeys(tokenizer.added)]
    alike = {name: getattr(tokenizer, name) for name in ALIKE}
    return TokenizerFile(tokenizer.vocab, sorted(added, key=lambda token: token.id), **alike)
