"""The command `goldpiece`."""

import os
import sys
import traceback

import typer
from rich.console import Console

import goldpiece
from goldpiece.cli import bench, check, drift, explain, golden, mask, mutants, spec, stats, subject, table, text, train
from goldpiece.errors import GoldpieceError, HarnessError
from goldpiece.suite.verdict import Exit

app = typer.Typer(
    help="Prove your tokenizer: specs, laws and a reference implementation for subword tokenizers.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("check")(check.check)
app.command("drift")(drift.drift)
app.command("encode")(text.encode)
app.command("decode")(text.decode)
app.command("explain")(explain.explain)
app.command("mask")(mask.mask)
app.command("stats")(stats.stats)
app.command("table")(table.table)
app.add_typer(bench.app, name="bench")
app.add_typer(spec.app, name="spec")
app.add_typer(golden.app, name="golden")
app.add_typer(mutants.app, name="mutants")
app.add_typer(subject.app, name="subject")
app.add_typer(train.app, name="train")


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"goldpiece {goldpiece.__version__}")
        raise typer.Exit


@app.callback()
def common(
    *,
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Show the version and exit."
    ),
) -> None:
    """What is common to all commands."""


def main() -> None:
    """Runs the command. It exits with 1 if it found a fault, 2 if it was used wrongly, 3 if Goldpiece itself failed."""
    errors = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)
    try:
        app()
    except HarnessError as error:
        errors.print(
            f"goldpiece itself failed, and no verdict can be trusted. Please report this:\n{error}", style="red"
        )
        sys.exit(Exit.HARNESS)
    except GoldpieceError as error:
        errors.print(f"error: {error}", style="red")
        sys.exit(Exit.USAGE)
    except BrokenPipeError:  # whoever read the output has gone
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)
    except KeyboardInterrupt:
        errors.print("interrupted")
        sys.exit(130)
    except Exception:
        trace = traceback.format_exc()
        errors.print(
            f"goldpiece itself failed, and no verdict can be trusted. Please report this:\n{trace}", style="red"
        )
        sys.exit(Exit.HARNESS)
