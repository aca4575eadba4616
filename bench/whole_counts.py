"""Counting the words of a whole file with one worker and with several: `python -m goldpiece.bench.whole_counts FILE`.

By the clock, and by turns: in each round one comes right after the other, so that a machine that is slow just then is
slow for both. Told are the shortest times, and of the rounds' ratios the median and the middle half. Before it tells
anything, the counts are compared.
"""

import argparse
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import quantiles

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
    yield f"{'words of':12}{'one':>8}{workers:>8}  times as fast"
    for name, cutting in CUTTINGS.items():
        one, several = [], []
        for _ in range(rounds):
            (seconds, alone), (fewer, together) = (counted(file, cutting, number) for number in (1, workers))
            assert alone == together
            one.append(seconds)
            several.append(fewer)
        ratios = [alone / together for alone, together in zip(one, several, strict=True)]
        yield f"{name:12}{min(one):>8.2f}{min(several):>8.2f}  {middle(ratios)}"


def middle(ratios: Sequence[float]) -> str:
    """The median, and between which the middle half lies; there are two of them at least."""
    low, median, high = quantiles(ratios, n=4, method="inclusive")
    return f"{median:.2f} ({low:.2f}-{high:.2f})"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Words of a whole file counted by one process and by several.")
    parser.add_argument("file", type=Path)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=15)
    given = parser.parse_args(arguments)
    if given.rounds < 2:
        parser.error("--rounds takes 2 or more: the middle of them is told")
    for line in compared(given.file, given.workers, given.rounds):
        print(line, flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
