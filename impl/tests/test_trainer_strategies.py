"""The strategies of the trainers reach what they claim to, often enough."""

from importlib import import_module
from typing import Any

from .test_strategies import draw, scope, share

merges = import_module("goldpiece.properties.strategies.bpe_trainer")
pieces = import_module("goldpiece.properties.strategies.wordpiece_trainer")


def learnt(case: Any) -> dict[str, Any]:
    """What the definition makes of a case."""
    answer: dict[str, Any] = case.definition.trained()
    return answer


def is_tied(case: Any) -> bool:
    """Whether the first merge is one of several that are equally good."""
    definition = case.definition
    rows = definition.after([])
    worth = [definition.worth(pair, rows) for pair in definition.candidates(rows)]
    return len(worth) > 1 and worth.count(max(worth)) > 1


def test_corpora_teach_something_and_fall_short_as_well() -> None:
    for strategies, spec in ((merges, "bpe_trainer"), (pieces, "wordpiece_trainer")):
        answers = [learnt(case) for case in draw(strategies.corpora(scope(spec, None)), 200)]
        assert share(answers, lambda answer: len(answer["merges"]) > 1) > 0.3
        assert share(answers, lambda answer: answer["short_by"] > 0) > 0.1
        assert share(answers, lambda answer: answer["short_by"] == 0) > 0.3


def test_ties_abound() -> None:
    assert share(draw(merges.by_ids(scope("bpe_trainer", None)), 200), is_tied) > 0.6
    assert share(draw(merges.by_first_seen(scope("bpe_trainer", None)), 200), is_tied) > 0.6
    assert share(draw(pieces.by_first_seen(scope("wordpiece_trainer", None)), 200), is_tied) > 0.6


def test_texts_are_made_twice() -> None:
    """A merge that adds no entry."""
    answers = [learnt(case) for case in draw(merges.made_twice(scope("bpe_trainer", None)), 100)]
    made = [["".join(pair) for pair in answer["merges"]] for answer in answers]
    begun = [len(answer["tokens"]) - len(answer["merges"]) for answer in answers]
    again = [
        any(text in answer["tokens"][: max(0, at)] for text in texts)
        for answer, texts, at in zip(answers, made, begun, strict=True)
    ]
    assert share(again, bool) > 0.5


def test_scores_differ_by_less_than_floats_can() -> None:
    scores = []
    for case in draw(pieces.close(scope("wordpiece_trainer", None)), 50):
        rows = case.definition.after([])
        scores.append({case.definition.worth(pair, rows)[0] for pair in case.definition.candidates(rows)})
    assert {len(each) for each in scores} == {2}
    assert share(scores, lambda each: len(set(map(float, each))) == 1) > 0.7


def test_limits_are_met() -> None:
    cases = draw(merges.limited(scope("bpe_trainer", None)), 200)
    assert share(cases, lambda case: len(case.definition.characters) < len(set("".join(case.words)))) > 0.5
    long = [learnt(case) for case in draw(merges.no_longer(scope("bpe_trainer", None)), 100)]
    assert share(long, lambda answer: bool(answer["merges"] and answer["short_by"])) > 0.2
    special = draw(merges.with_specials(scope("bpe_trainer", None)), 100)
    assert share(special, lambda case: not set(case.words).isdisjoint(case.definition.special_tokens)) > 0.5
