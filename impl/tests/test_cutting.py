"""Text that is cut all at once has the words that it has when it is normalized and cut as the tokenizer does it."""

from collections import Counter
from itertools import chain, product
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldpiece.fast.cutting import Cutter
from goldpiece.reference.normalizer import SEPARATOR, Normalizer
from goldpiece.reference.pre_tokenizer import PreTokenizer
from goldpiece.training import cutting
from goldpiece.training.cutting import BertCutting, WordCounter

PROFILES: list[Literal["hf", "google"]] = ["hf", "google"]
ODD = "\0\t\n\r\x1c\x7f\x85\xa0\u3000\u200b\u0301\u0323\u0345Σσς'’İßéÉ中國ー！—_-[]\ud800\U0001f600" + SEPARATOR
TEXTS = st.text(st.one_of(st.sampled_from(ODD), st.characters(max_codepoint=127), st.characters()), max_size=12)


def cutter(profile: Literal["hf", "google"], lowercase: bool) -> Cutter:
    return Cutter(Normalizer(profile=profile, lowercase=lowercase), PreTokenizer(profile=profile))


def words_of(text: str, profile: Literal["hf", "google"], lowercase: bool) -> list[str]:
    normalized = Normalizer(profile=profile, lowercase=lowercase).normalize(text)
    return PreTokenizer(profile=profile).pre_tokenize(normalized)[0]


@pytest.mark.parametrize("profile", PROFILES)
@settings(max_examples=60, deadline=None)
@given(texts=st.lists(TEXTS, max_size=6), lowercase=st.booleans())
def test_units_are_cut_together_as_each_by_itself(
    profile: Literal["hf", "google"], texts: list[str], lowercase: bool
) -> None:
    units = [unit for text in texts for unit in text.split(" ")]
    assert list(cutter(profile, lowercase).words(units)) == [words_of(unit, profile, lowercase) for unit in units]


@pytest.mark.parametrize("lowercase", [True, False])
@pytest.mark.parametrize("profile", PROFILES)
def test_pairs_of_characters_of_ascii(profile: Literal["hf", "google"], lowercase: bool) -> None:
    known = cutter(profile, lowercase)
    some = " \n\0\x1f~_-aZ9"
    for text in ["".join(map(chr, range(128))), *map("".join, product(map(chr, range(128)), some))]:
        assert known.words_in_ascii(text) == words_of(text, profile, lowercase)


@pytest.mark.parametrize("profile", PROFILES)
@settings(max_examples=40, deadline=None)
@given(texts=st.lists(TEXTS, max_size=8))
def test_words_are_counted_in_the_order_in_which_they_are_met(
    profile: Literal["hf", "google"], texts: list[str]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        for name, most in {"TEXTS": 3, "PART": 9, "AT_ONCE": 3, "REMEMBERED": 5}.items():
            patch.setattr(cutting, name, most)
        found = WordCounter(BertCutting(["[UNK]"], True, profile)).count(texts)
    right = Counter(chain.from_iterable(words_of(text, profile, True) for text in texts))
    assert list(found.items()) == list(right.items())
