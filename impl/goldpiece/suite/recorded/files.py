"""Files in which people keep what their collators made: JSON lines, .npz of NumPy, or Parquet.

A line of JSON is a batch, whose fields are lists of rows, or one row; an array of an .npz has (rows, width) or (rows,),
and Parquet a row for each row. `input_ids` and `labels` have to be there. `attention_mask`, `original_ids`, `word_ids`
and `tokens` (those of the original ids) may be; the last three either of all places or of those that are no padding.
`epoch`, `index` and `batch` are of a row, or in JSON of a whole line; each line that is a batch is one without saying
so. Other fields are passed over.
"""

import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import TypeAlias

import numpy as np

from goldpiece.errors import FileError, UsageError
from goldpiece.formats.content import cause, read_content, refuse_what_swells, up_to
from goldpiece.formats.strict_json import JSON_COSTS
from goldpiece.suite.golden.json_lines import value_of

Fields: TypeAlias = Mapping[str, object]  # of a row, under the names that they have in the file

LARGEST = 200_000_000  # bytes of a file, and of what it unpacks to
VALUE = 8  # bytes
IDS, LABELS = "input_ids", "labels"
OF_TOKENS = (IDS, LABELS, "attention_mask", "original_ids", "word_ids", "tokens")
OF_ROWS = ("epoch", "index", "batch")
REMEDY = "Record input_ids and labels of each batch or row"


class RowsMissing(FileError):
    """The fields of a batch have not as many rows as each other."""


def read_rows(path: Path) -> Iterator[tuple[str, Fields]]:
    """The rows of a file, each with its place in it. Raises FileError, and UsageError where a package is missing."""
    readers: Mapping[str, Callable[[Path], Iterator[tuple[str, Fields]]]] = {
        ".jsonl": _json_lines,
        ".npz": _arrays,
        ".parquet": _table,
    }
    if path.suffix not in readers:
        raise UsageError(f"{path} is no record of batches: name a file that ends in {', '.join(readers)}")
    return readers[path.suffix](path)


def _json_lines(path: Path) -> Iterator[tuple[str, Fields]]:
    content = read_content(path, LARGEST, "Give the path of a file")
    for number, line in enumerate(BytesIO(content), start=1):
        if not line.strip():
            continue
        refuse_what_swells(line, path, JSON_COSTS)
        try:
            value = value_of(path, number, line.decode())
        except UnicodeDecodeError as error:
            raise FileError(path, number, f"byte {error.start} is not UTF-8", "Save the file as UTF-8") from error
        if not isinstance(value, dict):
            raise FileError(path, number, "it is no object", REMEDY)
        _require(value, path, number)
        first = value[IDS]
        if not isinstance(first, list) or (first and not isinstance(first[0], list)):
            yield f"line {number}", value
            continue
        per_row = {name: value[name] for name in (*OF_TOKENS, *OF_ROWS) if isinstance(value.get(name), list)}
        if unequal := [name for name, rows in per_row.items() if len(rows) != len(first)]:
            problem = f"it has {len(first)} rows of {IDS}, and {len(per_row[unequal[0]])} of {unequal[0]}"
            raise RowsMissing(path, number, problem, "Give each row each field")
        for row in range(len(first)):
            fields = {**value, "batch": number, **{name: rows[row] for name, rows in per_row.items()}}
            yield f"line {number}, row {row + 1}", fields


def _arrays(path: Path) -> Iterator[tuple[str, Fields]]:
    content = read_content(path, LARGEST, "Give the path of a file")
    found: dict[str, object] = {}
    try:
        with zipfile.ZipFile(BytesIO(content)) as packed:
            for name in (*OF_TOKENS, *OF_ROWS):
                if f"{name}.npy" in packed.namelist():
                    with packed.open(f"{name}.npy") as member:
                        array = np.load(BytesIO(up_to(member, path, LARGEST)), allow_pickle=False)
                    found[name] = array.tolist()
    except FileError:
        raise
    except Exception as error:  # whatever a damaged archive makes of zipfile, zlib and NumPy
        raise FileError(
            path, None, f"it is no .npz without pickles ({cause(error)})", "Write it by np.savez"
        ) from error
    _require(found, path, None)
    yield from _rows(found, path)


def _table(path: Path) -> Iterator[tuple[str, Fields]]:
    if find_spec("pyarrow") is None:
        raise UsageError(f"{path} needs pyarrow, which is not installed: run `pip install pyarrow`, or write .jsonl")
    content = read_content(path, LARGEST, "Give the path of a file")
    parquet = import_module("pyarrow.parquet")
    try:
        file = parquet.ParquetFile(BytesIO(content))
        groups = [file.metadata.row_group(number) for number in range(file.metadata.num_row_groups)]
        values = sum(group.column(number).num_values for group in groups for number in range(group.num_columns))
        if VALUE * values > LARGEST:  # however small they are packed
            raise FileError(path, None, f"it holds more than {LARGEST:,} bytes", "Split it")
        names = [name for name in (*OF_TOKENS, *OF_ROWS) if name in file.schema_arrow.names]
        found = {name: column.to_pylist() for name, column in zip(names, file.read(names).columns, strict=True)}
    except FileError:
        raise
    except Exception as error:  # whatever a damaged file makes of it
        raise FileError(path, None, f"it is no Parquet ({cause(error)})", "Write it anew") from error
    _require(found, path, None)
    yield from _rows(found, path)


def _require(fields: Fields, path: Path, line: int | None) -> None:
    for name in (IDS, LABELS):
        if name not in fields:
            raise FileError(path, line, f"it has no {name}", REMEDY)


def _rows(columns: Mapping[str, object], path: Path) -> Iterator[tuple[str, Fields]]:
    """The rows of columns, all of which have an entry for each row, or one for all."""
    lists = {name: column for name, column in columns.items() if isinstance(column, Sequence)}
    for_all = {name: value for name, value in columns.items() if name not in lists}
    counts = {name: len(column) for name, column in lists.items()}
    if len(set(counts.values())) > 1:
        told = ", ".join(f"{count} of {name}" for name, count in counts.items())
        raise RowsMissing(path, None, f"its rows are {told}", "Give each row each field")
    for row in range(counts.get(IDS, 0)):
        yield f"row {row + 1}", for_all | {name: column[row] for name, column in lists.items()}
