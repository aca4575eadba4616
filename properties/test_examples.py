"""The worked examples of every clause, straight from the specs: adding one needs no Python."""

from goldpiece.suite.component import Component
from goldpiece.suite.law import expect_told
from goldpiece.suite.spec import Example
from goldpiece.suite.values import Value


def test_example(component: Component, example: Example, operation: str) -> None:
    """The right output, or the right error."""
    answer = component(**example.config).answer(operation, *example.input.values())
    expected: dict[str, Value] = {"error": example.error} if example.error else dict(example.output or {})
    expect_told(answer, expected, note=example.why)
