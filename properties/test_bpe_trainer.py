"""The laws of spec/bpe_trainer.yaml, for any implementation."""

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from hypothesis import strategies as st

from goldpiece.suite.component import Component
from goldpiece.suite.law import expect, law
from goldpiece.suite.values import Value, show

from .oracles.training import occurrences
from .strategies.bpe_trainer import (
    Case,
    by_first_seen,
    by_ids,
    corpora,
    counted,
    counted_exactly,
    ending,
    ending_apart,
    in_a_row,
    limited,
    made_twice,
    named_twice,
    no_characters,
    no_longer,
    plain,
    rare,
    shuffled,
    times,
    with_initial,
    with_specials,
)

Pair = tuple[str, str]
FACTORS = (2, 1000, 2**31, 2**40)
LARGEST = 2**53 - 1  # what JSON carries as a whole number in every language


def answer(bpe_trainer: Component, case: Case) -> Mapping[str, Value]:
    """What the subject makes of the words of a case."""
    trainer = bpe_trainer(**case.config)
    if case.counts is None:
        return trainer.answer("train", list(case.words))
    return trainer.answer("train_from_counts", list(case.words), list(case.counts))


def is_right(bpe_trainer: Component, case: Case) -> None:
    """Raises Disagreement where the answer is another than that of the definition."""
    right = case.definition.trained()
    kept = {name: value for name, value in right.items() if name not in ("counts", "short_by")}
    expect(dict(answer(bpe_trainer, case)), cast(Value, kept))


def trained(bpe_trainer: Component, case: Case) -> tuple[list[str], list[Pair]]:
    """The tokens and merges that the subject has."""
    found = answer(bpe_trainer, case)
    if "error" in found:
        expect(dict(found), {"tokens": "some"})
    merges = cast(list[list[str]], found["merges"])
    expect([len(pair) for pair in merges], [2] * len(merges), note="each merge is of two")
    return cast(list[str], found["tokens"]), [(first, second) for first, second in merges]


@law("bpe_trainer.specials-first", case=corpora)
def specials_first(bpe_trainer: Component, case: Case) -> None:
    special = list(case.definition.special_tokens)
    tokens, _ = trained(bpe_trainer, case)
    expect(tokens[: len(special)], cast(Value, special), note="the first entries")


@law("bpe_trainer.special-token-twice", case=named_twice)
def special_token_twice(bpe_trainer: Component, case: Case) -> None:
    expect(dict(answer(bpe_trainer, case)), {"error": "special-token-twice"})


@law("bpe_trainer.alphabet", case=lambda scope: st.one_of(corpora(scope), counted_exactly(scope)))
def alphabet(bpe_trainer: Component, case: Case) -> None:
    right = case.definition.entries([])
    tokens, _ = trained(bpe_trainer, case)
    expect(tokens[: len(right)], cast(Value, right), note="special tokens and alphabet")


@law("bpe_trainer.initial-alphabet", case=with_initial)
def initial_alphabet(bpe_trainer: Component, case: Case) -> None:
    is_right(bpe_trainer, case)


@law("bpe_trainer.not-a-character", case=no_characters)
def not_a_character(bpe_trainer: Component, case: Case) -> None:
    expect(dict(bpe_trainer(**case.parameters, size=99).answer("train", ["ab"])), {"error": "not-a-character"})


@law("bpe_trainer.limit-alphabet", case=limited)
def limit_alphabet(bpe_trainer: Component, case: Case) -> None:
    is_right(bpe_trainer, case)


@law("bpe_trainer.no-room", case=corpora, less=lambda _: st.integers(1, 3))
def no_room(bpe_trainer: Component, case: Case, less: int) -> None:
    """Just too little room, and just enough."""
    least = len(case.definition.entries([]))
    enough = bpe_trainer(**case.config | {"size": least}).answer("train", list(case.words))
    expect(enough.get("tokens", dict(enough)), cast(Value, case.definition.entries([])), note="just enough room")
    small: Value = max(0, least - less)
    found = bpe_trainer(**case.config | {"size": small}).answer("train", list(case.words))
    expect(dict(found), {"error": "no-room"})


@law("bpe_trainer.most-frequent", case=plain)
def most_frequent(bpe_trainer: Component, case: Case) -> None:
    """Whichever of several that are equally frequent the subject takes."""
    _, merges = trained(bpe_trainer, case)
    for place, pair in enumerate(merges):
        counts = case.definition.candidates(case.definition.after(merges[:place]))
        most = max(counts.values(), default=0)
        best: Value = [list(each) for each, count in counts.items() if count == most]
        if counts.get(pair) != most:
            expect(list(pair), best, note=f"merge {place}: one of these occurs {most} times, most often")


@law("bpe_trainer.ties-by-ids", case=by_ids)
def ties_by_ids(bpe_trainer: Component, case: Case) -> None:
    is_right(bpe_trainer, case)


@law("bpe_trainer.ties-first-seen", case=by_first_seen)
def ties_first_seen(bpe_trainer: Component, case: Case) -> None:
    is_right(bpe_trainer, case)


@law("bpe_trainer.unknown-tie-rule", name=lambda _: st.sampled_from(["", "id", "IDS", "random", "last_seen", "first"]))
def unknown_tie_rule(bpe_trainer: Component, name: str) -> None:
    found = bpe_trainer(size=9, ties=name).answer("train", ["ab"])
    expect(dict(found), {"error": "unknown-tie-rule"})


@law("bpe_trainer.overlaps", case=in_a_row)
def overlaps(bpe_trainer: Component, case: Case) -> None:
    is_right(bpe_trainer, case)


@law("bpe_trainer.same-text", case=made_twice)
def same_text(bpe_trainer: Component, case: Case) -> None:
    is_right(bpe_trainer, case)


@law("bpe_trainer.min-frequency", case=rare)
def min_frequency(bpe_trainer: Component, case: Case) -> None:
    is_right(bpe_trainer, case)


@law("bpe_trainer.max-token-length", case=no_longer)
def max_token_length(bpe_trainer: Component, case: Case) -> None:
    is_right(bpe_trainer, case)


@law("bpe_trainer.size", case=corpora)
def size(bpe_trainer: Component, case: Case) -> None:
    tokens, merges = trained(bpe_trainer, case)
    wanted = case.definition.size
    expect(len(tokens) <= wanted, True, note=f"{len(tokens)} of {wanted} entries")
    left = case.definition.candidates(case.definition.after(merges)) if len(tokens) < wanted else {}
    expect([list(pair) for pair in left], [], note=f"{wanted - len(tokens)} are missing, and these are left to merge")


@law("bpe_trainer.account", case=lambda scope: st.one_of(corpora(scope), in_a_row(scope)))
def account(bpe_trainer: Component, case: Case) -> None:
    found = bpe_trainer(**case.config).answer("account", list(case.words))
    tokens, merges = trained(bpe_trainer, case)
    rows = (case.definition.after(merges[:place]) for place in range(len(merges)))
    counts: Value = [occurrences(each, pair) for each, pair in zip(rows, merges, strict=True)]
    expect(dict(found), {"counts": counts, "short_by": case.definition.size - len(tokens)})


@law("bpe_trainer.end-of-word", case=ending)
def end_of_word(bpe_trainer: Component, case: Case) -> None:
    is_right(bpe_trainer, case)


@law("bpe_trainer.end-of-word-apart", case=ending_apart)
def end_of_word_apart(bpe_trainer: Component, case: Case) -> None:
    is_right(bpe_trainer, case)


@law("bpe_trainer.specials-are-not-learnt", case=with_specials)
def specials_are_not_learnt(bpe_trainer: Component, case: Case) -> None:
    is_right(bpe_trainer, case)


@law("bpe_trainer.from-counts", case=counted)
def from_counts(bpe_trainer: Component, case: Case) -> None:
    """What the definition gives, and what the same words teach, each as often."""
    assert case.counts is not None
    is_right(bpe_trainer, case)
    words = [word for word, count in zip(case.words, case.counts, strict=True) for _ in range(count)]
    spelt_out = dict(answer(bpe_trainer, replace(case, words=words, counts=None)))
    expect(dict(answer(bpe_trainer, case)), spelt_out, note="from counts, and from the words")


@law("bpe_trainer.counts-do-not-fit", case=counted, fault=lambda _: st.sampled_from(["fewer", "more", "negative"]))
def counts_do_not_fit(bpe_trainer: Component, case: Case, fault: str) -> None:
    words, counts = [*case.words, "ab"], [*cast(list[int], case.counts), 2]
    wrong = {"fewer": counts[:-1], "more": [*counts, 1], "negative": [*counts[:-1], -1]}[fault]
    found = bpe_trainer(**case.config | {"size": 99}).answer("train_from_counts", list(words), list(wrong))
    expect(dict(found), {"error": "counts-do-not-fit"})


@law("bpe_trainer.large-counts", case=plain, factor=lambda _: st.sampled_from(FACTORS))
def large_counts(bpe_trainer: Component, case: Case, factor: int) -> None:
    total = sum(map(len, case.words))
    factor = min(factor, LARGEST // total)
    is_right(bpe_trainer, times(case, factor))


@law("bpe_trainer.smaller-size", case=corpora, less=lambda _: st.integers(1, 5))
def smaller_size(bpe_trainer: Component, case: Case, less: int) -> None:
    smaller = replace(case, room=max(0, case.room - less))
    few, first = trained(bpe_trainer, smaller)
    many, merges = trained(bpe_trainer, case)
    expect([list(pair) for pair in merges[: len(first)]], [list(pair) for pair in first], note="the first merges")
    expect(cast(Value, many[: len(few)]), cast(Value, few), note="the first entries")


@law("bpe_trainer.order-of-words", cases=shuffled)
def order_of_words(bpe_trainer: Component, cases: tuple[Case, list[str]]) -> None:
    case, words = cases
    one = dict(answer(bpe_trainer, case))
    expect(dict(answer(bpe_trainer, replace(case, words=words))), one, note=f"and of {show(list(case.words))}")


@law("bpe_trainer.spells-the-words", case=plain)
def spells_the_words(bpe_trainer: Component, case: Case) -> None:
    tokens, merges = trained(bpe_trainer, case)
    rows = case.definition.after(merges)
    expect(["".join(symbols) for symbols, _ in rows], [word for word, _ in case.definition.corpus], note="the words")
    used = {symbol for symbols, _ in rows for symbol in symbols}
    expect(sorted(used - set(tokens)), [], note="symbols that are no entries")
    expect(sorted(tokens), sorted(case.definition.entries(merges)), note="entries, and what the merges make")


@law("bpe_trainer.exact-characters", case=counted_exactly)
def exact_characters(bpe_trainer: Component, case: Case) -> None:
    tokens, _ = trained(bpe_trainer, case)
    seen = sorted({character for word in case.words for character in word})
    expect(cast(Value, tokens[: len(seen)]), cast(Value, seen), note="the characters of the words")


@law("bpe_trainer.pure", case=corpora, other=corpora)
def pure(bpe_trainer: Component, case: Case, other: Case) -> None:
    trainer = bpe_trainer(**case.config | {"size": 99})
    first = dict(trainer.answer("train", list(case.words)))
    trainer.answer("train", list(other.words))
    expect(dict(trainer.answer("train", list(case.words))), first, note="the same trainer again")
    fresh = bpe_trainer(**case.config | {"size": 99}).answer("train", list(case.words))
    expect(dict(fresh), first, note="a fresh one")
