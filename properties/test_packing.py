"""The laws of spec/packing.yaml, for any implementation."""

from typing import Any

from goldpiece.suite.component import Component
from goldpiece.suite.law import expect, law
from goldpiece.suite.values import Value

from .strategies.packing import Case, packable, split, too_long, whole, with_empty_documents, without_token


def pack(packing: Component, case: Case) -> dict[str, Any]:
    packed = packing(**case.config).pack(case.documents)
    assert isinstance(packed, dict)
    return packed


def refusal(packing: Component, case: Case) -> dict[str, Any]:
    """The answer, where it should be an error."""
    return dict(packing(**case.config).answer("pack", case.documents))


def tokens(packed: dict[str, Any], output: str) -> list[tuple[int, Any]]:
    """The sequence id of each token, row by row, and what an output has of it."""
    return [
        (number, value)
        for numbers, values in zip(packed["sequence_ids"], packed[output], strict=False)
        for number, value in zip(numbers, values, strict=False)
        if number is not None
    ]


def lengths(packed: dict[str, Any]) -> list[int]:
    """How many tokens each row has."""
    return [sum(number is not None for number in numbers) for numbers in packed["sequence_ids"]]


def in_order(case: Case) -> list[tuple[int, int]]:
    """The number of the document of each token, and its id."""
    return [(number, token) for number, document in enumerate(case.documents) for token in document]


@law("packing.nothing-lost", case=packable)
def nothing_lost(packing: Component, case: Case) -> None:
    found = tokens(pack(packing, case), "ids")
    expect([list(each) for each in found], [list(each) for each in in_order(case)], note="sequence id and id of each")


@law("packing.row-length", case=packable)
def row_length(packing: Component, case: Case) -> None:
    packed = pack(packing, case)
    found = {name: [len(row) for row in rows] for name, rows in packed.items()}
    expect(found, dict.fromkeys(found, [case.length] * len(packed["ids"])), note="the length of each row")
    expect([row for row, length in enumerate(lengths(packed)) if not length], [], note="rows that are padding alone")


@law("packing.positions", case=packable)
def positions(packing: Component, case: Case) -> None:
    packed = pack(packing, case)
    right = [[number, place] for number, document in enumerate(case.documents) for place in range(len(document))]
    expect([list(each) for each in tokens(packed, "positions")], right, note="sequence id and position of each token")
    padding = [
        value
        for numbers, values in zip(packed["sequence_ids"], packed["positions"], strict=False)
        for number, value in zip(numbers, values, strict=False)
        if number is None
    ]
    expect(padding, [0] * len(padding), note="positions of padding")


@law("packing.attention-mask", case=packable)
def attention_mask(packing: Component, case: Case) -> None:
    packed = pack(packing, case)
    sizes = lengths(packed)
    missing = [case.length - size for size in sizes]
    right: Value = {
        "attention_mask": [[1] * size + [0] * more for size, more in zip(sizes, missing, strict=True)],
        "padding": [[case.config["pad_id"]] * more for more in missing],
    }
    padding = [row[len(row) - more :] if more else [] for row, more in zip(packed["ids"], missing, strict=False)]
    expect({"attention_mask": packed["attention_mask"], "padding": padding}, right)


@law("packing.split", case=split)
def end_to_end(packing: Component, case: Case) -> None:
    left = len(in_order(case))
    right = [case.length] * (left // case.length) + [left % case.length] * (left % case.length > 0)
    expect(lengths(pack(packing, case)), right, note="how many tokens each row has")


@law("packing.whole", case=whole)
def next_row(packing: Component, case: Case) -> None:
    rows: list[list[int | None]] = []
    for number, document in enumerate(case.documents):
        if document and (not rows or len(rows[-1]) + len(document) > case.length):
            rows.append([])
        if document:
            rows[-1] += [number] * len(document)
    right = [row + [None] * (case.length - len(row)) for row in rows]
    expect(pack(packing, case)["sequence_ids"], right)


@law("packing.document-too-long", case=too_long)
def document_too_long(packing: Component, case: Case) -> None:
    expect(refusal(packing, case), {"error": "document-too-long"})


@law("packing.empty-documents", case=with_empty_documents)
def empty_documents(packing: Component, case: Case) -> None:
    numbers = [number for number, _ in in_order(case)]
    expect([number for number, _ in tokens(pack(packing, case), "ids")], numbers, note="the sequence id of each token")


@law("packing.pad-token-missing", case=without_token)
def pad_token_missing(packing: Component, case: Case) -> None:
    if len(in_order(case)) % case.length:
        expect(refusal(packing, case), {"error": "pad-token-missing"})
    else:
        expect(
            lengths(pack(packing, case)),
            [case.length] * (len(in_order(case)) // case.length),
            note="tokens of each row",
        )
