"""The kernels of the WordPiece path do what the reference does: on any text, by any cache, in any number of threads."""

import copy
import json
import os
import pickle
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldpiece import AddedToken, Encodings, GoldpieceError, Padding, Tokenizer, Truncation
from goldpiece.errors import FileError
from goldpiece.fast.tokenizer import LEAST_CACHE

from .fuzz_wordpiece import BORDERS, LETTERS, ODD, WORDS, text

pytest.importorskip("numba", reason="not run: numba is not installed; it is in the extra `fast`")

from goldpiece.fast.wordpiece.characters import MARKS_END, POINTS
from goldpiece.reference.unicode import characters

ARRAYS = (
    "flat_ids",
    "flat_offsets",
    "flat_type_ids",
    "flat_word_ids",
    "flat_sequence_ids",
    "flat_special_tokens_mask",
    "row_starts",
)


def same(ours: Encodings, right: Encodings) -> bool:
    """Whether all is equal, the kinds of numbers as well."""
    pairs = [(getattr(ours, name), getattr(right, name)) for name in ARRAYS]
    return all(one.dtype == other.dtype and np.array_equal(one, other) for one, other in pairs)


def both(**config: Any) -> tuple[Tokenizer, Tokenizer]:
    """The tokenizer by the kernels and by the reference."""
    return Tokenizer(**config, engine="fast"), Tokenizer(**config, engine="reference")


def outcome(tokenizer: Tokenizer, *given: Any, **keywords: Any) -> Encodings | str:
    """What it makes of a batch, or how it refuses it."""
    try:
        return tokenizer.encode_batch(*given, **keywords)
    except GoldpieceError as error:
        return f"{type(error).__name__}: {error}"


ADDED: Sequence[Sequence[AddedToken | str]] = (
    (),
    ("<user>", "abc"),
    (AddedToken("<user>", single_word=True, normalized=False), AddedToken("abc", lstrip=True, rstrip=True)),
    (AddedToken("[A", normalized=False), AddedToken("[A]b", normalized=False, special=True)),
)
CONFIGS = st.fixed_dictionaries(
    {
        "vocab": st.sampled_from([LETTERS, LETTERS[2:], [*LETTERS[::-1], "abc"]]),
        "profile": st.sampled_from(["hf", "google"]),
        "lowercase": st.booleans(),
        "strip_accents": st.sampled_from([None, True, False]),
        "clean_text": st.booleans(),
        "handle_chinese_chars": st.booleans(),
        "prefix": st.sampled_from(["##", "", "x"]),
        "max_input_chars": st.sampled_from([100, 5, 0, 200]),
        "added_tokens": st.sampled_from(ADDED),
        "verbatim_tokens": st.sampled_from([(), ("[DOC]", "[U"), ("abé",)]),
        "cache_bytes": st.sampled_from([LEAST_CACHE, 1 << 25]),
    }
)
ALPHABET = st.sampled_from([*WORDS, *ODD, *" .,-<>[]", "user", "abc", "[A]b", "[DOC]", "abé", "ABE\u0301"])
TEXTS = st.one_of(
    st.text(st.characters(exclude_categories=()), max_size=8),
    st.lists(st.one_of(ALPHABET, st.characters()), max_size=12).map("".join),
    st.integers(0, 999).map(lambda seed: text(Random(seed))),
)


@settings(max_examples=50, deadline=None)
@given(
    config=CONFIGS,
    rows=st.lists(st.tuples(TEXTS, st.one_of(st.none(), TEXTS)), max_size=5),
    has_pairs=st.booleans(),
    options=st.tuples(st.booleans(), st.booleans(), st.sampled_from(["strict", "replace"])),
    workers=st.integers(1, 3),
)
def test_it_equals_the_reference(
    config: dict[str, Any],
    rows: list[tuple[str, str | None]],
    has_pairs: bool,
    options: tuple[bool, bool, Any],
    workers: int,
) -> None:
    """Or refuses what it refuses, in the same words. The options are a frame, special tokens in text, and errors."""
    fast, reference = both(**config)
    texts, pairs = [row for row, _ in rows], [pair for _, pair in rows] if has_pairs else None
    given = (texts, pairs, *options)
    right = outcome(reference, *given)
    for _ in ("cold", "warm"):
        ours = outcome(fast, *given, workers=workers)
        if isinstance(right, str) or isinstance(ours, str):
            assert ours == right
            continue
        assert same(ours, right)
        ids = fast.encode_ids_batch(*given, workers=workers)
        assert ids.tolist() == right.ids
        for row, (each, pair) in enumerate(rows):
            given_one = (each, pair if has_pairs else None, *options)
            assert fast.encode_ids(*given_one).tolist() == right[row].ids
            assert same(fast.encode(*given_one).rows, reference.encode(*given_one).rows)


def test_borders_of_keys_blocks_and_words() -> None:
    """Words that end about where something else does, behind so many other bytes, in code points of 1 to 4 bytes."""
    fast, reference = both(vocab=[*LETTERS, "𝔘", "##𝔘"], lowercase=False)
    texts = []
    for char in "xé한𝔘":
        for length in BORDERS:
            word = char * (length // len(char.encode()))
            texts += [word, f"{word}y {word}", f"ab,{word}\u0301. ", f"{word[:-1]}z {word}", f" {word}[MASK]{word}"]
    assert same(fast.encode_batch(texts), reference.encode_batch(texts))
    for space in (0, 1, 62, 63, 64, 65):
        texts = [f"{' ' * space}ab", f"ab{' ' * space}", f"ab{' ' * space}東{' ' * space}.", f"{'ab ' * space}[MASK]"]
        assert same(fast.encode_batch(texts), reference.encode_batch(texts))


def test_characters_of_every_width() -> None:
    """A `str` has one, two or four bytes for each character; 16 of these are looked at together, few or many beyond
    ASCII.
    """
    fast, reference = both(vocab=[*LETTERS, "𝔘", "ÿ", "߿", "ࠀ", "￼"], lowercase=False, strip_accents=False)
    texts = []
    for widest in ("a", "ÿ", "߿", "ࠀ", "￼", "𝔘"):
        for length in (0, 1, 14, 15, 16, 17, 32):
            texts += [f"{'a ' * length}{widest}", f"{widest} a" * length, f"{widest} é" * length + "a" * 16]
        texts += [f"{'a' * place}é{'.' * (20 - place)}{widest}" for place in range(20)]
        texts += [f"{widest}{'a' * place}\ud800" for place in (0, 15, 16)]
    right = reference.encode_batch(texts, errors="replace")
    assert same(fast.encode_batch(texts, errors="replace"), right)


def test_what_is_no_text_is_refused_as_the_reference_refuses_it() -> None:
    fast, reference = both(vocab=LETTERS)
    wrong: Any
    for wrong in (b"a", None, 3):
        messages = []
        for tokenizer in (fast, reference):
            for call in (tokenizer.encode, lambda text: tokenizer.encode_batch(["a", text])):  # noqa: B023
                with pytest.raises((TypeError, AttributeError, IndexError)) as raised:
                    call(wrong)
                messages.append(str(raised.value))
        assert messages[0] == messages[2]


def words(count: int, seed: int = 0) -> list[str]:
    """Texts of one word or some, of which many are longer than 16 bytes or have marks inside."""
    random = Random(seed)
    alphabet = ["a", "b", "cd", "é", "한", "—", "x", "e\u0301", "internat"]
    return ["".join(random.choices(alphabet, k=random.randrange(1, 9))) for _ in range(count)]


def test_batches_workers_and_threads_change_nothing() -> None:
    fast, reference = both(vocab=LETTERS)
    random = Random(2)
    texts = [text(random) for _ in range(80)]
    right = reference.encode_batch(texts)
    for workers in (1, 2, 7, 100):
        assert same(fast.encode_batch(texts, workers=workers), right)
    assert [row.tolist() for row in fast.encode_ids_batch(texts, workers=3)] == right.ids
    assert [
        row for size in (texts[:7], texts[7:40], [], texts[40:]) for row in fast.encode_batch(size).ids
    ] == right.ids
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: fast.encode_batch(texts, workers=2), range(4)))
    assert all(same(each, right) for each in found)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="not run: there is no fork here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_goes_on() -> None:
    fast, reference = both(vocab=LETTERS)
    texts = words(200)
    fast.encode_batch(texts, workers=2)
    process = os.fork()
    if not process:
        right = same(fast.encode_batch(texts, workers=2), reference.encode_batch(texts))
        os._exit(0 if right else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 0
    assert same(fast.encode_batch(texts), reference.encode_batch(texts))


def test_copies_and_pickles_start_anew() -> None:
    """The tables are where they are in one process alone."""
    fast, reference = both(vocab=LETTERS)
    right = reference.encode("naïve").ids
    assert fast.encode("naïve").ids == right
    for other in (pickle.loads(pickle.dumps(fast)), copy.deepcopy(fast), copy.copy(fast)):  # noqa: S301 (our own)
        assert not other.__dict__.get("_work")
        assert other.engine == "fast"
        assert other.encode("naïve").ids == right


@pytest.mark.parametrize(
    ("config", "parse_special", "left"),
    [
        ({}, True, ["\u1b44", "a\u302e", "\ud800"]),
        ({"profile": "google"}, True, ["ΑΣ", "\u1b44"]),
        ({"strip_accents": False}, True, ["\ud800"]),
        ({"added_tokens": ["<é>"]}, True, ["<é>", "E <>", "e\u0301><"]),
        ({"added_tokens": [AddedToken("[X]", lstrip=True, normalized=False)]}, True, ["a [X]"]),
        ({"added_tokens": [AddedToken("[X]", normalized=False)]}, False, ["a [X]"]),
        ({"vocab": LETTERS[2:]}, True, ["한한", "\u20ac", "Straße"]),
    ],
)
def test_what_is_left_to_the_reference(config: dict[str, Any], parse_special: bool, left: list[str]) -> None:
    """These texts and no others."""
    twin = Tokenizer(**({"vocab": LETTERS} | config), engine="fast")._start(parse_special)
    found = [
        each for each in [*left, "the [MASK] é e\u0301 한 a.", "Strasse \0 東"] if twin.ids_of_text(each, False) is None
    ]
    assert found == left


def test_rows_of_one_width() -> None:
    """Cut, framed and filled up as the reference does it, or refused as it refuses."""
    fast, reference = both(vocab=LETTERS)
    random = Random(4)
    done = 0
    for _ in range(300):
        texts = [text(random)[:20] for _ in range(random.randrange(5))]
        pairs = random.choice([None, [random.choice([None, text(random)[:9]]) for _ in texts]])
        keywords: dict[str, Any] = {
            "add_special_tokens": random.random() < 0.7,
            "truncation": random.choice([None, True, "only_first", "only_second", Truncation(7, side="left")]),
            "max_length": random.choice([None, None, 2, 5, 9]),
            "padding": random.choice([True, "max_length", Padding(0, 2, side="left"), None]),
            "pad_to_multiple_of": random.choice([None, None, 4]),
            "overflow": random.random() < 0.1,
        }
        made = [_called(tokenizer, texts, pairs, keywords) for tokenizer in (fast, reference)]
        assert made[0] == made[1]
        done += not isinstance(made[0], str)
    assert done > 60


def _called(tokenizer: Tokenizer, texts: Any, pairs: Any, keywords: dict[str, Any]) -> dict[str, Any] | str:
    try:
        return tokenizer(texts, pairs, **keywords)
    except GoldpieceError as error:
        return f"{type(error).__name__}: {error}"


@pytest.mark.parametrize("cleanup", [False, True])
def test_texts_of_ids(cleanup: bool) -> None:
    fast, reference = both(vocab=LETTERS, cleanup=cleanup, added_tokens=["<user>"])
    random = Random(5)
    rows = [[random.randrange(reference.vocab_size) for _ in range(random.randrange(6))] for _ in range(200)]
    for skip in (True, False):
        assert fast.decode_batch(rows, skip) == [reference.decode(row, skip) for row in rows]
    texts = ["the unaffable don't, 한", "", "[MASK]"]
    assert fast.decode_batch(fast.encode_ids_batch(texts)) == [
        reference.decode(row) for row in reference.encode_batch(texts).ids
    ]
    for wrong in (-1, reference.vocab_size):
        messages = []
        for decode in (lambda: fast.decode_batch([[1], [wrong]]), lambda: reference.decode([wrong])):  # noqa: B023
            with pytest.raises(GoldpieceError) as raised:
                decode()
            messages.append(str(raised.value))
        assert messages[0] == messages[1]


def test_streams_and_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("goldpiece.fast.tokenizer.AT_ONCE", 7)
    monkeypatch.setattr("goldpiece.fast.tokenizer.BLOCK", 100)
    fast, reference = both(vocab=LETTERS)
    texts = [" ".join(words(3, seed)) for seed in range(40)] + ["", "a\r", "last"]
    right = reference.encode_batch(texts).ids
    blocks = list(fast.encode_ids_stream(iter(texts)))
    assert len(blocks) == 7
    assert [row for block in blocks for row in block.tolist()] == right
    path = tmp_path / "lines.txt"
    path.write_bytes("\n".join(texts).encode())
    blocks = list(fast.encode_ids_file(path))
    assert len(blocks) > 5
    assert [row for block in blocks for row in block.tolist()] == right
    path.write_bytes(b"a\n\xff\n")
    for wrong in (path, tmp_path / "none.txt"):
        with pytest.raises(FileError, match=r"Give a text file in UTF-8"):
            list(fast.encode_ids_file(wrong))


def test_no_character_changes_places_beyond_the_known() -> None:
    """The tables look for marks of the profile google in the first two planes alone."""
    mark_class = characters("google").mark_class
    assert not any(mark_class(chr(point)) for point in range(MARKS_END, POINTS))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="not run: mutants that crash need a process of their own to do so")
def test_it_runs_as_python_and_every_mutant_is_found_out() -> None:
    """The code of the kernels not compiled: as it is, with hashes that say nothing, and with one fault each."""
    run = subprocess.run(
        [sys.executable, "-m", "tests.wordpiece_in_python"],
        cwd=Path(__file__).parents[1],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    right, wrong = json.loads(run.stdout)
    assert len(right) == 4
    assert len(wrong) >= 15
    assert not [name for name, difference in right.items() if difference is not None]
    assert not [name for name, difference in wrong.items() if difference is None]
