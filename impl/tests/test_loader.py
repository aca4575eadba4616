"""Reading specs: each thing that can be wrong is one line that names the file, the line and the remedy."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldpiece.errors import FileError
from goldpiece.suite.loader import load_spec, load_specs

GOOD = """\
spec: toy
version: 1.0.0
title: Toy
summary: Doubles a word.
reference: Toy
sources: {here: decided here}
profiles: {plain: As it is., loud: In capitals.}
parameters:
  times: {type: integer, minimum: 1, default: 2, says: how often}
  stop: {type: list of token, default: [], says: words to leave alone}
operations:
  double: {says: The word twice., input: {word: token}, output: {words: list of token}, errors: {too-long: It is.}}
clauses:
  - id: toy.doubles
    level: must
    says: It doubles.
    source: here
    examples:
      - {given: {word: a}, expect: {words: [a, a]}}
      - {given: {word: {repeat: a, times: 3}, times: 1}, expect: {words: [aaa]}, profile: loud}
      - {given: {word: b}, expect: {error: too-long}}
tables:
  vowels: {says: They are., plain: U+0061 U+0065-U+0067}
errata:
  - {source: a page, says: It triples., right: It doubles., why: Two is not three.}
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "toy.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_good_spec(tmp_path: Path) -> None:
    spec = load_spec(write(tmp_path, GOOD))
    clause = spec.clauses[0]
    assert (spec.name, spec.version, clause.id, clause.line) == ("toy", "1.0.0", "toy.doubles", 14)
    assert clause.rows == ("plain", "loud")
    assert [example.profile for example in clause.examples] == [None, "loud", None]
    assert clause.examples[1].input == {"word": "aaa"}
    assert clause.examples[1].config == {"times": 1}
    assert clause.examples[2].error == "too-long"
    assert spec.table("vowels", "plain") == (0x61, 0x65, 0x66, 0x67)
    assert spec.table("vowels", "loud") == ()


@pytest.mark.parametrize(
    ("written", "instead", "line", "problem"),
    [
        ("word: a}", "word: no}", 19, "YAML reads `no` as False, where text is wanted. Put it in quotes"),
        ("word: a}", "word: 12:30}", 19, "YAML reads `12:30` as 750, where text is wanted. Put it in quotes"),
        ("word: a}", "word: ~}", 19, "YAML reads `~` as None, where text is wanted. Put it in quotes"),
        ("[a, a]", "[a, on]", 19, "YAML reads `on` as True, where text is wanted. Put it in quotes"),
        (
            "title: Toy",
            "title: 2001-01-01",
            3,
            "YAML reads `2001-01-01` as datetime.date(2001, 1, 1), where text is wanted",
        ),
        ("version: 1.0.0", "version: 1.0", 2, "YAML reads `1.0` as 1.0, where text is wanted. Put it in quotes"),
        ("times: 1}", "times: one}", 20, '"one" is text, and not integer'),
        ("times: 1}", "times: 0}", 20, "times is 0. It is 1 at least"),
        ("times: 1}", "times: true}", 20, "true is a boolean, and not integer"),
        ("{words: [a, a]}", "{words: a}", 19, '"a" is text, and not list of token'),
        ("{words: [a, a]}", "{pieces: [a, a]}", 19, "'pieces' is not an output of double. There are words"),
        ("{given: {word: a}, ", "{given: {wrod: a}, ", 19, "'wrod' is not a parameter or an input of double"),
        ("{given: {word: a}, ", "{given: {}, ", 19, "the input 'word' is missing. Give word"),
        ("{word: a}, ", "{word: a, stop: [x, x]}, ", 19, "the entry 'x' stands twice. Keep one of them"),
        ("error: too-long", "error: too-short", 21, "there is no error 'too-short'. There are too-long"),
        ("profile: loud", "profile: quiet", 20, "there is no profile 'quiet'. There are plain, loud"),
        ("source: here", "source: there", 17, "there is no source 'there'. There are here"),
        ("id: toy.doubles", "id: tot.doubles", 14, "the id 'tot.doubles' is of another spec. Begin it with toy."),
        ("spec: toy", "spec: tot", 1, "the spec is called 'tot'. Call it 'toy', as the file is"),
        ("level: must", "level: shall", 15, "'shall' is not one of ['must', 'should', 'option']"),
        ("says: It doubles.", "says: It doubles", 16, "'It doubles' does not match"),
        ("level: must", "level: must\n    level: must", 16, "the key 'level' stands twice. Keep one of them"),
        (
            "word: a}",
            f"word: 1{':0' * 200}}}",
            19,
            "YAML reads `1:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:…` as a number",
        ),
        ("word: a}", f"word: 1{':0' * 200}.0}}", 19, "YAML reads `1:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:…` as a num"),
        ("default: 2", f"default: 0x{'f' * 4_000}", 9, "of over 40 characters. Put it in quotes"),
        ("word: a}", 'word: "\\UFFFFFFFF"}', 19, "it names what does not exist: "),
        ("word: a}", 'word: "\\U00110000"}', 19, "it names what does not exist: "),
        ("word: a}", "word: =}", 19, "YAML keeps `=` to itself. Put it in quotes"),
        ("times: 1}", "<<: {times: 1}}", 20, "YAML keeps `<<` to itself. Put it in quotes"),
        ("default: []", "default: !!set {a}", 10, "it uses a tag (tag:yaml.org,2002:set). Write the value without it"),
        ("[a, a]", "!!python/object/apply:os.getcwd []", 19, "it uses a tag (tag:yaml.org,2002:python/object/apply:os"),
        ("title: Toy", "title: Toy\n? [a, b]\n: c", 4, "a key is a list or a mapping. Write a text for it"),
        ("type: list of token", f"type: {'optional ' * 9}token", 10, "does not match"),
        ("source: here", "source: here\n    profiles: [loud, loud]", 18, "the entry 'loud' stands twice"),
        ("U+0061 U", "U+0000-U+10FFFF U", 23, "the tables hold over 1,114,112 code points together"),
        (
            "times: 3}, times: 1}",
            "times: 49999998}, stop: [{repeat: ab, times: 2}]}",
            20,
            "the repetitions up to here make",
        ),
        ("level: must", "on: must", 15, "YAML reads the key `on` as True. Put it in quotes"),
        ("title: Toy", "title: &name Toy\nother: *name", 4, "it uses an alias (*name). Write the value out"),
        ("title: Toy", "title: [", 5, "it is not YAML: "),
        ("title: Toy", "title: 2026-02-30", 3, "`2026-02-30` is a value that does not exist: day"),
        ("title: Toy", "colour: red\ntitle: Toy", 1, "Additional properties are not allowed ('colour' was unexpected)"),
        ("U+0061", "0061", 23, "does not match"),
        ("U+0065-U+0067", "U+0067-U+0065", 23, "there are no code points U+0067-U+0065"),
        ("U+0065-U+0067", "U+0065-U+110000", 23, "there are no code points U+0065-U+110000"),
        ("times: 3}", "times: -3}", 20, "and not token"),
        ("times: 3}", "times: 99999999999}", 20, "the repetitions up to here make more than 50,000,000 characters"),
        ("error: too-long}", "error: too-long, words: []}", 21, "an error has a name, and no outputs"),
        ("error: too-long", "error: [too-long]", 21, "an error has a name, and no outputs"),
        ("minimum: 1", "minimum: 3", 9, "the default 2 is below the minimum"),
        ("default: 2", "default: two", 9, '"two" is text, and not integer'),
        (
            "errors: {too-long",
            "may_lack: [words], errors: {too-long",
            12,
            "double may lack words, of its outputs words",
        ),
        (
            "default: 2",
            "default: 2, may_be_fixed: true",
            9,
            "has a default, and may be fixed anyway. Leave may_be_fixed out",
        ),
    ],
)
def test_a_bad_spec(tmp_path: Path, written: str, instead: str, line: int | None, problem: str) -> None:
    assert written in GOOD
    path = write(tmp_path, GOOD.replace(written, instead, 1))
    with pytest.raises(FileError) as caught:
        load_spec(path)
    assert str(caught.value).startswith(f"{path}:{line}: " if line else f"{path}: ")
    assert problem in str(caught.value)


def test_a_missing_file_and_bad_bytes(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot be read"):
        load_spec(tmp_path / "none.yaml")
    path = tmp_path / "toy.yaml"
    path.write_bytes(b"spec: toy\xff")
    with pytest.raises(FileError, match="byte 9 is not UTF-8"):
        load_spec(path)


@given(at=st.integers(0, len(GOOD) - 1), junk=st.text(max_size=5))
def test_whatever_a_file_holds_it_is_a_spec_or_a_file_error(
    tmp_path_factory: pytest.TempPathFactory, at: int, junk: str
) -> None:
    path = tmp_path_factory.getbasetemp() / "toy.yaml"
    path.write_bytes((GOOD[:at] + junk + GOOD[at + 1 :]).encode("utf-8", "surrogatepass"))
    try:
        spec = load_spec(path)
    except FileError:
        return
    assert spec.name == "toy"


def test_a_path_with_a_nul_is_a_file_error() -> None:
    with pytest.raises(FileError, match="it cannot be read"):
        load_spec(Path("toy\0.yaml"))


@pytest.mark.parametrize("nested", [1, 100, 3_000, 100_000])
def test_deep_nesting_is_a_file_error(tmp_path: Path, nested: int) -> None:
    path = write(tmp_path, "[" * nested + "]" * nested)
    with pytest.raises(FileError):
        load_spec(path)


def test_our_own_specs_say_what_they_differ_in() -> None:
    tables = load_specs().named("normalizer").tables
    ideographs = tables["ideographs"]
    only_google = set(ideographs["google"]) - set(ideographs["hf"])
    assert only_google == set(range(0x2B820, 0x2B920))
    assert len(tables["controls-kept"]["hf"]) == 13
    assert len(tables["marks-kept"]["hf"]) == 384
    assert len(tables["newer-capitals"]["hf"]) == len(tables["newer-small"]["hf"]) == 55
