"""`goldpiece train`: a vocabulary learnt from text files, written as its tokenizer reads it."""

import os
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from goldpiece import BPETokenizer, BPETrainer, Tokenizer, WordPieceTrainer
from goldpiece.cli.output import console
from goldpiece.cli.train_progress import TrainingProgress
from goldpiece.cli.train_summary import compression, print_summary
from goldpiece.corpus.corpus import Corpus
from goldpiece.corpus.word_counts import write_counts
from goldpiece.errors import FileError, UsageError
from goldpiece.fast.bpe import BPE
from goldpiece.merge_trace import MergeTrace
from goldpiece.reference.bpe_tokenizer import END_OF_TEXT
from goldpiece.reference.byte_level import ALPHABET
from goldpiece.reference.wordpiece import WordPiece
from goldpiece.reference.wordpiece_trainer import LIKELIHOOD, SPECIAL_TOKENS
from goldpiece.trained_files import write_trained
from goldpiece.training.cutting import BertCutting, ByteCutting
from goldpiece.training.job import Job, Keeping, Outcome
from goldpiece.training.pace import SECONDS, Stopped

SHORT = 1.3  # characters a piece: hardly more than the alphabet alone
LARGE = 8 << 20  # bytes of files: several processors are worth it
HOLDING_OUT = 1 << 20  # bytes of files of which some texts can be spared

app = typer.Typer(help="Learn a vocabulary from text files.", no_args_is_help=True)

Files = Annotated[
    list[Path] | None,
    typer.Argument(metavar="FILES", help="Files, folders, patterns, or - for standard input. Each line is a text."),
]
Size = Annotated[int, typer.Option("--size", metavar="N", help="How many entries, special tokens included.")]
Output = Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="The folder to write to; made if need be.")]
Field = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Of JSON lines the field, of Parquet the column.", show_default="text"),
]
Replace = Annotated[
    bool, typer.Option("--replace-bad-bytes", help="Put U+FFFD where bytes are no UTF-8, instead of giving up.")
]
CountsFile = Annotated[
    Path | None, typer.Option("--counts", metavar="TSV", help="Instead of FILES: words and how often they occur.")
]
SaveCounts = Annotated[Path | None, typer.Option("--save-counts", metavar="TSV", help="Keep the counts of words.")]
MinWordCount = Annotated[int, typer.Option(metavar="N", help="Leave out words that occur less often.")]
HoldOut = Annotated[
    bool,
    typer.Option(
        "--hold-out/--no-hold-out", help="Whether one text in 100 is measured on, and not learnt from (from 1 MB on)."
    ),
]
Workers = Annotated[
    int | None,
    typer.Option(metavar="N", help="So many processes count words.", show_default="from 8 MB on one a processor"),
]
CheckpointFolder = Annotated[
    Path | None, typer.Option("--checkpoint", metavar="DIR", help="Keep what is done there; needs lmdb.")
]
Resume = Annotated[bool, typer.Option("--resume", help="Go on with what the checkpoint has, if there is one.")]
Trace = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write a line for each merge: its score, counts, and a word it changed."),
]
Every = Annotated[
    float, typer.Option("--checkpoint-every", metavar="SECONDS", help="How often, besides every 1,000 merges.")
]


@dataclass(frozen=True, kw_only=True)
class Given:
    """The options that are the same for all models."""

    files: Files = None
    output: Output
    field: Field = None
    replace_bad_bytes: Replace = False
    counts: CountsFile = None
    save_counts: SaveCounts = None
    min_word_count: MinWordCount = 1
    hold_out: HoldOut = True
    workers: Workers = None
    checkpoint: CheckpointFolder = None
    resume: Resume = False
    checkpoint_every: Every = SECONDS
    trace: Trace = None

    def outcome(self, trainer: WordPieceTrainer | BPETrainer, cutting: BertCutting | ByteCutting) -> Outcome:
        """Trains. Raises UsageError where options do not go together, and what a job raises."""
        _require_room(self.output)
        if self.resume and self.checkpoint is None:
            raise UsageError("--resume goes on with a checkpoint: say where it is, by --checkpoint")
        source = self._source()
        size = 0 if isinstance(source, Path) else source.size()
        processors = (os.cpu_count() or 1) if size >= LARGE else 1
        workers = processors if self.workers is None else self.workers
        job = Job(trainer, cutting, source, self.hold_out and size >= HOLDING_OUT, self.min_word_count, workers)
        keeping = Keeping(self.checkpoint, self.resume, self.checkpoint_every) if self.checkpoint else None
        tracing = nullcontext() if self.trace is None else MergeTrace(self.trace)
        with tracing as trace, TrainingProgress(size, trainer.size, trace) as progress:
            try:
                outcome = job.run(progress, keeping)
            except Stopped as stopped:
                typer.echo(f"{stopped}; what is done is in {self.checkpoint}: go on by --resume", err=True)
                raise typer.Exit(128 + stopped.number) from stopped
        if self.save_counts:
            write_counts(self.save_counts, outcome.counted.words, outcome.counted.counts)
        return outcome

    def _source(self) -> Corpus | Path:
        if bool(self.files) == bool(self.counts):
            raise UsageError("there is nothing to learn from, or twice: give either FILES or --counts")
        if self.counts is None:
            corpus = Corpus(self.files or [], self.field, "replace" if self.replace_bad_bytes else "error")
            if self.field and not corpus.has_fields():
                raise UsageError(
                    "--field is of JSON lines, Parquet and standard input: leave it out, or give such files"
                )
            return corpus
        if self.field or self.replace_bad_bytes or self.save_counts or self.workers:
            others = "--field, --replace-bad-bytes, --save-counts and --workers"
            raise UsageError(f"{others} go with FILES: leave them out where --counts is given")
        return self.counts


def taking_what_is_given(command: Callable[..., None]) -> Callable[..., None]:
    """A command that has the options of Given beside its own, for one that takes a Given and its own."""
    own = list(signature(command, eval_str=True).parameters.values())[1:]
    common = list(signature(Given, eval_str=True).parameters.values())
    names = [each.name for each in common]

    @wraps(command)
    def run(**options: Any) -> None:
        command(Given(**{name: options.pop(name) for name in names}), **options)

    parameters = [each.replace(kind=Parameter.KEYWORD_ONLY) for each in (*own, *common)]
    run.__signature__ = Signature(parameters)  # type: ignore[attr-defined] # typer looks at both
    run.__annotations__ = {each.name: each.annotation for each in parameters}
    return run


@app.command()
@taking_what_is_given
def wordpiece(
    given: Given,
    *,
    size: Size,
    rule: Annotated[str, typer.Option(metavar="NAME", help="likelihood or frequency.")] = LIKELIHOOD,
    min_frequency: Annotated[
        int | None,
        typer.Option(metavar="N", help="How often a pair has to occur.", show_default="20, by frequency 2"),
    ] = None,
    limit_alphabet: Annotated[
        int | None, typer.Option(metavar="N", help="Keep the N most frequent characters.")
    ] = None,
    cased: Annotated[bool, typer.Option("--cased", help="Keep capitals and accents.")] = False,
) -> None:
    """Learn WordPiece: vocab.txt, tokenizer.json and merges.txt."""
    trainer = WordPieceTrainer(size, rule=rule, min_frequency=min_frequency, limit_alphabet=limit_alphabet)
    cutting = BertCutting(SPECIAL_TOKENS, lowercase=not cased)
    outcome = given.outcome(trainer, cutting)
    tokens = outcome.trained.tokens
    written = write_trained(given.output, Tokenizer(tokens, lowercase=not cased), outcome.trained.merges)
    found = compression(WordPiece(tokens).tokenize, cutting, outcome.measured, "[UNK]")
    print_summary(outcome, found, len(SPECIAL_TOKENS), written)
    if found.characters_per_token < SHORT:
        remedy = "raise --min-frequency, or take --rule frequency" if rule == LIKELIHOOD else "raise --size"
        console.print(Text(f"     warning  the pieces are short: {remedy}", "yellow"), soft_wrap=True)


@app.command()
@taking_what_is_given
def bpe(
    given: Given,
    *,
    size: Size,
    min_frequency: Annotated[int, typer.Option(metavar="N", help="How often a pair has to occur.")] = 2,
    pattern: Annotated[str, typer.Option(metavar="NAME", help="How text is cut: gpt2, cl100k or o200k.")] = "gpt2",
) -> None:
    """Learn byte-level BPE: vocab.json, tokenizer.json and merges.txt."""
    special = (END_OF_TEXT,)
    trainer = BPETrainer(size, special_tokens=special, initial_alphabet=list(ALPHABET), min_frequency=min_frequency)
    cutting = ByteCutting(special, pattern)
    outcome = given.outcome(trainer, cutting)
    tokens, merges = outcome.trained.tokens, outcome.trained.merges
    written = write_trained(given.output, BPETokenizer(tokens, merges, pattern, special_tokens=special), merges)
    model = BPE(tokens, merges)
    found = compression(lambda word: model.tokenize(word)[0], cutting, outcome.measured, None)
    print_summary(outcome, found, len(special), written)


def _require_room(folder: Path) -> None:
    """Before the work that the folder is to hold. Raises FileError."""
    there = next(each for each in (folder, *folder.absolute().parents) if each.exists())
    if not there.is_dir():
        raise _not_made(folder, "File exists")
    if not os.access(there, os.W_OK):
        raise _not_made(folder, "Permission denied")


def _not_made(folder: Path, why: str) -> FileError:
    return FileError(folder, None, f"it cannot be made ({why})", "Give the path of a folder")
