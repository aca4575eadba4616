"""The subjects that have a name, and how a name becomes a subject.

The module of one is imported when it is asked for: a process that answers for a subject starts at once.
"""

import shlex
import shutil
import sys
from collections.abc import Callable, Mapping
from importlib import import_module

from goldpiece.errors import UsageError
from goldpiece.suite.spec import Specs
from goldpiece.suite.subject import Subject
from goldpiece.suite.subjects.child import TIMEOUT, ChildSubject
from goldpiece.suite.subjects.python import python_subject

__all__ = ["TIMEOUT", "find_subject", "in_this_process"]


def _in(module: str, function: str, *first: str) -> Callable[..., Subject]:
    """What makes a subject: a function of a module of this package, whose first arguments may be known."""

    def make(*given: object) -> Subject:
        made: Subject = getattr(import_module(f"{__name__}.{module}"), function)(*first, *given)
        return made

    return make


# What is known by name; the modules that make them have more to say of each.
RIVALS = ("nanotoken", "tokie", "kitoken", "budtiktok", "morpheme")
RIVAL_TRAINERS = ("real-wordpiece", "rustbpe")
COLLATORS = ("numpy", "torch")
RECORDED = "batches"

NAMED: Mapping[str, Callable[[Specs], Subject]] = {
    "reference": _in("reference", "reference"),
    "fast": _in("fast", "fast"),
    "tokenizers": _in("tokenizers", "tokenizers"),
    "tiktoken": _in("tiktoken", "tiktoken"),
    "sentencepiece": _in("sentencepiece_bpe", "sentencepiece"),
    **{
        f"transformers-collator:{path}": _in("transformers_collator", "transformers_collator", path)
        for path in COLLATORS
    },
    "transformers": _in("transformers", "transformers"),
    **{name: _in("peers", "peer", name) for name in RIVALS},
    **{name: _in("rival_trainers", "rival_trainer", name) for name in RIVAL_TRAINERS},
}

# What stands before a path: `hf:tokenizer.json`, `reference:vocab.txt`.
KINDS: Mapping[str, Callable[[str, Specs], Subject]] = {
    "hf": _in("ready", "ready_tokenizer"),
    "reference": _in("reference", "ready_reference"),
    RECORDED: _in("batches", "recorded_batches"),
    "sentencepiece": _in("sentencepiece", "ready_sentencepiece"),
    "tiktoken": _in("ready_tiktoken", "ready_tiktoken"),
    "transformers": _in("transformers", "ready_transformers"),
}

OURS = ("reference", "fast", RECORDED)  # those that need no process of their own
EXEC = "exec:"


def find_subject(name: str, specs: Specs, timeout: float = TIMEOUT) -> Subject:
    """The subject called `name`: see `in_this_process`, and `exec:COMMAND`. All but our own run in a child process.

    `timeout` is the seconds that a call may take. Raises UsageError where it cannot be used.
    """
    if name.partition(":")[0] in OURS:
        return in_this_process(name, specs)
    if name.startswith(EXEC):
        return ChildSubject(name, _command(name.removeprefix(EXEC)), specs, timeout)
    # -P: a file in this folder that is called like a package of ours must not hide it.
    serve = [sys.executable, "-P", "-m", "goldpiece.suite.subjects.serve", name]
    return ChildSubject(name, serve, specs, timeout)


def _command(written: str) -> list[str]:
    try:
        command = shlex.split(written)
    except ValueError as error:
        raise UsageError(f"{EXEC}{written} is no command: {error}") from error
    if not command or shutil.which(command[0]) is None:
        raise UsageError(f"there is no program {command[0] if command else ''!r}: write {EXEC}COMMAND")
    return command


def in_this_process(name: str, specs: Specs) -> Subject:
    """The subject called `name`: one of NAMED, one of KINDS with a path, or `module:attr[,key=value]`."""
    if name in NAMED:
        return NAMED[name](specs)
    kind, colon, path = name.partition(":")
    if colon and kind in KINDS:
        return KINDS[kind](path, specs)
    if colon:
        return python_subject(name, specs)
    raise UsageError(
        f"there is no subject {name!r}; there are {', '.join(NAMED)}, {', '.join(f'{kind}:PATH' for kind in KINDS)}, "
        "and module:attr for a Python object of yours"
    )
