"""BPE in its shortest form, on the worked examples of the field."""

from collections import Counter

import pytest

from goldpiece.errors import GoldpieceError
from goldpiece.reference.bpe import BPE, bpe_encode, count_pairs, merge_pair

WIN = [("i", "n"), ("w", "in"), ("n", "e"), ("ne", "r"), ("ne", "w"), ("win", "ner")]


def test_pairs_are_counted_where_they_overlap_too() -> None:
    assert count_pairs(list("aaab")) == Counter({("a", "a"): 2, ("a", "b"): 1})
    assert count_pairs(["a"]) == Counter()


def test_a_pair_is_merged_from_left_to_right() -> None:
    assert merge_pair(list("aaabaa"), ("a", "a")) == ["aa", "a", "b", "aa"]
    assert merge_pair(list("ab"), ("b", "a")) == ["a", "b"]


@pytest.mark.parametrize(
    ("word", "pieces"),
    [("winners", "winner s"), ("news", "new s"), ("dinners", "d in ner s"), ("inner", "in ner"), ("", "")],
)
def test_a_word_of_the_morphology_page(word: str, pieces: str) -> None:
    assert bpe_encode(word, WIN) == pieces.split()


def test_errors_name_what_is_missing_and_what_to_do() -> None:
    with pytest.raises(GoldpieceError, match=r"lacks 'x' of the word 'axb'.*name an unk_token"):
        BPE(["a", "b"], []).tokenize("axb")
    with pytest.raises(GoldpieceError, match=r"rank 1, 'b' \+ 'c', needs 'bc'"):
        BPE(["a", "b", "c", "ab"], [("a", "b"), ("b", "c")])
    with pytest.raises(GoldpieceError, match=r"dropout = 2 is no probability"):
        BPE([], [], dropout=2)
