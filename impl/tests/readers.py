"""The readers of files, and hostile files for them. A new reader is one more entry in READERS."""

import gzip
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from pathlib import Path

import numpy as np
import yaml
from hypothesis import strategies as st

from goldpiece.corpus.corpus import Corpus
from goldpiece.corpus.word_counts import read_counts
from goldpiece.formats import bpe_files, bpe_tokenizer_json, tokenizer_json, vocab_txt
from goldpiece.formats.tokenizer_json import AddedToken, TokenizerFile
from goldpiece.reference.masking import Masking
from goldpiece.suite import corpus, loader
from goldpiece.suite.divergences import read_divergences
from goldpiece.suite.golden import json_lines, lock_file
from goldpiece.suite.golden.json_lines import render_lines
from goldpiece.suite.golden.recorded import read_recorded
from goldpiece.suite.recorded.record import read_record
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

YAML, LARGE_YAML = b",:-[]{}&\n\x85\xa8\xa9", 15 * KILO  # U+0085, U+2028 and U+2029 end lines as well

JSON, LARGE_JSON = b",[{\n", 100 * KILO
WHOLE = tokenizer_json.render(TokenizerFile(["[UNK]", "[CLS]", "[SEP]", "a", "##b"], [AddedToken(5, "<x>")]))
IDS = b'{"a": 0, "b": 1, "ab": 2}'
MERGES = b"#version: 0.2\na b\nab \xc3\xa9\n"
RANKS = b"YQ== 0\nYg== 1\nYWI= 2\n"
LEVEL = b'{"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": false, "use_regex": true}'
BYTES = (
    b'{"version": "1.0", "truncation": null, "padding": null, "added_tokens": [], "normalizer": null, '
    b'"pre_tokenizer": %b, "post_processor": %b, "decoder": %b, '
    b'"model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": [["a", "b"], "b a"]}}' % ((LEVEL,) * 3)
)
LINES = b'{"word": "a", "times": [1, 2.5, null, true]}\n'
GOLDEN = (room("golden") / "wordpiece" / "words.jsonl").read_bytes()[:3_000].rpartition(b"\n")[0]
LOCK_HEADER = {"lock": 1, "subject": "hf:x", "version": "1", "corpus": "topics", "characters": 9, "digest": "ab"}
LOCK = render_lines(
    [
        LOCK_HEADER | {"texts": 1, "documents": 2},
        {"what": "input 1", "text": "a", "ids": [3], "tokens": ["a"], "offsets": [[0, 1]], "error": None},
        [1, 3, "a", "b", "c"],
        [2, 3, "a", "b", "c"],
    ]
).encode()
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

BATCHES = (
    b'{"input_ids": [[0, 3, 4], [1, 2, 0]], "labels": [[-100, 1, -100], [1, -100, -100]], "attention_mask": '
    b'[[1, 1, 1], [1, 1, 0]], "tokens": [["a", "b", "c"], ["b", "c"]], "word_ids": [[null, 0, 1], [0, 0, null]], '
    b'"index": [1, 2], "epoch": 3}\n'
)
LARGEST_RECORD = MEGA  # while the tests run


LINE = {"text": "a b", "n": 1, "other": ["x", None, True]}


def texts(path: Path) -> Sequence[str]:
    return list(Corpus([path]).texts())


def arrays() -> bytes:
    """A file of NumPy's, whose arrays are far larger than what they are packed to."""
    file = BytesIO()
    np.savez_compressed(file, input_ids=np.ones((300, 9), int), labels=np.full((300, 9), -100))
    return file.getvalue()


ARRAYS = arrays()


def read_batches(path: Path) -> object:
    return read_record(path, Masking(["a", "b", "c", "d", "[MASK]"]), {})


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
    Reader("texts", texts, "texts.txt", [TEXT.encode()], piece=100),
    Reader(
        "texts of JSON",
        texts,
        "texts.jsonl",
        [b'{"text": "a"}\n{"n": [1, {}], "text": "\\u00e9"}\n'],
        [LINE],
        JSON,
        300,
    ),
    Reader("counts", read_counts, "counts.tsv", [b"the\t12\nof\t7\n"], piece=300),
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
    Reader(
        *("BPE tokenizer.json", bpe_tokenizer_json.read, "tokenizer.json", [BYTES], [json.loads(BYTES)], JSON, 270),
        large=LARGE_JSON,
    ),
    Reader("encoder", bpe_files.read_encoder, "encoder.json", [IDS], [json.loads(IDS)], JSON, 270, large=LARGE_JSON),
    Reader("merges", bpe_files.read_merges, "vocab.bpe", [MERGES], piece=400),
    Reader("ranks", bpe_files.read_ranks, "some.tiktoken", [RANKS], piece=400),
    Reader("inputs", json_lines.read_lines, "inputs.jsonl", [LINES], [json.loads(LINES)], JSON, 270, large=LARGE_JSON),
    Reader("golden", read_recorded, "words.jsonl", [GOLDEN], [], JSON, 270, large=LARGE_JSON),
    Reader("lock", lock_file.read, "some.lock", [LOCK], [], JSON, 270, large=LARGE_JSON),
    # A row is some arrays, each of which has some hundred bytes beside its values.
    Reader("record", read_batches, "batches.jsonl", [BATCHES], [json.loads(BATCHES)], JSON, 400, large=LARGE_JSON),
    Reader("record of arrays", read_batches, "batches.npz", [ARRAYS], piece=400, constant=10 * LARGEST_RECORD),
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
