"""The adapters of other libraries: they add no fault of their own, and the libraries part where they are declared to.

A stand-in has the interface of a library, and does what Hugging Face tokenizers does: with it, the laws have to hold.
"""

import sys
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from goldpiece.errors import UsageError
from goldpiece.reference.byte_level import bytes_of
from goldpiece.suite.checks import all_checks
from goldpiece.suite.divergences import declared_for, read_divergences, what_it_shows
from goldpiece.suite.loader import load_specs
from goldpiece.suite.spec import Depth
from goldpiece.suite.subject import Unsupported
from goldpiece.suite.subjects import TIMEOUT, find_subject, in_this_process, peers
from goldpiece.suite.subjects.peer_libraries import LIBRARIES
from goldpiece.suite.verdict import Verdict

hf = pytest.importorskip("tokenizers", reason="not run: the extra `peers` is not installed")

LAWS = {"tokens"}
# Where Hugging Face tokenizers parts itself.
KNOWN = {"tokenizer.unknown-ids", "tokenizer.plain-text"} | {
    f"bpe_tokenizer.{name}"
    for name in ("byte-missing", "special-tokens-made", "offsets", "unknown-ids", "skips-special-tokens")
}


class Whole:
    """morpheme's interface."""

    def __init__(self, content: str) -> None:
        self.whole = hf.Tokenizer.from_str(content)
        self.id_to_token, self.token_to_id = self.whole.id_to_token, self.whole.token_to_id

    @classmethod
    def from_str(cls, content: str) -> "Whole":
        return cls(content)

    def encode(self, text: str, add_special_tokens: bool = True) -> Any:
        return self.whole.encode(text, add_special_tokens=add_special_tokens)

    def encode_batch(self, texts: list[str]) -> Any:
        return [self.encode(text) for text in texts]

    def decode(self, ids: list[int], skip_special_tokens: bool = True) -> str:
        return str(self.whole.decode(ids, skip_special_tokens=skip_special_tokens))


class CountsBytes(Whole):
    """budtiktok's."""

    def encode(self, text: str, add_special_tokens: bool = True) -> Any:
        encoding = super().encode(text, add_special_tokens)
        names = ("ids", "tokens", "type_ids", "word_ids", "sequence_ids", "attention_mask", "special_tokens_mask")
        spans = [tuple(len(text[:place].encode()) for place in span) for span in encoding.offsets]
        return SimpleNamespace(**{name: getattr(encoding, name) for name in names}, offsets=spans)


class Arrays(Whole):
    """nanotoken's."""

    @classmethod
    def from_json(cls, content: str) -> "Arrays":
        return cls(content)

    def encode(self, text: str, add_special_tokens: bool = True) -> Any:
        return np.array(super().encode(text, add_special_tokens).ids, np.uint32)

    def encode_batch_list(self, texts: list[str]) -> list[list[int]]:
        return [self.encode(text).tolist() for text in texts]


class Pairs(Whole):
    """tokie's."""

    @classmethod
    def from_json(cls, path: str) -> "Pairs":
        return cls(Path(path).read_text(encoding="utf-8"))

    def encode_pair(self, first: str, second: str, add_special_tokens: bool) -> Any:
        return self.whole.encode(first, second, add_special_tokens=add_special_tokens)


class IdsAlone:
    """kitoken's."""

    def __init__(self, content: bytes) -> None:
        self.whole = hf.Tokenizer.from_str(content.decode())

    @classmethod
    def from_tokenizers(cls, content: bytes) -> "IdsAlone":
        return cls(content)

    def encode(self, text: str, specials: bool) -> Any:
        self.whole.encode_special_tokens = not specials
        return self.whole.encode(text, add_special_tokens=False).ids

    def decode(self, ids: list[int], specials: bool) -> bytes:
        if isinstance(self.whole.model, hf.models.BPE):  # whose bytes need not be characters
            return b"".join(bytes_of(self.whole.id_to_token(number)) for number in ids)
        return str(self.whole.decode(ids, skip_special_tokens=not specials)).encode()


STAND_INS: dict[str, type] = {
    "nanotoken": Arrays,
    "tokie": Pairs,
    "kitoken": IdsAlone,
    "budtiktok": CountsBytes,
    "morpheme": Whole,
}


def test_there_is_a_stand_in_for_each() -> None:
    assert STAND_INS.keys() == LIBRARIES.keys()


@pytest.mark.parametrize("name", STAND_INS)
def test_an_adapter_adds_no_fault(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    package = SimpleNamespace(Tokenizer=STAND_INS[name], Kitoken=STAND_INS[name])
    monkeypatch.setitem(sys.modules, name, package)
    monkeypatch.setattr(peers, "find_spec", lambda _: package)
    monkeypatch.setattr(metadata, "version", lambda _: "0")
    specs = load_specs()
    subject = in_this_process(name, specs)
    held = set()
    for check in all_checks(specs):
        offered = check.spec.name in subject.declaration.components and check.profile in (None, "hf")
        chosen = check.kind == "example" or getattr(check.what, "name", "") in LAWS
        if offered and chosen and check.clause.id not in KNOWN and check.concerns(subject.declaration):
            outcome = check.run(subject, specs, Depth.QUICK, seed=0, shrink=False)
            assert outcome.verdict in (Verdict.HOLDS, Verdict.UNSUPPORTED), (check.clause.id, check.name, outcome)
            held |= {check.clause.id} if outcome.verdict is Verdict.HOLDS else set()
    right = {"tokenizer.tokens", "tokenizer.decodes", "wordpiece.longest-match", "decoder.joins"}
    assert right | ({"bpe_tokenizer.tokens"} if LIBRARIES[name].has_bpe else set()) <= held


@pytest.mark.parametrize("name", STAND_INS)
def test_a_library_parts_where_it_is_declared_to(name: str) -> None:
    """Each declared example shows what is declared; that the rest holds is for a whole check to tell."""
    if find_spec(name) is None:
        pytest.skip(f"not run: {name} is not installed; it is in the extra `rivals`")
    specs = load_specs()
    subject, path = find_subject(name, specs, TIMEOUT), declared_for(name)
    assert path
    declared = read_divergences(path, specs)
    assert declared
    for each in declared:
        assert what_it_shows(each, subject, specs)[1] == each.actual, each.place


def test_a_library_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "find_spec", lambda _: None)
    with pytest.raises(UsageError, match="'tokie' needs the package tokie, which is not installed: run `pip install"):
        in_this_process("tokie", load_specs())


def test_what_a_library_refuses_is_unsupported(monkeypatch: pytest.MonkeyPatch) -> None:
    package = SimpleNamespace(Tokenizer=Whole)
    monkeypatch.setitem(sys.modules, "morpheme", package)
    monkeypatch.setattr(Whole, "from_str", lambda _: 1 / 0)
    monkeypatch.setattr(peers, "find_spec", lambda _: package)
    monkeypatch.setattr(metadata, "version", lambda _: "0")
    subject = in_this_process("morpheme", load_specs())
    with pytest.raises(Unsupported, match=r"such a tokenizer\.json: ZeroDivisionError"):
        subject.new("wordpiece", {"vocab": ["[UNK]"]})
