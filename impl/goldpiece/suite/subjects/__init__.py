"""The subjects that have a name, and how a name becomes a subject."""

import shlex
import shutil
import sys
from collections.abc import Callable, Mapping
from functools import partial

from goldpiece.errors import UsageError
from goldpiece.suite.spec import Specs
from goldpiece.suite.subject import Subject
from goldpiece.suite.subjects.batches import KIND as RECORDED
from goldpiece.suite.subjects.batches import recorded_batches
from goldpiece.suite.subjects.child import TIMEOUT, ChildSubject
from goldpiece.suite.subjects.fast import fast
from goldpiece.suite.subjects.peer_libraries import LIBRARIES
from goldpiece.suite.subjects.peers import peer
from goldpiece.suite.subjects.python import python_subject
from goldpiece.suite.subjects.ready import ready_tokenizer
from goldpiece.suite.subjects.ready_tiktoken import ready_tiktoken
from goldpiece.suite.subjects.reference import ready_reference, reference
from goldpiece.suite.subjects.rival_trainers import FACTORIES, rival_trainer
from goldpiece.suite.subjects.sentencepiece import ready_sentencepiece
from goldpiece.suite.subjects.sentencepiece_bpe import sentencepiece
from goldpiece.suite.subjects.tiktoken import tiktoken
from goldpiece.suite.subjects.tokenizers import tokenizers
from goldpiece.suite.subjects.transformers import ready_transformers, transformers
from goldpiece.suite.subjects.transformers_collator import KIND, PATHS, transformers_collator

__all__ = ["TIMEOUT", "find_subject", "in_this_process"]

NAMED: Mapping[str, Callable[[Specs], Subject]] = {
    "reference": reference,
    "fast": fast,
    "tokenizers": tokenizers,
    "tiktoken": tiktoken,
    "sentencepiece": sentencepiece,
    **{f"{KIND}:{path}": partial(transformers_collator, path) for path in PATHS},
    "transformers": transformers,
    **{name: peer(name) for name in LIBRARIES},
    **{name: rival_trainer(name) for name in FACTORIES},
}

# What stands before a path: `hf:tokenizer.json`, `reference:vocab.txt`.
KINDS: Mapping[str, Callable[[str, Specs], Subject]] = {
    "hf": ready_tokenizer,
    "reference": ready_reference,
    RECORDED: recorded_batches,
    "sentencepiece": ready_sentencepiece,
    "tiktoken": ready_tiktoken,
    "transformers": ready_transformers,
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
