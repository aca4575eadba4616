"""The laws of spec/vocabulary.yaml, for any implementation."""

from hypothesis import strategies as st

from goldpiece.suite.component import Component
from goldpiece.suite.law import expect, law
from goldpiece.suite.values import Value, show

from .strategies.vocabulary import (
    Case,
    bounded,
    corpora,
    counted_exactly,
    named_twice,
    not_special,
    rare,
    tied,
    too_small,
    unequal,
    with_specials,
    without_unknown,
)

limits = st.sampled_from([None, 0, 1, 2, 3, 8])
several = st.lists(st.integers(1, 5), min_size=1, max_size=4)


def entries(vocabulary: Component, case: Case) -> Value:
    """The tokens and counts that the subject has, or its error."""
    return dict(vocabulary(**case.config).answer("entries"))


def defined(case: Case) -> Value:
    """The tokens and counts that there should be."""
    tokens = case.definition.entries
    return {"tokens": list(tokens), "counts": [case.definition.count(token) for token in tokens]}


@law("vocabulary.specials-first", case=corpora)
def specials_first(vocabulary: Component, case: Case) -> None:
    special = list(case.definition.special_tokens)
    found = vocabulary(**case.config).answer("entries")["tokens"]
    assert isinstance(found, list)
    expect(found[: len(special)], list(special), note="the first entries")


@law("vocabulary.by-count", case=unequal)
def by_count(vocabulary: Component, case: Case) -> None:
    expect(entries(vocabulary, case), defined(case))


@law("vocabulary.ties", case=tied)
def ties(vocabulary: Component, case: Case) -> None:
    expect(entries(vocabulary, case), defined(case))


@law("vocabulary.min-count", case=rare)
def min_count(vocabulary: Component, case: Case) -> None:
    expect(entries(vocabulary, case), defined(case))


@law("vocabulary.max-size", case=bounded)
def max_size(vocabulary: Component, case: Case) -> None:
    expect(entries(vocabulary, case), defined(case))


@law("vocabulary.no-room", case=too_small)
def no_room(vocabulary: Component, case: Case) -> None:
    expect(entries(vocabulary, case), {"error": "no-room"})


@law("vocabulary.special-in-corpus", case=with_specials)
def special_in_corpus(vocabulary: Component, case: Case) -> None:
    expect(entries(vocabulary, case), defined(case))


@law("vocabulary.special-token-twice", case=named_twice)
def special_token_twice(vocabulary: Component, case: Case) -> None:
    expect(entries(vocabulary, case), {"error": "special-token-twice"})


@law("vocabulary.unknown-token-not-special", case=not_special)
def unknown_token_not_special(vocabulary: Component, case: Case) -> None:
    expect(entries(vocabulary, case), {"error": "unknown-token-not-special"})


@law("vocabulary.exact-tokens", case=counted_exactly)
def exact_tokens(vocabulary: Component, case: Case) -> None:
    expect(entries(vocabulary, case), defined(case))


@law("vocabulary.bijection", case=corpora)
def bijection(vocabulary: Component, case: Case) -> None:
    model = vocabulary(**case.config)
    tokens = model.answer("entries")["tokens"]
    assert isinstance(tokens, list)
    ids = list(range(len(tokens)))
    expect(model.answer("decode", ids)["tokens"], tokens, note="the tokens of all ids")
    expect(model.answer("encode", tokens)["ids"], ids, note="the ids of all entries")


@law("vocabulary.unknown", case=corpora)
def unknown(vocabulary: Component, case: Case) -> None:
    ids = vocabulary(**case.config).answer("encode", case.tokens)["ids"]
    expect(ids, [case.definition.id(token) for token in case.tokens])


@law("vocabulary.unknown-token-missing", case=without_unknown)
def unknown_token_missing(vocabulary: Component, case: Case) -> None:
    known = case.definition.entries
    right: Value = {"error": "unknown-token-missing"}
    if all(token in known for token in case.tokens):
        right = {"ids": [known.index(token) for token in case.tokens]}
    expect(dict(vocabulary(**case.config).answer("encode", case.tokens)), right)


@law("vocabulary.unknown-id", case=corpora, places=lambda _: st.lists(st.integers(-3, 3), min_size=1, max_size=3))
def unknown_id(vocabulary: Component, case: Case, places: list[int]) -> None:
    """Ids about the first and the last."""
    known = case.definition.entries
    for ids in (places, [len(known) + place for place in places]):
        there = all(0 <= number < len(known) for number in ids)
        right: Value = {"tokens": [known[number] for number in ids]} if there else {"error": "unknown-id"}
        expect(dict(vocabulary(**case.config).answer("decode", list(ids))), right)


@law("vocabulary.counts-add-up", case=corpora)
def counts_add_up(vocabulary: Component, case: Case) -> None:
    answer = vocabulary(**case.config).answer("most_common", None)
    tokens, counts = answer["tokens"], answer["counts"]
    assert isinstance(tokens, list)
    assert isinstance(counts, list)
    found = dict(zip(tokens, counts, strict=False))
    expect(found, {token: case.definition.count(token) for token in case.corpus}, note="the count of each token")
    expect(sum(counts), len(case.corpus), note="the sum of the counts")


@law("vocabulary.most-common", case=corpora, limit=lambda _: limits)
def most_common(vocabulary: Component, case: Case, limit: int | None) -> None:
    tokens = case.definition.frequent[:limit]
    right: Value = {"tokens": list(tokens), "counts": [case.definition.count(token) for token in tokens]}
    expect(dict(vocabulary(**case.config).answer("most_common", limit)), right)


@law("vocabulary.coverage", case=corpora, min_counts=lambda _: several)
def coverage(vocabulary: Component, case: Case, min_counts: list[int]) -> None:
    entries_of = [case.having(min_count=each).definition.entries for each in min_counts]
    missing = [sum(token not in known for token in case.tokens) for known in entries_of]
    answer = vocabulary(**case.config).answer("coverage", case.tokens, list(min_counts))
    expect(answer["sizes"], [len(known) for known in entries_of], note="sizes")
    shares: list[Value] = [count / max(1, len(case.tokens)) for count in missing]
    expect(answer["unknown"], shares, note=f"{show(missing)} of {len(case.tokens)} tokens are no entries")


@law("vocabulary.monotone", case=corpora)
def monotone(vocabulary: Component, case: Case) -> None:
    answer = vocabulary(**case.config).answer("coverage", case.tokens, [1, 2, 3, 4])
    sizes, shares = answer["sizes"], answer["unknown"]
    assert isinstance(sizes, list)
    assert isinstance(shares, list)
    expect(sizes, sorted(sizes, reverse=True), note="sizes fall")
    expect(shares, sorted(shares), note="shares rise")


@law("vocabulary.pure", case=corpora)
def pure(vocabulary: Component, case: Case) -> None:
    model = vocabulary(**case.config)
    first = dict(model.answer("entries"))
    model.answer("encode", [*case.tokens, "never seen"])
    model.answer("coverage", case.tokens, [1, 2])
    expect(dict(model.answer("entries")), first, note="asked again, after tokens were looked up")
    expect(entries(vocabulary, case), first, note="a fresh instance")
    ids = dict(model.answer("encode", case.tokens))
    expect(dict(vocabulary(**case.config).answer("encode", case.tokens)), ids, note="ids of a fresh instance")
