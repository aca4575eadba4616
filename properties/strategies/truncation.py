"""Sequences about the length of a row: most fit just so, or just not."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from hypothesis import strategies as st

from goldpiece.suite.scope import Scope
from goldpiece.suite.values import Value

IDS = 6  # few, so that a sequence has some of them twice
ROOMS = range(1, 9)
Sizes: TypeAlias = tuple[int, int | None]  # of the first sequence, and of the second if there is one


@dataclass(frozen=True)
class Case:
    """One sequence or two, the special tokens beside them, and how they are cut."""

    first: list[int]
    second: list[int] | None
    special_tokens: int
    room: int  # for other tokens
    config: dict[str, Value]

    @property
    def given(self) -> tuple[list[int], list[int] | None, int]:
        """The inputs of `truncate`."""
        return self.first, self.second, self.special_tokens

    @property
    def lengths(self) -> tuple[int, int | None, int]:
        """The inputs of `windows`."""
        return len(self.first), None if self.second is None else len(self.second), self.special_tokens

    @property
    def total(self) -> int:
        return len(self.first) + len(self.second or ())

    @property
    def side(self) -> str:
        return str(self.config["side"])

    @property
    def stride(self) -> int:
        stride = self.config["stride"]
        assert isinstance(stride, int)
        return stride

    @property
    def strategy(self) -> str:
        return str(self.config["strategy"])


def fitting(scope: Scope) -> st.SearchStrategy[Case]:
    """Sequences and pairs that fit, some of them just so."""
    names = ["longest_first", "only_first", "only_second"]

    def sizes(room: int, one: int, other: int) -> Sizes:
        first = one % (room + 1)
        return first, None if other % 3 == 0 else other // 3 % (room - first + 1)

    cases = _cases(scope, scope.values("strategy", names), sizes)
    return st.one_of(cases, cases.map(_tightened))


def cut(scope: Scope) -> st.SearchStrategy[Case]:
    """Sequences and pairs of which something is cut."""
    return st.one_of(singles(scope), pairs(scope), of_one(scope))


def singles(scope: Scope) -> st.SearchStrategy[Case]:
    """Sequences that are cut."""
    return _cases(scope, scope.values("strategy", ["longest_first", "only_first"]), _one_too_long)


def pairs(scope: Scope) -> st.SearchStrategy[Case]:
    """Pairs that are cut by longest_first."""

    def sizes(room: int, one: int, other: int) -> Sizes:
        first = one % (room + 4)
        return first, _more_than(room - first, other)

    return _cases(scope, ["longest_first"], sizes)


def odd_pairs(scope: Scope) -> st.SearchStrategy[Case]:
    """Pairs of which both are cut, and an odd token is left: as long as each other, or not."""

    def sizes(room: int, one: int, other: int) -> Sizes:
        return room // 2 + 1 + one % 4, room // 2 + 1 + other % 4

    return _cases(scope, ["longest_first"], sizes, rooms=[1, 3, 5, 7, 9])


def of_one(scope: Scope) -> st.SearchStrategy[Case]:
    """Pairs of which one is cut, and the other leaves it something."""

    def sizes(room: int, one: int, other: int) -> tuple[int, int]:
        whole = one % room
        return whole, _more_than(room - whole, other)

    return _cases_of_one(scope, sizes)


def without_room(scope: Scope) -> st.SearchStrategy[Case]:
    """Pairs of which one is to be cut, and the other leaves it nothing."""
    return _cases_of_one(scope, lambda room, one, other: (room + one % 4, 1 + other % 4))


def alone(scope: Scope) -> st.SearchStrategy[Case]:
    """Sequences that do not fit, of which the second is to be cut."""
    return _cases(scope, scope.required("strategy", ["only_second"]), _one_too_long)


def crowded(scope: Scope) -> st.SearchStrategy[Case]:
    """Rows that have no room for their special tokens, whatever else is there."""

    def case(drawn: tuple[Case, int, int]) -> Case:
        other, special_tokens, less = drawn
        max_length = max(0, special_tokens - less)
        return replace(other, special_tokens=special_tokens, room=0, config=other.config | {"max_length": max_length})

    cases = _cases(scope, ["longest_first"], _any_sizes)
    return st.tuples(cases, st.integers(1, 4), st.integers(1, 4)).map(case)


def filled(scope: Scope) -> st.SearchStrategy[Case]:
    """Rows that special tokens fill, where there are other tokens."""
    names = scope.values("strategy", ["only_first", "only_second"])
    of_pairs = _cases(scope, names, lambda _, one, other: (one % 6, 1 + other % 5))
    return st.one_of(filled_by_longest_first(scope), of_pairs.map(_without_room))


def filled_by_longest_first(scope: Scope) -> st.SearchStrategy[Case]:
    """The same, cut by longest_first."""
    return _cases(scope, ["longest_first"], _any_sizes).filter(lambda case: case.total > 0).map(_without_room)


def windowed(scope: Scope) -> st.SearchStrategy[Case]:
    """Sequences in several windows, which share some tokens or none."""
    return _strided(scope, singles(scope), lambda case: range(case.room))


def windowed_pairs(scope: Scope) -> st.SearchStrategy[Case]:
    """The same of pairs, of which one is cut or both are."""

    def strides(case: Case) -> range:
        if case.strategy == "longest_first":  # half of the room at least is left to each sequence that is cut
            return range(case.room // 2)
        return range(case.room - len((case.second or ()) if case.strategy == "only_first" else case.first))

    has_others = "only_first" in scope.values("strategy", ["only_first"])
    both = pairs(scope).filter(lambda case: case.room > 1)
    return _strided(scope, st.one_of(of_one(scope), both) if has_others else both, strides)


def large_strides(scope: Scope) -> st.SearchStrategy[Case]:
    """Sequences in windows that would share all they have."""
    scope.required("stride", [*range(1, 12)])
    return _strided(scope, singles(scope), lambda case: range(case.room, case.room + 4))


def batches(scope: Scope) -> st.SearchStrategy[tuple[Case, list[int]]]:
    """The lengths of several sequences, none among them, that are cut in one way."""
    return st.tuples(windowed(scope), st.lists(st.one_of(st.just(0), st.integers(1, 12)), max_size=5))


def _cases(
    scope: Scope, strategies: Sequence[Value], sizes: Callable[[int, int, int], Sizes], rooms: Sequence[int] = ROOMS
) -> st.SearchStrategy[Case]:
    """Sequences of the sizes that are made from a room and two numbers."""

    def case(drawn: tuple[int, int, int, int, str, str, int]) -> Case:
        room, one, other, special_tokens, strategy, side, step = drawn
        # One draw for a sequence: to draw each of its tokens takes as long as all else.
        first, second = (
            None if size is None else [step * place % IDS for place in range(size)] for size in sizes(room, one, other)
        )
        max_length = special_tokens + room
        config: dict[str, Value] = {"max_length": max_length, "strategy": strategy, "side": side, "stride": 0}
        return Case(first or [], second, special_tokens, room, config)

    return st.tuples(
        st.sampled_from(rooms),
        st.integers(0, 23),
        st.integers(0, 23),
        st.integers(0, 3),
        st.sampled_from(strategies).map(str),
        st.sampled_from(scope.values("side", ["right", "left"])).map(str),
        st.integers(1, 5),
    ).map(case)


def _cases_of_one(scope: Scope, sizes: Callable[[int, int, int], tuple[int, int]]) -> st.SearchStrategy[Case]:
    """Pairs of which one is to be cut, of the sizes of the other and of that one."""
    named = scope.required("strategy", ["only_first", "only_second"])
    cases = _cases(scope, named, sizes)
    return cases.map(lambda case: _turned(case) if case.strategy == "only_first" else case)


def _turned(case: Case) -> Case:
    return replace(case, first=case.second or [], second=case.first)


def _any_sizes(_: int, one: int, other: int) -> Sizes:
    return one % 6, None if other % 3 == 0 else other // 3 % 6


def _one_too_long(room: int, one: int, _: int) -> Sizes:
    return _more_than(room, one), None


def _more_than(size: int, number: int) -> int:
    return max(0, size + 1) + number % 8


def _tightened(case: Case) -> Case:
    """The same in a row that has room for no more."""
    return replace(case, room=case.total, config=case.config | {"max_length": case.special_tokens + case.total})


def _without_room(case: Case) -> Case:
    return replace(case, room=0, config=case.config | {"max_length": case.special_tokens})


def _strided(scope: Scope, cases: st.SearchStrategy[Case], strides: Callable[[Case], range]) -> st.SearchStrategy[Case]:
    """The cases with one of the strides that are for them, as far as the subject takes it."""
    offered = scope.values("stride", [*range(12)])

    def strided(drawn: tuple[Case, int]) -> Case:
        case, number = drawn
        fitting = [stride for stride in strides(case) if stride in offered] or [0]
        return replace(case, config=case.config | {"stride": fitting[number % len(fitting)]})

    return st.tuples(cases, st.integers(0, 11)).map(strided)
