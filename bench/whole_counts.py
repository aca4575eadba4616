"""Counting the words of a whole file with one worker and with several: `python -m goldpiece.bench.whole_counts FILE`.

By the clock, and by turns, so that what else the machine does falls on both; the shortest counts, as what interrupts a
machine only ever lengthens. Before it tells anything, the counts are compared.
"""

import argparse
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from goldpiece.corpus.corpus import Corpus
from goldpiece.reference.wordpiece_trainer import SPECIAL_TOKENS
from goldpiece.training.buckets import TemporaryShelf
from goldpiece.training.counting import Counted, Counting, count_words
from goldpiece.training.cutting import BertCutting, ByteCutting, Cutting

CUTTINGS: Mapping[str, Cutting] = {"bpe": ByteCutting(("<|endoftext|>",)), "wordpiece": BertCutting(SPECIAL_TOKENS)}


def counted(file: Path, cutting: Cutting, workers: int) -> tuple[float, Counted]:
    """Seconds by the clock, starts of processes included, and what was counted."""
    begun = time.perf_counter()
    with TemporaryShelf() as shelf:
        found = count_words(Counting(Corpus([file]), cutting), shelf, workers=workers)
    return time.perf_counter() - begun, found


def compared(file: Path, workers: int, rounds: int) -> Iterator[str]:
    """A line for each way of cutting. Raises AssertionError where the counts differ."""
    yield f"{'words of':12}{'one':>8}{workers:>8}{'times as fast':>15}"
    for name, cutting in CUTTINGS.items():
        one, several = [], []
        for _ in range(rounds):
            (seconds, alone), (fewer, together) = (counted(file, cutting, number) for number in (1, workers))
            assert alone == together
            one.append(seconds)
            several.append(fewer)
        yield f"{name:12}{min(one):>8.2f}{min(several):>8.2f}{min(one) / min(several):>15.2f}"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Words of a whole file counted by one process and by several.")
    parser.add_argument("file", type=Path)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args(arguments)
    for line in compared(given.file, given.workers, given.rounds):
        print(line, flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
