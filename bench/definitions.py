"""The right outputs, by the definitions of the room `properties` and another road than any subject takes.

A benchmark of a wrong implementation says nothing, so each output is compared with these before anything is timed. They
are the profile `hf`, which both subjects promise: equal to these they are equal to each other.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any, cast

from goldpiece.reference.tokenizer import SPECIAL_TOKENS
from goldpiece.suite.values import Value

from .workloads import Material, Outputs, spec_of

NOT_SELECTED = -100
_END = ""  # in a tree of entries: here one ends


@cache
def _definition_of(component: str) -> Any:
    """An oracle. Rooms know each other by name alone, since they lie elsewhere in a wheel than in a checkout."""
    definition = import_module(f"goldpiece.properties.oracles.{component}").Definition
    return definition(spec_of(component), "hf")


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


def merging(entries: Sequence[str], merges: Sequence[tuple[str, str]], **config: Value) -> Callable[[str], list[str]]:
    """What makes the pieces of a word, by going through the merges from the first on after each merge."""
    answer_of = import_module("goldpiece.properties.oracles.bpe").answer_of
    case = import_module("goldpiece.properties.strategies.bpe").Case
    made = [("".join(pair), pair) for pair in merges]

    @cache
    def pieces_of(word: str) -> list[str]:
        fitting = [pair for whole, pair in made if whole in word]  # no other is ever made in it
        found: list[str] = answer_of(case(list(entries), fitting, word, config))["pieces"]
        return found

    return pieces_of


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


def words_by_prefix(row: Sequence[int], vocab: Sequence[str]) -> list[list[int]]:
    """The places of each word of a row, whose pieces but the first begin with ##; a special token is none."""
    words: list[list[int]] = []
    for place, number in enumerate(row):
        token = vocab[number]
        if token in SPECIAL_TOKENS:
            continue
        if token.startswith("##") and words and words[-1][-1] == place - 1:
            words[-1].append(place)
        else:
            words.append([place])
    return words


def is_a_mask(vocab: Sequence[str], by_words: bool) -> Callable[[Value, Value], bool]:
    """What tells whether input ids and labels are a mask of a batch, whatever the random numbers."""
    chance = import_module("goldpiece.properties.chance")
    mask_id, rate = vocab.index("[MASK]"), 0.15  # the default of both

    def right(given: Value, actual: Value) -> bool:
        rows = cast(Sequence[Sequence[int]], given)
        seen, labels = cast(Sequence[Sequence[Sequence[int]]], actual)
        if any(list(map(len, each)) != list(map(len, rows)) for each in (seen, labels)):
            return False
        chosen = of = 0
        for row, new, label in zip(rows, seen, labels, strict=True):
            places = {place for place, each in enumerate(label) if each != NOT_SELECTED}
            words = words_by_prefix(row, vocab)
            units = words if by_words else [[place] for word in words for place in word]
            taken = [unit for unit in units if places.issuperset(unit)]
            chosen, of = chosen + len(taken), of + len(units)
            same = all(row[place] == (label if place in places else new)[place] for place in range(len(row)))
            if not same or places != {place for unit in taken for place in unit}:
                return False
            if by_words and any(new[place] != mask_id for place in places):
                return False
        return bool(chance.Share("", chosen, of, rate).p_value > chance.ALPHA)

    return right


def masks(config: Mapping[str, Value]) -> Outputs:
    """What makes the input ids and labels of each batch, under these parameters."""

    def right(material: Material, batches: Sequence[Value]) -> Sequence[Value]:
        masking = import_module("goldpiece.properties.oracles.masking").Masking(list(material.vocab), **config)
        return [list(masking.mask(batch, None, None, None, 0)) for batch in batches]

    return right
