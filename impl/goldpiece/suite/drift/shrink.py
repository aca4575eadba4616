"""Finds a small text that still shows a fault."""

from collections.abc import Callable


def shrunk(text: str, shows_it: Callable[[str], bool]) -> str:
    """A text of which no character can be left out: parts of halving size are left out as long as it shows the fault.

    `shows_it` must be true of the text, and always say the same of one.
    """
    size = max(1, len(text) // 2)
    while True:
        smaller = _without_parts(text, size, shows_it)
        if size == 1 and smaller == text:
            return text
        text, size = smaller, max(1, size // 2)


def _without_parts(text: str, size: int, shows_it: Callable[[str], bool]) -> str:
    start = 0
    while start < len(text):
        shorter = text[:start] + text[start + size :]
        if shows_it(shorter):
            text = shorter
        else:
            start += size
    return text
