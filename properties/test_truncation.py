"""The laws of spec/truncation.yaml, for any implementation."""

from itertools import product

from goldpiece.suite.component import Component
from goldpiece.suite.law import expect, law
from goldpiece.suite.scope import Scope
from goldpiece.suite.values import Value

from .oracles.truncation import kept_of_pair, windows
from .strategies.truncation import (
    Case,
    alone,
    batches,
    crowded,
    cut,
    filled,
    filled_by_longest_first,
    fitting,
    large_strides,
    odd_pairs,
    of_one,
    pairs,
    windowed,
    windowed_pairs,
    without_room,
)


def lengths(kept: Value) -> tuple[int, int]:
    """How many tokens are kept of each sequence."""
    assert isinstance(kept, dict)
    return len(kept["first"]), len(kept["second"] or ())


def truncated(truncation: Component, case: Case) -> dict[str, Value]:
    return dict(truncation(**case.config).answer("truncate", *case.given))


@law("truncation.leaves-what-fits", case=fitting)
def leaves_what_fits(truncation: Component, case: Case) -> None:
    expect(truncated(truncation, case), {"first": case.first, "second": case.second})


@law("truncation.fills-max-length", case=cut)
def fills_max_length(truncation: Component, case: Case) -> None:
    expect(sum(lengths(truncation(**case.config).truncate(*case.given))), case.room, note="tokens that are kept")


@law("truncation.fills-max-length", case=filled_by_longest_first)
def nothing_is_left(truncation: Component, case: Case) -> None:
    expect(sum(lengths(truncation(**case.config).truncate(*case.given))), 0, note="tokens that are kept")


@law("truncation.fills-max-length")
def every_pair_of_lengths(truncation: Component) -> None:
    """About the length of a row, where one sequence alone fills it, fits just so, or is one too long."""
    room, frame = 7, 3
    model = truncation(max_length=room + frame)
    for first, second in product(range(room + 3), repeat=2):
        kept = model.truncate(list(range(first)), list(range(second)), frame)
        expect(sum(lengths(kept)), min(room, first + second), note="tokens that are kept")


@law("truncation.side", case=cut)
def side(truncation: Component, case: Case) -> None:
    answer = truncated(truncation, case)
    for name, given in (("first", case.first), ("second", case.second)):
        kept = answer.get(name)
        if given is None or not isinstance(kept, list):
            expect(answer.get(name), given)
        else:
            begin = len(given) - len(kept) if case.side == "left" else 0
            expect(kept, given[begin : begin + len(kept)], note=f"of the {name}")


@law("truncation.longest-first", case=pairs)
def longest_first(truncation: Component, case: Case) -> None:
    first, second = lengths(truncation(**case.config).truncate(*case.given))
    taken = {"first": first < len(case.first), "second": second < len(case.second or ())}
    shorter = {"first": first + 1 < second, "second": second + 1 < first}
    wrongly = [name for name in taken if taken[name] and shorter[name]]
    expect(wrongly, [], note=f"sequences that were cut when they were the shorter ones; {first} and {second} are left")


@law("truncation.odd-token-of-the-longer", case=odd_pairs)
def odd_token_of_the_longer(truncation: Component, case: Case) -> None:
    _odd_token(truncation, case, "hf")


@law("truncation.odd-token-of-the-first", case=odd_pairs)
def odd_token_of_the_first(truncation: Component, case: Case) -> None:
    _odd_token(truncation, case, "google")


def _odd_token(truncation: Component, case: Case, profile: str) -> None:
    right = kept_of_pair(len(case.first), len(case.second or ()), case.room, profile)
    expect(list(lengths(truncation(**case.config).truncate(*case.given))), list(right), note="tokens kept of each")


@law("truncation.only-one", case=of_one)
def only_one(truncation: Component, case: Case) -> None:
    first, second = len(case.first), len(case.second or ())
    right = (case.room - second, second) if case.strategy == "only_first" else (first, case.room - first)
    expect(list(lengths(truncation(**case.config).truncate(*case.given))), list(right), note="tokens kept of each")


@law("truncation.sequence-too-short", case=without_room)
def sequence_too_short(truncation: Component, case: Case) -> None:
    expect(truncated(truncation, case), {"error": "sequence-too-short"})


@law("truncation.no-room", case=filled)
def no_room(truncation: Component, case: Case) -> None:
    if case.second is None or case.strategy == "longest_first":
        expect(truncated(truncation, case), {"first": [], "second": None if case.second is None else []})
    else:
        expect(truncated(truncation, case), {"error": "sequence-too-short"})


@law("truncation.second-sequence-missing", case=alone)
def second_sequence_missing(truncation: Component, case: Case) -> None:
    expect(truncated(truncation, case), {"error": "second-sequence-missing"})


@law("truncation.max-length-too-small", case=crowded)
def max_length_too_small(truncation: Component, case: Case) -> None:
    expect(truncated(truncation, case), {"error": "max-length-too-small"})


def parts(case: Case, profile: str | None) -> tuple[int, int]:
    """How many tokens the first window has of each sequence."""
    first, second = len(case.first), len(case.second or ())
    if case.total <= case.room:
        return first, second
    if case.second is None:
        return case.room, 0
    if case.strategy == "longest_first":
        return kept_of_pair(first, second, case.room, profile)
    return (case.room - second, second) if case.strategy == "only_first" else (first, case.room - first)


@law("truncation.first-window", case=windowed_pairs)
def first_window(truncation: Component, scope: Scope, case: Case) -> None:
    _first_window(truncation, scope, case)


@law("truncation.first-window", case=windowed)
def first_window_of_one(truncation: Component, scope: Scope, case: Case) -> None:
    _first_window(truncation, scope, case)


@law("truncation.first-window", case=fitting)
def one_window(truncation: Component, case: Case) -> None:
    whole = {
        "first": [[*range(len(case.first))]],
        "second": None if case.second is None else [[*range(len(case.second))]],
    }
    expect(dict(truncation(**case.config).answer("windows", *case.lengths)), whole)


def _first_window(truncation: Component, scope: Scope, case: Case) -> None:
    answer = truncation(**case.config).answer("windows", *case.lengths)
    first, second = (
        windows(length or 0, size, 0, case.side)[0]
        for length, size in zip(case.lengths[:2], parts(case, scope.profile), strict=True)
    )
    firsts, seconds = answer.get("first"), answer.get("second")
    expect(
        [rows[0] if isinstance(rows, list) and rows else rows for rows in (firsts, seconds)],
        [first, None if case.second is None else second],
    )


@law("truncation.windows", case=windowed)
def every_window(truncation: Component, case: Case) -> None:
    right = windows(len(case.first), case.room, case.stride, case.side)
    expect(dict(truncation(**case.config).answer("windows", *case.lengths)), {"first": right, "second": None})


@law("truncation.windows")
def long_sequence(truncation: Component) -> None:
    """Thousands of tokens in the windows that answers to questions are sought in."""
    model = truncation(max_length=384, stride=128)
    expect(model.answer("windows", 5_000, None, 3)["first"], windows(5_000, 381, 128, "right"))


@law("truncation.windows-of-pairs", case=windowed_pairs)
def windows_of_pairs(truncation: Component, scope: Scope, case: Case) -> None:
    answer = truncation(**case.config).answer("windows", *case.lengths)
    firsts, seconds = (
        windows(length or 0, size, case.stride, case.side)
        for length, size in zip(case.lengths[:2], parts(case, scope.profile), strict=True)
    )
    given = [answer.get(name) for name in ("first", "second")]
    rows = [[*row] for row in zip(*given, strict=False)] if all(isinstance(each, list) for each in given) else given
    # In which order the rows are is not promised.
    expect(sorted(rows), sorted([*row] for row in product(firsts, seconds)), note="rows, in any order")  # type: ignore[type-var]


@law("truncation.stride-too-large", case=large_strides)
def stride_too_large(truncation: Component, case: Case) -> None:
    expect(dict(truncation(**case.config).answer("windows", *case.lengths)), {"error": "stride-too-large"})


@law("truncation.no-room-for-windows", case=filled_by_longest_first)
def no_room_for_windows(truncation: Component, case: Case) -> None:
    model = truncation(**case.config)
    expect(dict(model.answer("windows", *case.lengths)), {"error": "stride-too-large"})
    empty: Value = {"first": [[]], "second": None if case.second is None else [[]]}
    nothing = 0 if case.second is not None else None
    expect(dict(model.answer("windows", 0, nothing, case.special_tokens)), empty)


@law("truncation.rows-of-examples", drawn=batches)
def rows_of_examples(truncation: Component, drawn: tuple[Case, list[int]]) -> None:
    case, sizes = drawn
    rows = [
        (number, window)
        for number, length in enumerate(sizes)
        for window in windows(length, case.room, case.stride, case.side)
    ]
    right: Value = {"examples": [number for number, _ in rows], "positions": [window for _, window in rows]}
    expect(dict(truncation(**case.config).answer("windows_of_batch", sizes, case.special_tokens)), right)
