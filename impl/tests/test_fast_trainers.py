"""The efficient trainers learn what the reference does, from any corpus, and look at no more than they say."""

import os
import subprocess
import sys
import tracemalloc
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from itertools import chain, pairwise
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldpiece.errors import UsageError
from goldpiece.fast.bpe_trainer import BPETrainer
from goldpiece.fast.merging import engine
from goldpiece.fast.merging.arrays import GAP, WORK, Rule
from goldpiece.fast.merging.engine import EngineName
from goldpiece.fast.merging.row import Row
from goldpiece.fast.merging.storage import Laid
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
HAS_NUMBA = find_spec("numba") is not None
COMPILED = pytest.param(
    "compiled", marks=pytest.mark.skipif(not HAS_NUMBA, reason="not run: numba is not installed; it is in `fast`")
)
ENGINES = ["python", COMPILED]
QUICKEST: EngineName = "compiled" if HAS_NUMBA else "python"


def drawn(spec: str, *kinds: str) -> st.SearchStrategy[Any]:
    """What the laws of a spec draw."""
    strategies = import_module(f"goldpiece.properties.strategies.{spec}")
    scope = Scope(SPECS.named(spec), None, Depth.QUICK, in_this_process("reference", SPECS).declaration)
    return st.one_of([getattr(strategies, kind)(scope) for kind in kinds])


KINDS = (
    *("corpora", "plain", "by_ids", "by_first_seen", "in_a_row", "made_twice", "rare", "limited", "with_initial"),
    *("no_longer", "ending", "ending_apart", "with_specials", "counted"),
)


@pytest.mark.parametrize("engine", ENGINES)
@settings(max_examples=150, deadline=None)
@given(case=drawn("bpe_trainer", *KINDS))
def test_bpe_equals_the_reference(engine: EngineName, case: Any) -> None:
    counts = case.counts or [1] * len(case.words)
    right = bpe_trainer.BPETrainer(**case.config).train_from_counts(case.words, counts)
    assert BPETrainer(**case.config, engine=engine).train_from_counts(case.words, counts) == right


PIECES = (
    *("corpora", "plain", "by_frequency", "by_ids", "by_first_seen", "in_a_row", "rare", "limited", "with_initial"),
    *("no_longer", "with_specials", "counted", "word_initial", "prefixed", "close", "of_one_score", "usual"),
)


@pytest.mark.parametrize("engine", ENGINES)
@settings(max_examples=150, deadline=None)
@given(case=drawn("wordpiece_trainer", *PIECES))
def test_wordpiece_equals_the_reference(engine: EngineName, case: Any) -> None:
    counts = case.counts or [1] * len(case.words)
    right = wordpiece_trainer.WordPieceTrainer(**case.config).train_from_counts(case.words, counts)
    assert WordPieceTrainer(**case.config, engine=engine).train_from_counts(case.words, counts) == right


def some_words(count: int, letters: str = "aabbcde") -> list[str]:
    draws = Random(0)
    return ["".join(draws.choices(letters, k=draws.randint(1, 12))) for _ in range(count)]


@pytest.mark.parametrize("ties", ["ids", "first_seen"])
def test_bpe_equals_the_reference_on_many_words(ties: str) -> None:
    words = some_words(400)
    right = bpe_trainer.BPETrainer(120, ties=ties).train(words)
    assert len(right.merges) > 100
    assert BPETrainer(120, ties=ties, engine="python").train(words) == right
    assert BPETrainer(120, ties=ties, engine=QUICKEST).train(words) == right


@pytest.mark.parametrize("ties", ["ids", "first_seen"])
@pytest.mark.parametrize("least", [1, 3])
def test_wordpiece_equals_the_reference_on_many_words(ties: str, least: int) -> None:
    options: dict[str, Any] = {"ties": ties, "min_frequency": least}
    words = some_words(150)
    right = wordpiece_trainer.WordPieceTrainer(100, **options).train(words)
    assert len(right.merges) > 70
    assert WordPieceTrainer(100, **options, engine="python").train(words) == right
    assert WordPieceTrainer(100, **options, engine=QUICKEST).train(words) == right


def row_of(words: Sequence[tuple[Sequence[int], int]], floor: int = 1) -> Row:
    """The row of words given by symbols and counts, ranked by frequency."""
    symbols = [GAP, *chain.from_iterable([*word, GAP] for word, _ in words)]
    lengths = [len(word) + 1 for word, _ in words]
    numbers = [0, *np.repeat(np.arange(len(words)), lengths)]
    laid = Laid(np.array(symbols, np.int32), np.array(numbers, np.int32), np.array([times for _, times in words]))
    return Row(laid, max(symbols) + 1, Rule(False, True, False, floor), "python")


def number_of(row: Row, first: int, second: int) -> int:
    pair = row.find(first, second)
    assert pair is not None
    return pair


def test_a_merge_looks_only_where_the_pair_has_been() -> None:
    """Words that lack it cost nothing, and one long word no more than its merges."""
    row = row_of([([0, 1], 5), ([2, 3] * 10_000, 1), ([0, 1, 4], 2)])
    before = int(row._arrays.totals[WORK])
    assert row.join(number_of(row, 0, 1), 5) == 1
    assert row._arrays.totals[WORK] - before == 3  # two places of the pair, and one of what it makes
    assert row.counts_of(number_of(row, 5, 4)) == (2, 7, 2)
    assert row.find(0, 1) is None
    assert row.find(1, 4) is None


def test_what_is_too_rare_comes_back_with_a_symbol_that_is_made_again() -> None:
    """(2, 3) has the floor only with what a second merge into 2 adds."""
    row = row_of([([2, 3], 1), ([0, 1, 3], 1), ([4, 2, 4], 2)], floor=2)
    assert row.find(2, 3) is None
    assert row.find(0, 1) is None
    row = row_of([([2, 3], 1), ([0, 1, 3], 1), ([0, 1], 1)], floor=2)
    assert row.find(2, 3) is None
    row.join(number_of(row, 0, 1), 2)
    assert row.counts_of(number_of(row, 2, 3))[0] == 2


# Which engine merges.


def test_the_compiled_kernels_go_on_when_there_is_work_for_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """From whatever merge on, with the same result."""
    pytest.importorskip("numba", reason="not run: numba is not installed; it is in the extra `fast`")
    words = some_words(150)
    for trainer in (BPETrainer(100), WordPieceTrainer(100, min_frequency=2)):
        right, seen = replace(trainer, engine="python").train(words), set()
        for worth in (0, 1_500, 2_500, 10**9):
            monkeypatch.setattr(engine, "WORTH", worth)
            monkeypatch.setattr(engine, "WORTH_COMPILING", worth)
            monkeypatch.setattr(engine, "MACHINE", "not yet imported")
            merging = trainer.merging(words, [1] * len(words))
            used = [merging.engine_in_use for _ in chain([None], merging)]
            assert used == sorted(used, reverse=True)
            assert merging.trained == right
            seen.add((used[0], used[-1]))
        assert seen == {("compiled", "compiled"), ("python", "compiled"), ("python", "python")}


def test_what_is_to_be_compiled_first_has_to_be_worth_more(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba", reason="not run: numba is not installed; it is in the extra `fast`")
    monkeypatch.setattr(engine, "MACHINE", "not yet imported")
    for are_kept, used in ((False, "python"), (True, "compiled")):
        monkeypatch.setattr(engine, "_are_kept", lambda are_kept=are_kept: are_kept)
        choice = engine.Choice("auto")
        assert choice.engine(engine.WORTH - 1).name == "python"
        assert choice.engine(engine.WORTH).name == used
        assert choice.engine(engine.WORTH_COMPILING).name == "compiled"


def test_without_numba_python_merges(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "find_spec", lambda _: None)
    monkeypatch.setattr(engine, "WORTH", 0)
    assert BPETrainer(9).merging(["ab"], [2]).engine_in_use == "python"
    with pytest.raises(UsageError, match=r"numba, which is not installed: install goldpiece\[fast\], or take 'auto'"):
        BPETrainer(9, engine="compiled")


def test_with_a_compiler_that_is_told_to_do_nothing_python_merges() -> None:
    pytest.importorskip("numba", reason="not run: numba is not installed; it is in the extra `fast`")
    program = (
        "from goldpiece.fast.bpe_trainer import BPETrainer;"
        "merging = BPETrainer(9, engine='compiled').merging(['ab'], [2]);"
        "print([merge.joined for merge in merging], merging.engine_in_use)"
    )
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environment)
    assert done.stdout == "['ab'] python\n"


def test_an_engine_that_there_is_not() -> None:
    with pytest.raises(UsageError, match="there is no engine 'quick'; there are auto, python, compiled"):
        BPETrainer(9, engine="quick")  # type: ignore[arg-type]


TWINS: list[Any] = [
    (bpe_trainer.BPETrainer, BPETrainer, {}),
    (wordpiece_trainer.WordPieceTrainer, WordPieceTrainer, {"special_tokens": [], "prefix": ""}),
]


@pytest.mark.parametrize(("once", "used"), [(2, QUICKEST), (1, "python")])
@pytest.mark.parametrize(("reference", "twin", "options"), TWINS)
def test_counts_at_the_border_of_64_bits(reference: Any, twin: Any, options: Any, once: int, used: str) -> None:
    """Three for each word of two letters, and two for one of one letter, are 2^63 - 1 together, or 2^63."""
    both = (2**63 - 2 if once == 1 else 2**63 - 5) // 3
    assert 3 * both + 2 * once == 2**63 + 1 - once
    words, counts = ["ab", "cd", "a"], [both // 2, both - both // 2, once]
    merging = twin(9, **options, engine=QUICKEST).merging(words, counts)
    assert merging.engine_in_use == used
    assert len(list(merging)) == 2
    assert merging.trained == reference(9, **options).train_from_counts(words, counts)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("more", "order"), [(-1, ["cd", "ab"]), (0, ["ab", "cd"]), (1, ["ab", "cd"])])
def test_likelihoods_are_compared_exactly(engine: EngineName, more: int, order: list[str]) -> None:
    """They are the same to one part in 2^58, whose product with a count of as many bits takes three words."""
    words, often = ["ab", "cd", "a", "c"], 2**57
    trainer = WordPieceTrainer(6, special_tokens=[], prefix="", engine=engine)
    found = trainer.train_from_counts(words, [often, often, often + 7, often + 7 + more])
    assert found.tokens == ["a", "b", "c", "d", *order]


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
    BPETrainer(9, engine=QUICKEST).train(["a word"])  # what numba takes is not of the word
    tracemalloc.start()
    try:
        found = BPETrainer(100, engine=QUICKEST).train([word])
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
