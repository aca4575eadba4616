"""What spec/bpe_tokenizer.yaml defines, from the definitions of bpe and byte_level."""

import re
from collections.abc import Iterator
from typing import NamedTuple, cast

from ..strategies.bpe import Case as Table
from ..strategies.bpe_tokenizer import Case
from . import byte_level
from .bpe import Span, steps_of


class Found(NamedTuple):
    """A token, where its characters begin and end, and the number of its word."""

    token: str
    start: int
    end: int
    word: int


def tokens_of(case: Case, text: str | None = None, parse_special: bool = True) -> list[Found]:
    """The tokens of a text, between special tokens that a regular expression finds, longest first."""
    text = case.text if text is None else text
    longest = sorted(case.special, key=len, reverse=True) if parse_special else []
    sought = re.compile("|".join(map(re.escape, longest)) or "(?!)")
    found: list[Found] = []
    done = 0
    for special in [*sought.finditer(text), None]:
        end = len(text) if special is None else special.start()
        found += _plain(case, text[done:end], done, found[-1].word + 1 if found else 0)
        if special is not None:
            found.append(Found(special[0], *special.span(), found[-1].word + 1 if found else 0))
            done = special.end()
    return found


def _plain(case: Case, part: str, begin: int, word: int) -> Iterator[Found]:
    """The tokens of a part without special tokens, which begins at `begin` of the text."""
    given = case.parameters
    with_space = bool(given.get("add_prefix_space"))
    cut = cast(dict[str, list[str]], byte_level.words(str(given.get("pattern", "gpt2")), part, with_space))
    spans = cast(list[tuple[int, int]], cut["offsets"])
    wholes: dict[str, object] = {"ignore_merges": given.get("ignore_merges", False)}
    table = Table(case.vocab, case.merges, "", wholes)  # type: ignore[arg-type]
    for number, (written, (start, end)) in enumerate(zip(cut["tokens"], spans, strict=True), word):
        places = [place for place, char in enumerate(part[start:end], begin + start) for _ in char.encode()]
        edges = [(place, place + 1) for place in places]
        edges = [(begin + start, begin + start)] * (len(written) - len(edges)) + edges
        steps = steps_of(table, written)
        assert steps is not None, "all bytes are entries"
        for text, first, behind in _apart(case, steps[-1]):
            yield Found(text, edges[first][0], edges[behind - 1][1], number)


def _apart(case: Case, symbols: list[Span]) -> Iterator[Span]:
    """Symbols, with their parts in the place of special tokens of several bytes. No two merges make the same."""
    parts = {first + second: (first, second) for first, second in case.merges}
    for text, start, end in symbols:
        if text in case.special and len(text) > 1:
            first, second = parts[text]
            cut = end - len(second)
            yield from _apart(case, [(first, start, cut), (second, cut, end)])
        else:
            yield text, start, end
