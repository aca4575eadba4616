"""Whatever a file holds, its reader gives a value or a GoldpieceError: nothing else, no hang, and no flood of memory.

Which readers there are stands in readers.py.
"""

import json
import os
import re
import signal
import time
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from goldpiece.errors import FileError, GoldpieceError
from goldpiece.formats import strict_json, vocab_txt
from goldpiece.formats.content import FLOOR
from goldpiece.suite import corpus, loader, strict_yaml, values
from goldpiece.suite.recorded import files

from .readers import (
    HOSTILE,
    KILO,
    LARGEST_CORPUS,
    LARGEST_RECORD,
    LONGEST_MESSAGE,
    MEGA,
    READERS,
    VOCAB,
    Reader,
    mutated,
    repetitive,
    restructured,
)
from .test_loader import GOOD


@pytest.fixture(autouse=True)
def _small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a file may stand for, by a number or by compression, is memory that is allowed: here there is little."""
    loader.load_specs()  # once, under the limits that hold else
    monkeypatch.setattr(values, "LONGEST", 10 * KILO)
    monkeypatch.setattr(loader, "MOST_POINTS", 10 * KILO)
    monkeypatch.setattr(corpus, "LARGEST", LARGEST_CORPUS)
    monkeypatch.setattr(files, "LARGEST", LARGEST_RECORD)


class Hang(BaseException):
    """The time for an input is over."""


@contextmanager
def deadline(content: bytes) -> Iterator[None]:
    """A second, and 50 µs a byte (PyYAML needs 14), of processor time: other processes do not count."""
    seconds = 1 + 50e-6 * len(content)

    def stop(*_: object) -> None:
        raise Hang(f"over {seconds:.1f} s for {len(content):,} bytes: {content[:100]!r}")

    begin = time.process_time()
    if hasattr(signal, "setitimer"):  # not on Windows, where only what ends is found to have been late
        before = signal.signal(signal.SIGVTALRM, stop)
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            signal.signal(signal.SIGVTALRM, before)
    if time.process_time() - begin > seconds:
        stop()


def read(reader: Reader, path: Path, content: bytes, attempts: int = 3) -> str | None:
    """The message of the error, None if there was none; all else that is raised is a fault.

    A virtual machine that pauses counts the pause as processor time: what hangs does so three times.
    """
    path.write_bytes(content)
    try:
        with deadline(content):
            reader.read(path)
    except GoldpieceError as error:
        message = str(error)
    except Hang:
        if attempts == 1:
            raise
        return read(reader, path, content, attempts - 1)
    else:
        return None
    assert len(message) < LONGEST_MESSAGE + len(str(path))
    return message


each_reader = pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)
# The same inputs in each run, so that what fails is what was changed; GOLDPIECE_FUZZ=anew draws others.
fuzz = partial(
    settings,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    derandomize=os.environ.get("GOLDPIECE_FUZZ") != "anew",
)


@each_reader
def test_seeds_are_valid(reader: Reader, tmp_path: Path) -> None:
    for seed in reader.seeds:
        refused = read(reader, tmp_path / reader.file, seed)
        assert refused is None or "holds more than 1,000,000 bytes" in refused
    for data in reader.data:
        assert read(reader, tmp_path / reader.file, json.dumps(data).encode()) is None


@each_reader
def test_hostile_values_are_read_or_refused(reader: Reader, tmp_path: Path) -> None:
    """Each of them in eight places of each seed, others for each."""
    for seed in reader.seeds:
        places = [match.span() for match in re.finditer(rb"[\w.]+", seed)]
        for number, hostile in enumerate(HOSTILE):
            stride = max(1, len(places) // 8)
            for start, end in places[number % stride :: stride][:8]:
                read(reader, tmp_path / reader.file, seed[:start] + hostile + seed[end:])


@each_reader
@fuzz(max_examples=100)
@given(data=st.data())
def test_bytes_are_read_or_refused(reader: Reader, tmp_path: Path, data: st.DataObject) -> None:
    read(reader, tmp_path / reader.file, data.draw(st.binary(max_size=300) | mutated(reader)))


@pytest.mark.parametrize("reader", [reader for reader in READERS if reader.data], ids=lambda reader: reader.name)
@fuzz(max_examples=100)
@given(data=st.data())
def test_structures_are_read_or_refused(reader: Reader, tmp_path: Path, data: st.DataObject) -> None:
    read(reader, tmp_path / reader.file, data.draw(restructured(reader)))


@each_reader
@fuzz(max_examples=10)
@given(data=st.data())
def test_time_and_memory_are_bounded(reader: Reader, tmp_path: Path, data: st.DataObject) -> None:
    path = tmp_path / reader.file
    content = data.draw(repetitive(reader))
    read(reader, path, content)
    assert _peak(reader, path) <= reader.bound(content)


def _peak(reader: Reader, path: Path) -> int:
    """Bytes of memory that were taken at once while the file was read."""
    tracemalloc.start()
    try:
        reader.read(path)
    except GoldpieceError:
        pass
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    return peak


def _hangs(_: Path) -> object:
    while True:
        pass


def _wants_memory(path: Path) -> object:
    return bytes(99 * path.stat().st_size + 2 * MEGA)


def _raises(path: Path) -> object:
    return path.read_bytes().decode()  # a UnicodeDecodeError is not ours


def _says_it_all(path: Path) -> object:
    raise GoldpieceError(f"{path.read_bytes()!r} is bad")


@pytest.mark.parametrize(
    ("faulty", "raised"), [(_hangs, Hang), (_raises, UnicodeDecodeError), (_says_it_all, AssertionError)]
)
def test_a_faulty_reader_is_found_out(
    faulty: Callable[[Path], object], raised: type[BaseException], tmp_path: Path
) -> None:
    with pytest.raises(raised):
        read(Reader("faulty", faulty, "any.txt", VOCAB), tmp_path / "any.txt", b"\xff" * KILO)


def test_what_takes_too_much_memory_is_found_out(tmp_path: Path) -> None:
    path = tmp_path / "any.txt"
    path.write_bytes(b"a" * KILO)
    reader = Reader("faulty", _wants_memory, path.name, VOCAB)
    assert _peak(reader, path) > reader.bound(path.read_bytes())


DENSE = [b"ab\n", b"[],", b"{},", b'"abc",', b"[[1]]\n", b'"a\xf0\x9f\x98\x80b"\n']


@each_reader
@pytest.mark.parametrize("unit", DENSE, ids=[repr(unit) for unit in DENSE])
def test_no_file_takes_more_than_ten_times_its_size(reader: Reader, unit: bytes, tmp_path: Path) -> None:
    """Above FLOOR: what would is refused by its size or by how dense it is, before it is looked into."""
    path, size = tmp_path / reader.file, 2 * MEGA
    content = unit * (size // len(unit))
    read(reader, path, b"[" + content.rstrip(b",\n") + b"]" if unit.endswith(b",") else content)
    assert _peak(reader, path) <= 10 * size + FLOOR


@pytest.mark.parametrize("first", [b'"%06x"', b'{"%06x": %d', b"[%d"])
def test_what_a_dense_file_would_take_is_no_more_than_is_reckoned(first: bytes, tmp_path: Path) -> None:
    """Else the refusal would come too late: no two values alike, so that each has an object."""
    second = {b'"%06x"': b'"%06x"', b'{"%06x": %d': b'"%06x": %d', b"[%d": b"%d"}[first]
    values_ = [(number, number + 10**6)[: second.count(b"%")] for number in range(20_000)]
    body = first % values_[0] + b"," + b",".join(second % each for each in values_[1:])
    content = {b'"': b"[" + body + b"]", b"{": body + b"}", b"[": body + b"]"}[body[:1]]
    path = tmp_path / "dense.json"
    path.write_bytes(content)
    reader = Reader("dense", lambda path: strict_json.parse(path.read_bytes(), path), path.name, [])
    reckoned = 5 * len(content) + sum(cost * content.count(each) for each, cost in strict_json.JSON_COSTS.items())
    assert _peak(reader, path) <= reckoned + 100 * KILO


def test_a_dense_vocabulary_is_refused_with_what_it_would_take(tmp_path: Path) -> None:
    path = tmp_path / "vocab.txt"
    path.write_bytes(b"".join(b"%x\n" % number for number in range(700_000)))
    with pytest.raises(FileError, match=r"it may take \d+ MiB of memory, \d+ times its size"):
        vocab_txt.read(path)


HEAD, TAIL = GOOD.encode().split(b"clauses:")


@pytest.mark.parametrize(
    ("start", "unit", "end"),
    [(b"[", b"a,", b"]"), (b"[", b"[],", b"]"), (b"", b"-\n", b""), (HEAD + b"clauses: [", b"a,", b"]")],
    ids=["words", "lists", "nothing", "faults"],
)
def test_yaml_takes_450_times_its_size_at_most(start: bytes, unit: bytes, end: bytes, tmp_path: Path) -> None:
    """Short values are the dearest; a file of the largest size takes FLOOR, and none beyond it is read."""
    assert 450 * strict_yaml.LARGEST <= FLOOR
    reader = next(reader for reader in READERS if reader.name == "spec")
    path = tmp_path / reader.file
    for content in (start + unit + end, start + unit * (5 * KILO // len(unit)) + end):  # the first fills what is kept
        read(reader, path, content)
    assert _peak(reader, path) <= 450 * len(content) + 100 * KILO
    assert f"it holds more than {strict_yaml.LARGEST:,} bytes" in str(
        read(reader, path, b"#" * (strict_yaml.LARGEST + 1))
    )


def test_a_long_list_of_profiles_is_looked_through_once(tmp_path: Path) -> None:
    """To find two that are alike, a schema compares each with each, where not all are text."""
    reader = next(reader for reader in READERS if reader.name == "spec")
    names = ",".join(f"a{number}" for number in range(20_000))
    content = GOOD.replace("source: here", f"source: here\n    profiles: [3,{names}]", 1)
    refused = read(reader, tmp_path / reader.file, content.encode())
    assert "YAML reads `3` as 3, where text is wanted" in str(refused)
