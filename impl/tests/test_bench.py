"""The benchmarks measure nothing that is wrong, and what they say of the rest is what happened."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import pytest

from goldpiece.errors import FileError
from goldpiece.suite import rooms
from goldpiece.suite.corpus import read_corpus
from goldpiece.suite.history import ids_file
from goldpiece.suite.law import load_laws
from goldpiece.suite.lint import lint_together
from goldpiece.suite.loader import load_specs
from goldpiece.suite.subjects.ready import HAVE_IT

from .conftest import SUBJECTS as MODULES

figures = import_module("goldpiece.bench.figures")
measuring = import_module("goldpiece.bench.measuring")
memory = import_module("goldpiece.bench.memory")
subjects = import_module("goldpiece.bench.subjects")
table = import_module("goldpiece.bench.table")
workloads = import_module("goldpiece.bench.workloads")
vocabulary = import_module("goldpiece.bench.vocabulary")
Pieces = import_module("goldpiece.bench.definitions").Pieces

FOLDER = rooms.room("bench")
TINY = workloads.Effort(sentences=8, document=500, rounds=2, seconds=0.0, calls=10, processes=1)
WORKLOADS = [
    workload
    for spec in load_specs()
    if (FOLDER / f"bench_{spec.name}.py").is_file()  # test_structure says of which it has to be
    for workload in import_module(f"goldpiece.bench.bench_{spec.name}").WORKLOADS
]
each_workload = pytest.mark.parametrize("workload", WORKLOADS, ids=[workload.id for workload in WORKLOADS])


class Stopwatch:
    """As much of the fixture of pytest-benchmark as is used. That one is idle under pytest-xdist."""

    group = None
    disabled = False

    def __init__(self) -> None:
        self.extra_info: dict[str, object] = {}

    def pedantic(
        self, target: Callable[[], object], *, setup: Callable[[], None], rounds: int, warmup_rounds: int
    ) -> object:
        result: object = None
        for _ in range(rounds + warmup_rounds):
            setup()
            result = target()
        return result


@cache
def small_vocabulary() -> Any:
    return vocabulary.small_vocabulary(TINY.entries)


@cache
def material(corpus: str) -> Any:
    return workloads.Material(read_corpus(corpus), small_vocabulary(), TINY)


def contender(workload: Any, subject: str, folder: Path) -> Any:
    build = subjects.builder(subject, workload)
    (folder / subject).mkdir(exist_ok=True)
    return measuring.Contender(subject, lambda: build(workload.setup(small_vocabulary(), folder / subject)))


def measured(workload: Any, subject: Any, reference: Any, folder: Path) -> Any:
    return measuring.measure(workload, subject, reference, material(workload.corpus), Stopwatch(), folder)


# Wrong implementations.


def nothing(output: Any) -> Any:
    """No result, in the shape of one."""
    if isinstance(output, list) and output and isinstance(output[0], list):
        return [[] for _ in output]
    return type(output)()


def one_less(output: Any) -> Any:
    """One token, character or entry less than there are."""
    if isinstance(output, dict):
        return dict(list(output.items())[:-1])
    if isinstance(output, list) and output and isinstance(output[0], list):
        return [*output[:-1], output[-1][:-1]]
    return output[:-1]


def one_off(output: Any) -> Any:
    """As long as it should be, but the last number is one more, or the last character another."""
    if isinstance(output, dict):
        return output | {next(reversed(output)): len(output)}
    if isinstance(output, list):
        return [*output[:-1], one_off(output[-1])]
    if isinstance(output, str):
        return f"{output[:-1]}\x1a"
    return (output or 0) + 1


def spoilt(right: Any, spoil: Callable[[Any], Any], calls: Callable[[int, int], bool], inputs: int) -> Any:
    """`right`, but for the calls that `calls` picks by their number and how many inputs there are."""
    made = [0]

    def build() -> Any:
        ready = right.build()

        def call(given: Any) -> Any:
            output = ready.plain(ready.call(given))
            made[0] += 1
            return spoil(output) if calls(made[0], inputs) else output

        return replace(ready, call=call, plain=workloads.as_it_is)

    return measuring.Contender("wrong", build)


WHEN: Mapping[str, Callable[[int, int], bool]] = {
    "always": lambda _, __: True,
    "last input": lambda number, inputs: number % inputs == 0,
    "later": lambda number, inputs: number > inputs,  # the first pass is right
}


@pytest.mark.parametrize("when", WHEN.values(), ids=WHEN)
@pytest.mark.parametrize("spoil", [nothing, one_less, one_off])
@each_workload
def test_what_is_wrong_is_refused(workload: Any, spoil: Any, when: Any, tmp_path: Path) -> None:
    inputs, _ = measuring.inputs_and_outputs(workload, material(workload.corpus))
    wrong = spoilt(contender(workload, "reference", tmp_path), spoil, when, len(inputs))
    with pytest.raises(measuring.WrongOutput, match="wrong is wrong in"):
        measured(workload, wrong, None, tmp_path)


@pytest.mark.parametrize("spoil", [nothing, one_less, one_off])
@pytest.mark.parametrize("workload", [each for each in WORKLOADS if each.id in subjects.SUBJECTS["transformers"]])
def test_what_draws_for_itself_is_refused_as_well(workload: Any, spoil: Any, tmp_path: Path) -> None:
    if "transformers" in subjects.MISSING:
        pytest.skip(subjects.MISSING["transformers"])
    wrong = spoilt(contender(workload, "transformers", tmp_path), spoil, WHEN["always"], 1)
    with pytest.raises(measuring.WrongOutput, match="wrong is wrong in"):
        measured(workload, wrong, None, tmp_path)


@each_workload
def test_nothing_is_compared_with_a_wrong_reference(workload: Any, tmp_path: Path) -> None:
    right = contender(workload, "reference", tmp_path)
    with pytest.raises(measuring.WrongOutput):
        measured(workload, right, spoilt(right, one_less, WHEN["always"], 1), tmp_path)


def test_what_is_wrong_fails_the_run(tmp_path: Path) -> None:
    """End to end: the reference's WordPiece drops a piece, and the run fails and has no figures of it."""
    done = bench(
        tmp_path,
        "-p",
        "dropping",
        "-k",
        "test_wordpiece and words-reference and not trainer",
        "--benchmark-json=out.json",
    )
    assert done.returncode == 1, done.stdout
    assert "reference is wrong in 'wordpiece/words', and is not measured" in done.stdout
    assert not (tmp_path / "out.json").exists()
    assert "how fast" not in done.stdout


# What the figures are.


def bench(folder: Path, *options: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "goldpiece.bench", "-q", *options]
    variables = os.environ | {"PYTHONPATH": str(MODULES), "COLUMNS": "160"}
    for name in [name for name in variables if name.startswith("PYTEST_")]:
        del variables[name]  # those of this run, and of its workers
    return subprocess.run(
        command, cwd=folder, env=variables, capture_output=True, text=True, encoding="utf-8", timeout=300, check=False
    )


def test_a_run_tells_its_figures_twice(tmp_path: Path) -> None:
    done = bench(tmp_path, "-k", "test_decoder and sentences or test_import", "--benchmark-json=out.json")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "decoder/sentences  reference" in done.stdout
    assert "p50 and p99: the latency of a call, of 50 calls." in done.stdout
    groups = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))["benchmarks"]
    info = {(each["group"], each["extra_info"]["subject"]): each["extra_info"] for each in groups}
    of_decoder = info["decoder/sentences", "reference"]
    assert {"mb_per_s", "tokens_per_s", "p50_s", "p99_s", "calls", "rounds"} <= of_decoder.keys()
    assert ("peak_memory_bytes" in of_decoder) != ("no_memory_because" in of_decoder)
    assert 0 < info["package/import", "reference"]["p50_s"] < 60
    if HAVE_IT:
        assert info["decoder/sentences", "tokenizers"]["ratio"]["median"] > 0


def test_workers_measure_nothing_and_say_so(tmp_path: Path) -> None:
    done = bench(tmp_path, "-n", "2", "-k", "test_decoder")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "nothing was measured" in done.stdout
    assert "how fast" not in done.stdout


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--corpus", "nosuch"], "there is no corpus 'nosuch'"),
        (["--corpus", os.devnull], "is blank"),
        (["--vocab", "nosuch"], "set GOLDPIECE_DATA"),
    ],
)
def test_what_cannot_be_used_is_said_at_once(tmp_path: Path, options: Sequence[str], problem: str) -> None:
    done = bench(tmp_path, *options)
    assert done.returncode == 4
    assert problem in done.stderr


def test_a_user_brings_a_text_and_a_vocabulary(tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("Don't panic!\nSo long, and thanks for all the fish.\n", encoding="utf-8")
    vocab = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "don", "'", "t", "fish", "."]
    (tmp_path / "vocab.txt").write_text("\n".join(vocab), encoding="utf-8")
    options = ["--corpus", "text.txt", "--vocab", "vocab.txt", "-k", "test_tokenizer and batch-reference"]
    done = bench(tmp_path, *options, "--benchmark-json=out.json")
    assert done.returncode == 0, done.stdout + done.stderr
    (found,) = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))["benchmarks"]
    assert found["extra_info"]["tokens"] == (3 + 2 + 2) + (10 + 2)  # don ' t, and an unknown for each other word
    assert found["extra_info"]["utf8_bytes"] == 12 + 37


def test_both_rounds_are_about_as_long() -> None:
    """What interrupts a machine hits a short round seldom, and would make its subject look faster."""
    passes = {"slow": 0, "fast": 0}

    def counted(name: str) -> list[object]:
        passes[name] += 1
        return []

    slow, fast = (measuring.Pass(partial(counted, name), seconds) for name, seconds in (("slow", 0.1), ("fast", 0.01)))
    for turns in (measuring.Turns(fast, slow), measuring.Turns(slow, fast)):
        passes.update(slow=0, fast=0)
        assert turns.run(Stopwatch(), TINY) == []
        assert passes == {"slow": 3, "fast": 30}  # two rounds and one that does not count
        assert len(turns.spent) == len(turns.spent_before) == 2


def test_a_ratio_is_of_pairs() -> None:
    """A machine that is half as fast for a while changes the times, and not the ratio."""
    pairs = [(3.0, 1.0), (6.0, 2.0), (6.0, 2.0), (3.0, 1.0)]
    assert figures.Ratio.of(pairs) == figures.Ratio(3.0, 3.0, 3.0)
    assert figures.Ratio.of([(1.0, 2.0)]) == figures.Ratio(0.5, 0.5, 0.5)
    assert figures.Ratio.of([(1, 1), (2, 1), (3, 1), (4, 1), (5, 1)]) == figures.Ratio(3.0, 2.0, 4.0)


@pytest.mark.skipif(memory.NOT_RUN is not None, reason="not run: memray has no Windows build")
def test_memory_counts_what_python_allocates_at_once(tmp_path: Path) -> None:
    def small_ones() -> None:
        for _ in range(3):  # one after the other, and never two at once
            assert len([object() for _ in range(100_000)]) == 100_000

    found = memory.peak_memory(small_ones, tmp_path)
    assert 100_000 * (16 + 8) <= found < 1.5 * 100_000 * (16 + 8)
    assert memory.peak_memory(lambda: None, tmp_path) < 100_000
    told = memory.traced(small_ones, tmp_path)
    assert abs(told.peak_bytes - found) < 10_000
    assert told.allocations >= 300_000
    assert "small_ones" in told.sites[0].place or "<listcomp>" in told.sites[0].place
    assert told.sites[0].bytes > 0.9 * told.peak_bytes
    assert max(heap for _, heap in told.over_time) <= told.peak_bytes


def test_the_table_says_a_name_once_and_what_is_not_known() -> None:
    rows = [
        figures.Figures("w", "reference", 1, 10, rounds=2, mb_per_s=1.5, p50_s=0.5e-6, p99_s=2e-3, calls=7),
        figures.Figures("w", "other", 1, 10, rounds=2, mb_per_s=3.0, ratio=figures.Ratio(2, 1.9, 2.1)),
        figures.Figures("package/import", "reference", 1, 0, rounds=3, p50_s=1.25, no_memory_because="not run: why"),
    ]
    lines = [line.split() for line in table.table(rows)]
    assert lines[2] == ["w", "reference", "1.50", "–", "0.5", "µs", "2.0", "ms", "–", "1"]
    assert lines[3] == ["other", "3.00", "–", "–", "–", "–", "2.00", "(1.90-2.10)"]
    assert lines[4] == ["package/import", "reference", "–", "–", "1.2", "s", "–", "–", "1"]
    notes = "\n".join(table.notes(rows))
    assert "of 7 calls" in notes
    assert "3 fresh processes" in notes
    assert "not run: why" in notes


# What is measured with.


def test_the_small_vocabulary_is_complete_and_without_repeats() -> None:
    vocab = small_vocabulary()
    assert len(set(vocab)) == len(vocab) == TINY.entries == 4_000
    assert vocab == vocabulary.small_vocabulary(TINY.entries)
    assert {"the", "##ing", "[MASK]", "ж", "##ж"} <= set(vocab)


def test_the_definition_of_pieces_is_that_of_the_laws() -> None:
    """The benchmarks have one of their own, because that of the laws tries every entry at every place."""
    slow = import_module("goldpiece.properties.oracles.wordpiece").longest_pieces
    case = import_module("goldpiece.properties.strategies.wordpiece").Case
    random = Random(0)
    unknown = several = 0
    for _ in range(300):
        entries = sorted({"".join(random.choices("ab#", k=random.randint(1, 4))) for _ in range(8)})
        vocab = list(dict.fromkeys(["[UNK]", *entries, *(f"##{entry}" for entry in entries if random.random() < 0.7)]))
        word = "".join(random.choices("ab#", k=random.randint(0, 8)))
        right = slow(case(vocab, word, {}))
        assert Pieces(vocab).of(word) == right
        unknown += right == ["[UNK]"]
        several += len(right) > 1
    assert min(unknown, several) > 40


def test_the_spec_and_the_room_declare_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = load_specs().named("wordpiece")
    (case,) = {workload.case for workload in WORKLOADS if workload.id == "wordpiece/words"}
    with pytest.raises(FileError, match=r"wordpiece.yaml:\d+: bench_wordpiece.py has no workload 'scripts'"):
        workloads.declared("wordpiece", {name: case for name in spec.bench if name != "scripts"})
    with pytest.raises(FileError, match="has a workload 'other', and the spec none"):
        workloads.declared("wordpiece", {**dict.fromkeys(spec.bench, case), "other": case})
    monkeypatch.delitem(sys.modules, "goldpiece.bench.bench_padding")
    monkeypatch.setattr(workloads, "spec_of", lambda _: replace(load_specs().named("padding"), bench={}))
    (found,) = lint_together([load_specs().named("padding")], load_laws(), ids_file())[-1:]
    assert "has a workload 'batches', and the spec none" in str(found)


def test_pytest_alone_measures_nothing(pytestconfig: pytest.Config) -> None:
    assert not any(Path(path).name == "bench" for path in pytestconfig.getini("testpaths"))
