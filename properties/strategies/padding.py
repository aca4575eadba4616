"""Batches of rows, and documents: long, short and empty ones, some of whose tokens share the id of padding."""

from collections.abc import Sequence
from dataclasses import dataclass

from hypothesis import strategies as st

from goldpiece.suite.scope import Scope
from goldpiece.suite.values import Value

LAST = 4
ROW = st.lists(st.integers(0, LAST), max_size=7)
PAD_IDS: list[Value] = [0, 1, LAST]  # padding is the first token, any, or the last


@dataclass(frozen=True)
class Batch:
    """Rows of ids, and how they are padded."""

    ids: list[list[int]]
    config: dict[str, Value]

    @property
    def given(self) -> tuple[list[list[int]], None, None]:
        """The inputs of `pad`."""
        return self.ids, None, None

    @property
    def longest(self) -> int:
        return max(map(len, self.ids), default=0)

    def number(self, parameter: str) -> int:
        value = self.config[parameter]
        assert isinstance(value, int)
        return value

    def row(self, tokens: Sequence[int], width: int, filling: int) -> list[int]:
        """A row as it should be: the filling at the side where the batch has it."""
        missing = [filling] * (width - len(tokens))
        return [*missing, *tokens] if self.config["side"] == "left" else [*tokens, *missing]


def batches(scope: Scope) -> st.SearchStrategy[Batch]:
    """To the longest row, on either side."""
    return _batches(scope)


def fixed(scope: Scope) -> st.SearchStrategy[Batch]:
    """To max_length, which the longest row has or has not."""
    widths = scope.required("max_length", [*range(12)])
    return _batches(scope, max_length=widths).filter(lambda batch: batch.longest <= batch.number("max_length"))


def rounded(scope: Scope) -> st.SearchStrategy[Batch]:
    """To a multiple, of the longest row or of max_length."""
    multiples = scope.required("multiple_of", [*range(1, 9)])
    widths = scope.values("max_length", [None, *range(7, 12)])
    return _batches(scope, multiple_of=multiples, max_length=widths)


def of_any_width(scope: Scope) -> st.SearchStrategy[Batch]:
    """With all options, as far as the subject takes them."""
    multiples = scope.values("multiple_of", [None, *range(1, 9)])
    widths = scope.values("max_length", [None, *range(7, 12)])
    return _batches(scope, multiple_of=multiples, max_length=widths)


def too_long(scope: Scope) -> st.SearchStrategy[Batch]:
    """To max_length, which some row exceeds."""
    multiples = scope.values("multiple_of", [None, *range(1, 9)])
    widths = scope.required("max_length", [*range(7)])
    batches = _batches(scope, multiple_of=multiples, max_length=widths)
    return batches.filter(lambda batch: batch.longest > batch.number("max_length"))


def without_token(scope: Scope) -> st.SearchStrategy[Batch]:
    """Without a padding token, whether rows are of one length or not."""
    missing = scope.required("pad_id", [None])
    return _batches(scope).map(lambda batch: Batch(batch.ids, batch.config | {"pad_id": missing[0]}))


def typed(scope: Scope) -> st.SearchStrategy[Batch]:
    """With a type id for padding."""
    return _batches(scope, pad_type_id=scope.required("pad_type_id", [0, 1, 3]))


def with_empty_rows(scope: Scope) -> st.SearchStrategy[Batch]:
    """With rows that have no tokens, among others or alone."""

    def emptied(drawn: tuple[Batch, int]) -> Batch:
        batch, place = drawn
        return Batch([*batch.ids[:place], [], *batch.ids[place:]], batch.config)

    return st.tuples(_batches(scope), st.integers(0, 5)).map(emptied)


def known(scope: Scope) -> st.SearchStrategy[tuple[Batch, list[list[int]], list[list[int]]]]:
    """With a type id and a mark for each token."""

    def beside(batch: Batch) -> st.SearchStrategy[tuple[Batch, list[list[int]], list[list[int]]]]:
        bits = [st.lists(st.integers(0, 1), min_size=len(row), max_size=len(row)) for row in batch.ids]
        return st.tuples(st.just(batch), st.tuples(*bits).map(list), st.tuples(*bits).map(list))

    return _batches(scope).flatmap(beside)


def _batches(
    scope: Scope,
    multiple_of: list[Value] | None = None,
    max_length: list[Value] | None = None,
    pad_type_id: list[Value] | None = None,
) -> st.SearchStrategy[Batch]:
    offered = {
        "side": scope.values("side", ["right", "left"]),
        "pad_id": scope.values("pad_id", PAD_IDS),
        "multiple_of": multiple_of or [None],
        "max_length": max_length or [None],
        "pad_type_id": pad_type_id or [0],
    }
    # Batches without rows are the affair of padding.empty-rows.
    config = st.fixed_dictionaries({name: st.sampled_from(values) for name, values in offered.items()})
    return st.builds(Batch, st.lists(ROW, min_size=1, max_size=5), config)
