"""The trainers learn what published examples learn, and say what is wrong with what they are given."""

from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from goldpiece.errors import GoldpieceError, UsageError
from goldpiece.fast import bpe_trainer as fast_merges
from goldpiece.fast import wordpiece_trainer as fast_pieces
from goldpiece.reference import bpe_trainer, wordpiece_trainer
from goldpiece.reference.bpe import BPE, merge_pair
from goldpiece.reference.byte_level import ALPHABET, ByteLevel
from goldpiece.reference.pre_tokenizer import PreTokenizer
from goldpiece.reference.training import CountsDoNotFit, NoRoom
from goldpiece.reference.wordpiece import WordPiece
from goldpiece.suite.data import DataMissing, data_file

both_bpe = pytest.mark.parametrize("trainer", [bpe_trainer.BPETrainer, fast_merges.BPETrainer])
both_wordpiece = pytest.mark.parametrize("trainer", [wordpiece_trainer.WordPieceTrainer, fast_pieces.WordPieceTrainer])


def course() -> list[str]:
    try:
        return data_file("corpora/hf-course.txt").read_text(encoding="utf-8").splitlines()
    except DataMissing as missing:
        pytest.skip(f"not run: {missing}")


def learnt(trainer: Any, counts: Mapping[str, int], merges: int, **options: Any) -> Any:
    """So many merges of the words, by first appearance."""
    words, often = list(counts), list(counts.values())
    alphabet = trainer(10**6, min_frequency=10**9, **options).train_from_counts(words, often).tokens
    return trainer(len(alphabet) + merges, ties="first_seen", **options).train_from_counts(words, often)


@both_bpe
def test_the_words_of_win_dinner_and_new(trainer: Any) -> None:
    found = learnt(trainer, {"win": 5, "wins": 2, "winner": 3, "dinner": 2, "new": 4}, 6)
    assert [("".join(pair), count) for pair, count in zip(found.merges, found.counts, strict=True)] == [
        *(("in", 12), ("win", 10), ("ne", 9), ("ner", 5), ("new", 4), ("winner", 3)),
    ]
    model = BPE(found.tokens, found.merges)
    cut = {word: " ".join(model.tokenize(word)[0]) for word in ("winners", "news", "dinners", "inner")}
    assert cut == {"winners": "winner s", "news": "new s", "dinners": "d in ner s", "inner": "in ner"}


@both_bpe
def test_the_ten_merges_of_sennrich(trainer: Any) -> None:
    counts = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
    found = learnt(trainer, counts, 10, end_of_word="</w>", end_of_word_apart=True)
    assert " ".join(map("".join, found.merges)) == "es est est</w> lo low ne new newest</w> low</w> wi"


@both_bpe
def test_the_nineteen_merges_of_the_course(trainer: Any) -> None:
    words = Counter(word for line in course() for word in ByteLevel().pre_tokenize(line)[0])
    found = learnt(trainer, words, 19)
    expected = "Ġt is er Ġa Ġto en Th This ou se Ġtok Ġtoken nd Ġis Ġth Ġthe in Ġab Ġtokeni"
    assert " ".join(map("".join, found.merges)) == expected


@both_bpe
def test_bytes_have_the_first_ids(trainer: Any) -> None:
    """Three merges of aaabdaaabac over all bytes, each a character of its own number."""
    found = trainer(259, ties="first_seen", initial_alphabet=list(map(chr, range(256)))).train(["aaabdaaabac"])
    pieces, _ = BPE(found.tokens, found.merges).tokenize("aaabdaaabac")
    assert [found.tokens.index(piece) for piece in pieces] == [258, 100, 258, 97, 99]


@both_bpe
def test_the_bytes_of_gpt2_are_an_initial_alphabet(trainer: Any) -> None:
    found = trainer(257, initial_alphabet=list(ALPHABET)).train(ByteLevel().pre_tokenize("to be or not to be")[0])
    assert sorted(ALPHABET) == found.tokens[:256]
    assert found.tokens[256:] == ["be"]


@both_wordpiece
def test_the_pieces_of_the_course(trainer: Any) -> None:
    words = [word for line in course() for word in PreTokenizer(profile="hf").pre_tokenize(line)[0]]
    found = trainer(70, ties="first_seen", min_frequency=1).train(words)
    expected = (
        "ab ##fu Fa Fac ##ct ##ful ##full ##fully Th ch ##hm cha chap chapt ##thm Hu Hug Hugg sh th is ##thms ##za "
        "##zat ##ut"
    )
    assert " ".join(found.tokens[-25:]) == expected
    model = WordPiece(found.tokens)
    assert model.tokenize("Hugging") == ["Hugg", "##i", "##n", "##g"]
    assert model.tokenize("HOgging") == ["[UNK]"]


@both_wordpiece
def test_the_walk_through_hug(trainer: Any) -> None:
    counts = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
    options: dict[str, Any] = {"ties": "first_seen", "min_frequency": 1, "special_tokens": []}
    found = trainer(11, **options).train_from_counts(list(counts), list(counts.values()))
    assert found.tokens[-4:] == ["##gs", "hu", "hugs", "hug"]


@pytest.mark.parametrize("ties", ["ids", "first_seen"])
def test_the_model_cuts_words_as_training_left_them(ties: str) -> None:
    """A tokenizer of what was learnt merges one at a time, and training all places of a pair at once."""
    draws = Random(1)
    words = ["".join(draws.choices("aabbc", k=draws.randint(1, 14))) for _ in range(300)]
    found = fast_merges.BPETrainer(80, ties=ties).train(words)
    model = BPE(found.tokens, found.merges)
    for word in words:
        symbols = list(word)
        for pair in found.merges:
            symbols = merge_pair(symbols, pair)
        assert model.tokenize(word)[0] == symbols


@both_wordpiece
def test_counts_have_64_bits_and_more(trainer: Any) -> None:
    counts = {"ab": 2**62, "ac": 2**62 + 1, "b": 2**70}
    found = trainer(9, special_tokens=[]).train_from_counts(list(counts), list(counts.values()))
    assert dict(zip(found.merges, found.counts, strict=True)) == {("a", "##b"): 2**62, ("a", "##c"): 2**62 + 1}


@both_bpe
def test_errors_name_the_input_and_the_remedy(trainer: Any) -> None:
    with pytest.raises(NoRoom, match="size = 2 has no room for 1 special tokens and an alphabet of 3: raise it to 4"):
        trainer(2, special_tokens=["<s>"]).train(["abc"])
    with pytest.raises(CountsDoNotFit, match="the count of 'ab' is -1"):
        trainer(9).train_from_counts(["ab"], [-1])
    with pytest.raises(CountsDoNotFit, match="1 words have 2 counts"):
        trainer(9).train_from_counts(["ab"], [1, 2])
    with pytest.raises(GoldpieceError, match="ties = 'random': give one of ids, first_seen"):
        trainer(9, ties="random")
    with pytest.raises(UsageError, match="min_frequency = 0: give a whole number from 1 on"):
        trainer(9, min_frequency=0)
