"""What laws and subjects exchange, and how it is shown."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldpiece.suite.values import ShapeError, Type, abridged, code_points, show, visible


@pytest.mark.parametrize(
    ("written", "value", "accepted"),
    [
        ("text", "a", "a"),
        ("integer", 3, 3),
        ("number", 0.5, 0.5),
        ("number", 1, 1.0),
        ("boolean", True, True),
        ("optional boolean", None, None),
        ("list of token", ("a", "b"), ["a", "b"]),
        ("list of list of integer", [(1,), []], [[1], []]),
    ],
)
def test_accepted(written: str, value: object, accepted: object) -> None:
    assert Type(written).accept(value) == accepted


@pytest.mark.parametrize(
    ("written", "value", "message"),
    [
        ("text", 1, "1 is an integer, and not text"),
        ("text", None, "null is null, and not text"),
        ("integer", True, "true is a boolean, and not integer"),
        ("integer", 1.5, "1.5 is a number, and not integer"),
        ("number", True, "true is a boolean, and not number"),
        ("number", "0.5", '"0.5" is text, and not number'),
        ("number", float("nan"), "NaN is a number, and not number"),
        ("number", float("inf"), "Infinity is a number, and not number"),
        ("boolean", 1, "1 is an integer, and not boolean"),
        ("list of token", "ab", '"ab" is text, and not list of token'),
        ("list of token", ["a", 2], "2 is an integer, and not token"),
        ("list of integer", [1, True], "true is a boolean, and not integer"),
        ("list of token", {"a": 1}, "{a: 1} is a mapping, and not list of token"),
        ("text", b"a", "b'a' is of type bytes, and not text"),
    ],
)
def test_refused(written: str, value: object, message: str) -> None:
    with pytest.raises(ShapeError) as caught:
        Type(written).accept(value)
    assert str(caught.value) == message


def test_a_subclass_of_text_is_made_plain() -> None:
    class Agreeable(str):
        __slots__ = ()
        __hash__ = str.__hash__

        def __eq__(self, other: object) -> bool:
            return True

    accepted = Type("text").accept(Agreeable("a"))
    assert type(accepted) is str
    assert accepted != "b"
    assert Type("list of text").accept(["a", Agreeable("a")]) != ["a", "b"]


def test_a_list_is_made_a_list_of_its_own() -> None:
    """What a subject does later to what it has returned does not change what was accepted."""
    given = ["a"]
    accepted = Type("list of text").accept(given)
    given.append("b")
    assert accepted == ["a"]


def test_expanded() -> None:
    assert Type("text").expand({"repeat": "ab", "times": 3}) == "ababab"
    assert Type("list of token").expand([{"repeat": "a", "times": 2}, "b"]) == ["aa", "b"]
    with pytest.raises(ShapeError):
        Type("integer").expand({"repeat": "a", "times": 2})


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("abc é中", '"abc é中"'),
        ('say "a\\b"', r'"say \"a\\b\""'),
        ("\t\n\r\x00", r'"\t\n\r\u0000"'),
        ("e\u0301", r'"e\u0301"'),
        ("a\u200db\u00a0c", r'"a\u200Db\u00A0c"'),
        ("\ud800", r'"\uD800"'),
        ("\u3164\u2800\ue000", r'"\u3164\u2800\uE000"'),
        ("\U000e0001", r'"\U000E0001"'),
    ],
)
def test_shown(text: str, shown: str) -> None:
    assert show(text) == shown


@given(st.text(st.characters(codec=None)))
def test_whatever_is_shown_can_be_printed_and_told_apart(text: str) -> None:
    assert visible(text).isprintable()
    assert not any("\ud800" <= char <= "\udfff" for char in visible(text))


def test_long_values_are_cut() -> None:
    assert show("x" * 10_000) == '"' + "x" * 100 + '…" (10,000 characters)'
    assert show(["ab"] * 1000).endswith("more)]")
    assert len(show(["ab"] * 1000)) < 500
    assert abridged({"a": ["x" * 5_000, 1]}) == {"a": [{"begins": "x" * 100, "characters": 5000}, 1]}
    assert abridged("x" * 1000) == "x" * 1000


def test_code_points() -> None:
    assert code_points("\U0002b820\x00") == "U+2B820 CJK UNIFIED IDEOGRAPH-2B820, U+0000 Cc"
