"""The laws of spec/bpe.yaml, for any implementation."""

from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise
from typing import Any, cast

from hypothesis import strategies as st

from goldpiece.suite.component import Component
from goldpiece.suite.law import expect, law
from goldpiece.suite.scope import Scope
from goldpiece.suite.values import Value, show

from .chance import LOOKS, Share, expect_shares, looks
from .oracles.bpe import answer_of, steps_of
from .strategies.bpe import (
    UNKNOWN,
    Case,
    as_wholes,
    beside_entries,
    broken_tables,
    cases,
    dropping,
    ending,
    ending_apart,
    fused,
    in_a_row,
    in_conflict,
    out_of_order,
    reaching_back,
    sequences,
    trained,
    unknowns,
    variants,
    with_bytes,
    without_unknown,
    words,
)


def is_right(bpe: Component, case: Case) -> None:
    """Raises Disagreement where the answer is another than that of the definition."""
    expect(dict(bpe(**case.config).answer("tokenize", case.word)), cast(Value, answer_of(case)))


def pieces_of(bpe: Component, case: Case) -> list[str]:
    return cast(list[str], cast(Mapping[str, Value], bpe(**case.config).tokenize(case.word))["pieces"])


@law("bpe.spells-the-word", case=words)
def spells_the_word(bpe: Component, case: Case) -> None:
    expect("".join(pieces_of(bpe, case)), case.word, note="what the pieces spell")


@law("bpe.lowest-rank-first", case=lambda scope: st.one_of(trained(scope), in_conflict(scope)))
def lowest_rank_first(bpe: Component, case: Case) -> None:
    is_right(bpe, case)


@law("bpe.leftmost-first", case=in_a_row)
def leftmost_first(bpe: Component, case: Case) -> None:
    is_right(bpe, case)


@law("bpe.one-at-a-time", case=out_of_order)
def one_at_a_time(bpe: Component, case: Case) -> None:
    is_right(bpe, case)


@law("bpe.nothing-left-to-merge", case=lambda scope: st.one_of(words(scope), reaching_back(scope)))
def nothing_left_to_merge(bpe: Component, case: Case) -> None:
    pieces = pieces_of(bpe, case)
    left: Value = [list(pair) for pair in pairwise(pieces) if pair in case.merges]
    expect(left, [], note=f"neighbours of {show(pieces)} that are merges")


@law("bpe.merges-only", case=beside_entries)
def merges_only(bpe: Component, case: Case) -> None:
    is_right(bpe, case)


@law("bpe.unknown-characters", case=unknowns)
def unknown_characters(bpe: Component, case: Case) -> None:
    is_right(bpe, case)


@law("bpe.fuse-unknown", case=fused)
def fuse_unknown(bpe: Component, case: Case) -> None:
    is_right(bpe, case)


@law("bpe.unknown-token-missing", drawn=without_unknown)
def unknown_token_missing(bpe: Component, drawn: tuple[Case, str]) -> None:
    case, other = drawn
    model = bpe(**case.config)
    expect(dict(model.answer("tokenize", case.word)), {"error": "unknown-token-missing"})
    expect(dict(model.answer("tokenize", other)), cast(Value, answer_of(case.of(other))))


@law("bpe.byte-fallback", case=with_bytes)
def byte_fallback(bpe: Component, case: Case) -> None:
    is_right(bpe, case)


@law("bpe.ignore-merges", case=as_wholes)
def ignore_merges(bpe: Component, case: Case) -> None:
    is_right(bpe, case)


@law("bpe.end-of-word", case=ending)
def end_of_word(bpe: Component, case: Case) -> None:
    is_right(bpe, case)


@law("bpe.end-of-word-apart", case=ending_apart)
def end_of_word_apart(bpe: Component, case: Case) -> None:
    is_right(bpe, case)


@law("bpe.dropout-ends", case=trained)
def dropout_ends(bpe: Component, scope: Scope, case: Case) -> None:
    zero, one = scope.required("dropout", [0.0]), scope.required("dropout", [1.0])
    expect(pieces_of(bpe, case.under(dropout=zero[0])), pieces_of(bpe, case), note="with a dropout of 0, and without")
    expect(pieces_of(bpe, case.under(dropout=one[0])), list(case.word), note="with a dropout of 1, and the characters")


@law("bpe.dropout-only-merges", case=dropping)
def dropout_only_merges(bpe: Component, case: Case) -> None:
    pieces = pieces_of(bpe, case)
    expect("".join(pieces), case.word, note="what the pieces spell")
    unmade: Value = [piece for piece in pieces if not can_be_made(piece, set(case.merges))]
    expect(unmade, [], note=f"those of {show(pieces)} that no merges make")


def can_be_made(piece: str, merges: set[tuple[str, str]]) -> bool:
    """Whether a piece is a character, or some merge joins two parts that can be made."""
    return len(piece) == 1 or any(
        pair in merges and all(can_be_made(part, merges) for part in pair)
        for pair in ((piece[:place], piece[place:]) for place in range(1, len(piece)))
    )


# Of three letters the first two are merged with the chance 1 - p, and else the last two with p(1 - p). Words differ,
# since one word may draw the same each time.
LETTERS = [chr(0x4E00 + number) for number in range(40)]
PAIRS = list(combinations(LETTERS, 2))  # the first of a word have a lower rank than the last
TRIPLES = ["".join(letters) for letters in combinations(LETTERS, 3)]  # 9,880


@law("bpe.dropout-chance")
def dropout_chance(bpe: Component, scope: Scope, seed: int) -> None:
    own = seed % 2**31
    seeded: dict[str, Value] = {"seed": own} if bpe.takes("seed", own) else {}
    rates = cast(list[float], scope.required("dropout", [0.1, 0.75]))
    vocab: Value = [*LETTERS, *map("".join, PAIRS)]
    merges: Value = [list(pair) for pair in PAIRS]
    for look, times in looks(500, 4_000):
        chosen = TRIPLES[500 * look :][:times]
        for rate in rates:
            model = bpe(vocab=vocab, merges=merges, dropout=rate, **seeded)
            shown = cast(list[Mapping[str, list[str]]], model.batch("tokenize", [[word] for word in chosen]))
            lengths = [list(map(len, each["pieces"])) for each in shown]
            shares = [
                Share(f"the first two merged with dropout = {rate}", lengths.count([2, 1]), times, 1 - rate),
                Share(f"the last two merged with dropout = {rate}", lengths.count([1, 2]), times, rate * (1 - rate)),
            ]
            expect_shares(shares, LOOKS * len(rates) * len(shares))


@law("bpe.dropout-seed", case=trained)
def dropout_seed(bpe: Component, scope: Scope, case: Case) -> None:
    rate = scope.required("dropout", [0.5])[0]
    scope.required("seed", [1])
    word = "ab" * 20
    several = [Case(["a", "b", "ab"], [("a", "b")], word, {"dropout": rate, "seed": seed}) for seed in range(1, 6)]
    once = [pieces_of(bpe, each) for each in several]
    expect(len({tuple(pieces) for pieces in once}) > 1, True, note="whether seeds make a difference")
    for seed in (1, 2**40, -3):
        own = case.under(dropout=rate, seed=seed)
        model = bpe(**own.config)
        first = model.tokenize(case.word)
        model.tokenize(case.word + case.word)
        expect(model.tokenize(case.word), first, note="asked again, another word in between")
        expect(bpe(**own.config).tokenize(case.word), first, note="asked of another instance")


@law("bpe.dropout-range", rate=lambda _: st.sampled_from([-1.0, -1e-9, 1.0000001, 2.0, 100.0]))
def dropout_range(bpe: Component, scope: Scope, rate: float) -> None:
    scope.required("dropout", [rate])
    right = {"error": "dropout-out-of-range"}
    expect(dict(bpe(vocab=["a"], merges=[], dropout=rate).answer("tokenize", "a")), right)


@law("bpe.offsets", case=words)
def offsets(bpe: Component, case: Case) -> None:
    answer = cast(Mapping[str, list[Any]], bpe(**case.config).tokenize(case.word))
    spans = answer["offsets"]
    expect([case.word[start:end] for start, end in spans], answer["pieces"], note=f"what the word holds at {spans}")
    edges = [0, *(end for _, end in spans)]
    expect(
        [start for start, _ in spans], edges[: len(spans)], note="where pieces begin, and where those before them end"
    )


@law("bpe.merge-out-of-vocabulary", case=broken_tables)
def merge_out_of_vocabulary(bpe: Component, case: Case) -> None:
    expect(dict(bpe(**case.config).answer("tokenize", case.word)), {"error": "merge-out-of-vocabulary"})


@law("bpe.empty-word", case=lambda scope: st.one_of(words(scope), *_marked(scope)))
def empty_word(bpe: Component, case: Case) -> None:
    expect(dict(bpe(**case.config).answer("tokenize", "")), {"pieces": [], "offsets": []})


def _marked(scope: Scope) -> Sequence[st.SearchStrategy[Case]]:
    """Cases with marks, as far as the subject takes them."""
    attached = scope.values("end_of_word", ["</w>"]) == ["</w>"]
    apart = attached and scope.values("end_of_word_apart", [True]) == [True]
    return [*([ending(scope)] if attached else []), *([ending_apart(scope)] if apart else [])]


@law("bpe.exact-characters", drawn=variants)
def exact_characters(bpe: Component, drawn: tuple[Case, str]) -> None:
    case, other = drawn
    expect(pieces_of(bpe, case), [case.word])
    is_right(bpe, case.of(other))


@law("bpe.any-length")
def any_length(bpe: Component) -> None:
    """Longer than a buffer may be, but short enough for the plainest algorithm there is."""
    for case in (
        Case(["a", "b", "ab"], [("a", "b")], "ab" * 600),
        Case(["a", "aa", "aaaa"], [("a", "a"), ("aa", "aa")], "a" * 1_025),
        Case(["a", UNKNOWN], [], "ax" * 5_000, {"unk_token": UNKNOWN}),
    ):
        whole = case.config if bpe.takes("unk_token", UNKNOWN) or not case.parameters else None
        if whole is not None:
            expect(dict(bpe(**whole).answer("tokenize", case.word)), cast(Value, answer_of(case)))


@law("bpe.vocabulary-order", case=words)
def vocabulary_order(bpe: Component, case: Case) -> None:
    answer = bpe(**case.config).tokenize(case.word)
    for vocab in (sorted(case.vocab), sorted(case.vocab, reverse=True), sorted(case.vocab, key=len)):
        other = bpe(**case.config | {"vocab": vocab}).tokenize(case.word)
        expect(other, answer, note="the same entries in another order")
    expect(answer, cast(Value, answer_of(case)), note="that of the merges makes a difference")


@law("bpe.pure", drawn=sequences)
def pure(bpe: Component, drawn: tuple[Case, list[str]]) -> None:
    case, several = drawn
    model = bpe(**case.config)
    for word in several:
        fresh = bpe(**case.config).tokenize(word)
        expect(model.tokenize(word), fresh, f"what a fresh instance gives; this one was asked for {show(several)}")
    alone: Value = [model.tokenize(word) for word in several]
    expect(model.batch("tokenize", [[word] for word in several]), alone, note="given together, and each alone")


@law("bpe.steps", case=lambda scope: st.one_of(cases(scope), in_conflict(scope), *_marked(scope)))
def steps(bpe: Component, case: Case) -> None:
    made = steps_of(case)
    assert made is not None
    right: Value = [[text for text, _, _ in step] for step in made]
    expect(bpe(**case.config).steps(case.word), right)
