"""tokenizer.json: files of every kind that is read, and files with one fault."""

import json
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, TypeAlias

from hypothesis import strategies as st

from goldpiece.suite.scope import Scope

from . import once

File: TypeAlias = dict[str, Any]  # the value that the JSON of a file has
Path: TypeAlias = tuple[str | int, ...]  # of a value within it

FLAGS = ["single_word", "lstrip", "rstrip", "normalized", "special"]
SWITCHES = ["clean_text", "handle_chinese_chars", "strip_accents", "lowercase"]
FRAMES = [("[CLS]", "[SEP]"), ("<s>", "</s>"), ("[SEP]", "[SEP]"), ("zz", "[CLS]")]
# No two of them are the same but for case and accents.
PLAIN = ["a", "B", "b", "bc", "é", "e", "中", "don", "'", ".", "n", "xxxx"]
WORDS = [*PLAIN, '"', "\\", "\u2028", "😀", "\ufeff", "\x00", "##", ""]
NEW = ["New", "<m>", "q r", "Ça", "[mask]", " ", "d.", "\U0001f9ff"]
MARKS = ["<m>", "[MASK]", "{0}"]  # that are no part of one another, nor of what else a text holds
TEXTS = [
    "a",
    "B",
    "b",
    "bc",
    "É",
    "e\u0301",
    "中",
    "don",
    "'",
    "t",
    ".",
    " n ",
    "xxxx",
    "\u200b",
    " ",
    "\t",
    "😀",
    "??",
]


@dataclass(frozen=True)
class Run:
    """A file and a text for its tokenizer."""

    file: File
    text: str


def files(scope: Scope) -> st.SearchStrategy[File]:  # noqa: ARG001 (a strategy is a function of the scope)
    """Any parts and flags, and keys in any order."""
    return _files(WORDS, NEW, FLAGS)


def without_normalizers(scope: Scope) -> st.SearchStrategy[File]:
    """The same with a normalizer of null."""
    return files(scope).map(lambda file: file | {"normalizer": None})


@st.composite
def with_templates(draw: st.DrawFn, scope: Scope) -> File:
    """The same with a template, which calls its tokens by their names or by others."""
    file = draw(files(scope))
    return file | {"post_processor": template(file, draw(st.sampled_from(["same", "other", "swapped"])))}


def of_old(scope: Scope) -> st.SearchStrategy[File]:
    """Files whose model has no type."""
    return files(scope).map(lambda file: without(file, ("model", "type")))


@st.composite
def runs(draw: st.DrawFn, scope: Scope) -> Run:  # noqa: ARG001
    """A file whose added tokens are sought as they stand, and a text of its words, and others, and these tokens."""
    file = draw(_files(PLAIN, MARKS, ["special"], least=9))
    return Run(file, draw(_texts([each["content"] for each in file["added_tokens"]])))


@st.composite
def flagged_runs(draw: st.DrawFn, scope: Scope) -> Run:  # noqa: ARG001
    """Any file, and a text with its added tokens in many surroundings."""
    file = draw(_files(PLAIN, NEW, FLAGS, least=9))
    contents = [each["content"] for each in file["added_tokens"]]
    return Run(file, draw(_texts([*contents, *(f" {content} " for content in contents)])))


@st.composite
def named_tokens(draw: st.DrawFn, scope: Scope) -> tuple[File, str]:  # noqa: ARG001
    """A file with one token that is sought in normalized text, whose normalized form is another; and its name."""
    file = draw(_files(PLAIN, [], []))
    name = draw(once.sampled_from(["Zaphod", "ÇÀ", "Ο\u0301Δ", "X"]))
    number = len(file["model"]["vocab"])
    flags = draw(once.sampled_from([("normalized",), ("normalized", "special")]))
    file["added_tokens"] = [added(number, name, flags)]
    on = dict.fromkeys(SWITCHES, True)
    return file | {"normalizer": {"type": "BertNormalizer", **on}}, name


def written(file: object) -> str:
    """The JSON of a value; a list of `Pair` is an object, in which a key may stand twice."""
    if isinstance(file, dict):
        return "{" + ", ".join(f"{json.dumps(key)}: {written(value)}" for key, value in file.items()) + "}"
    if isinstance(file, list) and file and isinstance(file[0], Pair):
        return "{" + ", ".join(f"{json.dumps(each.key)}: {written(each.value)}" for each in file) + "}"
    if isinstance(file, list):
        return "[" + ", ".join(map(written, file)) + "]"
    return json.dumps(file, ensure_ascii=False)


@dataclass(frozen=True)
class Pair:
    """A key of an object and its value."""

    key: str
    value: object


@st.composite
def _files(
    draw: st.DrawFn, words: Sequence[str], contents: Sequence[str], flags: Sequence[str], least: int = 0
) -> File:
    """A file whose vocabulary has `least` of the words or more, and whose added tokens have some contents and flags."""
    cls, sep = draw(once.sampled_from(FRAMES))
    unk = draw(once.sampled_from(["[UNK]", "<unk>", "a"]))
    prefix = draw(once.sampled_from(["##", "@@", "▁", ""]))
    pieces = draw(once.lists(once.sampled_from(words), unique=True, max_size=6))
    whole = draw(once.lists(once.sampled_from(words), unique=True, min_size=least, max_size=least + 3))
    entries = [*whole, *(prefix + piece for piece in pieces)]
    vocab = draw(st.permutations(list(dict.fromkeys([unk, cls, sep, *entries]))))
    outside = draw(once.sampled_from([None, None, cls])) if contents else None
    vocab = [token for token in vocab if token != outside or token == unk]
    chosen = draw(once.lists(once.sampled_from([*contents, unk, cls, sep]), unique=True, max_size=4))
    if outside not in (None, *vocab, *chosen):
        chosen.append(str(outside))
    ids = {token: number for number, token in enumerate(vocab)}
    on = once.lists(once.sampled_from(flags), unique=True) if flags else st.just([])
    added_tokens = [added(ids.setdefault(content, len(ids)), content, draw(on)) for content in chosen]
    switches = {name: draw(st.booleans()) for name in SWITCHES} | {
        "strip_accents": draw(once.sampled_from([True, False, None]))
    }
    file: File = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": added_tokens,
        "normalizer": _shuffled(draw, {"type": "BertNormalizer", **switches}),
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {"type": "BertProcessing", "sep": [sep, ids[sep]], "cls": [cls, ids[cls]]},
        "decoder": _shuffled(draw, {"type": "WordPiece", "prefix": prefix, "cleanup": draw(st.booleans())}),
        "model": {
            "type": "WordPiece",
            "unk_token": unk,
            "continuing_subword_prefix": prefix,
            "max_input_chars_per_word": draw(once.sampled_from([100, 2, 1, 2**40])),
            "vocab": _shuffled(draw, {token: ids[token] for token in vocab}),
        },
    }
    if draw(st.booleans()):
        file["post_processor"] = template(file, "same")
    return _shuffled(draw, file)


def _texts(contents: Sequence[str]) -> st.SearchStrategy[str]:
    part = once.sampled_from([*TEXTS, *contents, *contents])
    between = once.sampled_from(["", " ", " "])
    parts = once.lists(once.joined(part, between), min_size=3, max_size=12)
    return parts.map(lambda drawn: "".join(drawn) + " É.")  # something for accents, case and cleanup


def _shuffled(draw: st.DrawFn, mapping: dict[str, Any]) -> dict[str, Any]:
    return {key: mapping[key] for key in draw(st.permutations(list(mapping)))}


def added(number: int, content: str, on: Sequence[str]) -> dict[str, Any]:
    return {"id": number, "content": content, **{flag: flag in on for flag in FLAGS}}


def frame_of(file: File) -> dict[str, list[Any]]:
    """Token and id of `cls` and `sep`."""
    post = file["post_processor"]
    if post["type"] == "BertProcessing":
        return {"cls": post["cls"], "sep": post["sep"]}
    names = {"cls": post["single"][0]["SpecialToken"]["id"], "sep": post["single"][2]["SpecialToken"]["id"]}
    tokens = {end: post["special_tokens"][name] for end, name in names.items()}
    return {end: [each["tokens"][0], each["ids"][0]] for end, each in tokens.items()}


def template(file: File, names: str) -> dict[str, Any]:
    """BERT's template with the frame of the file; `names` says how it calls the tokens."""
    frame = frame_of(file)
    (cls, _), (sep, _) = frame["cls"], frame["sep"]
    called = {"same": (cls, sep), "other": ("first", "last"), "swapped": (sep, cls)}[names]
    if cls == sep:
        called = (called[0], called[0])
    single = [special(called[0], 0), sequence("A", 0), special(called[1], 0)]
    defined = dict(zip(called, (frame["cls"], frame["sep"]), strict=True))
    return {
        "type": "TemplateProcessing",
        "single": single,
        "pair": [*single, sequence("B", 1), special(called[1], 1)],
        "special_tokens": {
            name: {"id": name, "ids": [id_], "tokens": [token]} for name, (token, id_) in defined.items()
        },
    }


def special(name: str, type_id: int) -> dict[str, Any]:
    return {"SpecialToken": {"id": name, "type_id": type_id}}


def sequence(name: str, type_id: int) -> dict[str, Any]:
    return {"Sequence": {"id": name, "type_id": type_id}}


def values(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every value within a value, with its path."""
    yield path, value
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from values(inner, (*path, key))


def replaced(file: Any, path: Path, new: object) -> Any:
    """The same with another value at a path."""
    if not path:
        return new
    copy = deepcopy(file)
    inner = copy
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = new
    return copy


def without(file: File, path: Path) -> File:
    """The same without the key at a path."""
    copy: Any = deepcopy(file)
    inner = copy
    for key in path[:-1]:
        inner = inner[key]
    del inner[path[-1]]
    return copy  # type: ignore[no-any-return]
