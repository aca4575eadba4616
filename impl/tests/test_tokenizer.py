"""`goldpiece.Tokenizer` as a library: what its spec does not reach, and what a user touches."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import goldpiece
from goldpiece import AddedToken, Tokenizer
from goldpiece.errors import FileError
from goldpiece.reference.encoder import LoneSurrogate
from goldpiece.reference.tokenizer import SpecialTokenMissing
from goldpiece.reference.vocabulary import UnknownId

VOCAB = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "don", "##t", "'", "t", "panic", "!", "cafe", "中", "a", "b"]
TEXTS = ["Don't panic!", "", "Cafe\u0301 中文 dont", "[MASK] a\tb [SEP]", "xyz " * 50]


@pytest.fixture
def tokenizer() -> Tokenizer:
    return Tokenizer.from_vocab(VOCAB)


def test_a_vocabulary_is_a_path_or_tokens(tmp_path: Path, tokenizer: Tokenizer) -> None:
    path = tmp_path / "vocab.txt"
    path.write_text("\n".join(VOCAB), encoding="utf-8")
    for vocab in (path, str(path), iter(VOCAB)):
        again = Tokenizer.from_vocab(vocab)
        assert again.fingerprint == tokenizer.fingerprint
        assert again.encode(TEXTS[0]).ids == tokenizer.encode(TEXTS[0]).ids
    with pytest.raises(FileError, match="cannot be read"):
        Tokenizer.from_vocab(tmp_path / "none.txt")


def test_ids_and_tokens(tokenizer: Tokenizer) -> None:
    assert tokenizer.vocab_size == len(VOCAB)
    assert [tokenizer.token_to_id(tokenizer.id_to_token(number)) for number in range(len(VOCAB))] == list(
        range(len(VOCAB))
    )
    assert tokenizer.token_to_id("nothing") is None
    for number in (-1, len(VOCAB)):
        with pytest.raises(UnknownId, match=f"there is no token of id {number}: ids go from 0 to 14"):
            tokenizer.id_to_token(number)


def test_rows_of_a_batch_are_views(tokenizer: Tokenizer) -> None:
    batch = tokenizer.encode_batch(TEXTS)
    assert len(batch) == len(list(batch)) == len(TEXTS)
    assert batch[-1].text == TEXTS[-1]
    assert batch.flat_ids.tolist() == [number for row in batch for number in row.ids]
    with pytest.raises(IndexError):
        batch[len(TEXTS)]


def test_original_text_is_spliced_by_offsets(tokenizer: Tokenizer) -> None:
    encoding = tokenizer.encode(" \tCafe\u0301s,  DON'T  ", "a\u200b b ")
    assert tokenizer.original_text(encoding) == "Cafe\u0301s,  DON'T"
    assert tokenizer.original_text(encoding, 1) == "a\u200b b"
    assert tokenizer.original_text(tokenizer.encode("")) == ""


def test_tokenize_and_explain(tokenizer: Tokenizer) -> None:
    assert tokenizer.tokenize("Don't [MASK]!") == ["don", "'", "t", "[MASK]", "!"]
    explanation = tokenizer.explain("DONT [MASK]")
    assert explanation.added == ["[MASK]"]
    assert explanation.normalized == "dont [MASK]"
    assert explanation.words == ["DONT", "[MASK]"]
    assert explanation.pieces == [["don", "##t"], ["[MASK]"]]
    assert explanation.ids == [5, 6, 4]


def test_a_lone_surrogate_is_named_or_replaced(tokenizer: Tokenizer) -> None:
    with pytest.raises(LoneSurrogate, match=r"character 2 of the text, U\+DBC0, is a lone surrogate"):
        tokenizer.encode("a \udbc0b")
    assert tokenizer.encode("a \udbc0b", errors="replace").ids == tokenizer.encode("a \ufffdb").ids


def test_a_frame_needs_its_tokens() -> None:
    bare = Tokenizer.from_vocab(["a"])
    assert bare.encode("a", add_special_tokens=False).ids == [0]
    with pytest.raises(SpecialTokenMissing, match="add_special_tokens=False"):
        bare.encode("a")


def test_threads_share_a_tokenizer(tokenizer: Tokenizer) -> None:
    """Nothing that a call sets is seen by another, whatever its options; the first calls build the components."""

    def ask(number: int) -> tuple[list[int], list[str]]:
        encoding = tokenizer.encode(TEXTS[number % len(TEXTS)], add_special_tokens=number % 2 == 0)
        return encoding.ids, tokenizer.decode_words(encoding.ids, keep_unknown=number % 3 == 0)

    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(ask, range(400)))
    assert together == [ask(number) for number in range(400)]


ADDED = [
    AddedToken("ABC", normalized=True),
    AddedToken("DEF", normalized=False),
    AddedToken("ca fé", normalized=True, single_word=True),
    AddedToken("<x>", normalized=False, lstrip=True, rstrip=True),
]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("ABC abc Abc", ["ABC", "ABC", "ABC"]),  # sought in normalized text: however it is written
        ("DEF def", ["DEF", "[UNK]"]),  # sought in the text as given: exactly so
        ("CA FÉ ca fe\u0301s", ["ca fé", "[UNK]", "[UNK]"]),
        ("a <x> b", ["a", "<x>", "b"]),
    ],
)
def test_normalized_and_other_added_tokens(text: str, tokens: Sequence[str]) -> None:
    assert Tokenizer.from_vocab(VOCAB, added_tokens=ADDED).tokenize(text) == tokens


def test_added_tokens_have_ids_behind_the_vocabulary() -> None:
    tokenizer = Tokenizer.from_vocab(VOCAB, added_tokens=ADDED)
    assert [tokenizer.token_to_id(token.content) for token in ADDED] == [15, 16, 17, 18]
    assert tokenizer.vocab_size == 19
    assert tokenizer.decode([15, 5, 6]) == "ABC dont"


@pytest.mark.parametrize(
    "text", ["xABC abcDEFdef <x>  ca fé", "Ａ ca\tfé \u0301ABC", "ab\u0301c abc\u0301 a中DEF", *TEXTS]
)
def test_added_tokens_agree_with_hugging_face(text: str) -> None:
    """But for the names of those that are sought in normalized text: theirs are as the text has them."""
    tokenizers = pytest.importorskip("tokenizers", reason="not run: the extra `peers` is not installed")
    theirs = tokenizers.Tokenizer(
        tokenizers.models.WordPiece({token: number for number, token in enumerate(VOCAB)}, unk_token=VOCAB[1])
    )
    theirs.normalizer = tokenizers.normalizers.BertNormalizer()
    theirs.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    theirs.add_special_tokens(VOCAB[:5])
    for token in ADDED:
        theirs.add_tokens([tokenizers.AddedToken(**vars(token))])
    found = Tokenizer.from_vocab(VOCAB, added_tokens=ADDED).encode(text, add_special_tokens=False)
    right = theirs.encode(text, add_special_tokens=False)
    assert (found.ids, found.offsets, found.word_ids) == (right.ids, right.offsets, right.word_ids)


def test_the_package_says_what_it_has() -> None:
    assert all(hasattr(goldpiece, name) for name in goldpiece.__all__)
