"""The laws of spec/masking.yaml on words of tokens, segments of text, leaks, and the draws that are defined."""

from collections.abc import Sequence
from itertools import pairwise
from typing import cast

from hypothesis import strategies as st

from goldpiece.suite.component import Component
from goldpiece.suite.law import expect, law
from goldpiece.suite.scope import Scope
from goldpiece.suite.values import Value

from .oracles import masking as definition
from .strategies.masking import SCHEMES, SPECIAL, Case, Marked, marked_rows, rows_with_ids, settings
from .test_masking import NOT_SELECTED, all_or_none, masked


def _grouped(masking: Component, marked: Marked, scheme: str) -> None:
    if not masking.takes("scheme", scheme):
        entries = [scheme + "x", "x" + scheme]  # a subject that finds the scheme out sees it in the vocabulary
        instance = masking(vocab=[*SPECIAL, entries[scheme == "</w>"]])
    else:
        instance = masking(vocab=SPECIAL, scheme=scheme)
    expect(instance.identify_word_groups(marked.tokens), marked.spans)


@law("masking.continuations", marked=lambda scope: marked_rows("##"))  # noqa: ARG005
def continuations(masking: Component, marked: Marked) -> None:
    _grouped(masking, marked, "##")


@law("masking.word-starts", marked=lambda scope: marked_rows("Ġ"))  # noqa: ARG005
def word_starts_of_gpt2(masking: Component, marked: Marked) -> None:
    _grouped(masking, marked, "Ġ")


@law("masking.word-starts", marked=lambda scope: marked_rows("▁"))  # noqa: ARG005
def word_starts_of_sentencepiece(masking: Component, marked: Marked) -> None:
    _grouped(masking, marked, "▁")


@law("masking.word-ends", marked=lambda scope: marked_rows("</w>"))  # noqa: ARG005
def word_ends(masking: Component, marked: Marked) -> None:
    _grouped(masking, marked, "</w>")


@law(
    "masking.orphans",
    drawn=lambda scope: st.sampled_from(SCHEMES).flatmap(  # noqa: ARG005
        lambda mark: st.tuples(st.just(mark), marked_rows(mark, orphans=True))
    ),
)
def orphans(masking: Component, drawn: tuple[str, Marked]) -> None:
    _grouped(masking, drawn[1], drawn[0])


def vocabularies(scope: Scope) -> st.SearchStrategy[tuple[list[str], str]]:  # noqa: ARG001
    """A vocabulary most of whose marked entries have one mark, and that mark."""

    def mixed(mark: str, count: int, others: Sequence[int], bare: set[str]) -> tuple[list[str], str]:
        vocab = [*SPECIAL, "plain", *sorted(bare)]  # a mark alone marks nothing
        for each, number in zip(SCHEMES, others, strict=True):
            size = count if each == mark else min(number, count - 1)
            vocab += [f"x{n}{each}" if each == "</w>" else f"{each}x{n}" for n in range(size)]
        return vocab, mark

    few = st.lists(st.integers(0, 3), min_size=4, max_size=4)
    return st.builds(mixed, st.sampled_from(SCHEMES), st.integers(1, 4), few, st.sets(st.sampled_from(SCHEMES)))


@law("masking.scheme-of-vocabulary", drawn=vocabularies)
def scheme_of_vocabulary(masking: Component, drawn: tuple[list[str], str]) -> None:
    vocab, mark = drawn
    tokens = ["a", "##b", "Ġc", "▁d", "e</w>", "f"]
    expect(masking(vocab=vocab).identify_word_groups(tokens), definition.groups(tokens, mark))


@st.composite
def _segmented(draw: st.DrawFn) -> tuple[list[list[int]], list[list[int]]]:
    """Offsets of tokens and segments of one text; some tokens lie between segments, or are empty."""
    lengths = draw(st.lists(st.tuples(st.integers(1, 4), st.booleans()), max_size=5))
    segments, at = [], 0
    for length, counts in lengths:
        if counts:
            segments.append([at, at + length])
        at += length
    offsets, place = [], 0
    for length in draw(st.lists(st.integers(0, 3), max_size=10)):
        offsets.append([place, place + length] if length else [0, 0])
        place += length
    return offsets, segments


@law("masking.segments", drawn=lambda scope: _segmented())  # noqa: ARG005
def segments(masking: Component, drawn: tuple[list[list[int]], list[list[int]]]) -> None:
    expect(masking(vocab=[*SPECIAL, "a"]).segment(*drawn), definition.word_ids(*drawn))


@law("masking.leak", case=rows_with_ids, selected=lambda scope: st.lists(st.booleans(), min_size=28, max_size=28))  # noqa: ARG005
def leak(masking: Component, case: Case, selected: list[bool]) -> None:
    instance = masking(vocab=case.vocab)
    expect(dict(instance.answer("leak", [], [])), {"selected": 0, "leaking": 0})
    for row, words in zip(case.rows, case.words, strict=True):
        chosen = {place for word in words for place in word if selected[place]}
        torn = sum(len(chosen & set(word)) for word in words if not set(word) <= chosen)
        labels = [number if place in chosen else -100 for place, number in enumerate(row)]
        spans = [[word[0], word[-1] + 1] for word in words]
        expect(dict(instance.answer("leak", labels, spans)), {"selected": len(chosen), "leaking": torn})


@law("masking.words-by-ids", case=rows_with_ids)
def words_side_by_side(masking: Component, case: Case) -> None:
    """Two words side by side are selected apart now and then; that they never are has the chance 2^-48."""
    words = max(case.words, key=len)
    number = case.words.index(words)
    times = 48
    many = Case(case.vocab, [case.rows[number]] * times, [case.word_ids[number]] * times, [words] * times)
    _, labels = masked(masking, many, indexes=list(range(times)), unit="word", rate=0.5)
    all_or_none(many, labels)
    for one, other in pairwise(words):
        alike = all((row[one[0]] == NOT_SELECTED) == (row[other[0]] == NOT_SELECTED) for row in labels)
        expect(alike, False, f"the words at {one} and {other} are selected together, {times} times of {times}")


# The draws that are defined here, for who wants the very same masks.


def keyed(scope: Scope) -> st.SearchStrategy[tuple[int, int, int | None]]:
    """A seed, an epoch and an index, or none."""
    seeds = st.sampled_from(cast(list[int], scope.required("seed", [1, 2**64 - 1, 12345])))
    return st.tuples(seeds, st.integers(0, 5), st.one_of(st.none(), st.integers(0, 2**40)))


@law("masking.draws", key=keyed, ids=lambda scope: st.lists(st.integers(0, 6), max_size=6))  # noqa: ARG005
def draws(masking: Component, key: tuple[int, int, int | None], ids: list[int]) -> None:
    seed, epoch, index = key
    instance = masking(vocab=[*SPECIAL, "a", "b"], seed=seed)
    expect(instance.draws(ids, index, epoch), definition.numbers(seed, epoch, ids, index))


@law("masking.exact-masks", case=rows_with_ids, key=keyed, config=settings)
def exact_masks(masking: Component, case: Case, key: tuple[int, int, int | None], config: dict[str, Value]) -> None:
    seed, epoch, index = key
    indexes = None if index is None else [index + number for number in range(len(case.rows))]
    given = list(masked(masking, case, indexes=indexes, epoch=epoch, seed=seed, config=config))
    right = definition.Masking(vocab=case.vocab, seed=seed, **config).mask(  # type: ignore[arg-type]
        case.rows, case.word_ids, None, indexes, epoch
    )
    expect(given, list(right))
