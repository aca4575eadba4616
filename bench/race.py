"""`python -m goldpiece.bench.race`: WordPiece by the kernels of Goldpiece beside other libraries, in one run.

It needs GOLDPIECE_DATA for bert-base-uncased and the corpora, and the extras `fast` and `rivals`; who is not installed
is left out, and that is said. Texts are documents of some 2 kB. Before anything is timed, all ids are compared with
those of tokenizers. Rounds are interleaved, so that all have the machine as it is at that moment, and of each the
shortest counts: what interrupts a machine only ever lengthens. With one thread it is processor time that is taken, of
which others that are at work on the machine take none. Every round has strings of its own, for CPython keeps the UTF-8
of those that were asked for it once.

tiktoken is not here: it has no WordPiece, and other ids cannot be compared.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib.metadata import version
from importlib.util import find_spec
from math import ceil
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldpiece import Tokenizer
from goldpiece.suite.corpus import documents, read_corpus
from goldpiece.suite.data import data_file

Ids: TypeAlias = NDArray[np.int64]
Encode: TypeAlias = Callable[[list[str]], Any]  # its result is whatever a library gives

VOCAB = "bert/bert-base-uncased-vocab.txt"
CORPORA = {"linuxdoc": 8_000_000, "multilingual": 4_000_000, "tinyshakespeare": 8_000_000}  # characters at most
DOCUMENT = 2_000  # characters
SLOW = 8  # every eighth document is enough for who takes a hundred times as long
SENTENCE = "The quick brown fox jumps over the lazy dog, doesn't it?"
CALLS = 20_000
OURS, OURS_ALL, RIVAL, PEER, PEER_ALL = (
    "goldpiece, ids",
    "goldpiece, all",
    "nanotoken, ids",
    "tokenizers, ids",
    "tokenizers, all",
)
SLOW_ONES = (PEER, PEER_ALL)
PACKAGES = {OURS: "goldpiece", OURS_ALL: "goldpiece", RIVAL: "nanotoken", PEER: "tokenizers", PEER_ALL: "tokenizers"}


def threads_asked_for() -> int:
    """By the process that started this one."""
    return int(os.environ.get("RAYON_NUM_THREADS", "1"))


def contender(name: str) -> tuple[Encode, Callable[[Any], Ids], Callable[[str], Any]]:
    """What encodes texts, all ids of its result, and what encodes one text. Any: of libraries without types."""
    path, threads = str(data_file(VOCAB)), threads_asked_for()
    if name in (OURS, OURS_ALL):
        ours = Tokenizer.from_vocab(path, engine="fast")
        if name == OURS:
            return lambda texts: ours.encode_ids_batch(texts, workers=threads), lambda made: made.flat, ours.encode_ids
        return lambda texts: ours.encode_batch(texts, workers=threads), lambda made: made.flat_ids, ours.encode
    if name == RIVAL:
        import nanotoken  # noqa: PLC0415 (it may be lacking, and its import is part of the start)

        rival = nanotoken.Tokenizer.from_vocab(path)
        return (
            lambda texts: rival.encode_batch(texts, parallel=threads > 1),
            lambda made: np.asarray(made.ids),
            rival.encode,
        )
    from tokenizers import BertWordPieceTokenizer  # noqa: PLC0415

    peer: Any = BertWordPieceTokenizer(path, lowercase=True)._tokenizer
    encode = peer.encode_batch_fast if name == PEER else peer.encode_batch
    return encode, lambda made: np.concatenate([row.ids for row in made]), peer.encode


def installed(names: Sequence[str]) -> dict[str, str]:
    """Those that are there, with their versions."""
    for package in sorted({PACKAGES[name] for name in names if not has(PACKAGES[name])}):
        sys.stdout.write(f"not run: {package} is not installed\n")
    return {name: version(PACKAGES[name]) for name in names if has(PACKAGES[name])}


def has(package: str) -> bool:
    return find_spec(package) is not None


def fresh(texts: Sequence[str]) -> list[str]:
    """The same texts as strings that nobody has seen yet."""
    return [(text + " ")[:-1] for text in texts]


def seconds(encode: Encode, texts: Sequence[str]) -> float:
    new, clock = fresh(texts), time.perf_counter if threads_asked_for() > 1 else time.process_time
    start = clock()
    encode(new)
    return clock() - start


def throughput(corpus: str, rounds: int) -> Mapping[str, float]:
    """MB/s of UTF-8 of each that is installed, by its shortest round; raises AssertionError where ids differ."""
    names = [name for name in PACKAGES if has(PACKAGES[name])]
    texts = list(documents(read_corpus(corpus), DOCUMENT))
    texts = texts[: CORPORA[corpus] // DOCUMENT]
    some = texts[::SLOW]
    ready = {name: contender(name) for name in names}
    right = ready[PEER][1](ready[PEER][0](texts)) if PEER in ready else None
    for name, (encode, ids_of, _) in ready.items():
        if right is not None and name not in SLOW_ONES:
            assert np.array_equal(ids_of(encode(texts)), right), f"the ids of {name} on {corpus} are others"
    spent: dict[str, list[float]] = {name: [] for name in names}
    for turn in range(rounds):
        for name, (encode, _, _) in ready.items():
            if name not in SLOW_ONES:
                spent[name].append(seconds(encode, texts))
            elif turn < max(3, rounds // 10):
                spent[name].append(seconds(encode, some))
    size = {name: sum(len(text.encode()) for text in (some if name in SLOW_ONES else texts)) for name in names}
    return {name: size[name] / 1e6 / min(each) for name, each in spent.items()}


def gain(corpus: str, rounds: int) -> float:
    """How many times as fast two threads of the kernels are as one, by the clock on the wall."""
    texts = list(documents(read_corpus(corpus), DOCUMENT))[: CORPORA[corpus] // DOCUMENT]
    tokenizer = Tokenizer.from_vocab(data_file(VOCAB), engine="fast")
    spent: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(rounds):
        for workers, each in spent.items():
            each.append(seconds(partial(tokenizer.encode_ids_batch, workers=workers), texts))
    return min(spent[1]) / min(spent[2])


def cold(name: str, corpus: str) -> float:
    """MB/s of the first batch of a tokenizer that has seen one letter: all is compiled, and all tables are made."""
    texts = list(documents(read_corpus(corpus), DOCUMENT))[: CORPORA[corpus] // DOCUMENT]
    encode = contender(name)[0]
    encode(["a"])
    return sum(len(text.encode()) for text in texts) / 1e6 / seconds(encode, texts)


def latencies(name: str) -> tuple[float, float]:
    """Microseconds within which half of the calls with one sentence end, and 99 of 100."""
    encode, clock = contender(name)[2], time.perf_counter_ns
    spent = []
    for number in range(CALLS):
        text = f"{SENTENCE}{number % 10}"
        start = clock()
        encode(text)
        spent.append(clock() - start)
    spent.sort()
    return spent[ceil(CALLS * 0.5) - 1] / 1e3, spent[ceil(CALLS * 0.99) - 1] / 1e3


def start_and_memory(name: str) -> tuple[float, float]:
    """Seconds of processor time until the first ids are there, and MB that are resident at most behind a corpus."""
    import resource  # noqa: PLC0415 (Windows has none, and the rest needs none)

    before = time.process_time()
    encode = contender(name)[0]
    encode([SENTENCE])
    took = time.process_time() - before
    encode(list(documents(read_corpus("linuxdoc"), DOCUMENT))[: CORPORA["linuxdoc"] // DOCUMENT])
    return took, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


def in_a_process(part: str, threads: int, *given: str) -> Any:
    """One of PARTS in a process of its own, for which the libraries in Rust are told how many threads to take."""
    limited = {"RAYON_NUM_THREADS": str(threads), "TOKENIZERS_PARALLELISM": "true" if threads > 1 else "false"}
    command = [sys.executable, "-m", "goldpiece.bench.race", "--only", part, *given]
    done = subprocess.run(command, env=os.environ | limited, capture_output=True, text=True, check=True, timeout=600)  # noqa: S603
    return json.loads(done.stdout)


def table(rows: Sequence[Sequence[str]]) -> list[str]:
    """The lines of it; the first column holds words, and the others numbers."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    aligned = [
        [f"{row[0]:<{widths[0]}}", *(f"{cell:>{width}}" for cell, width in zip(row[1:], widths[1:], strict=True))]
        for row in rows
    ]
    return ["  ".join(row) for row in aligned]


def race(rounds: int) -> None:
    """Measures and prints all of it."""
    names = installed(list(PACKAGES))
    rows = [["MB/s", *CORPORA, "two threads", "cold", "p50", "p99", "start", "memory"]]
    speeds = {corpus: in_a_process("throughput", 1, corpus, str(rounds)) for corpus in CORPORA}
    double = in_a_process("throughput", 2, "linuxdoc", str(rounds))
    for name in names:
        p50, p99 = in_a_process("latencies", 1, name)
        start, memory = in_a_process("start_and_memory", 1, name)
        speed = [f"{speeds[corpus][name]:.1f}" for corpus in CORPORA]
        more = f"{double[name]:.1f}", f"{in_a_process('cold', 1, name, 'linuxdoc'):.1f}"
        rows.append([name, *speed, *more, f"{p50:.2f} µs", f"{p99:.2f} µs", f"{start:.2f} s", f"{memory:.0f} MB"])
    for one, other in RATIOS:
        if {one, other} <= names.keys():
            rows.append(
                [
                    f"{one} : {other}",
                    *(f"{speeds[corpus][one] / speeds[corpus][other]:.2f}" for corpus in CORPORA),
                    *[""] * 6,
                ]
            )
    gained = in_a_process("gain", 2, "linuxdoc", str(rounds))
    rows.append([f"{OURS}, two threads : one", f"{gained:.2f}", *[""] * 8])
    packages = {PACKAGES[name]: found for name, found in names.items()}
    said = ", ".join(f"{package} {found}" for package, found in packages.items())
    load = ", ".join(f"{each:.1f}" for each in os.getloadavg()) if hasattr(os, "getloadavg") else "unknown"
    sys.stdout.write("\n".join([*table(rows), "", f"{said}; {os.cpu_count()} cores, load {load}; {rounds} rounds\n"]))


RATIOS = ((OURS, RIVAL), (OURS, PEER), (OURS_ALL, PEER_ALL))
PARTS: Mapping[str, Callable[..., Any]] = {
    "throughput": lambda corpus, rounds: throughput(corpus, int(rounds)),
    "gain": lambda corpus, rounds: gain(corpus, int(rounds)),
    "cold": cold,
    "latencies": latencies,
    "start_and_memory": start_and_memory,
}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--only", nargs="+", help=argparse.SUPPRESS)  # what a process of this one measures
    asked = parser.parse_args()
    if asked.only:
        sys.stdout.write(json.dumps(PARTS[asked.only[0]](*asked.only[1:])))
    else:
        race(asked.rounds)
