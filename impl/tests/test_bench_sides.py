"""What the sides of a comparison may be called, and how an environment is built for a revision or a version."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from goldpiece.errors import FileError, UsageError
from goldpiece.suite.benchmarks import environments, sides
from goldpiece.suite.benchmarks.machine import this_machine
from goldpiece.suite.benchmarks.measuring import Side
from goldpiece.suite.benchmarks.process import HERE, Environment
from goldpiece.suite.benchmarks.record import Run, write_run


def test_what_a_side_may_be_called(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[str] = []

    def build(what: str) -> Environment:
        built.append(what)
        return HERE

    monkeypatch.setattr(sides, "of_commit", build)
    monkeypatch.setattr(sides, "of_requirement", build)
    monkeypatch.setattr(sides, "commit_of", lambda name: "0123456789abcdef" if name == "v1" else None)
    monkeypatch.chdir(tmp_path)
    assert sides.find_side(".") == Side(".", "", HERE, ("reference", "fast"))
    assert sides.find_side(".", ["fast"]) == Side(".", "", HERE, ("fast",))
    assert sides.find_side("tokenizers") == Side("tokenizers", "", HERE, ("tokenizers",))
    assert sides.find_side("v1") == Side("v1", "0123456789ab", HERE, ("reference", "fast"))
    assert sides.find_side("tokenizers==0.22.0") == Side(
        "tokenizers==0.22.0", "tokenizers==0.22.0", HERE, ("tokenizers",)
    )
    assert sides.find_side("goldpiece==0.1.0").subjects == ("reference", "fast")  # type: ignore[union-attr]
    assert built == ["0123456789abcdef", "tokenizers==0.22.0", "goldpiece==0.1.0"]
    assert sides.find_side(sys.executable) == Side(sys.executable, "", Environment(Path(sys.executable)), sides.OURS)
    run = Run(".", "0.1.0", "2026-11-30", this_machine(), "quick", None, None, (), ())
    write_run(tmp_path / "saved.json", run)
    assert sides.find_side("saved.json") == run
    (tmp_path / "other.json").write_text("{}", encoding="utf-8")
    with pytest.raises(FileError):
        sides.find_side("other.json")
    with pytest.raises(UsageError, match="there is nothing called 'nosuch' to compare: name"):
        sides.find_side("nosuch")


@pytest.fixture
def _repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """This folder is one, with a commit, and there is a cache of its own."""
    folder = tmp_path / "repository"
    folder.mkdir()
    git = ["git", "-c", "user.name=n", "-c", "user.email=e", "-C", str(folder)]
    for command in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", "first"]):
        subprocess.run([*git, *command], check=True, capture_output=True)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "cache"))


@pytest.mark.usefixtures("_repository")
def test_a_revision_is_built_in_a_worktree_once(monkeypatch: pytest.MonkeyPatch) -> None:
    real, installed = environments._checked, []

    def checked(command: Sequence[str], what: str) -> None:
        if "pip" in command:
            installed.append(Path(command[-1]))
            assert (installed[-1] / ".git").is_file()  # a worktree
        elif "venv" in command:
            Path(command[-1]).mkdir(parents=True)
        else:
            real(command, what)

    monkeypatch.setattr(environments, "_checked", checked)
    commit = environments.commit_of("HEAD")
    assert commit
    assert environments.commit_of("nosuch") is None
    assert environments.commit_of("--all") is None
    first, again = environments.of_commit(commit), environments.of_commit(commit)
    assert first == again
    assert len(installed) == 1
    assert not installed[0].exists()
    worktrees = environments._run(["git", "worktree", "list"]).stdout
    assert len(worktrees.splitlines()) == 1


@pytest.mark.usefixtures("_repository")
def test_of_environments_the_last_ones_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def checked(command: Sequence[str], _: str) -> None:
        if "venv" in command:
            Path(command[-1]).mkdir(parents=True)

    monkeypatch.setattr(environments, "_checked", checked)
    monkeypatch.setattr(environments, "MOST_KEPT", 2)
    homes = []
    for version in ("0.1.0", "0.2.0", "0.1.0", "0.3.0"):
        homes.append(environments.of_requirement(f"goldpiece=={version}").python.parents[1])
        os.utime(homes[-1] / "complete", (len(homes), len(homes)))
    assert [home.exists() for home in homes] == [True, False, True, True]
    assert homes[0] == homes[2]
    assert len(list((tmp_path / "cache" / "goldpiece" / "bench").iterdir())) == 2


@pytest.mark.usefixtures("_repository")
def test_two_may_build_the_same_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While one is at it another begins, and is first; what a process that is gone had begun is removed."""
    place, asked = tmp_path / "cache" / "goldpiece" / "bench", list[str]()
    (place / "making-gone").mkdir(parents=True)
    os.utime(place / "making-gone", (0, 0))

    def checked(command: Sequence[str], _: str) -> None:
        if "venv" in command:
            asked.append(command[-1])
            Path(command[-1]).mkdir()
            if len(asked) == 1:
                home = environments.of_requirement("goldpiece==0.1.0").python.parents[1]
                (home / "of the other").touch()

    monkeypatch.setattr(environments, "_checked", checked)
    home = environments.of_requirement("goldpiece==0.1.0").python.parents[1]
    assert len(set(asked)) == 2
    assert (home / "of the other").exists()
    assert list(place.iterdir()) == [home]


@pytest.mark.usefixtures("_repository")
def test_what_cannot_be_built_says_why() -> None:
    with pytest.raises(UsageError, match="name a Python that has it installed"):
        environments.of_commit("0" * 40)
    assert environments.package_of("tokenizers==0.22.0") == "tokenizers"
