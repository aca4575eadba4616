"""Parsed specs are kept beside them: what is kept is what would be parsed, or is not used."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from goldpiece.suite.kept import parsed
from goldpiece.suite.strict_yaml import Document, read_yaml

ODD = 'a: ["\\uD800", 1, 1.5, null, true]\n'


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path / "kept"))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    path = tmp_path / "one.yaml"
    path.write_text(ODD)
    return path


def kept(path: Path) -> Path:
    (found,) = (path.parent / "kept").rglob("*.parsed")
    return found


def must_not_parse(path: Path) -> Document:
    raise AssertionError(f"{path} was parsed again")


def test_what_is_kept_is_what_was_parsed(path: Path) -> None:
    first = parsed([path], read_yaml, [])
    assert parsed([path], must_not_parse, []) == first == [read_yaml(path)]
    assert first[0].data == {"a": ["\ud800", 1, 1.5, None, True]}


def test_a_change_is_seen(path: Path, tmp_path: Path) -> None:
    schema = tmp_path / "schema.yaml"
    schema.write_text("one")
    parsed([path], read_yaml, [schema])
    schema.write_text("two")
    with pytest.raises(AssertionError, match="parsed again"):
        parsed([path], must_not_parse, [schema])
    path.write_text("a: 2\n")
    assert parsed([path], read_yaml, [schema])[0].data == {"a": 2}


@pytest.mark.parametrize("damage", [lambda old: old[:-1], lambda old: old[:70] + b"?" + old[71:], lambda _: b""])
def test_what_is_damaged_is_made_anew(path: Path, damage: Callable[[bytes], bytes]) -> None:
    right = parsed([path], read_yaml, [])
    whole = kept(path).read_bytes()
    kept(path).write_bytes(damage(whole))
    assert parsed([path], read_yaml, []) == right
    assert kept(path).read_bytes() == whole


def test_nothing_is_kept_where_python_keeps_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert parsed([path], read_yaml, []) == [read_yaml(path)]
    assert not (path.parent / "kept").exists()


def test_a_folder_that_cannot_be_made_does_not_matter(path: Path) -> None:
    (path.parent / "kept").write_text("a file")
    assert parsed([path], read_yaml, []) == [read_yaml(path)]


def test_a_value_that_cannot_be_kept_is_parsed_each_time(path: Path) -> None:
    path.write_text("day: 2026-02-28\n")
    assert parsed([path], read_yaml, []) == parsed([path], read_yaml, [])
    assert not list((path.parent / "kept").rglob("*.parsed"))
