"""Counts and merges kept on disk while they are made, each piece of work in one transaction of LMDB.

What lies there is of one corpus, configuration and version, which the checkpoint names. Every record has a digest of
its own, since LMDB has none.
"""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from hashlib import blake2b
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeAlias

from goldpiece.errors import FileError, UsageError
from goldpiece.fast.training import Merge
from goldpiece.training.buckets import Tally

Identity: TypeAlias = Mapping[str, str]  # what a checkpoint is of, part by part

DATA = "data.mdb"  # as LMDB calls it
ROOM = 64 << 20  # bytes; doubled whenever they are full
DIGEST = 16  # bytes in front of each record
IDENTITY, TALLY, COUNTS, MERGES = b"identity", b"tally", b"counts", b"merges"
SHOWN = 60  # characters of what differs
READ_ALL = (  # a process of its own
    "import lmdb, sys; environment = lmdb.open(sys.argv[1], readonly=True, lock=False); "
    "[None for _ in environment.begin().cursor()]"
)
ANEW = "Delete the folder and begin anew, or name another"


class OtherCheckpoint(FileError):
    """A checkpoint of something else, or one where there should be none."""


class Damaged(FileError):
    """A checkpoint that is not as it was written."""

    def __init__(self, folder: Path, problem: str) -> None:
        super().__init__(folder, None, f"the checkpoint is damaged ({problem})", ANEW)


class Checkpoint:
    """A folder with what was counted and merged so far: a Shelf for counting, and Merges for learning."""

    def __init__(self, folder: Path, environment: Any) -> None:
        self.lasts = True
        self.tally = Tally()
        self._folder, self._environment = folder, environment
        self._puts = 0  # a bucket has no more segments
        self._merges: list[Merge] = []

    def put(self, segments: Mapping[int, bytes], tally: Tally) -> None:
        """See Shelf."""
        if tally == self.tally:  # nothing has been counted since
            return
        records = {_key(COUNTS, bucket, self._puts): content for bucket, content in segments.items()}
        before = _written([self._puts, asdict(self.tally)])
        self._write({**records, TALLY: _written([self._puts + 1, asdict(tally)])}, TALLY, before)
        self._puts += 1
        self.tally = tally

    def segments(self, bucket: int) -> Iterator[bytes]:
        """See Shelf."""
        for number in range(self._puts):
            with _failing(self._folder), self._environment.begin() as transaction:
                content = transaction.get(_key(COUNTS, bucket, number))
            if content is not None:
                yield self._checked(content)

    def merges(self) -> list[Merge]:
        """See Merges."""
        return list(self._merges)

    def append(self, merges: Sequence[Merge]) -> None:
        """See Merges."""
        if merges:
            key = _key(MERGES, len(self._merges))
            self._write({key: _written(merges)}, key, None)
            self._merges += merges

    def recognize(self, identity: Identity) -> None:
        """Takes up what is there, and writes what it is of if there is nothing. Raises OtherCheckpoint and Damaged."""
        with _failing(self._folder), self._environment.begin() as transaction:
            records = {key: self._checked(content) for key, content in transaction.cursor()}
        if IDENTITY not in records:
            self._write({IDENTITY: _written(identity), TALLY: _written([0, asdict(self.tally)])}, IDENTITY, None)
            return
        self._require(json.loads(records[IDENTITY]), identity)
        self._puts, tally = json.loads(records[TALLY])
        self.tally = Tally(**tally)
        for key in sorted(key for key in records if key.startswith(MERGES)):
            if key != _key(MERGES, len(self._merges)):
                raise Damaged(self._folder, f"the merge of rank {len(self._merges):,} is missing")
            self._merges += [Merge(rank, (*pair,), *others) for rank, pair, *others in json.loads(records[key])]

    def _require(self, found: Identity, identity: Identity) -> None:
        for name, value in identity.items():
            if found.get(name) != value:
                was = f"{found.get(name)}"[:SHOWN]
                problem = f"the checkpoint is of another {name}: {was}, and not {value[:SHOWN]}"
                raise OtherCheckpoint(self._folder, None, problem, f"Go on with what it is of. {ANEW}")

    def _checked(self, record: bytes) -> bytes:
        digest, content = record[:DIGEST], record[DIGEST:]
        if digest != _digest(content):
            raise Damaged(self._folder, "a record has another digest than it had")
        return content

    def _write(self, records: Mapping[bytes, bytes], key: bytes, before: bytes | None) -> None:
        """All records or none. Raises FileError, also where what `key` stands for is not what it was `before`."""
        lmdb = _lmdb()
        while True:
            try:
                with _failing(self._folder), self._environment.begin(write=True) as transaction:
                    found = transaction.get(key)
                    if found != (None if before is None else _digest(before) + before):
                        raise FileError(self._folder, None, "another process writes to this checkpoint", "End one")
                    for name, content in records.items():
                        transaction.put(name, _digest(content) + content)
            except lmdb.MapFullError:
                self._environment.set_mapsize(2 * self._environment.info()["map_size"])
            else:
                return


@contextmanager
def opened(folder: Path, identity: Identity, resume: bool) -> Iterator[Checkpoint]:
    """The checkpoint in a folder, which is made if need be; with `resume` that which is there is gone on with.

    Raises OtherCheckpoint for one that is of something else, or that is there without `resume`; Damaged; FileError
    where the folder cannot be written; UsageError if LMDB is missing.
    """
    lmdb = _lmdb()
    is_there = (folder / DATA).is_file() and (folder / DATA).stat().st_size > 0
    if is_there and not resume:
        problem = "there is a checkpoint in it already"
        raise OtherCheckpoint(folder, None, problem, "Say --resume to go on with it, or name another folder")
    if is_there:
        _require_readable(folder)
    with _failing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        environment = lmdb.open(str(folder), map_size=ROOM)
    with environment:
        # What lies behind the end of the file is in the memory that LMDB maps: to reach it would end the process.
        pages, size = environment.info()["last_pgno"] + 1, environment.stat()["psize"]
        if is_there and pages * size > (folder / DATA).stat().st_size:
            raise Damaged(folder, "its end is missing")
        checkpoint = Checkpoint(folder, environment)
        checkpoint.recognize(identity)
        yield checkpoint


def _require_readable(folder: Path) -> None:
    """Raises Damaged where LMDB does not survive to read, as it trusts what it maps. An error comes up later."""
    done = subprocess.run([sys.executable, "-c", READ_ALL, str(folder)], stderr=subprocess.DEVNULL, check=False)  # noqa: S603
    if done.returncode not in (0, 1):
        raise Damaged(folder, "it cannot be read to its end")


def _lmdb() -> Any:
    if find_spec("lmdb") is None:
        raise UsageError("a checkpoint needs lmdb, which is not installed: run `pip install 'goldpiece[checkpoint]'`")
    return import_module("lmdb")


@contextmanager
def _failing(folder: Path) -> Iterator[None]:
    """Raises Damaged or FileError for what LMDB raises, but for a map that is full."""
    lmdb = _lmdb()
    try:
        yield
    except lmdb.MapFullError:
        raise
    except (lmdb.CorruptedError, lmdb.InvalidError, lmdb.PageNotFoundError, lmdb.VersionMismatchError) as error:
        raise Damaged(folder, str(error)) from error
    except (OSError, lmdb.Error) as error:
        problem = f"the checkpoint cannot be written or read ({error})"
        raise FileError(folder, None, problem, "Make room on the disk, or name another folder") from error


def _key(kind: bytes, *numbers: int) -> bytes:
    """Keys of one kind, in the order of their numbers."""
    return b"/".join([kind, *(b"%010d" % number for number in numbers)])


def _written(value: object) -> bytes:
    return json.dumps(value).encode()


def _digest(content: bytes) -> bytes:
    return blake2b(content, digest_size=DIGEST).digest()
