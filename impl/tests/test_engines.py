"""Which engine encodes, what it is told by, and what is imported for it."""

import subprocess
import sys

import pytest

import goldpiece
from goldpiece import Tokenizer
from goldpiece.errors import UsageError
from goldpiece.fast import tokenizer as module

VOCAB = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "a", "##b"]


@pytest.fixture
def no_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "has_numba", lambda: False)


@pytest.mark.usefixtures("no_numba")
def test_without_numba_the_reference_encodes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever there is to do; and what only the kernels could do is refused when it is asked for."""
    monkeypatch.setattr(module, "WORTH", 1)
    tokenizer = Tokenizer(VOCAB)
    assert tokenizer.encode_ids_batch(["ab", "a"], workers=2).tolist() == [[2, 4, 5, 3], [2, 4, 3]]
    assert tokenizer.encode_ids("ab", "a").tolist() == [2, 4, 5, 3, 4, 3]
    assert tokenizer.decode_batch([[4, 5], [4]]) == ["ab", "a"]
    assert tokenizer(["ab", "a"], padding=True)["input_ids"] == [[2, 4, 5, 3], [2, 4, 3, 0]]
    assert tokenizer.engine_in_use == "reference"
    with pytest.raises(UsageError, match=r"numba, which is not installed: install goldpiece\[fast\]"):
        Tokenizer(VOCAB, engine="fast")


def test_the_kernels_come_when_there_is_work_for_them(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba", reason="not run: numba is not installed; it is in the extra `fast`")
    monkeypatch.setattr(module, "WORTH", 10)
    tokenizer = Tokenizer(VOCAB)
    used = []
    for _ in range(5):
        assert tokenizer.encode_batch(["ab"], ["a"]).ids == [[2, 4, 5, 3, 4, 3]]
        used.append(tokenizer.engine_in_use)
    assert used == ["reference", "reference", "reference", "fast", "fast"]
    assert Tokenizer(VOCAB, engine="fast").engine_in_use == "fast"
    assert Tokenizer(VOCAB, engine="reference").engine_in_use == "reference"
    assert Tokenizer(VOCAB, engine="reference") == Tokenizer(VOCAB, engine="fast")


@pytest.mark.parametrize(
    "keywords", [{"engine": "slow"}, {"engine": None}, {"cache_bytes": 1000}, {"cache_bytes": "much"}], ids=str
)
def test_what_there_is_not(keywords: dict[str, object]) -> None:
    with pytest.raises(UsageError, match=r"there are auto, reference, fast|give a whole number from 131072 on"):
        Tokenizer(VOCAB, **keywords)  # type: ignore[arg-type]


def test_names_are_imported_when_they_are_asked_for() -> None:
    """And numba not even with the tokenizer, before it is needed."""
    program = """
import sys, goldpiece
assert not {"numpy", "regex", "numba"} & set(sys.modules), "too early"
goldpiece.Tokenizer(["a"]).encode_batch(["a"], add_special_tokens=False)
assert "numpy" in sys.modules and "numba" not in sys.modules, "numba too early"
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
    assert {*goldpiece._HOME, "__version__"} == set(goldpiece.__all__)
    for name in goldpiece.__all__:
        assert getattr(goldpiece, name) is not None
        assert name in dir(goldpiece)
    with pytest.raises(AttributeError, match="has no attribute 'Nothing'"):
        goldpiece.Nothing  # noqa: B018
