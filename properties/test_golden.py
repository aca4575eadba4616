"""The goldens: what a subject makes of a fixed input is what was recorded and confirmed."""

from collections.abc import Callable, Mapping

from goldpiece.suite.component import Instance
from goldpiece.suite.law import expect
from goldpiece.suite.values import Value


def test_golden(
    instance: Instance,
    operation: str,
    inputs: Mapping[str, Value],
    recorded: Mapping[str, Value],
    kept: Callable[[Mapping[str, Value]], Mapping[str, Value]],
    note: str,
) -> None:
    """The recorded outputs, or the recorded error."""
    answer = instance.answer(operation, *inputs.values())
    right = answer.alike(recorded)
    expect(dict(kept(answer)), right, note=note)
