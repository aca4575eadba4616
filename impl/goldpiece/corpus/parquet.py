"""A column of a Parquet file as texts, some rows at a time."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from goldpiece.corpus.blocks import Block
from goldpiece.corpus.reading import NoText, Reader
from goldpiece.errors import FileError, UsageError
from goldpiece.formats.content import cause

ROWS = 256  # read at a time


@dataclass(frozen=True)
class Rows:
    """Rows of a column."""

    path: Path
    rows: Sequence[bytes]
    first: int  # the number of the first
    done: int

    def texts(self, reader: Reader) -> Iterator[str]:
        """See Block."""
        for number, row in enumerate(self.rows, self.first):
            yield reader.text(row, self.path, 0, f" of row {number}")


def blocks_of_rows(path: Path, size: int, key: str) -> Iterator[Block]:
    """The texts of a column, in blocks of `size` bytes or somewhat more. A row without a value has no text.

    Raises NoText, FileError, and UsageError where pyarrow is missing.
    """
    if find_spec("pyarrow") is None:
        raise UsageError(f"{path} needs pyarrow, which is not installed: run `pip install 'goldpiece[parquet]'`")
    parquet = import_module("pyarrow.parquet")
    stored = path.stat().st_size
    try:
        with parquet.ParquetFile(path) as file:
            _require_texts(file.schema_arrow, path, key)
            rows: list[bytes] = []
            first, width, seen = 0, 0, 0
            for batch in file.iter_batches(batch_size=ROWS, columns=[key]):
                column = batch.column(0).cast(import_module("pyarrow").large_binary())
                more = [value or b"" for value in column.to_pylist()]
                rows += more
                seen += len(more)
                width += sum(map(len, more))
                if width >= size:
                    yield Rows(path, rows, first, stored * seen // file.metadata.num_rows)
                    rows, first, width = [], seen, 0
            if rows:
                yield Rows(path, rows, first, stored)
    except FileError:
        raise
    except Exception as error:  # whatever a damaged file makes of it
        raise FileError(path, None, f"it is no Parquet ({cause(error)})", "Write it anew") from error


def _require_texts(schema: Any, path: Path, key: str) -> None:
    types = import_module("pyarrow.types")
    if key not in schema.names:
        there = ", ".join(schema.names)
        raise NoText(path, None, f"there is no column {key!r}", f"Name one of those that there are: {there}")
    kind = schema.field(key).type
    if not any(is_kind(kind) for is_kind in (types.is_string, types.is_large_string)):
        raise NoText(path, None, f"the column {key!r} has the type {kind}", "Name a column of texts")
