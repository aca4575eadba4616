"""`goldpiece bench peers`: our implementations beside those of others."""

from importlib import import_module

from goldpiece.cli.bench_one_side import Files, measure
from goldpiece.cli.bench_options import Corpus, Depth, History, Html, Json, Parts, Rounds, Size, Subjects, Vocab
from goldpiece.suite.benchmarks.measuring import Plan
from goldpiece.suite.benchmarks.sides import OURS
from goldpiece.suite.benchmarks.standings import REFERENCE, account_of_standings


def peers(
    *,
    parts: Parts = None,
    subjects: Subjects = None,
    rounds: Rounds = 5,
    depth: Depth = Size.QUICK,
    corpus: Corpus = None,
    vocab: Vocab = None,
    json_file: Json = None,
    html: Html = None,
    saved: History = None,
) -> None:
    """Measure the reference, its efficient twin and all other libraries that are installed, side by side.

    Exit code 1 if an output is not that of the reference.
    """
    wanted = subjects or [*OURS, *import_module("goldpiece.bench.subjects").SUBJECTS]
    plan = Plan(tuple(parts or ()), depth.value, corpus, vocab)
    files = Files(json_file, html, saved)
    measure(tuple(dict.fromkeys([REFERENCE, *wanted])), plan, rounds, files, account_of_standings)
