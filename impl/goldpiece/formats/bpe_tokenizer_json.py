"""tokenizer.json of Hugging Face with a byte-level BPE model, as GPT-2 and those that follow it have.

Every part that would be done otherwise is refused by its name: to leave it out would give other ids.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from goldpiece.formats import strict_json
from goldpiece.formats.atomic import write_atomically
from goldpiece.formats.bpe_files import tokens_of
from goldpiece.formats.content import read_content
from goldpiece.formats.strict_json import Part
from goldpiece.formats.tokenizer_json import (
    MOST_BYTES,
    VERSION,
    AddedToken,
    NotWritable,
    added_tokens_of,
    ids_written,
    of_type,
    whole_of,
)
from goldpiece.formats.vocab_txt import LONGEST

BYTE_LEVEL = ("add_prefix_space", "trim_offsets", "use_regex")


@dataclass(frozen=True)
class BPETokenizerFile:
    """What the file says. `vocab` has the token of each id; an added token that it lacks has an id behind it.

    `split` is the regular expression that words match; None stands for that of GPT-2, which files need not tell.
    """

    vocab: Sequence[str]
    merges: Sequence[tuple[str, str]]
    added_tokens: Sequence[AddedToken] = ()
    split: str | None = None
    add_prefix_space: bool = False
    ignore_merges: bool = False
    trim_offsets: bool = False


def read(path: Path | str) -> BPETokenizerFile:
    """What the file at `path` says; see `parse`. Raises FileError where it cannot be read."""
    return parse(read_content(path, MOST_BYTES, "Give the path of a tokenizer.json"), path)


def parse(content: bytes, name: Path | str = "tokenizer.json") -> BPETokenizerFile:
    """What the file says; `name` is what errors call it.

    Raises NotUtf8, NotJson, DuplicateKey, MissingKey, WrongType, Contradiction and UnsupportedPart: all are FileErrors.
    """
    parts = whole_of(strict_json.parse(content, name))
    if parts["normalizer"].value is not None:
        raise parts["normalizer"].unsupported("is not null", "Normalize texts before they are encoded")
    split, words = _words(parts["pre_tokenizer"])
    of_type(parts["decoder"], "ByteLevel", *BYTE_LEVEL)
    trims = False
    if parts["post_processor"].value is not None:
        after = of_type(parts["post_processor"], "ByteLevel", *BYTE_LEVEL)
        trims = after["trim_offsets"].boolean()
        if trims:  # else it is of no account
            _must_be(after["add_prefix_space"], words["add_prefix_space"].boolean())
    model = _model(parts["model"])
    vocab = tokens_of(model["vocab"])
    return BPETokenizerFile(
        vocab=vocab,
        merges=[_merge(each) for each in model["merges"].items()],
        added_tokens=added_tokens_of(parts["added_tokens"], vocab),
        split=split,
        add_prefix_space=words["add_prefix_space"].boolean(),
        ignore_merges=model["ignore_merges"].boolean(),
        trim_offsets=trims,
    )


def _words(part: Part) -> tuple[str | None, Mapping[str, Part]]:
    """The regular expression of words and the ByteLevel: the latter alone, or behind a Split."""
    if not isinstance(part.value, dict) or part.value.get("type") != "Sequence":
        alone = of_type(part, "ByteLevel", *BYTE_LEVEL)
        _must_be(alone["use_regex"], True)
        return None, alone
    steps = list(of_type(part, "Sequence", "pretokenizers")["pretokenizers"].items())
    if len(steps) != 2:
        raise part.unsupported("is not a Split and a ByteLevel", "Let it be these two, or a ByteLevel")
    split = of_type(steps[0], "Split", "pattern", "behavior", "invert")
    _must_be(split["behavior"], "Isolated")
    _must_be(split["invert"], False)
    words = of_type(steps[1], "ByteLevel", *BYTE_LEVEL)
    _must_be(words["use_regex"], False)
    _must_be(words["add_prefix_space"], False)  # it would be put before each word
    return split["pattern"].fields("Regex")["Regex"].text(), words


# What a byte-level model leaves alone: each at its default, or not there at all in files of old.
OFF: Mapping[str, tuple[object, ...]] = {
    "dropout": (None,),
    "unk_token": (None,),
    "continuing_subword_prefix": (None, ""),
    "end_of_word_suffix": (None, ""),
    "fuse_unk": (False,),
    "byte_fallback": (False,),
}


def _model(part: Part) -> Mapping[str, Part]:
    """The vocabulary, the merges, and whether these are ignored for words that are entries."""
    here = part.mapping()
    optional = [key for key in (*OFF, "ignore_merges", "type") if key in here]
    fields = dict(part.fields("vocab", "merges", *optional))
    if "type" in fields and (kind := fields["type"].text()) != "BPE":
        raise fields["type"].unsupported(f"is {kind[:LONGEST]!r}", "Let it be a BPE")
    for key, values in OFF.items():
        if key in fields:
            _must_be(fields[key], *values)
    fields.setdefault("ignore_merges", Part(False, part.file, "model.ignore_merges"))
    return fields


def _must_be(part: Part, *values: object) -> None:
    """Raises UnsupportedPart for another value; 0 is not false."""
    if not any(part.value is value or (isinstance(value, str) and part.value == value) for value in values):
        raise part.unsupported(f"is {part.value!r}"[: LONGEST * 2], f"Let it be {values[0]!r}")


def _merge(part: Part) -> tuple[str, str]:
    """A merge as a pair, or as files of old write it: both parts with a space between them, which none can hold."""
    pair = [each.text() for each in part.items()] if isinstance(part.value, list) else part.text().split(" ", 2)
    if len(pair) != 2:
        raise part.unsupported("is no pair of symbols", "Save the file anew with what made it")
    return pair[0], pair[1]


def render(file: BPETokenizerFile) -> bytes:
    """The content of the file, for reading by people as well.

    Raises TokenNotWritable and NotWritable where `parse` would not give back the same.
    """
    ids_written(file.vocab, file.added_tokens)
    if file.split is not None and file.add_prefix_space:
        raise NotWritable("a space before the text goes with the pattern of GPT-2 alone: leave out add_prefix_space")
    in_bytes = {"type": "ByteLevel", "add_prefix_space": file.add_prefix_space, "trim_offsets": file.trim_offsets}
    whole = {
        "version": VERSION,
        "truncation": None,
        "padding": None,
        "added_tokens": [asdict(token) for token in file.added_tokens],
        "normalizer": None,
        "pre_tokenizer": _splitting(file.split, in_bytes),
        "post_processor": in_bytes | {"use_regex": True},
        "decoder": in_bytes | {"use_regex": True},
        "model": {
            "type": "BPE",
            **{name: values[0] for name, values in OFF.items()},
            "ignore_merges": file.ignore_merges,
            "vocab": {token: number for number, token in enumerate(file.vocab)},
            "merges": file.merges,
        },
    }
    return (json.dumps(whole, ensure_ascii=False, indent=2) + "\n").encode()


def _splitting(split: str | None, in_bytes: Mapping[str, object]) -> Mapping[str, object]:
    """The pre-tokenizer."""
    if split is None:
        return {**in_bytes, "use_regex": True}
    words = {"type": "Split", "pattern": {"Regex": split}, "behavior": "Isolated", "invert": False}
    return {"type": "Sequence", "pretokenizers": [words, {**in_bytes, "use_regex": False}]}


def write(path: Path | str, file: BPETokenizerFile) -> None:
    """Writes the file at `path`, all of it or, where it raises, nothing. See `render`."""
    write_atomically(path, render(file))
