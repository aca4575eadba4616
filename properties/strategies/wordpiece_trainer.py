"""The corpora of strategies/bpe_trainer.py, for WordPiece, and what only WordPiece has."""

from collections.abc import Callable
from dataclasses import replace

from hypothesis import strategies as st

from goldpiece.suite.scope import Scope
from goldpiece.suite.values import Value

from ..oracles.training import WordPieceDefinition
from . import bpe_trainer
from .bpe_trainer import Case

Cases = Callable[[Scope], st.SearchStrategy[Case]]
RULES: list[Value] = ["likelihood", "frequency"]
ELIGIBLE: list[Value] = ["any", "word_initial"]


def _as_pieces(cases: Cases, rules: list[Value], **usual: Value) -> Cases:
    """The same cases of WordPiece, under each of the rules that the subject takes; `usual` where a case says nothing.

    A low min_frequency among them: the usual one would leave nothing of small corpora.
    """

    def drawn(scope: Scope) -> st.SearchStrategy[Case]:
        rule = st.sampled_from(scope.required("rule", rules))
        given: dict[str, Value] = {"special_tokens": [], "min_frequency": 1, **usual}

        def changed(case: Case, rule: Value) -> Case:
            return replace(case, parameters={**given, **case.parameters, "rule": rule}, kind=WordPieceDefinition)

        return st.builds(changed, cases(scope), rule)

    return drawn


corpora = _as_pieces(bpe_trainer.corpora, RULES)
plain = _as_pieces(bpe_trainer.plain, ["likelihood"])
by_frequency = _as_pieces(bpe_trainer.plain, ["frequency"])
by_ids = _as_pieces(bpe_trainer.by_ids, ["likelihood"])
by_first_seen = _as_pieces(bpe_trainer.by_first_seen, RULES)
in_a_row = _as_pieces(bpe_trainer.in_a_row, RULES)
rare = _as_pieces(bpe_trainer.rare, RULES)
limited = _as_pieces(bpe_trainer.limited, RULES)
with_initial = _as_pieces(bpe_trainer.with_initial, RULES)
no_longer = _as_pieces(bpe_trainer.no_longer, RULES)
with_specials = _as_pieces(bpe_trainer.with_specials, RULES)
counted = _as_pieces(bpe_trainer.counted, RULES)
counted_exactly = _as_pieces(bpe_trainer.counted_exactly, RULES)
word_initial = _as_pieces(bpe_trainer.plain, RULES, eligible="word_initial")


def prefixed(scope: Scope) -> st.SearchStrategy[Case]:
    """Words under several prefixes, of which they may have letters."""
    prefixes = scope.required("prefix", ["##", "_", "a", ""])
    words = st.lists(st.text("ab#", min_size=1, max_size=6), min_size=1, max_size=6)
    cases = _as_pieces(lambda _: words.map(lambda found: Case(found, {}, 8)), RULES)(scope)
    return st.builds(lambda case, prefix: case.having(prefix=prefix), cases, st.sampled_from(prefixes))


def of_one_score(scope: Scope) -> st.SearchStrategy[Case]:
    """Two pairs of one score, of which that of the lower ids occurs less often."""
    scope.required("ties", ["ids"])

    def case(fewer: int, more: int) -> Case:
        words = ["ab"] * fewer + ["a"] * more + ["cd"] * (fewer + more)
        return Case(words, {"special_tokens": [], "min_frequency": 1, "ties": "ids"}, 2, None, WordPieceDefinition)

    return st.builds(case, st.integers(1, 4), st.integers(1, 4))


def close(scope: Scope) -> st.SearchStrategy[Case]:
    """Two pairs whose scores differ by less than floating point can tell, the lower one with the lower ids."""
    scope.required("min_frequency", [1])
    counts = st.integers(2**28, 2**40)

    def case(count: int, more: int) -> Case:
        words = ["ab", "a", "zb", "cd", "c", "yd"]
        rows = [count, more + 1, more + 1, count, more, more + 2]
        parameters: dict[str, Value] = {"special_tokens": [], "min_frequency": count}
        return Case(words, parameters, 1, rows, WordPieceDefinition)

    return st.builds(case, counts, st.integers(1, 5))


def usual(scope: Scope) -> st.SearchStrategy[Case]:
    """Words that are as frequent as the usual min_frequency, or once less or more."""
    counts = st.lists(st.sampled_from([1, 2, 3, 19, 20, 21]), min_size=4, max_size=4)
    words = ["ab", "cd", "ef", "gh"]

    def case(found: list[int], rule: Value) -> Case:
        return Case(words, {"special_tokens": [], "rule": rule}, 5, found, WordPieceDefinition)

    return st.builds(case, counts, st.sampled_from(scope.required("rule", RULES)))


def shuffled(scope: Scope) -> st.SearchStrategy[tuple[Case, list[str]]]:
    """Words, and the same in another order."""
    return by_ids(scope).flatmap(lambda case: st.tuples(st.just(case), st.permutations(case.words)))
