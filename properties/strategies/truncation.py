"""Sequences about the length of a row: most fit just so, or just not."""

from dataclasses import dataclass

from hypothesis import strategies as st

from goldpiece.suite.scope import Scope
from goldpiece.suite.values import Value

IDS = st.integers(0, 5)  # few, so that a sequence has some of them twice
SIDES = ["right", "left"]


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
    return _cases(scope, scope.values("strategy", names)).map(_made_to_fit)


def cut(scope: Scope) -> st.SearchStrategy[Case]:
    """Sequences and pairs of which something is cut."""
    return st.one_of(singles(scope), pairs(scope), of_one(scope))


def cut_to_any_size(scope: Scope) -> st.SearchStrategy[Case]:
    """The same, and sequences of which nothing is left."""
    return st.one_of(cut(scope), filled_by_longest_first(scope))


def singles(scope: Scope) -> st.SearchStrategy[Case]:
    """Sequences that are cut."""
    names = scope.values("strategy", ["longest_first", "only_first"])
    return _cases(scope, names, pairs=False).filter(lambda case: case.total > case.room)


def pairs(scope: Scope) -> st.SearchStrategy[Case]:
    """Pairs that are cut by longest_first."""
    cases = _cases(scope, ["longest_first"]).filter(lambda case: case.second is not None)
    return cases.filter(lambda case: case.total > case.room)


def odd_pairs(scope: Scope) -> st.SearchStrategy[Case]:
    """Pairs of which both are cut, and an odd token is left: as long as each other, or not."""

    def case(drawn: tuple[int, int, int, int, str]) -> Case:
        half, more, other, special_tokens, side = drawn
        room = 2 * half + 1
        first, second = ([number % 6 for number in range(half + 1 + extra)] for extra in (more, other))
        return Case(first, second, special_tokens, room, _config(special_tokens + room, "longest_first", side, 0))

    extra = st.integers(0, 3)
    return st.tuples(st.integers(0, 4), extra, extra, st.integers(0, 3), _sides(scope)).map(case)


def of_one(scope: Scope) -> st.SearchStrategy[Case]:
    """Pairs of which one is cut, and the other leaves it something."""
    names = scope.required("strategy", ["only_first", "only_second"])
    cases = _cases(scope, names).filter(lambda case: case.second is not None)
    return cases.filter(lambda case: case.total > case.room > len(_whole(case)))


def without_room(scope: Scope) -> st.SearchStrategy[Case]:
    """Pairs of which one is to be cut, and the other leaves it nothing."""
    names = scope.required("strategy", ["only_first", "only_second"])
    cases = _cases(scope, names, least=1)
    return cases.filter(
        lambda case: case.second is not None and case.total > case.room and len(_whole(case)) >= case.room
    )


def alone(scope: Scope) -> st.SearchStrategy[Case]:
    """Sequences that do not fit, of which the second is to be cut."""
    names = scope.required("strategy", ["only_second"])
    return _cases(scope, names, pairs=False).filter(lambda case: case.total > case.room)


def crowded(scope: Scope) -> st.SearchStrategy[Case]:
    """Rows that have no room for their special tokens, whatever else is there."""

    def case(drawn: tuple[Case, int, int]) -> Case:
        other, special_tokens, less = drawn
        max_length = max(0, special_tokens - less)
        return Case(other.first, other.second, special_tokens, 0, other.config | {"max_length": max_length})

    return st.tuples(_cases(scope, ["longest_first"]), st.integers(1, 4), st.integers(1, 4)).map(case)


def filled(scope: Scope) -> st.SearchStrategy[Case]:
    """Rows that special tokens fill, where there are other tokens."""
    names = scope.values("strategy", ["longest_first", "only_first", "only_second"])
    cases = _cases(scope, names).filter(lambda case: case.total > 0)
    return cases.filter(lambda case: case.second is not None or case.strategy != "only_second").map(_without_room)


def filled_by_longest_first(scope: Scope) -> st.SearchStrategy[Case]:
    """The same, cut by longest_first."""
    return _cases(scope, ["longest_first"]).filter(lambda case: case.total > 0).map(_without_room)


def windowed(scope: Scope) -> st.SearchStrategy[Case]:
    """Sequences in several windows, which share some tokens or none."""
    return _strided(scope, singles(scope))


def windowed_pairs(scope: Scope) -> st.SearchStrategy[Case]:
    """The same of pairs, of which one is cut or both are."""
    names = scope.values("strategy", ["only_first", "only_second"])
    one = of_one(scope) if set(names) & {"only_first", "only_second"} else pairs(scope)
    return _strided(scope, st.one_of(one, pairs(scope).filter(lambda case: case.room > 1)))


def large_strides(scope: Scope) -> st.SearchStrategy[Case]:
    """Sequences in windows that would share all they have."""
    strides = [value for value in scope.required("stride", [*range(12)]) if isinstance(value, int)]

    def strided(drawn: tuple[Case, int]) -> Case:
        case, stride = drawn
        return Case(case.first, case.second, case.special_tokens, case.room, case.config | {"stride": stride})

    drawn = st.tuples(singles(scope), st.sampled_from(strides)).map(strided)
    return drawn.filter(lambda case: case.stride >= case.room)


def batches(scope: Scope) -> st.SearchStrategy[tuple[Case, list[int]]]:
    """The lengths of several sequences, none among them, that are cut in one way."""
    return st.tuples(windowed(scope), st.lists(st.integers(0, 12), max_size=5))


def _cases(scope: Scope, strategies: list[Value], *, pairs: bool = True, least: int = 0) -> st.SearchStrategy[Case]:
    def case(drawn: tuple[int, int, list[int], list[int] | None, str, str]) -> Case:
        room, special_tokens, first, second, strategy, side = drawn
        return Case(first, second, special_tokens, room, _config(special_tokens + room, strategy, side, 0))

    sequences = st.lists(IDS, min_size=least, max_size=10)
    return st.tuples(
        st.integers(1, 8),
        st.integers(0, 3),
        sequences,
        st.one_of(st.none(), sequences, sequences) if pairs else st.none(),
        st.sampled_from(strategies).map(str),
        _sides(scope),
    ).map(case)


def _made_to_fit(case: Case) -> Case:
    """The same with room for all of it, and for no more where there was too little."""
    room = max(case.room, case.total)
    config = case.config | {"max_length": case.special_tokens + room}
    return Case(case.first, case.second, case.special_tokens, room, config)


def _without_room(case: Case) -> Case:
    config = case.config | {"max_length": case.special_tokens}
    return Case(case.first, case.second, case.special_tokens, 0, config)


def _strided(scope: Scope, cases: st.SearchStrategy[Case]) -> st.SearchStrategy[Case]:
    """The cases with a stride that is shorter than each window."""
    offered = [value for value in scope.values("stride", [*range(8)]) if isinstance(value, int)]

    def strided(case: Case) -> st.SearchStrategy[Case]:
        size = case.room
        if case.second is not None:  # half of the room at least is left to each sequence that longest_first cuts
            size = case.room // 2 if case.strategy == "longest_first" else case.room - len(_whole(case))
        strides = [stride for stride in offered if stride < max(1, size)]
        return st.sampled_from(strides).map(
            lambda stride: Case(
                case.first, case.second, case.special_tokens, case.room, case.config | {"stride": stride}
            )
        )

    return cases.flatmap(strided)


def _sides(scope: Scope) -> st.SearchStrategy[str]:
    return st.sampled_from(scope.values("side", SIDES)).map(str)


def _whole(case: Case) -> list[int]:
    """The sequence that is not to be cut."""
    return (case.second or []) if case.strategy == "only_first" else case.first


def _config(max_length: int, strategy: str, side: str, stride: int) -> dict[str, Value]:
    return {"max_length": max_length, "strategy": strategy, "side": side, "stride": stride}
