"""What was learnt, in figures: of what, how much it compresses, and what it leaves unknown."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from rich.text import Text

from goldpiece.cli.output import console
from goldpiece.formats.fingerprint import fingerprint
from goldpiece.training.counting import Counted
from goldpiece.training.cutting import Cutting
from goldpiece.training.job import Outcome

ENGINES = {"python": "Python", "compiled": "compiled kernels, at the end"}
SAMPLE = 50_000  # words at most that say how long pieces are


@dataclass(frozen=True)
class Compression:
    """What becomes of words, each as often as it occurs."""

    words: int
    characters: int
    tokens: int
    unknown: int  # of the tokens

    @property
    def characters_per_token(self) -> float:
        return self.characters / max(1, self.tokens)


Cut: TypeAlias = Callable[[str], Sequence[str]]  # a word into its tokens


def compression(cut: Cut, cutting: Cutting, words: Mapping[str, int], unknown: str | None) -> Compression:
    """Of a sample of the words, evenly spread over them."""
    found = Compression(0, 0, 0, 0)
    for word, count in list(words.items())[:: max(1, -(-len(words) // SAMPLE))]:
        tokens = cut(word)
        found = Compression(
            found.words + count,
            found.characters + count * cutting.length(word),
            found.tokens + count * len(tokens),
            found.unknown + count * sum(token == unknown for token in tokens),
        )
    return found


def print_summary(outcome: Outcome, found: Compression, special: int, written: Sequence[Path]) -> None:
    """One line for each thing that there is to know."""
    for label, line in _lines(outcome, found, special, written):
        console.print(Text.assemble((f"{label:>12}  ", "dim"), line), soft_wrap=True)


def _lines(outcome: Outcome, found: Compression, special: int, written: Sequence[Path]) -> Iterator[tuple[str, str]]:
    counted, trained, engine = outcome
    yield "words", _words(counted)
    if counted.tally.replaced:
        texts, first = counted.tally.replaced, counted.tally.first_replaced
        yield "replaced", f"bytes that are no UTF-8, in {texts:,} texts; the first is in {first}"
    if counted.pruned:
        yield "left out", f"{counted.pruned:,} rare words, which occurred {counted.pruned_occurrences:,} times in all"
    entries = len(trained.tokens)
    missing = (
        f"; {trained.short_by:,} fewer than asked for: no more pairs are frequent enough" if trained.short_by else ""
    )
    yield "entries", f"{entries:,}{missing}"
    merges = len(trained.merges)
    rarest = f"; the last pair occurred {trained.counts[-1]:,} times" if merges else ""
    yield "of them", f"{special} special, {entries - special - merges:,} of the alphabet, {merges:,} merges{rarest}"
    yield "merged by", ENGINES[engine]
    of = f"{found.words:,} words that were held out" if counted.held_out else "the words that were learnt from"
    share = found.unknown / max(1, found.tokens)
    yield "tokens", f"{found.characters_per_token:.2f} characters long, {share:.2%} unknown, of {of}"
    yield "fingerprint", fingerprint(trained.tokens)
    yield "written", ", ".join(map(str, written))


def _words(counted: Counted) -> str:
    tally = counted.tally
    of = f" in {tally.texts:,} texts" if tally.texts else ""
    return f"{tally.words:,}{of}; {len(counted.words):,} different ones were learnt from"
