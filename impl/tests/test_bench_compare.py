"""Comparisons of code that runs: what is planted is found, named, and fails the gate; and what sides may be called."""

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from goldpiece.errors import UsageError
from goldpiece.reference.normalizer import Normalizer
from goldpiece.suite.benchmarks import measuring
from goldpiece.suite.benchmarks.comparing import compare_live
from goldpiece.suite.benchmarks.comparison import Comparison, Party, Row
from goldpiece.suite.benchmarks.gates import Gates, judge
from goldpiece.suite.benchmarks.machine import this_machine
from goldpiece.suite.benchmarks.measuring import Plan, Side
from goldpiece.suite.benchmarks.process import HERE, PROTOCOL, Answer, Environment, ProcessFailed, Request
from goldpiece.suite.benchmarks.record import Measured, Run, Sample, read_run, write_run
from goldpiece.suite.benchmarks.verdict import Verdict

from .conftest import Goldpiece

preparing = import_module("goldpiece.bench.preparing")
sampling = import_module("goldpiece.bench.sampling")
worker = import_module("goldpiece.bench.worker")
memory = import_module("goldpiece.bench.memory")

VOCAB = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "##a", "the", "of", "."]

Plant = Callable[[pytest.MonkeyPatch], None]


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The entries of four workloads by name, without the help of another process."""
    plan = Plan(("normalizer/sentences", "byte_level/sentences", "normalizer/document", "persistence/read"))
    vocab = [*VOCAB, *(f"word{number}" for number in range(1_000))]
    entries = preparing.Preparation(plan, ["reference"], vocab, tmp_path_factory.mktemp("prepared")).entries()
    return {entry["workload"]: entry for entry in entries}


# What is planted.


def nothing(_: pytest.MonkeyPatch) -> None:
    """Code as it is."""


def slower(patch: pytest.MonkeyPatch) -> None:
    """To normalize takes 15 % longer: three of twenty calls are made twice."""
    original, calls = Normalizer.normalize, count()

    def normalize(self: Normalizer, text: str) -> str:
        if next(calls) % 20 < 3:
            original(self, text)
        return original(self, text)

    patch.setattr(Normalizer, "normalize", normalize)


def hungrier(patch: pytest.MonkeyPatch) -> None:
    """To normalize takes 20 % more memory, while it goes on."""
    original = Normalizer.normalize

    def normalize(self: Normalizer, text: str) -> str:
        held = bytearray(EXTRA)
        found = original(self, text)
        assert len(held) == EXTRA
        return found

    patch.setattr(Normalizer, "normalize", normalize)


EXTRA = 0  # bytes; set to a fifth of the peak


def answered(request: Request, folder: Path) -> Answer:
    """What a process of a side would answer."""
    whole: dict[str, Any] = {"protocol": PROTOCOL, "folder": str(folder), **request}
    answer: Answer = json.loads(json.dumps(worker.Worker(0.5, 0.75).answer(whole)))
    return answer


@dataclass(frozen=True)
class Planted(Environment):
    """A side in this process, whose code is changed while it answers."""

    plant: Plant = nothing

    @contextmanager
    def open(
        self,
        folder: Path,
        package: str = "goldpiece",
        hash_seed: int | None = None,
    ) -> Iterator["PlantedProcess"]:
        assert package == "goldpiece"
        assert folder.is_dir()
        assert hash_seed != 0
        yield PlantedProcess(worker.Worker(0.5, 0.75), self.plant)


@dataclass(frozen=True)
class PlantedProcess:
    """What is asked of it is answered under the plant."""

    worker: Any
    plant: Plant

    def ask(self, request: Request) -> Answer:
        with pytest.MonkeyPatch.context() as patch:
            self.plant(patch)
            answer: Answer = self.worker.answer({"protocol": PROTOCOL, **request})
        if "error" in answer:
            raise UsageError(answer["error"])
        return answer


def side(name: str, plant: Plant) -> Side:
    return Side(name, "", Planted(HERE.python, plant=plant), ("reference",))


class Watched:
    """What is told how far it is."""

    def __init__(self) -> None:
        self.steps = self.expected = 0

    def begins(self, checks: int) -> None:
        self.expected = checks

    def step(self, what: str) -> None:
        assert what
        self.steps += 1


@pytest.fixture
def plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Plan:
    """Little of two workloads, on whatever core."""
    monkeypatch.setattr(measuring, "SECONDS", 0.01)
    monkeypatch.setattr(measuring, "CALLS", 5)
    monkeypatch.setattr(measuring, "core_to_pin", lambda: None)
    monkeypatch.setattr(worker, "in_a_child", lambda work: work())  # this process has threads, and much in memory
    (tmp_path / "vocab.txt").write_text("\n".join(VOCAB), encoding="utf-8")
    return Plan(("normalizer/sentences", "byte_level/sentences"), vocab=str(tmp_path / "vocab.txt"))


def test_a_planted_slow_down_is_found_and_named_and_fails_the_gate(plan: Plan) -> None:
    watched = Watched()
    found = compare_live(side("before", nothing), side("after", slower), plan, 40, watched)
    rows = {row.workload: row for row in found.rows}
    assert rows["normalizer/sentences"].verdict is Verdict.SLOWER
    assert rows["byte_level/sentences"].verdict is not Verdict.SLOWER
    assert all(
        row.said and row.said.noise and row.a and row.b and len(row.a.samples) == len(row.b.samples)
        for row in found.rows
    )
    assert watched.steps == watched.expected == 2
    judgment = judge(found, Gates.read("slower:1.05"))
    assert judgment.exit_code == 1
    assert [row.workload for row, _ in judgment.failed] == ["normalizer/sentences"]


@pytest.mark.skipif(memory.NOT_RUN is not None, reason="not run: memray has no Windows build")
def test_planted_memory_is_found_and_named_and_fails_the_gate(
    plan: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = replace(plan, parts=("normalizer/document", "byte_level/sentences"))
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    before = measuring.Bench(side("before", nothing), plan, tmp_path / "a")
    at_first = before.rest([("normalizer/document", "reference")])[0].memory
    assert at_first
    monkeypatch.setattr(sys.modules[__name__], "EXTRA", at_first.peak_bytes // 5)
    after = measuring.Bench(side("after", hungrier), plan, tmp_path / "b")
    keys = list(before.entries)
    both = zip(keys, before.rest(keys), after.rest(keys), strict=True)
    rows = [Row(key[0], key[1], key[1], one, other) for key, one, other in both]
    assert len(rows) == 2
    party = Party("here", "", this_machine())
    found = Comparison(party, party, "2026-11-30", "interleaved", (), "quick", None, None, tuple(rows))
    judgment = judge(found, Gates.read("memory:1.05"))
    assert judgment.exit_code == 1
    ((row, gates),) = judgment.failed
    assert (row.workload, gates) == ("normalizer/document", ("memory:1.05",))
    assert row.memory.worst == pytest.approx(1.2, abs=0.05)
    assert row.b
    assert row.b.memory
    assert any(site.place.endswith(" normalize") and site.bytes >= EXTRA for site in row.b.memory.sites)


def test_what_is_wrong_on_one_side_is_missing_there(plan: Plan) -> None:
    def wrong(patch: pytest.MonkeyPatch) -> None:
        whole = Normalizer.normalize
        patch.setattr(Normalizer, "normalize", lambda self, text: whole(self, text)[:-1])

    found = compare_live(
        side("before", nothing), side("after", wrong), replace(plan, parts=plan.parts[:1]), 8, Watched()
    )
    (row,) = found.rows
    assert row.verdict is Verdict.MISSING
    assert "B: reference is wrong in 'normalizer/sentences'" in row.missing
    assert judge(found, Gates.read("slower:1.10")).exit_code == 1


@pytest.mark.parametrize("name", ["normalizer/document", "persistence/read"])
def test_growth_is_that_of_the_algorithm(name: str, prepared: dict[str, Any], tmp_path: Path) -> None:
    """What is four times as long takes about four times as long; files of different sizes do not get mixed up."""
    sizes = [sampling.Prepared.read(path) for path in prepared[name]["files"]]
    found = sampling.growth(sizes, "reference", tmp_path)
    assert found.sizes[0] < found.sizes[1] < found.sizes[2]
    assert 0.5 < found.exponent < 1.6


# Processes of a side.


def test_a_process_measures_what_is_right_and_nothing_else(
    prepared: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = Normalizer.normalize
    monkeypatch.setattr(Normalizer, "normalize", lambda self, text: whole(self, text)[:-1])
    entries = [prepared["normalizer/sentences"], prepared["byte_level/sentences"]]
    wrong, right = answered({"do": "sample", "entries": entries, "seconds": 0.0, "calls": 5}, tmp_path)["samples"]
    assert "reference is wrong in 'normalizer/sentences', and is not measured" in wrong["reason"]
    assert Sample(**right).passes >= 3
    imported = {"workload": "package/import", "subject": "reference", "package": "goldpiece", "files": []}
    (sample,) = answered({"do": "sample", "entries": [imported], "seconds": 0.0, "calls": 5}, tmp_path)["samples"]
    assert (sample["cpu_s"], sample["wall_s"]) == (0.5, 0.75)


def test_a_process_says_what_there_is_not(tmp_path: Path) -> None:
    request: dict[str, Any] = {"do": "prepare", **vars(Plan()), "parts": []}
    assert "there is no subject 'nosuch'" in answered({**request, "subjects": ["nosuch"]}, tmp_path)["error"]
    assert "not of form 1" in answered({"protocol": 1, **request, "subjects": ["reference"]}, tmp_path)["error"]
    nothing_there = {**request, "subjects": ["reference"], "parts": ["nosuch"]}
    assert answered(nothing_there, tmp_path)["entries"] == []


def test_a_process_that_ends_is_told_of(tmp_path: Path) -> None:
    with pytest.raises(ProcessFailed, match="no_such_package"):
        HERE.ask({"do": "sample"}, tmp_path, "no_such_package")


def test_a_process_answers_whatever_a_subject_does(prepared: dict[str, Any], tmp_path: Path) -> None:
    """One that writes where answers go, and one whose own process ends."""
    (tmp_path / "talking.py").write_text(
        "import sys\nfrom goldpiece.reference.normalizer import Normalizer\nprint(sys.stdin.read(), flush=True)\n",
        encoding="utf-8",
    )
    right = {**prepared["normalizer/sentences"], "subject": "talking:Normalizer"}
    lost = {**right, "files": ["nosuch.json"]}
    talking = Environment(HERE.python, {"PYTHONPATH": str(tmp_path)})
    with talking.open(tmp_path, hash_seed=7) as process:
        asked = {"folder": str(tmp_path), "entries": [right]}
        assert process.ask({"do": "begin", **asked})["reasons"] == [None]
        assert process.ask({"do": "lap", "place": 0})["cpu_s"] > 0
        assert process.ask({"do": "end"})["reasons"] == [None]
        if hasattr(os, "fork"):
            gone, there = process.ask({"do": "rest", **asked, "entries": [lost, right], "growth": False})["rest"]
            assert gone == {"reason": "its process ended with 1"}
            assert there["peak_rss_bytes"] > 10_000_000


def test_another_python_has_a_goldpiece_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", "here")
    assert HERE.variables["PYTHONPATH"] == "here"
    assert "PYTHONPATH" not in Environment(Path("other/bin/python")).variables


def test_a_run_end_to_end(goldpiece: Goldpiece, tmp_path: Path) -> None:
    """All figures, and those of a subject that is wrong not among them."""
    (tmp_path / "vocab.txt").write_text("\n".join(VOCAB), encoding="utf-8")
    (tmp_path / "text.txt").write_text("The end of the a.\nOf the end.\n" * 2_000, encoding="utf-8")
    chosen = ["--vocab", str(tmp_path / "vocab.txt"), "--corpus", str(tmp_path / "text.txt"), "--rounds", "1"]
    done = goldpiece("bench", "run", "-k", "decoder/document", *chosen, "--json", "run.json")
    assert done.returncode == 0, done.stdout + done.stderr
    (found,) = read_run(tmp_path / "run.json").measured
    assert (found.workload, len(found.samples)) == ("decoder/document", 1)
    assert found.cpu_s > 0
    assert found.growth
    assert (found.memory is None) == bool(memory.NOT_RUN)
    assert "decoder/document  reference" in done.stdout


# The command.


def test_the_exit_code_is_that_of_the_gates(goldpiece: Goldpiece, tmp_path: Path) -> None:
    both = measured("c/w", 1.0), measured("c/x", 1.0)
    run = Run(".", "0.1.0", "2026-11-30", this_machine(), "quick", None, None, both, ())
    write_run(tmp_path / "a.json", run)
    write_run(tmp_path / "b.json", replace(run, measured=(measured("c/w", 1.3), both[1])))
    done = goldpiece("bench", "compare", "a.json", "b.json", "--fail-on", "slower:1.10", "--json", "c.json")
    assert done.returncode == 1, done.stdout + done.stderr
    values = json.loads((tmp_path / "c.json").read_text(encoding="utf-8"))
    assert [(each["workload"], each["verdict"]) for each in values["rows"]] == [("c/w", "slower"), ("c/x", "no change")]
    only = goldpiece("bench", "compare", "a.json", "b.json", "-k", "c/x", "--fail-on", "slower:1.10")
    assert (only.returncode, only.stdout.splitlines()[-1]) == (0, "1 no change")


def measured(name: str, seconds: float) -> Measured:
    samples = tuple(Sample(seconds, seconds, 1, 0.5, None, None) for _ in range(8))
    return Measured(name, "reference", 1, 1, 1, "d", samples)
