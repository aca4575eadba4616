"""Strategies of Hypothesis, made once for the same arguments: for composites, which ask for theirs in each draw.

Hypothesis looks over whatever is new to it before it draws from it, and that takes longer than the draw. What takes
strategies is made once for those that are made once themselves. `one_of` takes for one what it is given twice, so that
one that is to be drawn twice as often is made anew.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, TypeVar

from hypothesis import strategies as st

A = TypeVar("A")
MOST = 1 << 12  # strategies of a kind that are kept


@lru_cache(MOST)
def integers(least: int, most: int) -> st.SearchStrategy[int]:
    """Whole numbers from `least` to `most`."""
    return st.integers(least, most)


@lru_cache(MOST)
def text(letters: str, min_size: int = 0, max_size: int | None = None) -> st.SearchStrategy[str]:
    """Text of some letters."""
    return st.text(letters, min_size=min_size, max_size=max_size)


@lru_cache(MOST)
def joined(*parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Text of several parts."""
    return st.tuples(*parts).map("".join)


def sampled_from(values: Sequence[A]) -> st.SearchStrategy[A]:
    """One of some values, all of which can be hashed."""
    return _sampled_from(tuple(values), tuple(map(type, values)))  # 1 is True, but not to those who draw it


def evenly(kinds: Sequence[st.SearchStrategy[A]]) -> st.SearchStrategy[A]:
    """What one of some strategies draws; `one_of` would take their branches for its own, and draw few of the others."""
    return _evenly(tuple(kinds))


def lists(
    each: st.SearchStrategy[A], *, min_size: int = 0, max_size: int | None = None, unique: bool = False
) -> st.SearchStrategy[list[A]]:
    """Lists of what a strategy draws."""
    return _lists(each, min_size, max_size, unique)


@lru_cache(MOST)
def _sampled_from(values: tuple[Any, ...], types: tuple[type, ...]) -> st.SearchStrategy[Any]:  # noqa: ARG001 (a key)
    return st.sampled_from(values)


@lru_cache(MOST)
def _evenly(kinds: tuple[st.SearchStrategy[Any], ...]) -> st.SearchStrategy[Any]:
    return integers(0, len(kinds) - 1).flatmap(kinds.__getitem__)


@lru_cache(MOST)
def _lists(
    each: st.SearchStrategy[Any], min_size: int, max_size: int | None, unique: bool
) -> st.SearchStrategy[list[Any]]:
    return st.lists(each, min_size=min_size, max_size=max_size, unique=unique)
