"""tokenizer.json is read as it is, or refused with the part, its place and what to do; and it is written so."""

import json
import tracemalloc
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldpiece import AddedToken, Tokenizer
from goldpiece.errors import FileError, GoldpieceError
from goldpiece.formats import tokenizer_json
from goldpiece.formats.content import FLOOR
from goldpiece.formats.strict_json import (
    Contradiction,
    DuplicateKey,
    MissingKey,
    NotJson,
    UnsupportedPart,
    WrongType,
)
from goldpiece.formats.tokenizer_json import NotWritable, TokenizerFile
from goldpiece.formats.vocab_txt import NotUtf8, TokenNotWritable

VOCAB = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "don", "##t", "'", "t", "panic", "!", "cafe", "中", "."]
ADDED = [
    AddedToken("<x>", lstrip=True, normalized=False),
    AddedToken("Panic", single_word=True),
    AddedToken("cafe", rstrip=True, normalized=False, special=True),
]
TEXTS = ["Don't panic!", "", "Cafe\u0301 中文 dont  <x> cafe  .", "[MASK] PANIC panics [SEP]", "cafe" + "t" * 101]
LISTED = tokenizer_json.AddedToken(len(VOCAB), "new", lstrip=True)
VALID = tokenizer_json.render(TokenizerFile(VOCAB, [LISTED]))


def file(**changes: Any) -> dict[str, Any]:
    """The value of a file, with a part put at each path: `model__vocab={}`."""
    whole: dict[str, Any] = json.loads(VALID)
    for path, value in changes.items():
        *outer, last = path.split("__")
        inner: Any = whole
        for key in outer:
            inner = inner[int(key) if key.isdigit() else key]
        inner[int(last) if last.isdigit() else last] = value
    return deepcopy(whole)


@pytest.mark.parametrize(
    ("content", "kind", "message"),
    [
        (b"", NotJson, "t.json:1: it is no JSON (Expecting value, column 1). Save the file anew with what made it"),
        (b'{\n"version": NaN}', NotJson, "t.json: it is no JSON (NaN is no number of JSON)"),
        (b"1" * 5000, NotJson, "t.json: it is no JSON (Exceeds the limit"),
        (b"[" * 100_000, NotJson, "t.json: its parts lie too deep within each other"),
        (b'{\n"\xff": 1}', NotUtf8, "t.json:2: byte 3 of the file, 0xff, is not UTF-8. Save the file as UTF-8"),
        (b'{"version": 1, "version": 1}', DuplicateKey, "t.json: version stands twice. Take out the one that"),
        (b'{"version": "1.0"}', MissingKey, "t.json: truncation is missing. Add it, or save the file anew"),
        (file(version="2.0"), UnsupportedPart, "t.json: version is '2.0', which is unsupported. There is '1.0'"),
        (file(padding={}), UnsupportedPart, "t.json: padding is not null, which is unsupported. Switch it off"),
        (file(more=1), UnsupportedPart, "t.json: more has no known meaning, which is unsupported. Take it out"),
        (file(decoder=None), UnsupportedPart, "t.json: decoder is null, which is unsupported. Let it be a WordPiece"),
        (file(normalizer={"type": "NFC"}), UnsupportedPart, "t.json: normalizer is of type 'NFC', which is unsuppor"),
        (file(decoder__prefix="#"), UnsupportedPart, "t.json: decoder.prefix is not that of the model, which"),
        (file(added_tokens__0__id=9), Contradiction, "t.json: added_tokens[0].id is 9 for 'new', and the next id"),
        (file(added_tokens__0__content="t"), Contradiction, "t.json: added_tokens[0].id is 14 for 't', and the voc"),
        (file(added_tokens__0__rstrip=0), WrongType, "t.json: added_tokens[0].rstrip is 0, and not true or false."),
        (file(model__vocab={"a b": 1}), Contradiction, 't.json: model.vocab["a b"] is 1, and ids go from 0 to 0'),
        (file(model__vocab={"a": 0, "b": 0}), Contradiction, "t.json: model.vocab.b is 0, the id of 'a'. Give each"),
        (VALID.replace(b": 12", b": 1e999"), WrongType, 't.json: model.vocab["\\u4e2d"] is inf, and not an integer'),
        (file(model__unk_token="\ud800"), NotJson, "t.json: model.unk_token holds a lone surrogate"),
        (file(model__vocab={"\udc00": 0}), NotJson, "t.json: model.vocab holds a lone surrogate"),
        (file(post_processor__cls__1=7), Contradiction, "t.json: post_processor.cls[1] is 7, and '[CLS]' is 2. Let"),
        (file(post_processor__cls__0="no"), Contradiction, "t.json: post_processor.cls[1] is 2, and 'no' is not"),
        ([], WrongType, "t.json: the file is a list, and not an object"),
    ],
)
def test_a_fault_is_named_with_its_place(content: object, kind: type[FileError], message: str) -> None:
    with pytest.raises(FileError) as caught:
        tokenizer_json.parse(content if isinstance(content, bytes) else json.dumps(content).encode(), "t.json")
    assert type(caught.value) is kind
    assert str(caught.value).startswith(message)


# Bytes that mean something in the format, so that more than noise is tried.
PARTS = st.sampled_from([
    *[b"{", b"}", b"[", b"]", b",", b":", b'"', b"\\", b"\\ud800", b"null", b"true", b"-1", b"1e999", b"NaN", b"\xff"],
    *[b'"model"', b'"vocab"', b'"type"', b'"id"', b'"WordPiece"', b'"##"', b"14", b" ", b"\xef\xbb\xbf", b"[" * 2000],
])  # fmt: skip


def check_is_read_or_refused(content: bytes) -> None:
    try:
        read = tokenizer_json.parse(content)
    except GoldpieceError:
        return
    assert tokenizer_json.parse(tokenizer_json.render(read)) == read


@given(st.one_of(st.binary(max_size=60), st.lists(PARTS, max_size=12).map(b"".join)))
def test_any_bytes_are_read_or_refused(content: bytes) -> None:
    check_is_read_or_refused(content)


@given(st.lists(st.tuples(st.integers(0, len(VALID)), st.integers(0, 12), st.one_of(st.just(b""), PARTS)), max_size=3))
def test_any_change_of_a_file_is_read_or_refused(changes: list[tuple[int, int, bytes]]) -> None:
    content = VALID
    for place, length, new in changes:
        content = content[:place] + new + content[place + length :]
    check_is_read_or_refused(content)


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(st.characters(), max_size=3)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=3), inner, max_size=3)),
    max_leaves=5,
)
PLACES = [
    *["version", "truncation", "added_tokens", "added_tokens__0", "added_tokens__0__id", "added_tokens__0__content"],
    *["normalizer", "normalizer__strip_accents", "pre_tokenizer", "post_processor", "post_processor__sep__1"],
    *["post_processor__cls__0", "decoder", "decoder__type", "model", "model__vocab", "model__vocab__don"],
    *["model__max_input_chars_per_word", "model__continuing_subword_prefix", "model__type"],
]


@given(st.sampled_from(PLACES), JSON)
def test_any_value_in_any_place_is_read_or_refused(place: str, value: object) -> None:
    check_is_read_or_refused(json.dumps(file(**{place: value})).encode())


@pytest.mark.parametrize(
    "content",
    [
        b"[" + b"[]," * 200_000 + b"[]]",
        b'{"model": {"vocab": {' + b",".join(b'"%d": {}' % number for number in range(50_000)) + b"}}}",
        b'{"a": [' + b"{}," * 200_000 + b"{}]}",
        json.dumps(file(added_tokens=[0] * 200_000)).encode(),
        json.dumps(file(post_processor={"type": "BertProcessing", "sep": [1] * 200_000, "cls": ["a", 1]})).encode(),
        b'"' + "😀".encode() + b"a" * 600_000 + b'"',
        json.dumps(file(model__vocab={f"token{number}": number for number in range(30_000)})).encode(),
    ],
    ids=["lists", "objects", "empty objects", "numbers", "a long frame", "wide text", "a vocabulary"],
)
def test_memory_is_a_small_multiple_of_the_file(content: bytes) -> None:
    tracemalloc.start()
    try:
        check_is_read_or_refused(content)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak <= 10 * len(content) + FLOOR


@pytest.mark.parametrize(
    ("tokenizer", "kind", "message"),
    [
        (Tokenizer(VOCAB, "google"), NotWritable, "tokenizer.json has no name for the profile google"),
        (Tokenizer(["a"]), NotWritable, "the frame needs '[CLS]', which the vocabulary lacks: add it"),
        (Tokenizer([*VOCAB, "t"]), TokenNotWritable, "the token of id 14, 't', is that of id 8 too: give one of"),
        (Tokenizer([*VOCAB, "\ud800"]), TokenNotWritable, r"the token of id 14, '\ud800', holds a lone surrogate"),
        (Tokenizer(VOCAB, unk_token="\ud800"), NotWritable, "unk_token holds a lone surrogate"),
        (Tokenizer(VOCAB, max_input_chars=-1), NotWritable, "max_input_chars is -1: let it be from 0 to"),
        (
            Tokenizer(VOCAB, added_tokens=[AddedToken("[MASK]", lstrip=True, special=True)]),
            TokenNotWritable,
            "the token of id 4, '[MASK]', is added twice, and found in two ways: leave one of them out",
        ),
        (Tokenizer(VOCAB, added_tokens=[AddedToken("")]), TokenNotWritable, "the token of id 14, '', is empty"),
    ],
)
def test_what_the_file_cannot_carry_is_named(
    tokenizer: Tokenizer, kind: type[GoldpieceError], message: str, tmp_path: Path
) -> None:
    with pytest.raises(kind) as caught:
        tokenizer.save(tmp_path / "tokenizer.json")
    assert str(caught.value).startswith(message)
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_be_read_or_written(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"it cannot be read \(.+\)\. Give the path of a tokenizer\.json"):
        Tokenizer.from_file(tmp_path / "none.json")
    with pytest.raises(FileError, match=r"it cannot be written \(.+\)\. Give the path of a file"):
        Tokenizer(VOCAB).save(tmp_path / "none" / "tokenizer.json")


TOKENIZERS = {
    "defaults": Tokenizer(VOCAB),
    "cleanup": Tokenizer(VOCAB, cleanup=True),
    "cased": Tokenizer(VOCAB, lowercase=False, strip_accents=True, clean_text=False, handle_chinese_chars=False),
    "accents": Tokenizer(VOCAB, strip_accents=False),
    "limit": Tokenizer(VOCAB, max_input_chars=3),
    "added": Tokenizer(VOCAB, added_tokens=ADDED, cleanup=True),
    "frame": Tokenizer(VOCAB, cls_token="!", sep_token="<x>", added_tokens=ADDED),
    "no special tokens": Tokenizer(VOCAB, special_tokens=()),
    "prefix": Tokenizer([token.replace("##", "@") for token in VOCAB], prefix="@", unk_token="t"),
}


def made_of(encoding: Any, names: bool) -> tuple[object, ...]:
    """What an encoding says, ours or theirs."""
    return (
        encoding.ids,
        encoding.tokens if names else None,
        list(encoding.offsets),
        encoding.type_ids,
        encoding.word_ids,
        encoding.sequence_ids,
        encoding.special_tokens_mask,
    )


@pytest.mark.parametrize("name", TOKENIZERS)
def test_what_is_saved_does_the_same(name: str, tmp_path: Path) -> None:
    tokenizer = TOKENIZERS[name]
    tokenizer.save(tmp_path / "tokenizer.json")
    again = Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
    assert again.fingerprint == tokenizer.fingerprint
    for text in TEXTS:
        for pair in (None, TEXTS[2]):
            encoding = tokenizer.encode(text, pair)
            assert made_of(again.encode(text, pair), True) == made_of(encoding, True)
            for skip in (True, False):
                assert again.decode(encoding.ids, skip) == tokenizer.decode(encoding.ids, skip)
    again.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "tokenizer.json").read_bytes()


@pytest.mark.parametrize("name", TOKENIZERS)
def test_hugging_face_does_the_same(name: str, tmp_path: Path) -> None:
    """With our file, and with its own: but for the names of added tokens, which are what the text has there."""
    tokenizers = pytest.importorskip("tokenizers", reason="not run: the extra `peers` is not installed")
    tokenizer, paths = TOKENIZERS[name], (tmp_path / "ours.json", tmp_path / "theirs.json")
    verbatim = [replace(token, normalized=False) for token in ADDED]
    tokenizer = replace(tokenizer, added_tokens=verbatim if tokenizer.added_tokens else ())
    tokenizer.save(paths[0])
    theirs = tokenizers.Tokenizer.from_file(str(paths[0]))
    theirs.save(str(paths[1]))
    assert json.loads(paths[0].read_text(encoding="utf-8")) == json.loads(paths[1].read_text(encoding="utf-8"))
    for path in paths:
        ours = Tokenizer.from_file(path)
        for text in TEXTS:
            for pair in (None, TEXTS[2]):
                encoding = theirs.encode(text, pair)
                names = not tokenizer.added_tokens
                assert made_of(ours.encode(text, pair), names) == made_of(encoding, names)
                for skip in (True, False):
                    assert ours.decode(encoding.ids, skip) == theirs.decode(encoding.ids, skip_special_tokens=skip)


def test_it_is_written_for_people_too() -> None:
    lines = VALID.decode().splitlines()
    assert lines[:2] == ["{", '  "version": "1.0",']
    assert '      "中": 12,' in lines
    assert lines[-1] == "}"
