"""The strategies of truncation, padding and packing reach what they claim to. See test_strategies.py."""

from functools import partial
from importlib import import_module
from typing import Any

import pytest

from .test_strategies import draw as draw_many
from .test_strategies import scope, share

truncation = import_module("goldpiece.properties.strategies.truncation")
padding = import_module("goldpiece.properties.strategies.padding")
packing = import_module("goldpiece.properties.strategies.packing")
kept_of_pair = import_module("goldpiece.properties.oracles.truncation").kept_of_pair

draw = partial(draw_many, draws=200)  # they are simple, and there are many


def cut_of(case: Any) -> int:
    """How many sequences of a pair longest_first cuts."""
    kept = kept_of_pair(len(case.first), len(case.second), case.room, "hf")
    return int(kept[0] < len(case.first)) + int(kept[1] < len(case.second))


def test_truncation_meets_every_kind_of_row() -> None:
    cases = draw(truncation.cut(scope("truncation", "hf")))
    assert share(cases, lambda case: case.second is None) > 0.2
    assert share(cases, lambda case: case.second == []) > 0.01
    assert share(cases, lambda case: case.side == "left") > 0.3
    assert share(cases, lambda case: case.special_tokens == 0) > 0.15
    assert {case.strategy for case in cases} == {"longest_first", "only_first", "only_second"}
    assert all(case.total > case.room for case in cases)
    assert share(cases, lambda case: case.total == case.room + 1) > 0.08
    filled = draw(truncation.filled_by_longest_first(scope("truncation", "hf")))
    assert share(filled, lambda case: case.side == "left") > 0.2
    fitting = draw(truncation.fitting(scope("truncation", "hf")))
    assert share(fitting, lambda case: case.total == case.room) > 0.3
    assert share(fitting, lambda case: case.second is None and case.strategy == "only_second") > 0.05
    assert share(fitting, lambda case: case.total == 0) > 0.01


@pytest.mark.parametrize("profile", ["hf", "google"])
def test_pairs_are_of_all_proportions(profile: str) -> None:
    cases = draw(truncation.pairs(scope("truncation", profile)))
    assert share(cases, lambda case: cut_of(case) == 1) > 0.2
    assert share(cases, lambda case: cut_of(case) == 2) > 0.2
    assert share(cases, lambda case: len(case.first) > case.room) > 0.2
    odd = draw(truncation.odd_pairs(scope("truncation", profile)))
    more = [len(case.first) - len(case.second) for case in odd]
    assert min(share(more, lambda by: by < 0), share(more, lambda by: by == 0), share(more, lambda by: by > 0)) > 0.15
    one = draw(truncation.of_one(scope("truncation", profile)))
    for name in ("only_first", "only_second"):
        assert share(one, lambda case: case.strategy == name) > 0.3  # noqa: B023
    whole = [
        len(case.first if case.strategy == "only_second" else case.second) - case.room
        for case in draw(truncation.without_room(scope("truncation", profile)))
    ]
    assert share(whole, lambda more: more == 0) > 0.1


def test_windows_share_tokens_and_end_anywhere() -> None:
    cases = draw(truncation.windowed(scope("truncation", "hf")))

    def steps(case: Any) -> float:
        return float((len(case.first) - case.room) / (case.room - case.stride))

    assert share(cases, lambda case: case.stride > 0) > 0.3
    assert share(cases, lambda case: case.stride > 0 and steps(case) > 1) > 0.15
    assert share(cases, lambda case: steps(case) != int(steps(case))) > 0.15  # the last is short
    assert share(cases, lambda case: case.side == "left" and steps(case) > 1) > 0.08
    pairs = draw(truncation.windowed_pairs(scope("truncation", "hf")))
    assert share(pairs, lambda case: case.strategy == "longest_first" and cut_of(case) == 2) > 0.1
    assert share(pairs, lambda case: case.strategy == "longest_first" and cut_of(case) == 1) > 0.1
    assert share(pairs, lambda case: case.stride > 0) > 0.1
    large = draw(truncation.large_strides(scope("truncation", "hf")))
    assert share(large, lambda case: case.stride == case.room) > 0.05
    batches = draw(truncation.batches(scope("truncation", "hf")))
    assert share(batches, lambda drawn: 0 in drawn[1] and max(drawn[1]) > drawn[0].room) > 0.05


def test_rows_without_room_for_their_special_tokens() -> None:
    cases = draw(truncation.crowded(scope("truncation", "hf")))
    assert share(cases, lambda case: case.config["max_length"] == 0) > 0.15
    assert share(cases, lambda case: case.config["max_length"] == case.special_tokens - 1) > 0.15
    assert share(cases, lambda case: case.total == 0) > 0.01
    assert share(cases, lambda case: case.second is not None) > 0.3
    filled = draw(truncation.filled(scope("truncation", "hf")))
    assert share(filled, lambda case: case.second is not None and case.strategy == "only_first") > 0.1


def test_padding_meets_tokens_that_share_its_id() -> None:
    of = scope("padding", None)
    for batches in (draw(padding.batches(of)), draw(padding.of_any_width(of))):
        for pad_id in (0, 1, padding.LAST):
            assert share(batches, lambda batch: batch.config["pad_id"] == pad_id) > 0.1  # noqa: B023
        assert share(batches, lambda batch: any(batch.config["pad_id"] in row for row in batch.ids)) > 0.3
        assert share(batches, lambda batch: batch.config["side"] == "left") > 0.2
        assert share(batches, lambda batch: len({len(row) for row in batch.ids}) > 1) > 0.4
        assert share(batches, lambda batch: len([*batch.ids, []][0]) < batch.longest) > 0.15
        assert share(batches, lambda batch: not batch.ids) > 0.01
    rounded = draw(padding.rounded(of))
    assert share(rounded, lambda batch: batch.longest > 0 and batch.longest % batch.number("multiple_of") == 0) > 0.1
    assert share(rounded, lambda batch: batch.longest % batch.number("multiple_of") > 0) > 0.3
    assert share(rounded, lambda batch: batch.config["max_length"] is not None) > 0.3
    fixed = draw(padding.fixed(of))
    assert share(fixed, lambda batch: batch.ids != [] and batch.longest == batch.number("max_length")) > 0.03
    long = draw(padding.too_long(of))
    assert share(long, lambda batch: batch.longest == batch.number("max_length") + 1) > 0.1
    assert share(long, lambda batch: batch.config["multiple_of"] is not None) > 0.3
    empty = draw(padding.with_empty_rows(of))
    assert share(empty, lambda batch: batch.longest > 0) > 0.4
    assert share(empty, lambda batch: batch.longest == 0) > 0.03


def test_documents_fill_rows_and_run_over() -> None:
    of = scope("packing", None)
    split = draw(packing.split(of))
    assert share(split, lambda case: sum(map(len, case.documents)) % case.length == 0) > 0.1
    assert share(split, lambda case: any(len(document) > case.length for document in case.documents)) > 0.2
    assert share(split, lambda case: any(case.config["pad_id"] in document for document in case.documents)) > 0.3
    whole = draw(packing.whole(of))
    assert all(len(document) <= case.length for case in whole for document in case.documents)
    assert share(whole, lambda case: any(len(document) == case.length for document in case.documents)) > 0.25
    sizes = [[len(document) for document in case.documents if document] for case in whole]
    both = [
        any(sum(each[place : place + 2]) == case.length for place in range(len(each) - 1))
        for each, case in zip(sizes, whole, strict=True)
    ]
    assert sum(both) / len(both) > 0.05  # two fill a row just so
    long = draw(packing.too_long(of))
    assert share(long, lambda case: max(map(len, case.documents)) == case.length + 1) > 0.05
    empty = draw(packing.with_empty_documents(of))
    assert share(empty, lambda case: any(case.documents)) > 0.5
