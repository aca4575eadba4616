"""A user's class in a workload: what is called, what is compared, and what is left out."""

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from goldpiece.errors import UsageError
from goldpiece.suite.benchmarks.measuring import Side
from goldpiece.suite.benchmarks.process import HERE
from goldpiece.suite.benchmarks.sides import find_side, here

subjects = import_module("goldpiece.bench.subjects")
workloads = import_module("goldpiece.bench.workloads")
preparing = import_module("goldpiece.bench.preparing")


class WordPiece:
    def __init__(self, vocab: Sequence[str]) -> None:
        self.vocab = vocab

    def tokenize(self, word: str) -> Any:
        return {"pieces": (word, "##s")}


class PreTokenizer:
    def pre_tokenize(self, text: str) -> Any:
        return (text,), ((0, 1),)


@dataclass
class Encoded:
    ids: tuple[int, ...]


class Tokenizer:
    def __init__(self, vocab: Sequence[str]) -> None:
        self.vocab = vocab

    def encode(self, text: str, pair: str | None, add_special_tokens: bool, parse_special: bool) -> Any:
        assert (pair, add_special_tokens, parse_special) == (None, True, True)
        return Encoded((len(text), 2))


class ReadyMade:
    def encode(self, text: str, add_special_tokens: bool = True) -> list[int]:
        return [len(text), add_special_tokens]


@pytest.fixture(autouse=True)
def _module(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("of_a_user")
    for each in (WordPiece, PreTokenizer, Tokenizer, ReadyMade):
        setattr(module, each.__name__, each)
    monkeypatch.setitem(sys.modules, "of_a_user", module)


def answered(name: str, call: str, config: Mapping[str, object], given: object) -> object:
    ready = subjects.builder_of(f"of_a_user:{name}", "", call)(workloads.Setup(config, Path()))
    return ready.plain(ready.call(given))


def test_outputs_are_compared_however_they_are_given() -> None:
    assert answered("WordPiece", "wordpiece.tokenize", {"vocab": []}, "a") == ["a", "##s"]
    assert answered("PreTokenizer", "pre_tokenizer.pre_tokenize", {}, "a") == [["a"], [[0, 1]]]
    assert answered("Tokenizer", "tokenizer.encode", {"vocab": []}, "abc") == [3, 2]


def test_only_workloads_whose_parameters_it_takes() -> None:
    found = {workload.id: workload for workload in preparing.all_workloads()}
    words = found["wordpiece/words"]
    assert subjects.builder("of_a_user:WordPiece", words)
    assert not subjects.builder("of_a_user:ReadyMade", found["tokenizer/sentences"])
    assert subjects.builder("of_a_user:Tokenizer", found["tokenizer/sentences"])
    assert not subjects.builder("of_a_user:WordPiece", found["decoder/sentences"])
    assert not subjects.builder("of_a_user:WordPiece", found["masking/subwords"])
    with pytest.raises(UsageError, match="of_a_user has no 'Nope'"):
        subjects.builder("of_a_user:Nope", words)


def test_it_is_a_side_of_its_own_and_found_in_this_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", "elsewhere")
    side = find_side("of_a_user:WordPiece")
    assert isinstance(side, Side)
    assert side.subjects == ("of_a_user:WordPiece",)
    assert side.environment.more == {"PYTHONPATH": os.pathsep.join([str(tmp_path), "elsewhere"])}
    assert here(["reference"]) is HERE
    monkeypatch.delenv("PYTHONPATH")
    assert here(["mine:It"]).more == {"PYTHONPATH": str(tmp_path)}
