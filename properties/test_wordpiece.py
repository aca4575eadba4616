"""The laws of spec/wordpiece.yaml, for any implementation."""

from goldpiece.suite.component import Component
from goldpiece.suite.law import expect, law
from goldpiece.suite.values import Value, show

from .oracles.wordpiece import longest_pieces
from .strategies.wordpiece import (
    Case,
    at_the_limit,
    dead_ends,
    sequences,
    variants,
    words,
    words_beside_empty_entries,
    words_with_prefixes,
    words_with_unknowns,
    words_without_unknown,
)


@law("wordpiece.spells-the-word", case=words)
def spells_the_word(wordpiece: Component, case: Case) -> None:
    pieces = wordpiece(**case.config).tokenize(case.word)
    assert isinstance(pieces, list)
    spelt = "".join(str(piece).removeprefix(case.prefix) if place else str(piece) for place, piece in enumerate(pieces))
    if pieces != [case.unk_token]:
        expect(spelt, case.word, note=f"what the pieces {show(pieces)} spell")


@law("wordpiece.longest-match", case=words)
def longest_match(wordpiece: Component, case: Case) -> None:
    expect(wordpiece(**case.config).tokenize(case.word), longest_pieces(case))


@law("wordpiece.longest-match")
def large_vocabulary(wordpiece: Component) -> None:
    """More entries than sixteen bits can count, some of them long."""
    beginnings = [f"{number:05}" for number in range(70_000)]
    continuations = ["0", "9999", "0" * 80]
    model = wordpiece(vocab=["[UNK]", *beginnings, *(f"##{each}" for each in continuations)])
    for first in ("00000", "65535", "69999"):
        for rest in continuations:
            expect(model.tokenize(first + rest), [first, f"##{rest}"])


@law("wordpiece.all-or-unknown", case=dead_ends)
def all_or_unknown(wordpiece: Component, case: Case) -> None:
    expect(wordpiece(**case.config).tokenize(case.word), [case.unk_token])


@law("wordpiece.word-start", case=words)
def word_start(wordpiece: Component, case: Case) -> None:
    only_continuations = [entry for entry in case.vocab if entry.startswith(case.prefix) or entry == case.unk_token]
    bare = Case(only_continuations, case.word, case.parameters)
    prefixed = Case(only_continuations, case.prefix + case.word, case.parameters)
    for each in (bare, prefixed):
        expect(wordpiece(**each.config).tokenize(each.word), longest_pieces(each))


@law("wordpiece.length-limit", drawn=at_the_limit)
def length_limit(wordpiece: Component, drawn: tuple[Case, int]) -> None:
    case, limit = drawn
    letter = case.word[0]
    model = wordpiece(**case.config)
    for length in (limit - 1, limit):
        expect(model.tokenize(letter * length), [letter, *[case.prefix + letter] * (length - 1)][:length])
    for length in (limit + 1, 2 * limit):
        expect(model.tokenize(letter * length), [case.unk_token])


@law("wordpiece.prefix-parameter", case=words_with_prefixes)
def prefix_parameter(wordpiece: Component, case: Case) -> None:
    expect(wordpiece(**case.config).tokenize(case.word), longest_pieces(case))


@law("wordpiece.unknown-parameter", case=words_with_unknowns)
def unknown_parameter(wordpiece: Component, case: Case) -> None:
    expect(wordpiece(**case.config).tokenize(case.word), longest_pieces(case))


@law("wordpiece.unknown-token-missing", case=words_without_unknown)
def unknown_token_missing(wordpiece: Component, case: Case) -> None:
    pieces = longest_pieces(case)
    expected = {"error": "unknown-token-missing"} if pieces == [case.unk_token] else {"pieces": pieces}
    expect(wordpiece(**case.config).answer("tokenize", case.word), expected)


@law("wordpiece.empty-pieces", case=words_beside_empty_entries)
def empty_pieces(wordpiece: Component, case: Case) -> None:
    expect(wordpiece(**case.config).tokenize(case.word), longest_pieces(case))


@law("wordpiece.exact-characters", drawn=variants)
def exact_characters(wordpiece: Component, drawn: tuple[Case, str]) -> None:
    case, other = drawn
    model = wordpiece(**case.config)
    expect(model.tokenize(case.word), [case.word])
    expect(model.tokenize(other), ["[UNK]"])


@law("wordpiece.vocabulary-order", case=words)
def vocabulary_order(wordpiece: Component, case: Case) -> None:
    pieces = wordpiece(**case.config).tokenize(case.word)
    for vocab in (sorted(case.vocab), sorted(case.vocab, reverse=True), sorted(case.vocab, key=len)):
        expect(
            wordpiece(**case.config | {"vocab": vocab}).tokenize(case.word),
            pieces,
            note="the same entries in another order",
        )


@law("wordpiece.pure", drawn=sequences)
def pure(wordpiece: Component, drawn: tuple[Case, list[str]]) -> None:
    case, several = drawn
    model = wordpiece(**case.config)
    for word in several:
        fresh = wordpiece(**case.config).tokenize(word)
        expect(model.tokenize(word), fresh, f"what a fresh instance gives; this one was asked for {show(several)}")
    alone: Value = [model.tokenize(word) for word in several]
    expect(model.batch("tokenize", [[word] for word in several]), alone, note="given together, and each alone")
