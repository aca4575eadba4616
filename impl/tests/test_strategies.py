"""The strategies reach what they claim to, often enough: a law is no better than what it draws."""

from collections import Counter
from collections.abc import Callable, Container
from functools import partial
from importlib import import_module
from itertools import pairwise
from typing import Any

import hypothesis
import pytest
from hypothesis import HealthCheck, Phase, Verbosity
from hypothesis import strategies as st

from goldpiece.suite.execution import unaided_draws
from goldpiece.suite.loader import load_specs
from goldpiece.suite.scope import Scope
from goldpiece.suite.spec import Depth
from goldpiece.suite.subjects import find_subject

unicode = import_module("goldpiece.properties.strategies.unicode")
normalizer = import_module("goldpiece.properties.strategies.normalizer")
wordpiece = import_module("goldpiece.properties.strategies.wordpiece")
persistence = import_module("goldpiece.properties.strategies.persistence")
tokenizer_json = import_module("goldpiece.properties.strategies.tokenizer_json")
tokens = import_module("goldpiece.properties.strategies.tokens")
tokenizer = import_module("goldpiece.properties.strategies.tokenizer")
unicode14 = import_module("goldpiece.properties.unicode14")
longest_pieces = import_module("goldpiece.properties.test_wordpiece").longest_pieces

DRAWS = 400


def scope(spec: str, profile: str | None, subject: str = "reference") -> Scope:
    specs = load_specs()
    return Scope(specs.named(spec), profile, Depth.QUICK, find_subject(subject, specs).declaration)


def draw(strategy: st.SearchStrategy[Any]) -> list[Any]:
    drawn: list[Any] = []
    settings = hypothesis.settings(
        max_examples=DRAWS, phases=[Phase.generate], database=None, deadline=None, verbosity=Verbosity.quiet,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    with unaided_draws():
        hypothesis.seed(0)(settings(hypothesis.given(value=strategy)(_into(drawn))))()
    return drawn


def _into(drawn: list[Any]) -> Callable[[Any], None]:
    def keep(value: Any) -> None:
        drawn.append(value)

    return keep


def share(values: list[Any], has: Callable[[Any], bool]) -> float:
    return sum(map(has, values)) / len(values)


@pytest.mark.parametrize("profile", ["hf", "google", "simple"])
def test_texts_reach_every_class(profile: str) -> None:
    texts = draw(unicode.texts(scope("normalizer", profile)))
    for name, points in unicode.classes(load_specs().named("normalizer"), profile).items():
        known = frozenset(map(chr, points))
        reached = [text for text in texts if not known.isdisjoint(text)]
        assert len(reached) / len(texts) > 0.04, name
    assert share(texts, lambda text: any("\ud800" <= char <= "\udfff" for char in text)) > 0.03
    assert share(texts, lambda text: "\u200d" in text) > 0.03
    assert share(texts, lambda text: "Σ" in text) > 0.05
    assert share(texts, lambda text: len(text) > 10) > 0.2


@pytest.mark.parametrize("profile", ["google", "simple"])
def test_texts_stay_within_what_the_profile_covers(profile: str) -> None:
    texts = draw(unicode.texts(scope("normalizer", profile)))
    assigned = unicode14.assigned()
    assert all(ord(char) in assigned for text in texts for char in text)


@pytest.mark.parametrize(
    "strategy", [unicode.texts, unicode.spaced_texts, unicode.combining_runs, normalizer.telling_texts]
)
def test_no_surrogates_for_a_subject_that_takes_none(strategy: Callable[[Scope], st.SearchStrategy[str]]) -> None:
    texts = draw(strategy(scope("normalizer", "hf", "goldpiece.reference.normalizer:Normalizer")))
    assert not any("\ud800" <= char <= "\udfff" for text in texts for char in text)


def test_combining_runs_need_sorting() -> None:
    runs = draw(unicode.combining_runs(scope("normalizer", "hf")))

    def classes(text: str) -> list[int]:
        return [unicode14.combining_class(char) for char in text]

    def is_unsorted(text: str) -> bool:
        return any(left > right > 0 for left, right in zip(classes(text), classes(text)[1:], strict=False))

    def has_equals(text: str) -> bool:
        return any(
            left == right > 0 and a != b
            for left, right, a, b in zip(classes(text), classes(text)[1:], text, text[1:], strict=False)
        )

    assert share(runs, is_unsorted) > 0.4
    assert share(runs, has_equals) > 0.1


def test_telling_texts_have_something_for_every_stage() -> None:
    texts = draw(normalizer.telling_texts(scope("normalizer", "google")))
    assert all(any(char in text for char in "中漢豈") and any(char in text for char in "AΣЖ") for text in texts)


def test_spaced_texts_have_runs_and_ends() -> None:
    texts = draw(unicode.spaced_texts(scope("normalizer", "simple")))
    assert share(texts, lambda text: "   " in text) > 0.03
    assert share(texts, lambda text: text[:1].isspace()) > 0.2
    assert share(texts, lambda text: text[-1:].isspace()) > 0.2


def test_related_texts_begin_alike() -> None:
    several = draw(unicode.related_texts(scope("normalizer", "hf")))
    pairs = [
        len({text[:2] for text in texts if len(text) > 2}) < len({text for text in texts if len(text) > 2})
        for texts in several
    ]
    assert sum(pairs) / len(pairs) > 0.4


def test_sweeps_see_every_code_point() -> None:
    quick, all_ = scope("normalizer", "hf"), 0x110000 - 0x800
    assert len(unicode.code_points(quick, everywhere=True)) == all_
    assert 140_000 < len(unicode.code_points(quick)) < 170_000
    deep = Scope(quick.spec, "google", Depth.STANDARD, quick.declaration)
    assert set(unicode.code_points(deep)) == unicode14.assigned() - set(range(0xD800, 0xE000))


def test_words_are_often_segmented_and_often_not() -> None:
    cases = draw(wordpiece.words(scope("wordpiece", None)))
    pieces = [longest_pieces(case) for case in cases]
    assert 0.2 < share(pieces, lambda each: each == ["[UNK]"]) < 0.8
    assert share(pieces, lambda each: len(each) > 1) > 0.15
    assert share(pieces, lambda each: len(each) > 2) > 0.05
    assert share(cases, lambda case: case.word.startswith("##")) > 0.03
    assert share(cases, lambda case: any(ord(char) > 0xFFFF for char in case.word)) > 0.03
    assert all(len(case.vocab) == len(set(case.vocab)) for case in cases)


def test_longer_entries_compete_with_shorter_ones() -> None:
    """Else the longest match would be the only one."""
    cases = draw(wordpiece.words(scope("wordpiece", None)))

    def competes(case: Any) -> bool:
        return len([entry for entry in case.vocab if case.word.startswith(entry)]) > 1

    assert share(cases, competes) > 0.1


def test_dead_ends_are_dead() -> None:
    cases = draw(wordpiece.dead_ends(scope("wordpiece", None)))
    assert all(longest_pieces(case) == ["[UNK]"] for case in cases)
    assert share(cases, lambda case: any(case.word.startswith(entry) for entry in case.vocab)) > 0.9


def test_missing_unknown_tokens_are_missed() -> None:
    cases = draw(wordpiece.words_without_unknown(scope("wordpiece", None)))
    assert all("[UNK]" not in case.vocab for case in cases)
    assert 0.2 < share(cases, lambda case: longest_pieces(case) == ["[UNK]"]) < 0.8


def test_parameters_are_other_than_the_default() -> None:
    prefixes = Counter(case.prefix for case in draw(wordpiece.words_with_prefixes(scope("wordpiece", None))))
    assert set(prefixes) == set(wordpiece.PREFIXES) - {"##"}
    unknowns = Counter(case.unk_token for case in draw(wordpiece.words_with_unknowns(scope("wordpiece", None))))
    assert set(unknowns) == set(wordpiece.UNKNOWNS) - {"[UNK]"}


def test_empty_entries_are_there() -> None:
    cases = draw(wordpiece.words_beside_empty_entries(scope("wordpiece", None)))
    assert share(cases, lambda case: "##" in case.vocab) > 0.2
    assert share(cases, lambda case: "" in case.vocab) > 0.2
    assert share(cases, lambda case: case.word == "") > 0.1


def test_variants_differ_from_the_entry() -> None:
    assert all(other != case.word for case, other in draw(wordpiece.variants(scope("wordpiece", None))))


def _holds(char: str, drawn: Container[str]) -> bool:
    return char in drawn


def test_vocabularies_hold_what_is_trimmed_and_cut_by_mistake() -> None:
    drawn = draw(persistence.vocabularies(scope("persistence", None)))
    for char in [*persistence.SEPARATORS, *persistence.SPACES, "\ufeff", "\U0001f600", "\u0301"]:
        assert share(["".join(tokens) for tokens in drawn], partial(_holds, char)) > 0.05, ascii(char)
    for char in ("\u2028", "\u0085", "\u00a0", "\x0b", " "):
        assert share(drawn, partial(_holds, char)) > 0.02, ascii(char)
    assert share(drawn, lambda tokens: any(token != token.rstrip() for token in tokens)) > 0.4
    assert all(len(tokens) == len(set(tokens)) for tokens in drawn)
    plain = draw(persistence.plain_vocabularies(scope("persistence", None)))
    assert all(token == token.strip() for tokens in plain for token in tokens)
    assert share(plain, lambda tokens: any("\r" in token for token in tokens)) > 0.2


def test_faulty_lines_are_faulty_in_several_ways() -> None:
    blank = draw(persistence.with_blank_lines(scope("persistence", None)))
    assert all("" in each.lines for each in blank)
    assert share(blank, lambda each: each.lines[0] == "") > 0.2
    assert share(blank, lambda each: each.lines[-1] == "") > 0.2
    twice = draw(persistence.with_duplicates(scope("persistence", None)))
    assert all(len(set(each.lines)) < len(each.lines) for each in twice)
    apart = [each for each in twice if all(left != right for left, right in pairwise(each.lines))]
    assert len(apart) / len(twice) > 0.2


def test_sequences_of_tokens_hold_every_kind() -> None:
    drawn = draw(tokens.sequences(scope("decoder", None)))
    for kind in (tokens.PLAIN, tokens.MARKS, tokens.SPACED, tokens.SPECIAL):
        reached = [each for each in drawn if set(kind) & set(each)]
        assert len(reached) / len(drawn) > 0.2
    assert share(drawn, lambda each: each[-2:] == ["do", "not"]) > 0.01
    assert share(drawn, lambda each: not each) > 0.001
    plain = draw(tokens.plain_sequences(scope("decoder", None)))
    assert not any(token in tokens.SPECIAL for each in plain for token in each)


def test_tokenizers_meet_words_that_they_know_and_words_that_they_do_not() -> None:
    of = scope("tokenizer", "hf")
    cases = draw(tokenizer.cases(of))
    pieces = [
        [longest_pieces(wordpiece.Case(case.vocab, word)) for word, _ in tokenizer.words_of(of, case.text)]
        for case in cases
    ]
    assert share(pieces, lambda words: ["[UNK]"] in words) > 0.2
    assert share(pieces, lambda words: any(each != ["[UNK]"] for each in words)) > 0.3
    assert share(pieces, lambda words: any(len(each) > 1 for each in words)) > 0.15
    assert share(cases, lambda case: any(ord(char) > 0xFFFF for char in case.text)) > 0.1


def test_files_have_every_flag_and_frame() -> None:
    drawn = draw(tokenizer_json.files(scope("persistence", None)))
    for flag in tokenizer_json.FLAGS:
        with_flag = [file for file in drawn if any(token[flag] for token in file["added_tokens"])]
        assert len(with_flag) / len(drawn) > 0.15
    for outside in (True, False):
        reached = [
            file
            for file in drawn
            if any((token["content"] not in file["model"]["vocab"]) is outside for token in file["added_tokens"])
        ]
        assert len(reached) / len(drawn) > 0.15
    assert share(drawn, lambda file: file["post_processor"]["type"] == "TemplateProcessing") > 0.2
    assert share(drawn, lambda file: file["normalizer"]["strip_accents"] is None) > 0.1
    assert share(drawn, lambda file: file["decoder"]["cleanup"]) > 0.2
    numbers = [list(file["model"]["vocab"].values()) for file in drawn]
    assert share(numbers, lambda each: each != sorted(each)) > 0.3


def test_texts_for_files_hold_their_added_tokens() -> None:
    for strategy in (tokenizer_json.runs, tokenizer_json.flagged_runs):
        drawn = draw(strategy(scope("persistence", None)))
        assert share(drawn, lambda run: any(each["content"] in run.text for each in run.file["added_tokens"])) > 0.3
