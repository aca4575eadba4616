"""The files of byte-level BPE models are read as they are, or refused with the line and what to do."""

import json
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest

from goldpiece import BPETokenizer, StreamDecoder
from goldpiece.errors import FileError, GoldpieceError
from goldpiece.formats import bpe_files
from goldpiece.formats.bpe_files import NoMerge, NoRank
from goldpiece.formats.strict_json import Contradiction, UnsupportedPart, WrongType
from goldpiece.formats.vocab_txt import NotUtf8
from goldpiece.reference.added_tokens import AddedToken
from goldpiece.reference.byte_level import ALPHABET, bytes_of
from goldpiece.suite.subjects.ready import HAVE_IT

MERGES = [("h", "e"), ("l", "l"), ("he", "ll"), ("hell", "o"), ("Ġ", "w"), ("Ã", "©"), ("Ġ", "Ġ")]
VOCAB = [*ALPHABET, *map("".join, MERGES), "<|endoftext|>"]
TEXTS = ["hello world", "", "  hello<|endoftext|> é 中文 😀 hell", "don't 12345\n\n x", " <|endoftext|>"]


def table(folder: Path) -> tuple[Path, Path]:
    """GPT-2's files, of a small table."""
    encoder, merges = folder / "encoder.json", folder / "vocab.bpe"
    encoder.write_text(json.dumps({token: number for number, token in enumerate(VOCAB)}), encoding="utf-8")
    merges.write_text("#version: 0.2\n" + "".join(f"{one} {two}\n" for one, two in MERGES), encoding="utf-8")
    return encoder, merges


def ranks(folder: Path) -> Path:
    """The same table as tiktoken has it."""
    path = folder / "small.tiktoken"
    lines = [b64encode(bytes_of(token)) + b" %d" % number for number, token in enumerate(VOCAB[:-1])]
    path.write_bytes(b"\n".join(lines) + b"\n")
    return path


def whole(**model: Any) -> dict[str, Any]:
    """A tokenizer.json of it."""
    level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": True}
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [{"id": len(VOCAB) - 1, "content": "<|endoftext|>", "special": True} | flags],
        "normalizer": None,
        "pre_tokenizer": level,
        "post_processor": level,
        "decoder": level,
        "model": {
            "type": "BPE",
            "vocab": {token: number for number, token in enumerate(VOCAB)},
            "merges": [list(pair) for pair in MERGES],
        }
        | model,
    }


def saved(folder: Path, content: dict[str, Any]) -> Path:
    path = folder / "tokenizer.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def test_all_files_of_one_table_make_one_tokenizer(tmp_path: Path) -> None:
    of_pair = BPETokenizer.from_files(*table(tmp_path))
    of_ranks = BPETokenizer.from_tiktoken(ranks(tmp_path), "gpt2")
    of_file = BPETokenizer.from_file(saved(tmp_path, whole()))
    in_one_line = BPETokenizer.from_file(saved(tmp_path, whole(merges=[" ".join(pair) for pair in MERGES])))
    for text in TEXTS:
        right = of_pair.encode(text)
        for other in (of_ranks, of_file, in_one_line):
            found = other.encode(text)
            assert (found.ids, found.tokens, found.offsets) == (right.ids, right.tokens, right.offsets)
        assert of_pair.decode(right.ids, skip_special_tokens=False) == text
        assert of_pair.bytes_of_ids(right.ids) == text.encode()
    assert of_pair.encode("hello w").tokens == ["hello", "Ġw"]


@pytest.mark.skipif(not HAVE_IT, reason="not run: the extra `peers` is not installed")
@pytest.mark.parametrize("prefix", [False, True])
@pytest.mark.parametrize("trim", [False, True])
def test_what_tokenizers_saves_is_read_as_it_is(tmp_path: Path, prefix: bool, trim: bool) -> None:
    import tokenizers as hf  # noqa: PLC0415 (it may not be there)

    theirs = hf.Tokenizer(hf.models.BPE({token: number for number, token in enumerate(VOCAB)}, MERGES))
    theirs.pre_tokenizer = hf.pre_tokenizers.ByteLevel(add_prefix_space=prefix)
    theirs.post_processor = hf.processors.ByteLevel(add_prefix_space=prefix, trim_offsets=trim)
    theirs.decoder = hf.decoders.ByteLevel()
    theirs.add_special_tokens(["<|endoftext|>"])
    theirs.add_tokens([hf.AddedToken("<x>", single_word=True, normalized=False)])
    theirs.save(str(tmp_path / "tokenizer.json"))
    ours = BPETokenizer.from_file(tmp_path / "tokenizer.json")
    for text in ["hello  w <x> <|endoftext|>é a<x>", "w", "a 中"]:
        found, right = ours.encode(text), theirs.encode(text)
        assert (found.ids, found.tokens, found.word_ids) == (right.ids, right.tokens, right.word_ids)
        assert prefix or found.offsets == right.offsets  # a space that was put before the text: as declared
        for skip in (False, True):
            assert ours.decode(found.ids, skip) == theirs.decode(right.ids, skip)


@pytest.mark.skipif(not HAVE_IT, reason="not run: the extra `peers` is not installed")
@pytest.mark.parametrize("special", ["he", "hell", "l"])
@pytest.mark.parametrize("single_word", [False, True])
def test_a_special_token_may_be_what_merges_make_or_take(tmp_path: Path, special: str, single_word: bool) -> None:
    import tokenizers as hf  # noqa: PLC0415 (it may not be there)

    theirs = hf.Tokenizer.from_str(json.dumps(whole()))
    theirs.add_special_tokens([hf.AddedToken(special, single_word=single_word)])
    theirs.save(str(tmp_path / "tokenizer.json"))
    ours = BPETokenizer.from_file(tmp_path / "tokenizer.json")
    for text in ["hello xhello", f"{special} hello w"]:
        assert ours.encode(text).tokens == theirs.encode(text).tokens


def test_a_special_token_that_merges_make_is_taken_apart_in_explanations_too() -> None:
    tokenizer = BPETokenizer(VOCAB, MERGES, added_tokens=[AddedToken("hell", single_word=True, special=True)])
    explanation = tokenizer.explain("xhell")
    assert explanation.merges == [[("he", 1, 2, 3), ("ll", 3, 4, 5), ("hell", 1, 3, 5)]]
    assert explanation.pieces == [["x", "he", "ll"]]
    assert [tokenizer.id_to_token(number) for number in explanation.ids] == ["x", "he", "ll"]


@pytest.mark.skipif(not HAVE_IT, reason="not run: the extra `peers` is not installed")
@pytest.mark.parametrize("special", ["l", "\u00e9"])  # a letter, and what is a byte of others in the alphabet
def test_a_special_token_may_be_a_byte(special: str) -> None:
    import tokenizers as hf  # noqa: PLC0415 (it may not be there)

    theirs = hf.Tokenizer.from_str(json.dumps(whole()))
    theirs.add_special_tokens([special])
    ours = BPETokenizer(VOCAB, MERGES, special_tokens=[special])
    for text in ["hello l", "\u9fc4", f"\u9fc4{special}"]:
        for parse in (True, False):
            theirs.encode_special_tokens = not parse
            right = theirs.encode(text)
            assert ours.encode(text, parse_special=parse).ids == right.ids, text


def part(path: str, value: Any) -> dict[str, Any]:
    content: Any = whole()
    *outer, last = path.split(".")
    inner = content
    for key in outer:
        inner = inner[key]
    inner[last] = value
    return dict(content)


@pytest.mark.parametrize(
    ("content", "kind", "message"),
    [
        (part("normalizer", {"type": "NFC"}), UnsupportedPart, "normalizer is not null"),
        (part("pre_tokenizer.use_regex", False), UnsupportedPart, "pre_tokenizer.use_regex is False"),
        (part("pre_tokenizer", {"type": "Whitespace"}), UnsupportedPart, "pre_tokenizer is of type 'Whitespace'"),
        (part("decoder", None), UnsupportedPart, "decoder is null"),
        (part("model.type", "Unigram"), UnsupportedPart, "model.type is 'Unigram'"),
        (part("model.unk_token", "<unk>"), UnsupportedPart, "model.unk_token is '<unk>'"),
        (part("model.dropout", 0.1), UnsupportedPart, "model.dropout is 0.1"),
        (part("model.byte_fallback", 0), UnsupportedPart, "model.byte_fallback is 0"),
        (part("model.surprise", 1), UnsupportedPart, "model.surprise has no known meaning"),
        (part("model.merges", ["a b c"]), UnsupportedPart, "model.merges[0] is no pair of symbols"),
        (part("model.merges", [["a", 1]]), WrongType, "model.merges[0][1] is 1, and not a text"),
        (part("model.vocab", {"a": 1}), Contradiction, "model.vocab.a is 1, and ids go from 0 to 0 where there are 1"),
    ],
)
def test_a_part_that_is_done_otherwise_is_named(
    tmp_path: Path, content: dict[str, Any], kind: type[FileError], message: str
) -> None:
    with pytest.raises(kind) as caught:
        BPETokenizer.from_file(saved(tmp_path, content))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("content", "kind", "message"),
    [
        (b"a b\nab\n", NoMerge, "vocab.bpe:2: 'ab' is no pair of symbols with a space between them"),
        (b"a  b\n", NoMerge, "vocab.bpe:1: 'a  b' is no pair"),
        (b"#version: 0.2\na b\nb c\na b\n", NoMerge, "vocab.bpe:4: 'a b' stands in line 2 already"),
        (b"a b\n\xff c\n", NotUtf8, "vocab.bpe:2: byte 0 of the line is not UTF-8"),
    ],
)
def test_a_line_that_is_no_merge_is_named(tmp_path: Path, content: bytes, kind: type[FileError], message: str) -> None:
    path = tmp_path / "vocab.bpe"
    path.write_bytes(content)
    with pytest.raises(kind) as caught:
        bpe_files.read_merges(path)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"YQ== 0\n!! 1\n", "r.tiktoken:2: b'!! 1' is no token in base64 and its rank"),
        (b"YQ== 0\nYg==\n", "r.tiktoken:2: b'Yg==' is no token in base64 and its rank"),
        (b"YQ== 0\nYg== 0\n", "r.tiktoken:2: the rank 0 stands twice"),
        (b"YQ== 0\nYQ== 1\n", "r.tiktoken:2: the token stands in line 1 already"),
        (b"YQ== 0\n 1\n", "r.tiktoken:2: b' 1' is no token in base64 and its rank"),
        (b"YQ== +0\n", "r.tiktoken:1: b'YQ== +0' is no token in base64 and its rank"),
        (b"YQ== 0_0\n", "r.tiktoken:1: b'YQ== 0_0' is no token in base64 and its rank"),
        (b"YQ==  0\n", "r.tiktoken:1: b'YQ==  0' is no token in base64 and its rank"),
        (b"YQ== 0\n" + b64encode(b"a" * 1025) + b" 1\n", "r.tiktoken:2: the token has 1,025 bytes, and 1,024 are"),
        (b"YQ== 0\nYg== 2\n", "r.tiktoken: the rank 1 of 2 is missing"),
    ],
)
def test_a_line_that_is_no_rank_is_named(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "r.tiktoken"
    path.write_bytes(content)
    with pytest.raises(NoRank) as caught:
        bpe_files.read_ranks(path)
    assert message in str(caught.value)


def test_a_token_that_no_merge_makes_stands_for_whole_words_only() -> None:
    tokens = [b"a", b"b", b"c", b"abc", b"ab"]
    assert bpe_files.merges_of_ranks(tokens) == [(b"a", b"b")]


def test_the_longest_token_that_is_read_has_its_merge() -> None:
    tokens = [b"a" * 2**exponent for exponent in range(11)]
    assert len(tokens[-1]) == bpe_files.LONGEST_TOKEN
    assert bpe_files.merges_of_ranks(tokens) == [(token, token) for token in tokens[:-1]]


def test_a_merge_beyond_the_vocabulary_is_named() -> None:
    with pytest.raises(GoldpieceError, match=r"the merge of rank 0, 'a' \+ 'b', needs 'ab'"):
        BPETokenizer(list(ALPHABET), [("a", "b")]).encode("ab")


def test_a_stream_begins_anew_behind_its_end() -> None:
    decoder = StreamDecoder()
    assert [decoder.feed("ä"), decoder.end(), decoder.feed("a"), decoder.end()] == ["", "\ufffd", "a", ""]


def test_batches_are_padded_as_those_of_other_tokenizers(tmp_path: Path) -> None:
    tokenizer = BPETokenizer.from_files(*table(tmp_path))
    batch = tokenizer(["hello", "hello w"], padding=True)
    assert batch["input_ids"] == [[259, 263], [259, 260]]
    assert batch["attention_mask"] == [[1, 0], [1, 1]]
