"""sentencepiece under the suite: its BPE model is built of tables that scores of entries can say."""

import pytest

from .conftest import Goldpiece

pytest.importorskip("sentencepiece", reason="not run: the extra `rivals` is not installed")


def test_it_holds_but_for_what_is_declared(goldpiece: Goldpiece) -> None:
    done = goldpiece("check", "sentencepiece", "--clause", "bpe.byte-fallback")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "≠ bpe.byte-fallback diverges" in done.stdout
    assert "All bytes of a character but the last have no width" in " ".join(done.stdout.split())
