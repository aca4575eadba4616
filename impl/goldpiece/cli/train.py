"""`goldpiece train`: a vocabulary learnt from text files, written as its tokenizer reads it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from goldpiece import BPETokenizer, Tokenizer, train_bpe, train_wordpiece
from goldpiece.cli.encoders import Encoder
from goldpiece.cli.output import Progress, console
from goldpiece.cli.text import given
from goldpiece.errors import FileError, UsageError
from goldpiece.formats import bpe_files, vocab_txt
from goldpiece.reference.bpe_tokenizer import END_OF_TEXT
from goldpiece.reference.training import Trained
from goldpiece.reference.wordpiece_trainer import LIKELIHOOD, SPECIAL_TOKENS

SAMPLE = 1_000  # lines that say how long pieces are
SHORT = 1.3  # characters a piece: hardly more than the alphabet alone

app = typer.Typer(help="Learn a vocabulary from text files.", no_args_is_help=True)

Files = Annotated[list[Path], typer.Argument(metavar="FILE…", help="Each line is a text.")]
Size = Annotated[int, typer.Option("--size", metavar="N", help="How many entries, special tokens included.")]
Output = Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="The folder to write to; made if need be.")]
Limit = Annotated[
    int | None, typer.Option("--limit-alphabet", metavar="N", help="Keep the N most frequent characters.")
]


@app.command()
def wordpiece(
    files: Files,
    *,
    size: Size,
    output: Output,
    rule: Annotated[str, typer.Option(metavar="NAME", help="likelihood or frequency.")] = LIKELIHOOD,
    min_frequency: Annotated[
        int | None,
        typer.Option(metavar="N", help="How often a pair has to occur.", show_default="20, by frequency 2"),
    ] = None,
    limit_alphabet: Limit = None,
    cased: Annotated[bool, typer.Option("--cased", help="Keep capitals and accents.")] = False,
) -> None:
    """Learn WordPiece from the lines of files: vocab.txt and tokenizer.json."""
    texts = _texts(files)
    with Progress("training") as progress:
        progress.begins(1)
        found = train_wordpiece(
            texts,
            size,
            lowercase=not cased,
            rule=rule,
            min_frequency=min_frequency,
            limit_alphabet=limit_alphabet,
        )
        progress.step("learnt")
    tokenizer = Tokenizer(found.tokens, lowercase=not cased)
    _make(output)
    vocab_txt.write(output / "vocab.txt", found.tokens)
    tokenizer.save(output / "tokenizer.json")
    pieces = _characters_per_token(tokenizer, texts)
    _summary(found, len(SPECIAL_TOKENS), pieces, [output / "vocab.txt", output / "tokenizer.json"])
    if pieces < SHORT:
        remedy = "raise --min-frequency, or take --rule frequency" if rule == LIKELIHOOD else "raise --size"
        console.print(Text(f"     warning  the pieces are short: {remedy}", "yellow"), soft_wrap=True)


@app.command()
def bpe(
    files: Files,
    *,
    size: Size,
    output: Output,
    min_frequency: Annotated[int, typer.Option(metavar="N", help="How often a pair has to occur.")] = 2,
    pattern: Annotated[str, typer.Option(metavar="NAME", help="How text is cut: gpt2, cl100k or o200k.")] = "gpt2",
) -> None:
    """Learn byte-level BPE from the lines of files: vocab.json and merges.txt."""
    texts = _texts(files)
    with Progress("training") as progress:
        progress.begins(1)
        found = train_bpe(texts, size, pattern=pattern, min_frequency=min_frequency)
        progress.step("learnt")
    _make(output)
    bpe_files.write_encoder(output / "vocab.json", found.tokens)
    bpe_files.write_merges(output / "merges.txt", found.merges)
    tokenizer = BPETokenizer(found.tokens, found.merges, pattern, special_tokens=[END_OF_TEXT])
    _summary(found, 1, _characters_per_token(tokenizer, texts), [output / "vocab.json", output / "merges.txt"])


def _texts(files: Sequence[Path]) -> list[str]:
    """All lines. Raises FileError, and UsageError where there are none."""
    texts = [line for file in files for line in given(None, file)]
    if not any(map(str.strip, texts)):
        raise UsageError(f"{', '.join(map(str, files))}: there is nothing to learn from: give files with text")
    return texts


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(folder, None, f"it cannot be made ({error.strerror})", "Give the path of a folder") from error


def _characters_per_token(tokenizer: Encoder, texts: Sequence[str]) -> float:
    """How long the tokens of some of the lines are, evenly spread over all."""
    lengths = [
        end - start
        for text in texts[:: max(1, len(texts) // SAMPLE)]
        for start, end in tokenizer.encode(text, add_special_tokens=False).offsets
    ]
    return sum(lengths) / max(1, len(lengths))


def _summary(found: Trained, special: int, characters: float, written: Sequence[Path]) -> None:
    entries = len(found.tokens)
    alphabet = entries - special - len(found.merges)
    rarest = f"; the last pair occurred {found.counts[-1]:,} times" if found.counts else ""
    missing = f"; {found.short_by:,} fewer than asked for: no more pairs are frequent enough" if found.short_by else ""
    lines = [
        ("entries", f"{entries:,}{missing}"),
        ("of them", f"{special} special, {alphabet:,} of the alphabet, {len(found.merges):,} merges{rarest}"),
        ("tokens", f"{characters:.2f} characters long on these files"),
        ("written", ", ".join(map(str, written))),
    ]
    for label, line in lines:
        console.print(Text.assemble((f"{label:>12}  ", "dim"), line), soft_wrap=True)
