"""A BPE tokenizer is saved as a tokenizer.json that gives the same back, here and in tokenizers, or not at all."""

import json
from pathlib import Path
from typing import Any

import pytest

from goldpiece import AddedToken, BPETokenizer, GoldpieceError, train_bpe
from goldpiece.formats.strict_json import UnsupportedPart
from goldpiece.formats.tokenizer_json import NotWritable
from goldpiece.formats.vocab_txt import TokenNotWritable
from goldpiece.reference.bpe import MergeOutOfVocabulary
from goldpiece.suite.subjects.ready import HAVE_IT

from .test_bpe_files import MERGES, TEXTS, VOCAB, part, saved

OPTIONS: list[dict[str, Any]] = [
    {"special_tokens": ["<|endoftext|>", "<|new|>"]},
    {"pattern": "cl100k", "ignore_merges": True, "special_tokens": ["<|endoftext|>"]},
    {"pattern": "o200k"},
    {"add_prefix_space": True, "trim_offsets": True},
    {"added_tokens": [AddedToken("<x>", single_word=True, lstrip=True), AddedToken("hell", normalized=False)]},
]
MORE = ["hello  w <x> <|endoftext|>é a<x>", "HELLO's we'll 1234567", "a\r\n\r\n b/\n", "<|new|>hello<|new|>", " he"]


@pytest.mark.parametrize("options", OPTIONS)
def test_what_is_saved_is_read_as_it_was(tmp_path: Path, options: dict[str, Any]) -> None:
    ours = BPETokenizer(VOCAB, MERGES, **options)
    ours.save(tmp_path / "tokenizer.json")
    again = BPETokenizer.from_file(tmp_path / "tokenizer.json")
    for text in TEXTS + MORE:
        found, right = again.encode(text), ours.encode(text)
        assert (found.ids, found.tokens, found.offsets) == (right.ids, right.tokens, right.offsets)
    again.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "tokenizer.json").read_bytes()


@pytest.mark.skipif(not HAVE_IT, reason="not run: the extra `peers` is not installed")
@pytest.mark.parametrize("options", OPTIONS)
def test_what_is_saved_gives_the_same_ids_in_tokenizers(tmp_path: Path, options: dict[str, Any]) -> None:
    import tokenizers as hf  # noqa: PLC0415 (it may not be there)

    ours = BPETokenizer(VOCAB, MERGES, **options)
    ours.save(tmp_path / "tokenizer.json")
    theirs = hf.Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
    for text in TEXTS + MORE:
        found, right = theirs.encode(text), ours.encode(text)
        assert found.ids == right.ids
        assert theirs.decode(found.ids, skip_special_tokens=False) == ours.decode(found.ids, skip_special_tokens=False)
        if not ours.add_prefix_space:  # a space that was put before the text: as declared
            assert found.offsets == right.offsets


@pytest.mark.skipif(not HAVE_IT, reason="not run: the extra `peers` is not installed")
@pytest.mark.parametrize("pattern", ["gpt2", "cl100k", "o200k"])
def test_what_is_trained_and_saved_is_what_tokenizers_loads(tmp_path: Path, pattern: str) -> None:
    import tokenizers as hf  # noqa: PLC0415 (it may not be there)

    lines = ["The new winner wins.", "A dinner for winners, and news!", "Winter is new; dinners £5 中文 are few."] * 3
    found = train_bpe(lines, 300, pattern=pattern)
    ours = BPETokenizer(found.tokens, found.merges, pattern, special_tokens=["<|endoftext|>"])
    ours.save(tmp_path / "tokenizer.json")
    theirs = hf.Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
    assert theirs.get_vocab_size() == len(found.tokens)
    for text in [*lines, *TEXTS]:
        assert theirs.encode(text).ids == ours.encode(text).ids


@pytest.mark.parametrize(
    ("changed", "kind", "message"),
    [
        ({"merges": [("h", "x")]}, MergeOutOfVocabulary, "needs 'hx', which the vocabulary lacks"),
        ({"pattern": "cl100k", "add_prefix_space": True}, NotWritable, "leave out add_prefix_space"),
        ({"vocab": [*VOCAB, "a"]}, TokenNotWritable, "is that of id 97 too"),
        ({"vocab": [*VOCAB, "\ud800"]}, TokenNotWritable, "lone surrogate"),
        ({"added_tokens": [AddedToken("x"), AddedToken("x", lstrip=True)]}, TokenNotWritable, "is added twice"),
    ],
)
def test_what_the_file_cannot_carry_is_refused(
    tmp_path: Path, changed: dict[str, Any], kind: type[GoldpieceError], message: str
) -> None:
    tokenizer = BPETokenizer(**{"vocab": VOCAB, "merges": MERGES} | changed)
    with pytest.raises(kind, match=message):
        tokenizer.save(tmp_path / "tokenizer.json")
    assert list(tmp_path.iterdir()) == []


LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False}
SPLIT = {"type": "Split", "pattern": {"Regex": r"\w+"}, "behavior": "Isolated", "invert": False}


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        ([SPLIT, LEVEL], r"pre_tokenizer splits by '\\w+'"),
        ([SPLIT | {"behavior": "Removed"}, LEVEL], "pre_tokenizer.pretokenizers[0].behavior is 'Removed'"),
        ([SPLIT | {"pattern": {"String": " "}}, LEVEL], "pre_tokenizer.pretokenizers[0].pattern.Regex is missing"),
        ([SPLIT | {"invert": True}, LEVEL], "pre_tokenizer.pretokenizers[0].invert is True"),
        ([SPLIT, LEVEL | {"use_regex": True}], "pre_tokenizer.pretokenizers[1].use_regex is True"),
        ([SPLIT, LEVEL | {"add_prefix_space": True}], "pre_tokenizer.pretokenizers[1].add_prefix_space is True"),
        ([SPLIT, SPLIT, LEVEL], "pre_tokenizer is not a Split and a ByteLevel"),
    ],
)
def test_words_that_are_cut_in_another_way_are_refused(tmp_path: Path, steps: list[object], message: str) -> None:
    file = saved(tmp_path, part("pre_tokenizer", {"type": "Sequence", "pretokenizers": steps}))
    with pytest.raises(GoldpieceError) as caught:
        BPETokenizer.from_file(file)
    assert message in str(caught.value)


def test_pieces_with_a_prefix_are_refused(tmp_path: Path) -> None:
    """`##` before every symbol but the first: other merges, and so other ids."""
    with pytest.raises(UnsupportedPart, match=r"model\.continuing_subword_prefix is '##', which is unsupported"):
        BPETokenizer.from_file(saved(tmp_path, part("model.continuing_subword_prefix", "##")))
    BPETokenizer.from_file(saved(tmp_path, part("model.continuing_subword_prefix", "")))


def test_the_files_of_gpt2_are_saved_as_one(tmp_path: Path) -> None:
    """What files of old leave out is written."""
    BPETokenizer(VOCAB, MERGES).save(tmp_path / "tokenizer.json")
    model = json.loads((tmp_path / "tokenizer.json").read_text(encoding="utf-8"))["model"]
    assert {name: model[name] for name in ("unk_token", "byte_fallback")} == {"unk_token": None, "byte_fallback": False}
    assert model["merges"] == [list(pair) for pair in MERGES]
