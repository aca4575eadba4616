"""An installed Goldpiece is complete: from a wheel outside the checkout. These tests run from an editable install."""

import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from goldpiece.suite import rooms

ROOT = rooms.room("spec").parent
CHECKOUT = pytest.mark.skipif(not (ROOT / "pyproject.toml").is_file(), reason="not run: it needs the checkout")

pytestmark = CHECKOUT


def run(*command: str, cwd: Path) -> "subprocess.CompletedProcess[str]":
    # A worker of pytest-xdist is known by its variables, and what it starts would take itself for another.
    variables = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    done = subprocess.run(
        command, cwd=cwd, env=variables, capture_output=True, text=True, encoding="utf-8", timeout=600, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT), cwd=folder)
    return next(folder.glob("*.whl"))


def bare_environment(folder: Path) -> Path:
    """A virtual environment that sees the dependencies of this one, and not its goldpiece."""
    venv.create(folder / "env", with_pip=True)
    python = folder / "env" / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    inherited = (
        folder
        / "env"
        / "lib"
        / f"python{sys.version_info.major}.{sys.version_info.minor}"
        / "site-packages"
        / "inherited.pth"
    )
    # Our own goldpiece may be among them; what is installed in the environment itself comes first.
    inherited.write_text("\n".join(path for path in sys.path if "site-packages" in path), encoding="utf-8")
    return python


def test_the_wheel_holds_every_file_of_the_rooms(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for room in ("spec", "properties", "golden", "bench"):
        for path in (ROOT / room).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                assert f"goldpiece/{path.relative_to(ROOT).as_posix()}" in names
    assert {name.split("/")[0] for name in names} == {
        "goldpiece",
        "wordpiece",
        f"{wheel.name.split('-py3')[0]}.dist-info",
    }
    assert "goldpiece/reference/unicode/hf.json" in names
    for data in (
        "report.schema.json",
        "benchmarks/run.schema.json",
        "drift/drift.schema.json",
        "protocol.md",
        "subjects/starters/subject.js",
    ):
        assert f"goldpiece/suite/{data}" in names


def test_an_installed_goldpiece_checks(wheel: Path, tmp_path: Path) -> None:
    python = str(bare_environment(tmp_path))
    run(python, "-m", "pip", "install", "--quiet", "--no-deps", "--force-reinstall", str(wheel), cwd=tmp_path)
    assert str(tmp_path) in run(python, "-c", "import goldpiece; print(goldpiece.__file__)", cwd=tmp_path).stdout
    done = run(python, "-m", "goldpiece", "check", "--clause", "wordpiece.pure", "-n", "2", cwd=tmp_path)
    assert "✓   wordpiece.pure" in done.stdout
    assert "no problems" in run(python, "-m", "goldpiece", "spec", "lint", cwd=tmp_path).stdout
    proof = run(python, "-m", "goldpiece", "mutants", "run", "--clause", "wordpiece.pure", cwd=tmp_path)
    assert "2 of 2 mutants killed" in proof.stdout
    bench = run(python, "-m", "goldpiece.bench", "-k", "test_decoder and sentences-reference", cwd=tmp_path)
    assert "1 passed" in bench.stdout
