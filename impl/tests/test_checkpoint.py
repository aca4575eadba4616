"""Training that is ended at any moment goes on where it was, and what it learns is the same to the byte."""

import os
import resource
import signal
import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
import typer

import goldpiece
from goldpiece import BPETrainer, WordPieceTrainer
from goldpiece.cli import train
from goldpiece.corpus.corpus import Corpus
from goldpiece.errors import FileError, UsageError
from goldpiece.fast.training import Incremental, Merge, MergeDoesNotFit
from goldpiece.suite.corpus import topics
from goldpiece.training import checkpoint, pace
from goldpiece.training.buckets import Tally
from goldpiece.training.checkpoint import Checkpoint, Damaged, OtherCheckpoint
from goldpiece.training.cutting import BertCutting, ByteCutting
from goldpiece.training.job import Job, Keeping
from goldpiece.training.learning import learn
from goldpiece.training.pace import Pace, Stopped

from .conftest import Goldpiece

lmdb = pytest.importorskip("lmdb", reason="not run: lmdb is not installed")

KILLS = "GOLDPIECE_KILLS"  # so many rounds; CONTRIBUTING.md says how to run many
MODELS = (["wordpiece", "--size", "350", "--min-frequency", "2"], ["bpe", "--size", "400"])
IDENTITY = {"version": "1", "corpus": "abc", "size": "9"}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Forty files, which are counted one after the other."""
    folder = tmp_path_factory.mktemp("corpus")
    for number in range(40):
        (folder / f"{number:02}.txt").write_text(topics()[number * 2_000 :][:2_000], encoding="utf-8")
    return folder


def files(folder: Path) -> Mapping[str, bytes]:
    """What is whole: a process that is killed may leave a hidden file that it was about to write."""
    return {path.name: path.read_bytes() for path in folder.glob("[!.]*")}


@pytest.fixture(scope="module")
def right(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Sequence[tuple[Mapping[str, bytes], float]]:
    """For each model what comes out where nothing goes wrong, and how many seconds it takes."""
    command = typer.main.get_command(train.app)
    found = []
    for model in MODELS:
        out = tmp_path_factory.mktemp("right")
        begun = time.monotonic()
        command([*model, str(corpus), "-o", str(out)], standalone_mode=False)
        found.append((files(out), time.monotonic() - begun))
    return found


@pytest.mark.parametrize("number", range(int(os.environ.get(KILLS, "2"))))
def test_what_is_killed_ends_as_if_it_were_not(
    goldpiece: Goldpiece, corpus: Path, tmp_path: Path, right: Sequence[tuple[Mapping[str, bytes], float]], number: int
) -> None:
    """At random moments: of starting, counting, learning and writing."""
    draws = Random(number)
    expected, seconds = right[number % 2]
    arguments = ["train", *MODELS[number % 2], str(corpus), "-o", str(tmp_path / "out")]
    arguments += ["--checkpoint", str(tmp_path / "kept"), "--resume"]
    arguments += ["--checkpoint-every", str(draws.choice([0.01, 0.05, 0.2]))]
    workers = ["--workers", "2"] if number % 5 == 4 else []
    for _ in range(draws.randint(1, 3)):
        done = goldpiece(*arguments, *workers, end=(draws.uniform(0, 3 * seconds), signal.SIGKILL))
        assert done.returncode in (0, -signal.SIGKILL)
    done = goldpiece(*arguments)
    assert done.returncode == 0, done.stderr
    assert files(tmp_path / "out") == expected


class Seen:
    """Hears from a job, and ends the process behind so many blocks or merges: its own, by a signal."""

    def __init__(self, blocks: int = 0, merges: int = 0, number: int = signal.SIGTERM) -> None:
        self.blocks: list[int] = []
        self.merges: list[Merge] = []
        self._end, self._number = (blocks, merges), number

    def counted(self, tally: Tally) -> None:
        self.blocks.append(tally.blocks)
        self._perhaps(tally.blocks == self._end[0])

    def merged(self, _: object, merge: Merge) -> None:
        self.merges.append(merge)
        self._perhaps(len(self.merges) == self._end[1])

    def _perhaps(self, end: bool) -> None:
        if end:
            os.kill(os.getpid(), self._number)


def job(corpus: Path | Corpus, size: int = 300, trainer: Incremental | None = None) -> Job:
    source = corpus if isinstance(corpus, Corpus) else Corpus([corpus])
    return Job(trainer or WordPieceTrainer(size, min_frequency=2), BertCutting(("[UNK]",)), source)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_work_when_it_is_kept(corpus: Path, tmp_path: Path, number: int) -> None:
    """Nothing is lost, though it is long before the next time to keep it."""
    whole = job(corpus).run(Seen())
    before = signal.getsignal(number)
    for seen in (Seen(blocks=7, number=number), Seen(merges=11, number=number)):
        with pytest.raises(Stopped, match=f"ended by {signal.Signals(number).name}"):
            job(corpus).run(seen, Keeping(tmp_path, resume=True))
        assert signal.getsignal(number) == before
    assert seen.blocks == list(range(8, 41))
    last = Seen()
    with checkpoint.opened(tmp_path, job(corpus).identity(), resume=True) as kept:
        assert len(kept.merges()) == 11
        assert kept.tally.blocks == 40
    assert job(corpus).run(last, Keeping(tmp_path, resume=True)) == whole
    assert last.blocks == []
    assert job(corpus).run(Seen(), Keeping(tmp_path, resume=True)) == whole  # though all was done


def test_the_command_says_how_to_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: Any) -> None:
    def run(*_: object) -> None:
        raise Stopped(signal.SIGTERM)

    monkeypatch.setattr(Job, "run", run)
    (tmp_path / "a.txt").write_text("a", encoding="utf-8")
    command = typer.main.get_command(train.app)
    arguments = ["bpe", str(tmp_path / "a.txt"), "--size", "300", "-o", str(tmp_path), "--checkpoint", "kept"]
    assert command(arguments, standalone_mode=False) == 143
    assert capfd.readouterr().err == "ended by SIGTERM; what is done is in kept: go on by --resume\n"


def test_a_second_signal_is_not_heeded() -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # it is ignored by what runs in the background
    try:
        pace = Pace()
        with pace.heeding_signals():
            os.kill(os.getpid(), signal.SIGINT)
            assert pace.is_time()
            with pytest.raises(KeyboardInterrupt):
                os.kill(os.getpid(), signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)


def test_work_is_kept_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    pace = Pace(30)
    assert (pace.is_time(), pace.is_time(999), pace.is_time(1_000)) == (False, False, True)
    now = 30.0
    assert pace.is_time()
    pace.kept()
    assert not pace.is_time()


class InMemory:
    """Merges that are kept in parts."""

    def __init__(self) -> None:
        self.parts: list[list[Merge]] = []

    def merges(self) -> list[Merge]:
        return [merge for part in self.parts for merge in part]

    def append(self, merges: Sequence[Merge]) -> None:
        self.parts.append(list(merges))


@pytest.mark.parametrize("ties", ["ids", "first_seen"])
@pytest.mark.parametrize("trainer", [WordPieceTrainer, BPETrainer])
def test_merges_go_on_from_any(trainer: Any, ties: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace, "MERGES", 10)
    draws = Random(1)
    words = sorted({"".join(draws.choices("aabbcde", k=draws.randint(1, 12))) for _ in range(90)})
    make = trainer(60, min_frequency=2, ties=ties)
    right = make.train_from_counts(words, [1] * len(words))
    kept = InMemory()
    assert learn(make, words, [1] * len(words), kept=kept).trained == right
    assert {len(part) for part in kept.parts[:-1]} == {10}
    merges = kept.merges()
    for number in range(0, len(merges), 7):
        kept.parts = [merges[:number]]
        seen = Seen()
        assert learn(make, words, [1] * len(words), kept=kept, listener=seen.merged).trained == right
        assert kept.merges() == seen.merges == merges
    with pytest.raises(MergeDoesNotFit, match="go on with the same words"):
        learn(make, words, [2] * len(words), kept=kept)


def opened(folder: Path, **other: str) -> AbstractContextManager[Checkpoint]:
    return checkpoint.opened(folder, IDENTITY | other, resume=True)


def filled(folder: Path) -> Path:
    """A checkpoint of a megabyte, and more than fits into what was reserved at first."""
    with opened(folder) as kept:
        for number in range(1, 9):
            kept.put({bucket: bytes([number]) * 3_000 for bucket in range(0, 65, 2)}, Tally(number))
        kept.append([Merge(0, ("a", "b"), "ab", 5, 6, 7, 1), Merge(1, ("ab", "\ud800"), "ab\ud800", 2**70, 6, 7, 1)])
        kept.append([Merge(2, ("x", "y"), "xy", 1, 2, 3, 9)])
    return folder


def test_what_is_kept_comes_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint, "ROOM", 1 << 16)
    filled(tmp_path)
    with opened(tmp_path) as kept:
        assert kept.tally == Tally(8)
        assert list(kept.segments(2)) == [bytes([number]) * 3_000 for number in range(1, 9)]
        assert list(kept.segments(1)) == []
        assert [merge.rank for merge in kept.merges()] == [0, 1, 2]
        assert kept.merges()[1] == Merge(1, ("ab", "\ud800"), "ab\ud800", 2**70, 6, 7, 1)


def test_a_checkpoint_is_of_one_thing(tmp_path: Path) -> None:
    filled(tmp_path)
    for name, value in IDENTITY.items():
        with pytest.raises(OtherCheckpoint, match=f"the checkpoint is of another {name}: {value}, and not new"):
            opened(tmp_path, **{name: "new"}).__enter__()
    with pytest.raises(OtherCheckpoint, match=r"there is a checkpoint in it already\. Say --resume to go on with it"):
        checkpoint.opened(tmp_path, IDENTITY, resume=False).__enter__()


def test_what_a_job_is_of(corpus: Path, tmp_path: Path) -> None:
    """The number of workers is no part of it, all else is."""
    jobs = [
        job(corpus),
        job(corpus, 301),
        job(tmp_path),
        job(corpus, trainer=BPETrainer(300, min_frequency=2, special_tokens=job(corpus).trainer.special_tokens)),
        job(Corpus([corpus], bad_bytes="replace")),
        *(
            replace(job(corpus), **other)
            for other in ({"hold_out": True}, {"min_word_count": 2}, {"cutting": ByteCutting(())})
        ),
    ]
    (tmp_path / "a.txt").write_text("another text", encoding="utf-8")
    identities = [each.identity() for each in jobs]
    assert all(identities.count(identity) == 1 for identity in identities)
    assert replace(jobs[0], workers=2).identity() == identities[0]
    assert identities[0]["version"].startswith(goldpiece.__version__)


@pytest.mark.parametrize("kind", ["cut", "short", "overwritten", "zeros", "a bit", "another file"])
def test_what_is_damaged_is_refused(tmp_path: Path, kind: str) -> None:
    data = filled(tmp_path) / "data.mdb"
    content = bytearray(data.read_bytes())
    place = content.index(bytes([3]) * 1_000)
    match kind:
        case "cut":
            del content[len(content) // 2 :]
        case "short":
            del content[-1:]
        case "overwritten":
            content[len(content) // 2 :] = Random(1).randbytes(len(content) - len(content) // 2)
        case "zeros":
            content[8_192:] = bytes(len(content) - 8_192)
        case "a bit":
            content[place] ^= 1
        case _:
            content[:] = b"no LMDB " * 9_999
    data.write_bytes(content)
    with pytest.raises(Damaged, match=r"the checkpoint is damaged .*\. Delete the folder and begin anew"):
        opened(tmp_path).__enter__()


def test_a_missing_merge_is_damage(tmp_path: Path) -> None:
    filled(tmp_path)
    with lmdb.open(str(tmp_path)) as environment, environment.begin(write=True) as transaction:
        transaction.delete(b"merges/0000000000")
    with pytest.raises(Damaged, match="the merge of rank 0 is missing"):
        opened(tmp_path).__enter__()


def test_a_full_disk_is_an_error_and_harms_nothing(tmp_path: Path) -> None:
    """Files may not grow beyond a limit, which is what a full disk is to a process."""
    filled(tmp_path)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    with opened(tmp_path) as kept:
        resource.setrlimit(resource.RLIMIT_FSIZE, ((tmp_path / "data.mdb").stat().st_size + 10_000, limits[1]))
        try:
            with pytest.raises(FileError, match=r"the checkpoint cannot be written or read .* Make room on the disk"):
                kept.put({1: bytes(10**6)}, Tally(99))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    with opened(tmp_path) as kept:
        assert kept.tally == Tally(8)
        kept.put({1: bytes(10**6)}, Tally(99))


def test_two_processes_do_not_mix(tmp_path: Path) -> None:
    filled(tmp_path)
    with opened(tmp_path) as kept:
        before = dict(vars(kept))
        later = [Merge(3, ("p", "q"), "pq", 1, 2, 3, 9)]
        kept.put({1: b"1"}, Tally(9))
        kept.append(later)
        vars(kept).update(before, _merges=before["_merges"][:3])  # as one that has not seen it
        for write in (partial(kept.put, {1: b"1"}, Tally(10)), partial(kept.append, later)):
            with pytest.raises(FileError, match="another process writes to this checkpoint"):
                write()


def test_a_folder_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(FileError, match="file: the checkpoint cannot be written or read"):
        opened(tmp_path / "file").__enter__()


def test_a_missing_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint, "find_spec", lambda _: None)
    with pytest.raises(UsageError, match=r"not installed: run `pip install 'goldpiece\[checkpoint\]'`"):
        opened(tmp_path).__enter__()
