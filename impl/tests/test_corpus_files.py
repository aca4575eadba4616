"""Texts of files, whatever their form: all of them, in order, and with little memory; or an error that says where."""

import gzip
import io
import json
import pickle
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from goldpiece.corpus import blocks, parquet, streams
from goldpiece.corpus.corpus import Corpus
from goldpiece.corpus.files import NoFiles
from goldpiece.corpus.reading import NoText, NotUtf8
from goldpiece.corpus.word_counts import NoCount, WordNotWritable, read_counts, write_counts
from goldpiece.errors import FileError, UsageError

MIXED = "one\r\n\ntwo\x85\u2028\nd\u00e9j\u00e0\rvu\n\n\U0001f600".encode()
TEXTS = ["one", "", "two\x85\u2028", "d\u00e9j\u00e0\rvu", "", "\U0001f600"]


def zstd() -> Any:
    return pytest.importorskip("backports.zstd", reason="not run: backports.zstd is not installed")


def written(path: Path, content: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def texts(*sources: Path | str, **options: Any) -> list[str]:
    return list(Corpus(sources, **options).texts())


def test_lines_end_at_line_feeds_alone(tmp_path: Path) -> None:
    assert texts(written(tmp_path / "a.txt", MIXED)) == TEXTS
    assert texts(written(tmp_path / "b", MIXED + b"\n")) == TEXTS
    assert texts(written(tmp_path / "c.log", b"")) == []
    assert texts(written(tmp_path / "d.md", b"\n\n")) == ["", ""]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=30)
@given(
    content=st.lists(st.sampled_from([b"\n", b"\r\n", b"a", b"bc", "é\u4e2d".encode()])).map(b"".join),
    size=st.integers(1, 9),
)
def test_blocks_of_any_size_have_the_same_texts(tmp_path: Path, content: bytes, size: int) -> None:
    expected = [line.removesuffix("\r") for line in content.decode().removesuffix("\n").split("\n")] if content else []
    plain = Corpus([written(tmp_path / "a.txt", content)], block_size=size)
    packed = Corpus([written(tmp_path / "a.txt.gz", gzip.compress(content, 1))], block_size=size)
    assert list(plain.texts()) == list(packed.texts()) == expected
    assert [done for done, _ in plain.blocks()][-1:] == ([len(content)] if content else [])


def test_packed_files_may_have_several_members(tmp_path: Path) -> None:
    path = written(tmp_path / "a.gz", gzip.compress(MIXED[:7]) + gzip.compress(MIXED[7:]))
    assert texts(path) == TEXTS


def test_zstandard(tmp_path: Path) -> None:
    pack = zstd().compress
    assert texts(written(tmp_path / "a.txt.zst", pack(MIXED[:7]) + pack(MIXED[7:]))) == TEXTS
    for name, content in (
        ("cut.zst", pack(MIXED)[:-3]),
        ("no.zst", b"plain"),
        ("bad.zst", pack(MIXED)[:9] + b"?" * 40),
    ):
        with pytest.raises(FileError, match=f"{name}: it cannot be read"):
            texts(written(tmp_path / name, content))


def test_folders_and_patterns_go_by_name(tmp_path: Path) -> None:
    for name in ("b.txt", "a/z.txt", "a/.hidden", ".git/x.txt", "c.txt", "c/d/e.gz"):
        written(tmp_path / name, gzip.compress(name.encode()) if name.endswith("gz") else name.encode())
    assert texts(tmp_path) == ["a/z.txt", "b.txt", "c/d/e.gz", "c.txt"]
    assert texts(f"{tmp_path}/*.txt", tmp_path / "b.txt") == ["b.txt", "c.txt", "b.txt"]
    assert texts(f"{tmp_path}/**/[ez].*") == ["a/z.txt", "c/d/e.gz"]
    assert texts(written(tmp_path / "[x].txt", b"a name with brackets")) == ["a name with brackets"]


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("missing.txt", "there is no file 'missing.txt'"),
        ("nowhere/*.txt", r"nothing matches 'nowhere/\*.txt': mend the pattern"),
        ("nul\0", "cannot be read"),
        ("n" * 300, "cannot be read"),
    ],
)
def test_what_stands_for_no_file(source: str, said: str) -> None:
    with pytest.raises(NoFiles, match=said):
        texts(source)


def test_a_folder_without_files(tmp_path: Path) -> None:
    written(tmp_path / "in" / ".hidden", b"")
    with pytest.raises(NoFiles, match="has no files: name another"):
        texts(tmp_path)


@pytest.mark.parametrize("size", [1, 4, 1000])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_bad_bytes_are_reported_with_their_place(tmp_path: Path, pack: Callable[[bytes], bytes], size: int) -> None:
    name = "bad.gz" if pack is gzip.compress else "bad.txt"
    path = written(tmp_path / name, pack(b"good\nd\xe9j\xe0\n\xc3\xa9\nab\xf0\n"))
    with pytest.raises(NotUtf8, match=f"{name}: byte 6 is not UTF-8. Save the file as UTF-8, or ask for U\\+FFFD"):
        texts(path, block_size=size)
    corpus = Corpus([path], bad_bytes="replace", block_size=size)
    reader = corpus.reader()
    assert list(corpus.texts(reader)) == ["good", "d\ufffdj\ufffd", "é", "ab\ufffd"]
    assert (reader.replaced, reader.first_replaced) == (2, f"{path}: byte 6")


def test_json_lines(tmp_path: Path) -> None:
    lines = b'{"text": "a\\nb", "n": 1}\n\n{"other": "c", "text": ""}\r\n'
    assert texts(written(tmp_path / "a.jsonl", lines)) == ["a\nb", ""]
    assert texts(written(tmp_path / "a.ndjson.gz", gzip.compress(lines))) == ["a\nb", ""]
    assert texts(written(tmp_path / "b.jsonl", b'{"body": "x"}'), field="body") == ["x"]
    for name in ("c.txt", "c.jsonl.txt"):
        assert texts(written(tmp_path / name, b'{"text": "x"}')) == ['{"text": "x"}']


@pytest.mark.parametrize("line", ["{", "[]", "{}", '{"text": 5}', '{"text": null}', "[" * 100_000, '"text"'])
def test_json_without_the_text(tmp_path: Path, line: str) -> None:
    path = written(tmp_path / "a.jsonl", f'{{"text": ""}}\n{line}'.encode())
    with pytest.raises(
        NoText, match=r"a\.jsonl: the line at byte 13 (is no JSON|has no text 'text').* name another field"
    ):
        texts(path)


def test_half_a_character_in_json(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl", b'{"text": "\\ud83d\\ude00"}\n{"text": "a\\ud83d"}\n')
    with pytest.raises(NotUtf8, match="an escape in the line at byte 25 is not UTF-8"):
        texts(path)
    assert texts(path, bad_bytes="replace") == ["\U0001f600", "a\ufffd"]


def test_parquet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pyarrow = pytest.importorskip("pyarrow", reason="not run: pyarrow is not installed")
    pytest.importorskip("pyarrow.parquet").write_table(
        pyarrow.table(
            {
                "text": ["one", None, "d\u00e9j\u00e0", "x\ny", ""],
                "n": [1, 2, 3, 4, 5],
                "bad": pyarrow.array([b"a", b"b", b"c\xff", b"d", b"e"]).view(pyarrow.string()),
            }
        ),
        tmp_path / "a.parquet",
    )
    path = tmp_path / "a.parquet"
    monkeypatch.setattr(parquet, "ROWS", 2)
    for size in (1, 1000):
        assert texts(path, block_size=size) == ["one", "", "d\u00e9j\u00e0", "x\ny", ""]
        with pytest.raises(NotUtf8, match="byte 1 of row 2 is not UTF-8"):
            texts(path, field="bad", block_size=size)
    assert texts(path, field="bad", bad_bytes="replace")[2] == "c\ufffd"
    assert [done for done, _ in Corpus([path], block_size=1).blocks()][-1] == path.stat().st_size
    with pytest.raises(NoText, match=r"there is no column 'body'\. Name one of those that there are: text, n, bad"):
        texts(path, field="body")
    with pytest.raises(NoText, match=r"the column 'n' has the type int64\. Name a column of texts"):
        texts(path, field="n")
    with pytest.raises(FileError, match=r"b\.parquet: it is no Parquet"):
        texts(written(tmp_path / "b.parquet", path.read_bytes()[:-40]))


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    def put_in(content: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(content)))

    put_in(MIXED)
    assert texts("-", block_size=5) == TEXTS
    put_in(b'{"t": "a"}\n')
    assert texts("-", field="t") == ["a"]
    with pytest.raises(UsageError, match="standard input cannot be read twice"):
        Corpus(["-"]).fingerprint()


@pytest.mark.parametrize("name", ["a.txt", "a.gz"])
def test_lines_without_end_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(blocks, "LONGEST", 1_000)
    content = b"a\n" + b"x" * 5_000
    path = written(tmp_path / name, gzip.compress(content) if name.endswith("gz") else content)
    with pytest.raises(FileError, match=f"{name}: a line from byte .* has more than 1,000 bytes. Cut it into lines"):
        texts(path, block_size=500)


def test_memory_does_not_grow_with_the_corpus(tmp_path: Path) -> None:
    path = written(tmp_path / "a.gz", gzip.compress(b"some words\n" * 10**5, 1))
    corpus = Corpus([path], block_size=1 << 14)
    tracemalloc.start()
    try:
        assert sum(1 for _ in corpus.texts()) == 10**5
        assert tracemalloc.get_traced_memory()[1] < 500_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("module", "name", "said"),
    [
        (streams, "a.zst", r"needs backports\.zstd, which is not installed: run `pip install 'goldpiece\[zstd\]'`"),
        (parquet, "a.parquet", r"needs pyarrow, which is not installed: run `pip install 'goldpiece\[parquet\]'`"),
    ],
)
def test_missing_packages_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: Any, name: str, said: str
) -> None:
    monkeypatch.setattr(module, "find_spec", lambda _: None)
    with pytest.raises(UsageError, match=said):
        texts(written(tmp_path / name, b""))


def test_a_file_that_shrinks(tmp_path: Path) -> None:
    path = written(tmp_path / "a.txt", b"abc\n" * 9)
    corpus = Corpus([path])
    (_, block), *_ = corpus.blocks()
    path.write_bytes(b"abc\n")
    with pytest.raises(FileError, match="it has become shorter while it was read"):
        list(block.texts(corpus.reader()))


def test_the_fingerprint_is_of_the_content_and_how_it_is_read(tmp_path: Path) -> None:
    one, other = written(tmp_path / "a.txt", b"a"), written(tmp_path / "b.txt", b"b")
    again = written(tmp_path / "c.txt", b"a")
    prints = [Corpus(files).fingerprint() for files in ([one], [other], [one, other], [other, one], [one, one])]
    prints.append(Corpus([one], bad_bytes="replace").fingerprint())
    assert len(set(prints)) == len(prints)
    assert Corpus([again]).fingerprint() == prints[0]
    with pytest.raises(UsageError, match="bad_bytes = 'ignore': give error or replace"):
        Corpus([one], bad_bytes="ignore").reader()  # type: ignore[arg-type]


def test_tables_of_counts(tmp_path: Path) -> None:
    path = tmp_path / "counts.tsv"
    write_counts(path, ["b", "Ġa", "c", "\x85"], [2, 2**63 - 1, 2, 0])
    assert path.read_bytes() == "Ġa\t9223372036854775807\nb\t2\nc\t2\n\x85\t0\n".encode()
    assert read_counts(path) == (["Ġa", "b", "c", "\x85"], [2**63 - 1, 2, 2, 0])
    assert read_counts(written(tmp_path / "c.tsv.gz", gzip.compress(b"a b\t1\r\na b\t2"))) == (["a b", "a b"], [1, 2])


@pytest.mark.parametrize(
    "line", ["a", "a\t", "\t5", "a\t-1", "a\t1.0", "a\tb\t1", "a\t9223372036854775808", "", "a\t\u0665"]
)
def test_lines_that_are_no_counts(tmp_path: Path, line: str) -> None:
    path = written(tmp_path / "counts.tsv", f"a\t1\n{line}\nb\t2\n".encode())
    with pytest.raises(NoCount, match=r"counts\.tsv:2: .* is no word and its count. Write the word, a tab"):
        read_counts(path)


@pytest.mark.parametrize("word", ["", "a\tb", "a\n", "\r", "\ud800"])
def test_words_that_no_table_carries(tmp_path: Path, word: str) -> None:
    with pytest.raises(WordNotWritable, match="cannot stand in a table"):
        write_counts(tmp_path / "counts.tsv", ["a", word], [1, 1])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("error", [NotUtf8(Path("a"), "byte 3"), FileError("a", 3, "x", "y"), NoFiles("nothing")])
def test_errors_come_whole_from_other_processes(error: Exception) -> None:
    again = pickle.loads(pickle.dumps(error))  # noqa: S301
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert vars(again) == vars(error)


def test_json_is_what_json_says(tmp_path: Path) -> None:
    values = ["a", '\t"\\', "\u2028", "\x00", "\U0001f600"]
    path = written(tmp_path / "a.jsonl", "\n".join(json.dumps({"text": value}) for value in values).encode())
    assert texts(path, block_size=3) == values
