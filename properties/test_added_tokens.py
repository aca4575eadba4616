"""The laws of spec/added_tokens.yaml, for any implementation."""

from itertools import pairwise

from goldpiece.suite.component import Component
from goldpiece.suite.law import expect, law
from goldpiece.suite.scope import Scope
from goldpiece.suite.spec import Depth
from goldpiece.suite.values import Value, show

from .oracles.added_tokens import definition
from .strategies.added_tokens import (
    Case,
    abutting,
    look_alikes,
    of_every_kind,
    plain,
    refusable,
    sequences,
    special,
    taking_white_space_before,
    taking_white_space_behind,
    with_an_empty_one,
    within_words,
)
from .strategies.unicode import code_points
from .sweeps import sweep


def cuts(added_tokens: Component, scope: Scope, case: Case, parse_special: bool = True) -> None:
    """The subject cuts as the definition does."""
    answer = added_tokens(**case.config).answer("split", case.text, parse_special)
    expect(answer, definition(scope).cut(case, parse_special))


def cuts_beside_every_code_point(added_tokens: Component, scope: Scope, frame: str, name: str) -> None:
    """The same of one token, on the list called `name`, beside each code point; the frame says where.

    Only at deep depth beside each: before that, beside those at which a run of word characters, of white space or of
    others ends.
    """
    lists = {name: ["<m>"]}
    model = added_tokens(tokens=["<m>"], **lists)
    sweep(
        frame,
        code_points(scope) if scope.depth is Depth.DEEP else definition(scope).ends,
        lambda text: model.answer("split", text, True),
        lambda text: definition(scope).cut(Case(["<m>"], text, lists)),
    )


@law("added_tokens.covers-the-text", case=of_every_kind)
def covers_the_text(added_tokens: Component, case: Case) -> None:
    answer = added_tokens(**case.config).answer("split", case.text, True)
    parts, added = answer["parts"], answer["added"]
    assert isinstance(parts, list)
    assert isinstance(added, list)
    expect("".join(parts), case.text, note=f"the parts {show(parts)} together")
    expect([part for part in parts if not part], [], note="parts that are empty")
    expect([pair for pair in pairwise(added) if pair == (None, None)], [], note="neighbours that are both plain text")


@law("added_tokens.longest-match", case=plain)
def longest_match(added_tokens: Component, scope: Scope, case: Case) -> None:
    cuts(added_tokens, scope, case)


@law("added_tokens.single-word", case=within_words)
def single_word(added_tokens: Component, scope: Scope, case: Case) -> None:
    cuts(added_tokens, scope, case)


@law("added_tokens.single-word")
def word_characters(added_tokens: Component, scope: Scope) -> None:
    cuts_beside_every_code_point(added_tokens, scope, "<m>{0} {0}<m>", "single_word")


@law("added_tokens.refused-matches", case=refusable)
def refused_matches(added_tokens: Component, scope: Scope, case: Case) -> None:
    for parse_special in (True, False):
        cuts(added_tokens, scope, case, parse_special)


@law("added_tokens.lstrip", case=taking_white_space_before)
def lstrip(added_tokens: Component, scope: Scope, case: Case) -> None:
    cuts(added_tokens, scope, case)


@law("added_tokens.lstrip")
def white_space_before(added_tokens: Component, scope: Scope) -> None:
    cuts_beside_every_code_point(added_tokens, scope, "{0}<m>", "lstrip")


@law("added_tokens.rstrip", case=taking_white_space_behind)
def rstrip(added_tokens: Component, scope: Scope, case: Case) -> None:
    cuts(added_tokens, scope, case)


@law("added_tokens.rstrip")
def white_space_behind(added_tokens: Component, scope: Scope) -> None:
    cuts_beside_every_code_point(added_tokens, scope, "<m>{0}", "rstrip")


@law("added_tokens.no-overlap", case=abutting)
def no_overlap(added_tokens: Component, scope: Scope, case: Case) -> None:
    cuts(added_tokens, scope, case)


@law("added_tokens.special", case=special)
def special_tokens(added_tokens: Component, scope: Scope, case: Case) -> None:
    for parse_special in (True, False):
        cuts(added_tokens, scope, case, parse_special)


@law("added_tokens.exact-characters", case=look_alikes)
def exact_characters(added_tokens: Component, scope: Scope, case: Case) -> None:
    cuts(added_tokens, scope, case)


@law("added_tokens.empty-contents", case=with_an_empty_one)
def empty_contents(added_tokens: Component, scope: Scope, case: Case) -> None:
    cuts(added_tokens, scope, case)


@law("added_tokens.offsets", case=of_every_kind)
def offsets(added_tokens: Component, case: Case) -> None:
    answer = added_tokens(**case.config).answer("split", case.text, True)
    parts, spans = answer["parts"], answer["offsets"]
    assert isinstance(parts, list)
    assert isinstance(spans, list)
    expect([case.text[start:end] for start, end in spans], parts, note=f"what the text holds between {show(spans)}")
    edges = [0, *(end for _, end in spans)]
    expect([start for start, _ in spans], edges[:-1], note="where the parts begin, and where the ones before end")


@law("added_tokens.pure", drawn=sequences)
def pure(added_tokens: Component, scope: Scope, drawn: tuple[Case, list[str]]) -> None:
    case, texts = drawn
    model = added_tokens(**case.config)
    for parse_special in (True, False, True):
        for text in texts:
            expected = definition(scope).cut(Case(case.tokens, text, case.lists), parse_special)
            note = f"it was asked for these, with parse_special, without and with it again: {show(texts)}"
            expect(model.answer("split", text, parse_special), expected, note)
    alone: Value = [model.answer("split", text, True) for text in texts]
    expect(model.answers("split", [[text, True] for text in texts]), alone, note="given together, and each alone")
