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
from typing import Any, TypeAlias

import numpy as np

from goldpiece.errors import FileError, UsageError
from goldpiece.formats.content import cause, read_content, refuse_what_swells, up_to
from goldpiece.formats.strict_json import JSON_COSTS
from goldpiece.suite.golden.json_lines import value_of

Fields: TypeAlias = Mapping[str, object]  # of a row, under the names that they have in the file

LARGEST = 200_000_000  # bytes of a file, and of what it unpacks to
VALUE, ROW = 8, 64  # bytes that each takes at least, as a place of a list and as a list
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
    left = LARGEST
    try:
        with zipfile.ZipFile(BytesIO(content)) as packed:
            for name in (*OF_TOKENS, *OF_ROWS):
                if f"{name}.npy" in packed.namelist():
                    with packed.open(f"{name}.npy") as member:
                        array = np.load(BytesIO(up_to(member, path, LARGEST)), allow_pickle=False)
                    _require_shape(name, array.shape, path)
                    rows = len(array) if array.ndim == 2 else 0
                    left -= max(array.nbytes, VALUE * array.size, ROW * rows)
                    if left < 0:
                        raise _too_much(path)
                    found[name] = array.tolist()
    except FileError:
        raise
    except MemoryError as error:
        raise _no_memory(path) from error
    except Exception as error:  # whatever a damaged archive makes of zipfile, zlib and NumPy
        raise FileError(
            path, None, f"it is no .npz without pickles ({cause(error)})", "Write it by np.savez"
        ) from error
    _require(found, path, None)
    yield from _rows(found, path)


def _require_shape(name: str, shape: tuple[int, ...], path: Path) -> None:
    wanted, allowed = ("(rows, width)", (2,)) if name in OF_TOKENS else ("(rows,) or ()", (0, 1))
    if len(shape) not in allowed:
        raise FileError(path, None, f"{name} has the shape {shape}, and not {wanted}", REMEDY)


def _too_much(path: Path) -> FileError:
    """What is raised of a file that holds far more than it is, however small it is packed."""
    return FileError(path, None, f"it holds more than {LARGEST:,} bytes", "Split it")


def _no_memory(path: Path) -> FileError:
    return FileError(path, None, "there is too little memory for what it holds", "Split it")


def _table(path: Path) -> Iterator[tuple[str, Fields]]:
    if find_spec("pyarrow") is None:
        raise UsageError(f"{path} needs pyarrow, which is not installed: run `pip install pyarrow`, or write .jsonl")
    content = BytesIO(read_content(path, LARGEST, "Give the path of a file"))
    parquet = import_module("pyarrow.parquet")
    try:
        file = parquet.ParquetFile(content)
        names = [name for name in (*OF_TOKENS, *OF_ROWS) if name in file.schema_arrow.names]
        for name in names:
            _require_type(name, file.schema_arrow.field(name).type, path)
        chunks = _chunks(file.metadata, names)
        if _least_size(file.metadata.num_rows, chunks) > LARGEST:
            raise _too_much(path)
        _refuse_deltas(chunks, path)
        columns = [file.schema.column(number) for number in range(len(file.schema))]
        texts = [column.path for column in columns if column.physical_type == "BYTE_ARRAY"]
        # Kept as a dictionary a text takes its place once, however often it stands there.
        table = parquet.ParquetFile(content, read_dictionary=texts).read(names)
        if sum(_bytes_of_texts(chunk) for column in table.columns for chunk in column.chunks) > LARGEST:
            raise _too_much(path)
        found = {name: column.to_pylist() for name, column in zip(names, table.columns, strict=True)}
    except FileError:
        raise
    except MemoryError as error:
        raise _no_memory(path) from error
    except Exception as error:  # whatever a damaged file makes of it
        raise FileError(path, None, f"it is no Parquet ({cause(error)})", "Write it anew") from error
    _require(found, path, None)
    yield from _rows(found, path)


def _require_type(name: str, kind: Any, path: Path) -> None:
    """Raises FileError for a column of neither values nor lists of them, and for values of any fixed length."""
    types = import_module("pyarrow.types")
    inner = kind.value_type if _is_list(kind) else kind
    if types.is_nested(inner) or types.is_fixed_size_binary(inner):
        raise FileError(path, None, f"{name} is of the type {kind}", REMEDY)


def _is_list(kind: Any) -> bool:
    types = import_module("pyarrow.types")
    return bool(types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind))


def _chunks(metadata: Any, names: Sequence[str]) -> Sequence[Any]:
    """What a file says of each part of the columns that are read."""
    groups = [metadata.row_group(number) for number in range(metadata.num_row_groups)]
    chunks = (group.column(number) for group in groups for number in range(group.num_columns))
    return [chunk for chunk in chunks if chunk.path_in_schema.partition(".")[0] in names]


def _least_size(rows: int, chunks: Sequence[Any]) -> int:
    """How many bytes columns take at least: as they are unpacked, and as lists of Python."""
    lists = {chunk.path_in_schema for chunk in chunks if "." in chunk.path_in_schema}
    values: int = sum(max(VALUE * chunk.num_values, chunk.total_uncompressed_size) for chunk in chunks)
    return max(values, ROW * rows * len(lists))


def _refuse_deltas(chunks: Sequence[Any], path: Path) -> None:
    """Raises FileError for texts that begin as others do, for pyarrow makes no dictionary of them."""
    for chunk in chunks:
        deltas = [each for each in chunk.encodings if each.startswith("DELTA")]
        if chunk.physical_type == "BYTE_ARRAY" and deltas:
            problem = f"{chunk.path_in_schema} has the encoding {deltas[0]}, and is read with a dictionary only"
            raise FileError(path, None, problem, "Write it with a dictionary, as is usual, or write .jsonl")


def _bytes_of_texts(chunk: Any) -> int:
    """How many bytes the texts of a column take, each as often as it stands there."""
    compute, types = import_module("pyarrow.compute"), import_module("pyarrow.types")
    values = chunk.flatten() if _is_list(chunk.type) else chunk
    if not types.is_dictionary(values.type):
        return 0
    lengths = compute.take(compute.binary_length(values.dictionary), values.indices)
    return int(compute.sum(lengths).as_py() or 0)


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
