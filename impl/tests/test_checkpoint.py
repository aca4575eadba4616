"""Training that is ended at any moment goes on where it was, and what it learns is the same to the byte."""

import os
import signal
import time
from pathlib import Path
from random import Random

import pytest

from goldpiece.suite.corpus import topics

from .conftest import Goldpiece

pytest.importorskip("lmdb", reason="not run: lmdb is not installed")

ROUNDS = int(os.environ.get("GOLDPIECE_KILLS", "2"))
MODELS = (["wordpiece", "--size", "700", "--min-frequency", "2"], ["bpe", "--size", "700"])


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Forty files, which are counted one after the other."""
    folder = tmp_path_factory.mktemp("corpus")
    text = topics()
    for number in range(40):
        (folder / f"{number:02}.txt").write_text(text[number * 3_000 :][:3_000], encoding="utf-8")
    return folder


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.glob("[!.]*")}


@pytest.mark.parametrize("number", range(ROUNDS))
def test_what_is_killed_ends_as_if_it_were_not(goldpiece: Goldpiece, corpus: Path, tmp_path: Path, number: int) -> None:
    draws = Random(number)
    right, out, kept = (str(tmp_path / name) for name in ("right", "out", "kept"))
    train = ["train", *MODELS[number % 2], str(corpus)]
    begun = time.monotonic()
    assert goldpiece(*train, "-o", right).returncode == 0
    whole = time.monotonic() - begun
    often = ["--checkpoint", kept, "--resume", "--checkpoint-every", str(draws.choice([0.01, 0.05, 0.2]))]
    workers = ["--workers", "2"] if number % 5 == 4 else []
    for _ in range(draws.randint(1, 4)):
        done = goldpiece(*train, "-o", out, *often, *workers, end=(draws.uniform(0, 1.5 * whole), signal.SIGKILL))
        assert done.returncode in (0, -signal.SIGKILL)
    done = goldpiece(*train, "-o", out, *often)
    assert done.returncode == 0, done.stderr
    assert files(Path(out)) == files(Path(right))
