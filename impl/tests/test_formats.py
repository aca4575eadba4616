"""Files are read as they are, or refused with a reason; and they are written as a whole, or not at all."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldpiece.errors import FileError, GoldpieceError
from goldpiece.formats import vocab_txt
from goldpiece.formats.fingerprint import fingerprint
from goldpiece.reference.persistence import NotBase64, Persistence

# Bytes that mean something in the format, so that more than noise is tried.
PARTS = st.sampled_from([b"\n", b"\r\n", b"\r", b"\xef\xbb\xbf", b"a", b" ", b"\xe2\x80\xa8", b"\xc2\x85", b"\xff"])
CONTENTS = st.one_of(st.binary(max_size=50), st.lists(PARTS, max_size=12).map(b"".join))


@given(CONTENTS, st.booleans())
def test_any_bytes_are_read_or_refused(content: bytes, strict: bool) -> None:
    try:
        tokens = vocab_txt.parse(content, strict)
    except GoldpieceError:
        return
    assert "\n" not in "".join(tokens)
    assert set(vocab_txt.look_up(tokens)) == set(tokens) - {""}


@given(st.lists(st.text(st.characters(), max_size=5), max_size=5))
def test_any_tokens_are_written_or_refused(tokens: list[str]) -> None:
    try:
        content = vocab_txt.render(tokens)
    except vocab_txt.TokenNotWritable:
        return
    assert vocab_txt.parse(content) == tokens


@given(CONTENTS)
def test_what_is_strictly_read_is_written_alike(content: bytes) -> None:
    """But for the tokens that end in a carriage return, which no line end of ours leaves to them."""
    try:
        tokens = vocab_txt.parse(content)
        again = vocab_txt.render(tokens)
    except GoldpieceError:
        return
    assert vocab_txt.parse(again) == tokens


@pytest.mark.parametrize(
    ("content", "kind", "message"),
    [
        (b"a\n\nb\n", vocab_txt.BlankLine, "v.txt:2: the line is blank. Take the line out, which makes each later id"),
        (b"a\nb\r\na\n", vocab_txt.DuplicateToken, "v.txt:3: 'a' stands in line 1 already. Give one of them another"),
        (b"a\nb\xff\n", vocab_txt.NotUtf8, "v.txt:2: byte 3 of the file, 0xff, is not UTF-8. Save the file as UTF-8"),
        (b"\xef\xbb\xbfa\n\xe4\xb8", vocab_txt.NotUtf8, "v.txt:2: byte 5 of the file, 0xe4, is not UTF-8"),
    ],
)
def test_a_fault_is_named_with_its_line(content: bytes, kind: type[FileError], message: str) -> None:
    with pytest.raises(kind) as caught:
        vocab_txt.parse(content, name="v.txt")
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("tokens", "message"),
    [
        (["a", ""], "the token of id 1, '', is empty, and would be a blank line: give it a name"),
        (["a\nb"], r"the token of id 0, 'a\nb', holds a line feed, and would be two lines: spell it in another way"),
        (["a", "b\r"], r"the token of id 1, 'b\r', ends in a carriage return, which would belong to the line end: "),
        (["\ufeffa"], r"the token of id 0, '\ufeffa', begins with U+FEFF, which would be a byte order mark"),
        (["a", "b", "a"], "the token of id 2, 'a', is that of id 0 too: give one of them another name"),
        (["a", "\ud800"], r"the token of id 1, '\ud800', holds a lone surrogate, U+D800, which UTF-8 has no bytes for"),
    ],
)
def test_a_token_that_cannot_be_written_is_named_with_its_id(tokens: list[str], message: str, tmp_path: Path) -> None:
    with pytest.raises(vocab_txt.TokenNotWritable) as caught:
        vocab_txt.write(tmp_path / "vocab.txt", tokens)
    assert str(caught.value).startswith(message)
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_written_and_read(tmp_path: Path) -> None:
    path, tokens = (
        tmp_path / "vocab.txt",
        ["[PAD]", "a ", "\u2028", "\u0085", "\x0b", "a\ufeff", "\U0001f600", "e\u0301"],
    )
    vocab_txt.write(path, ["an", "older", "file"])
    vocab_txt.write(str(path), tokens)
    assert vocab_txt.read(str(path)) == tokens
    assert path.read_bytes() == "".join(f"{token}\n" for token in tokens).encode()
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_is_faulty_is_named(tmp_path: Path) -> None:
    path = tmp_path / "vocab.txt"
    path.write_bytes(b"a\r\n\r\na\r\n")
    with pytest.raises(vocab_txt.BlankLine) as caught:
        vocab_txt.read(path)
    assert (caught.value.path, caught.value.line) == (path, 2)
    assert vocab_txt.read(path, strict=False) == ["a", "", "a"]
    assert vocab_txt.look_up(["a", "", "a"]) == {"a": 2}


@pytest.mark.parametrize("name", ["missing.txt", ".", "nul\0.txt", "n" * 300, "circle"])
def test_a_file_that_cannot_be_read(name: str, tmp_path: Path) -> None:
    (tmp_path / "circle").symlink_to(tmp_path / "circle")
    with pytest.raises(FileError, match=r"it cannot be read \(.+\)\. Give the path of a vocabulary"):
        vocab_txt.read(tmp_path / name)


@pytest.mark.parametrize("name", ["missing/vocab.txt", "folder", "file/vocab.txt", "n" * 300, "nul\0.txt", "circle"])
def test_a_file_that_cannot_be_written(name: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    (tmp_path / "circle").symlink_to(tmp_path / "circle")
    with pytest.raises(FileError, match=r"it cannot be written \(.+\)\. Give the path of a file"):
        vocab_txt.write(tmp_path / name, ["a"])
    assert {path.name for path in tmp_path.iterdir()} == {"folder", "file", "circle"}


POSIX = pytest.mark.skipif(os.name != "posix", reason="not run: it needs POSIX")


@POSIX
def test_what_is_no_file_is_not_replaced(tmp_path: Path) -> None:
    """Whoever may replace /dev/null, does so, if nobody looks."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, Path(os.devnull)):
        with pytest.raises(FileError, match="it cannot be written \\(it is no file\\)"):
            vocab_txt.write(path, ["a"])
        assert not path.is_file()
    assert list(tmp_path.iterdir()) == [pipe]


def test_a_device_without_end_is_not_read_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vocab_txt, "LARGEST", 10**6)
    with pytest.raises(FileError, match=r"/dev/zero: it holds more than 1,000,000 bytes\. Split it"):
        vocab_txt.read("/dev/zero")


@POSIX
def test_permissions_stay(tmp_path: Path) -> None:
    path = tmp_path / "vocab.txt"
    path.touch()
    for mode in (0o600, 0o644, 0o664):
        path.chmod(mode)
        vocab_txt.write(path, ["a"])
        assert path.stat().st_mode & 0o777 == mode


def test_a_name_may_be_as_long_as_the_system_allows(tmp_path: Path) -> None:
    path = tmp_path / ("n" * 255)
    vocab_txt.write(path, ["a"])
    assert vocab_txt.read(path) == ["a"]


@POSIX
def test_a_full_disk_and_a_folder_that_is_closed_leave_the_old_file(tmp_path: Path) -> None:
    """For real, in a process that may write 100 bytes a file, and then only what its user may."""
    path = tmp_path / "vocab.txt"
    vocab_txt.write(path, ["old"])
    script = f"""
import os, pathlib, resource
from goldpiece.errors import FileError
from goldpiece.formats import vocab_txt
def refused():
    try:
        vocab_txt.write({str(path)!r}, [str(number) for number in range(1000)])
    except FileError as error:
        print(error)
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
refused()
pathlib.Path({str(tmp_path)!r}).chmod(0o500)
if os.geteuid() == 0:
    os.seteuid(65534)
refused()
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    tmp_path.chmod(0o700)
    assert [re.search(r"\((.+?)\)", line)[1] for line in done.stdout.splitlines()] == [  # type: ignore[index]
        "File too large",
        "Permission denied",
    ], done.stderr
    assert vocab_txt.read(path) == ["old"]
    assert list(tmp_path.iterdir()) == [path]


def _full(*_: object) -> None:
    raise OSError(28, "No space left on device")


def _interrupted(*_: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize("where", [(os, "fsync"), (Path, "replace")], ids=["while writing", "while replacing"])
@pytest.mark.parametrize(("failure", "raised"), [(_full, FileError), (_interrupted, KeyboardInterrupt)])
def test_a_failing_write_leaves_the_old_file(
    where: tuple[object, str],
    failure: Callable[..., None],
    raised: type[BaseException],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = tmp_path / "vocab.txt"
    vocab_txt.write(path, ["old"])
    with monkeypatch.context() as patch:
        patch.setattr(*where, failure)
        with pytest.raises(raised):
            vocab_txt.write(path, ["new", "er"])
    assert vocab_txt.read(path) == ["old"]
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_goes_on_pointing(tmp_path: Path) -> None:
    target, link = tmp_path / "vocab-1.txt", tmp_path / "vocab.txt"
    target.touch()
    link.symlink_to(target)
    vocab_txt.write(link, ["a"])
    assert link.is_symlink()
    assert vocab_txt.read(target) == ["a"]


def test_a_fingerprint_names_the_token_that_it_refuses() -> None:
    with pytest.raises(vocab_txt.TokenNotWritable, match="the token of id 1, "):
        fingerprint(["a", "\ud800"])


@pytest.mark.parametrize("content", ["***", "YQ", "\u00e9", "YQ==\n"])
def test_a_content_that_is_no_base64_is_refused(content: str) -> None:
    with pytest.raises(NotBase64, match=r"the content .+ is not base64 \(.+\): encode the bytes of the file"):
        Persistence().read_vocab(content)
