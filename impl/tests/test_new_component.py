"""A new component touches its own rooms and nothing else: one is added to a copy of the checkout, and checked."""

import shutil
from pathlib import Path

from goldpiece.suite import mutants, rooms

from .conftest import Goldpiece

SPEC = """\
spec: reverser
version: 1.0.0
title: Reverser
summary: Turns a word round.
reference: Reverser
sources: {here: decided here}
parameters: {}
operations:
  reverse: {says: The word from its end., input: {word: token}, output: {word: token}}
clauses:
  - id: reverser.involution
    level: must
    says: Reversing twice gives the word back.
    source: here
    law: true
    examples:
      - {given: {word: abc}, expect: {word: cba}}
"""

REFERENCE = '''\
"""Turns a word round. Spec: spec/reverser.yaml."""


class Reverser:
    """Reads from the end."""

    def reverse(self, word: str) -> str:
        return word[::-1]
'''

LAWS = '''\
"""The laws of spec/reverser.yaml."""

from goldpiece.suite.component import Component
from goldpiece.suite.law import expect, law
from hypothesis import strategies as st


@law("reverser.involution", word=lambda scope: st.text("ab"))
def involution(reverser: Component, word: str) -> None:
    expect(reverser().reverse(reverser().reverse(word)), word)
'''

MUTANTS = '''\
"""Mutants of the reverser."""

from goldpiece.reference.reverser import Reverser
from goldpiece.suite.mutants import mutant


@mutant(breaks="reverser.involution", story="loses the last letter")
class LosesTheLast(Reverser):
    def reverse(self, word: str) -> str:
        return word[:-1][::-1]
'''


def test_a_new_component(goldpiece: Goldpiece, tmp_path: Path) -> None:
    root, package = rooms.room("spec").parent, Path(mutants.__file__).parents[1]
    ignored = shutil.ignore_patterns("__pycache__", "spec", "properties")
    for name in ("spec", "properties", "golden", "bench"):
        shutil.copytree(root / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(package, tmp_path / "impl" / "goldpiece", ignore=ignored)
    (tmp_path / "spec" / "reverser.yaml").write_text(SPEC, encoding="utf-8")
    with (tmp_path / "spec" / "ids.txt").open("a", encoding="ascii") as ids:
        ids.write("reverser.involution\n")
    (tmp_path / "impl" / "goldpiece" / "reference" / "reverser.py").write_text(REFERENCE, encoding="utf-8")
    (tmp_path / "properties" / "test_reverser.py").write_text(LAWS, encoding="utf-8")
    (tmp_path / "properties" / "mutants" / "reverser.py").write_text(MUTANTS, encoding="utf-8")
    env = {"PYTHONPATH": str(tmp_path / "impl")}
    checked = goldpiece("check", "--spec", "reverser", env=env)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "✓   reverser.involution" in checked.stdout
    lint = goldpiece("spec", "lint", env=env)
    assert (lint.returncode, lint.stdout[-14:]) == (0, ": no problems\n"), lint.stdout
    proof = goldpiece("mutants", "run", "--spec", "reverser", env=env)
    assert proof.returncode == 0, proof.stdout + proof.stderr
    assert "1 of 1 mutants killed" in proof.stdout
    coverage = goldpiece("spec", "coverage", "--spec", "reverser", env=env)
    assert "LosesTheLast" in coverage.stdout
