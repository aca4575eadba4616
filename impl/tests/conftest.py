"""Runs `goldpiece` as a user would: in a process of its own."""

import gc
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TypeAlias

import hypothesis
import pytest

# No draw has a deadline: what else the machine does at a time is no fault of ours.
hypothesis.settings.register_profile("without deadlines", deadline=None)
hypothesis.settings.load_profile("without deadlines")

# Processes that tests start keep bytecode and parsed specs for one another, whatever the environment says.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Specs and laws in memory are looked through for cycles by each collection, and tests draw much: a sixth of their time.
gc.set_threshold(20_000, 20, 20)

SUBJECTS = Path(__file__).parent / "subjects"

Goldpiece: TypeAlias = Callable[..., "subprocess.CompletedProcess[str]"]
Zygote: TypeAlias = "subprocess.Popen[str] | None"


@pytest.fixture(scope="session")
def zygote() -> Iterator[Zygote]:
    """See zygote.py; None where processes cannot be forked."""
    if not hasattr(os, "fork"):
        yield None
        return
    command = [sys.executable, str(Path(__file__).with_name("zygote.py"))]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield process
        assert process.stdin
        process.stdin.close()


@pytest.fixture
def goldpiece(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, zygote: Zygote) -> Goldpiece:
    """`goldpiece("check", "reference")` in an empty folder, with the modules of impl/tests/subjects in reach.

    With variables of its own it is started anew, since Python and its packages may read them when they start. `end`
    sends it a signal after so many seconds.
    """

    def run(
        *arguments: str,
        cwd: Path = tmp_path,
        env: Mapping[str, str] | None = None,
        stdin: str = "",
        end: tuple[float, int] | None = None,
    ) -> "subprocess.CompletedProcess[str]":
        variables = os.environ | {"PYTHONPATH": str(SUBJECTS), "COLUMNS": "120"} | dict(env or {})
        if env is None and zygote:
            return forked(zygote, arguments, cwd, variables, stdin, tmp_path_factory.mktemp("run"), end=end)
        if end:
            pytest.skip("not run: processes cannot be forked here, nor ended in time")
        return subprocess.run(
            [sys.executable, "-m", "goldpiece", *arguments],
            input=stdin,
            cwd=cwd,
            env=variables,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=300,
            check=False,
        )

    return run


def forked(
    zygote: "subprocess.Popen[str]",
    arguments: tuple[str, ...],
    cwd: Path,
    variables: Mapping[str, str],
    stdin: str,
    folder: Path,
    *,
    end: tuple[float, int] | None,
) -> "subprocess.CompletedProcess[str]":
    files = [folder / name for name in ("stdin", "stdout", "stderr")]
    for path, content in zip(files, (stdin, "", ""), strict=True):
        path.write_text(content, encoding="utf-8")
    job: dict[str, object] = {
        "arguments": arguments,
        "cwd": str(cwd),
        "env": variables,
        "files": [str(path) for path in files],
    }
    job["end"] = end
    assert zygote.stdin
    assert zygote.stdout
    zygote.stdin.write(json.dumps(job) + "\n")
    zygote.stdin.flush()
    status = int(zygote.stdout.readline())
    _, out, err = (path.read_bytes().decode() for path in files)
    return subprocess.CompletedProcess(["goldpiece", *arguments], status, out, err)
