"""The efficient trainers learn what the reference does, from any corpus, and look at no more than they say."""

from importlib import import_module
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldpiece.fast.bpe_trainer import BPETrainer
from goldpiece.fast.training import Corpus
from goldpiece.reference import bpe_trainer
from goldpiece.suite.loader import load_specs
from goldpiece.suite.scope import Scope
from goldpiece.suite.spec import Depth
from goldpiece.suite.subjects import in_this_process

SPECS = load_specs()


def drawn(spec: str, *kinds: str) -> st.SearchStrategy[Any]:
    """What the laws of a spec draw."""
    strategies = import_module(f"goldpiece.properties.strategies.{spec}")
    scope = Scope(SPECS.named(spec), None, Depth.QUICK, in_this_process("reference", SPECS).declaration)
    return st.one_of([getattr(strategies, kind)(scope) for kind in kinds])


KINDS = (
    *("corpora", "plain", "by_ids", "by_first_seen", "in_a_row", "made_twice", "rare", "limited", "with_initial"),
    *("no_longer", "ending", "ending_apart", "with_specials", "counted"),
)


@settings(max_examples=300, deadline=None)
@given(case=drawn("bpe_trainer", *KINDS))
def test_bpe_equals_the_reference(case: Any) -> None:
    counts = case.counts or [1] * len(case.words)
    right = bpe_trainer.BPETrainer(**case.config).train_from_counts(case.words, counts)
    assert BPETrainer(**case.config).train_from_counts(case.words, counts) == right


def some_words(count: int, letters: str = "aabbcde") -> list[str]:
    draws = Random(0)
    return ["".join(draws.choices(letters, k=draws.randint(1, 12))) for _ in range(count)]


@pytest.mark.parametrize("ties", ["ids", "first_seen"])
def test_bpe_equals_the_reference_on_many_words(ties: str) -> None:
    words = some_words(400)
    right = bpe_trainer.BPETrainer(120, ties=ties).train(words)
    assert len(right.merges) > 100
    assert BPETrainer(120, ties=ties).train(words) == right
