"""The words of a corpus counted: block by block, on as many processors as wanted."""

import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from math import inf
from typing import NamedTuple, TypeAlias, TypeVar
from zlib import crc32

from goldpiece.corpus.blocks import Block
from goldpiece.corpus.corpus import Corpus
from goldpiece.errors import GoldpieceError
from goldpiece.training.buckets import MOST, Buckets, Shelf, Tally
from goldpiece.training.cutting import Cutting, WordCounter
from goldpiece.training.pace import Pace

A = TypeVar("A")

ONE_IN = 100  # texts is held out
PATIENCE = 0.2  # seconds without a look at whether to end
HAND_OVER = 0.0005  # seconds until counting lets the thread in that takes what the pool has: the pool waits for it
SOON = 0.02  # seconds in which processes start where the server that forks them is there already
AHEAD = 3  # blocks for each process of the pool that wait or are being counted: with 2 it idled now and then
WAITING = 3  # times as many may be in memory


class Result(NamedTuple):
    """What was counted in a block, and what it adds to the tally."""

    learnt: Mapping[str, int]
    held_out: Mapping[str, int]
    tally: Tally


class WorkerDied(GoldpieceError):
    """A process that counted is gone."""

    def __init__(self) -> None:
        super().__init__("a process that counted words has died, as happens where memory is short: take fewer workers")


@dataclass(frozen=True)
class Counting:
    """What is counted. Where texts are held out, it is one in a hundred, and follows from the text alone which."""

    corpus: Corpus
    cutting: Cutting
    hold_out: bool = False


class Counted(NamedTuple):
    """The words of a corpus, in an order that follows from them alone."""

    words: list[str]
    counts: list[int]
    held_out: dict[str, int]  # the words of the texts that are not learnt from
    tally: Tally
    pruned: int = 0  # words that occurred less often than `least`
    pruned_occurrences: int = 0


@dataclass
class Worker:
    """Counts blocks, one after the other."""

    counting: Counting
    _counter: WordCounter = field(init=False)

    def __post_init__(self) -> None:
        self._counter = WordCounter(self.counting.cutting)

    def __call__(self, block: Block) -> Result:
        """The counts of a block."""
        reader = self.counting.corpus.reader()
        texts = list(block.texts(reader))
        held_out = {text for text in texts if self.counting.hold_out and _is_held_out(text)}
        learnt = self._counter.count(text for text in texts if text not in held_out)
        others = self._counter.count(text for text in texts if text in held_out)
        words = learnt.total() + others.total()
        return Result(learnt, others, Tally(1, 0, len(texts), words, reader.replaced, reader.first_replaced))


def _is_held_out(text: str) -> bool:
    return crc32(text.encode("utf-8", "surrogatepass")) % ONE_IN == 0


def count_words(
    counting: Counting,
    shelf: Shelf,
    *,
    workers: int = 1,
    least: int = 1,
    pace: Pace | None = None,
    listener: Callable[[Tally], None] = lambda _: None,
) -> Counted:
    """How often a corpus has each word, however many workers count.

    It goes on where the shelf ends. Words that occur less often than `least` are left out, after all are counted; until
    then no more than MOST lie in memory. Raises FileError, WorkerDied, Stopped, and what cutting raises.
    """
    pace = pace or Pace(inf)
    buckets = Buckets(shelf)
    tally = shelf.tally
    try:
        with _mapping(Worker(counting), workers, pace) as mapped:
            for done, (learnt, held_out, more) in mapped(islice(counting.corpus.blocks(), tally.blocks, None)):
                buckets.add(learnt, held_out)
                tally = _added(tally, more, done)
                listener(tally)
                if pace.is_time() or len(buckets) > MOST:
                    buckets.put_away(tally)
                    pace.kept()
                pace.check()
        return _reduced(buckets, tally, least)
    finally:
        if shelf.lasts:
            buckets.put_away(tally)


def _added(tally: Tally, more: Tally, done: int) -> Tally:
    return Tally(
        tally.blocks + more.blocks,
        done,
        tally.texts + more.texts,
        tally.words + more.words,
        tally.replaced + more.replaced,
        tally.first_replaced or more.first_replaced,
    )


def _reduced(buckets: Buckets, tally: Tally, least: int) -> Counted:
    found = Counted([], [], dict(buckets.held_out()), tally)
    pruned = []
    for word, count in buckets.learnt():
        if count < least:
            pruned.append(count)
        else:
            found.words.append(word)
            found.counts.append(count)
    return found._replace(pruned=len(pruned), pruned_occurrences=sum(pruned))


# Several processes.

Mapped: TypeAlias = Callable[[Iterator[tuple[int, Block]]], Iterator[tuple[int, Result]]]


@contextmanager
def _mapping(worker: Worker, workers: int, pace: Pace) -> Iterator[Mapped]:
    """Has blocks counted in their order, with few of them in memory. One of the workers is this process."""
    if workers == 1:
        yield lambda blocks: ((done, worker(block)) for done, block in blocks)
        return
    pool = _Pool(workers - 1, worker.counting)
    before = sys.getswitchinterval()
    sys.setswitchinterval(min(before, HAND_OVER))
    try:
        yield lambda blocks: _in_order(pool, worker, blocks, workers - 1, pace)
    finally:
        sys.setswitchinterval(before)
        pool.executor.shutdown(cancel_futures=True)


class _Pool:
    """Processes that count blocks, and that start while others are counted."""

    def __init__(self, processes: int, counting: Counting) -> None:
        # A process that is forked from one with threads may hang; what is started anew does not.
        has_server = "forkserver" in multiprocessing.get_all_start_methods()
        context = multiprocessing.get_context("forkserver" if has_server else "spawn")
        context.set_forkserver_preload([__name__])  # what the server has imported is there in each process
        self.executor = ProcessPoolExecutor(processes, context, _begin, (counting,))
        self._starting: Future[Future[None]] | None = None

    def is_ready(self) -> bool:
        """Whether it has started, which begins with the first call: who gives it a block before that will wait."""
        if self._starting is None:
            starter = ThreadPoolExecutor(1)
            self._starting = starter.submit(self.executor.submit, _nothing)
            starter.shutdown(wait=False)
            wait([self._starting], SOON)
        return self._starting.done()


def _in_order(
    pool: _Pool, worker: Worker, blocks: Iterator[tuple[int, Block]], processes: int, pace: Pace
) -> Iterator[tuple[int, Result]]:
    """Counts here what the pool, which is still starting at first, would not come to before long.

    At the end a process of it gets no more than are left, so that this one waits for none; the last is counted here.
    """
    waiting: deque[tuple[int, Future[Result]]] = deque()
    try:
        for (done, block), left in _with_what_is_left(blocks, AHEAD):
            is_wanted = sum(not future.done() for _, future in waiting) < left * processes
            if left > 1 and pool.is_ready() and is_wanted:
                future = pool.executor.submit(_count, block)
            else:
                future = Future()
                future.set_result(worker(block))
            waiting.append((done, future))
            while waiting and (waiting[0][1].done() or len(waiting) >= WAITING * AHEAD * processes):
                first, future = waiting.popleft()
                yield first, _result(future, pace)
        for done, future in waiting:
            yield done, _result(future, pace)
    except BrokenProcessPool as error:
        raise WorkerDied from error


def _with_what_is_left(each: Iterator[A], most: int) -> Iterator[tuple[A, int]]:
    """Each, and how many there still are, itself included: `most` if they are more."""
    coming = deque(islice(each, most))
    while coming:
        yield coming[0], len(coming)
        coming.popleft()
        coming.extend(islice(each, 1))


def _result(future: "Future[Result]", pace: Pace) -> Result:
    while True:
        try:
            return future.result(timeout=PATIENCE)
        except TimeoutError:
            pace.check()


class _Here:
    """What counts in a process of the pool."""

    worker: Worker


def _begin(counting: Counting) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes, and the first of them decides
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _Here.worker = Worker(counting)


def _end_with_parent() -> None:
    """A process that is killed takes none with it: its pool would wait for ever."""
    if parent := multiprocessing.parent_process():
        parent.join()
        os._exit(1)


def _nothing() -> None:
    pass


def _count(block: Block) -> Result:
    return _Here.worker(block)
