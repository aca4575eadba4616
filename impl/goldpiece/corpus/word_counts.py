"""Words and how often a corpus has them, as a table of two columns: the word, a tab, the count."""

import re
from collections.abc import Sequence
from pathlib import Path

from goldpiece.corpus.blocks import blocks_of_lines
from goldpiece.corpus.reading import Reader
from goldpiece.errors import FileError, GoldpieceError
from goldpiece.formats.atomic import write_atomically

SIZE = 1 << 20  # bytes read at a time
MOST = 2**63 - 1
COUNT = re.compile("[0-9]{1,19}")
SHOWN = 40  # characters of a word


class NoCount(FileError):
    """A line that is no word with its count."""


class WordNotWritable(GoldpieceError):
    """A word that its line would not give back."""

    def __init__(self, word: str) -> None:
        super().__init__(
            f"the word {word[:SHOWN]!r} cannot stand in a table, since it has a tab, a line end or half a character in "
            "it, or nothing: cut words otherwise, or leave it out"
        )


def read_counts(path: Path) -> tuple[list[str], list[int]]:
    """The words of a table and their counts, in its order; the table may be packed, as `.gz` or `.zst`.

    Raises NotUtf8, FileError, and NoCount for a line that is no word and a count from 0 to 2^63 - 1 behind a tab.
    """
    words, counts = [], []
    reader = Reader()
    lines = (line for block in blocks_of_lines(path, SIZE, json=False) for line in block.texts(reader))
    for number, line in enumerate(lines, start=1):
        word, _, count = line.rpartition("\t")
        if not word or "\t" in word or not COUNT.fullmatch(count) or int(count) > MOST:
            problem = f"{line[:SHOWN]!r} is no word and its count"
            raise NoCount(path, number, problem, "Write the word, a tab, and a whole number of 63 bits")
        words.append(word)
        counts.append(int(count))
    return words, counts


def write_counts(path: Path, words: Sequence[str], counts: Sequence[int]) -> None:
    """Writes the table, the most frequent word first, of equals the lower. Raises WordNotWritable and FileError."""
    lines = []
    for word, count in sorted(zip(words, counts, strict=True), key=lambda entry: (-entry[1], entry[0])):
        try:
            content = f"{word}\t{count}\n".encode()
        except UnicodeEncodeError as error:
            raise WordNotWritable(word) from error
        if not word or set(word) & set("\t\r\n"):
            raise WordNotWritable(word)
        lines.append(content)
    write_atomically(path, b"".join(lines))
