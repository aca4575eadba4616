"""Batches of `goldpiece.Tokenizer`: cut, filled up, as tensors, and what is told of them."""

import importlib.util
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldpiece import Encodings, Padding, Tokenizer, Truncation, batch_statistics, pad_or_truncate
from goldpiece.encoding import NONE
from goldpiece.errors import UsageError
from goldpiece.reference.padding import PadTokenMissing, RowTooLong
from goldpiece.reference.truncation import MaxLengthTooSmall

VOCAB = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "a", "b", "##b", "##c"]
TOKENIZER = Tokenizer.from_vocab(VOCAB)
LONG = "a b ab abcb b a"

texts = st.lists(st.sampled_from(["a", "b", "ab", "abcb", "[PAD]", "中"]), max_size=9).map(" ".join)
rows = st.lists(st.tuples(texts, st.none() | texts), max_size=5)


def encoded(drawn: list[tuple[str, str | None]]) -> Encodings:
    return TOKENIZER.encode_batch([text for text, _ in drawn], [pair for _, pair in drawn])


def known(row: Any) -> list[tuple[Any, ...]]:
    """All that is known of each token of a row."""
    names = ("ids", "tokens", "offsets", "type_ids", "word_ids", "sequence_ids", "special_tokens_mask")
    return list(zip(*(getattr(row, name) for name in names), strict=True))


@settings(max_examples=40, deadline=None)
@given(rows, st.integers(3, 12), st.sampled_from(["right", "left"]), st.sampled_from(["hf", "google"]))
def test_all_that_is_known_follows_the_cut(
    drawn: list[tuple[str, str | None]], max_length: int, side: Any, profile: Any
) -> None:
    whole, how = encoded(drawn), Truncation(max_length, profile, side=side)
    for row, before in zip(TOKENIZER.truncate(whole, how), whole, strict=True):
        tokens = known(before)
        first, second = ([token for token in tokens if token[5] == number] for number in (0, 1))
        frame = [token for token in tokens if token[5] is None]
        kept = how.truncate(first, None if before.pair is None else second, len(frame))
        parts = [frame[:1], kept[0], frame[1:2], kept[1] or [], frame[2:]]
        assert known(row) == [token for part in parts for token in part]
        assert row.text == before.text
        assert len(row) <= max_length


@settings(max_examples=40, deadline=None)
@given(rows, st.integers(7, 12), st.integers(0, 1))
def test_what_overflows_is_mapped_to_its_text(
    drawn: list[tuple[str, str | None]], max_length: int, stride: int
) -> None:
    whole = encoded(drawn)
    cut = TOKENIZER.truncate(whole, max_length=max_length, stride=stride, overflow=True)
    assert cut.examples is not None
    assert cut.uncut_lengths is not None
    assert cut.examples.tolist() == sorted(cut.examples)
    assert set(cut.examples) == set(range(len(whole)))
    for number, row in enumerate(whole):
        found = {token for each, of in zip(cut, cut.examples, strict=True) if of == number for token in known(each)}
        assert found == set(known(row))
    assert cut.uncut_lengths.tolist() == [len(whole[number]) for number in cut.examples]


@settings(max_examples=40, deadline=None)
@given(rows, st.sampled_from(["right", "left"]), st.sampled_from([None, 4, 8]), st.sampled_from([0, 1, len(VOCAB) - 1]))
def test_arrays_are_padded_as_lists_are(
    drawn: list[tuple[str, str | None]], side: Any, multiple: int | None, pad_id: int
) -> None:
    whole = encoded(drawn)
    how = Padding(pad_id, 2, side, multiple_of=multiple)
    batch = TOKENIZER.pad(whole, how)
    right = how.pad(whole.ids, [row.type_ids for row in whole], [row.special_tokens_mask for row in whole])
    for name in ("ids", "type_ids", "special_tokens_mask", "attention_mask"):
        assert getattr(batch, name).tolist() == getattr(right, name)
    token = batch.attention_mask == 1
    for name in ("ids", "type_ids", "word_ids", "sequence_ids", "offsets"):
        assert getattr(batch, name)[token].tolist() == getattr(whole, f"flat_{name}").tolist()
    assert (batch.word_ids[~token] == NONE).all()
    assert (batch.offsets[~token] == 0).all()
    assert batch.lengths.tolist() == list(map(len, whole))


def test_texts_as_models_take_them() -> None:
    made = TOKENIZER(["a b", "ab"], padding=True, pad_to_multiple_of=5, return_tensors="np")
    assert made["input_ids"].tolist() == [[2, 4, 5, 3, 0], [2, 4, 6, 3, 0]]
    assert made["attention_mask"].tolist() == [[1, 1, 1, 1, 0]] * 2
    assert made["input_ids"].dtype == np.int64
    assert TOKENIZER(["a", LONG], truncation=True, max_length=4)["input_ids"] == [[2, 4, 3], [2, 4, 5, 3]]
    paired = TOKENIZER(["a b a"], ["b b b"], truncation="only_second", max_length=7)
    assert paired == {
        "input_ids": [[2, 4, 5, 4, 3, 5, 3]],
        "token_type_ids": [[0, 0, 0, 0, 0, 1, 1]],
        "attention_mask": [[1] * 7],
    }
    wide = TOKENIZER(["a"], padding="max_length", max_length=5, add_special_tokens=False)
    assert wide["input_ids"] == [[4, 0, 0, 0, 0]]
    overflowing = TOKENIZER(
        ["a", "a b a"], truncation=True, max_length=4, stride=1, overflow=True, padding=True, return_tensors="np"
    )
    assert overflowing["input_ids"].tolist() == [[2, 4, 3, 0], [2, 4, 5, 3], [2, 5, 4, 3]]
    assert overflowing["overflow_to_sample_mapping"].tolist() == [0, 1, 1]
    assert TOKENIZER([], padding=True)["input_ids"] == []
    assert TOKENIZER(["a", "b"], return_tensors="np")["input_ids"].tolist() == [[2, 4, 3], [2, 5, 3]]


def test_the_profile_says_where_the_odd_token_stays() -> None:
    google = Tokenizer.from_vocab(VOCAB, profile="google")
    for tokenizer, types in ((TOKENIZER, [0, 0, 0, 1, 1, 1]), (google, [0, 0, 0, 0, 1, 1])):
        made = tokenizer(["a a a"], ["b b b"], truncation=True, max_length=6)
        assert made["token_type_ids"] == [types]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_length": 3}, "max_length = 3, and neither truncation nor padding takes it: give truncation=True"),
        ({"truncation": True}, "truncation = True needs max_length"),
        ({"truncation": "x", "max_length": 3}, "there is no strategy 'x' of truncation; there are longest_first"),
        ({"truncation": True, "max_length": -1}, "max_length = -1: give a whole number from 0 on"),
        ({"truncation": True, "max_length": 3.5}, r"max_length = 3\.5: give a whole number from 0 on"),
        ({"truncation": True, "max_length": 3, "stride": 1}, "stride = 1 is for the rows that overflow"),
        ({"truncation": True, "max_length": 3, "stride": -1, "overflow": True}, "stride = -1: give a whole number"),
        ({"truncation": Truncation(5), "max_length": 4}, "stand beside a Truncation that says otherwise"),
        ({"overflow": True}, "overflow is asked for, and nothing is truncated"),
        ({"padding": "x"}, "padding = 'x'; there are True, longest, max_length, and a Padding"),
        ({"padding": "max_length"}, "padding to max_length needs max_length"),
        ({"padding": True, "pad_to_multiple_of": 0}, "multiple_of = 0: give a whole number from 1 on"),
        ({"padding": Padding(), "pad_to_multiple_of": 8}, "stand beside a Padding that says otherwise"),
        ({"pad_to_multiple_of": 8}, "pad_to_multiple_of is given, and nothing is padded"),
        ({"return_tensors": "np"}, "rows have from 3 to 12 tokens, and a tensor has one width: give padding=True"),
        ({"padding": True, "return_tensors": "tf"}, "there are no tensors 'tf'; there are np and pt"),
    ],
)
def test_keywords_that_mean_nothing(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        TOKENIZER(["a", LONG], **options)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Truncation(3, side="up"), "there is no side 'up' of truncation; there are right, left"),  # type: ignore[arg-type]
        (lambda: Truncation(3, "bert"), "there is no profile 'bert' of truncation; there are hf, google"),  # type: ignore[arg-type]
        (lambda: Truncation(True), "max_length = True: give a whole number"),
        (lambda: Padding(-1), "pad_id = -1: give a whole number from 0 on"),
        (lambda: Padding(pad_type_id=-1), "pad_type_id = -1: give a whole number from 0 on"),
        (lambda: Padding(side="up"), "there is no side 'up' of padding; there are right, left"),  # type: ignore[arg-type]
        (lambda: TOKENIZER("a b"), "'a b' is one text: give a list of texts"),
        (lambda: TOKENIZER.pad(TOKENIZER.encode_batch(["a"]), False), "padding = False makes no batch"),
        (lambda: TOKENIZER.pad(TOKENIZER.encode_batch(["a"]), max_length=9), 'give padding="max_length"'),
        (lambda: batch_statistics([]), "there are no rows"),
    ],
)
def test_values_that_mean_nothing(make: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        make()


def test_what_cannot_be_cut_or_filled() -> None:
    with pytest.raises(MaxLengthTooSmall, match="max_length = 1 has no room for 2 special tokens: give 3 or more"):
        TOKENIZER(["a"], truncation=True, max_length=1)
    with pytest.raises(RowTooLong, match="row 1 has 12 tokens, and max_length is 5: truncate first"):
        TOKENIZER(["a", LONG], padding="max_length", max_length=5)
    with pytest.raises(PadTokenMissing, match="add a padding token to the vocabulary"):
        Tokenizer.from_vocab(VOCAB[1:])(["a"], padding=True)
    other = Tokenizer.from_vocab(VOCAB[1:], pad_token="[UNK]")
    assert other(["a", ""], padding=True)["input_ids"] == [[1, 3, 2], [1, 2, 0]]


def test_torch_is_asked_for_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("goldpiece.reference.batch.find_spec", lambda _: None)
    with pytest.raises(UsageError, match='return_tensors="pt" needs torch, which is not installed: install it'):
        TOKENIZER(["a"], padding=True, return_tensors="pt")


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="not run: torch is not installed")
def test_tensors_of_torch() -> None:
    made = TOKENIZER(["a", LONG], padding=True, return_tensors="pt")
    right = TOKENIZER(["a", LONG], padding=True)
    assert {name: tensor.tolist() for name, tensor in made.items()} == right
    assert str(made["input_ids"].dtype) == "torch.int64"


def test_one_row_in_one_line() -> None:
    assert pad_or_truncate([5, 6, 7], 2, 0) == [5, 6]
    assert pad_or_truncate([5], 3, 9) == [5, 9, 9]


def test_statistics() -> None:
    whole = TOKENIZER.encode_batch(["", "a", "a b", LONG], add_special_tokens=False)
    found = batch_statistics(TOKENIZER.pad(TOKENIZER.truncate(whole, max_length=4)))
    assert (found.rows, found.tokens, found.longest, found.lengths) == (4, 7, 10, (0, 1, 2, 10))
    assert found.percentiles == {50: 1, 95: 10, 99: 10}
    assert (found.truncated, found.padding) == (0.25, 9 / 16)
    assert (found.all_padding, found.without_text) == (1, 1)
    framed = TOKENIZER.encode_batch(["", "a"])
    again = batch_statistics([TOKENIZER.pad(framed), TOKENIZER.pad(framed)])
    assert (again.rows, again.all_padding, again.without_text, again.truncated) == (4, 0, 2, 0)
    assert batch_statistics(TOKENIZER.pad(whole, Padding(max_length=10))).padding == 27 / 40


def test_the_same_as_tokenizers_makes() -> None:
    hf = pytest.importorskip("tokenizers", reason="not run: the extra `peers` is not installed")
    whole = hf.Tokenizer(hf.models.WordPiece({token: number for number, token in enumerate(VOCAB)}, unk_token="[UNK]"))
    whole.pre_tokenizer = hf.pre_tokenizers.BertPreTokenizer()
    whole.post_processor = hf.processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    whole.enable_truncation(6, stride=1)
    whole.enable_padding(pad_to_multiple_of=4)
    given = ["", "a", LONG, "b " * 20]
    peer = [each for row in whole.encode_batch(given) for each in (row, *row.overflowing)]
    batch = TOKENIZER.pad(
        TOKENIZER.truncate(TOKENIZER.encode_batch(given), max_length=6, stride=1, overflow=True), pad_to_multiple_of=4
    )
    for name in ("ids", "type_ids", "attention_mask", "special_tokens_mask", "offsets"):
        theirs = [[list(each) if name == "offsets" else each for each in getattr(row, name)] for row in peer]
        assert getattr(batch, name).tolist() == theirs
