"""Runs `goldpiece` as a user would: in a process of its own."""

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias

import pytest

SUBJECTS = Path(__file__).parent / "subjects"

Goldpiece: TypeAlias = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def goldpiece(tmp_path: Path) -> Goldpiece:
    """`goldpiece("check", "reference")` in an empty folder, with the modules of impl/tests/subjects in reach."""

    def run(
        *arguments: str, cwd: Path = tmp_path, env: Mapping[str, str] | None = None, stdin: str = ""
    ) -> "subprocess.CompletedProcess[str]":
        variables = os.environ | {"PYTHONPATH": str(SUBJECTS), "COLUMNS": "120"} | dict(env or {})
        command = [sys.executable, "-m", "goldpiece", *arguments]
        return subprocess.run(
            command,
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
