"""Goldens: what is recorded is right and confirmed, and whatever is wrong with them is seen."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import goldpiece as package
from goldpiece.errors import FileError, UsageError
from goldpiece.suite.checks import Check, all_checks
from goldpiece.suite.data import VARIABLE
from goldpiece.suite.golden.cases import cases, needs_data
from goldpiece.suite.golden.keep import Comparison, compare, entries, orphans, update
from goldpiece.suite.golden.recorded import read_recorded
from goldpiece.suite.loader import load_specs
from goldpiece.suite.mutants import load_mutants
from goldpiece.suite.rooms import room
from goldpiece.suite.spec import Depth
from goldpiece.suite.subjects.ready import HAVE_IT
from goldpiece.suite.verdict import Verdict

from .conftest import Goldpiece

SPECS = load_specs()
ENTRIES = {entry.title: entry for entry in entries(SPECS)}
GOLDENS = [check for check in all_checks(SPECS) if check.kind == "golden"]

needs_a_witness = pytest.mark.skipif(
    not HAVE_IT, reason="not run: tokenizers, which confirms goldens, is not installed"
)


def compared(title: str) -> Comparison:
    return compare(SPECS, [ENTRIES[title]], lambda _: None)[0]


@pytest.mark.parametrize("title", ENTRIES)
def test_what_is_recorded_is_what_the_reference_and_the_witnesses_give(title: str) -> None:
    comparison = compared(title)
    if comparison.not_run:
        pytest.skip(f"not run: {comparison.not_run}")
    assert comparison.problems == ()
    assert comparison.changes == ()


def test_nothing_in_the_room_is_an_orphan() -> None:
    assert orphans(SPECS) == []


def test_every_component_has_a_golden() -> None:
    assert {entry.spec.name for entry in ENTRIES.values()} == set(SPECS.by_name)


def test_what_the_hf_profile_does_is_confirmed_by_the_peer() -> None:
    for entry in ENTRIES.values():
        if entry.profile == "hf":
            assert any(name.startswith("tokenizers ") for name in read_recorded(entry.path).header.confirmed_by)


def test_goldens_of_corpora_hold_no_text() -> None:
    of_corpora = [entry for entry in ENTRIES.values() if entry.golden.corpus and needs_data(entry.golden)]
    assert of_corpora
    for entry in of_corpora:
        recorded = read_recorded(entry.path)
        assert all(given.keys() == {"document"} for given in recorded.given)
        for gives in recorded.gives:
            for digest in gives.values():
                assert isinstance(digest, list)
                length, hexadecimal = digest
                assert isinstance(length, int)
                assert len(str(hexadecimal)) == 16


@pytest.mark.parametrize("check", GOLDENS, ids=[check.id for check in GOLDENS])
def test_a_golden_sees_a_fault(check: Check) -> None:
    """Each kills one of the mutants of its component under its profile: none is recorded for nothing."""
    mutants = load_mutants(spec=check.spec.name)
    of_the_clause_first = sorted(mutants, key=lambda mutant: mutant.breaks != check.clause.id)
    assert any(
        check.run(mutant.subject(SPECS), SPECS, Depth.QUICK, 0).verdict is Verdict.FAILS
        for mutant in of_the_clause_first
    )


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the room that a test may change."""
    folder = tmp_path / "golden"
    shutil.copytree(room("golden"), folder)
    monkeypatch.setattr(package, "__path__", [str(tmp_path), *package.__path__])
    cases.cache_clear()
    assert room("golden") == folder
    return folder


def edited(path: Path, change: Callable[[list[dict[str, object]]], None]) -> None:
    """Changes the lines of a golden."""
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    change(lines)
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")


def otherwise(lines: list[dict[str, object]]) -> None:
    lines[5]["gives"] = {"pieces": ["other"]}


def test_a_changed_case_is_seen(copied: Path) -> None:
    edited(copied / "wordpiece" / "words.jsonl", otherwise)
    (change,) = compared("wordpiece/words").changes
    assert change.was == {"pieces": ["other"]}
    assert change.now == {"pieces": ["."]}


def test_a_missing_golden_and_an_orphan_are_seen(copied: Path) -> None:
    path = copied / "wordpiece" / "words.jsonl"
    path.rename(path.with_name("verbs.jsonl"))
    (copied / "inputs" / "left_over.jsonl").touch()
    assert "missing" in compared("wordpiece/words").problems[0]
    assert [stray.name for stray in orphans(SPECS)] == ["left_over.jsonl", "verbs.jsonl"]


@pytest.mark.parametrize(
    ("key", "value", "problem"),
    [
        ("version", "0.9.0", "recorded for version 0.9.0"),
        ("inputs", "0" * 16, "has changed since it was recorded"),
        ("vocab", "0" * 64, "has changed since it was recorded"),
        ("profile", "google", "it is the golden of"),
        ("golden", "wordpiece/verbs", "it is the golden of wordpiece/verbs"),
        ("confirmed_by", {}, "nobody confirms its cases 1, 2, 3"),
        ("confirmed_by", {"oracles": "all but 3, 7"}, "nobody confirms its cases 3, 7"),
        (
            "confirmed_by",
            {"oracles": "all but 3"},
            "oracles confirmed all but 3 of its cases, and now confirms all",
        ),
    ],
)
def test_a_header_that_is_not_true_is_seen(copied: Path, key: str, value: object, problem: str) -> None:
    edited(copied / "wordpiece" / "words.jsonl", lambda lines: lines[0].update({key: value}))
    assert any(problem in each for each in compared("wordpiece/words").problems)


@needs_a_witness
def test_a_witness_that_has_no_answer_any_more_is_seen(copied: Path) -> None:
    """It is here, and does not do what the header says that it confirmed."""
    claims = {"oracles": "all", "tokenizers 0.23.3": "all"}
    edited(copied / "decoder" / "words.jsonl", lambda lines: lines[0].update({"confirmed_by": claims}))
    assert compared("decoder/words").problems == (
        "tokenizers 0.23.3 confirmed all of its cases, and now confirms none",
    )


def test_a_case_that_was_taken_out_is_seen(copied: Path) -> None:
    edited(copied / "wordpiece" / "words.jsonl", lambda lines: lines.__delitem__(9))
    (change,) = compared("wordpiece/words").changes
    assert change.was is None


@needs_a_witness
def test_update_refuses_a_change_of_behaviour_under_the_same_version(copied: Path) -> None:
    path = copied / "wordpiece" / "words.jsonl"
    edited(path, otherwise)
    (copied / "decoder" / "pieces.jsonl").unlink()
    before = path.read_bytes()
    comparisons = [compared("decoder/pieces"), compared("wordpiece/words")]
    with pytest.raises(UsageError, match=r"wordpiece is still .*--same-version"):
        update(comparisons, same_version=False)
    assert path.read_bytes() == before
    assert not (copied / "decoder" / "pieces.jsonl").exists()
    assert update(comparisons, same_version=True) == [ENTRIES["decoder/pieces"], ENTRIES["wordpiece/words"]]
    assert path.read_bytes() == (room_in_checkout() / "wordpiece" / "words.jsonl").read_bytes()


@needs_a_witness
def test_update_takes_a_change_of_behaviour_under_a_new_version(copied: Path) -> None:
    def older(lines: list[dict[str, object]]) -> None:
        otherwise(lines)
        lines[0]["version"] = "0.9.0"

    edited(copied / "wordpiece" / "words.jsonl", older)
    assert update([compared("wordpiece/words")], same_version=False) == [ENTRIES["wordpiece/words"]]
    assert compared("wordpiece/words").is_right


@needs_a_witness
def test_update_records_a_new_input_and_leaves_alone_what_is_right(copied: Path) -> None:
    with (copied / "inputs" / "words.jsonl").open("a", encoding="utf-8") as file:
        file.write('"breadbasket"\n')
    cases.cache_clear()
    changed, right = compared("wordpiece/words"), compared("decoder/pieces")
    assert [(change.given, change.was) for change in changed.changes] == [({"word": "breadbasket"}, None)]
    assert update([changed, right], same_version=False) == [changed.entry]
    assert compared("wordpiece/words").is_right


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("{}", "no input of tokenize"),
        ('{"wort": "a"}', "no input of tokenize"),
        ("3", "not text"),
        ("[", "not JSON"),
        ('"the"', "again"),
        ('{"word": "a", "word": "b"}', "stands twice"),
    ],
)
def test_an_input_that_is_none_is_named(copied: Path, line: str, problem: str) -> None:
    with (copied / "inputs" / "words.jsonl").open("a", encoding="utf-8") as file:
        file.write(line + "\n")
    cases.cache_clear()
    with pytest.raises(FileError, match=problem) as error:
        compared("wordpiece/words")
    assert error.value.line == 223


@pytest.mark.parametrize("content", ["", "[]\n", "{}\n", '{"golden": 1}\n', "null\n", "NaN\n", "[" * 100_000])
def test_a_file_that_is_no_golden_is_named(tmp_path: Path, content: str) -> None:
    (tmp_path / "broken.jsonl").write_text(content, encoding="utf-8")
    with pytest.raises(FileError, match=r"broken\.jsonl"):
        read_recorded(tmp_path / "broken.jsonl")


def room_in_checkout() -> Path:
    return next(path for path in map(Path, package.__path__) if (path / "spec").is_dir()) / "golden"


def test_the_command_shows_a_difference_and_records_it_anew(goldpiece: Goldpiece) -> None:
    done = goldpiece("golden", "verify", "wordpiece", "decoder")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "wordpiece/words" in done.stdout
    assert "3 goldens: none wrong, no orphans" in done.stdout
    assert goldpiece("golden", "diff", "wordpiece").stdout == "1 goldens: no difference\n"
    assert "neither a file nor a component" in goldpiece("golden", "verify", "nothing").stderr


def test_goldens_that_need_data_are_not_run_without(goldpiece: Goldpiece, tmp_path: Path) -> None:
    done = goldpiece("golden", "verify", "tokenizer", env={VARIABLE: str(tmp_path)})
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"linuxdoc-cased [hf]: not run: bert/bert-base-cased-vocab.txt is not in {tmp_path}" in done.stdout
    assert "14 goldens: none wrong, 6 not run, no orphans" in done.stdout
