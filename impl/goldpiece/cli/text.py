"""`goldpiece encode` and `decode`: a tokenizer at work, to look at or as JSON; what other commands take as it does."""

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from goldpiece import BPETokenizer, Encoding, Tokenizer
from goldpiece.cli.encoders import Encoder, encoder_at
from goldpiece.cli.output import Column, print_columns
from goldpiece.errors import FileError, UsageError
from goldpiece.suite.values import visible

TokenizerOption = Annotated[
    Path | None, typer.Option("--tokenizer", metavar="FILE", help="tokenizer.json: all of it in one file.")
]
EncoderOption = Annotated[
    Path | None,
    typer.Option(
        "--tokenizer",
        metavar="PATH",
        help="tokenizer.json or its folder, a .tiktoken file of ranks, or a folder with encoder.json and vocab.bpe.",
    ),
]
VocabOption = Annotated[Path | None, typer.Option("--vocab", metavar="FILE", help="vocab.txt: one token a line.")]
ProfileOption = Annotated[
    str | None, typer.Option(metavar="NAME", help="With --vocab, hf or google.", show_default="hf")
]
CasedOption = Annotated[bool, typer.Option("--cased", help="With --vocab, keep capitals and accents.")]
JsonOption = Annotated[bool, typer.Option("--json", help="One line of JSON for each text.")]
FileOption = Annotated[Path | None, typer.Option("--file", metavar="FILE", help="Take each line of a file for a text.")]
Texts = Annotated[list[str] | None, typer.Argument(metavar="TEXT", help="Texts; without any, lines of standard input.")]

WORDS = ("cyan", "yellow")  # the colours of words, in turn


def encode(
    texts: Texts = None,
    *,
    tokenizer: EncoderOption = None,
    vocab: VocabOption = None,
    pair: Annotated[str | None, typer.Option(metavar="TEXT", help="A second text behind each.")] = None,
    frame: Annotated[bool, typer.Option("--frame/--no-frame", help="Whether [CLS] and [SEP] are added.")] = True,
    parse_special: Annotated[
        bool, typer.Option("--special/--no-special", help="Whether special tokens are found in text.")
    ] = True,
    profile: ProfileOption = None,
    cased: CasedOption = False,
    file: FileOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show the tokens of texts under what they were made of, with their ids."""
    chosen = encoder_of(tokenizer, vocab, profile, cased)
    for text in given(texts, file):
        encoding = chosen.encode(text, pair, frame, parse_special)
        if as_json:
            typer.echo(json.dumps(_as_json(encoding)))
        else:
            _print_aligned(encoding)


def decode(
    ids: Annotated[
        list[int] | None, typer.Argument(metavar="ID", help="Ids; without any, lines of them on standard input.")
    ] = None,
    *,
    tokenizer: EncoderOption = None,
    vocab: VocabOption = None,
    skip_special: Annotated[
        bool, typer.Option("--skip-special/--keep-special", help="Whether special tokens are left out.")
    ] = True,
    as_json: JsonOption = False,
) -> None:
    """Print the text of ids."""
    chosen = encoder_of(tokenizer, vocab)
    for row in [ids] if ids else map(_numbers, _lines(sys.stdin.buffer.read(), Path("standard input"))):
        text = chosen.decode(row, skip_special)
        words = {} if isinstance(chosen, BPETokenizer) else {"words": chosen.decode_words(row)}
        typer.echo(json.dumps({"text": text} | words) if as_json else text)


def encoder_of(file: Path | None, vocab: Path | None, profile: str | None = None, cased: bool = False) -> Encoder:
    """The tokenizer that the options ask for, of either model."""
    if file is not None and vocab is None and profile is None and not cased:
        return encoder_at(file)
    return tokenizer_of(file, vocab, profile, cased)


def tokenizer_of(file: Path | None, vocab: Path | None, profile: str | None = None, cased: bool = False) -> Tokenizer:
    """The WordPiece tokenizer that the options ask for."""
    if file is not None and vocab is not None:
        raise UsageError("--tokenizer and --vocab were given: leave one of them out")
    if file is not None:
        if profile is not None or cased:
            raise UsageError("--profile and --cased go with --vocab: tokenizer.json says itself what is done to text")
        return Tokenizer.from_file(file)
    if vocab is None:
        raise UsageError("there is no tokenizer: give --tokenizer with a tokenizer.json, or --vocab with a vocab.txt")
    if profile not in (None, "hf", "google"):
        raise UsageError(f"there is no profile {profile!r} of a tokenizer; there are hf and google")
    return Tokenizer.from_vocab(vocab, "google" if profile == "google" else "hf", lowercase=not cased)


def given(texts: Sequence[str] | None, file: Path | None) -> Iterator[str]:
    """The texts of the command line, of a file, or of standard input."""
    if texts and file:
        raise UsageError("texts and --file were given: leave one of them out")
    if texts:
        return iter(texts)
    if file is None:
        return _lines(sys.stdin.buffer.read(), Path("standard input"))
    try:
        return _lines(file.read_bytes(), file)
    except OSError as error:
        raise FileError(file, None, f"it cannot be read ({error.strerror})", "Give the path of a text file") from error


def _lines(content: bytes, name: Path) -> Iterator[str]:
    """Lines end at LF or CRLF, and not at what else Unicode takes for a line end."""
    for number, line in enumerate(content.removesuffix(b"\n").split(b"\n") if content else [], start=1):
        try:
            yield line.removesuffix(b"\r").decode()
        except UnicodeDecodeError as error:
            raise FileError(name, number, f"byte {error.start} of the line is not UTF-8", "Save it as UTF-8") from error


def _numbers(line: str) -> list[int]:
    try:
        return [int(number) for number in line.replace(",", " ").split()]
    except ValueError as error:
        raise UsageError(f"{line[:60]!r} is no line of ids: write numbers with spaces between them") from error


def _as_json(encoding: Encoding) -> dict[str, object]:
    names = (
        "ids",
        "tokens",
        "offsets",
        "type_ids",
        "word_ids",
        "sequence_ids",
        "attention_mask",
        "special_tokens_mask",
    )
    return {name: getattr(encoding, name) for name in names}


def _print_aligned(encoding: Encoding) -> None:
    """Columns of the source, the token and its id."""
    columns: list[Column] = []
    texts = (encoding.text, encoding.pair or "")
    rows = zip(encoding.tokens, encoding.ids, encoding.offsets, encoding.sequence_ids, encoding.word_ids, strict=True)
    for token, number, (start, end), sequence, word in rows:
        source = "" if sequence is None else texts[sequence][start:end]
        columns.append(Column((visible(source), visible(token), str(number)), ("", word_style(word), "dim")))
    print_columns(columns)


def word_style(word: int | None) -> str:
    """The colour of a word, by its number; that of what is of none."""
    return "magenta" if word is None else WORDS[word % len(WORDS)]
