"""`goldpiece explain`: what each stage makes of a text, merge by merge where a model merges, and where two part."""

import json
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from typing import Annotated, NamedTuple

import typer
from rich.text import Text

from goldpiece import Encoding
from goldpiece.cli.encoders import Encoder, encoder_at
from goldpiece.cli.output import console
from goldpiece.cli.text import (
    CasedOption,
    EncoderOption,
    FileOption,
    JsonOption,
    ProfileOption,
    Texts,
    VocabOption,
    encoder_of,
    given,
)
from goldpiece.errors import UsageError
from goldpiece.reference.bpe import Merge
from goldpiece.reference.bpe_tokenizer import BPEExplanation
from goldpiece.reference.tokenizer import Explanation
from goldpiece.suite.values import visible

STEPS_AT_ENDS = 10  # of a word, that are shown

DiffOption = Annotated[
    tuple[Path, Path] | None,
    typer.Option("--diff", metavar="A B", help="Show where two tokenizers part, each named as by --tokenizer."),
]


def explain(
    texts: Texts = None,
    *,
    tokenizer: EncoderOption = None,
    vocab: VocabOption = None,
    profile: ProfileOption = None,
    cased: CasedOption = False,
    file: FileOption = None,
    as_json: JsonOption = False,
    diff: DiffOption = None,
) -> None:
    """Show what each stage makes of texts: the normalized form, the words, and the pieces of each, merge by merge."""
    if diff is not None:
        if tokenizer is not None or vocab is not None or profile is not None or cased:
            raise UsageError("--diff names both tokenizers: leave out --tokenizer, --vocab, --profile and --cased")
        pair = encoder_at(diff[0]), encoder_at(diff[1])
        for text in given(texts, file):
            _print_difference(text, *pair, as_json)
        return
    chosen = encoder_of(tokenizer, vocab, profile, cased)
    for text in given(texts, file):
        explanation = chosen.explain(text)
        if as_json:
            typer.echo(json.dumps(vars(explanation)))
            continue
        _print([("text", visible(explanation.text)), *_stages(explanation)])


def _stages(found: Explanation | BPEExplanation) -> list[tuple[str, str]]:
    """Each stage with what it gave."""
    rows = [("added tokens", " ".join(found.added))] if found.added else []
    if isinstance(found, BPEExplanation):
        for word, merges, pieces in zip(found.words, found.merges, found.pieces, strict=True):
            rows += [("word", visible(word)), *(("", line) for line in _steps(word, merges, pieces))]
        return [*rows, ("ids", " ".join(map(str, found.ids)))]
    rows.append(("normalized", visible(found.normalized)))
    for word, pieces in zip(found.words, found.pieces, strict=True):
        rows.append(("word", f"{visible(word)} → {' '.join(map(visible, pieces))}"))
    return [*rows, ("ids", " ".join(map(str, found.ids)))]


def _steps(word: str, merges: list[Merge], pieces: list[str]) -> list[str]:
    """A line for the symbols of a word at first, after each merge, and as they came out where they are others.

    Of a long word there are those at the ends alone: all of them together grow with its square.
    """
    symbols = dict(enumerate(word if merges else pieces))  # by place; each keeps its turn
    left_out = range(STEPS_AT_ENDS, len(merges) + 1 - STEPS_AT_ENDS)
    lines = [_line(symbols.values())]
    for number, made in enumerate(merges, 1):
        symbols[made.start] = made.text
        del symbols[made.middle]
        if number not in left_out:
            lines.append(_line(symbols.values()))
        elif number == left_out[0]:
            lines.append(f"… {len(left_out):,} steps that are left out; --json has all merges …")
    return lines if [*symbols.values()] == pieces else [*lines, _line(pieces)]


def _line(symbols: Iterable[str]) -> str:
    return " ".join(map(visible, symbols))


def _print(rows: list[tuple[str, str]]) -> None:
    for label, line in rows:
        console.print(Text.assemble((f"{label:>12}  ", "dim"), line), soft_wrap=True)
    console.print()


class Part(NamedTuple):
    """A part of a text, between two places where both tokenizers cut, that they cut otherwise."""

    start: int
    end: int
    first: list[str]  # the tokens of each
    second: list[str]


def differences(first: Encoding, second: Encoding) -> list[Part]:
    """The parts of a text that two encodings of it cut in different places, white space left out."""
    sides = [_trimmed(each) for each in (first, second)]
    edges = [_edges([span for span, _ in side], len(first.text)) for side in sides]
    parts = []
    for start, end in pairwise(sorted(edges[0] & edges[1])):
        within = [[(span, token) for span, token in side if start <= span[0] and span[1] <= end] for side in sides]
        if [span for span, _ in within[0]] != [span for span, _ in within[1]]:
            parts.append(Part(start, end, *([token for _, token in side] for side in within)))
    return parts


def _trimmed(encoding: Encoding) -> list[tuple[tuple[int, int], str]]:
    """The tokens that are more than white space, and where they begin and end without it."""
    spans = []
    for (start, end), token in zip(encoding.offsets, encoding.tokens, strict=True):
        written = encoding.text[start:end]
        if bare := written.strip():
            begin = start + written.index(bare)
            spans.append(((begin, begin + len(bare)), token))
    return spans


def _edges(spans: list[tuple[int, int]], length: int) -> set[int]:
    """The places that no token reaches over."""
    inside = {place for start, end in spans for place in range(start + 1, end)}
    return set(range(length + 1)) - inside


def _print_difference(text: str, one: Encoder, other: Encoder, as_json: bool) -> None:
    first, second = (each.encode(text, add_special_tokens=False) for each in (one, other))
    parts = differences(first, second)
    if as_json:
        typer.echo(json.dumps({"text": text, "parts": [part._asdict() for part in parts]}))
        return
    rows = [("text", visible(text)), ("tokens", f"{len(first.tokens)}, {len(second.tokens)}")]
    for part in parts:
        rows.append((f"{part.start}-{part.end}", visible(text[part.start : part.end])))
        rows += [(name, " ".join(map(visible, side))) for name, side in (("A", part.first), ("B", part.second))]
    _print([*rows, *([] if parts else [("", "both cut it in the same places")])])
