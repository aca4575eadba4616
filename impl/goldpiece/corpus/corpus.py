"""All texts of a corpus, one after the other or in blocks. Memory does not grow with it."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from goldpiece.corpus.blocks import Block, blocks_of_lines, is_json
from goldpiece.corpus.files import STANDARD_INPUT, files_of
from goldpiece.corpus.parquet import blocks_of_rows
from goldpiece.corpus.reading import BadBytes, Reader
from goldpiece.corpus.streams import opened
from goldpiece.errors import UsageError

PARQUET = ".parquet"
SIZE = 1 << 20  # bytes of a block: a tenth of a second's work
PART = 1 << 20  # bytes read at once for a fingerprint


@dataclass(frozen=True)
class Corpus:
    """The texts of files, folders, patterns such as `data/**/*.gz`, and standard input (`-`).

    Each line of a file is a text; of a `.jsonl` or `.ndjson` the field of each object, of a `.parquet` each row of the
    column, that `field` names (`text`). Files of lines may be packed, as `.gz` or `.zst`. Standard input is JSON if
    `field` is given. Bytes that are no UTF-8 are an error, or replaced by U+FFFD.
    """

    sources: Sequence[Path | str]
    field: str | None = None
    bad_bytes: BadBytes = "error"
    block_size: int = SIZE

    def reader(self) -> Reader:
        """What makes texts of the blocks. Raises UsageError."""
        return Reader(self.bad_bytes, self.field or "text")

    def texts(self, reader: Reader | None = None) -> Iterator[str]:
        """Each text, in order. Raises NoFiles, FileError, and UsageError where a package is missing."""
        reader = reader or self.reader()
        for _, block in self.blocks():
            yield from block.texts(reader)

    def files(self) -> list[Path]:
        """The files, in order. Raises NoFiles."""
        return files_of(self.sources)

    def blocks(self) -> Iterator[tuple[int, Block]]:
        """The blocks, in order, and how many of the bytes of all files have been read behind each.

        The same files always have the same blocks. Raises NoFiles, FileError and UsageError.
        """
        before = 0
        for path in self.files():
            for block in self._blocks(path):
                yield before + block.done, block
            before += _size(path)

    def _blocks(self, path: Path) -> Iterator[Block]:
        if path.suffix == PARQUET:
            return blocks_of_rows(path, self.block_size, self.field or "text")
        json = self.field is not None if path == STANDARD_INPUT else is_json(path)
        return blocks_of_lines(path, self.block_size, json)

    def has_fields(self) -> bool:
        """Whether it says of any file what to take for its text. Raises NoFiles."""
        return any(path == STANDARD_INPUT or path.suffix == PARQUET or is_json(path) for path in self.files())

    def size(self) -> int:
        """How many bytes the files have, as they are stored; standard input has none. Raises NoFiles."""
        return sum(map(_size, self.files()))

    def fingerprint(self) -> str:
        """SHA-256 of what the files hold, and of how it is read, in 64 hexadecimal digits. Their names do not matter.

        Raises NoFiles, FileError, and UsageError for standard input, which is gone when it is read.
        """
        whole = hashlib.sha256(repr((self.field, self.bad_bytes, self.block_size)).encode())
        for path in self.files():
            if path == STANDARD_INPUT:
                raise UsageError("standard input cannot be read twice, to see whether it is the same: give a file")
            digest = hashlib.sha256(path.suffix.encode())
            with opened(path) as stream:
                stream.stored.seek(0)
                while part := stream.stored.read(PART):
                    digest.update(part)
            whole.update(digest.digest())
        return whole.hexdigest()


def _size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0
