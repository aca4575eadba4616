"""The laws of spec/persistence.yaml, for any implementation."""

import hashlib
import json

from goldpiece.suite.component import Component
from goldpiece.suite.law import expect, law
from goldpiece.suite.values import Value

from .oracles.persistence import described, ran, text_of
from .strategies.faulty_tokenizer_json import (
    no_json,
    with_contradictions,
    with_duplicate_keys,
    with_missing_keys,
    with_unsupported_parts,
    with_wrong_types,
)
from .strategies.persistence import (
    BYTE_ORDER_MARK,
    Lines,
    broken_contents,
    lines,
    packed,
    plain_vocabularies,
    related_vocabularies,
    unwritable,
    vocabularies,
    with_blank_lines,
    with_duplicates,
    with_line_ends,
)
from .strategies.tokenizer_json import (
    File,
    Run,
    files,
    flagged_runs,
    frame_of,
    named_tokens,
    of_old,
    runs,
    with_templates,
    without_normalizers,
    written,
)

# What RFC 8785 escapes in a text, and how; the other controls are \u00xx.
ESCAPES = {'"': r"\"", "\\": r"\\", "\b": r"\b", "\t": r"\t", "\n": r"\n", "\f": r"\f", "\r": r"\r"}


def numbered(tokens: list[str]) -> dict[str, Value]:
    """What reading different tokens gives: each is looked up by the number of its line."""
    return {"tokens": tokens, "ids": list(range(len(tokens)))}


def canonical(tokens: list[str]) -> str:
    """The tokens as RFC 8785 writes an array."""
    texts = ("".join(ESCAPES.get(char) or _unless_control(char) for char in token) for token in tokens)
    return "[" + ",".join(f'"{text}"' for text in texts) + "]"


def _unless_control(char: str) -> str:
    return char if char >= " " else f"\\u{ord(char):04x}"


@law("persistence.line-numbers", tokens=plain_vocabularies)
def line_numbers(persistence: Component, tokens: list[str]) -> None:
    expect(persistence().read_vocab(packed(lines(tokens)), True), numbered(tokens))


@law("persistence.line-ends", drawn=with_line_ends)
def line_ends(persistence: Component, drawn: Lines) -> None:
    expect(persistence().read_vocab(drawn.content, True), numbered(drawn.lines))


@law("persistence.last-line", tokens=plain_vocabularies)
def last_line(persistence: Component, tokens: list[str]) -> None:
    for content in (lines(tokens), lines(tokens)[:-1], "\r\n".join(tokens)):
        expect(persistence().read_vocab(packed(content), True), numbered(tokens))


@law("persistence.byte-order-mark", tokens=plain_vocabularies)
def byte_order_mark(persistence: Component, tokens: list[str]) -> None:
    marked = [f"{BYTE_ORDER_MARK}{token}" for token in tokens]
    expect(persistence().read_vocab(packed(lines(["[PAD]", *marked])), True), numbered(["[PAD]", *marked]))
    for each in (tokens, marked):
        expect(persistence().read_vocab(packed(BYTE_ORDER_MARK + lines(each)), True), numbered(each))


@law("persistence.exact-tokens", tokens=vocabularies)
def exact_tokens(persistence: Component, tokens: list[str]) -> None:
    expect(persistence().read_vocab(packed(lines(tokens)), True), numbered(tokens))


@law("persistence.blank-lines", drawn=with_blank_lines)
def blank_lines(persistence: Component, drawn: Lines) -> None:
    expect(persistence().answer("read_vocab", drawn.content, True), {"error": "blank-line"})


@law("persistence.duplicate-lines", drawn=with_duplicates)
def duplicate_lines(persistence: Component, drawn: Lines) -> None:
    expect(persistence().answer("read_vocab", drawn.content, True), {"error": "duplicate-token"})


@law("persistence.keeps-blank-lines", drawn=with_blank_lines)
def keeps_blank_lines(persistence: Component, drawn: Lines) -> None:
    ids = [number if line else None for number, line in enumerate(drawn.lines)]
    expect(persistence().read_vocab(drawn.content, False), {"tokens": drawn.lines, "ids": ids})


@law("persistence.last-duplicate-wins", drawn=with_duplicates)
def last_duplicate_wins(persistence: Component, drawn: Lines) -> None:
    last = len(drawn.lines) - 1
    ids = [last - drawn.lines[::-1].index(line) for line in drawn.lines]
    expect(persistence().read_vocab(drawn.content, False), {"tokens": drawn.lines, "ids": ids})


@law("persistence.not-utf8", content=broken_contents)
def not_utf8(persistence: Component, content: str) -> None:
    for strict in (True, False):
        expect(persistence().answer("read_vocab", content, strict), {"error": "not-utf8"})


@law("persistence.writes", tokens=vocabularies)
def writes(persistence: Component, tokens: list[str]) -> None:
    expect(persistence().write_vocab(tokens), packed(lines(tokens)))


@law("persistence.round-trip", tokens=vocabularies)
def round_trip(persistence: Component, tokens: list[str]) -> None:
    content = persistence().write_vocab(tokens)
    expect(persistence().read_vocab(content, True), numbered(tokens))


@law("persistence.refuses", tokens=unwritable)
def refuses(persistence: Component, tokens: list[str]) -> None:
    expect(persistence().answer("write_vocab", tokens), {"error": "token-not-writable"})


@law("persistence.fingerprint", tokens=vocabularies)
def fingerprint(persistence: Component, tokens: list[str]) -> None:
    several = [*tokens, "\n\t\b\f\r\x00\x1f", '"\\/', "é\U0001f600"]
    for each in (tokens, several):
        expect(persistence().fingerprint(each), hashlib.sha256(canonical(each).encode()).hexdigest())


@law("persistence.fingerprint-differs", drawn=related_vocabularies)
def fingerprint_differs(persistence: Component, drawn: list[list[str]]) -> None:
    first, *others = drawn
    known = persistence().fingerprint(first)
    for other in others:
        found = persistence().fingerprint(other)
        expect(found != known, True, note=f"whether the fingerprint differs from that of {first!r}")


@law("persistence.tokenizer-parts", file=files)
def tokenizer_parts(persistence: Component, file: File) -> None:
    for content in (written(file), json.dumps(file, indent=1)):
        expect(persistence().answer("read_tokenizer", content), described(file))


@law("persistence.tokenizer-without-normalizer", file=without_normalizers)
def tokenizer_without_normalizer(persistence: Component, file: File) -> None:
    expect(persistence().answer("read_tokenizer", written(file)), described(file))


@law("persistence.tokenizer-templates", file=with_templates)
def tokenizer_templates(persistence: Component, file: File) -> None:
    expect(persistence().answer("read_tokenizer", written(file)), described(file))


@law("persistence.tokenizer-implied-model", file=of_old)
def tokenizer_implied_model(persistence: Component, file: File) -> None:
    expect(persistence().answer("read_tokenizer", written(file)), described(file))


@law("persistence.tokenizer-unsupported", contents=with_unsupported_parts)
def tokenizer_unsupported(persistence: Component, contents: list[str]) -> None:
    for content in contents:
        expect(persistence().answer("read_tokenizer", content), {"error": "unsupported-part"})


@law("persistence.tokenizer-missing-keys", contents=with_missing_keys)
def tokenizer_missing_keys(persistence: Component, contents: list[str]) -> None:
    for content in contents:
        expect(persistence().answer("read_tokenizer", content), {"error": "missing-key"})


@law("persistence.tokenizer-duplicate-keys", content=with_duplicate_keys)
def tokenizer_duplicate_keys(persistence: Component, content: str) -> None:
    expect(persistence().answer("read_tokenizer", content), {"error": "duplicate-key"})


@law("persistence.tokenizer-wrong-types", contents=with_wrong_types)
def tokenizer_wrong_types(persistence: Component, contents: list[str]) -> None:
    for content in contents:
        expect(persistence().answer("read_tokenizer", content), {"error": "wrong-type"})


@law("persistence.tokenizer-contradictions", contents=with_contradictions)
def tokenizer_contradictions(persistence: Component, contents: list[str]) -> None:
    for content in contents:
        expect(persistence().answer("read_tokenizer", content), {"error": "contradiction"})


@law("persistence.tokenizer-not-json", contents=no_json)
def tokenizer_not_json(persistence: Component, contents: list[str]) -> None:
    for content in contents:
        expect(persistence().answer("read_tokenizer", content), {"error": "not-json"})


@law("persistence.tokenizer-saved", file=files)
def tokenizer_saved(persistence: Component, file: File) -> None:
    saved = json.loads(str(persistence().rewrite_tokenizer(written(file))))
    expect(described(saved), described(file))
    expect(
        {name: saved[name] for name in ("version", "truncation", "padding", "pre_tokenizer")},
        {name: file[name] for name in ("version", "truncation", "padding", "pre_tokenizer")},
    )


@law("persistence.tokenizer-runs", run=runs)
def tokenizer_runs(persistence: Component, run: Run) -> None:
    expect(persistence().answer("run_tokenizer", written(run.file), run.text), ran(run))


@law("persistence.tokenizer-runs-the-same", run=flagged_runs)
def tokenizer_runs_the_same(persistence: Component, run: Run) -> None:
    before = persistence().answer("run_tokenizer", written(run.file), run.text)
    saved = persistence().rewrite_tokenizer(written(run.file))
    expect(persistence().answer("run_tokenizer", saved, run.text), before)


@law("persistence.tokenizer-added-names", drawn=named_tokens)
def tokenizer_added_names(persistence: Component, drawn: tuple[File, str]) -> None:
    file, name = drawn
    frame = frame_of(file)
    (cls, _), (sep, _) = frame["cls"], frame["sep"]
    found = persistence().answer("run_tokenizer", written(file), name.swapcase())
    expect(found.get("tokens"), [cls, name, sep])
    expect(found.get("whole"), text_of(file, [cls, name, sep]))
    left = [cls, sep] if file["added_tokens"][0]["special"] else [cls, name, sep]
    expect(found.get("decoded"), text_of(file, left))
