"""sentencepiece under the suite: its BPE model is built of tables that scores of entries can say."""

import pytest

from goldpiece.suite.checks import checks_of
from goldpiece.suite.loader import load_specs
from goldpiece.suite.spec import Depth
from goldpiece.suite.subjects import in_this_process
from goldpiece.suite.verdict import Verdict

from .conftest import Goldpiece

pytest.importorskip("sentencepiece", reason="not run: the extra `rivals` is not installed")


def test_it_holds_but_for_what_is_declared(goldpiece: Goldpiece) -> None:
    done = goldpiece("check", "sentencepiece", "--clause", "bpe.byte-fallback")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "≠ bpe.byte-fallback diverges" in done.stdout
    assert "All bytes of a character but the last have no width" in " ".join(done.stdout.split())


@pytest.mark.parametrize(
    ("clause", "reason"),
    [
        ("bpe.merges-only", "a table in which the entries do not stand for the merges"),
        ("bpe.unknown-token-missing", "doing without a token for what is unknown"),
    ],
)
def test_what_its_tables_cannot_say_is_unsupported(clause: str, reason: str) -> None:
    """Every example of a law speaks of what its clause is about, so that none is run by halves."""
    specs = load_specs()
    subject = in_this_process("sentencepiece", specs)
    (law,) = [check for check in checks_of(specs, clause) if check.kind == "law"]
    for seed in range(3):
        outcome = law.run(subject, specs, Depth.QUICK, seed)
        assert outcome.verdict is Verdict.UNSUPPORTED, outcome
        assert reason in str(outcome.reason)


def test_the_other_laws_are_within_what_it_takes() -> None:
    specs = load_specs()
    subject = in_this_process("sentencepiece", specs)
    (law,) = [check for check in checks_of(specs, "bpe.exact-characters") if check.kind == "law"]
    assert all(law.run(subject, specs, Depth.QUICK, seed).verdict is Verdict.HOLDS for seed in range(3))
