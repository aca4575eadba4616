"""Whatever a file holds, its reader gives a value or a GoldpieceError: nothing else, no hang, and no flood of memory.

A new reader is one more entry in READERS.
"""

import gzip
import json
import re
import signal
import time
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from goldpiece.errors import FileError, GoldpieceError
from goldpiece.formats import strict_json, tokenizer_json, vocab_txt
from goldpiece.formats.content import FLOOR
from goldpiece.formats.tokenizer_json import AddedToken, TokenizerFile
from goldpiece.suite import corpus, loader, strict_yaml, values
from goldpiece.suite.divergences import read_divergences
from goldpiece.suite.golden import json_lines, lock_file
from goldpiece.suite.golden.recorded import read_recorded
from goldpiece.suite.reports import read_reports
from goldpiece.suite.rooms import room

from .test_divergences import DECLARED
from .test_loader import GOOD

KILO, MEGA = 1_000, 1_000_000
MUTATED = 15 * KILO  # bytes of a mutated file at most
LONGEST_MESSAGE = 1_000  # characters; one that shows all of a bad file is no help


@dataclass(frozen=True)
class Reader:
    """A function from a path, and what it is fed.

    A piece (a line, a value) costs memory of its own in Python, however short it is: `piece` says how much at most, and
    `separators` are the bytes that begin or end one.
    """

    name: str
    read: Callable[[Path], object]
    file: str  # what the file has to be called
    seeds: Sequence[bytes]  # valid files
    data: Sequence[object] = ()  # what they hold, where it is JSON or YAML: keys and values to mix
    separators: bytes = b"\n"
    piece: int = 0
    constant: int = 200 * KILO  # bytes: some buffers of 64 KB
    large: int = 300 * KILO  # bytes of the inputs whose memory is measured

    def bound(self, content: bytes) -> int:
        """The bytes of memory that reading `content` may take."""
        pieces = sum(content.count(separator) for separator in self.separators) + 1
        return 10 * len(content) + self.piece * pieces + self.constant


VOCAB = [b"[PAD]\n[UNK]\na\n##b\n\xe4\xb8\xad\n", b"\xef\xbb\xbfa \r\n\xe2\x80\xa8\r\nb"]
TEXT = "Don't panic!\nd\u00e9j\u00e0 vu \u4e2d\u6587 \U0001f600\n" * 20
LARGEST_CORPUS = MEGA  # while the tests run

YAML, LARGE_YAML = b",:-[]{}\n", 15 * KILO

JSON, LARGE_JSON = b",[{\n", 100 * KILO
WHOLE = tokenizer_json.render(TokenizerFile(["[UNK]", "[CLS]", "[SEP]", "a", "##b"], [AddedToken(5, "<x>")]))
LINES = b'{"word": "a", "times": [1, 2.5, null, true]}\n'
GOLDEN = (room("golden") / "wordpiece" / "words.jsonl").read_bytes()[:3_000].rpartition(b"\n")[0]
LOCK = b"".join(
    [
        b'{"lock": 1, "subject": "hf:x", "version": "1", "corpus": "topics", "characters": 9, "digest": "ab"}\n',
        b'{"what": "input 1", "text": "a", "ids": [3], "tokens": ["a"], "offsets": [[0, 1]], "error": null}\n',
        b'[1, 3, "a", "b", "c"]\n[2, 3, "a", "b", "c"]\n',
    ]
)
REPORTS = b"""\
- id: some/tokenizer#1
  url: https://github.com/some/tokenizer/issues/1
  component: wordpiece
  symptom: It drops text.
  input: abc
  expected: "[UNK]"
  invariant: Nothing is dropped.
  severity: high
  evidence: reported
"""

READERS = [
    # A str has 49 bytes beside its characters; lists and dictionaries have up to four places for it while they grow.
    Reader("vocab.txt", vocab_txt.read, "vocab.txt", VOCAB, piece=300),
    Reader("vocab.txt with gaps", partial(vocab_txt.read, strict=False), "vocab.txt", VOCAB, piece=150),
    # PyYAML makes two marks, some tokens and a node of each value: nearly a kilobyte, which is why files are bounded.
    Reader(
        "spec", loader.load_spec, "toy.yaml", [GOOD.encode()], [yaml.safe_load(GOOD)], YAML, 1_000, large=LARGE_YAML
    ),
    Reader(
        "divergences",
        lambda path: read_divergences(path, loader.load_specs()),
        "declared.yaml",
        [DECLARED.encode()],
        [yaml.safe_load(DECLARED)],
        YAML,
        1_000,
        large=LARGE_YAML,
    ),
    Reader("corpus", lambda path: corpus.read_corpus(str(path)), "corpus.txt", [TEXT.encode()]),
    # What is packed may be as large as is allowed, however small the file is.
    Reader(
        "packed corpus",
        lambda path: corpus.read_corpus(str(path)),
        "corpus.txt.gz",
        [gzip.compress(TEXT.encode(), mtime=0), gzip.compress(bytes(3 * MEGA), mtime=0)],
        constant=10 * LARGEST_CORPUS,
    ),
    Reader(
        "tokenizer.json",
        tokenizer_json.read,
        "tokenizer.json",
        [WHOLE],
        [json.loads(WHOLE)],
        JSON,
        270,
        large=LARGE_JSON,
    ),
    Reader("inputs", json_lines.read_lines, "inputs.jsonl", [LINES], [json.loads(LINES)], JSON, 270, large=LARGE_JSON),
    Reader("golden", read_recorded, "words.jsonl", [GOLDEN], [], JSON, 270, large=LARGE_JSON),
    Reader("lock", lock_file.read, "some.lock", [LOCK], [], JSON, 270, large=LARGE_JSON),
    Reader(
        "reports", read_reports, "reports.yaml", [REPORTS], [yaml.safe_load(REPORTS)], YAML, 1_000, large=LARGE_YAML
    ),
]

# What means something to a format, or to Python, or to nobody.
HOSTILE = [
    *(b"\0", b"\xff", b"\xef\xbb\xbf", b"\xff\xfe", b"\xed\xa0\x80", b"\r", b"\n\n", b"\t", b"\xe2\x80\xa8"),
    *(b"[", b"]", b"{", b"}", b"- ", b"? ", b": ", b", ", b"'", b'"', b"\\", b"|\n", b">\n", b"#", b"---\n"),
    *(b'"\\uD800"', b'"\\ud83d\\ude00"', b'"\\UFFFFFFFF"', b'"\\U00110000"', b'"\\x00"', b"'\\u0000'"),
    *(b"no", b"~", b"=", b"<<: ", b"&a ", b"*a", b"! ", b"!!set ", b"!!binary ", b"!!python/object/apply:os.system "),
    *(b"12:30", b"1" + b":0" * 300, b"1" + b":0" * 300 + b".0", b"0o17", b"017", b"0x" + b"f" * 5000, b"0b_"),
    *(b"9" * 5000, b"-1", b"1e999", b"-1e-999", b".inf", b".nan", b"NaN", b"Infinity", b"1.0", b"18446744073709551616"),
    *(b"2026-02-30", b"2001-01-01T00:00:00+99:99", b"{repeat: a, times: 99999999}", b"{repeat: a}", b"U+10FFFF"),
    *(b"U+0000-U+10FFFF", b"[]", b"{}", b'""', b"\xcc\x81", b"\xf0\x9f\x98\x80", b"a" * 2000),
]


@st.composite
def mutated(draw: st.DrawFn, reader: Reader) -> bytes:
    """A valid file, with a few things done to it."""
    content = draw(st.sampled_from(reader.seeds))
    for _ in range(draw(st.integers(1, 4))):
        first, second = sorted((draw(st.integers(0, len(content))), draw(st.integers(0, len(content)))))
        start, part, rest = content[:first], content[first:second], content[second:]
        match draw(st.sampled_from(["flip", "cut", "repeat", "swap", "insert", "value", "line", "utf-16"])):
            case "flip":
                content = start + bytes([draw(st.integers(0, 255))]) + content[first + 1 :]
            case "cut":
                content = start + rest
            case "repeat":
                content = start + part * draw(st.integers(2, 20)) + rest
            case "swap":
                content = start + rest + part
            case "insert":
                content = start + draw(st.sampled_from(HOSTILE)) + part + rest
            case "value":
                hostile = draw(st.sampled_from(HOSTILE)).replace(b"\\", rb"\\")
                content = start + re.sub(rb"[\w.\"]+", hostile, part + rest, count=1)
            case "line":
                lines = content.splitlines(keepends=True) or [b""]
                place = draw(st.integers(0, len(lines) - 1))
                content = b"".join([*lines[:place], lines[place] * draw(st.integers(2, 9)), *lines[place + 1 :]])
            case "utf-16":
                content = content.decode("utf-8", "replace").encode("utf-16")
        content = content[:MUTATED]
    if draw(st.integers(0, 9)) == 0:
        place = draw(st.integers(0, len(content)))
        deep = draw(st.sampled_from([b"[", b"{", b"- ", b"? ", b"{a: ", b'{"a":'])) * 10**5
        content = content[:place] + deep + content[place:]
    return content


WRONG = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9) | st.dates().map(str),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=6,
)


@st.composite
def restructured(draw: st.DrawFn, reader: Reader) -> bytes:
    """What a valid file holds, with values of other places or of no place, as JSON, which is YAML too."""
    data = draw(st.sampled_from(reader.data))
    for _ in range(draw(st.integers(1, 3))):
        places = list(_places(data))
        value = draw(WRONG | st.sampled_from([_at(data, place) for place in places]))
        data = _replaced(data, draw(st.sampled_from(places)), value)
    return json.dumps(data, ensure_ascii=draw(st.booleans())).encode("utf-8", "surrogatepass")


def _places(data: object, here: tuple[object, ...] = ()) -> Iterator[tuple[object, ...]]:
    yield here
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        yield from _places(value, (*here, key))


def _at(data: object, place: tuple[object, ...]) -> object:
    for key in place:
        data = data[key]  # type: ignore[index]
    return data


def _replaced(data: object, place: tuple[object, ...], value: object) -> object:
    if not place:
        return value
    first, *rest = place
    if isinstance(data, dict):
        return data | {first: _replaced(data[first], tuple(rest), value)}
    assert isinstance(data, list)
    return [_replaced(item, tuple(rest), value) if index == first else item for index, item in enumerate(data)]


@st.composite
def repetitive(draw: st.DrawFn, reader: Reader) -> bytes:
    """Something small over and over, within a valid file or alone: what takes more than its share shows."""
    seed = draw(st.sampled_from(reader.seeds))
    first, second = sorted((draw(st.integers(0, len(seed))), draw(st.integers(0, len(seed)))))
    part = seed[first:second][:50] or b"a,"
    unit = draw(st.sampled_from(HOSTILE) | st.just(part) | st.lists(st.sampled_from(HOSTILE), min_size=1).map(b"".join))
    filling = unit * (reader.large // len(unit))
    return draw(st.sampled_from([filling, seed[:first] + filling + seed[first:], b"[" + filling + b"]"]))


@pytest.fixture(autouse=True)
def _small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a file may stand for, by a number or by compression, is memory that is allowed: here there is little."""
    loader.load_specs()  # once, under the limits that hold else
    monkeypatch.setattr(values, "LONGEST", 10 * KILO)
    monkeypatch.setattr(loader, "MOST_POINTS", 10 * KILO)
    monkeypatch.setattr(corpus, "LARGEST", LARGEST_CORPUS)


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


def read(reader: Reader, path: Path, content: bytes) -> str | None:
    """The message of the error, None if there was none; all else that is raised is a fault."""
    path.write_bytes(content)
    try:
        with deadline(content):
            reader.read(path)
    except GoldpieceError as error:
        message = str(error)
    else:
        return None
    assert len(message) < LONGEST_MESSAGE + len(str(path))
    return message


each_reader = pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)
fuzz = partial(settings, deadline=None, suppress_health_check=list(HealthCheck))


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
