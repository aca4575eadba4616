"""tiktoken under the suite: a table that ranks can say is built, any other is unsupported."""

import json
from pathlib import Path

import pytest

from goldpiece.suite.subjects.tiktoken import BPETokenizer

from .conftest import Goldpiece

pytest.importorskip("tiktoken", reason="not run: the extra `peers` is not installed")


def test_it_holds(goldpiece: Goldpiece, tmp_path: Path) -> None:
    done = goldpiece("check", "tiktoken", "--clause", "bpe_tokenizer.tokens", "--json", "out.json")
    assert done.returncode == 0, done.stdout + done.stderr
    (found,) = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))["clauses"]
    assert found["verdict"] == "holds", found


def test_what_it_does_not_do_is_said(goldpiece: Goldpiece) -> None:
    done = goldpiece("check", "tiktoken", "--clause", "bpe_tokenizer.byte-missing")
    assert done.returncode == 0
    assert "saying which byte the table lacks: it panics" in " ".join(done.stdout.split())


def test_a_panic_is_excused_only_where_a_byte_is_missing() -> None:
    class PanicException(BaseException):
        pass

    class Panics:
        def encode(self, *_: object, **__: object) -> None:
            raise PanicException

    tokenizer = BPETokenizer(["a", "b"], [])
    with pytest.raises(NotImplementedError, match="which byte the table lacks"):
        tokenizer.encode("abc", None, False, False)
    vars(tokenizer)["encoding"] = Panics()
    with pytest.raises(PanicException):
        tokenizer.encode("ab", None, False, False)
