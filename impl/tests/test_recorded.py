"""Recorded batches: right ones hold, and each judgment finds the fault that it is for."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from goldpiece.fast.masking import Masking
from goldpiece.reference.masking import NOT_SELECTED
from goldpiece.suite.loader import load_specs
from goldpiece.suite.recorded.judging import judged, load_judgments
from goldpiece.suite.recorded.record import Record, RecordedRow
from goldpiece.suite.verdict import Outcome, Verdict

VOCAB = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *(f"w{n}" for n in range(30)), *(f"##p{n}" for n in range(15))]
PAD, CLS, SEP, MASK = (VOCAB.index(token) for token in ("[PAD]", "[CLS]", "[SEP]", "[MASK]"))
BATCH, EPOCHS = 8, 3
Mixed, Share = (getattr(import_module("goldpiece.properties.chance"), name) for name in ("Mixed", "Share"))


def sentences(rows: int = 240) -> list[list[int]]:
    """Framed rows of words of up to three pieces, none like another."""
    random = Random(3)
    made = []
    for _ in range(rows):
        words = [[5 + random.randrange(30), *(35 + random.randrange(15) for _ in range(random.choice((0, 0, 1, 2))))]]
        words += [
            [5 + random.randrange(30), *(35 + random.randrange(15) for _ in range(random.choice((0, 0, 1, 2))))]
            for _ in range(random.randrange(20, 40))
        ]
        made.append([CLS, *(piece for word in words for piece in word), SEP])
    return made


SENTENCES = sentences()
Change = Callable[[RecordedRow], RecordedRow]


def recorded(change: Change | None = None, **config: Any) -> Record:
    """What the twin in NumPy makes in some epochs, padded, with all that can be recorded; each row changed."""
    masking = Masking(VOCAB, seed=1, **config)
    rows = []
    for epoch in range(EPOCHS):
        for start in range(0, len(SENTENCES), BATCH):
            batch = SENTENCES[start : start + BATCH]
            width = max(map(len, batch))
            ids = np.array([row + [PAD] * (width - len(row)) for row in batch])
            real = np.arange(width) < np.array([[len(row)] for row in batch])
            words = np.where(real, np.cumsum(ids < 35, 1) - 1, -1)
            indexes = range(start, start + len(batch))
            seen, labels = masking.mask_arrays(ids, real, words, list(indexes), epoch)
            made = zip(indexes, seen, labels, real, ids, words, strict=True)
            rows += [
                RecordedRow(f"line {start}", new, label, token, old, word, epoch, index, start)
                for index, new, label, token, old, word in made
            ]
    return Record(Path("made.jsonl"), masking, config, [change(row) for row in rows] if change else rows)


def verdicts(record: Record) -> Mapping[str, Outcome]:
    return {clause.partition(".")[2]: judged(judgment, record) for clause, judgment in load_judgments().items()}


WORDS: dict[str, Any] = {"unit": "word"}
CONFIGS: Sequence[dict[str, Any]] = [
    {},
    WORDS,
    {"unit": "span"},
    {"budget": "bert"},
    {"budget": "fraction", **WORDS},
    {"budget": "bert", **WORDS},
    {"budget": "greedy", **WORDS},
    {"replace_per": "unit", **WORDS},
    {"random_special": True, "mask_rate": 0.5, "random_rate": 0.5},
    {"rate": 1.0, "mask_rate": 1.0, "random_rate": 0.0},
]


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_what_is_right_holds(config: dict[str, Any]) -> None:
    found = verdicts(recorded(**config))
    assert {outcome.verdict for outcome in found.values()} <= {Verdict.HOLDS, Verdict.UNSUPPORTED, Verdict.NOT_RUN}
    assert all(outcome.reason for outcome in found.values() if outcome.verdict is not Verdict.HOLDS)
    assert {"shape", "labels", "unselected", "special-tokens", "padding", "rates"} <= {
        clause for clause, outcome in found.items() if outcome.verdict is Verdict.HOLDS
    }


# Faults, as they are planted: what each row is changed to.


def selecting(places: Callable[[RecordedRow], Any], seen: int = MASK) -> Change:
    """Selects some more places of each row."""

    def change(row: RecordedRow) -> RecordedRow:
        more = np.zeros(len(row.seen), np.bool_)
        more[places(row)] = True
        labels, new = np.where(more, row.ids, row.labels), np.where(more, seen, row.seen)
        return replace(row, labels=labels, seen=new)

    return change


def letting_go(which: Callable[[RecordedRow], Any]) -> Change:
    """Takes back the selection of some places of each row."""

    def change(row: RecordedRow) -> RecordedRow:
        gone = row.selected & which(row)
        return replace(row, labels=np.where(gone, NOT_SELECTED, row.labels), seen=np.where(gone, row.ids, row.seen))

    return change


def random_as(number: Callable[[Any], Any]) -> Change:
    """Puts other tokens in the place of random ones."""

    def change(row: RecordedRow) -> RecordedRow:
        random = row.selected & (row.seen != MASK) & (row.seen != row.labels)
        return replace(row, seen=np.where(random, number(row.seen), row.seen))

    return change


def of_epoch_0(record: Record) -> Record:
    """Each epoch as the first."""
    first = {row.index: row for row in record.rows if row.epoch == 0}
    return replace(record, rows=[replace(first[row.index], epoch=row.epoch) for row in record.rows])


def of_one_worker(record: Record) -> Record:
    """All batches by the same random numbers, place by place."""
    numbers = np.random.default_rng(1).random((EPOCHS, BATCH, max(map(len, SENTENCES))))

    def drawn(row: RecordedRow) -> RecordedRow:
        assert row.index is not None
        able = np.isin(np.arange(len(row.seen)), record.candidates(row))
        chosen = able & (numbers[row.epoch, row.index % BATCH, : len(row.seen)] < record.claims.rate)
        return replace(
            row,
            labels=np.where(chosen, row.ids, NOT_SELECTED),
            seen=np.where(chosen, MASK, row.ids),
        )

    return replace(record, rows=[drawn(row) for row in record.rows])


def twice(record: Record) -> Record:
    """A row again, with another mask."""
    return replace(record, rows=[*record.rows, selecting(lambda row: row.is_token & ~row.selected)(record.rows[0])])


def alike_in_pairs(row: RecordedRow) -> Any:
    """The neighbour of each selected token."""
    even = np.flatnonzero(row.selected & (np.arange(len(row.seen)) % 2 == 1)) + 1
    return even[row.is_token[np.minimum(even, len(row.seen) - 1)] & (even < row.is_token.sum() - 1)]


def begins(row: RecordedRow) -> Any:
    return np.flatnonzero((row.ids < 35) & (row.ids >= 5) & row.is_token & row.selected)


FAULTS: Mapping[str, tuple[str, Callable[[], Record]]] = {
    "specials are selected": ("special-tokens", lambda: recorded(selecting(lambda _: 0))),
    "not all is selected at the rate 1": (
        "special-tokens",
        lambda: recorded(letting_go(lambda row: np.arange(len(row.seen)) == 3), rate=1.0),
    ),
    "padding is selected": ("padding", lambda: recorded(selecting(lambda row: ~row.is_token))),
    "the label is what is seen": (
        "labels",
        lambda: recorded(lambda row: replace(row, labels=np.where(row.selected, row.seen, -100))),
    ),
    "a kept token has no label": ("rates", lambda: recorded(letting_go(lambda row: row.seen == row.labels))),
    "what is not selected is changed": (
        "unselected",
        lambda: recorded(lambda row: replace(row, labels=np.full(len(row.seen), NOT_SELECTED))),
    ),
    "words are torn": ("whole-words", lambda: recorded(letting_go(lambda row: row.ids >= 35), **WORDS)),
    "spans are torn": ("span-words", lambda: recorded(letting_go(lambda row: row.ids >= 35), unit="span")),
    "what has no word is selected": (
        "words-by-ids",
        lambda: recorded(lambda row: replace(row, word_ids=np.where(row.selected, -1, np.arange(len(row.seen))))),
    ),
    "a token is left out of the budget": (
        "budget-bert",
        lambda: recorded(letting_go(lambda row: np.arange(len(row.seen)) == row.selected.argmax()), budget="bert"),
    ),
    "the budget of words is passed": (
        "budget-bert-words",
        lambda: replace(
            recorded(rate=0.3, budget="bert", **WORDS), claims=Masking(VOCAB, rate=0.2, budget="bert", **WORDS)
        ),
    ),
    "words are taken beyond the target": (
        "budget-greedy",
        lambda: replace(recorded(rate=0.3, budget="greedy", **WORDS), claims=Masking(VOCAB, budget="greedy", **WORDS)),
    ),
    "another fraction": (
        "budget-fraction",
        lambda: replace(recorded(rate=0.3, budget="fraction"), claims=Masking(VOCAB, budget="fraction")),
    ),
    "a lower rate than is claimed": ("equal-chances", lambda: replace(recorded(rate=0.12), claims=Masking(VOCAB))),
    "later tokens are selected less": (
        "equal-chances",
        lambda: recorded(letting_go(lambda row: np.arange(len(row.seen)) > 30)),
    ),
    "neighbours are selected together": ("independence", lambda: recorded(selecting(alike_in_pairs))),
    "everything is masked": ("rates", lambda: replace(recorded(mask_rate=1.0, random_rate=0.0), claims=Masking(VOCAB))),
    "random tokens are special": (
        "random-words",
        lambda: recorded(random_as(lambda seen: np.where(seen < 10, CLS, seen)), rate=0.5),
    ),
    "random tokens are uneven": (
        "random-words",
        lambda: recorded(random_as(lambda seen: np.where(seen < 20, 40, seen)), rate=0.5),
    ),
    "special random tokens are missing": (
        "random-special",
        lambda: replace(recorded(rate=0.9), claims=Masking(VOCAB, rate=0.9, random_special=True)),
    ),
    "one lot for a word": (
        "replaces-by-token",
        lambda: replace(recorded(replace_per="unit", rate=0.5, **WORDS), claims=Masking(VOCAB, rate=0.5, **WORDS)),
    ),
    "a lot for each token": (
        "replaces-by-unit",
        lambda: replace(recorded(**WORDS), claims=Masking(VOCAB, replace_per="unit", **WORDS)),
    ),
    "each epoch is the first": ("epochs", lambda: of_epoch_0(recorded())),
    "each epoch is the first, with a budget": ("epochs", lambda: of_epoch_0(recorded(budget="bert", **WORDS))),
    "workers draw the same": ("rows-differ", lambda: of_one_worker(recorded())),
    "a restart draws another mask": ("reproducible", lambda: twice(recorded())),
    "rows have other lengths": ("shape", lambda: replace(recorded(), misshapen=["line 1: 5 input_ids and 4 labels"])),
}


@pytest.mark.parametrize(("clause", "make"), FAULTS.values(), ids=FAULTS)
def test_a_planted_fault_is_found(clause: str, make: Callable[[], Record]) -> None:
    found = judged(load_judgments()[f"masking.{clause}"], make())
    assert found.verdict is Verdict.FAILS, found
    assert found.counterexample


@pytest.mark.parametrize(("count", "of", "chance"), [(0, 10, 0.3), (10, 10, 0.3), (3, 10, 0.3), (40, 50, 0.6)])
def test_unequal_chances_have_a_bound_of_what_equal_ones_have(count: int, of: int, chance: float) -> None:
    assert Mixed("", count, of, chance).p_value >= Share("", count, of, chance).p_value * (1 - 1e-9)
    assert Mixed("", 9 * of, 10 * of, 0.1).p_value < 1e-9
    assert Mixed("", of, of, 0.0).p_value == 0.0


def test_each_judgment_finds_one() -> None:
    assert {f"masking.{clause}" for clause, _ in FAULTS.values()} == load_judgments().keys()
    assert load_judgments().keys() <= {clause.id for clause in load_specs().named("masking").clauses}
