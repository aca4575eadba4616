"""The command `goldpiece`."""

import os
import sys
import traceback
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, cast

import typer
import typer.main
from rich.console import Console
from typer.core import TyperGroup

import goldpiece
from goldpiece.errors import GoldpieceError, HarnessError
from goldpiece.suite.verdict import Exit

# Each command, and the module of this package that has it: as a function of its name, or as an `app` of several.
COMMANDS: Mapping[str, str] = {
    "check": "check",
    "drift": "drift",
    "encode": "text",
    "decode": "text",
    "explain": "explain",
    "mask": "mask",
    "stats": "stats",
    "table": "table",
    "bench": "bench",
    "spec": "spec",
    "golden": "golden",
    "mutants": "mutants",
    "subject": "subject",
    "train": "train",
}


class _Imported(Mapping[str, Any]):
    """Typer's commands by their names. Each is imported when it is asked for: all of them take four times as long."""

    def __getitem__(self, name: str) -> Any:
        module = import_module(f"{__name__}.{COMMANDS[name]}")
        if hasattr(module, "app"):
            command: Any = typer.main.get_group(module.app)
        else:
            alone = typer.Typer(add_completion=False)
            alone.command(name)(getattr(module, name))
            command = typer.main.get_command(alone)
        command.name = name
        return command

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


class _Commands(TyperGroup):
    """All commands of the table, with Typer's help and its suggestions for what is mistyped."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands = cast(Any, _Imported())


app = typer.Typer(
    cls=_Commands,
    help="Prove your tokenizer: specs, laws and a reference implementation for subword tokenizers.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


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
