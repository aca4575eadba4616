"""The subject `tiktoken:NAME_OR_FILE`: an encoding that tiktoken knows by name, or one of a file of ranks.

A file of ranks has a token in base64 and its rank on each line. It says neither how text is cut into words nor which
special tokens there are; no law depends on that, so the words are those of GPT-2, and there are no special tokens.
"""

from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha1
from importlib import import_module, metadata
from pathlib import Path
from typing import Any, ClassVar

from goldpiece.errors import FileError, UsageError
from goldpiece.suite.spec import Specs
from goldpiece.suite.subject import ComponentDeclaration, Subject
from goldpiece.suite.subjects.named_errors import UnknownId
from goldpiece.suite.subjects.objects import ObjectSubject, declare, describe, one_tokenizer
from goldpiece.suite.subjects.tiktoken import HAVE_TIKTOKEN


class Tokenizer:
    """tiktoken.Encoding. A token is bytes; its name has a character for each, that of Latin-1."""

    outputs: ClassVar[Mapping[str, Sequence[str]]] = {"encode": ["ids", "tokens"], "encode_batch": ["ids"]}

    def __init__(self, whole: Any) -> None:
        self.whole = whole

    def encode(self, text: str, pair: str | None, add_special_tokens: bool, parse_special: bool) -> object:
        if pair is not None or add_special_tokens:
            raise NotImplementedError("pairs" if pair is not None else "a frame")
        ids = self.whole.encode(text, allowed_special="all") if parse_special else self.whole.encode_ordinary(text)
        return ids, [self.id_to_token(number) for number in ids]

    def encode_batch(self, texts: list[str]) -> object:
        return self.whole.encode_batch(texts, allowed_special="all")

    def decode(self, ids: list[int], skip_special_tokens: bool) -> object:
        if skip_special_tokens:
            raise NotImplementedError("text without the special tokens of ids")
        return _known(lambda: self.whole.decode(ids))

    def id_to_token(self, number: int) -> object:
        return _known(lambda: self.whole.decode_single_token_bytes(number).decode("latin-1"))

    def token_to_id(self, token: str) -> object:
        try:
            return self.whole.encode_single_token(token.encode("latin-1"))
        except (KeyError, UnicodeEncodeError):
            return None


def _known(ask: Callable[[], object]) -> object:
    try:
        return ask()
    except (KeyError, OverflowError) as error:
        raise UnknownId(str(error)) from error


def ready_tiktoken(name_or_file: str, specs: Specs) -> Subject:
    """The encoding of a file, if there is one of that path, or of a name. Raises FileError and UsageError."""
    name = f"tiktoken:{name_or_file}"
    if not HAVE_TIKTOKEN:
        raise UsageError(
            f"the subject {name!r} needs the package tiktoken, which is not installed: "
            "run `pip install tiktoken`, or install goldpiece with its extra `peers`"
        )
    whole = _of_file(Path(name_or_file)) if Path(name_or_file).exists() else _of_name(name_or_file)
    spec = specs.named("tokenizer")
    offered = ComponentDeclaration(declare(spec, Tokenizer).operations, {}, Tokenizer.outputs)
    declared = one_tokenizer(specs, name, metadata.version("tiktoken"), ("hf",), False, offered, round_trip="exact")
    return ObjectSubject(declared, specs, {spec.name: lambda: Tokenizer(whole)})


def _of_file(path: Path) -> Any:
    try:
        # Not by tiktoken.load, which keeps a copy under the path and goes on reading that.
        lines = [line.split() for line in path.read_bytes().splitlines() if line]
        ranks = {b64decode(token, validate=True): int(rank) for token, rank in lines}
        pattern = import_module("tiktoken_ext.openai_public").r50k_pat_str
        encoding = import_module("tiktoken").Encoding
        return encoding(path.name, pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
    except BaseException as error:  # a panic in a Rust extension is no Exception
        if isinstance(error, KeyboardInterrupt):
            raise
        problem = f"tiktoken makes no encoding of it: {describe(error)}"
        raise FileError(path, None, problem, "Name a file of ranks, or an encoding that tiktoken knows") from error


def _of_name(name: str) -> Any:
    package = import_module("tiktoken")
    if name not in (known := package.list_encoding_names()):
        raise UsageError(f"there is no file {name!r}, and tiktoken knows {', '.join(known)}")
    try:
        with _without_network():
            return package.get_encoding(name)
    except _NotAtHand as missing:
        kept = sha1(missing.place.encode(), usedforsecurity=False).hexdigest()
        raise UsageError(
            f"tiktoken has not got {name} at hand, and nothing is fetched for a check: save {missing.place} under the "
            f"name {kept} in a folder, and let TIKTOKEN_CACHE_DIR name the folder"
        ) from missing
    except Exception as error:
        raise UsageError(f"tiktoken cannot load {name}: {describe(error)}") from error


class _NotAtHand(Exception):
    """A file that tiktoken would fetch."""

    def __init__(self, place: str) -> None:
        super().__init__(place)
        self.place = place


@contextmanager
def _without_network() -> Iterator[None]:
    """Lets tiktoken read what it keeps and files, and nothing else. It has no switch for that."""
    load: Any = import_module("tiktoken.load")
    read = load.read_file

    def read_here(place: str) -> object:
        if "://" in place:
            raise _NotAtHand(place)
        return read(place)

    load.read_file = read_here
    try:
        yield
    finally:
        load.read_file = read
