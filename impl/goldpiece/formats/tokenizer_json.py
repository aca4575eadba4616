"""tokenizer.json of Hugging Face: a whole WordPiece tokenizer in one file. Spec: spec/persistence.yaml.

Read is what BERT's tokenizers hold, and every other part is refused by its name: to leave it out would give other ids.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from goldpiece.errors import GoldpieceError
from goldpiece.formats import strict_json
from goldpiece.formats.atomic import write_atomically
from goldpiece.formats.bpe_files import tokens_of
from goldpiece.formats.content import read_content
from goldpiece.formats.strict_json import LARGEST, Part
from goldpiece.formats.vocab_txt import LONGEST, TokenNotWritable, utf8

VERSION = "1.0"
MOST_BYTES = 100_000_000  # of a file
SINGLE = [("SpecialToken", "cls", 0), ("Sequence", "A", 0), ("SpecialToken", "sep", 0)]
PAIR = [*SINGLE, ("Sequence", "B", 1), ("SpecialToken", "sep", 1)]
BERT_FRAME = "Let it be [CLS] A [SEP], and [CLS] A [SEP] B [SEP], with type id 1 from B on"
FLAGS = ("single_word", "lstrip", "rstrip", "normalized", "special")
SWITCHES = ("clean_text", "handle_chinese_chars", "strip_accents", "lowercase")


class NotWritable(GoldpieceError):
    """A tokenizer that the file cannot carry as it is."""


@dataclass(frozen=True)
class AddedToken:
    """A token of the list `added_tokens`: its id, and how it is found in text."""

    id: int
    content: str
    single_word: bool = False
    lstrip: bool = False
    rstrip: bool = False
    normalized: bool = True
    special: bool = False


@dataclass(frozen=True)
class TokenizerFile:
    """What the file says. `vocab` has the token of each id; an added token that it lacks has an id behind it."""

    vocab: Sequence[str]
    added_tokens: Sequence[AddedToken] = ()
    unk_token: str = "[UNK]"
    prefix: str = "##"  # of the model and the decoder
    max_input_chars: int = 100
    clean_text: bool = True
    handle_chinese_chars: bool = True
    strip_accents: bool | None = None
    lowercase: bool = True
    cls_token: str = "[CLS]"
    sep_token: str = "[SEP]"
    cleanup: bool = True


def parse(content: bytes, name: Path | str = "tokenizer.json") -> TokenizerFile:
    """What the file says; `name` is what errors call it.

    Raises NotUtf8, NotJson, DuplicateKey, MissingKey, WrongType, Contradiction and UnsupportedPart: all are FileErrors.
    """
    parts = whole_of(strict_json.parse(content, name))
    switches = _switches(parts["normalizer"])
    of_type(parts["pre_tokenizer"], "BertPreTokenizer")
    model = of_type(
        parts["model"], "WordPiece", "unk_token", "continuing_subword_prefix", "max_input_chars_per_word", "vocab",
        may_be_implied=True,
    )  # fmt: skip
    vocab = tokens_of(model["vocab"])
    added_tokens = added_tokens_of(parts["added_tokens"], vocab)
    ids = {token: number for number, token in enumerate(vocab)} | {each.content: each.id for each in added_tokens}
    prefix = model["continuing_subword_prefix"].text()
    decoder = of_type(parts["decoder"], "WordPiece", "prefix", "cleanup")
    if decoder["prefix"].text() != prefix:
        raise decoder["prefix"].unsupported("is not that of the model", f"Let it be {prefix[:LONGEST]!r}")
    cls_token, sep_token = _frame(parts["post_processor"], ids)
    return TokenizerFile(
        vocab=vocab,
        added_tokens=added_tokens,
        unk_token=model["unk_token"].text(),
        prefix=prefix,
        max_input_chars=model["max_input_chars_per_word"].integer(),
        clean_text=switches["clean_text"].boolean(),
        handle_chinese_chars=switches["handle_chinese_chars"].boolean(),
        strip_accents=None if switches["strip_accents"].value is None else switches["strip_accents"].boolean(),
        lowercase=switches["lowercase"].boolean(),
        cls_token=cls_token,
        sep_token=sep_token,
        cleanup=decoder["cleanup"].boolean(),
    )


def whole_of(file: Part) -> Mapping[str, Part]:
    """The parts of a tokenizer.json, which neither truncates nor pads. Raises what `parse` raises."""
    parts = file.fields(
        "version", "truncation", "padding", "added_tokens", "normalizer", "pre_tokenizer", "post_processor",
        "decoder", "model",
    )  # fmt: skip
    if (version := parts["version"]).text() != VERSION:
        raise version.unsupported(f"is {version.text()[:LONGEST]!r}", f"There is {VERSION!r}")
    for stage in ("truncation", "padding"):
        if parts[stage].value is not None:
            raise parts[stage].unsupported("is not null", "Switch it off, and do it where rows are put together")
    return parts


def of_type(part: Part, kind: str, *keys: str, may_be_implied: bool = False) -> Mapping[str, Part]:
    """The parts of one that has to be of the type `kind`; files of old leave the type of the model out."""
    if part.value is None:
        raise part.unsupported("is null", f"Let it be a {kind}")
    if "type" not in part.mapping() and may_be_implied:
        return part.fields(*keys)
    if "type" in part.mapping() and (found := part.at("type").text()) != kind:
        raise part.unsupported(f"is of type {found[:LONGEST]!r}", f"Let it be a {kind}")
    return part.fields("type", *keys)


def added_tokens_of(part: Part, vocab: Sequence[str]) -> list[AddedToken]:
    """The added tokens in the order of the file."""
    ids = {token: number for number, token in enumerate(vocab)}
    tokens: dict[str, AddedToken] = {}
    for each in part.items():
        fields = each.fields("id", "content", *FLAGS)
        content = fields["content"].text()
        if not content:
            raise fields["content"].unsupported("is empty", "Take the token out, and lower the ids behind it")
        if content in tokens:
            raise fields["content"].contradiction(f"{content[:LONGEST]!r} stands twice", "Take one of the tokens out")
        number = ids.setdefault(content, len(ids))
        if fields["id"].integer() != number:
            known = "the vocabulary has it as" if number < len(vocab) else "the next id behind the vocabulary is"
            raise fields["id"].contradiction(
                f"is {fields['id'].value} for {content[:LONGEST]!r}, and {known} {number}", f"Let it be {number}"
            )
        tokens[content] = AddedToken(number, content, **{name: fields[name].boolean() for name in FLAGS})
    return list(tokens.values())


def _switches(part: Part) -> Mapping[str, Part]:
    """What the normalizer does; one that is null does nothing."""
    if part.value is None:
        return dict.fromkeys(SWITCHES, Part(False, part.file, part.place))
    return of_type(part, "BertNormalizer", *SWITCHES)


def _frame(part: Part, ids: Mapping[str, int]) -> tuple[str, str]:
    """The tokens that begin a row and end each of its sequences."""
    if isinstance(part.value, dict) and part.value.get("type") == "BertProcessing":
        fields = of_type(part, "BertProcessing", "sep", "cls")
        pairs = [_of_length(fields[name], 2) for name in ("cls", "sep")]
    else:
        fields = of_type(part, "TemplateProcessing", "single", "pair", "special_tokens")
        names = _names_in_template(fields)
        special_tokens = fields["special_tokens"].fields(*names)
        pairs = [_framing(special_tokens, name) for name in names]
    for token, number in pairs:
        if ids.get(token.text()) != number.integer():
            right = ids.get(token.text(), "not among the tokens")
            raise number.contradiction(
                f"is {number.value}, and {token.text()[:LONGEST]!r} is {right}", "Let it be the id of the token"
            )
    (cls, _), (sep, _) = pairs
    return cls.text(), sep.text()


def _names_in_template(fields: Mapping[str, Part]) -> tuple[str, str]:
    """What BERT's template calls its first and its last token. Raises UnsupportedPart for another template."""
    single, pair = (
        [_piece(piece) for piece in _of_length(fields[place], len(right))]
        for place, right in (("single", SINGLE), ("pair", PAIR))
    )
    names = {"cls": single[0][1], "sep": single[-1][1]}
    for place, found, right in (("single", single, SINGLE), ("pair", pair, PAIR)):
        if found != [(kind, names.get(name, name), type_id) for kind, name, type_id in right]:
            raise fields[place].unsupported("is not BERT's template", BERT_FRAME)
    return names["cls"], names["sep"]


def _piece(part: Part) -> tuple[str, str, int]:
    """A piece of a template: what it is, its name and its type id."""
    entries = list(part.entries())
    if len(entries) != 1:
        raise part.unsupported("is no piece of a template", BERT_FRAME)
    ((kind, inner),) = entries
    fields = inner.fields("id", "type_id")
    return kind, fields["id"].text(), fields["type_id"].integer()


def _framing(special_tokens: Mapping[str, Part], name: str) -> list[Part]:
    """The token that a template calls `name`, and its id."""
    fields = special_tokens[name].fields("id", "ids", "tokens")
    if fields["id"].text() != name:
        raise fields["id"].contradiction(f"is {fields['id'].text()[:LONGEST]!r}", f"Let it be {name[:LONGEST]!r}")
    return [*_of_length(fields["tokens"], 1), *_of_length(fields["ids"], 1)]


def _of_length(part: Part, length: int) -> list[Part]:
    if isinstance(part.value, list) and len(part.value) != length:
        raise part.unsupported(f"is not of length {length}", BERT_FRAME)
    return list(part.items())


def render(file: TokenizerFile) -> bytes:
    """The content of the file, for reading by people as well.

    Raises TokenNotWritable and NotWritable where `parse` would not give back the same.
    """
    _refuse_what_would_change(file)
    ids = {token: number for number, token in enumerate(file.vocab)}
    with_added = ids | {token.content: token.id for token in file.added_tokens}
    whole = {
        "version": VERSION,
        "truncation": None,
        "padding": None,
        "added_tokens": [asdict(token) for token in file.added_tokens],
        "normalizer": {"type": "BertNormalizer"} | {name: getattr(file, name) for name in SWITCHES},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {
            "type": "BertProcessing",
            "sep": [file.sep_token, with_added[file.sep_token]],
            "cls": [file.cls_token, with_added[file.cls_token]],
        },
        "decoder": {"type": "WordPiece", "prefix": file.prefix, "cleanup": file.cleanup},
        "model": {
            "type": "WordPiece",
            "unk_token": file.unk_token,
            "continuing_subword_prefix": file.prefix,
            "max_input_chars_per_word": file.max_input_chars,
            "vocab": ids,
        },
    }
    return (json.dumps(whole, ensure_ascii=False, indent=2) + "\n").encode()


def read(path: Path | str) -> TokenizerFile:
    """What the file at `path` says; see `parse`. Raises FileError where it cannot be read."""
    return parse(read_content(path, MOST_BYTES, "Give the path of a tokenizer.json"), path)


def model_of(path: Path | str) -> str:
    """The type of the model in the file at `path`; files of old leave it out, and hold a WordPiece.

    Raises FileError where it cannot be read, or is faulty as far as the model.
    """
    file = strict_json.parse(read_content(path, MOST_BYTES, "Give the path of a tokenizer.json"), path)
    if "model" not in file.mapping() or "type" not in file.at("model").mapping():
        return "WordPiece"
    return file.at("model").at("type").text()


def write(path: Path | str, file: TokenizerFile) -> None:
    """Writes the file at `path`, all of it or, where it raises, nothing. See `render`."""
    write_atomically(path, render(file))


def _refuse_what_would_change(file: TokenizerFile) -> None:
    ids = ids_written(file.vocab, file.added_tokens)
    for token in (file.cls_token, file.sep_token):
        if token not in ids:
            raise NotWritable(f"the frame needs {token!r}, which the vocabulary lacks: add it, or name another")
    for name in ("unk_token", "prefix"):
        if any("\ud800" <= char <= "\udfff" for char in getattr(file, name)):
            raise NotWritable(f"{name} holds a lone surrogate, which UTF-8 has no bytes for: replace it")
    if not 0 <= file.max_input_chars <= LARGEST:
        raise NotWritable(f"max_input_chars is {file.max_input_chars}: let it be from 0 to 2^64 - 1")


def ids_written(vocab: Sequence[str], added_tokens: Sequence[AddedToken]) -> Mapping[str, int]:
    """The ids of the tokens, as whoever reads the file gives them. Raises TokenNotWritable where one would change."""
    ids: dict[str, int] = {}
    for number, token in enumerate(vocab):
        utf8(number, token)
        if token in ids:
            raise TokenNotWritable(number, token, f"is that of id {ids[token]} too", "give one of them another name")
        ids[token] = number
    contents = set()
    for each in added_tokens:
        utf8(each.id, each.content)
        if not each.content:
            raise TokenNotWritable(each.id, each.content, "is empty, and never found in text", "take it out")
        if each.content in contents:
            problem = "is added twice, and found in two ways"
            raise TokenNotWritable(each.id, each.content, problem, "leave one of them out, perhaps of special_tokens")
        contents.add(each.content)
        if ids.setdefault(each.content, len(ids)) != each.id:
            raise TokenNotWritable(
                each.id, each.content, "has another id than its place gives it", f"let it be {ids[each.content]}"
            )
    return ids
