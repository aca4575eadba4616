"""What the kernels of the WordPiece path keep: words in caches, results in blocks of memory, and themselves on disk."""

from pathlib import Path

import numpy as np
import pytest

from goldpiece import Encodings, Tokenizer
from goldpiece.fast.tokenizer import LEAST_CACHE

from .fuzz_wordpiece import LETTERS

pytest.importorskip("numba", reason="not run: numba is not installed; it is in the extra `fast`")

from goldpiece.fast.wordpiece import layout
from goldpiece.fast.wordpiece.compilation import folder_of_compiled
from goldpiece.fast.wordpiece.outputs import LEAST_KEPT, MOST_KEPT, TOO_LARGE, Blocks

from .test_fast_wordpiece import both, same, words


def test_cache_is_bounded_and_forgets() -> None:
    """By a cache that turns all the time, texts have the tokens that they have by one that never does."""
    small = Tokenizer(LETTERS, engine="fast", cache_bytes=LEAST_CACHE)
    large, reference = both(vocab=LETTERS)
    known = words(5_000)
    right = reference.encode_batch(known)
    for order in (1, -1, 1):
        for tokenizer in (small, large):
            assert same(
                tokenizer.encode_batch(known[::order]), right if order == 1 else reversed_rows(reference, known)
            )
    states = [each._start(True).engine.workers[0].state for each in (small, large)]
    assert states[0][layout.TURNS] > 10
    assert states[0][layout.MISSES] > 5_000 > states[1][layout.MISSES] > 0
    for tokenizer in (small, large):
        for worker in tokenizer._start(True).engine.workers:
            assert worker.cache_bytes <= tokenizer.cache_bytes


def reversed_rows(reference: Tokenizer, known: list[str]) -> Encodings:
    return reference.encode_batch(known[::-1])


def test_words_of_one_text_outlive_no_turn() -> None:
    """A turn comes within a text as well."""
    fast, reference = both(vocab=LETTERS, cache_bytes=LEAST_CACHE)
    long = " ".join(words(4_000, seed=1))
    assert same(fast.encode_batch([long, long]), reference.encode_batch([long, long]))


def test_memory_serves_again_when_nobody_holds_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """And no earlier: what is left of a result stays as it was, in whatever order they go."""
    monkeypatch.setattr("goldpiece.fast.wordpiece.outputs.LEAST_KEPT", 1)
    fast, reference = both(vocab=LETTERS)
    texts = words(80)
    right = reference.encode_batch(texts[:40]), reference.encode_batch(texts[40:])
    first = fast.encode_batch(texts[:40])
    place, kept = first.flat_ids.ctypes.data, first.flat_offsets[5:]
    del first
    second = fast.encode_batch(texts[40:], workers=2)
    assert second.flat_ids.ctypes.data != place
    assert np.array_equal(kept, right[0].flat_offsets[5:])
    assert same(second, right[1])
    del kept
    third = fast.encode_batch(texts[:40])
    assert third.flat_ids.ctypes.data == place
    assert same(third, right[0])
    assert same(second, right[1])


def test_memory_that_waits_is_bounded() -> None:
    blocks = Blocks()
    for held in ([blocks.take(size) for size in (LEAST_KEPT - 1, *[MOST_KEPT // 3] * 4)], [blocks.take(MOST_KEPT + 1)]):
        held.clear()
        assert sum(map(len, blocks.waiting.values())) <= MOST_KEPT
    assert len(blocks.waiting) == 0
    blocks.take(LEAST_KEPT)
    assert len(blocks.take(LEAST_KEPT // TOO_LARGE)) == LEAST_KEPT // TOO_LARGE
    assert len(blocks.take(LEAST_KEPT)) == LEAST_KEPT


def test_a_long_text_finds_room() -> None:
    """More than a worker has room for at first, and more tokens than are expected of so many bytes."""
    fast, reference = both(vocab=LETTERS)
    long = "a." * 12_000 + "x" * 20_000 + "東" * 9_000
    right = reference.encode(long).ids
    assert fast.encode_ids(long).tolist() == right
    assert fast.encode_ids_batch(["b", long]).tolist()[1] == right


def test_a_part_finds_room() -> None:
    """The second has more tokens than are expected after so many texts that have few."""
    fast, reference = both(vocab=LETTERS)
    sparse, dense = ["x" * 3_000] * 30, ["a." * 1_500] * 30
    right = reference.encode_batch([sparse[0], dense[0]])
    fast.encode_batch(sparse)
    for workers in (1, 2):
        found = fast.encode_batch(sparse + dense, workers=workers)
        assert np.array_equal(
            found.flat_ids,
            np.concatenate([right.flat_ids[: len(right[0])]] * 30 + [right.flat_ids[len(right[0]) :]] * 30),
        )
        assert np.array_equal(found.flat_offsets[-len(right[1]) :], right.flat_offsets[len(right[0]) :])


def test_compiled_kernels_are_kept_where_they_may(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """In a folder of the user, named for the content of all modules; nowhere if nothing can be written there."""
    folder_of_compiled.cache_clear()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr("numba.config.CACHE_DIR", "")
    assert (folder := folder_of_compiled()) is not None
    assert folder.parent == tmp_path / "goldpiece"
    folder_of_compiled.cache_clear()
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert folder_of_compiled() is None
    folder_of_compiled.cache_clear()
