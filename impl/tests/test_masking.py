"""Masking as a library: the twin in NumPy, new schemes, functions on tokens, and what laws say of black boxes."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from importlib import import_module
from itertools import accumulate
from math import comb
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldpiece import Tokenizer, identify_word_groups, random_subword_masking, whole_word_masking
from goldpiece.errors import GoldpieceError
from goldpiece.fast.masking import Masking as Fast
from goldpiece.reference.masking import NOT_SELECTED, Masking, Replacement, Selection
from goldpiece.reference.masking.draws import Draws
from goldpiece.reference.masking.errors import IdOutOfRange, LengthsDiffer, RateOutOfRange
from goldpiece.reference.masking.selection import Bernoulli, Row
from goldpiece.reference.masking.tokens import NoVocabulary, TokenMissing, tokens_of
from goldpiece.reference.masking.words import Leak
from goldpiece.suite.checks import checks_of
from goldpiece.suite.loader import load_specs
from goldpiece.suite.spec import Depth
from goldpiece.suite.subjects import in_this_process

from .conftest import SUBJECTS

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
VOCAB = [*SPECIAL, "a", "##b", "c", "d", "##e", "##f", "g", "Ġh", "▁i", "j</w>", "k", "##l"]
Share = import_module("goldpiece.properties.chance").Share


# The twin in NumPy.


@st.composite
def configs(draw: st.DrawFn) -> dict[str, Any]:
    mask_rate = draw(st.sampled_from([0.8, 0.0, 0.5, 1.0]))
    return {
        "unit": draw(st.sampled_from(["subword", "word", "span"])),
        "budget": draw(st.sampled_from(["bernoulli", "fraction", "bert", "greedy"])),
        "rate": draw(st.one_of(st.sampled_from([0.15, 0.5, 0.0, 1.0]), st.floats(0, 1))),
        "max_predictions": draw(st.sampled_from([None, None, 0, 1, 3])),
        "mask_rate": mask_rate,
        "random_rate": draw(st.sampled_from([0.0, 1 - mask_rate, (1 - mask_rate) / 2])),
        "replace_per": draw(st.sampled_from(["token", "unit"])),
        "random_special": draw(st.booleans()),
        "scheme": draw(st.sampled_from([None, "##", "Ġ", "▁", "</w>"])),
        "span_p": draw(st.sampled_from([0.2, 0.5, 1.0])),
        "span_limit": draw(st.sampled_from([10, 1, 2])),
        "seed": draw(st.sampled_from([0, 1, -1, 2**70])),
    }


@st.composite
def batches(draw: st.DrawFn) -> dict[str, Any]:
    rows = draw(st.lists(st.lists(st.integers(0, len(VOCAB) - 1), max_size=20), max_size=5))

    def beside(values: st.SearchStrategy[Any]) -> Any:
        """One value for each token, or nothing."""
        lists = st.tuples(*(st.lists(values, min_size=len(row), max_size=len(row)) for row in rows)).map(list)
        return draw(st.one_of(st.none(), lists))

    any_index = st.one_of(st.integers(0, 99), st.sampled_from([-5, 2**64, 2**65 + 1]))
    return {
        "ids": rows,
        "word_ids": beside(st.sampled_from([0, 0, 1, None, -1, 2**80])),
        "attention_mask": beside(st.sampled_from([1, 1, 1, 0])),
        "indexes": draw(st.one_of(st.none(), st.lists(any_index, min_size=len(rows), max_size=len(rows)))),
        "epoch": draw(st.sampled_from([0, 1, 7, -1])),
    }


@settings(max_examples=300, deadline=None)
@given(config=configs(), batch=batches())
def test_the_twin_gives_the_same_bit_for_bit(config: dict[str, Any], batch: dict[str, Any]) -> None:
    assert Fast(VOCAB, **config).mask(**batch) == Masking(VOCAB, **config).mask(**batch)


def test_the_twin_on_long_rows() -> None:
    """Hypothesis hardly ever draws rows so long that every branch of a budget is met."""
    rng = np.random.default_rng(0)
    ids = rng.integers(5, len(VOCAB), (4, 300)).tolist()
    for unit in ("subword", "word", "span"):
        for budget in ("bernoulli", "fraction", "bert", "greedy"):
            right = Masking(VOCAB, unit=unit, budget=budget, seed=3).mask(ids)
            assert Fast(VOCAB, unit=unit, budget=budget, seed=3).mask(ids) == right
            assert any(label != NOT_SELECTED for row in right.labels for label in row)


@pytest.mark.parametrize("kind", [np.int32, np.int64, np.uint16])
def test_arrays_of_any_kind(kind: type[np.integer]) -> None:
    ids = np.array([[0, 2, 5, 6, 3], [2, 5, 6, 7, 3]], kind)
    real = np.array([[0, 1, 1, 1, 1], [1, 1, 1, 1, 1]], kind)
    input_ids, labels = Fast(VOCAB, rate=1.0, mask_rate=1.0, random_rate=0.0).mask_arrays(ids, real)
    assert input_ids.tolist() == [[0, 2, 4, 4, 3], [2, 4, 4, 4, 3]]
    assert labels.tolist() == [[-100, -100, 5, 6, -100], [-100, 5, 6, 7, -100]]
    assert ids.tolist() == [[0, 2, 5, 6, 3], [2, 5, 6, 7, 3]]  # left as they were


def test_arrays_that_do_not_fit_are_refused() -> None:
    ids = np.array([[5, 6], [5, 99]])
    with pytest.raises(IdOutOfRange, match="row 1 has the id 99: ids go from 0 to 16"):
        Fast(VOCAB).mask_arrays(ids)
    with pytest.raises(LengthsDiffer, match=r"the shape \(2, 3\) of attention_mask"):
        Fast(VOCAB).mask_arrays(ids % 17, np.ones((2, 3), np.int64))
    with pytest.raises(LengthsDiffer, match="indexes of the batch has 1 entries: give one for each, 2"):
        Fast(VOCAB).mask_arrays(ids % 17, indexes=[1])


# Schemes of one's own.


class Pairs:
    """Two words at a time."""

    def units(self, row: Row) -> list[range]:
        pairs = zip(row.words[::2], [*row.words[1::2], *row.words[-1:]], strict=False)
        return [range(one.start, other.stop) for one, other in pairs]


class FirstOnly:
    """The first unit of a row."""

    def chosen(self, units: Sequence[range], row: Row) -> list[range]:  # noqa: ARG002
        return list(units[:1])


def test_a_new_unit_or_budget_needs_nothing_else() -> None:
    row = Row([5, 6, 7, 8], [range(2), range(2, 3), range(3, 4)], Draws.of(0, 0, [5, 6, 7, 8]))
    replacement = Replacement(mask_id=4, random_ids=[5], mask_rate=1.0, random_rate=0.0)
    pairs = Selection(Pairs(), Bernoulli(1.0)).selected(row)
    assert pairs == [range(3), range(3, 4)]
    assert Selection(Pairs(), FirstOnly()).selected(row) == [range(3)]
    assert replacement.replaced(row, pairs[:1]) == [4, 4, 4, 8]


@pytest.mark.parametrize(
    "parameters", [{"rate": float("nan")}, {"mask_rate": 0.95}, {"span_p": 0.0}, {"random_rate": -0.1}]
)
def test_bad_parameters_are_refused_when_it_is_built(parameters: dict[str, float]) -> None:
    for kind in (Masking, Fast):
        with pytest.raises(RateOutOfRange):
            kind(VOCAB, **parameters)  # type: ignore[arg-type]


# Functions on tokens.

TOKENS = ["[CLS]", "the", "transform", "##ation", "was", "und", "##enia", "##bly", "[SEP]"]
ENTRIES = [*SPECIAL, *TOKENS[1:-1], "other", "##s"]


@pytest.mark.parametrize(
    ("tokens", "groups"),
    [
        (TOKENS, [(1, 2), (2, 4), (4, 5), (5, 8)]),
        (["Ġemb", "edding", "Ġis"], [(0, 2), (2, 3)]),
        (["▁emb", "edding", "▁is"], [(0, 2), (2, 3)]),
        (["emb", "edding</w>", "is</w>"], [(0, 2), (2, 3)]),
        (["##t", "##u", "a"], [(0, 2), (2, 3)]),
        (["a", "b"], [(0, 1), (1, 2)]),
        ([], []),
    ],
)
def test_word_groups(tokens: list[str], groups: list[tuple[int, int]]) -> None:
    assert identify_word_groups(tokens) == groups


def test_tokens_stay_tokens_and_labels_are_ids() -> None:
    for function in (random_subword_masking, whole_word_masking):
        for seed in range(20):
            seen, labels = function(TOKENS, ENTRIES, 0.5, seed=seed, mask_replace_prob=0.4, random_replace_prob=0.4)
            assert set(seen) <= set(ENTRIES)
            for place, (token, new, label) in enumerate(zip(TOKENS, seen, labels, strict=True)):
                assert label in (NOT_SELECTED, ENTRIES.index(token))
                assert label != NOT_SELECTED or new == token
                assert label == NOT_SELECTED or place not in (0, 8)
            if function is whole_word_masking:
                for start, end in identify_word_groups(TOKENS):
                    assert len({label == NOT_SELECTED for label in labels[start:end]}) == 1


def test_another_seed_epoch_or_index_gives_another_mask() -> None:
    def mask(**key: int) -> list[int]:
        return random_subword_masking(TOKENS * 5, ENTRIES, 0.5, **key)[1]  # type: ignore[arg-type]

    assert mask() == mask(seed=0, epoch=0)
    assert len({tuple(mask(**key)) for key in ({}, {"seed": 1}, {"epoch": 1}, {"index": 0}, {"index": 1})}) == 5


def test_any_tokenizer_tells_its_tokens() -> None:
    class Theirs:
        def get_vocab(self) -> dict[str, int]:
            return {token: number for number, token in reversed(list(enumerate(ENTRIES)))}

    assert tokens_of(Theirs()) == tokens_of(ENTRIES) == tokens_of(Tokenizer(ENTRIES)) == ENTRIES
    with pytest.raises(NoVocabulary):
        tokens_of("abc")
    with pytest.raises(TokenMissing, match="token 1, 'banana', is not in the vocabulary"):
        whole_word_masking(["the", "banana"], ENTRIES)
    with pytest.raises(GoldpieceError, match=r"the vocabulary has no '\[MASK\]'"):
        whole_word_masking(["the"], ["the"])


def test_a_leak_is_a_share() -> None:
    assert Leak(0, 0).share == 0.0
    assert Leak(4, 1).share == 0.25


# Laws on black boxes.


@pytest.mark.parametrize(
    ("subject", "clause", "verdict"),
    [
        ("BlackBox", "masking.labels", "holds"),
        ("BlackBox", "masking.whole-words", "holds"),
        ("BlackBox", "masking.rates", "holds"),
        ("BlackBox", "masking.independence", "holds"),
        ("BlackBox", "masking.epochs", "holds"),
        ("BlackBox", "masking.rows-differ", "holds"),
        ("BlackBox", "masking.reproducible", "unsupported"),
        ("BlackBox", "masking.seeds", "unsupported"),
        ("BlackBox", "masking.global-state", "unsupported"),
        ("BlackBox", "masking.budget-bert", "unsupported"),
        ("BlackBox", "masking.draws", "unsupported"),
        ("CopiedWorker", "masking.epochs", "fails"),
        ("CopiedWorker", "masking.rows-differ", "holds"),
    ],
)
def test_a_black_box_is_held_to_what_can_be_seen(
    monkeypatch: pytest.MonkeyPatch, subject: str, clause: str, verdict: str
) -> None:
    monkeypatch.syspath_prepend(str(SUBJECTS))
    specs = load_specs()
    found = in_this_process(f"collators:{subject}", specs)
    laws = [check for check in checks_of(specs, clause) if check.kind == "law"]
    assert {check.run(found, specs, Depth.QUICK, 0, shrink=False).verdict.value for check in laws} == {verdict}


# Chances.


@pytest.mark.parametrize(
    ("count", "of", "chance"), [(0, 10, 0.3), (10, 10, 0.3), (3, 10, 0.3), (40, 50, 0.6), (1, 1, 0.5)]
)
def test_tails_are_exact(count: int, of: int, chance: float) -> None:
    terms = [comb(of, k) * Fraction(chance) ** k * (1 - Fraction(chance)) ** (of - k) for k in range(of + 1)]
    exact = min(1, 2 * min(sum(terms[: count + 1]), sum(terms[count:])))
    assert Share("", count, of, chance).p_value == pytest.approx(float(exact), rel=1e-9)


def test_chances_that_are_none() -> None:
    assert Share("", 5, 5, 1.0).p_value == 1.0
    assert Share("", 4, 5, 1.0).p_value == 0.0
    assert Share("", 0, 0, 0.5).p_value == 1.0
    below = sum(accumulate(range(16_000), lambda ways, k: ways * (33_000 - k) // (k + 1), initial=1))
    assert Share("", 16_000, 33_000, 0.5).p_value == pytest.approx(float(Fraction(below, 2**32_999)), rel=1e-9)
    assert replace(Share("", 1, 5, 0.0), count=0).p_value == 1.0
