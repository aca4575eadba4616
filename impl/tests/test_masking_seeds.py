"""The laws on chances under seeds that nothing else uses: what is right holds under each of them.

    GOLDPIECE_SEEDS=200 pytest impl/tests/test_masking_seeds.py -rP

A law fails what is right with a probability of 1e-9 under a seed.
"""

import os

import pytest

from goldpiece.suite.checks import all_checks
from goldpiece.suite.law import Law
from goldpiece.suite.loader import load_specs
from goldpiece.suite.spec import Depth
from goldpiece.suite.subjects import in_this_process
from goldpiece.suite.verdict import Verdict

SEEDS = int(os.environ.get("GOLDPIECE_SEEDS", "1"))
FIRST = 100_000


@pytest.mark.parametrize("subject", ["reference", "goldpiece.fast.masking:Masking"])
def test_what_is_right_holds_under_each_seed(subject: str) -> None:
    specs = load_specs()
    found = in_this_process(subject, specs)
    laws = [
        check
        for check in all_checks(specs)
        if isinstance(check.what, Law)
        and check.is_seeded
        and not check.what.strategies
        and check.spec.name == "masking"
    ]
    assert len(laws) >= 12
    for seed in range(FIRST, FIRST + SEEDS):
        outcomes = {check.id: check.run(found, specs, Depth.QUICK, seed, shrink=False) for check in laws}
        wrong = {name: outcome for name, outcome in outcomes.items() if outcome.verdict is not Verdict.HOLDS}
        assert not wrong, f"under the seed {seed}: {wrong}"
    print(f"{subject}: {len(laws)} laws hold under {SEEDS} seeds")  # noqa: T201 (what -rP shows)
