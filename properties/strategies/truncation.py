"""Sequences about the length of a row: most fit just so, or just not."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from hypothesis import strategies as st

from goldpiece.suite.scope import Scope
from goldpiece.suite.values import Value

IDS = 6  # few, so that a sequence has some of them twice
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

    def sizes(room: int) -> st.SearchStrategy[Sizes]:
        first = st.integers(0, room)
        return first.flatmap(lambda size: st.tuples(st.just(size), _none_or(st.integers(0, room - size))))

    cases = _cases(scope, scope.values("strategy", names), sizes)
    return st.one_of(cases, cases.map(_tightened))


def cut(scope: Scope) -> st.SearchStrategy[Case]:
    """Sequences and pairs of which something is cut."""
    return st.one_of(singles(scope), pairs(scope), of_one(scope))


def cut_to_any_size(scope: Scope) -> st.SearchStrategy[Case]:
    """The same, and sequences of which nothing is left."""
    return st.one_of(cut(scope), filled_by_longest_first(scope))


def singles(scope: Scope) -> st.SearchStrategy[Case]:
    """Sequences that are cut."""
    return _cases(scope, scope.values("strategy", ["longest_first", "only_first"]), _one_too_long)


def pairs(scope: Scope) -> st.SearchStrategy[Case]:
    """Pairs that are cut by longest_first."""

    def sizes(room: int) -> st.SearchStrategy[Sizes]:
        first = st.integers(0, room + 3)
        return first.flatmap(lambda size: st.tuples(st.just(size), _more_than(room - size)))

    return _cases(scope, ["longest_first"], sizes)


def odd_pairs(scope: Scope) -> st.SearchStrategy[Case]:
    """Pairs of which both are cut, and an odd token is left: as long as each other, or not."""

    def sizes(room: int) -> st.SearchStrategy[Sizes]:
        size = st.integers(room // 2 + 1, room // 2 + 4)
        return st.tuples(size, size)

    return _cases(scope, ["longest_first"], sizes, rooms=[1, 3, 5, 7, 9])


def of_one(scope: Scope) -> st.SearchStrategy[Case]:
    """Pairs of which one is cut, and the other leaves it something."""

    def sizes(room: int) -> st.SearchStrategy[tuple[int, int]]:
        whole = st.integers(0, room - 1)
        return whole.flatmap(lambda size: st.tuples(st.just(size), _more_than(room - size)))

    return _cases_of_one(scope, sizes)


def without_room(scope: Scope) -> st.SearchStrategy[Case]:
    """Pairs of which one is to be cut, and the other leaves it nothing."""
    return _cases_of_one(scope, lambda room: st.tuples(st.integers(room, room + 3), st.integers(1, 4)))


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
    of_pairs = _cases(scope, names, lambda _: st.tuples(st.integers(0, 5), st.integers(1, 5)))
    return st.one_of(filled_by_longest_first(scope), of_pairs.map(_without_room))


def filled_by_longest_first(scope: Scope) -> st.SearchStrategy[Case]:
    """The same, cut by longest_first."""
    return _cases(scope, ["longest_first"], _any_sizes).filter(lambda case: case.total > 0).map(_without_room)


def windowed(scope: Scope) -> st.SearchStrategy[Case]:
    """Sequences in several windows, which share some tokens or none."""
    return _strided(scope, singles(scope))


def windowed_pairs(scope: Scope) -> st.SearchStrategy[Case]:
    """The same of pairs, of which one is cut or both are."""
    has_others = "only_first" in scope.values("strategy", ["only_first"])
    both = pairs(scope).filter(lambda case: case.room > 1)
    return _strided(scope, st.one_of(of_one(scope), both) if has_others else both)


def large_strides(scope: Scope) -> st.SearchStrategy[Case]:
    """Sequences in windows that would share all they have."""
    offered = [value for value in scope.required("stride", [*range(12)]) if isinstance(value, int)]

    def strided(case: Case) -> st.SearchStrategy[Case]:
        strides = st.sampled_from([stride for stride in offered if stride >= case.room])
        return strides.map(lambda stride: replace(case, config=case.config | {"stride": stride}))

    return singles(scope).flatmap(strided)


def batches(scope: Scope) -> st.SearchStrategy[tuple[Case, list[int]]]:
    """The lengths of several sequences, none among them, that are cut in one way."""
    return st.tuples(windowed(scope), st.lists(st.one_of(st.just(0), st.integers(1, 12)), max_size=5))


def _cases(
    scope: Scope,
    strategies: Sequence[Value],
    sizes: Callable[[int], st.SearchStrategy[Sizes]],
    rooms: Sequence[int] = range(1, 9),
) -> st.SearchStrategy[Case]:
    """Sequences of the sizes that are drawn for a room."""

    def cases(room: int) -> st.SearchStrategy[Case]:
        drawn = st.tuples(
            sizes(room),
            st.integers(0, 3),
            st.sampled_from(strategies).map(str),
            st.sampled_from(scope.values("side", ["right", "left"])).map(str),
            st.integers(1, 5),
        )
        return drawn.map(lambda each: _case(room, *each))

    return st.sampled_from(rooms).flatmap(cases)


def _case(room: int, sizes: Sizes, special_tokens: int, strategy: str, side: str, step: int) -> Case:
    first, second = (None if size is None else [step * place % IDS for place in range(size)] for size in sizes)
    max_length = special_tokens + room
    config: dict[str, Value] = {"max_length": max_length, "strategy": strategy, "side": side, "stride": 0}
    return Case(first or [], second, special_tokens, room, config)


def _cases_of_one(scope: Scope, sizes: Callable[[int], st.SearchStrategy[tuple[int, int]]]) -> st.SearchStrategy[Case]:
    """Pairs of which one is to be cut, of the sizes of the other and of that one."""
    named = scope.required("strategy", ["only_first", "only_second"])
    both = {
        "only_first": lambda room: sizes(room).map(lambda size: (size[1], size[0])),
        "only_second": sizes,
    }
    return st.one_of([_cases(scope, [name], both[str(name)]) for name in named])


def _any_sizes(_: int) -> st.SearchStrategy[Sizes]:
    return st.tuples(st.integers(0, 5), _none_or(st.integers(0, 5)))


def _one_too_long(room: int) -> st.SearchStrategy[Sizes]:
    return st.tuples(_more_than(room), st.none())


def _more_than(size: int) -> st.SearchStrategy[int]:
    return st.integers(max(0, size + 1), max(0, size + 1) + 7)


def _none_or(sizes: st.SearchStrategy[int]) -> st.SearchStrategy[int | None]:
    return st.one_of(st.none(), sizes)


def _tightened(case: Case) -> Case:
    """The same in a row that has room for no more."""
    return replace(case, room=case.total, config=case.config | {"max_length": case.special_tokens + case.total})


def _without_room(case: Case) -> Case:
    return replace(case, room=0, config=case.config | {"max_length": case.special_tokens})


def _strided(scope: Scope, cases: st.SearchStrategy[Case]) -> st.SearchStrategy[Case]:
    """The cases with a stride that is shorter than each window."""
    offered = [value for value in scope.values("stride", [*range(8)]) if isinstance(value, int)]

    def strided(case: Case) -> st.SearchStrategy[Case]:
        size = case.room
        if case.second is not None:  # half of the room at least is left to each sequence that longest_first cuts
            whole = case.second if case.strategy == "only_first" else case.first
            size = case.room // 2 if case.strategy == "longest_first" else case.room - len(whole)
        strides = st.sampled_from([stride for stride in offered if stride < max(1, size)])
        return strides.map(lambda stride: replace(case, config=case.config | {"stride": stride}))

    return cases.flatmap(strided)
