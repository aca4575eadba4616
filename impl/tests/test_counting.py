"""Words are counted as the tokenizer cuts them, each as often as it stands there, however the work is divided."""

import multiprocessing
import signal
import sys
import threading
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldpiece.corpus.corpus import Corpus
from goldpiece.errors import FileError
from goldpiece.reference.added_tokens import AddedTokens
from goldpiece.reference.byte_level import ByteLevel, LoneSurrogate
from goldpiece.reference.normalizer import Normalizer
from goldpiece.reference.pre_tokenizer import PreTokenizer
from goldpiece.suite.corpus import generated, topics
from goldpiece.training import counting
from goldpiece.training.buckets import Buckets, Tally, TemporaryShelf, spread
from goldpiece.training.counting import Counted, Counting, WorkerDied, count_words
from goldpiece.training.cutting import BertCutting, ByteCutting, Cutting, NotAWord, WordCounter
from goldpiece.training.pace import Pace, Stopped

SPECIAL = ("[SEP]", "<|end of text|>")
CUTTINGS: Sequence[Cutting] = (
    BertCutting(SPECIAL),
    BertCutting(SPECIAL, lowercase=False, profile="google"),
    BertCutting((), profile="google"),
    *(ByteCutting(SPECIAL, pattern) for pattern in ("gpt2", "cl100k", "o200k")),
)
every_cutting = pytest.mark.parametrize("cutting", CUTTINGS, ids=repr)


def words_of(text: str, cutting: Cutting) -> list[str]:
    """The words of a text, by the components as they are."""
    parts, _, found = AddedTokens(cutting.special_tokens, special=cutting.special_tokens).split(text)
    return [word for part, token in zip(parts, found, strict=True) if token is None for word in _cut(part, cutting)]


def _cut(part: str, cutting: Cutting) -> Sequence[str]:
    if isinstance(cutting, BertCutting):
        normalized = Normalizer(profile=cutting.profile, lowercase=cutting.lowercase).normalize(part)
        return PreTokenizer(cutting.profile).pre_tokenize(normalized)[0]
    assert isinstance(cutting, ByteCutting)
    return ByteLevel(cutting.pattern).pre_tokenize(part)[0]


SOME = st.text(
    st.one_of(
        st.sampled_from(" \t\n\r\x1c\x85\xa0Aa'sS\u03a3\u0301\u0130\u4e2d1.,!\u200d"),
        st.characters(exclude_categories=["Cs"]),
    )
)
MARKED = st.lists(st.one_of(SOME, st.sampled_from([*SPECIAL, " ", "[SEP", "<|end of"])), max_size=6).map("".join)


@every_cutting
@settings(max_examples=40, deadline=None)
@given(texts=st.lists(MARKED, max_size=4))
def test_words_are_those_of_the_components(cutting: Cutting, texts: list[str]) -> None:
    """In the order in which they are met, too."""
    expected = Counter(word for text in texts for word in words_of(text, cutting))
    counter = WordCounter(cutting)
    for _ in range(2):  # what it remembers is right as well
        assert list(counter.count(texts).items()) == list(expected.items())


@pytest.mark.parametrize(("cutting", "text", "length"), [(CUTTINGS[0], "Dé", 2), (CUTTINGS[3], " £中😀", 4)])
def test_lengths_are_those_of_the_text(cutting: Cutting, text: str, length: int) -> None:
    assert sum(map(cutting.length, words_of(text, cutting))) == length


def test_a_lone_surrogate_has_no_bytes() -> None:
    with pytest.raises(LoneSurrogate, match="lone surrogate"):
        WordCounter(CUTTINGS[3]).count(["a\ud800"])


def counted(source: Path | Corpus, cutting: Cutting = CUTTINGS[0], **options: Any) -> Counted:
    corpus = source if isinstance(source, Corpus) else Corpus([source], block_size=10_000)
    job = Counting(corpus, cutting, options.pop("hold_out", False))
    with TemporaryShelf() as shelf:
        return count_words(job, shelf, **options)


def as_one(found: Counted) -> Counter[str]:
    return Counter(dict(zip(found.words, found.counts, strict=True)))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four files of the same text in other shards than one file would be."""
    path = tmp_path_factory.mktemp("corpus")
    lines = [*topics()[:60_000].split("\n"), *generated()[:20_000].split("\n")]
    for number in range(4):
        (path / f"{number}.txt").write_text("\n".join(lines[number::4]), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def right(folder: Path) -> Counter[str]:
    texts = [line for file in sorted(folder.iterdir()) for line in file.read_text(encoding="utf-8").split("\n")]
    return Counter(word for text in texts for word in words_of(text, CUTTINGS[0]))


@pytest.mark.parametrize("block_size", [1_000, 30_000, 1 << 20])
def test_shards_do_not_matter(
    folder: Path, right: Counter[str], block_size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor their order, nor how many of them fit into memory. Nothing is lost, and nothing counted twice."""
    backwards = Corpus(sorted(folder.iterdir(), reverse=True), block_size=block_size)
    found = counted(backwards)
    assert as_one(found) == right
    assert found.tally.words == right.total()
    monkeypatch.setattr(counting, "MOST", 100)
    again = counted(folder)
    assert again.words == found.words  # in the same order
    assert again.counts == found.counts


@pytest.fixture
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small as a corpus is, there are processes to count it."""
    monkeypatch.setattr(counting, "SOON", 60)


@pytest.mark.usefixtures("patience")
def test_two_workers_count_what_one_does(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each process has a hash seed of its own."""
    given, submit = list[object](), ProcessPoolExecutor.submit

    def seen(pool: ProcessPoolExecutor, work: Any, *arguments: Any) -> "Future[Any]":
        given.extend(arguments)
        return submit(pool, work, *arguments)

    monkeypatch.setattr(ProcessPoolExecutor, "submit", seen)
    both = [counted(folder, hold_out=True, workers=workers) for workers in (1, 2)]
    assert both[0] == both[1]
    assert both[0].held_out
    assert 0 < len(given) < both[0].tally.blocks  # some are for this process
    assert not multiprocessing.active_children()


def test_the_end_is_seen_coming() -> None:
    """Else the last blocks would wait in the pool while this process had none."""
    seen = counting._with_what_is_left(iter("abcde"), 3)
    assert list(seen) == [("a", 3), ("b", 3), ("c", 3), ("d", 2), ("e", 1)]
    assert list(counting._with_what_is_left(iter("a"), 3)) == [("a", 1)]
    assert not list(counting._with_what_is_left(iter(""), 3))


def test_nothing_waits_for_processes_that_start(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started = threading.Event()
    monkeypatch.setattr(ProcessPoolExecutor, "submit", lambda *_: started.wait())
    monkeypatch.setattr(ProcessPoolExecutor, "shutdown", lambda *_, **__: started.set())
    assert counted(folder, workers=2) == counted(folder)
    assert started.is_set()


def test_what_is_one_block_starts_no_process(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def submit(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(ProcessPoolExecutor, "submit", submit)
    whole = Corpus([folder / "0.txt"], block_size=1 << 20)
    assert counted(whole, workers=2) == counted(whole)
    with pytest.raises(AssertionError):  # and what is more does
        counted(folder, workers=2)


def test_other_threads_are_let_in_sooner_while_several_count(folder: Path) -> None:
    before, met = sys.getswitchinterval(), list[float]()
    counted(folder, workers=2, listener=lambda _: met.append(sys.getswitchinterval()))
    assert max(met) < before == sys.getswitchinterval()


@pytest.mark.usefixtures("patience")
def test_a_worker_that_dies_is_an_error(folder: Path) -> None:
    """Though one goes on, which is this process."""

    def kill(_: Tally) -> None:
        for child in multiprocessing.active_children():
            child.kill()

    with pytest.raises(WorkerDied, match="take fewer workers"):
        counted(Corpus([folder], block_size=500), workers=2, listener=kill)


def test_what_is_held_out_is_not_learnt_and_follows_from_the_text(folder: Path, right: Counter[str]) -> None:
    found = counted(folder, hold_out=True)
    assert as_one(found) + Counter(found.held_out) == right
    assert 0.001 < sum(found.held_out.values()) / right.total() < 0.05
    backwards = Corpus(sorted(folder.iterdir(), reverse=True), block_size=5_000)
    assert counted(backwards, hold_out=True)[:3] == found[:3]


def test_rare_words_are_left_out_when_asked_and_told(
    folder: Path, right: Counter[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By how often they occur in all, and not in a block."""
    monkeypatch.setattr(counting, "MOST", 100)
    found = counted(folder, least=3)
    assert as_one(found) == {word: count for word, count in right.items() if count >= 3}
    rare = [count for count in right.values() if count < 3]
    assert (found.pruned, found.pruned_occurrences) == (len(rare), sum(rare))


@pytest.mark.parametrize(
    ("content", "expected"),
    [(b"", {}), (b"\n \n", {}), (b"A", {"a": 1}), (b"word", {"word": 1}), (b"Ab " * 70_000, {"ab": 70_000})],
    ids=["empty", "blank", "a character", "a word", "a long line"],
)
def test_small_and_long(tmp_path: Path, content: bytes, expected: dict[str, int]) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(content)
    assert as_one(counted(path)) == expected


def test_counts_have_64_bits_and_more() -> None:
    with TemporaryShelf() as shelf:
        buckets = Buckets(shelf)
        for number in range(3):
            buckets.add({"a": 2**62, "b": 1}, {"c": 1})
            if number < 2:  # the last counts stay in memory
                buckets.put_away(Tally(number + 1))
        assert dict(buckets.learnt()) == {"a": 3 * 2**62, "b": 3}
        assert dict(buckets.held_out()) == {"c": 3}


def test_a_full_disk_is_an_error() -> None:
    with TemporaryShelf() as shelf:
        shelf._file.close()
        shelf._file = Path("/dev/full").open("r+b", buffering=0)  # noqa: SIM115 (the shelf closes it)
        with pytest.raises(FileError, match=r"counts cannot be put there \(No space left on device\)\. Make room"):
            shelf.put({1: b"x"}, Tally(1))
        assert shelf.tally == Tally()


def test_where_a_word_goes_follows_from_the_word() -> None:
    places = {word: number for number, bucket in enumerate(spread(dict.fromkeys("abc\ud800", 1))) for word in bucket}
    assert places == {"a": 3, "b": 57, "c": 47, "\ud800": 40}


class LastingShelf(TemporaryShelf):
    """What is on it is gone on with."""

    lasts = True


class Ending(Pace):
    """Ends after so many steps."""

    def __init__(self, steps: int) -> None:
        super().__init__(0)
        self._steps = steps

    def check(self) -> None:
        self._steps -= 1
        if not self._steps:
            raise Stopped(signal.SIGTERM)


def test_counting_goes_on_where_it_ended(folder: Path) -> None:
    """After each number of blocks: none is counted again, and none left out."""
    job = Counting(Corpus([folder], block_size=30_000), CUTTINGS[0])
    whole = counted(job.corpus)
    blocks = whole.tally.blocks
    for number in range(1, blocks + 1):
        with LastingShelf() as shelf:
            with pytest.raises(Stopped, match="ended by SIGTERM"):
                count_words(job, shelf, pace=Ending(number))
            assert shelf.tally.blocks == number
            seen: list[Tally] = []
            assert count_words(job, shelf, listener=seen.append) == whole
            assert [tally.blocks for tally in seen] == list(range(number + 1, blocks + 1))


def test_words_of_tables_have_to_be_words() -> None:
    for cutting, word in ((CUTTINGS[0], "déjà"), (CUTTINGS[0], "a-b"), (CUTTINGS[3], "a b"), (CUTTINGS[3], "中")):
        with pytest.raises(NotAWord, match=f"the word '{word}' is none to the tokenizer that is trained"):
            cutting.require(word)
    CUTTINGS[0].require("deja")
    CUTTINGS[1].require("Déjà")
    CUTTINGS[3].require("ĠdÃ©")
