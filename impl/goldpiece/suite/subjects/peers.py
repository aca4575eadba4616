"""The subjects `nanotoken`, `tokie`, `kitoken`, `budtiktok` and `morpheme`, on their way through WordPiece.

All of them read the tokenizer.json of Hugging Face and promise the same tokens. So each is given one, and asked what
its interface tells; what that does not offer is unsupported.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from importlib import import_module, metadata
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar

from goldpiece.errors import GoldpieceError, UsageError
from goldpiece.suite.spec import Specs
from goldpiece.suite.subject import Declaration, Subject
from goldpiece.suite.subjects.bert_json import CLS, SEP, SPECIAL_TOKENS, UNKNOWN, tokenizer_json
from goldpiece.suite.subjects.objects import ObjectSubject, declare, describe

PLAIN = "special tokens in text that are to be plain text"


class UnknownId(GoldpieceError):
    """What a library reports with a ValueError, an OverflowError or None."""


class UnknownTokenMissing(GoldpieceError):
    """What a library reports with an exception of its own."""


class SpecialTokenMissing(GoldpieceError):
    """The frame needs a token that the vocabulary lacks; the adapter, which writes the frame, has to say so."""


class Library:
    """What one of the libraries does with a tokenizer.json. Each method says what the interface says."""

    package: ClassVar[str]
    outputs: ClassVar[Mapping[str, Sequence[str]]]  # that it tells of encode and encode_batch
    lookups: ClassVar[bool] = True  # whether it has id_to_token and token_to_id
    no_token: ClassVar[tuple[type[Exception], ...]] = (OverflowError,)  # what it raises for an id that no token has
    special_unknown: ClassVar[bool] = False  # whether its unknown token has to be special

    def __init__(self, content: str) -> None:
        self.whole = self.loaded(import_module(self.package), content)

    def loaded(self, package: Any, content: str) -> Any:
        """The tokenizer."""
        return package.Tokenizer.from_str(content)

    def encode(self, text: str, pair: str | None, framed: bool, parse_special: bool) -> object:
        """The outputs that it tells."""
        self.one_text(pair, parse_special)
        return self.whole.encode(text, framed)

    def one_text(self, pair: str | None, parse_special: bool) -> None:
        """Says that it does not take what is not one text with special tokens."""
        if pair is not None:
            raise NotImplementedError("pairs")
        if not parse_special:
            raise NotImplementedError(PLAIN)

    def ids(self, text: str) -> list[int]:
        """Without a frame."""
        return list(self.whole.encode(text, False).ids)

    def encode_batch(self, texts: list[str]) -> object:
        """The outputs that it tells, framed."""
        return {"ids": [list(row.ids) for row in self.whole.encode_batch(texts)]}

    def decode(self, ids: list[int], skip_special_tokens: bool) -> object:
        """The text of ids."""
        return self.whole.decode(ids, skip_special_tokens=skip_special_tokens)


class Nanotoken(Library):
    """nanotoken.Tokenizer, which tells ids"""

    package = "nanotoken"
    outputs: ClassVar = {"encode": ["ids"], "encode_batch": ["ids"]}
    no_token = (ValueError, OverflowError)

    def loaded(self, package: Any, content: str) -> Any:
        return package.Tokenizer.from_json(content)

    def encode(self, text: str, pair: str | None, framed: bool, parse_special: bool) -> object:
        self.one_text(pair, parse_special)
        return self.whole.encode(text, add_special_tokens=framed).tolist()

    def ids(self, text: str) -> list[int]:
        return list(self.whole.encode(text, add_special_tokens=False).tolist())

    def encode_batch(self, texts: list[str]) -> object:
        return self.whole.encode_batch_list(texts)


class Tokie(Library):
    """tokie.Tokenizer; its offsets are of the normalized text, and are left out"""

    package = "tokie"
    outputs: ClassVar = {
        "encode": ["ids", "tokens", "type_ids", "attention_mask", "special_tokens_mask"],
        "encode_batch": ["ids"],
    }

    def loaded(self, package: Any, content: str) -> Any:
        with TemporaryDirectory() as folder:
            path = Path(folder) / "tokenizer.json"
            path.write_text(content, encoding="utf-8")
            return package.Tokenizer.from_json(str(path))

    def encode(self, text: str, pair: str | None, framed: bool, parse_special: bool) -> object:
        self.one_text(None, parse_special)
        return self.whole.encode(text, framed) if pair is None else self.whole.encode_pair(text, pair, framed)

    def decode(self, ids: list[int], skip_special_tokens: bool) -> object:
        if not skip_special_tokens:
            raise NotImplementedError("text with the special tokens of ids")
        return self.whole.decode(ids)


class Kitoken(Library):
    """kitoken.Kitoken, which tells ids without a frame"""

    package = "kitoken"
    outputs: ClassVar = {"encode": ["ids"]}
    lookups = False
    no_token = (ValueError, OverflowError)
    special_unknown = True

    def loaded(self, package: Any, content: str) -> Any:
        known = json.loads(content)
        model, added = known["model"], {token["content"] for token in known["added_tokens"]}
        if all(token.startswith(model["continuing_subword_prefix"]) for token in model["vocab"].keys() - added):
            raise NotImplementedError("a vocabulary of which no word begins: it ends the process")
        return package.Kitoken.from_tokenizers(content.encode())

    def encode(self, text: str, pair: str | None, framed: bool, parse_special: bool) -> object:
        if framed:
            raise NotImplementedError("a frame")
        self.one_text(pair, parse_special=True)
        return self.whole.encode(text, parse_special)

    def ids(self, text: str) -> list[int]:
        return list(self.whole.encode(text, False))

    def encode_batch(self, texts: list[str]) -> object:
        raise NotImplementedError("a frame")

    def decode(self, ids: list[int], skip_special_tokens: bool) -> object:
        return self.whole.decode(ids, not skip_special_tokens).decode("utf-8")


class Budtiktok(Library):
    """budtiktok.Tokenizer, whose offsets are said to count bytes"""

    package = "budtiktok"
    outputs: ClassVar[Mapping[str, Sequence[str]]] = {}

    def encode(self, text: str, pair: str | None, framed: bool, parse_special: bool) -> object:
        self.one_text(pair, parse_special)
        told = self.whole.encode(text, framed)
        names = ("ids", "tokens", "type_ids", "word_ids", "sequence_ids", "attention_mask", "special_tokens_mask")
        return {name: getattr(told, name) for name in names} | {"offsets": _in_characters(text, told.offsets)}

    def encode_batch(self, texts: list[str]) -> object:
        rows = self.whole.encode_batch(texts)
        spans = [_in_characters(text, row.offsets) for text, row in zip(texts, rows, strict=True)]
        return [row.ids for row in rows], spans


class Morpheme(Library):
    """morpheme.Tokenizer"""

    package = "morpheme"
    outputs: ClassVar = {"encode": ["ids", "tokens", "offsets", "type_ids", "attention_mask", "special_tokens_mask"]}

    def encode_batch(self, texts: list[str]) -> object:
        rows = self.whole.encode_batch(texts)
        return [row.ids for row in rows], [row.offsets for row in rows]


def _in_characters(text: str, spans: Sequence[tuple[int, int]]) -> list[list[int]]:
    """Spans that count bytes of UTF-8, in code points."""
    content = text.encode()
    return [[len(content[:place].decode("utf-8", "ignore")) for place in span] for span in spans]


class _Adapter:
    """What all components share: a library, given a tokenizer.json."""

    library: ClassVar[type[Library]]

    def load(self, content: str) -> Library:
        """Raises NotImplementedError where the library refuses the file, as some do for what they cannot do right."""
        try:
            return self.library(content)
        except NotImplementedError:
            raise
        except Exception as error:
            raise NotImplementedError(f"such a tokenizer.json: {describe(error)}") from error


class Tokenizer(_Adapter):
    """A tokenizer.json with the components of BERT"""

    def __init__(
        self,
        vocab: list[str],
        special_tokens: list[str] = SPECIAL_TOKENS,
        lowercase: bool = True,
        added_tokens: Sequence[str] = (),
        verbatim_tokens: Sequence[str] = (),
    ) -> None:
        added = [*((token, True) for token in added_tokens), *((token, False) for token in verbatim_tokens)]
        self.whole = self.load(tokenizer_json(vocab, special_tokens, added, lowercase))
        self.has_frame, self.has_unknown = {CLS, SEP} <= {*vocab}, UNKNOWN in vocab

    def encode(self, text: str, pair: str | None, add_special_tokens: bool, parse_special: bool) -> object:
        if add_special_tokens and not self.has_frame:
            raise SpecialTokenMissing(f"{CLS} or {SEP}")
        return self._asked(lambda: self.whole.encode(text, pair, add_special_tokens, parse_special))

    def encode_batch(self, texts: list[str]) -> object:
        return self._asked(lambda: self.whole.encode_batch(texts))

    def decode(self, ids: list[int], skip_special_tokens: bool) -> object:
        return _known(self.whole, lambda: self.whole.decode(ids, skip_special_tokens))

    def id_to_token(self, number: int) -> object:
        return _known(self.whole, lambda: self.whole.whole.id_to_token(number))

    def token_to_id(self, token: str) -> object:
        return self.whole.whole.token_to_id(token)

    def _asked(self, ask: Callable[[], object]) -> object:
        try:
            return ask()
        except NotImplementedError:
            raise
        except Exception as error:
            if not self.has_unknown:
                raise UnknownTokenMissing(str(error)) from error
            raise


def _known(library: Library, ask: Callable[[], object]) -> object:
    """What `ask` gives of ids. Raises UnknownId where the library does not know one."""
    try:
        answer = ask()
    except library.no_token as error:
        raise UnknownId(str(error)) from error
    if answer is None:
        raise UnknownId("None")
    return answer


class WordPiece(_Adapter):
    """A tokenizer.json with the model alone"""

    def __init__(
        self, vocab: list[str], unk_token: str = "[UNK]", prefix: str = "##", max_input_chars: int = 100
    ) -> None:
        self.vocab, self.has_unknown = vocab, unk_token in vocab
        model = {
            "unk_token": unk_token,
            "continuing_subword_prefix": prefix,
            "max_input_chars_per_word": max_input_chars,
        }
        special_tokens = [unk_token] if self.library.special_unknown else []
        self.whole = self.load(tokenizer_json(vocab, special_tokens, model=model))

    def tokenize(self, word: str) -> object:
        try:
            return [self.vocab[number] for number in self.whole.ids(word)]
        except Exception as error:
            if not self.has_unknown:
                raise UnknownTokenMissing(str(error)) from error
            raise


class Decoder(_Adapter):
    """A tokenizer.json with a model of all tokens there are, for its decoder"""

    def __init__(self, special_tokens: list[str] = SPECIAL_TOKENS) -> None:
        self.special_tokens = special_tokens

    def decode(self, tokens: list[str], skip_special_tokens: bool) -> object:
        vocab = list(dict.fromkeys([*SPECIAL_TOKENS, *self.special_tokens, *tokens, "word"]))
        whole = self.load(tokenizer_json(vocab, self.special_tokens))
        return whole.decode([vocab.index(token) for token in tokens], skip_special_tokens)


LIBRARIES = {each.package: each for each in (Nanotoken, Tokie, Kitoken, Budtiktok, Morpheme)}
COMPONENTS: tuple[type[_Adapter], ...] = (Tokenizer, WordPiece, Decoder)


def peer(name: str) -> Callable[[Specs], Subject]:
    """How the subject of that name is made. Raises UsageError where its package is not installed."""
    library = LIBRARIES[name]

    def make(specs: Specs) -> Subject:
        if find_spec(library.package) is None:
            raise UsageError(
                f"the subject {name!r} needs the package {name}, which is not installed: run `pip install {name}`, "
                "or install goldpiece with its extra `rivals`"
            )
        factories: dict[str, Callable[..., object]] = {}
        for component in COMPONENTS:
            told = library.outputs if component is Tokenizer else {}
            bound = type(component.__name__, (component,), {"library": library, "outputs": told})
            factories[component.__name__.lower()] = bound
        offered = {each: declare(specs.named(each), factory) for each, factory in factories.items()}
        if not library.lookups:
            asked = offered["tokenizer"].operations - {"id_to_token", "token_to_id"}
            offered["tokenizer"] = replace(offered["tokenizer"], operations=asked)
        others = [spec.name for spec in specs if spec.name not in factories]
        declaration = Declaration(
            name=name,
            version=metadata.version(name),
            profiles=("hf",),
            surrogates=False,
            components=offered,
            reasons=dict.fromkeys(others, f"{name} offers no such component by itself"),
        )
        return ObjectSubject(declaration, specs, factories)

    return make
