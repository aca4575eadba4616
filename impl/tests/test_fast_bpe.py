"""The efficient twin of BPE does what the reference does, and no more work than it says."""

import pickle
from collections.abc import Callable
from importlib import import_module
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldpiece import BPETokenizer, Tokenizer
from goldpiece.fast.bpe import BPE, KEPT, LONGEST
from goldpiece.reference import bpe
from goldpiece.suite.loader import load_specs
from goldpiece.suite.scope import Scope
from goldpiece.suite.spec import Depth
from goldpiece.suite.subjects import in_this_process

strategies = import_module("goldpiece.properties.strategies.bpe")
SPECS = load_specs()
SCOPE = Scope(SPECS.named("bpe"), None, Depth.QUICK, in_this_process("reference", SPECS).declaration)


KINDS = ("words", "in_a_row", "out_of_order", "fused", "with_bytes", "as_wholes", "ending", "ending_apart", "dropping")


@settings(max_examples=200, deadline=None)
@given(case=st.one_of([getattr(strategies, kind)(SCOPE) for kind in KINDS]), seed=st.integers(0, 99))
def test_it_equals_the_reference(case: Any, seed: int) -> None:
    """On all that the laws draw; under dropout, where it is asked for, both draw the same."""
    config = case.config | {"seed": seed}
    for word in (case.word, case.word * 5):
        one, other = BPE(**config), bpe.BPE(**config)
        assert one.tokenize(word) == other.tokenize(word)
        assert one.merges_made(word) == other.merges_made(word)


class Counted(dict[Any, int]):
    """Ranks that count how often they are asked for."""

    asked = 0

    def get(self, pair: Any, default: Any = None) -> Any:
        self.asked += 1
        return super().get(pair, default)


def doubling(letter: str, times: int) -> dict[str, Any]:
    """A table that makes one symbol of up to 2^times letters."""
    entries = [letter * 2**exponent for exponent in range(times + 1)]
    return {"vocab": entries, "merges": [(entry, entry) for entry in entries[:-1]]}


def letters(count: int) -> str:
    return "".join(Random(0).choices("abcd", k=count))


TABLES: dict[str, tuple[dict[str, Any], Callable[[int], str]]] = {
    "one letter": (doubling("a", 16), lambda count: "a" * count),
    "no merge": ({"vocab": ["a"], "merges": []}, lambda count: "a" * count),
    "letters": (
        {
            "vocab": [*"abcd", *(first + second for first in "abcd" for second in "abcd")],
            "merges": [(first, second) for first in "abcd" for second in "abcd"],
        },
        letters,
    ),
}


@pytest.mark.parametrize("name", TABLES)
def test_work_grows_with_the_word_and_not_its_square(name: str) -> None:
    config, make = TABLES[name]
    for count in (1_000, 10_000):
        model = BPE(**config)
        counted = model.__dict__["_ranks"] = Counted(model._ranks)
        model.tokenize(make(count))
        assert 0 < counted.asked <= 3 * count


def test_a_hundred_thousand_equal_letters() -> None:
    """About half a second; a quadratic algorithm would take minutes, and not go unnoticed."""
    pieces, offsets = BPE(**doubling("a", 16)).tokenize("a" * 100_000)
    assert [len(piece) for piece in pieces] == [65_536, 32_768, 1_024, 512, 128, 32]
    assert offsets[-1] == (99_968, 100_000)


def test_the_cache_is_bounded() -> None:
    model = BPE(vocab=["a", "b"], merges=[])
    assert model._kept.cache_info().maxsize == KEPT  # type: ignore[attr-defined]
    model.tokenize("a" * (LONGEST + 1))
    assert model._kept.cache_info().currsize == 0  # type: ignore[attr-defined]
    first, _ = model.tokenize("ab")
    first.append("spoilt")
    assert model.tokenize("ab")[0] == ["a", "b"]


def test_what_was_used_can_be_pickled() -> None:
    """As processes that share the work need it."""
    for tokenizer in (BPETokenizer(["a", "b", "ab"], [("a", "b")]), Tokenizer(["[UNK]", "[CLS]", "[SEP]", "ab"])):
        ids = tokenizer.encode("ab").ids
        assert pickle.loads(pickle.dumps(tokenizer)).encode("ab").ids == ids  # noqa: S301 (our own)


@pytest.mark.parametrize("kind", [BPE, bpe.BPE])
def test_entries_and_merges_may_be_iterators(kind: type[bpe.BPE]) -> None:
    vocab, merges = ["a", "b", "c", "ab", "abc"], [("a", "b"), ("ab", "c")]
    assert kind(iter(vocab), iter(merges)).tokenize("abc")[0] == ["abc"]
    assert kind(iter(vocab), iter([])).tokenize("abc")[0] == ["a", "b", "c"]
    tokenizer = BPETokenizer(iter(vocab), iter(merges))  # type: ignore[arg-type]
    assert tokenizer.encode("abc").tokens == ["abc"]
