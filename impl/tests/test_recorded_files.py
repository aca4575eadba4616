"""Files of recorded batches: what people write there, what is said of it, and what cannot be used."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from goldpiece import MaskingCollator
from goldpiece.errors import FileError, UsageError
from goldpiece.formats import vocab_txt
from goldpiece.reference.masking import Masking
from goldpiece.suite.loader import load_specs
from goldpiece.suite.recorded.files import RowsMissing
from goldpiece.suite.recorded.judging import judged, load_judgments
from goldpiece.suite.recorded.record import RecordedRow, read_record
from goldpiece.suite.subjects import in_this_process
from goldpiece.suite.verdict import Verdict

from .conftest import Goldpiece
from .test_recorded import BATCH, EPOCHS, SENTENCES, VOCAB

CLAIMS = Masking(VOCAB)
ROWS: Sequence[Mapping[str, Any]] = [
    {
        "input_ids": [2, 4, 36, 3, 0],
        "labels": [-100, 5, -100, -100, -100],
        "attention_mask": [1, 1, 1, 1, 0],
        "original_ids": [2, 5, 36, 3, 0],
        "word_ids": [None, 0, 0, None, None],
        "epoch": 2,
        "index": 7,
        "batch": 4,
    },
    {
        "input_ids": [2, 6, 7, 8, 3],
        "labels": [-100, -100, -100, 9, -100],
        "attention_mask": [1, 1, 1, 1, 1],
        "original_ids": [2, 6, 7, 9, 3],
        "word_ids": [None, 0, 1, 2, None],
        "epoch": 2,
        "index": 3,
        "batch": 4,
    },
]
COLUMNS = {name: [row[name] for row in ROWS] for name in ROWS[0]}


def lines(*values: Any) -> str:
    return "".join(f"{json.dumps(value)}\n" for value in values)


def written(folder: Path, kind: str) -> Path:
    path = folder / f"batches.{kind.rpartition(' ')[2]}"
    match kind:
        case "rows of jsonl":
            path.write_text(lines(*ROWS), encoding="utf-8")
        case "batches of jsonl":
            batch = COLUMNS | {"epoch": 2, "note": "passed over"}
            path.write_text(
                "\n\n\n" + lines({name: batch[name] for name in batch if name != "batch"}), encoding="utf-8"
            )
        case "npz":
            arrays = COLUMNS | {
                "word_ids": [[-1 if each is None else each for each in row["word_ids"]] for row in ROWS]
            }
            arrays |= {"epoch": 2, "batch": 4}  # for all rows
            np.savez(path, **{name: np.array(column) for name, column in arrays.items()})  # type: ignore[arg-type]
        case _:
            pyarrow = pytest.importorskip("pyarrow", reason="not run: pyarrow is not installed")
            pytest.importorskip("pyarrow.parquet").write_table(pyarrow.table(COLUMNS), path)
    return path


def all_of(row: RecordedRow) -> list[Any]:
    arrays = (row.seen, row.labels, row.is_token, row.ids, row.word_ids)
    return [None if each is None else each.tolist() for each in arrays] + [row.epoch, row.index, row.batch]


@pytest.mark.parametrize("kind", ["rows of jsonl", "batches of jsonl", "npz", "parquet"])
def test_each_kind_of_file_has_the_same_rows(tmp_path: Path, kind: str) -> None:
    record = read_record(written(tmp_path, kind), CLAIMS, {})
    assert [all_of(row) for row in record.rows] == [
        [
            row["input_ids"],
            row["labels"],
            [each == 1 for each in row["attention_mask"]],
            row["original_ids"],
            [-1 if each is None else each for each in row["word_ids"]],
            2,
            row["index"],
            4,
        ]
        for row in ROWS
    ]


def test_what_is_of_tokens_alone_is_laid_where_they_are(tmp_path: Path) -> None:
    path = tmp_path / "short.jsonl"
    short = {"input_ids": [0, 2, 4, 3], "labels": [-100, -100, 5, -100], "attention_mask": [0, 1, 1, 1]}
    tokens = {"tokens": ["[CLS]", "w0", "[SEP]"], "word_ids": [None, 4, None]}
    path.write_text(lines(short | tokens, short), encoding="utf-8")
    first, second = read_record(path, CLAIMS, {}).rows
    assert first.ids.tolist() == [0, 2, 5, 3]
    assert first.word_ids is not None
    assert first.word_ids.tolist() == [-1, -1, 4, -1]
    assert second.originals is None
    assert second.ids.tolist() == first.ids.tolist()
    assert (first.epoch, first.index, first.batch) == (0, None, None)


@pytest.mark.parametrize("config", [{"budget": "bert"}, {"budget": "greedy", "unit": "word"}], ids=str)
def test_without_a_mask_the_padding_token_tells_padding(tmp_path: Path, config: Mapping[str, Any]) -> None:
    path, judgment = tmp_path / "plain.jsonl", load_judgments()[f"masking.budget-{config['budget']}"]
    collate = MaskingCollator(VOCAB, helpers=(), **config)
    batches = [collate([{"input_ids": row} for row in SENTENCES[start : start + 6]]) for start in range(0, 120, 6)]
    path.write_text(lines(*({name: batch[name].tolist() for name in ("input_ids", "labels")} for batch in batches)))
    claims = replace(CLAIMS, **config)
    assert judged(judgment, read_record(path, claims, {})).verdict is Verdict.HOLDS
    found = judged(judgment, read_record(path, replace(claims, vocab=["[blank]", *VOCAB[1:]]), {}))
    assert (found.verdict, found.reason) == (
        Verdict.UNSUPPORTED,
        "the record does not show what is padding: record attention_mask",
    )


def test_only_ends_are_padding_without_a_mask(tmp_path: Path) -> None:
    path = tmp_path / "ends.jsonl"
    row = {"input_ids": [0, 2, 0, 7, 3, 4, 0], "labels": [-100, -100, -100, -100, -100, 0, -100]}
    path.write_text(lines(row | {"original_ids": [2, 0, 7, 3]}, {"input_ids": [0], "labels": [-100]}), encoding="utf-8")
    record = read_record(path, CLAIMS, {})
    assert [row.is_token.tolist() for row in record.rows] == [[False, True, True, True, True, False, False], [False]]
    assert judged(load_judgments()["masking.padding"], record).verdict is Verdict.FAILS


def test_a_mask_may_be_of_booleans(tmp_path: Path) -> None:
    path = tmp_path / "booleans.jsonl"
    path.write_text(lines({"input_ids": [5, 6], "labels": [5, -100], "attention_mask": [True, False]}))
    assert read_record(path, CLAIMS, {}).rows[0].is_token.tolist() == [True, False]


def test_rows_of_unequal_shapes_are_kept_apart(tmp_path: Path) -> None:
    path = tmp_path / "unequal.jsonl"
    good = {"input_ids": [5, 6], "labels": [5, -100]}
    bad = [{"labels": [5]}, {"attention_mask": [1]}, {"original_ids": [5]}, {"word_ids": [0, 0, 0]}]
    path.write_text(lines(good, *(good | each for each in bad)), encoding="utf-8")
    record = read_record(path, CLAIMS, {})
    assert len(record.rows) == 1
    assert [each.partition(": ")[2] for each in record.misshapen] == [
        "2 input_ids and 1 labels",
        "2 input_ids and an attention_mask of 1",
        "2 tokens, and originals of 1",
        "2 tokens, and word_ids of 3",
    ]


GOOD = {"input_ids": [5], "labels": [-100]}


@pytest.mark.parametrize(
    ("content", "kind", "message"),
    [
        ("{", FileError, "bad.jsonl:1: it is not JSON"),
        ("[5]", FileError, "bad.jsonl:1: it is no object"),
        (lines(GOOD, {"input_ids": [5]}), FileError, "bad.jsonl:2: it has no labels"),
        (lines({"input_ids": [[5], [6]], "labels": [[5]]}), RowsMissing, "it has 2 rows of input_ids, and 1 of labels"),
        (lines(GOOD | {"input_ids": ["a"]}), FileError, "line 1: input_ids is no list of integers"),
        (lines(GOOD | {"input_ids": [True]}), FileError, "line 1: input_ids is no list of integers"),
        (lines(GOOD | {"labels": [-200]}), FileError, "line 1: labels has -200, and the lowest that there is is -100"),
        (lines(GOOD | {"input_ids": None}), FileError, "line 1: input_ids or labels is null"),
        (lines(GOOD | {"input_ids": [99]}), FileError, "line 1: input_ids has 99, and the highest that there is is 49"),
        (lines(GOOD | {"input_ids": [-1]}), FileError, "line 1: input_ids has -1, which is no id"),
        (lines(GOOD | {"labels": [-5]}), FileError, "line 1: labels has what is neither an id nor -100"),
        (lines(GOOD | {"epoch": "one"}), FileError, "line 1: epoch is no integer"),
        (lines(GOOD | {"tokens": [5]}), FileError, "line 1: tokens is no list of texts"),
        (lines(GOOD | {"tokens": ["x"]}), FileError, "line 1: the vocabulary has no token 'x'"),
        ("\n", FileError, "it has no rows"),
        ("\udcff", FileError, "bad.jsonl:1: byte 0 is not UTF-8"),
    ],
)
def test_what_is_no_record(tmp_path: Path, content: str, kind: type[FileError], message: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(content.encode(errors="surrogateescape"))
    with pytest.raises(kind, match=re.escape(message)):
        read_record(path, CLAIMS, {})


def test_what_is_no_file_of_arrays(tmp_path: Path) -> None:
    broken, short, uneven, pickled = (tmp_path / f"{name}.npz" for name in ("broken", "short", "uneven", "pickled"))
    broken.write_bytes(b"PK\x03\x04")
    np.savez(short, input_ids=np.ones((1, 1), int))
    np.savez(uneven, input_ids=np.ones((2, 1), int), labels=np.ones((1, 1), int))
    np.savez(pickled, input_ids=np.array([{}], object), labels=np.ones((1, 1), int))
    for path, message in (
        (broken, "it is no .npz without pickles"),
        (pickled, "it is no .npz without pickles"),
        (short, "it has no labels"),
        (uneven, "its rows are 2 of input_ids, 1 of labels"),
    ):
        with pytest.raises(FileError, match=re.escape(message)):
            read_record(path, CLAIMS, {})


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"input_ids": np.ones((5_000, 0), int)}, "it holds more than 200,000 bytes"),
        ({"input_ids": np.ones((1, 5_000, 0), int)}, "input_ids has the shape (1, 5000, 0), and not (rows, width)"),
        (
            {name: np.ones((3, 3_000), np.int8) for name in ("input_ids", "labels", "word_ids")},
            "it holds more than 200,000 bytes",
        ),
        ({"input_ids": np.array(5)}, "input_ids has the shape (), and not (rows, width)"),
        ({"epoch": np.ones((1, 1), int)}, "epoch has the shape (1, 1), and not (rows,) or ()"),
    ],
)
def test_arrays_that_swell_or_have_another_shape(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arrays: Mapping[str, Any], message: str
) -> None:
    path = tmp_path / "odd.npz"
    ordinary: dict[str, Any] = {"input_ids": np.ones((1, 1), int), "labels": np.ones((1, 1), int)}
    np.savez_compressed(path, **(ordinary | dict(arrays)))
    monkeypatch.setattr("goldpiece.suite.recorded.files.LARGEST", 200_000)
    with pytest.raises(FileError, match=re.escape(message)):
        read_record(path, CLAIMS, {})


def test_too_little_memory_is_called_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def out_of_memory(*_: object, **__: object) -> None:
        raise MemoryError

    path = written(tmp_path, "npz")
    monkeypatch.setattr("goldpiece.suite.recorded.files.np.load", out_of_memory)
    with pytest.raises(FileError, match="there is too little memory for what it holds"):
        read_record(path, CLAIMS, {})


def test_what_is_no_parquet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "broken.parquet"
    path.write_bytes(b"PAR1")
    with monkeypatch.context() as without:
        without.setattr("goldpiece.suite.recorded.files.find_spec", lambda _: None)
        with pytest.raises(UsageError, match="needs pyarrow, which is not installed: run `pip install pyarrow`"):
            read_record(path, CLAIMS, {})
    pyarrow = pytest.importorskip("pyarrow", reason="not run: pyarrow is not installed")
    with pytest.raises(FileError, match="it is no Parquet"):
        read_record(path, CLAIMS, {})
    pytest.importorskip("pyarrow.parquet").write_table(pyarrow.table({"input_ids": [[5] * 100_000]}), path)
    monkeypatch.setattr("goldpiece.suite.recorded.files.LARGEST", 20 * path.stat().st_size)
    with pytest.raises(FileError, match="it holds more than"):
        read_record(path, CLAIMS, {})


def test_texts_of_parquet_count_as_often_as_they_stand_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pyarrow = pytest.importorskip("pyarrow", reason="not run: pyarrow is not installed")
    write = pytest.importorskip("pyarrow.parquet").write_table
    path, rows = tmp_path / "texts.parquet", 300
    plain = {"input_ids": [[5]] * rows, "labels": [[-100]] * rows}
    monkeypatch.setattr("goldpiece.suite.recorded.files.LARGEST", 200_000)
    write(pyarrow.table(plain | {"tokens": [["w0"]] * rows}), path)
    assert len(read_record(path, CLAIMS, {}).rows) == rows
    swelling: Sequence[tuple[Mapping[str, Any], str]] = (
        ({"tokens": [["x" * 1_000]] * rows}, "it holds more than 200,000 bytes"),
        ({"index": ["x" * 1_000] * rows}, "it holds more than 200,000 bytes"),
        ({"tokens": [["x" * 250_000]] + [["w0"]] * (rows - 1)}, "it holds more than 200,000 bytes"),
        ({"tokens": [[["w0"]]] * rows}, "tokens is of the type list<"),
        ({"index": pyarrow.array([b"x" * 9] * rows, pyarrow.binary(9))}, "index is of the type fixed_size_binary[9]"),
    )
    for columns, message in swelling:
        write(pyarrow.table(plain | dict(columns)), path)
        with pytest.raises(FileError, match=re.escape(message)):
            read_record(path, CLAIMS, {})
    write(pyarrow.table({"input_ids": [[]] * 5_000, "labels": [[]] * 5_000}), path)
    with pytest.raises(FileError, match="it holds more than"):
        read_record(path, CLAIMS, {})
    encoding = {"tokens.list.element": "DELTA_BYTE_ARRAY"}
    write(pyarrow.table(plain | {"tokens": [["w0"]] * rows}), path, use_dictionary=False, column_encoding=encoding)
    with pytest.raises(FileError, match=r"tokens\.list\.element has the encoding DELTA_BYTE_ARRAY"):
        read_record(path, CLAIMS, {})


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("batches:x.jsonl", "write batches:x.jsonl,vocab=vocab.txt, or vocab=tokenizer.json"),
        (
            "batches:x.csv,vocab=vocab.txt",
            "x.csv is no record of batches: name a file that ends in .jsonl, .npz, .parquet",
        ),
        ("batches:x.jsonl,vocab=vocab.txt,rat=1", "rat=1: there is no such parameter; there are vocab, special_tokens"),
        ("batches:x.jsonl,vocab=vocab.txt,rate=high", 'rate=high: "high" is text, and not number'),
        ("batches:x.jsonl,vocab=vocab.txt,rate=15", "nothing can be held to that: rate is 15.0"),
        ("batches:x.jsonl,vocab=vocab.txt,unit=wrods", "nothing can be held to that: "),
    ],
)
def test_subjects_that_cannot_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: str, message: str) -> None:
    monkeypatch.chdir(tmp_path)
    vocab_txt.write("vocab.txt", VOCAB)
    with pytest.raises(UsageError, match=re.escape(message)):
        in_this_process(written, load_specs())


# The whole way, as the README shows it.

README = Path(__file__).parents[2] / "README.md"


class Loader:
    """As much of a data loader as the README's program asks of one."""

    def __init__(self, collate: MaskingCollator) -> None:
        self.collate = collate

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for start in range(0, len(SENTENCES), BATCH):
            rows = SENTENCES[start : start + BATCH]
            yield self.collate([{"input_ids": row, "index": start + number} for number, row in enumerate(rows)])


def dump(folder: Path, collate: MaskingCollator) -> None:
    """Runs the README's program."""
    blocks = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    (program,) = [block for block in blocks if "batches.jsonl" in block]
    assert len(program.splitlines()) <= 10
    program = program.replace('"batches.jsonl"', repr(str(folder / "batches.jsonl")))
    exec(program, {"collate": collate, "loader": Loader(collate), "EPOCHS": EPOCHS})  # noqa: S102 (our own)
    vocab_txt.write(folder / "vocab.txt", VOCAB)


def test_what_the_readme_dumps_can_be_checked(goldpiece: Goldpiece, tmp_path: Path) -> None:
    dump(tmp_path, MaskingCollator(VOCAB, 0.5, helpers=(), seed=4))
    subject = "batches:batches.jsonl,vocab=vocab.txt,rate=0.5"
    done = goldpiece("check", subject, "--json", "report.json")
    assert done.returncode == 0, done.stdout
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    holding = {clause["id"].partition(".")[2] for clause in report["clauses"] if clause["verdict"] == "holds"}
    assert {"special-tokens", "padding", "equal-chances", "rates", "random-words", "epochs", "rows-differ"} <= holding
    assert {clause["spec"] for clause in report["clauses"]} == {"masking"}

    done = goldpiece("check", subject.replace("0.5", "0.6"), "--clause", "masking.equal-chances")
    assert done.returncode == 1, done.stdout
    assert "✗ masking.equal-chances fails (must)" in done.stdout
    assert "found by  record equal_chances" in done.stdout

    done = goldpiece("check", f"{subject},unit=word", "--clause", "masking.whole-words")
    assert done.returncode == 1, done.stdout
    assert 'row  "batches.jsonl, line 1, row 1, place' in done.stdout
    assert 'unit = "word"' in done.stdout

    for options, message in (
        (("--spec", "wordpiece"), "batches are held to the spec masking, and nothing of it is left to check"),
        (("--divergences", "none.yaml"), "--divergences declares inputs, and recorded batches take none"),
    ):
        (tmp_path / "none.yaml").write_text("[]", encoding="utf-8")
        done = goldpiece("check", subject, *options)
        assert done.returncode == 2
        assert message in done.stderr
