"""The efficient trainers learn what the reference does, from any corpus, and look at no more than they say."""

import os
import subprocess
import sys
import tracemalloc
from collections import Counter
from importlib import import_module
from itertools import chain, pairwise
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldpiece.fast.bpe_trainer import BPETrainer
from goldpiece.fast.ranking import Ranking
from goldpiece.fast.row import Numbers, Row
from goldpiece.fast.training import MergeDoesNotFit
from goldpiece.fast.wordpiece_trainer import WordPieceTrainer
from goldpiece.reference import bpe_trainer, wordpiece_trainer
from goldpiece.reference.bpe import merge_pair
from goldpiece.suite.loader import load_specs
from goldpiece.suite.scope import Scope
from goldpiece.suite.spec import Depth
from goldpiece.suite.subjects import in_this_process

SPECS = load_specs()
PER_CHARACTER = 150  # bytes; they were 72


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


class Visited(Row):
    """A row that counts the places that are looked at."""

    visits = 0

    def _places_of(self, pair: int) -> Numbers:
        places = super()._places_of(pair)
        self.visits += len(places)
        return places

    def _enter(self, places: Numbers) -> Numbers:
        self.visits += len(places)
        return super()._enter(places)


def number_of(row: Row, first: int, second: int) -> int:
    pair = row.find(first, second)
    assert pair is not None
    return pair


def test_a_merge_looks_only_where_the_pair_has_been() -> None:
    """Words that lack it cost nothing, and one long word no more than its merges."""
    row = Visited([([0, 1], 5), ([2, 3] * 10_000, 1), ([0, 1, 4], 2)], symbols=5, floor=1)
    row.visits = 0
    changes = row.merge(number_of(row, 0, 1), 5)
    assert row.visits == 3  # two of the pair, and one of what it makes
    assert {(row.first[pair], row.second[pair]) for pair in changes.fallen} == {(0, 1), (1, 4)}
    assert [(row.first[pair], row.second[pair], row.counts[pair]) for pair in changes.new] == [(5, 4, 2)]
    assert row.find(0, 1) is None
    assert row.singles[5] == 7


def test_the_first_place_moves_as_pairs_go() -> None:
    row = Row([([0, 1, 2], 1), ([3, 1, 2], 1)], symbols=4, floor=1)
    pair = number_of(row, 1, 2)
    assert row.first_place(pair) == 2
    row.merge(number_of(row, 0, 1), 4)
    assert row.first_place(pair) == 6


def test_what_is_too_rare_comes_back_with_a_symbol_that_is_made_again() -> None:
    """(2, 3) has the floor only with what a second merge into 2 adds."""
    row = Row([([2, 3], 1), ([0, 1, 3], 1), ([4, 2, 4], 2)], symbols=5, floor=2)
    assert row.find(2, 3) is None
    assert row.find(0, 1) is None
    row = Row([([2, 3], 1), ([0, 1, 3], 1), ([0, 1], 1)], symbols=4, floor=2)
    assert row.find(2, 3) is None
    row.merge(number_of(row, 0, 1), 2)
    row.take_anew(2)
    assert row.counts[number_of(row, 2, 3)] == 2


def best(ranking: Ranking) -> list[int]:
    found: list[int] = ranking.best().tolist()
    return found


def test_a_ranking_has_the_highest_score_whatever_rises_or_falls() -> None:
    draws, ranking = Random(0), Ranking()
    scores = [draws.randint(0, 50) for _ in range(2_000)]
    ranking.put(np.arange(2_000), np.array(scores, dtype=float))
    for _ in range(300):
        chosen = draws.sample(range(2_000), 20)
        for pair in chosen:
            scores[pair] = draws.randint(0, 52)
        ranking.put(np.array(chosen), np.array([float(scores[pair]) for pair in chosen]))
        highest = max(scores)
        assert best(ranking) == [pair for pair, score in enumerate(scores) if score == highest]
    ranking.put(np.arange(2_000), np.zeros(2_000))
    assert best(ranking) == []


def test_a_ranking_leaves_what_is_close_to_exact_numbers() -> None:
    ranking = Ranking()
    ranking.put(np.arange(3), np.array([1.0, 1 + 2**-50, 0.9]))
    assert best(ranking) == [0, 1]
    assert best(Ranking()) == []


def test_merging_is_seen_from_step_to_step() -> None:
    merging = BPETrainer(9).merging(["abc", "xab"], [2, 1])
    merge = next(merging)
    assert merge[:6] == (0, ("a", "b"), "ab", 3, 3, 3)
    assert merging.word_of(merge) == ["ab", "c"]
    assert merging.trained == (["a", "b", "c", "x", "ab"], [("a", "b")], [3], 4)
    assert [(merge.joined, *merge[3:6]) for merge in merging] == [("abc", 2, 3, 2)]
    assert merging.trained == BPETrainer(9).train_from_counts(["abc", "xab"], [2, 1])


@pytest.mark.parametrize("ties", ["ids", "first_seen"])
def test_training_goes_on_from_merges_that_are_made(ties: str) -> None:
    words, counts = (some_words(200), [1] * 200)
    for trainer in (BPETrainer(80, ties=ties), WordPieceTrainer(80, ties=ties, min_frequency=2)):
        whole = trainer.train_from_counts(words, counts)
        assert len(whole.merges) > 50
        for begun in (0, 1, 30, len(whole.merges)):
            merging = trainer.merging(words, counts, whole.merges[:begun])
            assert len(list(merging)) == len(whole.merges) - begun
            assert merging.trained == whole


@pytest.mark.parametrize("begun", [[("a", "c")], [("a", "z")], [("a", "b"), ("a", "b")], [("b", "c")]])
def test_merges_of_another_corpus_are_refused(begun: list[tuple[str, str]]) -> None:
    with pytest.raises(MergeDoesNotFit, match="is none that training on these words can have made"):
        BPETrainer(9).merging(["abc", "ab"], [1, 1], begun)


@pytest.mark.parametrize("trainer", [BPETrainer(60), WordPieceTrainer(60, min_frequency=2, special_tokens=[])])
def test_what_a_merge_says_is_what_a_recount_finds(trainer: BPETrainer | WordPieceTrainer) -> None:
    """Of its pair and of both its parts; and no symbol is lost."""
    words = some_words(60)
    rows = [[*word] if isinstance(trainer, BPETrainer) else [word[0], *(f"##{c}" for c in word[1:])] for word in words]
    made = 0
    for merge in trainer.merging(words, [1] * len(words)):
        symbols, pairs = Counter(chain(*rows)), Counter(chain(*map(pairwise, rows)))
        assert merge[3:6] == (pairs[merge.pair], symbols[merge.pair[0]], symbols[merge.pair[1]])
        rows = [merge_pair(row, merge.pair, merge.joined) for row in rows]
        made += 1
    assert made > 30


EDGES = {
    "nothing": ([], 0),
    "one character": (["a"] * 9, 0),
    "one word": (["abcd"] * 9, 3),
    "one word that is met once": (["abcd"], 0),
    "ties everywhere": ([one + other for one in "abcd" for other in "efgh"] * 2, 16),
}


@pytest.mark.parametrize("ties", ["ids", "first_seen"])
@pytest.mark.parametrize("name", EDGES)
def test_corpora_at_the_edge(name: str, ties: str) -> None:
    words, merges = EDGES[name]
    found = BPETrainer(99, ties=ties).train(words)
    assert len(found.merges) == merges
    assert len(found.tokens) + found.short_by == 99
    assert found == bpe_trainer.BPETrainer(99, ties=ties).train(words)


def test_one_word_of_200_kilobytes_takes_memory_as_its_length() -> None:
    """As a line without spaces is, or a protein."""
    word = "".join(Random(0).choices("acdefghiklmnpqrstvwy", k=200_000))
    tracemalloc.start()
    try:
        found = BPETrainer(100).train([word])
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(found.merges) == 80
    assert peak < PER_CHARACTER * len(word)


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
