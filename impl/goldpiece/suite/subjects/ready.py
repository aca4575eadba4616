"""The subject `hf:PATH`: one tokenizer that Hugging Face tokenizers reads from a tokenizer.json, whatever its model."""

import re
from collections.abc import Callable
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path

from goldpiece.errors import FileError, UsageError
from goldpiece.suite.spec import Specs
from goldpiece.suite.subject import ComponentDeclaration, Subject
from goldpiece.suite.subjects.named_errors import UnknownId, UnknownTokenMissing
from goldpiece.suite.subjects.objects import ObjectSubject, declare, describe, one_tokenizer

HAVE_IT = find_spec("tokenizers") is not None  # it is in the extra `peers`
if HAVE_IT:
    import tokenizers as hf


class ReadyTokenizer:
    """Tokenizer, of whatever components"""

    def __init__(self, whole: "hf.Tokenizer") -> None:
        self.whole = whole

    def encode(self, text: str, pair: str | None, add_special_tokens: bool, parse_special: bool) -> object:
        self.parse(parse_special)
        return renaming_errors(lambda: self.whole.encode(text, pair, add_special_tokens=add_special_tokens))

    def encode_batch(self, texts: list[str]) -> object:
        self.parse(True)
        rows = self.whole.encode_batch(texts)
        return [row.ids for row in rows], [row.offsets for row in rows]

    def decode(self, ids: list[int], skip_special_tokens: bool) -> object:
        try:
            return self.whole.decode(ids, skip_special_tokens=skip_special_tokens)
        except OverflowError as error:  # an id that no unsigned number of 32 bits is
            raise UnknownId(str(error)) from error

    def encode_saved(self, text: str) -> object:
        return renaming_errors(lambda: self.read_again.encode(text, add_special_tokens=False).ids)

    @cached_property
    def read_again(self) -> "hf.Tokenizer":
        return hf.Tokenizer.from_str(self.whole.to_str())  # what it writes into a file

    def id_to_token(self, number: int) -> object:
        token = self.whole.id_to_token(number) if 0 <= number < 2**32 else None
        if token is None:
            raise UnknownId(str(number))
        return token

    def token_to_id(self, token: str) -> object:
        return self.whole.token_to_id(token)

    def parse(self, special: bool) -> None:
        """The switch is one for all threads, and not to be touched where it is right."""
        if self.whole.encode_special_tokens is special:
            self.whole.encode_special_tokens = not special


def renaming_errors(ask: Callable[[], object]) -> object:
    """What `ask` gives. `tokenizers` raises one class for all that goes wrong in a model."""
    try:
        return ask()
    except Exception as error:
        if re.search("Missing .* token from the vocabulary", str(error)):
            raise UnknownTokenMissing(str(error)) from error
        raise


def ready_tokenizer(path: str, specs: Specs) -> Subject:
    """The tokenizer of a tokenizer.json, whatever its model. Raises FileError.

    Truncation and padding are components of their own: what the file says of them is switched off.
    """
    need_it(f"hf:{path}")
    spec = specs.named("tokenizer")
    try:
        written = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        remedy = "Name a tokenizer.json"
        raise FileError(path, None, f"it cannot be read ({describe(error)})", remedy) from error

    def make() -> ReadyTokenizer:
        whole = hf.Tokenizer.from_str(written)
        whole.no_truncation()
        whole.no_padding()
        return ReadyTokenizer(whole)

    try:
        make()
    except Exception as error:
        problem = f"tokenizers {hf.__version__} makes no tokenizer of it: {describe(error)}"
        raise FileError(path, None, problem, "Name a tokenizer.json that it has saved, or install what did") from error
    offered = ComponentDeclaration(declare(spec, ReadyTokenizer).operations, {})
    name, form = f"hf:{path}", _round_trip(make().whole)
    declaration = one_tokenizer(specs, name, hf.__version__, ("hf",), False, offered, round_trip=form)
    return ObjectSubject(declaration, specs, {spec.name: make})


def _round_trip(whole: "hf.Tokenizer") -> str | None:
    """In which form a tokenizer gives text back: that of the bytes it cuts, as far as its parts tell."""
    parts = (whole.pre_tokenizer, whole.decoder)
    kinds = (hf.pre_tokenizers.ByteLevel, hf.decoders.ByteLevel)
    if not all(map(isinstance, parts, kinds)) or whole.pre_tokenizer.add_prefix_space:
        return None
    if {*hf.pre_tokenizers.ByteLevel.alphabet()} - whole.get_vocab().keys():
        return None  # a byte without a token is dropped
    forms = {
        hf.normalizers.NFC: "NFC",
        hf.normalizers.NFD: "NFD",
        hf.normalizers.NFKC: "NFKC",
        hf.normalizers.NFKD: "NFKD",
    }
    return "exact" if whole.normalizer is None else forms.get(type(whole.normalizer))


def need_it(subject: str) -> None:
    """Raises UsageError where the package is not installed."""
    if not HAVE_IT:
        raise UsageError(
            f"the subject {subject!r} needs the package tokenizers, which is not installed: "
            "run `pip install tokenizers`, or install goldpiece with its extra `peers`"
        )
