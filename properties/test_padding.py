"""The laws of spec/padding.yaml, for any implementation."""

from hypothesis import strategies as st

from goldpiece.suite.component import Component
from goldpiece.suite.law import expect, law
from goldpiece.suite.scope import Scope
from goldpiece.suite.values import Value

from .strategies.padding import (
    PAD_IDS,
    ROW,
    Batch,
    batches,
    fixed,
    known,
    of_any_width,
    rounded,
    too_long,
    typed,
    with_empty_rows,
    without_token,
)


def widths(padded: object) -> list[int]:
    """How wide the rows of ids are."""
    assert isinstance(padded, dict)
    return [len(row) for row in padded["ids"]]


def ask(padding: Component, batch: Batch) -> dict[str, Value]:
    padded = padding(**batch.config).pad(*batch.given)
    assert isinstance(padded, dict)
    return padded


def refusal(padding: Component, batch: Batch) -> dict[str, Value]:
    """The answer, where it should be an error."""
    return dict(padding(**batch.config).answer("pad", *batch.given))


@law("padding.longest", batch=batches)
def longest(padding: Component, batch: Batch) -> None:
    expect(widths(ask(padding, batch)), [batch.longest] * len(batch.ids), note="the width of each row")


@law("padding.max-length", batch=fixed)
def max_length(padding: Component, batch: Batch) -> None:
    right = [batch.number("max_length")] * len(batch.ids)
    expect(widths(ask(padding, batch)), right, note="the width of each row")


@law("padding.multiple-of", batch=rounded)
def multiple_of(padding: Component, batch: Batch) -> None:
    multiple, wanted = batch.number("multiple_of"), batch.config["max_length"]
    least = wanted if isinstance(wanted, int) else batch.longest
    width = next(width for width in range(least, least + multiple) if width % multiple == 0)
    expect(widths(ask(padding, batch)), [width] * len(batch.ids), note="the width of each row")


@law("padding.one-width", batch=of_any_width)
def one_width(padding: Component, batch: Batch) -> None:
    answer = ask(padding, batch)
    found = {name: [len(row) for row in rows] for name, rows in answer.items() if isinstance(rows, list)}
    first = (found["ids"] or [0])[0]
    expect(found, dict.fromkeys(found, [first] * len(batch.ids)), note="the width of each row of each output")


@law("padding.side", batch=of_any_width)
def side(padding: Component, batch: Batch) -> None:
    answer = ask(padding, batch)
    left = batch.config["side"] == "left"
    rows = answer["ids"]
    assert isinstance(rows, list)
    kept = [row[len(row) - len(was) :] if left else row[: len(was)] for row, was in zip(rows, batch.ids, strict=False)]
    expect(kept, batch.ids, note="the tokens, where they should stand")


@law("padding.attention-mask", batch=of_any_width)
def attention_mask(padding: Component, batch: Batch) -> None:
    answer = ask(padding, batch)
    right = [batch.row([1] * len(was), width, 0) for was, width in zip(batch.ids, widths(answer), strict=False)]
    expect(answer["attention_mask"], right)


@law("padding.pad-id", batch=of_any_width)
def pad_id(padding: Component, batch: Batch) -> None:
    answer = ask(padding, batch)
    number = batch.number("pad_id")
    expect(
        answer["ids"], [batch.row(was, width, number) for was, width in zip(batch.ids, widths(answer), strict=False)]
    )


@law("padding.special-tokens-mask", batch=of_any_width)
def special_tokens_mask(padding: Component, batch: Batch) -> None:
    answer = ask(padding, batch)
    right = [batch.row([0] * len(was), width, 1) for was, width in zip(batch.ids, widths(answer), strict=False)]
    expect(answer["special_tokens_mask"], right)


@law("padding.type-ids", batch=typed)
def type_ids(padding: Component, batch: Batch) -> None:
    answer = ask(padding, batch)
    number = batch.number("pad_type_id")
    right = [batch.row([0] * len(was), width, number) for was, width in zip(batch.ids, widths(answer), strict=False)]
    expect(answer["type_ids"], right)


@law("padding.keeps-what-is-given", drawn=known)
def keeps_what_is_given(padding: Component, drawn: tuple[Batch, list[list[int]], list[list[int]]]) -> None:
    batch, types, marks = drawn
    answer = padding(**batch.config).answer("pad", batch.ids, types, marks)
    right = {
        "type_ids": [batch.row(row, batch.longest, 0) for row in types],
        "special_tokens_mask": [batch.row(row, batch.longest, 1) for row in marks],
    }
    expect({name: answer.get(name) for name in right}, right)


@law("padding.keeps-what-is-given", drawn=known)
def unequal_lengths(padding: Component, drawn: tuple[Batch, list[list[int]], list[list[int]]]) -> None:
    batch, types, marks = drawn
    longer = [*types[:-1], [*types[-1], 0]]
    for given in ((longer, marks), (None, longer), (types[:-1], None)):
        expect(dict(padding(**batch.config).answer("pad", batch.ids, *given)), {"error": "unequal-lengths"})


@law("padding.empty-rows", batch=with_empty_rows)
def empty_rows(padding: Component, batch: Batch) -> None:
    answer = ask(padding, batch)
    number = batch.number("pad_id")
    right = {
        "ids": [batch.row(row, batch.longest, number) for row in batch.ids],
        "attention_mask": [batch.row([1] * len(row), batch.longest, 0) for row in batch.ids],
    }
    expect({name: answer.get(name) for name in right}, right)


@law("padding.empty-rows")
def no_rows(padding: Component) -> None:
    answer = padding().answer("pad", [], None, None)
    expect(dict(answer), {name: [] for name in ("ids", "type_ids", "special_tokens_mask", "attention_mask")})


@law("padding.pad-token-missing", batch=without_token)
def pad_token_missing(padding: Component, batch: Batch) -> None:
    expect(refusal(padding, batch), {"error": "pad-token-missing"})


@law("padding.row-too-long", batch=too_long)
def row_too_long(padding: Component, batch: Batch) -> None:
    expect(refusal(padding, batch), {"error": "row-too-long"})


def rows(scope: Scope) -> st.SearchStrategy[tuple[list[int], dict[str, Value]]]:
    """A row about max_length, and the options."""
    config = {
        "max_length": st.sampled_from(scope.required("max_length", [*range(9)])),
        "pad_id": st.sampled_from(scope.values("pad_id", PAD_IDS)),
        "side": st.sampled_from(scope.values("side", ["right", "left"])),
    }
    return st.tuples(ROW, st.fixed_dictionaries(config))


@law("padding.row-needs-both", drawn=rows)
def row_needs_both(padding: Component, drawn: tuple[list[int], dict[str, Value]]) -> None:
    ids, config = drawn
    for name, error in (("max_length", "max-length-missing"), ("pad_id", "pad-token-missing")):
        if padding.takes(name, None):
            answer = padding(**config | {name: None}).answer("pad_or_truncate", ids)
            expect(dict(answer), {"error": error}, note=f"without {name}")


@law("padding.pad-or-truncate", drawn=rows)
def pad_or_truncate(padding: Component, drawn: tuple[list[int], dict[str, Value]]) -> None:
    ids, config = drawn
    batch = Batch([ids], config)
    width = batch.number("max_length")
    expect(padding(**config).pad_or_truncate(ids), batch.row(ids[:width], width, batch.number("pad_id")))
