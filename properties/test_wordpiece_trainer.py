"""The laws of spec/wordpiece_trainer.yaml, for any implementation."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from hypothesis import strategies as st

from goldpiece.suite.component import Component, Told
from goldpiece.suite.law import expect, law
from goldpiece.suite.scope import Scope
from goldpiece.suite.values import Value, show

from .oracles.training import occurrences
from .strategies.bpe_trainer import Case, named_twice, no_characters, times
from .strategies.wordpiece_trainer import (
    ELIGIBLE,
    by_first_seen,
    by_frequency,
    by_ids,
    close,
    corpora,
    counted,
    counted_exactly,
    in_a_row,
    limited,
    no_longer,
    of_one_score,
    plain,
    prefixed,
    rare,
    shuffled,
    usual,
    with_initial,
    with_specials,
    word_initial,
)

Pair = tuple[str, str]
FACTORS = (2, 1000, 2**31, 2**40)
LARGEST = 2**53 - 1  # what JSON carries as a whole number in every language


def answer(wordpiece_trainer: Component, case: Case) -> Told:
    """What the subject makes of the words of a case."""
    trainer = wordpiece_trainer(**case.config)
    if case.counts is None:
        return trainer.answer("train", list(case.words))
    return trainer.answer("train_from_counts", list(case.words), list(case.counts))


def is_right(wordpiece_trainer: Component, case: Case) -> None:
    """Raises Disagreement where the answer is another than that of the definition."""
    right = case.definition.trained()
    kept = {name: value for name, value in right.items() if name not in ("counts", "short_by")}
    found = answer(wordpiece_trainer, case)
    expect(dict(found), cast(Value, found.alike(cast(Mapping[str, Value], kept))))


def trained(wordpiece_trainer: Component, case: Case) -> tuple[list[str], list[Pair]]:
    """The tokens and merges that the subject has."""
    found = _found(wordpiece_trainer, case)
    merges = cast(list[list[str]], found["merges"])
    expect([len(pair) for pair in merges], [2] * len(merges), note="each merge is of two")
    return cast(list[str], found["tokens"]), [(first, second) for first, second in merges]


def entries(wordpiece_trainer: Component, case: Case) -> list[str]:
    """The tokens alone, which every subject tells."""
    return cast(list[str], _found(wordpiece_trainer, case)["tokens"])


def _found(wordpiece_trainer: Component, case: Case) -> Told:
    found = answer(wordpiece_trainer, case)
    if "error" in found:
        expect(dict(found), {"tokens": "some"})
    return found


@law("wordpiece_trainer.specials-first", case=corpora)
def specials_first(wordpiece_trainer: Component, case: Case) -> None:
    special = list(case.definition.special_tokens)
    tokens = entries(wordpiece_trainer, case)
    expect(tokens[: len(special)], cast(Value, special), note="the first entries")


@law("wordpiece_trainer.special-token-twice", case=named_twice)
def special_token_twice(wordpiece_trainer: Component, case: Case) -> None:
    expect(dict(answer(wordpiece_trainer, case)), {"error": "special-token-twice"})


@law("wordpiece_trainer.alphabet", case=lambda scope: st.one_of(corpora(scope), counted_exactly(scope)))
def alphabet(wordpiece_trainer: Component, case: Case) -> None:
    right = case.definition.entries([])
    tokens = entries(wordpiece_trainer, case)
    expect(tokens[: len(right)], cast(Value, right), note="special tokens and alphabet")


@law("wordpiece_trainer.initial-alphabet", case=with_initial)
def initial_alphabet(wordpiece_trainer: Component, case: Case) -> None:
    is_right(wordpiece_trainer, case)


@law("wordpiece_trainer.not-a-character", case=no_characters)
def not_a_character(wordpiece_trainer: Component, case: Case) -> None:
    expect(dict(wordpiece_trainer(**case.parameters, size=99).answer("train", ["ab"])), {"error": "not-a-character"})


@law("wordpiece_trainer.limit-alphabet", case=limited)
def limit_alphabet(wordpiece_trainer: Component, case: Case) -> None:
    is_right(wordpiece_trainer, case)


@law("wordpiece_trainer.no-room", case=corpora, less=lambda _: st.integers(1, 3))
def no_room(wordpiece_trainer: Component, case: Case, less: int) -> None:
    """Just too little room, and just enough."""
    least = len(case.definition.entries([]))
    enough = wordpiece_trainer(**case.config | {"size": least}).answer("train", list(case.words))
    expect(enough.get("tokens", dict(enough)), cast(Value, case.definition.entries([])), note="just enough room")
    small: Value = max(0, least - less)
    found = wordpiece_trainer(**case.config | {"size": small}).answer("train", list(case.words))
    expect(dict(found), {"error": "no-room"})


@law("wordpiece_trainer.continuations", case=prefixed)
def continuations(wordpiece_trainer: Component, case: Case) -> None:
    is_right(wordpiece_trainer, case)


@law("wordpiece_trainer.likelihood", case=plain)
def likelihood(wordpiece_trainer: Component, case: Case) -> None:
    """Whichever of several that have the same score the subject takes."""
    _, merges = trained(wordpiece_trainer, case)
    for place, pair in enumerate(merges):
        rows = case.definition.after(merges[:place])
        scores = {each: case.definition.worth(each, rows)[0] for each in case.definition.candidates(rows)}
        most = max(cast(Any, scores.values()), default=0)
        best: Value = [list(each) for each, score in scores.items() if score == most]
        if scores.get(pair) != most:
            expect(list(pair), best, note=f"merge {place}: one of these has the score {most}, the highest")


@law("wordpiece_trainer.exact-scores", case=close)
def exact_scores(wordpiece_trainer: Component, case: Case) -> None:
    is_right(wordpiece_trainer, case)


@law("wordpiece_trainer.ties-by-ids", case=lambda scope: st.one_of(by_ids(scope), of_one_score(scope)))
def ties_by_ids(wordpiece_trainer: Component, case: Case) -> None:
    is_right(wordpiece_trainer, case)


@law("wordpiece_trainer.ties-first-seen", case=by_first_seen)
def ties_first_seen(wordpiece_trainer: Component, case: Case) -> None:
    is_right(wordpiece_trainer, case)


@law(
    "wordpiece_trainer.unknown-tie-rule",
    name=lambda _: st.sampled_from(["", "id", "IDS", "random", "last_seen", "first"]),
)
def unknown_tie_rule(wordpiece_trainer: Component, name: str) -> None:
    found = wordpiece_trainer(size=9, ties=name).answer("train", ["ab"])
    expect(dict(found), {"error": "unknown-tie-rule"})


@law("wordpiece_trainer.frequency", case=by_frequency)
def frequency(wordpiece_trainer: Component, case: Case) -> None:
    is_right(wordpiece_trainer, case)


@law("wordpiece_trainer.unknown-rule", name=lambda _: st.sampled_from(["", "bpe", "likelihoods", "Frequency"]))
def unknown_rule(wordpiece_trainer: Component, name: str) -> None:
    found = wordpiece_trainer(size=9, rule=name).answer("train", ["ab"])
    expect(dict(found), {"error": "unknown-rule"})


@law("wordpiece_trainer.word-initial", case=word_initial)
def only_word_initial(wordpiece_trainer: Component, scope: Scope, case: Case) -> None:
    scope.required("eligible", ELIGIBLE[1:])
    is_right(wordpiece_trainer, case)


@law("wordpiece_trainer.unknown-eligibility", name=lambda _: st.sampled_from(["", "all", "word-initial", "Any"]))
def unknown_eligibility(wordpiece_trainer: Component, name: str) -> None:
    found = wordpiece_trainer(size=9, eligible=name).answer("train", ["ab"])
    expect(dict(found), {"error": "unknown-eligibility"})


@law("wordpiece_trainer.overlaps", case=in_a_row)
def overlaps(wordpiece_trainer: Component, case: Case) -> None:
    is_right(wordpiece_trainer, case)


@law("wordpiece_trainer.min-frequency", case=rare)
def min_frequency(wordpiece_trainer: Component, case: Case) -> None:
    is_right(wordpiece_trainer, case)


@law("wordpiece_trainer.usual-frequency", case=usual)
def usual_frequency(wordpiece_trainer: Component, case: Case) -> None:
    is_right(wordpiece_trainer, case)


@law("wordpiece_trainer.max-token-length", case=no_longer)
def max_token_length(wordpiece_trainer: Component, case: Case) -> None:
    is_right(wordpiece_trainer, case)


@law("wordpiece_trainer.size", case=corpora)
def size(wordpiece_trainer: Component, case: Case) -> None:
    wanted = case.definition.size
    tokens = entries(wordpiece_trainer, case)
    expect(len(tokens) <= wanted, True, note=f"{len(tokens)} of {wanted} entries")
    tokens, merges = trained(wordpiece_trainer, case)
    left = case.definition.candidates(case.definition.after(merges)) if len(tokens) < wanted else {}
    expect([list(pair) for pair in left], [], note=f"{wanted - len(tokens)} are missing, and these are left to merge")


@law("wordpiece_trainer.account", case=lambda scope: st.one_of(corpora(scope), in_a_row(scope)))
def account(wordpiece_trainer: Component, case: Case) -> None:
    found = wordpiece_trainer(**case.config).answer("account", list(case.words))
    tokens, merges = trained(wordpiece_trainer, case)
    rows = (case.definition.after(merges[:place]) for place in range(len(merges)))
    counts: Value = [occurrences(each, pair) for each, pair in zip(rows, merges, strict=True)]
    expect(dict(found), {"counts": counts, "short_by": case.definition.size - len(tokens)})


@law("wordpiece_trainer.specials-are-not-learnt", case=with_specials)
def specials_are_not_learnt(wordpiece_trainer: Component, case: Case) -> None:
    is_right(wordpiece_trainer, case)


@law("wordpiece_trainer.from-counts", case=counted)
def from_counts(wordpiece_trainer: Component, case: Case) -> None:
    """What the definition gives, and what the same words teach, each as often."""
    assert case.counts is not None
    is_right(wordpiece_trainer, case)
    words = [word for word, count in zip(case.words, case.counts, strict=True) for _ in range(count)]
    spelt_out = dict(answer(wordpiece_trainer, replace(case, words=words, counts=None)))
    expect(dict(answer(wordpiece_trainer, case)), spelt_out, note="from counts, and from the words")


@law(
    "wordpiece_trainer.counts-do-not-fit", case=counted, fault=lambda _: st.sampled_from(["fewer", "more", "negative"])
)
def counts_do_not_fit(wordpiece_trainer: Component, case: Case, fault: str) -> None:
    words, counts = [*case.words, "ab"], [*cast(list[int], case.counts), 2]
    wrong = {"fewer": counts[:-1], "more": [*counts, 1], "negative": [*counts[:-1], -1]}[fault]
    found = wordpiece_trainer(**case.config | {"size": 99}).answer("train_from_counts", list(words), list(wrong))
    expect(dict(found), {"error": "counts-do-not-fit"})


@law("wordpiece_trainer.large-counts", case=plain, factor=lambda _: st.sampled_from(FACTORS))
def large_counts(wordpiece_trainer: Component, case: Case, factor: int) -> None:
    factor = min(factor, LARGEST // sum(map(len, case.words)))
    is_right(wordpiece_trainer, times(case, factor))


@law("wordpiece_trainer.smaller-size", case=corpora, less=lambda _: st.integers(1, 5))
def smaller_size(wordpiece_trainer: Component, case: Case, less: int) -> None:
    smaller = replace(case, room=max(0, case.room - less))
    few, first = trained(wordpiece_trainer, smaller)
    many, merges = trained(wordpiece_trainer, case)
    expect([list(pair) for pair in merges[: len(first)]], [list(pair) for pair in first], note="the first merges")
    expect(cast(Value, many[: len(few)]), cast(Value, few), note="the first entries")


@law("wordpiece_trainer.order-of-words", cases=shuffled)
def order_of_words(wordpiece_trainer: Component, cases: tuple[Case, list[str]]) -> None:
    case, words = cases
    one = dict(answer(wordpiece_trainer, case))
    expect(dict(answer(wordpiece_trainer, replace(case, words=words))), one, note=f"and of {show(list(case.words))}")


@law("wordpiece_trainer.spells-the-words", case=plain)
def spells_the_words(wordpiece_trainer: Component, case: Case) -> None:
    tokens, merges = trained(wordpiece_trainer, case)
    rows = case.definition.after(merges)
    spelt: Value = ["".join(each.removeprefix("##") for each in symbols) for symbols, _ in rows]
    expect(spelt, [word for word, _ in case.definition.corpus], note="the words")
    used = {symbol for symbols, _ in rows for symbol in symbols}
    expect(sorted(used - set(tokens)), [], note="symbols that are no entries")
    expect(sorted(tokens), sorted(case.definition.entries(merges)), note="entries, and what the merges make")


@law("wordpiece_trainer.exact-characters", case=counted_exactly)
def exact_characters(wordpiece_trainer: Component, case: Case) -> None:
    tokens = entries(wordpiece_trainer, case)
    seen = case.definition.alphabet
    expect(cast(Value, tokens[: len(seen)]), cast(Value, seen), note="the symbols that words begin as")


@law("wordpiece_trainer.pure", case=corpora, other=corpora)
def pure(wordpiece_trainer: Component, case: Case, other: Case) -> None:
    trainer = wordpiece_trainer(**case.config | {"size": 99})
    first = dict(trainer.answer("train", list(case.words)))
    trainer.answer("train", list(other.words))
    expect(dict(trainer.answer("train", list(case.words))), first, note="the same trainer again")
    fresh = wordpiece_trainer(**case.config | {"size": 99}).answer("train", list(case.words))
    expect(dict(fresh), first, note="a fresh one")
