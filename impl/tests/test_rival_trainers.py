"""The trainers of other libraries as subjects: what they learn, and where they part as declared."""

import pytest

from goldpiece.errors import UsageError
from goldpiece.suite.component import Component
from goldpiece.suite.divergences import declared_for, read_divergences, what_it_shows
from goldpiece.suite.loader import load_specs
from goldpiece.suite.subjects import in_this_process, rival_trainers
from goldpiece.suite.subjects.rival_trainers import FACTORIES, HAVE


def subject(name: str) -> Component:
    if not HAVE[name]:
        extra = name if name == "real-wordpiece" else "rivals"
        pytest.skip(f"not run: {name} is not installed; it is in the extra `{extra}`")
    specs = load_specs()
    return Component(in_this_process(name, specs), specs.named(FACTORIES[name][0]), None)


@pytest.mark.parametrize("name", FACTORIES)
def test_a_trainer_parts_where_it_is_declared_to(name: str) -> None:
    trainer, specs = subject(name), load_specs()
    path = declared_for(name)
    for each in read_divergences(path, specs) if path else []:
        assert what_it_shows(each, trainer.subject, specs)[1] == each.actual, each.place


def test_what_rustbpe_learns() -> None:
    """Bytes that no word has are no entries, and a pair that occurs once is not merged, nor any behind it."""
    trainer = subject("rustbpe")(size=9)
    assert trainer.train(["élan", "élan", "lande", "x"]) == {
        "tokens": ["a", "d", "e", "l", "n", "x", "é", "an", "lan"],
        "merges": [["a", "n"], ["l", "an"]],
    }


def test_what_real_wordpiece_learns() -> None:
    """Characters of which no word begins are entries without the prefix as well, and take the room of merges."""
    trainer = subject("real-wordpiece")(size=9, min_frequency=1, special_tokens=["[UNK]"])
    assert trainer.train(["hug", "hug", "hugs"]) == {
        "tokens": ["[UNK]", "h", "##u", "##g", "##s", "u", "g", "s", "hu"],
        "merges": [["h", "##u"]],
    }


@pytest.mark.parametrize("name", FACTORIES)
def test_a_trainer_that_is_missing_is_named(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rival_trainers, "HAVE", dict.fromkeys(FACTORIES, False))
    with pytest.raises(
        UsageError, match=f"needs the package {name}, which is not installed: run `pip install .*{name}`"
    ):
        in_this_process(name, load_specs())
