"""Runs `goldpiece` over and over in forks of a process that has imported it: to start Python anew takes a second.

Each line of standard input is a run, as JSON: its arguments, folder, environment, and the files that stand for standard
input, output and error. Each line of standard output is its exit status.
"""

import json
import os
import signal
import sys
from collections.abc import Mapping
from typing import Any

from goldpiece.cli import main
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


load_specs()
while job := sys.stdin.readline():
    if child := os.fork():
        _, status = os.waitpid(child, 0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")
        sys.stdout.flush()
    else:
        run(json.loads(job))
        sys.exit()
