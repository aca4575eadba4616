"""The right outputs, by the definitions of the room `properties` and another road than any subject takes.

A benchmark of a wrong implementation says nothing, so each output is compared with these before anything is timed. They
are the profile `hf`, which both subjects promise: equal to these they are equal to each other.
"""

import re
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import Any

from goldpiece.reference.tokenizer import SPECIAL_TOKENS
from goldpiece.suite.loader import load_specs
from goldpiece.suite.values import Value

from .workloads import Material

_END = ""  # in a tree of entries: here one ends


@cache
def _definition_of(component: str) -> Any:
    """An oracle. Rooms know each other by name alone, since they lie elsewhere in a wheel than in a checkout."""
    return import_module(f"goldpiece.properties.oracles.{component}").Definition(load_specs().named(component), "hf")


def normalized(_: Material, texts: Sequence[Value]) -> Sequence[Value]:
    switches = {"clean_text": True, "handle_chinese_chars": True, "strip_accents": None, "lowercase": True}
    return [_definition_of("normalizer").normalize(text, **switches) for text in texts]


def words(_: Material, texts: Sequence[Value]) -> Sequence[Value]:
    """Words and offsets of each text."""
    found = [_definition_of("pre_tokenizer").words(text) for text in texts]
    return [[each["tokens"], each["offsets"]] for each in found]


def cut_at(tokens: Sequence[str], texts: Sequence[Value]) -> Sequence[Value]:
    """Parts and added tokens of each text."""
    case = import_module("goldpiece.properties.strategies.added_tokens").Case
    found = [_definition_of("added_tokens").cut(case(list(tokens), text)) for text in texts]
    return [[each["parts"], each["added"]] for each in found]


def joined(_: Material, rows: Sequence[Value]) -> Sequence[Value]:
    join = import_module("goldpiece.properties.oracles.decoder").joined
    return [join(row) for row in rows]


class Pieces:
    """WordPiece by walking a tree of the entries, where the reference shortens the rest of the word until it fits."""

    def __init__(self, vocab: Sequence[str]) -> None:
        self.starts: dict[str, Any] = {}
        self.continuations: dict[str, Any] = {}
        for entry in vocab:
            self._plant(self.starts, entry, entry)
            if entry.startswith("##"):
                self._plant(self.continuations, entry.removeprefix("##"), entry)
        self.known: dict[str, list[str]] = {}

    def _plant(self, tree: dict[str, Any], spelling: str, entry: str) -> None:
        for char in spelling:
            tree = tree.setdefault(char, {})
        tree[_END] = entry

    def of(self, word: str) -> list[str]:
        if word not in self.known:
            self.known[word] = self._cut(word) if len(word) <= 100 else ["[UNK]"]
        return self.known[word]

    def _cut(self, word: str) -> list[str]:
        pieces: list[str] = []
        place = 0
        while place < len(word):
            tree, longest, end = self.continuations if place else self.starts, "", place
            for reach in range(place, len(word)):
                tree = tree.get(word[reach], {})
                if _END in tree:
                    longest, end = tree[_END], reach + 1
            if end == place:
                return ["[UNK]"]
            pieces.append(longest)
            place = end
        return pieces


@cache
def _pieces_of(material: Material) -> Pieces:
    return Pieces(material.vocab)


def pieces(material: Material, given: Sequence[Value]) -> Sequence[Value]:
    """The pieces of each word."""
    return [_pieces_of(material).of(str(word)) for word in given]


def words_of(material: Material, text: str) -> list[str]:
    """The words of the normalized form of a text."""
    words_: list[str] = _definition_of("pre_tokenizer").words(normalized(material, [text])[0])["tokens"]
    return words_


def tokens_of(material: Material, text: str) -> list[str]:
    """The tokens of a text, without a frame."""
    special = "|".join(map(re.escape, SPECIAL_TOKENS))
    found: list[str] = []
    for part in re.split(f"({special})", text):
        if part in SPECIAL_TOKENS:
            found.append(part)
        else:
            found += [piece for word in words_of(material, part) for piece in _pieces_of(material).of(word)]
    return found


def framed_ids(material: Material, texts: Sequence[Value]) -> Sequence[Value]:
    """The ids of each text in its frame."""
    ids = {token: number for number, token in enumerate(material.vocab)}
    rows = [["[CLS]", *tokens_of(material, str(text)), "[SEP]"] for text in texts]
    return [[ids[token] for token in row] for row in rows]
