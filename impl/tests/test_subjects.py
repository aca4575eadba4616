"""How the name of a subject becomes a subject, and what is said where it cannot."""

import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from goldpiece.errors import UsageError
from goldpiece.suite.loader import load_specs
from goldpiece.suite.subject import Unsupported
from goldpiece.suite.subjects import COLLATORS, RECORDED, RIVAL_TRAINERS, RIVALS, batches, in_this_process
from goldpiece.suite.subjects import transformers_collator as collator
from goldpiece.suite.subjects.objects import describe, error_name
from goldpiece.suite.subjects.peer_libraries import LIBRARIES
from goldpiece.suite.subjects.rival_trainers import FACTORIES

from .conftest import SUBJECTS, Goldpiece


@pytest.fixture(autouse=True)
def _in_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(SUBJECTS))


def test_what_is_known_by_name_is_made_somewhere() -> None:
    assert tuple(LIBRARIES) == RIVALS
    assert tuple(FACTORIES) == RIVAL_TRAINERS
    assert (batches.KIND, tuple(collator.PATHS)) == (RECORDED, COLLATORS)


def test_a_process_that_answers_for_a_subject_imports_no_other() -> None:
    """What it needs not delays each start: NumPy and the reference most of all."""
    ask = "import goldpiece.suite.subjects.serve, sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True)
    assert not {"numpy", "jsonschema", "goldpiece.reference", "goldpiece.fast", "pytest"} & set(done.stdout.split())


@pytest.mark.parametrize(
    ("name", "components"),
    [
        ("reference", {spec.name for spec in load_specs()}),
        ("tiny:Right", {"wordpiece"}),
        ("tiny:Right,prefix=@@", {"wordpiece"}),
        ("tiny:tokenize", {"wordpiece"}),
        ("tiny:normalize", {"normalizer"}),
        ("tiny:ready", {"normalizer"}),
        ("tiny:both", {"normalizer", "wordpiece"}),
        ("tiny:Namespace.wordpiece", {"wordpiece"}),
    ],
)
def test_found(name: str, components: set[str]) -> None:
    assert set(in_this_process(name, load_specs()).declaration.components) == components


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nothing", "there is no subject 'nothing'; there are reference, fast, "),
        ("nowhere:x", "there is no module 'nowhere', neither installed nor in "),
        ("tiny:Missing", "tiny has no 'Missing'; it has Aborts, "),
        ("tiny:Right,prefix", "'prefix' in 'tiny:Right,prefix' is no key=value"),
        ("tiny:Right,colour=red", "Right does not take colour"),
        ("tiny:normalize,colour=red", "normalize does not take colour"),
        ("tiny:Right,profile=nothing", "Right does not take profile"),
        ("goldpiece.reference.normalizer:Normalizer,profile=gogle", "there is no profile 'gogle'"),
        ("leaves:x", "importing leaves failed: SystemExit"),
        ("tiny:ready,lowercase=false", "lowercase: a ready object takes no keywords; name its class instead"),
        ("tiny:__version__", "it has no method tokenize(word)"),
        ("lacking:NoSignature", "wordpiece: it cannot be looked at: ValueError: no signature found"),
        ("lacking:raising", "normalizer: it cannot be looked at: LookupError: not today"),
        ("json:dumps", "a function stands for it only if it is called normalize"),
        ("tiny:NoSuchForm", "round_trip = 'NFX': there is no such form; there are exact, NFC, NFD, NFKC, NFKD"),
        ("tiny:ListsOutputs", 'outputs = ["ids"]: give a mapping, as {"encode": ["ids", "offsets"]}'),
        ("broken:x", "importing broken failed: ZeroDivisionError"),
    ],
)
def test_not_found(name: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        in_this_process(name, load_specs())
    assert message in str(caught.value)


def test_a_package_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    module = import_module("goldpiece.suite.subjects.transformers_collator")
    monkeypatch.setattr(module, "find_spec", lambda _: None)
    with pytest.raises(UsageError, match="needs the package transformers, which is not installed: run `pip install"):
        in_this_process("transformers-collator:torch", load_specs())


def test_a_class_without_a_required_parameter_is_told_so() -> None:
    with pytest.raises(UsageError, match="wordpiece: it does not take vocab"):
        in_this_process("lacking:NoVocabulary", load_specs())


def test_keywords_reach_the_constructor(goldpiece: Goldpiece) -> None:
    done = goldpiece("check", "tiny:Deaf,threshold=3", "--clause", "wordpiece.longest-match")
    assert done.returncode == 1, done.stdout
    done = goldpiece("check", "tiny:Deaf,threshold=1000", "--clause", "wordpiece.longest-match")
    assert done.returncode == 0, done.stdout


def test_a_parameter_that_a_keyword_fixes_is_not_asked_for_otherwise(goldpiece: Goldpiece, tmp_path: Path) -> None:
    done = goldpiece("check", "tiny:Right,prefix=@@", "--spec", "wordpiece", "--json", "out.json")
    assert done.returncode == 0, done.stdout
    clauses = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))["clauses"]
    laws = {
        check["name"]: check["verdict"] for clause in clauses for check in clause["checks"] if "law" in check["name"]
    }
    assert laws["law longest_match"] == laws["law prefix_parameter"] == laws["law pure"] == "holds"
    assert laws["law all_or_unknown"] == "unsupported"
    assert 'the subject does not take prefix = "##"' in " ".join(done.stdout.split())


def test_a_profile_that_a_keyword_fixes_is_what_the_subject_is_held_to(goldpiece: Goldpiece) -> None:
    subject = "goldpiece.reference.normalizer:Normalizer,profile=google"
    fixed = goldpiece("check", subject, "--clause", "normalizer.final-sigma")
    assert fixed.returncode == 0
    assert " google " in fixed.stdout
    other = goldpiece("check", subject, "--clause", "normalizer.final-sigma", "--profile", "hf")
    assert "the subject does not take the profile hf" in " ".join(other.stdout.split())


def test_the_component_can_be_said() -> None:
    """A method called tokenize may be that of another component."""
    found = in_this_process("goldpiece.reference.wordpiece:WordPiece,component=wordpiece", load_specs())
    assert set(found.declaration.components) == {"wordpiece"}
    with pytest.raises(UsageError, match="normalizer: it has no method normalize"):
        in_this_process("goldpiece.reference.wordpiece:WordPiece,component=normalizer", load_specs())


def test_a_message_is_cut_and_shown_as_it_is() -> None:
    assert describe(ValueError("\x1b[31m" + "x" * 1000)) == "ValueError: \\u001B[31m" + "x" * 295 + "…"


def test_a_version_is_reported(goldpiece: Goldpiece, tmp_path: Path) -> None:
    goldpiece("check", "tiny:Right", "--clause", "wordpiece.pure", "--json", "out.json")
    report = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert (report["subject"], report["version"]) == ("tiny:Right", "1.2.3")


def test_a_module_in_the_current_folder_is_found(goldpiece: Goldpiece, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def normalize(text):\n    return text.lower()\n", encoding="utf-8")
    done = goldpiece("check", "mine:normalize", "--clause", "normalizer.deletes")
    assert done.returncode == 1
    assert "U+0000" in done.stdout


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("UnknownTokenMissing", "unknown-token-missing"),
        ("UnknownTokenMissingError", "unknown-token-missing"),
        ("KeyError", "key"),
    ],
)
def test_error_name(name: str, error: str) -> None:
    assert error_name(type(name, (Exception,), {})) == error


def test_an_error_that_the_spec_names_may_be_raised_while_it_is_built() -> None:
    """It is the answer to whatever is asked; where that operation has no such error, it is a failure."""
    subject = in_this_process("reference", load_specs())
    handle = subject.new("masking", {"vocab": ["[MASK]", "a"], "rate": 15.0})
    given = {"ids": [[1]], "word_ids": None, "attention_mask": None, "indexes": None, "epoch": 0}
    assert subject.call(handle, "mask", [given, given]) == [{"error": "rate-out-of-range"}] * 2
    [answer] = subject.call(handle, "leak", [{"labels": [], "spans": []}])
    assert answer["failed"].startswith("building it raised RateOutOfRange: rate is 15.0")
    subject.free(handle)
    with pytest.raises(TypeError):
        subject.new("masking", {"vocab": 3})


def test_an_instance_that_is_let_go_is_gone() -> None:
    subject = in_this_process("reference", load_specs())
    handle = subject.new("wordpiece", {"vocab": ["a"]})
    subject.free(handle)
    with pytest.raises(KeyError):
        subject.call(handle, "tokenize", [{"word": "a"}])


def test_a_batch_survives_a_failing_input() -> None:
    subject = in_this_process("reference", load_specs())
    handle = subject.new("wordpiece", {"vocab": ["a"]})
    answers = subject.call(handle, "tokenize", [{"word": "a"}, {"word": "b"}, {"word": "a"}])
    assert answers == [{"output": {"pieces": ["a"]}}, {"error": "unknown-token-missing"}, {"output": {"pieces": ["a"]}}]


def test_not_implemented_means_unsupported() -> None:
    subject = in_this_process("lacking:NotYet", load_specs())
    with pytest.raises(Unsupported, match="anything but the default"):
        subject.new("normalizer", {"lowercase": False})
