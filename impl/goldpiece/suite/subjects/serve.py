"""The other end of a child process: `python -m goldpiece.suite.subjects.serve SUBJECT` answers for a subject in Python.

See spec/PROTOCOL.md for the messages.
"""

import json
import os
import signal
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from typing import Any, NoReturn, TextIO

from goldpiece.errors import GoldpieceError
from goldpiece.suite.component import accepted
from goldpiece.suite.loader import load_specs
from goldpiece.suite.spec import Operation, Specs
from goldpiece.suite.subject import Answer, Handle, Subject, SubjectFailure, Unsupported
from goldpiece.suite.subjects import in_this_process
from goldpiece.suite.subjects.child import PROTOCOL
from goldpiece.suite.subjects.objects import describe

AGAIN = 75  # the exit status of a worker after which the next one begins


def serve(name: str) -> None:
    """Answers questions on standard input until it ends.

    What was loaded is loaded once: a worker answers, and gives way to another where a fresh process is asked for.
    """
    # What the subject prints must not come between the answers.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="ascii")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    specs = load_specs()
    hello = json.loads(sys.stdin.buffer.readline())
    try:
        subject = in_this_process(name, specs)
    except GoldpieceError as error:
        _say(answers, {"id": hello["id"], "error": str(error)})
        return
    forks = hasattr(os, "fork") and threading.active_count() == 1  # a fork would lose other threads
    _say(answers, {"id": hello["id"], "protocol": PROTOCOL, "restarts": forks, **_handshake(subject)})
    while worker := os.fork() if forks else 0:
        _, status = os.waitpid(worker, 0)
        if not os.WIFEXITED(status) or os.WEXITSTATUS(status) != AGAIN:
            _end_likewise(status)
    _work(answers, specs, subject)


def _work(answers: TextIO, specs: Specs, subject: Subject) -> None:
    for line in sys.stdin.buffer:
        question = json.loads(line)
        if "restart" in question:
            _say(answers, {"id": question["id"]})
            os._exit(AGAIN)
        _say(answers, {"id": question["id"], **_answer(subject, specs, question)})


def _end_likewise(status: int) -> NoReturn:
    """Ends this process as its worker ended: by the same signal, or with the same exit status."""
    if os.WIFSIGNALED(status):
        with suppress(OSError):  # some cannot be set, and are as they were
            signal.signal(os.WTERMSIG(status), signal.SIG_DFL)
        os.kill(os.getpid(), os.WTERMSIG(status))
    os._exit(os.waitstatus_to_exitcode(status))


def _say(answers: TextIO, message: Mapping[str, Any]) -> None:
    answers.write(json.dumps(message) + "\n")
    answers.flush()


def _handshake(subject: Subject) -> dict[str, Any]:
    declared = asdict(subject.declaration)
    for offered in declared["components"].values():
        offered["operations"] = sorted(offered["operations"])
    return declared


def _answer(subject: Subject, specs: Specs, question: Mapping[str, Any]) -> dict[str, Any]:
    if "new" in question:
        try:
            handle = subject.new(question["new"], question["config"])
        except Unsupported as reason:
            return {"unsupported": str(reason)}
        except BaseException as error:  # a panic in a Rust extension is no Exception
            return {"failed": f"building it raised {describe(error)}"}
        _COMPONENTS[handle] = question["new"]
        return {"handle": handle}
    if "free" in question:
        subject.free(question["free"])
        return {}
    handle = question["call"]
    component = _COMPONENTS[handle]
    operation = specs.named(component).operations[question["operation"]]
    told = subject.declaration.components[component].told(operation)

    def named(inputs: Sequence[Sequence[Any]]) -> list[dict[str, Any]]:
        return [dict(zip(operation.input, each, strict=True)) for each in inputs]

    def plain(answers: Sequence[Answer]) -> list[Answer]:
        return [_plain(told, answer) for answer in answers]

    if "at_once" in question:
        batches = [named(inputs) for inputs in question["at_once"]]
        return {"answers": [plain(answers) for answers in subject.at_once(handle, operation.name, batches)]}
    return {"answers": plain(subject.call(handle, operation.name, named(question["inputs"])))}


_COMPONENTS: dict[Handle, str] = {}  # of each instance


def _plain(operation: Operation, answer: Answer) -> Answer:
    """An answer whose output is JSON of the promised shape."""
    if "output" not in answer:
        return answer
    try:
        return {"output": accepted(operation, answer["output"])}
    except SubjectFailure as failure:
        return {"failed": str(failure)}


if __name__ == "__main__":
    serve(sys.argv[1])
