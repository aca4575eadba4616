"""Laws: what a clause says, as a test that any implementation can be put to.

A law is a function in properties/test_<component>.py:

    @law("wordpiece.longest-match", case=words)
    def longest_match(wordpiece: Component, case: Case) -> None:
        expect(wordpiece(**case.config).tokenize(case.word), longest_pieces(case))

Its first arguments are components, by name, and `scope` if it wants one. The others are drawn by Hypothesis from
strategies; each is given as a function that makes the strategy from the scope, so that it stays within what the
subject declares. A law without strategies runs once: it is about a fixed or an exhaustive set, or judges one large
sample, for which it takes `seed`, another number under each seed of a run. (Within an example Hypothesis seeds the
generators of Python and NumPy, so that a subject that draws from these would give the same sample each time.)
"""

import inspect
import pkgutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any, TypeAlias

from hypothesis.strategies import SearchStrategy

from goldpiece.suite.component import Disagreement, Note, Told
from goldpiece.suite.scope import Scope
from goldpiece.suite.values import Value

StrategyMaker: TypeAlias = Callable[[Scope], SearchStrategy[Any]]  # what it draws is between the law and its strategy


SCOPE, SEED = "scope", "seed"  # arguments of laws that are no components


@dataclass(frozen=True)
class Law:
    """A test of one clause."""

    clause: str
    function: Callable[..., None]
    strategies: Mapping[str, StrategyMaker]

    @property
    def name(self) -> str:
        return self.function.__name__

    @property
    def module(self) -> str:
        """The module that holds it, such as `test_wordpiece`."""
        return self.function.__module__.rpartition(".")[2]

    @property
    def is_seeded(self) -> bool:
        """Whether it draws: under another seed it tries other inputs."""
        return bool(self.strategies) or SEED in self.arguments

    @property
    def arguments(self) -> list[str]:
        """What the function takes besides what its strategies draw: components, and perhaps `scope` and `seed`."""
        return [name for name in inspect.signature(self.function).parameters if name not in self.strategies]


def law(clause: str, **strategies: StrategyMaker) -> Callable[[Callable[..., None]], Law]:
    """Makes a function the law of a clause."""
    return lambda function: Law(clause, function, strategies)


def expect(actual: Value, expected: Value, note: Note = "") -> None:
    """What a law checks with, so that a failure can show both sides. `note` says more than the two values can."""
    if actual != expected:
        raise Disagreement(expected, actual, note)


def expect_told(answer: Told, right: Mapping[str, Value], note: str = "") -> None:
    """The same of outputs by name, or of an error, as far as the subject tells them."""
    expect(dict(answer), answer.alike(right), note)


@cache
def load_laws() -> tuple[Law, ...]:
    """The laws of all components."""
    return tuple(law for module in property_modules("test_") for law in vars(module).values() if isinstance(law, Law))


def property_modules(prefix: str, package: str = "goldpiece.properties") -> Iterator[ModuleType]:
    """The modules of a package of the room `properties` whose names begin with `prefix`."""
    for found in pkgutil.iter_modules(import_module(package).__path__):
        if found.name.startswith(prefix):
            yield import_module(f"{package}.{found.name}")
