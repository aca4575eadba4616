"""Counts of words, spread over buckets by a hash of the word: each can be put away, and summed by itself."""

import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from errno import ENOSPC
from tempfile import TemporaryFile, gettempdir
from types import TracebackType
from typing import Protocol, Self
from zlib import crc32

from goldpiece.errors import FileError

BUCKETS = 64
HELD_OUT = BUCKETS  # a bucket more, on the shelf: the words of texts that are not learnt from
MOST = 1_000_000  # different words that are kept in memory, which take some 150 MB


@dataclass(frozen=True)
class Tally:
    """How far counting has come."""

    blocks: int = 0
    done: int = 0  # bytes of files
    texts: int = 0
    words: int = 0  # as often as they occur
    replaced: int = 0  # texts with bytes that are no UTF-8
    first_replaced: str = ""  # where


class Shelf(Protocol):
    """Where counts lie that were put away, and up to where in the corpus they go."""

    @property
    def lasts(self) -> bool:
        """Whether what is on it is there for those who come later."""
        ...

    @property
    def tally(self) -> Tally:
        """What the counts on the shelf are of."""
        ...

    def put(self, segments: Mapping[int, bytes], tally: Tally) -> None:
        """Keeps a segment more of some buckets, and the tally with them: all or nothing. Raises FileError."""
        ...

    def segments(self, bucket: int) -> Iterator[bytes]:
        """The segments of a bucket, in the order in which they came. Raises FileError."""
        ...


class TemporaryShelf:
    """A file that is gone when it is closed."""

    lasts = False

    def __init__(self) -> None:
        self.tally = Tally()
        self._file = TemporaryFile(buffering=0)  # noqa: SIM115 (closed at the end of the shelf's own block)
        self._places: list[tuple[int, int, int]] = []  # bucket, first byte, length

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def put(self, segments: Mapping[int, bytes], tally: Tally) -> None:
        """See Shelf."""
        for bucket, content in segments.items():
            self._places.append((bucket, self._file.seek(0, 2), len(content)))
            try:
                if self._file.write(content) < len(content):
                    raise OSError(ENOSPC, os.strerror(ENOSPC))
            except OSError as error:
                problem = f"counts cannot be put there ({error.strerror})"
                raise FileError(gettempdir(), None, problem, "Make room on the disk, or set TMPDIR") from error
        self.tally = tally

    def segments(self, bucket: int) -> Iterator[bytes]:
        """See Shelf."""
        for own, start, length in self._places:
            if own == bucket:
                self._file.seek(start)
                yield self._file.read(length)


def spread(counts: Mapping[str, int]) -> list[dict[str, int]]:
    """The counts of each bucket: which it is follows from the word alone, in any process."""
    buckets: list[dict[str, int]] = [{} for _ in range(BUCKETS)]
    for word, count in counts.items():
        buckets[crc32(word.encode("utf-8", "surrogatepass")) % BUCKETS][word] = count
    return buckets


class Buckets:
    """Counts that are added up in memory, as far as there is room, and spread over buckets on a shelf."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._learnt: Counter[str] = Counter()
        self._held_out: Counter[str] = Counter()

    def add(self, learnt: Mapping[str, int], held_out: Mapping[str, int]) -> None:
        """Adds the counts of words that are learnt from, and of those that are not."""
        self._learnt.update(learnt)
        self._held_out.update(held_out)

    def __len__(self) -> int:
        """How many words are in memory."""
        return len(self._learnt) + len(self._held_out)

    def put_away(self, tally: Tally) -> None:
        """Puts what is in memory on the shelf."""
        buckets = enumerate([*spread(self._learnt), self._held_out])
        self._shelf.put({bucket: json.dumps(counts).encode() for bucket, counts in buckets if counts}, tally)
        self._learnt.clear()
        self._held_out.clear()

    def learnt(self) -> Iterator[tuple[str, int]]:
        """The words and how often they were met in all, in an order that follows from the words alone."""
        for bucket, counts in enumerate(spread(self._learnt)):
            yield from self._summed(bucket, counts)

    def held_out(self) -> Iterator[tuple[str, int]]:
        """The same of the words that are not learnt from."""
        return self._summed(HELD_OUT, self._held_out)

    def _summed(self, bucket: int, in_memory: Mapping[str, int]) -> Iterator[tuple[str, int]]:
        counts = Counter(in_memory)
        for segment in self._shelf.segments(bucket):
            counts.update(json.loads(segment))
        yield from sorted(counts.items())
