"""Words and characters: what vocabularies are made from, the tokenizer around them, and the figures of the field."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldpiece.errors import GoldpieceError, UsageError
from goldpiece.reference.vocabulary import UnknownTokenMissing, Vocabulary
from goldpiece.reference.word_splitter import WordSplitter
from goldpiece.reference.word_statistics import word_statistics
from goldpiece.reference.word_tokenizer import WordTokenizer
from goldpiece.suite.data import DataMissing, data_file
from goldpiece.suite.verdict import Verdict

from .conftest import SUBJECTS
from .test_ready_made import BROKEN, holding, verdicts

corpora = st.lists(st.sampled_from(["a", "b", "c", "<unk>", "é", ""]), max_size=20)


@given(corpus=corpora, min_count=st.integers(1, 3))
def test_counts_do_for_a_corpus(corpus: list[str], min_count: int) -> None:
    """As pairs and as a mapping, also where a token is given in parts."""
    whole = Vocabulary(corpus, min_count=min_count)
    pairs = [(token, 1) for token in corpus]
    for counts in (pairs, dict(zip(*whole.most_common(), strict=True))):
        counted = Vocabulary.from_counts(counts, min_count=min_count)
        assert (counted.entries(), counted.most_common()) == (whole.entries(), whole.most_common())


def test_what_a_vocabulary_refuses() -> None:
    with pytest.raises(UsageError, match="the count of 'a' is -1: give a whole number"):
        Vocabulary.from_counts({"a": -1})
    with pytest.raises(UsageError, match="min_count = 0: give a whole number from 1 on"):
        Vocabulary(["a"], min_count=0)
    with pytest.raises(UsageError, match="limit = -1: give a whole number from 0 on"):
        Vocabulary(["a"]).most_common(-1)
    with pytest.raises(UnknownTokenMissing, match="the vocabulary lacks 'b'"):
        Vocabulary(["a"], unk_token=None).encode(["b"])
    assert "a" in Vocabulary(iter(["a"]))


def test_a_word_tokenizer_encodes_as_any_other() -> None:
    tokenizer = WordTokenizer.of_texts(["the cat sat", "the dog"])
    assert tokenizer.vocabulary.tokens == ["<pad>", "<unk>", "the", "cat", "sat", "dog"]
    encoding = tokenizer.encode("The dog ran!", "the")
    assert encoding.ids == [2, 5, 1, 1, 2]
    assert encoding.tokens == ["the", "dog", "<unk>", "<unk>", "the"]
    assert encoding.offsets == [(0, 3), (4, 7), (8, 11), (11, 12), (0, 3)]
    assert encoding.type_ids == [0, 0, 0, 0, 1]
    assert tokenizer.decode(encoding.ids) == "the dog the"
    inputs = tokenizer(["the cat sat on", "dog"], truncation=True, max_length=3, padding=True)
    assert inputs["input_ids"] == [[2, 3, 4], [5, 0, 0]]
    assert inputs["attention_mask"] == [[1, 1, 1], [1, 0, 0]]


def test_a_tokenizer_can_be_sent_to_another_process() -> None:
    """Also one whose texts came from an iterator, and that has been in use."""
    tokenizer = WordTokenizer.of_texts(iter(["the cat sat", "the dog"]))
    ids = tokenizer.encode("the dog").ids
    sent = pickle.loads(pickle.dumps(tokenizer))  # noqa: S301 (it is our own)
    assert sent == tokenizer
    assert sent.encode("the dog").ids == ids


def test_a_special_token_in_plain_text_is_unknown() -> None:
    tokenizer = WordTokenizer.of_texts(["a <pad> b"], unit="white_space")
    assert tokenizer.encode("a <pad> b").ids == [2, 0, 3]
    assert tokenizer.encode("a <pad> b", parse_special=False).ids == [2, 1, 3]
    with pytest.raises(UnknownTokenMissing, match="the vocabulary lacks '<pad>'"):
        WordTokenizer.of_texts(["a"], unit="white_space", special_tokens=["<pad>"], unk_token=None).encode(
            "<pad>", parse_special=False
        )


def test_characters_are_joined_as_they_were() -> None:
    tokenizer = WordTokenizer.of_texts(["Ça va?"], unit="characters")
    assert tokenizer.decode(tokenizer.encode("Va ça").ids) == "va ça"


@pytest.mark.parametrize("name", ["words_and_marks", "characters"])
def test_what_speaks_of_any_tokenizer_holds(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """But for what learns the special tokens from a frame, which there is none, and what asks for a file."""
    monkeypatch.syspath_prepend(str(SUBJECTS))
    found = verdicts(f"words:{name}")
    lacking = {"tokenizer.special-tokens-in-text", "tokenizer.plain-text", "tokenizer.saved"}
    assert holding(found) == BROKEN.keys() - lacking
    assert all(found[clause] == {Verdict.UNSUPPORTED} for clause in lacking)


def test_statistics_of_nothing_are_refused() -> None:
    with pytest.raises(UsageError, match="there are no texts"):
        word_statistics([])


def test_statistics_tell_labels_apart() -> None:
    found = word_statistics(["Win! Win!", "hi, you", ""], ["spam", "ham", "ham"], min_counts=[1, 2])
    assert (found.lengths, found.percentiles[50], found.once) == ((2, 2, 0), 2, 2)
    assert (found.coverage.sizes, found.coverage.unknown) == ([5, 3], [0.0, 0.5])
    assert found.labels["spam"].marks.most_common() == (["!"], [2])
    assert found.labels["ham"].words.most_common(1) == (["hi"], [1])
    assert found.labels["ham"].texts == 2


def test_the_figures_of_the_sms_spam_collection() -> None:
    """A page works its examples on it. Its 8,753 words and 4,801 that occur once are one more than this copy has."""
    try:
        path = data_file("sms/SMSSpamCollection")
    except DataMissing as missing:
        pytest.skip(f"not run: {missing}")
    rows = path.read_text(encoding="utf-8").splitlines()
    different = list(dict.fromkeys(rows))
    assert (len(rows), len(different)) == (5_574, 5_171)
    labels, texts = zip(*(row.split("\t", 1) for row in different), strict=True)
    found = word_statistics(texts, labels)
    assert found.words.most_common(8) == (
        ["i", "you", "to", "a", "the", "u", "and", "in"],
        [2850, 2148, 2080, 1310, 1245, 1077, 930, 831],
    )
    assert (found.characters, len(found.words.most_common().tokens), found.once) == (88, 8_752, 4_800)
    assert found.percentiles == {50: 12, 95: 33, 99: 53}
    assert (max(found.lengths), found.lengths.count(0)) == (190, 2)
    assert round(sum(length <= 40 for length in found.lengths) / len(found.lengths), 3) == 0.98
    assert found.labels["spam"].marks.most_common(3).tokens == [".", "!", ","]
    twice = Vocabulary.from_counts(zip(*found.words.most_common(), strict=True), min_count=2)
    assert len(twice) == 3_954 == found.coverage.sizes[1]
    split = WordSplitter("words").split
    assert twice.encode(["i", "you", "free"]) == [2, 3, 56]
    assert twice.encode(split("Claim your FREE prize, Zorblax")[0]) == [143, 15, 56, 161, 1]
    assert twice.encode(split("Call now")[0]) == [20, 26]


def test_errors_are_of_the_project() -> None:
    with pytest.raises(GoldpieceError, match="there is no unit 'sentences': give white_space, words"):
        WordSplitter("sentences")  # type: ignore[arg-type]
