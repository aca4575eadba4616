"""Trainers on a whole file of text, side by side: `python -m goldpiece.bench.whole_trainings bpe FILE --size 30000`.

Each trains in a process of its own, on one core, from lines of text to entries, so that counting and all that is held
in memory are part of it; by turns, so that what else the machine does falls on all of them. No trainer is told what the
others do, and none is the reference, which would take days. Before, each learns from a few words: what it takes to load
a library, its tables and compiled kernels is told apart, as its start. In memory it counts.
"""

import argparse
import gzip
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from statistics import median
from typing import NamedTuple, TypeAlias

from goldpiece import train_bpe, train_wordpiece
from goldpiece.reference.byte_level import ALPHABET, PATTERNS
from goldpiece.reference.tokenizer import SPECIAL_TOKENS
from goldpiece.suite.subjects.ready import HAVE_IT
from goldpiece.suite.subjects.rival_trainers import HAVE, REAL_WORDPIECE, RUSTBPE

from .clock import cpu_clock, peak_rss

OURS, COMPILED, PEER = "goldpiece", "goldpiece compiled", "tokenizers"
FEW = ("a winner wins", "news of winners and dinners")  # to start with: texts, and sizes of which some are merges
SIZES = {"bpe": 270, "wordpiece": 40}
END_OF_TEXT = "<|endoftext|>"
LEAST = {"bpe": 2, "likelihood": 20, "frequency": 2}  # the usual min_frequency of ours, for all

# From texts and a size to how many entries there are.
Train: TypeAlias = Callable[[Iterable[str], int], int]


class Taken(NamedTuple):
    """What a training took."""

    start_seconds: float  # of the processor, as all
    seconds: float
    grown_bytes: int  # by which the peak of the process rose
    entries: int


def _bpe_of_tokenizers(texts: Iterable[str], size: int) -> int:
    import tokenizers as hf  # noqa: PLC0415 (it may not be there)

    whole = hf.Tokenizer(hf.models.BPE())
    whole.pre_tokenizer = hf.pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = hf.trainers.BpeTrainer(
        vocab_size=size,
        min_frequency=LEAST["bpe"],
        special_tokens=[END_OF_TEXT],
        initial_alphabet=list(ALPHABET),
        show_progress=False,
    )
    whole.train_from_iterator(texts, trainer)
    return int(whole.get_vocab_size())


def _pieces_of_tokenizers(texts: Iterable[str], size: int) -> int:
    import tokenizers as hf  # noqa: PLC0415 (it may not be there)

    whole = _of_bert()
    trainer = hf.trainers.WordPieceTrainer(
        vocab_size=size, min_frequency=LEAST["frequency"], special_tokens=list(SPECIAL_TOKENS), show_progress=False
    )
    whole.train_from_iterator(texts, trainer)
    return int(whole.get_vocab_size())


def _real_pieces(texts: Iterable[str], size: int) -> int:
    from real_wordpiece.trainer import RealWordPieceTrainer  # noqa: PLC0415 (it may not be there)

    whole = _of_bert()
    RealWordPieceTrainer(size, LEAST["likelihood"], False, list(SPECIAL_TOKENS)).train_tokenizer(texts, whole)
    return int(whole.get_vocab_size())


def _of_bert() -> "hf.Tokenizer":  # type: ignore[name-defined] # noqa: F821
    import tokenizers as hf  # noqa: PLC0415 (it may not be there)

    whole = hf.Tokenizer(hf.models.WordPiece({"[UNK]": 0}, unk_token="[UNK]"))
    whole.normalizer, whole.pre_tokenizer = hf.normalizers.BertNormalizer(), hf.pre_tokenizers.BertPreTokenizer()
    return whole


def _rust_bpe(texts: Iterable[str], size: int) -> int:
    from rustbpe import Tokenizer  # noqa: PLC0415 (it may not be there)

    whole = Tokenizer()
    whole.train_from_iterator(iter(texts), size, pattern=PATTERNS["gpt2"])
    return int(whole.vocab_size)


TRAINERS: Mapping[str, Mapping[str, Train]] = {
    "bpe": {
        OURS: lambda texts, size: len(train_bpe(texts, size).tokens),
        COMPILED: lambda texts, size: len(train_bpe(texts, size, engine="compiled").tokens),
        PEER: _bpe_of_tokenizers,
        RUSTBPE: _rust_bpe,
    },
    "wordpiece": {
        OURS: lambda texts, size: len(train_wordpiece(texts, size).tokens),
        COMPILED: lambda texts, size: len(train_wordpiece(texts, size, engine="compiled").tokens),
        f"{OURS} by frequency": lambda texts, size: len(train_wordpiece(texts, size, rule="frequency").tokens),
        PEER: _pieces_of_tokenizers,
        REAL_WORDPIECE: _real_pieces,
    },
}
MISSING = {PEER: not HAVE_IT} | {name: not there for name, there in HAVE.items()}


def texts_of(file: Path, lines: int | None) -> Iterator[str]:
    """The lines of a file, or the first of them, one at a time."""
    with gzip.open(file, "rt", encoding="utf-8") if file.suffix == ".gz" else file.open(encoding="utf-8") as content:
        yield from islice(content, lines)


def trained(kind: str, name: str, texts: Iterable[str], size: int) -> Taken:
    """What it takes this process to train. What was imported or held before is not counted."""
    train, begun, held = TRAINERS[kind][name], cpu_clock(), peak_rss() or 0
    train(FEW, SIZES[kind])
    before = cpu_clock()
    entries = train(texts, size)
    return Taken(before - begun, cpu_clock() - before, (peak_rss() or 0) - held, entries)


def in_a_process(kind: str, name: str, file: Path, size: int, lines: int | None) -> Taken:
    """The same of a process of its own, on one core."""
    command = [sys.executable, "-m", "goldpiece.bench.whole_trainings", kind, str(file), f"--size={size}"]
    command += [f"--only={name}", *([f"--lines={lines}"] if lines is not None else [])]
    one_core = {**os.environ, "RAYON_NUM_THREADS": "1"}
    done = subprocess.run(command, env=one_core, stdout=subprocess.PIPE, check=True)  # noqa: S603 (our own)
    return Taken(*json.loads(done.stdout))


def table(rows: Mapping[str, Sequence[Taken]]) -> Iterator[str]:
    """A line for each trainer, by the median of its rounds, with what tokenizers needs as the measure where it is."""
    seen = {
        name: (median(each.seconds for each in of), median(each.grown_bytes for each in of))
        for name, of in rows.items()
    }
    measure = seen.get(PEER)
    yield f"{'trainer':24}{'start':>7}{'seconds':>9}{'×':>7}{'MB':>7}{'×':>7}{'entries':>9}"
    for name, (seconds, peak) in seen.items():
        ratios = (
            [f"{mine / other:.2f}" for mine, other in zip((seconds, peak), measure, strict=True)]
            if measure
            else ["", ""]
        )
        start, entries = median(each.start_seconds for each in rows[name]), rows[name][0].entries
        figures = f"{start:>7.2f}{seconds:>9.2f}{ratios[0]:>7}{peak / 1e6:>7.0f}{ratios[1]:>7}{entries:>9,}"
        yield f"{name:24}{figures}"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Trainers on a whole file of text, side by side.")
    parser.add_argument("kind", choices=list(TRAINERS))
    parser.add_argument("file", type=Path)
    parser.add_argument("--size", type=int, default=30_000)
    parser.add_argument("--lines", type=int, help="only the first lines")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--trainer", action="append", help="one that is measured, and no others; may be given again")
    parser.add_argument("--only", help="one trainer, in this process: its figures as JSON")
    given = parser.parse_args(arguments)
    if given.only:
        print(json.dumps(trained(given.kind, given.only, texts_of(given.file, given.lines), given.size)))  # noqa: T201
        return
    if unknown := [name for name in given.trainer or () if name not in TRAINERS[given.kind]]:
        parser.error(f"there is no trainer {unknown[0]!r} of {given.kind}; there are {', '.join(TRAINERS[given.kind])}")
    wanted = dict.fromkeys(given.trainer or TRAINERS[given.kind])
    rows: dict[str, list[Taken]] = {name: [] for name in wanted if not MISSING.get(name)}
    for name in wanted.keys() - rows.keys():
        print(f"{name}: not run: it is not installed")  # noqa: T201
    for _ in range(given.rounds):
        for name, of in rows.items():
            of.append(in_a_process(given.kind, name, given.file, given.size, given.lines))
    for line in table(rows):
        print(line)  # noqa: T201


if __name__ == "__main__":
    main()
