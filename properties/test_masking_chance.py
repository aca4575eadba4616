"""The laws of spec/masking.yaml that judge chances, on samples of fixed size. See chance.py.

A subject that draws from a state of its own is held to them as well: only laws that compare seeds ask for one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import cast

from goldpiece.suite.component import Component, Disagreement
from goldpiece.suite.law import expect, law
from goldpiece.suite.scope import Scope
from goldpiece.suite.subject import Unsupported
from goldpiece.suite.values import Value

from .chance import LOOKS, Share, expect_shares, looks
from .strategies.masking import SPECIAL

WORDS = [f"w{number}" for number in range(20)]  # entries that may be drawn at random
VOCAB = [*SPECIAL[:2], *WORDS[:10], *SPECIAL[2:], *WORDS[10:], "##x"]  # the mark is for subjects that want one
ORDINARY = [number for number, token in enumerate(VOCAB) if token not in SPECIAL]
CLS, SEP, MASK = (VOCAB.index(token) for token in ("[CLS]", "[SEP]", "[MASK]"))
NOT_SELECTED = -100


@dataclass(frozen=True)
class Drawn:
    """What became of one row, given many times."""

    ids: list[int]
    input_ids: list[list[int]]
    labels: list[list[int]]

    def selected(self, place: int) -> list[bool]:
        """For each time whether the token at `place` was selected."""
        return [row[place] != NOT_SELECTED for row in self.labels]


def row_of(sizes: Sequence[int]) -> tuple[list[int], list[int | None]]:
    """A framed row of words of these sizes, and its word ids."""
    words = [word for word, size in enumerate(sizes) for _ in range(size)]
    return [CLS, *(ORDINARY[place % len(ORDINARY)] for place in range(len(words))), SEP], [None, *words, None]


def drawn(
    masking: Component, seed: int, look: int, times: int, row: tuple[list[int], list[int | None]], **config: Value
) -> Drawn:
    """A row given so many times, under indexes of its own each time."""
    ids, word_ids = row
    own = seed % 2**31
    seeded: dict[str, Value] = {"seed": own} if masking.takes("seed", own) else {}
    instance = masking(vocab=VOCAB, **seeded, **config)
    given: list[Value] = [[ids] * times, [word_ids] * times, None, list(range(times)), look]
    answer = cast(Mapping[str, list[list[int]]], instance.batch("mask", [given])[0])
    return Drawn(ids, answer["input_ids"], answer["labels"])


# Selection.

SIZES = [1, 3, 1, 2, 4, 1]
RATE = 0.3


def chances_are_equal(masking: Component, scope: Scope, seed: int, budget: str) -> None:
    """Raises Disagreement unless each token is selected as often as it should be, whatever word it is of."""
    units = [unit for unit in ("subword", "word") if unit in scope.values("unit", ["subword", "word"])]
    rate = cast(float, scope.values("rate", [RATE])[0])
    row = row_of(SIZES)
    for look, times in looks(600, 4_000):
        for unit in units:
            sample = drawn(masking, seed, look, times, row, unit=unit, budget=budget, rate=rate)
            places = range(1, len(row[0]) - 1)
            shares = [Share(f"{unit} at {place}", sum(sample.selected(place)), times, rate) for place in places]
            expect_shares(shares, LOOKS * 2 * len(shares))


@law("masking.equal-chances")
def bernoulli_chances(masking: Component, scope: Scope, seed: int) -> None:
    chances_are_equal(masking, scope, seed, "bernoulli")


@law("masking.equal-chances-of-fraction")
def fraction_chances(masking: Component, scope: Scope, seed: int) -> None:
    chances_are_equal(masking, scope, seed, "fraction")


@law("masking.independence")
def independence(masking: Component, scope: Scope, seed: int) -> None:
    rate = cast(float, scope.values("rate", [0.5])[0])
    row = row_of(SIZES)
    firsts = [row[1].index(word) for word in range(len(SIZES))]
    for look, times in looks(300, 3_000):
        for unit in scope.values("unit", ["subword", "word"]):
            places = firsts if unit == "word" else range(1, len(row[0]) - 1)
            sample = drawn(masking, seed, look, times, row, unit=unit, rate=rate)
            both = [
                Share(
                    f"{unit}s at {one} and {other}, both selected",
                    sum(map(all, zip(sample.selected(one), sample.selected(other), strict=True))),
                    times,
                    rate * rate,
                )
                for one, other in pairwise(places)
            ]
            expect_shares(both, LOOKS * 2 * (len(row[0]) - 3))


WORDS_OF_SPANS = 14


def same_span(start: int, distance: int, p: float, limit: int) -> float:
    """The chance that the words `start` and `start + distance` are of one span, where a span begins at word 0."""
    whole = sum((1 - p) ** size for size in range(limit))
    length = [0.0, *((1 - p) ** size / whole for size in range(limit))]
    begins = [1.0]
    for word in range(1, start + 1):
        begins.append(sum(begins[word - size] * length[size] for size in range(1, min(word, limit) + 1)))
    return sum(begins[word] * sum(length[start + distance - word + 1 :]) for word in range(start + 1))


@law("masking.span-lengths")
def span_lengths(masking: Component, seed: int) -> None:
    row = row_of([1] * WORDS_OF_SPANS)
    rate = 0.5
    pairs = [(start, distance) for start in (0, 1, 3) for distance in (1, 2, 3, 5, 9)]
    settings = [(0.2, 3), (0.8, 10), (0.2, 10)]
    taken = [(p, limit) for p, limit in settings if masking.takes("span_p", p) and masking.takes("span_limit", limit)]
    for look, times in looks(800, 2_500):
        for p, limit in taken:
            sample = drawn(masking, seed, look, times, row, unit="span", rate=rate, span_p=p, span_limit=limit)
            shares = []
            for start, distance in pairs:
                together = zip(sample.selected(1 + start), sample.selected(1 + start + distance), strict=True)
                same = same_span(start, distance, p, limit)
                what = f"words {start} and {start + distance}, both selected"
                shares.append(Share(what, sum(map(all, together)), times, rate * same + rate * rate * (1 - same)))
            expect_shares(shares, LOOKS * len(settings) * len(pairs))


# Replacement.


@law("masking.rates")
def rates(masking: Component, scope: Scope, seed: int) -> None:
    settings = [(0.8, 0.1), (0.5, 0.4), (0.2, 0.0)]
    fitting = [(mask, other) for mask, other in settings if masking.takes("mask_rate", mask)]
    taken = [(mask, other) for mask, other in fitting if masking.takes("random_rate", other)]
    rate = cast(float, scope.values("rate", [1.0])[0])
    row = row_of([1] * 20)
    for look, tokens in looks(2_000, 33_000):
        for mask, other in taken or [(0.8, 0.1)]:
            # The defaults are what most rely on; the other settings need only be told from the defaults.
            wanted = tokens if (mask, other) == settings[0] else tokens // 8
            times = round(wanted / 20 / rate)
            sample = drawn(masking, seed, look, times, row, rate=rate, mask_rate=mask, random_rate=other)
            seen = [
                "masked" if new == MASK else "kept" if new == label else "random"
                for new_row, labels in zip(sample.input_ids, sample.labels, strict=True)
                for new, label in zip(new_row, labels, strict=True)
                if label != NOT_SELECTED
            ]
            visible = other * (1 - 1 / len(ORDINARY))  # a random token may be the one that stood there
            chances = {"masked": mask, "random": visible, "kept": 1 - mask - visible}
            shares = [Share(what, seen.count(what), len(seen), max(0.0, chance)) for what, chance in chances.items()]
            expect_shares(shares, LOOKS * len(settings) * len(shares))


def random_words(masking: Component, scope: Scope, seed: int, known: Sequence[int], **config: Value) -> None:
    """Raises Disagreement unless random tokens are drawn evenly from the `known` ids."""
    mask = cast(float, scope.values("mask_rate", [0.0])[0])
    other = cast(float, scope.values("random_rate", [1.0])[0])
    original = ORDINARY[3]
    row = [CLS, *[original] * 20, SEP], [None, *range(20), None]
    # Among tokens that are masked and kept as well, a random one that looks like these cannot be told.
    hidden = () if (mask, other) == (0.0, 1.0) else (original, MASK)
    rest = [number for number in known if number not in hidden]
    for look, tokens in looks(2_000, 20_000):
        times = round(tokens / 20 / other)
        sample = drawn(masking, seed, look, times, row, rate=1.0, mask_rate=mask, random_rate=other, **config)
        found = [new for new_row in sample.input_ids for new in new_row[1:-1] if new not in hidden]
        strange = sorted(set(found) - set(known))
        if strange:
            raise Disagreement("ids that may be drawn", strange, f"{VOCAB[strange[0]]} was drawn")
        shares = [Share(VOCAB[number], found.count(number), len(found), 1 / len(rest)) for number in rest]
        expect_shares(shares, LOOKS * len(shares))


@law("masking.random-words")
def random_words_are_even(masking: Component, scope: Scope, seed: int) -> None:
    random_words(masking, scope, seed, ORDINARY)


@law("masking.random-special")
def random_words_may_be_special(masking: Component, scope: Scope, seed: int) -> None:
    random_words(masking, scope, seed, range(len(VOCAB)), random_special=True)


@law("masking.replaces-by-token")
def replaces_by_token(masking: Component, seed: int) -> None:
    row = row_of([3])
    for look, times in looks(300, 1_000):
        sample = drawn(masking, seed, look, times, row, unit="word", rate=1.0, mask_rate=0.5, random_rate=0.0)
        alike = sum(len({new == MASK for new in new_row[1:-1]}) == 1 for new_row in sample.input_ids)
        expect_shares([Share("words whose three tokens fared alike", alike, times, 0.25)], LOOKS)


# What a mask depends on.

LONG_ROW = row_of([1] * 20)


def unlike(what: str, one: Sequence[Sequence[int]], other: Sequence[Sequence[int]], rate: float, tests: int) -> None:
    """Raises Disagreement unless two masks of the same rows agree as seldom as independent ones do."""
    pairs = [
        (first == NOT_SELECTED, second == NOT_SELECTED)
        for of_one, of_other in zip(one, other, strict=True)
        for first, second in zip(of_one[1:-1], of_other[1:-1], strict=True)
    ]
    alike = sum(first == second for first, second in pairs)
    expect_shares([Share(f"tokens that fared alike {what}", alike, len(pairs), rate**2 + (1 - rate) ** 2)], tests)


@law("masking.epochs")
def epochs(masking: Component, scope: Scope, seed: int) -> None:
    rate = cast(float, scope.values("rate", [0.5])[0])
    first, second, third = (drawn(masking, seed, epoch, 100, LONG_ROW, rate=rate) for epoch in (0, 1, 2))
    unlike("in two epochs", first.labels, second.labels, rate, 2)
    unlike("in two epochs", second.labels, third.labels, rate, 2)


@law("masking.rows-differ")
def rows_differ(masking: Component, scope: Scope, seed: int) -> None:
    rate = cast(float, scope.values("rate", [0.5])[0])
    labels = drawn(masking, seed, 0, 200, LONG_ROW, rate=rate).labels
    unlike("in two rows", labels[::2], labels[1::2], rate, 1)


@law("masking.seeds")
def seeds(masking: Component, scope: Scope, seed: int) -> None:
    scope.required("seed", [1, 2])
    rate = cast(float, scope.values("rate", [0.5])[0])
    first, second = (drawn(masking, seed + more, 0, 100, LONG_ROW, rate=rate) for more in (0, 1))
    unlike("under two seeds", first.labels, second.labels, rate, 1)


SPANS: dict[str, Value] = {"unit": "span"}
CHANGES: list[tuple[dict[str, Value], str, Value]] = [  # what it is beside, the parameter, and another value of it
    ({}, "special_tokens", [*SPECIAL, WORDS[0], WORDS[1]]),
    ({}, "mask_token", WORDS[0]),
    ({}, "unit", "word"),
    ({}, "unit", "span"),
    ({}, "budget", "fraction"),
    ({}, "budget", "bert"),
    ({}, "budget", "greedy"),
    ({}, "rate", 0.6),
    ({"budget": "bert"}, "max_predictions", 1),
    ({}, "mask_rate", 0.5),
    ({}, "random_rate", 0.2),
    ({"rate": 0.9}, "random_special", True),
    ({"unit": "word", "rate": 0.5}, "replace_per", "unit"),
    (SPANS, "span_p", 0.9),
    (SPANS, "span_limit", 1),
]


@law("masking.parameters-count")
def parameters_count(masking: Component, scope: Scope, seed: int) -> None:
    scope.required("seed", [seed % 2**31])
    known = [
        (base, name, value)
        for base, name, value in CHANGES
        if all(masking.takes(each, wanted) for each, wanted in [*base.items(), (name, value)])
    ]
    if not known:
        raise Unsupported("any parameter but the seed")
    for base, name, value in known:
        same = drawn(masking, seed, 0, 60, row_of(SIZES), **{"rate": RATE, **base})
        other = drawn(masking, seed, 0, 60, row_of(SIZES), **{"rate": RATE, **base, name: value})
        expect(other == same, False, f"{name} = {value} changes nothing")
