"""The commands, as a user types them."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from goldpiece.cli import COMMANDS
from goldpiece.suite import records, rooms
from goldpiece.suite.checks import all_checks
from goldpiece.suite.loader import load_specs
from goldpiece.suite.spec import Depth
from goldpiece.suite.subjects import in_this_process
from goldpiece.suite.verdict import Verdict

from .conftest import SUBJECTS, Goldpiece

QUICK = ("--clause", "wordpiece.spells-the-word")


@pytest.mark.parametrize(
    "subjects", [["reference"], ["tiny:Wrong"], ["tiny:Raises"], ["tiny:Nothing"], ["tiny:Right", "tiny:WrongShape"]]
)
def test_reports_follow_their_schema(goldpiece: Goldpiece, tmp_path: Path, subjects: list[str]) -> None:
    goldpiece("check", *subjects, *QUICK, "--json", "out.json")
    report = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    schema = json.loads(records.SCHEMA.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(report, schema)
    assert [each["subject"] for each in (report if len(subjects) > 1 else [report])] == subjects


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["check", "nothing"], "error: there is no subject 'nothing'"),
        (["check", "--spec", "nothing"], "error: there is no spec 'nothing'; there are "),
        (["check", "--clause", "nothing"], "error: there is no clause 'nothing'; `goldpiece spec list` names them all"),
        (["check", "--profile", "nothing"], "error: there is no profile 'nothing'; there are hf, google, simple"),
        (
            ["check", "--spec", "wordpiece", "--clause", "normalizer.pure"],
            "error: nothing is left to check with --spec",
        ),
        (["check", "--clause", "normalizer.idempotent", "--profile", "hf"], "error: nothing is left to check with"),
        (
            ["check", "--json", "no/such/folder.json"],
            "error: --json no/such/folder.json: it cannot be written (No such",
        ),
        (["check", "--json", "."], "error: --json .: it cannot be written (Is a directory); name another file"),
        (["check", "--divergences", "none.yaml"], "error: none.yaml: it cannot be read"),
        (["spec", "lint", "none.yaml"], "error: there is no file none.yaml"),
        (["check", "--depth", "bottomless"], "'bottomless' is not one of"),
        (["check", "-n", "0"], "Invalid value for '-n' / '--workers'"),
        (["check", "--colour"], "No such option: --colour"),
        (["spec", "show", "nothing.at-all"], "error: there is no clause 'nothing.at-all'"),
        (["spec", "coverage", "--spec", "nothing"], "error: there is no spec 'nothing'"),
        (["mutants", "run", "--clause", "wordpiece.surrogates"], "error: wordpiece.surrogates has no mutants"),
        (["mutants", "list", "--spec", "nothing"], "error: there is no spec 'nothing'"),
    ],
)
def test_wrong_usage_is_exit_2(goldpiece: Goldpiece, arguments: list[str], message: str) -> None:
    done = goldpiece(*arguments)
    assert done.returncode == 2, done.stdout + done.stderr
    assert message in re.sub(r"[\s│]+", " ", done.stderr)
    assert "Traceback" not in done.stderr


def test_a_fault_of_the_harness_is_exit_3_and_says_so(goldpiece: Goldpiece, tmp_path: Path) -> None:
    """A law that breaks is nobody's fault but ours."""
    (tmp_path / "sitecustomize.py").write_text(
        "import importlib.abc, sys\n"
        "class Breaks(importlib.abc.MetaPathFinder):\n"
        "    def find_spec(self, name, path, target=None):\n"
        "        if name == 'goldpiece.properties.test_wordpiece':\n"
        "            from goldpiece.suite import law\n"
        "            law.expect = lambda *given, **named: 1 / 0\n"
        "sys.meta_path.insert(0, Breaks())\n",
        encoding="utf-8",
    )
    done = goldpiece("check", *QUICK, env={"PYTHONPATH": str(tmp_path)})
    assert done.returncode == 3, done.stdout + done.stderr
    assert "goldpiece itself failed, and no verdict can be trusted" in done.stderr
    assert "ZeroDivisionError" in done.stderr


def test_a_broken_spec_is_exit_2(goldpiece: Goldpiece, tmp_path: Path) -> None:
    """The rooms are looked up beside the package: a copy of the checkout has its own."""
    root = rooms.room("spec").parent
    for name in ("spec", "properties"):
        shutil.copytree(root / name, tmp_path / name)
    shutil.copytree(
        Path(records.__file__).parents[1], tmp_path / "impl" / "goldpiece", ignore=shutil.ignore_patterns("spec")
    )
    spec = tmp_path / "spec" / "wordpiece.yaml"
    spec.write_text(spec.read_text(encoding="utf-8").replace("level: must", "level: maybe", 1), encoding="utf-8")
    done = goldpiece("check", env={"PYTHONPATH": str(tmp_path / "impl")})
    assert done.returncode == 2, done.stdout + done.stderr
    assert re.search(r"error: .*wordpiece.yaml:\d+: 'maybe' is not one of", done.stderr)


def test_several_subjects_are_reported_one_after_the_other(goldpiece: Goldpiece) -> None:
    done = goldpiece("check", "tiny:Right", "tiny:Wrong", *QUICK)
    assert done.returncode == 1
    assert done.stdout.index("tiny:Right 1.2.3") < done.stdout.index("1 holds") < done.stdout.index("tiny:Wrong 1.2.3")


def test_progress_goes_to_standard_error(goldpiece: Goldpiece) -> None:
    done = goldpiece("check", "tiny:Slow", *QUICK)
    assert re.search(r"^tiny:Slow: \d+ of \d+ done, \d+ s$", done.stderr, re.MULTILINE)
    assert " done, " not in done.stdout


def test_spec_commands(goldpiece: Goldpiece) -> None:
    assert "wordpiece.longest-match" in goldpiece("spec", "list").stdout
    shown = goldpiece("spec", "show", "wordpiece.all-or-unknown").stdout
    for part in (
        "A word that cannot be segmented",
        "source    google-research/bert",
        '→ ["[UNK]"]',
        "::all_or_unknown",
        "KeepsTheStart",
    ):
        assert part in shown
    spec = goldpiece("spec", "show", "normalizer").stdout
    for part in (
        "profiles",
        "strip_accents (optional boolean, only hf and google, default null)",
        "errata",
        "Extension E begins at U+2B920",
    ):
        assert part in spec
    coverage = goldpiece("spec", "coverage", "--spec", "wordpiece").stdout
    assert re.search(r"wordpiece.pure +must +0 +pure +CachesByBeginning", coverage)


def test_mutants_commands(goldpiece: Goldpiece) -> None:
    listed = goldpiece("mutants", "list", "--clause", "wordpiece.all-or-unknown").stdout
    assert "google-research/bert#763" in " ".join(listed.split())
    done = goldpiece("mutants", "run", "--clause", "wordpiece.all-or-unknown", "-n", "1")
    assert done.returncode == 0
    assert "3 of 3 mutants killed under 10 seeds each" in done.stdout


def test_version_and_help(goldpiece: Goldpiece) -> None:
    assert re.fullmatch(r"goldpiece \d+\.\d+\.\d+\n", goldpiece("--version").stdout)
    for command in ([], *([name] for name in COMMANDS)):
        assert f"Usage: {' '.join(['goldpiece', *command])} " in goldpiece(*command, "--help").stdout


def test_a_command_that_is_mistyped_is_named(goldpiece: Goldpiece) -> None:
    done = goldpiece("chekc")
    assert done.returncode == 2
    assert "Did you mean 'check'?" in done.stderr


def test_a_command_starts_without_what_others_need() -> None:
    ask = "import sys; from goldpiece.cli import _Imported; _Imported()['encode']; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True)
    assert "goldpiece.cli.text" in (imported := set(done.stdout.split()))
    assert not {"hypothesis", "pytest", "jsonschema", "tokenizers", "goldpiece.suite.loader"} & imported


def test_a_stream_that_lacks_a_character_gets_an_escape(goldpiece: Goldpiece) -> None:
    done = goldpiece("check", *QUICK, env={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"})
    assert done.returncode == 0, done.stderr
    assert "wordpiece.spells-the-word" in done.stdout


def test_warnings_of_the_user_are_no_errors_of_ours(goldpiece: Goldpiece) -> None:
    done = goldpiece("check", "tiny:Right", *QUICK, env={"PYTHONWARNINGS": "error"})
    assert done.returncode == 0, done.stderr


def test_a_folder_that_is_called_like_a_package_hides_nothing(tmp_path: Path) -> None:
    for name in ("goldpiece", "spec", "properties"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("1 / 0", encoding="utf-8")
    command = [str(Path(sys.executable).with_name("goldpiece")), "check", "tiny:Right", *QUICK, "-n", "2"]
    env = os.environ | {"PYTHONPATH": str(SUBJECTS)}
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_example_holds_at_every_depth() -> None:
    """Those that take long run here for the reference, whatever depth they are for."""
    specs = load_specs()
    subject = in_this_process("reference", specs)
    long = [check for check in all_checks(specs) if check.kind == "example" and not check.runs_at(Depth.QUICK)]
    outcomes = [check.run(subject, specs, Depth.DEEP, 0) for check in long]
    assert [outcome.verdict for outcome in outcomes] == [Verdict.HOLDS] * len(long)
    assert len(long) > 2
