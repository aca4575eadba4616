"""Rows to be masked, whose words are known because the rows are made of words."""

from dataclasses import dataclass
from functools import cache
from typing import cast

from hypothesis import strategies as st

from goldpiece.suite.scope import Scope
from goldpiece.suite.values import Value

from . import once

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
HEADS, TAILS = ["a", "c", "d", "#"], ["b", "e", "c", "#"]  # what begins words, and what continues them
SCHEMES = ["##", "Ġ", "▁", "</w>"]
UNITS: list[Value] = ["subword", "word", "span"]
BUDGETS: list[Value] = ["bernoulli", "fraction", "bert", "greedy"]
RATES: list[Value] = [0.0, 0.15, 0.3, 0.5, 0.75, 1.0]


@dataclass(frozen=True)
class Case:
    """A vocabulary, rows of ids, and for each row its words: the positions of each, without special tokens."""

    vocab: list[str]
    rows: list[list[int]]
    word_ids: list[list[int | None]]
    words: list[list[list[int]]]

    @property
    def candidates(self) -> list[list[int]]:
        """The positions of each row that may be selected."""
        return [[place for word in row for place in word] for row in self.words]


@st.composite
def _cases(draw: st.DrawFn, marked: bool) -> Case:
    """`marked`: whether the words can be told by the marks; else by their ids only, which the marks contradict."""
    mark = draw(once.sampled_from(SCHEMES)) if marked else "##"
    vocab = draw(st.permutations([*SPECIAL, *_ends(mark)]))
    case = Case(vocab, [], [], [])
    for parts in draw(_rows(mark, marked)):
        ids: list[int] = []
        word_ids: list[int | None] = []
        words: list[list[int]] = []
        # A special token that stood in the text has a word id, one that a frame added has none.
        typed = draw(st.booleans())
        for number, part in enumerate(parts):
            tokens = [part] if isinstance(part, str) else part
            if not isinstance(part, str):
                words.append(list(range(len(ids), len(ids) + len(tokens))))
            ids += [vocab.index(token) for token in tokens]
            word_ids += [None if isinstance(part, str) and not typed else number] * len(tokens)
        case.rows.append(ids)
        case.word_ids.append(word_ids)
        case.words.append(words)
    return case


def _ends(mark: str) -> list[str]:
    """The tokens that words are made of."""
    heads = (_written([letter], mark)[0] for letter in HEADS)
    return [*heads, *(_written(["", letter, ""], mark)[1] for letter in TAILS)]


@cache
def _rows(mark: str, marked: bool) -> st.SearchStrategy[list[list[list[str] | str]]]:
    """Rows of words and special tokens."""
    if marked:
        letters = st.tuples(st.sampled_from(HEADS), st.lists(st.sampled_from(TAILS), max_size=3)).map(
            lambda drawn: [drawn[0], *drawn[1]]
        )
        word = letters.map(lambda parts: _written(parts if mark != "</w>" else [*parts[1:], parts[0]], mark))
    else:
        word = st.lists(st.sampled_from(_ends(mark)), min_size=1, max_size=4)
    # Batches without rows, and rows without tokens, are the affair of masking.small-rows.
    row = st.lists(st.one_of(word, st.sampled_from(SPECIAL)), min_size=1, max_size=7)
    return st.lists(row, min_size=1, max_size=4)


def rows_with_ids(scope: Scope) -> st.SearchStrategy[Case]:  # noqa: ARG001 (a strategy is a function of the scope)
    """Rows whose words are told by word ids alone."""
    return _cases(marked=False)


def rows_with_marks(scope: Scope) -> st.SearchStrategy[Case]:  # noqa: ARG001
    """Rows whose words are told by marks as well."""
    return _cases(marked=True)


def settings(scope: Scope) -> st.SearchStrategy[dict[str, Value]]:
    """Any combination of the parameters that say what is selected and what replaces it."""
    rates: list[Value] = [0.8, 0.9, 0.0, 0.5, 1.0]

    def among(name: str, wanted: list[Value]) -> st.SearchStrategy[Value]:
        return st.sampled_from(scope.values(name, wanted))

    drawn = st.fixed_dictionaries(
        {
            "unit": among("unit", UNITS),
            "budget": among("budget", BUDGETS),
            "rate": among("rate", RATES),
            "max_predictions": among("max_predictions", [None, 0, 1, 3]),
            "mask_rate": among("mask_rate", rates),
            "replace_per": among("replace_per", ["token", "unit"]),
            "random_special": among("random_special", [False, True]),
            "span_p": among("span_p", [0.2, 0.5, 1.0]),
            "span_limit": among("span_limit", [10, 1, 3]),
        }
    )
    # Both rates together are 1 at most, and a subject that takes no other has 0.1 of random tokens.
    share = st.sampled_from(scope.values("random_rate", [0.1, 0.2, 0.0]))
    return st.builds(lambda config, random: config | {"random_rate": _fitting(config, random)}, drawn, share)


def _fitting(config: dict[str, Value], random: Value) -> Value:
    return random if cast(float, config["mask_rate"]) + cast(float, random) <= 1 else 0.0


@dataclass(frozen=True)
class Marked:
    """Tokens, and where their words begin and end."""

    tokens: list[str]
    spans: list[list[int]]


PARTS = ["a", "中", "#", "Ġ", "▁", "a#", "b##", "aĠ", "b▁", "</w>c"]  # marks within a token are none


@st.composite
def _marked(draw: st.DrawFn, mark: str, orphans: bool) -> Marked:
    part = once.sampled_from(PARTS).filter(lambda text: text not in mark)
    word = st.lists(part, min_size=1, max_size=3)
    parts = draw(st.lists(st.one_of(word, once.sampled_from(SPECIAL)), max_size=6))
    marked = Marked([], [])
    after_special = True
    for number, each in enumerate(parts):
        if isinstance(each, str):
            marked.tokens.append(each)
            after_special = True
            continue
        start = len(marked.tokens)
        last = number + 1 == len(parts) or isinstance(parts[number + 1], str)
        # A word that no other stands beside needs no mark of its beginning, or of its end.
        bare = orphans and draw(st.booleans())
        marked.tokens.extend(_written(each, mark, bare_start=bare and after_special, bare_end=bare and last))
        marked.spans.append([start, len(marked.tokens)])
        after_special = False
    return marked


def _written(parts: list[str], mark: str, bare_start: bool = False, bare_end: bool = False) -> list[str]:
    """The tokens of a word under a scheme; with a bare start or end it lacks what would mark it there."""
    if mark == "</w>":
        return parts if bare_end else [*parts[:-1], parts[-1] + mark]
    if mark == "##":
        return [mark + parts[0] if bare_start else parts[0], *(mark + part for part in parts[1:])]
    return [parts[0] if bare_start else mark + parts[0], *parts[1:]]


def marked_rows(mark: str, orphans: bool = False) -> st.SearchStrategy[Marked]:
    """Rows of tokens whose words are marked so."""
    return _marked(mark, orphans)
