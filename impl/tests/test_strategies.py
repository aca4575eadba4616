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
from goldpiece.suite.subjects import in_this_process

from .conftest import SUBJECTS

unicode = import_module("goldpiece.properties.strategies.unicode")
normalizer = import_module("goldpiece.properties.strategies.normalizer")
wordpiece = import_module("goldpiece.properties.strategies.wordpiece")
persistence = import_module("goldpiece.properties.strategies.persistence")
tokenizer_json = import_module("goldpiece.properties.strategies.tokenizer_json")
tokens = import_module("goldpiece.properties.strategies.tokens")
tokenizer = import_module("goldpiece.properties.strategies.tokenizer")
added_tokens = import_module("goldpiece.properties.strategies.added_tokens")
masking = import_module("goldpiece.properties.strategies.masking")
cuts = import_module("goldpiece.properties.oracles.added_tokens")
expected = import_module("goldpiece.properties.oracles.tokenizer")
frames = import_module("goldpiece.properties.test_post_processor").frames
unicode14 = import_module("goldpiece.properties.unicode14")
longest_pieces = import_module("goldpiece.properties.test_wordpiece").longest_pieces

DRAWS = 200


def scope(spec: str, profile: str | None, subject: str = "reference") -> Scope:
    specs = load_specs()
    return Scope(specs.named(spec), profile, Depth.QUICK, in_this_process(subject, specs).declaration)


def draw(strategy: st.SearchStrategy[Any], draws: int = DRAWS) -> list[Any]:
    drawn: list[Any] = []
    settings = hypothesis.settings(
        max_examples=draws, phases=[Phase.generate], database=None, deadline=None, verbosity=Verbosity.quiet,
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
    words = draw(wordpiece.words(scope("wordpiece", None)))
    pieces = [longest_pieces(case) for case in words]
    assert 0.2 < share(pieces, lambda each: each == ["[UNK]"]) < 0.8
    assert share(pieces, lambda each: len(each) > 1) > 0.15
    assert share(pieces, lambda each: len(each) > 2) > 0.05
    assert share(words, lambda case: case.word.startswith("##")) > 0.03
    assert share(words, lambda case: any(ord(char) > 0xFFFF for char in case.word)) > 0.03
    assert all(len(case.vocab) == len(set(case.vocab)) for case in words)

    def competes(case: Any) -> bool:
        """Else the longest match would be the only one."""
        return len([entry for entry in case.vocab if case.word.startswith(entry)]) > 1

    assert share(words, competes) > 0.1


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
        assert share(["".join(tokens) for tokens in drawn], partial(_holds, char)) > 0.03, ascii(char)
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


def test_added_tokens_of_tokenizers_are_found_however_they_are_spelt() -> None:
    of = scope("tokenizer", "hf")
    cases = draw(tokenizer.added(of))
    found = [(case, expected.tokens_with_added(of, case).tokens) for case in cases]
    for name in ("added_tokens", "verbatim_tokens"):
        there = [bool(set(case.config[name]) & set(tokens)) for case, tokens in found]
        others = [[each for token in case.config[name] for each in tokenizer.SPELLINGS[token][1:]] for case in cases]
        otherwise = [any(each in case.text for each in some) for case, some in zip(cases, others, strict=True)]
        assert sum(there) / len(cases) > 0.2
        assert sum(otherwise) / len(cases) > 0.1
    assert share(found, lambda each: any(t in each[1] and t not in each[0].text for t in tokenizer.SPELLINGS)) > 0.1
    assert share(found, lambda each: bool(set(tokenizer.SPECIAL[2:]) & set(each[1]))) > 0.2
    assert share(found, lambda each: "[UNK]" in each[1]) > 0.3
    assert share(cases, lambda case: any(each in case.text for each in tokenizer.CARELESS)) > 0.15


def test_texts_for_padding_and_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(SUBJECTS))
    of = scope("tokenizer", "hf")
    assert 0.3 < share(draw(tokenizer.padded(of)), lambda case: "[PAD]" in case.text) < 0.7
    several = draw(tokenizer.several(of))
    assert share(several, lambda drawn: len(drawn[1]) > 0) > 0.4
    ready = draw(tokenizer.several(scope("tokenizer", "hf", "fixed:Right")))
    assert all(not case.vocab and not case.config for case, _ in ready)


# What the strategies of added tokens reach: how many of the cases at least
#   have a token in the text, have several, have one refused, have one that is found only with parse_special, have
#   tokens that compete for a place, and have white space that a token takes.
ADDED = {
    "plain": (0.6, 0.5, 0, 0, 0.4, 0),
    "within_words": (0.4, 0.25, 0.4, 0, 0.2, 0),
    "taking_white_space_before": (0.6, 0.5, 0, 0, 0.3, 0.3),
    "taking_white_space_behind": (0.5, 0.35, 0.2, 0, 0.25, 0.1),
    "abutting": (0.7, 0.5, 0.5, 0, 0.3, 0.5),
    "special": (0.6, 0.5, 0, 0.5, 0.2, 0),
    "refusable": (0.4, 0.3, 0.3, 0.3, 0.4, 0),
    "of_every_kind": (0.35, 0.2, 0.35, 0.3, 0.25, 0.15),
    "with_an_empty_one": (0.25, 0.2, 0, 0, 0.15, 0),
    "look_alikes": (1, 0.08, 0, 0, 0, 0),
}


@pytest.mark.parametrize(("name", "least"), ADDED.items())
def test_added_tokens_meet_what_decides_on_them(name: str, least: tuple[float, ...]) -> None:
    of = scope("added_tokens", "hf")
    definition = cuts.definition(of)
    cases = draw(getattr(added_tokens, name)(of))

    def found(case: Any, without: Container[str] = (), parse_special: bool = True) -> tuple[int, list[str]]:
        """How many tokens, and all parts; the lists `without` left out."""
        lists = {each: tokens for each, tokens in case.lists.items() if each not in without}
        cut = definition.cut(added_tokens.Case(case.tokens, case.text, lists), parse_special)
        return sum(token is not None for token in cut["added"]), cut["parts"]

    def competes(case: Any) -> bool:
        return any(sum(case.text.startswith(token, place) for token in case.tokens if token) > 1
                   for place in range(len(case.text)))  # fmt: skip

    reached = (
        share(cases, lambda case: found(case)[0] > 0),
        share(cases, lambda case: found(case)[0] > 1),
        share(cases, lambda case: found(case)[0] < found(case, without=["single_word"])[0]),
        share(cases, lambda case: found(case, parse_special=False)[0] < found(case)[0]),
        share(cases, competes),
        share(cases, lambda case: found(case)[1] != found(case, without=["lstrip", "rstrip"])[1]),
    )
    assert all(share >= wanted for share, wanted in zip(reached, least, strict=True)), (reached, least)


def test_sequences_of_texts_for_added_tokens_begin_alike() -> None:
    drawn = draw(added_tokens.sequences(scope("added_tokens", "hf")))
    assert share(drawn, lambda each: len(each[1]) > 1) > 0.3
    assert share(drawn, lambda each: len(set(each[1])) < len(each[1])) > 0.15


def test_frames_stand_around_every_kind_of_sequence() -> None:
    of = scope("post_processor", None)
    pairs = draw(st.tuples(tokens.sequences(of), tokens.optional_sequences(of)))
    assert share(pairs, lambda pair: pair[1] is None) > 0.15
    assert share(pairs, lambda pair: pair[1] == []) > 0.15
    assert share(pairs, lambda pair: bool(pair[0] and pair[1])) > 0.2
    for number in (0, 1):  # of the frame's own tokens, and any twice: no position may be told by the token
        assert share(pairs, lambda pair: bool({"[CLS]", "[SEP]"} & set(pair[number] or ()))) > 0.04  # noqa: B023
    assert share(pairs, lambda pair: len(set(pair[0])) < len(pair[0])) > 0.3
    others = draw(frames(of))
    assert len(set(others)) == 16
    assert {cls == sep for cls, sep in others} == {True, False}


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


@pytest.mark.parametrize("strategy", [masking.rows_with_ids, masking.rows_with_marks])
def test_rows_to_be_masked(strategy: Callable[[Scope], st.SearchStrategy[Any]]) -> None:
    drawn = draw(strategy(scope("masking", None)))
    words = [word for case in drawn for row in case.words for word in row]
    assert 0.2 < share(words, lambda word: len(word) == 1) < 0.8
    assert share(words, lambda word: len(word) > 2) > 0.1
    assert share(drawn, lambda case: len({len(row) for row in case.rows}) > 1) > 0.3
    assert (
        share(drawn, lambda case: any(row and not words for row, words in zip(case.rows, case.words, strict=True)))
        > 0.02
    )
    assert share(drawn, lambda case: case.vocab.index("[PAD]") in (0, 12)) > 0.05
    # Words side by side, which only their ids or marks tell apart.
    beside = [pairwise(row) for case in drawn for row in case.words]
    assert sum(one[-1] + 1 == other[0] for pairs in beside for one, other in pairs) > len(drawn)


def test_settings_of_masking_combine() -> None:
    drawn = draw(masking.settings(scope("masking", None)))
    kinds = Counter((config["unit"], config["budget"]) for config in drawn)
    assert len(kinds) == 12
    assert min(kinds.values()) > DRAWS // 100
    assert all(config["mask_rate"] + config["random_rate"] <= 1 for config in drawn)


@pytest.mark.parametrize("mark", masking.SCHEMES)
def test_marked_rows_have_orphans(mark: str) -> None:
    drawn = draw(masking.marked_rows(mark, orphans=True))

    def has_orphan(marked: Any) -> bool:
        """A word that lacks the mark of its beginning, or of its end."""
        spans = [marked.tokens[start:end] for start, end in marked.spans]
        if mark == "</w>":
            return any(not word[-1].endswith(mark) for word in spans)
        return any(word[0].startswith(mark) == (mark == "##") for word in spans)

    assert share(drawn, has_orphan) > 0.1
    assert share(drawn, lambda marked: len(marked.spans) > 2) > 0.1
