"""Compiled kernels of trainers are kept, and placed in memory without what compiled them."""

import platform
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from goldpiece.fast.bpe_trainer import BPETrainer
from goldpiece.fast.wordpiece_trainer import WordPieceTrainer


@pytest.fixture
def machine() -> Any:
    """The module of what is compiled."""
    pytest.importorskip("numba", reason="not run: numba is not installed; it is in the extra `fast`")
    return import_module("goldpiece.fast.merging.machine")


def test_kernels_are_compiled_once_and_kept(machine: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a process finds is what another has compiled. What is damaged is not there."""
    kept, known = machine.Kept(), [(f"name of {kernel}", b"\n1" * 9) for kernel in machine.KERNELS]
    codes = [machine.Code(number, ((8, 16), (24, 0)), (32, 40), b"\n2" * 32) for number in range(len(known))]
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert kept.folder.parent == tmp_path / "goldpiece"
    assert (kept.is_there(), kept.objects(), kept.codes()) == (False, None, None)
    kept.write(known, None)
    assert (kept.is_there(), kept.objects(), kept.codes()) == (True, known, None)
    kept.write(known, codes)
    assert (kept.objects(), kept.codes()) == (known, codes)
    damaged = kept.folder / "best.code"
    damaged.write_bytes(damaged.read_bytes()[:-1])
    assert kept.codes() is None
    kept.folder.joinpath("join.o").unlink()
    assert (kept.is_there(), kept.objects()) == (False, None)
    nowhere = machine.Kept()
    (tmp_path / "file").touch()
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "file"))
    nowhere.write(known, codes)
    assert nowhere.folder is None
    assert (nowhere.is_there(), nowhere.objects(), nowhere.codes()) == (False, None, None)


@pytest.mark.parametrize("how", ["Placed", "Linked"])
def test_code_is_placed_or_linked(machine: Any, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    """Where memory may not be written and executed, the library that compiles links it: the merges are the same."""
    if how == "Linked":

        def refused(_: object) -> None:
            raise PermissionError

        monkeypatch.setattr(machine, "Placed", refused)
    made = machine.machine.__wrapped__()
    known = sys.platform == "linux" and platform.machine() == "x86_64"
    assert type(made._loaded).__name__ == (how if known else "Linked")
    monkeypatch.setattr(machine, "machine", lambda: made)
    words, counts = ["abab", "abc", "bcab", "cab", "aaaa"], [5, 4, 3, 2, 1]
    for trainer in (BPETrainer, WordPieceTrainer):
        of_python, of_machine = (trainer(30, min_frequency=1, engine=name) for name in ("python", "compiled"))
        found = of_machine.train_from_counts(words, counts)
        assert found == of_python.train_from_counts(words, counts)
        assert len(found.merges) > 5


def test_code_that_cannot_be_placed_is_none(machine: Any) -> None:
    machine.machine()  # now it is compiled, and kept
    if (objects := machine.KEPT.objects()) is None:
        pytest.skip("not run: nothing can be written to the cache of this user")
    name, content = objects[0]
    assert machine.Code.of_object(name, b"no object file") is None
    if code := machine.Code.of_object(name, content):
        assert code == machine.Code.of_bytes(code.to_bytes())
        assert machine.Code.of_object(name, content.replace(b"NRT_MemInfo_call_dtor", b"another_function_dtor")) is None


def test_what_is_kept_is_loaded_without_numba(machine: Any) -> None:
    if machine.KEPT.folder is None:
        pytest.skip("not run: nothing can be written to the cache of this user")
    BPETrainer(9, engine="compiled").train(["ab"])  # now it is kept
    program = (
        "import sys; from goldpiece.fast.bpe_trainer import BPETrainer;"
        "merging = BPETrainer(9, engine='compiled').merging(['ab'], [2]);"
        "print([merge.joined for merge in merging], merging.engine_in_use, 'numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "['ab'] compiled False\n"
