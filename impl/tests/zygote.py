"""Runs `goldpiece` over and over in forks of a process that has imported it: to start Python anew takes a second.

Each line of standard input is a run, as JSON: its arguments, folder, environment, the files that stand for standard
input, output and error, and where it is to be ended, after how many seconds and by which signal. Each line of standard
output is its exit status.
"""

import gc
import json
import os
import signal
import sys
import time
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from hypothesis.internal.charmap import charmap

from goldpiece.cli import COMMANDS, main
from goldpiece.suite.law import load_laws
from goldpiece.suite.loader import load_specs

TIMEOUT = 300  # seconds for a run


def run(job: Mapping[str, Any]) -> None:
    os.chdir(job["cwd"])
    os.environ.clear()
    os.environ.update(job["env"])
    sys.path[:0] = job["env"].get("PYTHONPATH", "").split(os.pathsep)
    for number, flags in enumerate((os.O_RDONLY, os.O_WRONLY, os.O_WRONLY)):
        os.dup2(os.open(job["files"][number], flags), number)
    sys.argv = ["goldpiece", *job["arguments"]]
    signal.alarm(TIMEOUT)
    main()


def waited(child: int, end: tuple[float, int] | None) -> int:
    """What a run ends with; a signal is sent at the given time, if it has not ended by itself."""
    if end:
        seconds, number = end
        due = time.monotonic() + seconds
        while time.monotonic() < due:
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended:
                return status
            time.sleep(0.002)
        os.kill(child, number)
    return os.waitpid(child, 0)[1]


def prepare() -> None:
    """What each run would find out anew, and is the same in all."""
    for name in COMMANDS.values():
        import_module(f"goldpiece.cli.{name}")
    load_laws()
    charmap()  # Hypothesis's characters of each category
    unicode = import_module("goldpiece.properties.strategies.unicode")
    oracle = import_module("goldpiece.properties.oracles.normalizer")
    for profile in ("google", "hf"):
        unicode.classes(load_specs().named("normalizer"), profile)
        every_stage = {"clean_text": True, "handle_chinese_chars": True, "strip_accents": True, "lowercase": True}
        oracle.definition_of(profile).normalize("É", **every_stage)


prepare()
gc.freeze()  # what a fork does not look at, it need not copy
while line := sys.stdin.readline():
    job = json.loads(line)
    if child := os.fork():
        status = waited(child, job["end"])
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")
        sys.stdout.flush()
    else:
        run(job)
        sys.exit()
