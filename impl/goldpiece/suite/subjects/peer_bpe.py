"""The adapter of the libraries in peer_libraries.py for byte-level BPE.

They are given the tokenizer.json that Hugging Face tokenizers saves of a table, whose tokens they promise.
"""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from typing import Any

from goldpiece.reference.byte_level import written
from goldpiece.suite.subjects.named_errors import UnknownTokenMissing
from goldpiece.suite.subjects.peer_adapters import Adapter, known
from goldpiece.suite.subjects.peer_libraries import Library
from goldpiece.suite.subjects.ready import HAVE_IT
from goldpiece.suite.subjects.tokenizers_bpe import BPETokenizer as OfHuggingFace


class BPETokenizer(Adapter):
    """A tokenizer.json with models.BPE and what ByteLevel there is"""

    def __init__(
        self,
        vocab: list[str],
        merges: list[list[str]],
        *,
        pattern: str = "gpt2",
        add_prefix_space: bool = False,
        ignore_merges: bool = False,
        special_tokens: Sequence[str] = (),
    ) -> None:
        if not HAVE_IT:
            raise NotImplementedError("a table of which no file can be made: the package tokenizers is not installed")
        switches = {"add_prefix_space": add_prefix_space, "ignore_merges": ignore_merges}
        file = OfHuggingFace(vocab, merges, pattern=pattern, special_tokens=special_tokens, **switches).whole.to_str()
        self.whole, self.entries = self.load(file), set(vocab)
        self.tokens = [*vocab, *(token for token in special_tokens if token not in self.entries)]

    def encode(self, text: str, pair: str | None, add_special_tokens: bool, parse_special: bool) -> object:  # noqa: ARG002
        """Nothing frames a text here. Tokens are those of the table: libraries write them each in its own way."""
        ids = self._told(text, pair, parse_special)["ids"]
        return ids, [
            self.tokens[number] if number < len(self.tokens) else f"(no token of id {number})" for number in ids
        ]

    def align(self, text: str) -> object:
        told = self._told(text, None, True)
        return told["offsets"], told["word_ids"]

    def decode(self, ids: list[int], skip_special_tokens: bool) -> object:
        return known(self.whole, lambda: self.whole.decode(ids, skip_special_tokens))

    def decode_bytes(self, ids: list[int]) -> object:
        content: Any = known(self.whole, lambda: self.whole.bytes_of(ids))
        return b64encode(content).decode("ascii")

    def _told(self, text: str, pair: str | None, parse_special: bool) -> Mapping[str, Any]:
        try:
            return told_by(self.library, self.whole.encode(text, pair, False, parse_special))
        except NotImplementedError:
            raise
        except Exception as error:
            if not self.entries.issuperset(written(text.encode())):
                raise UnknownTokenMissing(str(error)) from error
            raise


def aligns(library: type[Library]) -> bool:
    """Whether a library tells all that `align` asks for."""
    return {"offsets", "word_ids"} <= set(library.outputs.get("encode", ["offsets", "word_ids"]))


def told_by(library: type[Library], answer: Any) -> Mapping[str, Any]:
    """The outputs of `encode` by name: a library gives a mapping, an object, or ids alone."""
    names = library.outputs.get("encode", ())
    if isinstance(answer, Mapping):
        return answer
    return {name: getattr(answer, name) for name in names} if len(names) > 1 else {"ids": answer}
