"""Documents about the length of a row, empty ones among them, some of whose tokens share the id of padding."""

from dataclasses import dataclass

from hypothesis import strategies as st

from goldpiece.suite.scope import Scope
from goldpiece.suite.values import Value

from .padding import LAST, PAD_IDS


@dataclass(frozen=True)
class Case:
    """Documents, and how they are packed."""

    documents: list[list[int]]
    config: dict[str, Value]

    @property
    def length(self) -> int:
        length = self.config["length"]
        assert isinstance(length, int)
        return length


def split(scope: Scope) -> st.SearchStrategy[Case]:
    """Documents that go on in the next row."""
    cases = _cases(scope, scope.required("split", [True]))
    return st.one_of(cases, cases.map(_made_to_fit))


def whole(scope: Scope) -> st.SearchStrategy[Case]:
    """Documents that fit into a row, and stay whole."""
    cases = _cases(scope, scope.required("split", [False]))
    return st.one_of(cases.map(_made_to_fit), cases.map(_made_small))


def packable(scope: Scope) -> st.SearchStrategy[Case]:
    """Documents that can be packed, split or whole."""
    return _cases(scope, scope.values("split", [True, False])).map(
        lambda case: case if case.config["split"] else _made_to_fit(case)
    )


def with_empty_documents(scope: Scope) -> st.SearchStrategy[Case]:
    """The same, with documents that have no tokens before, between and behind."""

    def emptied(case: Case) -> Case:
        return Case([document for each in case.documents for document in ([], each)] + [[]], case.config)

    return packable(scope).map(emptied)


def too_long(scope: Scope) -> st.SearchStrategy[Case]:
    """Documents that are to stay whole, one of them longer than a row."""
    cases = _cases(scope, scope.required("split", [False]))
    return cases.filter(lambda case: max(map(len, case.documents), default=0) > case.length)


def without_token(scope: Scope) -> st.SearchStrategy[Case]:
    """Without a padding token; some fill their rows, and most do not."""
    missing = scope.required("pad_id", [None])
    return split(scope).map(lambda case: Case(case.documents, case.config | {"pad_id": missing[0]}))


def _cases(scope: Scope, split: list[Value]) -> st.SearchStrategy[Case]:
    config = st.fixed_dictionaries(
        {
            "length": st.integers(1, 6),
            "pad_id": st.sampled_from(scope.values("pad_id", PAD_IDS)),
            "split": st.sampled_from(split),
        }
    )
    documents = st.lists(st.lists(st.integers(0, LAST), max_size=8), max_size=6)
    return st.builds(Case, documents, config)


def _made_to_fit(case: Case) -> Case:
    return Case([document[: case.length] for document in case.documents], case.config)


def _made_small(case: Case) -> Case:
    """The same with documents of which several fill a row."""
    return Case([document[: max(1, case.length // 2)] for document in case.documents], case.config)
