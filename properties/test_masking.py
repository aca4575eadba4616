"""The laws of spec/masking.yaml that judge single rows, for any implementation.

Those on chances are in test_masking_chance.py, those on words of tokens, segments and draws in test_masking_words.py.
"""

import random
from collections.abc import Mapping, Sequence
from typing import cast

import numpy as np
from hypothesis import strategies as st

from goldpiece.suite.component import Component, Disagreement
from goldpiece.suite.law import expect, law
from goldpiece.suite.scope import Scope
from goldpiece.suite.subject import Unsupported
from goldpiece.suite.values import Value

from .oracles import masking as definition
from .strategies.masking import (
    BUDGETS,
    RATES,
    SPECIAL,
    UNITS,
    Case,
    rows_with_ids,
    rows_with_marks,
    settings,
)

Rows = list[list[int]]
NOT_SELECTED = -100


def masked(
    masking: Component,
    case: Case,
    attention: Rows | None = None,
    *,
    indexes: list[int] | None = None,
    epoch: int = 0,
    with_word_ids: bool = True,
    config: Mapping[str, Value] | None = None,
    **more: Value,
) -> tuple[Rows, Rows]:
    """The input ids and labels of the case's rows, under the parameters of `config` and `more`."""
    word_ids = case.word_ids if with_word_ids else None
    instance = masking(vocab=case.vocab, **(config or {}), **more)
    answer = cast(Mapping[str, Rows], instance.batch("mask", [[case.rows, word_ids, attention, indexes, epoch]])[0])
    return answer["input_ids"], answer["labels"]


def places(labels: Sequence[int]) -> list[int]:
    """The positions that are selected."""
    return [place for place, label in enumerate(labels) if label != NOT_SELECTED]


def rates(scope: Scope) -> st.SearchStrategy[float]:
    """Rates that the subject takes."""
    return st.sampled_from(cast(list[float], scope.values("rate", RATES)))


def word_budgets(scope: Scope) -> st.SearchStrategy[Value]:
    """Budgets that the subject takes."""
    return st.sampled_from(scope.values("budget", BUDGETS))


# Rows in, rows out.


@law("masking.shape", case=rows_with_ids, config=settings)
def shape(masking: Component, case: Case, config: dict[str, Value]) -> None:
    lengths = list(map(len, case.rows))
    input_ids, labels = masked(masking, case, config=config)
    expect([list(map(len, rows)) for rows in (input_ids, labels)], [lengths, lengths])


@law("masking.labels", case=rows_with_ids, config=settings)
def labels_are_original(masking: Component, case: Case, config: dict[str, Value]) -> None:
    _, labels = masked(masking, case, config=config)
    right = [
        [label if label == NOT_SELECTED else number for number, label in zip(row, of_row, strict=True)]
        for row, of_row in zip(case.rows, labels, strict=True)
    ]
    expect(labels, right)


@law("masking.labels", case=rows_with_ids)
def kept_tokens_have_labels(masking: Component, scope: Scope, case: Case) -> None:
    nothing = {name: scope.values(name, [0.0])[0] for name in ("mask_rate", "random_rate")}
    _, labels = masked(masking, case, config=nothing, rate=1.0)
    expect(list(map(places, labels)), case.candidates)


@law("masking.unselected", case=rows_with_ids, config=settings)
def unselected(masking: Component, case: Case, config: dict[str, Value]) -> None:
    input_ids, labels = masked(masking, case, config=config)
    right = [
        [number if label == NOT_SELECTED else seen for number, seen, label in zip(*of_row, strict=True)]
        for of_row in zip(case.rows, input_ids, labels, strict=True)
    ]
    expect(input_ids, right)


@law("masking.special-tokens", case=rows_with_ids)
def special_tokens(masking: Component, case: Case) -> None:
    for with_word_ids in (False, True):
        _, labels = masked(masking, case, rate=1.0, with_word_ids=with_word_ids)
        expect(list(map(places, labels)), case.candidates)
    if masking.takes("special_tokens", [*SPECIAL, "a"]):
        _, labels = masked(masking, case, rate=1.0, special_tokens=[*SPECIAL, "a"])
        also = case.vocab.index("a")
        expect(
            list(map(places, labels)),
            [[p for p in found if row[p] != also] for found, row in zip(case.candidates, case.rows, strict=True)],
        )


def padded(scope: Scope) -> st.SearchStrategy[tuple[Case, Rows, bool]]:
    """A case, tokens of any kind to pad each row with, and the side."""
    padding = st.lists(st.lists(st.integers(0, 12), max_size=8), min_size=4, max_size=4)
    return st.tuples(rows_with_ids(scope), padding, st.booleans())


def with_padding(case: Case, padding: Rows, left: bool) -> tuple[Case, Rows]:
    """The case with padding that only the attention mask tells, and that mask."""
    rows, word_ids, attention = [], [], []
    for row, numbers, filler in zip(case.rows, case.word_ids, padding, strict=False):
        more: list[int | None] = [9] * len(filler)  # as if they were of a word
        rows.append(filler + row if left else row + filler)
        word_ids.append(more + numbers if left else numbers + more)
        attention.append([0] * len(filler) + [1] * len(row) if left else [1] * len(row) + [0] * len(filler))
    return Case(case.vocab, rows, word_ids, []), attention


@law("masking.padding", drawn=padded)
def padding(masking: Component, drawn: tuple[Case, Rows, bool]) -> None:
    case, filler, left = drawn
    whole, attention = with_padding(case, filler, left)
    shifts = [len(each) if left else 0 for each in filler]
    right = [[place + shift for place in row] for row, shift in zip(case.candidates, shifts, strict=False)]
    _, labels = masked(masking, whole, attention, rate=1.0)
    expect(list(map(places, labels)), right)
    if not masking.takes("budget", "bert"):
        return  # it has no budget that padding could count for
    _, labels = masked(masking, whole, attention, rate=0.3, budget="bert")
    counts = [
        min(definition.bert_target(len(row), 0.3), len(found)) for row, found in zip(case.rows, right, strict=True)
    ]
    expect([len(places(row)) for row in labels], counts, "padding counts for nothing")


# Words.


def all_or_none(case: Case, labels: Rows) -> None:
    """Raises Disagreement where a word is selected in part, or what is of no word."""
    for number, (words, row) in enumerate(zip(case.words, labels, strict=True)):
        chosen = set(places(row))
        if strange := sorted(chosen - {place for word in words for place in word}):
            raise Disagreement("candidates alone", strange, f"row {number}: what is of no word is selected")
        torn = [word for word in words if 0 < len(chosen & set(word)) < len(word)]
        if torn:
            taken = [place for place in torn[0] if place in chosen]
            raise Disagreement("whole words", taken, f"row {number}: the word at {torn[0]} is selected in part")


@law("masking.whole-words", case=rows_with_ids, budget=word_budgets, rate=rates)
def whole_words(masking: Component, case: Case, budget: Value, rate: float) -> None:
    _, labels = masked(masking, case, unit="word", budget=budget, rate=rate)
    all_or_none(case, labels)


@law("masking.words-by-ids", case=rows_with_ids, rate=rates, blank=lambda scope: st.booleans())  # noqa: ARG005
def words_by_ids(masking: Component, case: Case, rate: float, blank: bool) -> None:
    if blank:  # the first word of each row has no word id, and so is none
        gone = [set(words[0]) if words else set() for words in case.words]
        word_ids = [
            [None if place in places else number for place, number in enumerate(row)]
            for places, row in zip(gone, case.word_ids, strict=True)
        ]
        case = Case(case.vocab, case.rows, word_ids, [words[1:] for words in case.words])
    _, labels = masked(masking, case, unit="word", budget="bert", rate=rate)
    all_or_none(case, labels)
    nothing_fits(case, labels, [definition.bert_target(len(row), rate) for row in case.rows])


@law("masking.words-by-marks", case=rows_with_marks, rate=rates)
def words_by_marks(masking: Component, case: Case, rate: float) -> None:
    _, labels = masked(masking, case, unit="word", budget="bert", rate=rate, with_word_ids=False)
    all_or_none(case, labels)
    nothing_fits(case, labels, [definition.bert_target(len(row), rate) for row in case.rows])


@law("masking.span-words", case=rows_with_ids, budget=word_budgets, rate=rates)
def span_words(masking: Component, case: Case, budget: Value, rate: float) -> None:
    _, labels = masked(masking, case, unit="span", budget=budget, rate=rate)
    all_or_none(case, labels)


@law("masking.replaces-by-unit", case=rows_with_ids)
def replaces_by_unit(masking: Component, case: Case) -> None:
    mask_id = case.vocab.index("[MASK]")
    for rest in (0.0, 0.5):
        input_ids, labels = masked(
            masking, case, unit="word", rate=1.0, mask_rate=0.5, random_rate=rest, replace_per="unit"
        )
        all_or_none(case, labels)
        for words, row in zip(case.words, input_ids, strict=True):
            for word in words:
                seen = [row[place] == mask_id for place in word]
                expect(seen, [seen[0]] * len(word), "a word has one lot for all of its tokens")


# Budgets.


def nothing_fits(case: Case, labels: Rows, limits: list[int]) -> None:
    """Raises Disagreement where more is selected than the limit, or an unselected word would still fit."""
    for number, (words, row, limit) in enumerate(zip(case.words, labels, limits, strict=True)):
        chosen = places(row)
        left = [word for word in words if not set(word) & set(chosen) and len(chosen) + len(word) <= limit]
        if len(chosen) > limit:
            raise Disagreement(f"{limit} tokens at most", len(chosen), f"row {number}")
        if left:
            raise Disagreement(
                f"the word at {left[0]} selected as well", chosen, f"row {number}: {limit} tokens may be"
            )


def halves(scope: Scope) -> st.SearchStrategy[float]:
    """Rates that often want a token and a half."""
    return st.sampled_from(cast(list[float], scope.values("rate", [0.5, 0.25, 0.75, 0.5, 0.0, 1.0])))


def limits(scope: Scope) -> st.SearchStrategy[int | None]:
    """Values of max_predictions."""
    return st.sampled_from(cast(list[int | None], scope.values("max_predictions", [None, None, 20, 0, 1, 3])))


@law("masking.budget-bert", case=rows_with_ids, rate=halves, most=limits)
def bert_subwords(masking: Component, case: Case, rate: float, most: int | None) -> None:
    _, labels = masked(masking, case, budget="bert", rate=rate, max_predictions=most)
    right = [
        min(definition.bert_target(len(row), rate, most), len(found))
        for row, found in zip(case.rows, case.candidates, strict=True)
    ]
    expect([len(places(row)) for row in labels], right)


@law("masking.budget-bert-words", case=rows_with_ids, rate=halves, most=limits)
def bert_words(masking: Component, case: Case, rate: float, most: int | None) -> None:
    _, labels = masked(masking, case, unit="word", budget="bert", rate=rate, max_predictions=most)
    nothing_fits(case, labels, [definition.bert_target(len(row), rate, most) for row in case.rows])


@law("masking.budget-greedy", case=rows_with_ids, rate=rates)
def greedy(masking: Component, case: Case, rate: float) -> None:
    _, labels = masked(masking, case, unit="word", budget="greedy", rate=rate)
    for number, (words, row, of_row) in enumerate(zip(case.words, labels, case.rows, strict=True)):
        target, chosen = int(len(of_row) * rate), places(row)
        taken = [len(word) for word in words if set(word) & set(chosen)]
        if len(chosen) < target:
            nothing_fits(
                Case(case.vocab, [of_row], [], [words]), [row], [target + 2]
            )  # it stopped short only where no word fits
        expect(len(chosen) <= target + 2, True, f"row {number}: {len(chosen)} tokens, where {target + 2} may be")
        reached = bool(taken) and len(chosen) - max(taken) >= target
        expect(reached, False, f"row {number}: a word was taken when {target} tokens were reached")


@law("masking.budget-fraction", case=rows_with_ids, rate=rates)
def fraction(masking: Component, case: Case, rate: float) -> None:
    _, labels = masked(masking, case, unit="word", budget="fraction", rate=rate)
    for number, (words, row) in enumerate(zip(case.words, labels, strict=True)):
        count = sum(bool(set(word) & set(places(row))) for word in words)
        allowed = {int(rate * len(words)), int(rate * len(words) + 1 - 1e-9)}
        expect(count in allowed, True, f"row {number}: {count} words of {len(words)} at the rate {rate}")


# What a mask depends on.


def seeds(scope: Scope) -> st.SearchStrategy[int]:
    """Seeds other than the default, for a law that means nothing without."""
    return st.sampled_from(cast(list[int], scope.required("seed", [1, 7, 2**63, -1])))


def orders(scope: Scope) -> st.SearchStrategy[tuple[Case, Rows, bool, list[int]]]:
    """A padded case, and an order of its rows."""
    return st.tuples(padded(scope), st.permutations(range(4))).map(lambda drawn: (*drawn[0], drawn[1]))


@law("masking.reproducible", drawn=orders, seed=seeds, indexed=lambda scope: st.booleans(), config=settings)  # noqa: ARG005
def reproducible(
    masking: Component,
    drawn: tuple[Case, Rows, bool, list[int]],
    seed: int,
    indexed: bool,
    config: dict[str, Value],
) -> None:
    case, filler, left, order = drawn
    indexes = [5, 0, 5, 2**40][: len(case.rows)] if indexed else None
    input_ids, labels = masked(masking, case, indexes=indexes, epoch=3, seed=seed, config=config)
    whole, attention = with_padding(case, filler, left)
    for number in (place for place in order if place < len(case.rows)):
        alone = Case(case.vocab, [whole.rows[number]], [whole.word_ids[number]], [])
        begin = len(filler[number]) if left else 0
        seen, marked = masked(
            masking,
            alone,
            [attention[number]],
            indexes=indexes and [indexes[number]],
            epoch=3,
            seed=seed,
            config=config,
        )
        length = len(case.rows[number])
        cut = [seen[0][begin : begin + length], marked[0][begin : begin + length]]
        expect(cut, [input_ids[number], labels[number]], "the row alone, with padding, at another time")


@law("masking.global-state", case=rows_with_ids, seed=seeds, config=settings)
def global_state(masking: Component, case: Case, seed: int, config: dict[str, Value]) -> None:
    if not masking.is_here:
        raise Unsupported("a look into its process")
    both = []
    for of_python in (1, 2):
        random.seed(of_python)
        np.random.seed(of_python)
        both.append(list(masked(masking, case, seed=seed, config=config)))
        then = random.random(), float(np.random.random())
        random.seed(of_python)
        np.random.seed(of_python)
        expect(list(then), [random.random(), float(np.random.random())], "what the global generators give next")
    expect(both[1], both[0], "under another seed of the global generators")


# Rows and parameters at the edge.


@law(
    "masking.small-rows",
    unit=lambda scope: st.sampled_from(scope.values("unit", UNITS)),
    budget=word_budgets,
    rate=rates,
)
def small_rows(masking: Component, unit: Value, budget: Value, rate: float) -> None:
    vocab = [*SPECIAL, "a", "b", "##b"]
    rows = [[], [2, 3], [0], [5], [2, 5, 3], [4, 4, 4], [5, 6]]
    candidates = [[], [], [], [0], [1], [], [0, 1]]
    instance = masking(vocab=vocab, unit=unit, budget=budget, rate=rate)
    batches: list[list[list[int]]] = [rows, [], *([row] for row in rows)]
    given: list[list[Value]] = [[batch, None, None, None, 0] for batch in batches]
    together, none, *alone = cast(list[Mapping[str, Rows]], instance.batch("mask", given))
    expect([none["input_ids"], none["labels"]], [[], []])
    labels = [*together["labels"], *(each["labels"][0] for each in alone)]
    expect(list(map(len, labels)), list(map(len, rows * 2)))
    selected = list(map(places, labels))
    expect([set(found) <= set(able) for found, able in zip(selected, candidates * 2, strict=True)], [True] * 14)


def bad_inputs(scope: Scope) -> st.SearchStrategy[tuple[dict[str, Value], list[Value], str]]:
    """Parameters, inputs, and the error that they should end in."""
    good: list[Value] = [[[5, 6]], None, None, None, 0]
    parameters: list[tuple[str, Value, str]] = [
        *[
            (name, rate, "rate-out-of-range")
            for name in ("rate", "mask_rate", "random_rate")
            for rate in (-0.1, 1.1, 15.0)
        ],
        *[("mask_rate", 0.95, "rate-out-of-range"), ("span_p", 0.0, "rate-out-of-range")],
        *[("max_predictions", -1, "limit-out-of-range"), ("span_limit", 0, "limit-out-of-range")],
        *[(name, "wrods", "unknown-choice") for name in ("unit", "budget", "replace_per", "scheme")],
        ("mask_token", "<mask>", "mask-token-missing"),
    ]
    offered = scope.declaration.components["masking"].parameters
    bad: list[tuple[dict[str, Value], list[Value], str]] = [
        ({name: value}, good, error) for name, value, error in parameters if name in offered
    ]
    bad += [({}, [[[5, number]], None, None, None, 0], "id-out-of-range") for number in (-1, 7, 2**40)]
    bad += [({}, [[[5, 6]], ids, None, None, 0], "lengths-differ") for ids in ([[0]], [[0, 1, 2]], [], [[0, 1], [0]])]
    bad += [({}, [[[5, 6]], None, mask, None, 0], "lengths-differ") for mask in ([[1]], [[1, 1, 0]], [], [[1, 1], [0]])]
    bad += [({}, [[[5, 6]], None, None, indexes, 0], "lengths-differ") for indexes in ([], [1, 2])]
    bad += [({"unit": unit}, good, "no-word-scheme") for unit in ("word", "span") if masking_takes(scope, unit)]
    return st.sampled_from(bad)


def masking_takes(scope: Scope, unit: str) -> bool:
    """Whether the subject takes a unit."""
    return unit in scope.values("unit", [unit])


@law("masking.refuses", bad=bad_inputs)
def refuses(masking: Component, bad: tuple[dict[str, Value], list[Value], str]) -> None:
    config, inputs, error = bad
    answer = masking(vocab=[*SPECIAL, "a", "b"], **config).answer("mask", *inputs)
    expect(dict(answer), {"error": error})
