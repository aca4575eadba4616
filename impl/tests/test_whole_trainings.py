"""Whole trainings are measured side by side: each trainer trains, and what it took is told; and so is counting."""

import re
from importlib import import_module
from pathlib import Path

import pytest

whole_trainings = import_module("goldpiece.bench.whole_trainings")
TRAINERS = [(kind, name) for kind, of in whole_trainings.TRAINERS.items() for name in of]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "text.txt"
    path.write_text("a winner wins\nnews of winners and dinners\nthe end\n" * 30, encoding="utf-8")
    return path


@pytest.mark.parametrize(("kind", "name"), TRAINERS)
def test_each_trainer_trains(kind: str, name: str, file: Path) -> None:
    if whole_trainings.MISSING.get(name):
        pytest.skip(f"not run: {name} is not installed")
    size = {"bpe": 270, "wordpiece": 40}[kind]
    taken = whole_trainings.trained(kind, name, whole_trainings.texts_of(file, None), size)
    assert taken.entries == size
    assert taken.seconds > 0
    assert taken.grown_bytes >= 0


def test_the_first_lines_alone(file: Path) -> None:
    assert list(whole_trainings.texts_of(file, 2)) == ["a winner wins\n", "news of winners and dinners\n"]


def test_the_table_takes_tokenizers_for_its_measure(file: Path) -> None:
    taken = whole_trainings.in_a_process("bpe", "goldpiece", file, 270, 10)
    assert taken.entries > 256
    rows = {"goldpiece": [taken._replace(seconds=3.0, grown_bytes=10**6)], "tokenizers": [taken._replace(seconds=1.5)]}
    rows["tokenizers"] = [each._replace(grown_bytes=2 * 10**6) for each in rows["tokenizers"]]
    rows["goldpiece"] = [each._replace(start_seconds=0.25) for each in rows["goldpiece"]]
    assert list(whole_trainings.table(rows))[1].split()[:6] == ["goldpiece", "0.25", "3.00", "2.00", "1", "0.50"]


def test_counts_are_measured_with_one_worker_and_with_two(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole_counts = import_module("goldpiece.bench.whole_counts")
    monkeypatch.delitem(whole_counts.CUTTINGS, "bpe")
    header, *lines = whole_counts.compared(file, 2, 2)
    assert header.split() == ["words", "of", "one", "2", "times", "as", "fast"]
    assert [line.split()[0] for line in lines] == ["wordpiece"]
    assert all(re.fullmatch(r"\w+ +\d+\.\d\d +\d+\.\d\d  \d\.\d\d \(\d\.\d\d-\d\.\d\d\)", line) for line in lines)
    assert whole_counts.middle([1.0, 2.0, 1.5, 3.0, 1.25]) == "1.50 (1.25-2.00)"
