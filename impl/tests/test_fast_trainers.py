"""The efficient trainers learn what the reference does, from any corpus, and look at no more than they say."""

import os
import subprocess
import sys
from importlib import import_module
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldpiece.fast.bpe_trainer import BPETrainer
from goldpiece.fast.training import Corpus, DoesNotFollow, Queue
from goldpiece.fast.wordpiece_trainer import WordPieceTrainer
from goldpiece.reference import bpe_trainer, wordpiece_trainer
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


PIECES = (
    *("corpora", "plain", "by_frequency", "by_ids", "by_first_seen", "in_a_row", "rare", "limited", "with_initial"),
    *("no_longer", "with_specials", "counted", "word_initial", "prefixed", "close", "of_one_score", "usual"),
)


@settings(max_examples=300, deadline=None)
@given(case=drawn("wordpiece_trainer", *PIECES))
def test_wordpiece_equals_the_reference(case: Any) -> None:
    counts = case.counts or [1] * len(case.words)
    right = wordpiece_trainer.WordPieceTrainer(**case.config).train_from_counts(case.words, counts)
    assert WordPieceTrainer(**case.config).train_from_counts(case.words, counts) == right


def some_words(count: int, letters: str = "aabbcde") -> list[str]:
    draws = Random(0)
    return ["".join(draws.choices(letters, k=draws.randint(1, 12))) for _ in range(count)]


@pytest.mark.parametrize("ties", ["ids", "first_seen"])
def test_bpe_equals_the_reference_on_many_words(ties: str) -> None:
    words = some_words(400)
    right = bpe_trainer.BPETrainer(120, ties=ties).train(words)
    assert len(right.merges) > 100
    assert BPETrainer(120, ties=ties).train(words) == right


@pytest.mark.parametrize("ties", ["ids", "first_seen"])
@pytest.mark.parametrize("least", [1, 3])
def test_wordpiece_equals_the_reference_on_many_words(ties: str, least: int) -> None:
    options: dict[str, Any] = {"ties": ties, "min_frequency": least}
    words = some_words(150)
    right = wordpiece_trainer.WordPieceTrainer(100, **options).train(words)
    assert len(right.merges) > 70
    assert WordPieceTrainer(100, **options).train(words) == right


class Visited(Corpus):
    """A corpus that counts the places that are looked at."""

    visits = 0

    def _is_at(self, pair: tuple[int, int], place: int) -> bool:
        self.visits += 1
        return super()._is_at(pair, place)


def test_a_merge_looks_only_where_the_pair_has_been() -> None:
    """Words that lack it cost nothing, and one long word no more than its merges."""
    corpus = Visited([([0, 1], 5), ([2, 3] * 10_000, 1), ([0, 1, 4], 2)])
    changed = corpus.merge((0, 1), 5)
    assert corpus.visits == 2
    assert changed == {(0, 1), (1, 4), (5, 4)}
    assert corpus.pairs[5, 4] == 2
    assert (0, 1) not in corpus.pairs
    assert corpus.singles[5] == 7


def test_the_first_place_moves_as_pairs_go() -> None:
    corpus = Corpus([([0, 1, 2], 1), ([3, 1, 2], 1)])
    assert corpus.first_place((1, 2)) == 2
    corpus.merge((0, 1), 4)
    assert corpus.first_place((1, 2)) == 6


def test_a_queue_puts_back_what_has_become_worse() -> None:
    keys = {(0, 0): 1, (1, 1): 2, (2, 2): 3}
    queue = Queue(lambda pair: (keys[pair],) if keys[pair] < 9 else None)
    for pair in keys:
        queue.push(pair)
    keys[0, 0] = 5
    keys[1, 1] = 9
    assert [queue.pop() for _ in range(3)] == [(2, 2), (0, 0), None]


@pytest.mark.parametrize(
    "trainer",
    [
        BPETrainer(60),
        BPETrainer(60, ties="first_seen", end_of_word="b"),
        WordPieceTrainer(60, min_frequency=2),
        WordPieceTrainer(60, ties="first_seen", min_frequency=2),
    ],
)
def test_training_goes_on_from_any_merge(trainer: BPETrainer | WordPieceTrainer) -> None:
    words = some_words(80)
    whole = trainer.train(words)
    for made in range(len(whole.merges) + 1):
        again = trainer.begin(words, [1] * len(words), whole.merges[:made])
        assert [(step.pair, step.occurrences) for step in again] == list(zip(whole.merges, whole.counts, strict=True))
        assert again.tokens == whole.tokens


@pytest.mark.parametrize("pair", [("a", "z"), ("z", "a"), ("b", "b")])
def test_merges_that_do_not_follow_are_refused(pair: tuple[str, str]) -> None:
    with pytest.raises(DoesNotFollow, match=f"rank 1, of '{pair[0]}' and '{pair[1]}'.* begin anew"):
        list(BPETrainer(9, min_frequency=1).begin(["abz", "ba"], [5, 1], [("a", "b"), pair]))


def test_five_thousand_words_take_a_second() -> None:
    """What counts all of them again after each of a thousand merges would take minutes, and not go unnoticed."""
    words = some_words(5_000, "abcdefghijklmnopqrstuvwxyz")
    assert len(BPETrainer(1_000).train(words).tokens) == 1_000
    assert len(WordPieceTrainer(1_000, min_frequency=2).train(words).tokens) == 1_000


def test_neither_hash_seed_nor_process_matters() -> None:
    """Each process has another order of sets of texts."""
    program = (
        "from goldpiece.fast.wordpiece_trainer import WordPieceTrainer as Trainer;"
        f"print(Trainer(90, min_frequency=1).train({some_words(60)!r}))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(outputs) == 1
    assert "merges=[(" in outputs.pop()
