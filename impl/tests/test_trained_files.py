"""What training leaves behind: the files of a folder, and a trace of its merges."""

from pathlib import Path
from typing import Any

import pytest

from goldpiece import BPETokenizer, BPETrainer, Tokenizer, WordPieceTrainer, train_bpe, train_wordpiece
from goldpiece.errors import FileError
from goldpiece.formats import bpe_files
from goldpiece.merge_trace import COLUMNS, MergeTrace
from goldpiece.trained_files import write_trained

LINES = ["The new winner wins.", "A dinner for winners, and news!", "Winter is new; dinners are few."] * 3


def test_the_files_of_wordpiece(tmp_path: Path) -> None:
    found = train_wordpiece(LINES, 50, rule="frequency")
    folder = tmp_path / "made" / "here"
    written = write_trained(folder, Tokenizer(found.tokens), found.merges)
    assert written == [folder / name for name in ("vocab.txt", "tokenizer.json", "merges.txt")]
    for tokenizer in (Tokenizer.from_vocab(written[0]), Tokenizer.from_file(written[1])):
        assert tokenizer.vocab == found.tokens
        assert tokenizer.encode("NEW winner", add_special_tokens=False).tokens == ["new", "winner"]
    assert bpe_files.read_merges(written[2]) == found.merges


def test_the_files_of_bpe(tmp_path: Path) -> None:
    found = train_bpe(LINES, 280, special_tokens=[])
    ours = BPETokenizer(found.tokens, found.merges, special_tokens=["<|endoftext|>"])
    written = write_trained(tmp_path, ours, found.merges)
    assert [path.name for path in written] == ["vocab.json", "tokenizer.json", "merges.txt"]
    for tokenizer in (BPETokenizer.from_file(written[1]), BPETokenizer.from_files(written[0], written[2])):
        assert tokenizer.encode("winners £<|endoftext|>").ids == ours.encode("winners £<|endoftext|>").ids


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(FileError, match="it cannot be made"):
        write_trained(tmp_path / "file" / "x", Tokenizer(["[UNK]", "[CLS]", "[SEP]"]), [])


def traced(path: Path, trainer: Any, counts: dict[str, int]) -> list[str]:
    merging = trainer.merging(list(counts), list(counts.values()))
    with MergeTrace(path) as trace:
        for merge in merging:
            trace.write(merging, merge)
    return path.read_text(encoding="utf-8").splitlines()


def test_a_trace_shows_words_as_they_change(tmp_path: Path) -> None:
    trainer = BPETrainer(15, end_of_word="</w>", end_of_word_apart=True, ties="first_seen")
    counts = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
    assert traced(tmp_path / "trace.tsv", trainer, counts) == [
        "rank\tfirst\tsecond\tjoined\tscore\tcount\tof_first\tof_second\tword",
        "0\te\ts\tes\t9\t9\t17\t9\tn e w es t </w>",
        "1\tes\tt\test\t9\t9\t9\t9\tn e w est </w>",
        "2\test\t</w>\test</w>\t9\t9\t9\t16\tn e w est</w>",
        "3\tl\to\tlo\t7\t7\t7\t7\tlo w </w>",
    ]


def test_a_trace_has_exact_scores(tmp_path: Path) -> None:
    trainer = WordPieceTrainer(11, ties="first_seen", min_frequency=1, special_tokens=[])
    counts = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
    rows = [line.split("\t") for line in traced(tmp_path / "trace.tsv", trainer, counts)[1:]]
    assert [(row[3], row[4], row[-1]) for row in rows] == [
        *(("##gs", "1/20", "h ##u ##gs"), ("hu", "1/36", "hu ##g"), ("hugs", "1/15", "hugs"), ("hug", "1/15", "hug")),
    ]


def test_a_trace_keeps_its_columns(tmp_path: Path) -> None:
    """Symbols that are tabs, quotes or half characters."""
    rows = traced(tmp_path / "trace.tsv", BPETrainer(9, min_frequency=1), {"\t\n": 2, "\ud800\\": 1})
    assert rows[1:] == [
        "0\t\\t\t\\n\t\\t\\n\t2\t2\t2\t2\t\\t\\n",
        "1\t\\ud800\t\\\\\t\\ud800\\\\\t1\t1\t1\t1\t\\ud800\\\\",
    ]
    assert {row.count("\t") for row in rows} == {len(COLUMNS) - 1}


def test_a_trace_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="it cannot be written"):
        MergeTrace(tmp_path / "none" / "trace.tsv")
