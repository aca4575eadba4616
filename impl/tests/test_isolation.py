"""Nothing of the user's bends a run: neither files nor variables, nor a Hypothesis profile."""

import gc
import inspect
import json
import re
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from hypothesis import strategies as st
from hypothesis.internal.conjecture import providers

from goldpiece.suite import execution
from goldpiece.suite.checks import checks_of
from goldpiece.suite.loader import load_specs
from goldpiece.suite.spec import Depth
from goldpiece.suite.subjects import in_this_process
from goldpiece.suite.verdict import Verdict

from .conftest import SUBJECTS, Goldpiece

RUN = ("check", "--spec", "decoder", "--seed", "3")


def _report(folder: Path) -> Any:
    text = (folder / "out.json").read_text(encoding="utf-8")
    return json.loads(re.sub(r'"seconds": [\d.]+', '"seconds": 0', text))


def test_a_hostile_folder_changes_nothing(goldpiece: Goldpiece, tmp_path: Path) -> None:
    quiet, hostile = tmp_path / "quiet", tmp_path / "hostile"
    quiet.mkdir()
    hostile.mkdir()
    assert goldpiece(*RUN, "--json", "out.json", cwd=quiet).returncode == 0
    hostile.joinpath("pytest.ini").write_text(
        "[pytest]\naddopts = -k nothing --maxfail=0\nminversion = 99\n", encoding="utf-8"
    )
    hostile.joinpath("pyproject.toml").write_text(
        "[tool.pytest.ini_options]\naddopts = '--nonsense'\n", encoding="utf-8"
    )
    # Constants of modules in the folder are what Hypothesis would draw now and then.
    profile = (
        "import hypothesis\n"
        "hypothesis.settings.register_profile('mine', max_examples=1)\n"
        "hypothesis.settings.load_profile('mine')\n"
    )
    hostile.joinpath("conftest.py").write_text(f"{profile}raise SystemExit('conftest was read')\n", encoding="utf-8")
    hostile.joinpath("sitecustomize.py").write_text(
        f"{profile}open('was-here', 'w').close()\nNUMBERS = {list(range(50))}\n", encoding="utf-8"
    )
    variables = {
        "PYTEST_ADDOPTS": "--collect-only",
        "PYTEST_PLUGINS": "no_such_plugin",
        "CI": "true",
        "GITHUB_ACTIONS": "true",
        "HYPOTHESIS_PROFILE": "mine",
        "PYTHONPATH": str(hostile),
        "PYTHONHASHSEED": "12345",
    }
    done = goldpiece(*RUN, "--json", "out.json", cwd=hostile, env=variables)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (hostile / "was-here").exists()
    assert _report(hostile) == _report(quiet)


def test_a_run_leaves_nothing_behind(goldpiece: Goldpiece, tmp_path: Path) -> None:
    goldpiece("check", "--clause", "wordpiece.longest-match")
    assert list(tmp_path.iterdir()) == []


def test_workers_change_nothing_but_the_time(goldpiece: Goldpiece, tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.mkdir()
    two.mkdir()
    subject = ("check", "tiny:Wrong", "--clause", "wordpiece.longest-match", "--json", "out.json")
    assert goldpiece(*subject, cwd=one).returncode == 1
    assert goldpiece(*subject, "-n", "2", cwd=two).returncode == 1
    assert _report(one) == _report(two)


def test_another_seed_draws_other_inputs(goldpiece: Goldpiece, tmp_path: Path) -> None:
    first = goldpiece("check", "--clause", "wordpiece.pure", "--seed", "1", "--json", "out.json")
    assert first.returncode == 0
    one = _report(tmp_path)
    goldpiece("check", "--clause", "wordpiece.pure", "--seed", "2", "--json", "out.json")
    assert one["clauses"][0]["checks"] != _report(tmp_path)["clauses"][0]["checks"]


def test_every_setting_of_hypothesis_is_explicit() -> None:
    """A setting that is left out would come from the user's profile, or from what CI says."""
    known = set(inspect.signature(hypothesis.settings.__init__).parameters) - {"self", "parent"}
    said = set(re.findall(r"^        (\w+)=", inspect.getsource(execution._explore), re.MULTILINE))
    assert said == known


def test_no_draw_asks_for_constants_of_the_modules_around(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also not while a failing input is shrunk."""

    def asked() -> None:
        raise AssertionError("it would draw what lies around")

    monkeypatch.setattr(providers, "_get_local_constants", asked)
    specs = load_specs()
    monkeypatch.syspath_prepend(SUBJECTS)
    subject = in_this_process("tiny:Wrong", specs)
    laws = [each for each in checks_of(specs, "wordpiece.longest-match") if each.is_seeded]
    outcomes = [each.run(subject, specs, Depth.QUICK, 0) for each in laws]
    assert {outcome.verdict for outcome in outcomes} == {Verdict.FAILS}
    with pytest.raises(AssertionError, match="lies around"):
        hypothesis.given(st.integers())(hypothesis.settings(database=None)(lambda _: None))()


def test_a_check_leaves_the_collector_of_cycles_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    specs, before = load_specs(), gc.get_threshold()
    monkeypatch.syspath_prepend(SUBJECTS)
    subject = in_this_process("tiny:Wrong", specs)
    gc.set_threshold(500, 5, 5)
    try:
        for each in checks_of(specs, "wordpiece.longest-match"):
            each.run(subject, specs, Depth.QUICK, 0)
        assert gc.get_threshold() == (500, 5, 5)
    finally:
        gc.set_threshold(*before)
