"""Tokenizers of a user's whose `encode` takes a text and gives ids, as most do, and not all that the spec asks for."""

import inspect
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

FRAME, SKIP = "add_special_tokens", "skip_special_tokens"


def is_plain(thing: object) -> bool:
    """Whether the `encode` of a class or an object takes less than the spec gives it."""
    given = ["", None, False, True]
    try:
        inspect.signature(thing.encode).bind(*([None] if inspect.isclass(thing) else []), *given)  # type: ignore[attr-defined]
    except TypeError:
        return True
    except (AttributeError, ValueError):  # it has none, or does not say what it takes
        return False
    return False


class Plain:
    """Such a tokenizer, as the spec calls it. A switch that it does not have is at what laws ask for most."""

    operations: ClassVar = frozenset(["encode", "encode_batch", "decode", "id_to_token", "token_to_id"])
    outputs: ClassVar[Mapping[str, Sequence[str]]] = {"encode": ["ids"], "encode_batch": ["ids"]}

    def __init__(self, whole: Any) -> None:
        self.whole = whole

    def encode(self, text: str, pair: str | None, add_special_tokens: bool, parse_special: bool) -> object:
        if pair is not None:
            raise NotImplementedError("pairs")
        if not parse_special:
            raise NotImplementedError("special tokens in text that are to be plain text")
        if _takes(self.whole.encode, FRAME):
            return ids_of(self.whole.encode(text, add_special_tokens=add_special_tokens))
        if add_special_tokens:
            raise NotImplementedError("a frame")
        return ids_of(self.whole.encode(text))

    def encode_batch(self, texts: list[str]) -> object:
        framed = _takes(self.whole.encode, FRAME) and _takes(self.whole.encode_batch, FRAME)
        rows = self.whole.encode_batch(texts, **({FRAME: True} if framed else {}))
        return [ids_of(row) for row in rows]

    def decode(self, ids: list[int], skip_special_tokens: bool) -> object:
        if _takes(self.whole.decode, SKIP):
            return self.whole.decode(ids, skip_special_tokens=skip_special_tokens)
        if skip_special_tokens:
            raise NotImplementedError("text without the special tokens of ids")
        return self.whole.decode(ids)

    def id_to_token(self, number: int) -> object:
        return self.whole.id_to_token(number)

    def token_to_id(self, token: str) -> object:
        return self.whole.token_to_id(token)


def ids_of(encoded: Any) -> object:
    """The ids of what `encode` gives: a list, an array, or something that has them as `ids` or `input_ids`."""
    if isinstance(encoded, Mapping):
        encoded = encoded.get("input_ids", encoded.get("ids"))
    encoded = getattr(encoded, "ids", encoded)
    return encoded.tolist() if hasattr(encoded, "tolist") else encoded


def _takes(method: object, name: str) -> bool:
    try:
        parameters = inspect.signature(method).parameters.values()  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return False
    return any(each.name == name or each.kind is each.VAR_KEYWORD for each in parameters)
