"""Drift: what parts two tokenizers is found, grouped by what it has in common, and shown by the smallest text."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldpiece import Tokenizer
from goldpiece.errors import UsageError
from goldpiece.suite.drift.account import account
from goldpiece.suite.drift.differences import Difference, Token, differences
from goldpiece.suite.drift.groups import Drift, Group, drift
from goldpiece.suite.drift.kinds import Kind, character, characters, kind_of, normalization
from goldpiece.suite.drift.record import SCHEMA, drift_to_json
from goldpiece.suite.drift.shrink import shrunk
from goldpiece.suite.loader import load_specs
from goldpiece.suite.ready_made import Encoded, NoAnswer, ReadyMade
from goldpiece.suite.subject import OutOfPatience
from goldpiece.suite.subjects import in_this_process

from .conftest import Goldpiece
from .test_lock import Silent

LETTERS = [letter for char in "abcdefé" for letter in (char, f"##{char}")]
VOCAB = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *LETTERS, "cafe", "bad", "be", ".", "E"]
DOCUMENTS = ["bad cafe. Café be", "a bad bee", "dead."]

Change = Callable[[Encoded], Encoded]


class Changed(ReadyMade):
    """A tokenizer whose encodings something is done to."""

    change: Change

    def encode(self, text: str) -> Encoded:
        return self.change(super().encode(text))


def tokenizer(folder: Path, vocab: list[str], change: Change | None = None, **normalizer: bool) -> ReadyMade:
    """Ours, written to a file in which something of its normalizer is changed."""
    path = folder / f"{len(list(folder.iterdir()))}.json"
    Tokenizer.from_vocab(vocab).save(path)
    content = json.loads(path.read_text(encoding="utf-8"))
    content["normalizer"] |= normalizer
    path.write_text(json.dumps(content), encoding="utf-8")
    subject = in_this_process(f"reference:{path}", load_specs())
    if change is None:
        return ReadyMade(subject)
    changed = Changed(subject)
    changed.change = change
    return changed


def found(old: ReadyMade, new: ReadyMade, documents: list[str] = DOCUMENTS) -> Drift:
    result = drift(old, new, documents, Silent())
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(json.loads(json.dumps(drift_to_json(result, "x"))), schema)
    return result


def said(result: Drift, limit: int = 10) -> str:
    return "\n".join(line for line, _ in account(result, "some.txt", limit))


def only(result: Drift) -> Group:
    (group,) = result.groups
    return group


def shown(group: Group) -> tuple[str, list[str], list[str]]:
    """The minimal text, and both rows without the frame."""
    assert group.minimal
    old, new = ([token for token in row.tokens if token[0] != "["] for row in (group.minimal.old, group.minimal.new))
    return group.minimal.text, old, new


def test_what_is_the_same_has_no_groups(tmp_path: Path) -> None:
    result = found(tokenizer(tmp_path, VOCAB), tokenizer(tmp_path, VOCAB))
    assert (result.moved, result.groups) == (0, ())
    assert "0 of 3 moved" in said(result)


def test_a_piece_that_one_vocabulary_lacks(tmp_path: Path) -> None:
    vocab = ["[unused]" if token == "bad" else token for token in VOCAB]
    group = only(result := found(tokenizer(tmp_path, VOCAB), tokenizer(tmp_path, vocab)))
    assert (group.key.kind, group.key.about) == (Kind.SPLIT, "Latin letters; NEW lacks pieces of OLD's")
    assert shown(group) == ("bad", ["bad"], ["b", "##a", "##d"])
    assert (group.differences, group.documents, group.old_tokens, group.new_tokens) == (2, 2, 2, 6)
    assert (result.moved, result.documents, result.new_tokens - result.old_tokens) == (2, 3, 4)
    other_way = only(found(tokenizer(tmp_path, vocab), tokenizer(tmp_path, VOCAB)))
    assert other_way.key.about == "Latin letters; OLD lacks pieces of NEW's"


def test_other_ids(tmp_path: Path) -> None:
    turned = [*VOCAB[:4], *reversed(VOCAB[4:])]
    group = only(result := found(tokenizer(tmp_path, VOCAB), tokenizer(tmp_path, turned)))
    assert group.key.kind is Kind.IDS
    assert f"[CLS]=2 .={VOCAB.index('.')} [SEP]=3" in said(result)
    assert f"[CLS]=2 .={turned.index('.')} [SEP]=3" in said(result)


def test_letter_case(tmp_path: Path) -> None:
    group = only(found(tokenizer(tmp_path, VOCAB), tokenizer(tmp_path, VOCAB, lowercase=False), ["be E.", "a E"]))
    assert (group.key.kind, group.key.about) == (Kind.NORMALIZED, "letter case")
    assert shown(group) == ("E", ["e"], ["E"])


def test_capitals_that_become_unknown(tmp_path: Path) -> None:
    group = only(found(tokenizer(tmp_path, VOCAB), tokenizer(tmp_path, VOCAB, lowercase=False, strip_accents=True)))
    assert (group.key.kind, group.key.about) == (Kind.NEW_UNKNOWN, "capital Latin letters")
    assert shown(group) == ("C", ["c"], [])


def test_accents(tmp_path: Path) -> None:
    group = only(found(tokenizer(tmp_path, VOCAB), tokenizer(tmp_path, VOCAB, strip_accents=False)))
    assert (group.key.kind, group.key.about) == (Kind.NORMALIZED, "accents")
    assert shown(group) == ("é", ["e"], ["é"])
    assert group.texts == [("Café", 1)]


def test_two_causes_are_two_groups(tmp_path: Path) -> None:
    vocab = ["[unused]" if token == "bad" else token for token in VOCAB]
    result = found(tokenizer(tmp_path, VOCAB), tokenizer(tmp_path, vocab, strip_accents=False))
    assert {group.key.kind for group in result.groups} == {Kind.NORMALIZED, Kind.SPLIT}
    assert "and 1 more group (" in said(result, limit=1)


def test_other_offsets(tmp_path: Path) -> None:
    def shifted(encoded: Encoded) -> Encoded:
        pairs = zip(encoded.tokens, encoded.offsets, strict=True)
        return replace(encoded, offsets=[[start, end - (token == ".")] for token, (start, end) in pairs])

    group = only(result := found(tokenizer(tmp_path, VOCAB), tokenizer(tmp_path, VOCAB, shifted)))
    assert (group.key.kind, group.key.about) == (Kind.OFFSETS, "punctuation")
    assert shown(group)[0] == "."
    assert ".[0:1] [SEP][0:0]" in said(result)


def test_a_token_that_only_one_has(tmp_path: Path) -> None:
    def without(encoded: Encoded) -> Encoded:
        kept = [place for place, token in enumerate(encoded.tokens) if token not in ("be", "[SEP]")]
        ids, tokens = [encoded.ids[place] for place in kept], [encoded.tokens[place] for place in kept]
        return Encoded(ids, tokens, [encoded.offsets[place] for place in kept])

    frame, word = found(tokenizer(tmp_path, VOCAB), tokenizer(tmp_path, VOCAB, without)).groups
    assert (frame.key.kind, frame.key.about, frame.differences) == (
        Kind.NEW_WITHOUT,
        "tokens that stand for no text",
        3,
    )
    assert (word.key.kind, shown(word)) == (Kind.NEW_WITHOUT, ("be", ["be"], []))


def test_an_error(tmp_path: Path) -> None:
    def broken(encoded: Encoded) -> Encoded:
        return Encoded([], [], [], "it broke") if "bad" in encoded.tokens else encoded

    group = only(result := found(tokenizer(tmp_path, VOCAB), tokenizer(tmp_path, VOCAB, broken)))
    assert (group.key.kind, group.key.about) == (Kind.ERROR, "none → it broke")
    assert shown(group)[0] == "bad"
    assert "error: it broke" in said(result)


def test_a_difference_that_shows_only_where_it_stands(tmp_path: Path) -> None:
    """What is seen behind an `a` alone is found with it."""

    def at_the_end(encoded: Encoded) -> Encoded:
        if "a" not in encoded.tokens:
            return encoded
        ids = [-number if token == "be" else number for token, number in zip(encoded.tokens, encoded.ids, strict=True)]
        return replace(encoded, ids=ids)

    old, new = tokenizer(tmp_path, VOCAB), tokenizer(tmp_path, VOCAB, at_the_end)
    assert shown(only(found(old, new, ["cafe\na be\ncafe"])))[0] == "a be"
    assert shown(only(found(old, new, ["bad\na\nbe\ncafe"])))[0] == "a\nbe"


def test_what_does_not_come_again_is_told(tmp_path: Path) -> None:
    calls = iter(range(100))

    def first(encoded: Encoded) -> Encoded:
        return replace(encoded, ids=[0 for _ in encoded.ids]) if next(calls) == 0 else encoded

    result = found(tokenizer(tmp_path, VOCAB), tokenizer(tmp_path, VOCAB, first), ["bad"])
    assert all(group.minimal is None for group in result.groups)
    assert "No smaller text was found" in said(result)


def test_what_hangs_while_a_text_is_shrunk_leaves_what_was_found(tmp_path: Path) -> None:
    calls = iter(range(100))

    def hangs(encoded: Encoded) -> Encoded:
        if next(calls) > 1:
            raise NoAnswer("over 60 s went to calls that gave no answer")
        return replace(encoded, ids=[number if number < 4 else 0 for number in encoded.ids])

    group = only(found(tokenizer(tmp_path, VOCAB), tokenizer(tmp_path, VOCAB, hangs), ["bad a"]))
    assert shown(group)[0] == "a"


def test_hanging_too_long_names_the_tokenizer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hangs = tokenizer(tmp_path, VOCAB)

    def answer(*_: object) -> None:
        raise OutOfPatience("over 60 s went to calls that gave no answer")

    monkeypatch.setattr(type(hangs._instance), "answer", answer)
    with pytest.raises(NoAnswer, match=r"json: over 60 s.*leave out of the corpus"):
        hangs.encode("bad")


def test_what_is_no_ready_tokenizer_is_told_so() -> None:
    with pytest.raises(UsageError, match="takes any vocabulary: name hf:PATH"):
        ReadyMade(in_this_process("reference", load_specs()))


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        (["Ġab"], ["Ġ", "ab"], Kind.SPLIT),
        (["▁ab"], ["a", "b</w>"], Kind.SPLIT),
        (["##", "##a"], ["##a"], Kind.NORMALIZED),
        (["ab", "[UNK]"], ["[UNK]"], Kind.SPLIT),
        (["ab"], ["a", "<unk>"], Kind.NEW_UNKNOWN),
        (["[UNK]"], ["a"], Kind.OLD_UNKNOWN),
        ([], ["a"], Kind.OLD_WITHOUT),
    ],
)
def test_kinds(old: list[str], new: list[str], kind: Kind) -> None:
    ours, theirs = (tuple(Token(token, 0, (0, 2), 0, 2) for token in tokens) for tokens in (old, new))
    assert kind_of(Difference("ab", 0, ours, theirs)) is kind


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("Ab", "ab", "letter case"),
        ("é", "e", "accents"),
        ("É", "e", "letter case and accents"),
        ("ﬁ", "fi", "compatibility forms"),
        ("a", "b", None),
    ],
)
def test_what_normalizers_do(old: str, new: str, what: str | None) -> None:
    assert normalization(old, new) == what


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("abc", "Latin letters"),
        ("aß1", "Latin letters, digits and numbers"),
        ("a1.", "Latin letters and others"),
        ("aλ1", "characters of several kinds"),
        ("我国", "ideographs"),
        ("\ue000", "characters of private use"),
        ("\u0378", "unassigned characters"),
        ("🙏\u200d", "control characters, symbols"),
    ],
)
def test_what_a_text_is_made_of(text: str, what: str) -> None:
    assert characters(text) == what


@pytest.mark.parametrize(
    ("char", "what"),
    [
        ("É", "capital Latin letters with marks"),
        ("ß", "Latin letters"),
        ("가", "Hangul letters"),
        ("が", "Hiragana letters with marks"),
        ("\u0301", "marks"),
    ],
)
def test_what_a_character_is(char: str, what: str) -> None:
    assert character(char) == what


@st.composite
def encodings(draw: st.DrawFn, length: int) -> Encoded:
    """Any tokens over a text of that length: some of no width, some that overlap or lie within one character."""
    ends = sorted(draw(st.lists(st.integers(0, length), max_size=6)))
    starts = [draw(st.integers(max(0, end - 2), end)) for end in ends]
    numbers = [draw(st.integers(0, 2)) for _ in ends]
    offsets = [list(each) for each in zip(starts, ends, strict=True)]
    tokens = ["abc"[number] for number in numbers]
    return Encoded([7, *numbers, 8], ["[CLS]", *tokens, "[SEP]"], [[0, 0], *offsets, [0, 0]])


@given(old=encodings(5), new=encodings(5))
def test_what_is_no_difference_is_the_same(old: Encoded, new: Encoded) -> None:
    parted = list(differences("cafés", old, new))
    assert bool(parted) == (old != new)
    rest = [sorted(zip(each.tokens, each.ids, strict=True)) for each in (old, new)]
    for difference in parted:
        assert difference.old != difference.new
        for kept, tokens in zip(rest, (difference.old, difference.new), strict=True):
            for token in tokens:
                kept.remove((token.text, token.id))
    assert rest[0] == rest[1]


@given(text=st.text("ab", max_size=30), needed=st.text("ab", min_size=1, max_size=3))
def test_what_is_shrunk_still_shows_it_and_is_minimal(text: str, needed: str) -> None:
    whole = f"{text}{needed}{text}"
    assert shrunk(whole, lambda shorter: needed in shorter) == needed


def test_the_command(goldpiece: Goldpiece, tmp_path: Path) -> None:
    (tmp_path / "corpus.txt").write_text("\n".join(DOCUMENTS), encoding="utf-8")
    for name, vocab in (("old.json", VOCAB), ("new.json", [token for token in VOCAB if token != "##é"])):
        Tokenizer.from_vocab(vocab).save(tmp_path / name)
    done = goldpiece("drift", "reference:old.json", "reference:new.json", "corpus.txt", "--json", "drift.json")
    assert done.returncode == 1, done.stderr
    assert "1 of 1 moved (100.0%)" in done.stdout
    assert json.loads((tmp_path / "drift.json").read_text(encoding="utf-8"))["moved"] == 1
    assert goldpiece("drift", "reference:old.json", "reference:old.json", "corpus.txt").returncode == 0
    (tmp_path / "empty.txt").touch()
    for corpus, file, problem in (
        ("corpus.txt", "no/such.json", "--json no/such.json: it cannot be written"),
        ("empty.txt", "drift.json", "empty.txt is empty"),
        ("none.txt", "drift.json", "there is no corpus 'none.txt'"),
    ):
        done = goldpiece("drift", "reference:old.json", "reference:old.json", corpus, "--json", file)
        assert (done.returncode, problem in done.stderr) == (2, True), done.stderr
