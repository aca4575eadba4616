"""Subjects in processes of their own: whatever they do there becomes a verdict with the input that did it."""

import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from goldpiece.errors import UsageError
from goldpiece.suite.checks import checks_of
from goldpiece.suite.loader import load_specs
from goldpiece.suite.protocol import protocol
from goldpiece.suite.rooms import room
from goldpiece.suite.spec import Depth
from goldpiece.suite.subjects import child, find_subject, process
from goldpiece.suite.subjects.child import ChildSubject
from goldpiece.suite.verdict import Outcome, Verdict

from .conftest import SUBJECTS, Goldpiece

SPECS = load_specs()
STARTERS = Path(child.__file__).parent / "starters"


def misbehaving(how: str) -> ChildSubject:
    """Such a subject. Where no answer comes, it is not waited for; elsewhere other programs may hold one up."""
    never_answers = how.startswith(("hangs", "floods", "stops reading"))
    command = [sys.executable, "-S", str(SUBJECTS / "misbehaves.py"), how]
    return ChildSubject(f"exec:{how}", command, SPECS, timeout=1.0 if never_answers else 20.0)


@pytest.fixture
def subject(request: pytest.FixtureRequest) -> Iterator[ChildSubject]:
    found = misbehaving(request.param)
    yield found
    found.restart()


def run(subject: ChildSubject, clause: str, name: str) -> Outcome:
    check = next(check for check in checks_of(SPECS, clause) if check.name == name)
    return check.run(subject, SPECS, Depth.QUICK, 0)


@pytest.mark.parametrize(
    ("subject", "reason"),
    [
        ("crashes", "it crashed (SIGABRT)"),
        ("exits", "it exited with status 7: no such luck"),
        ("hangs", "it gave no answer in 1 s"),
        ("floods", "it gave no answer in 1 s"),
        ("babbles", 'it wrote "let me think", which is no answer'),
        ("answers twice", "it answered question 0, and was asked"),
    ],
    indirect=["subject"],
)
def test_a_law_finds_the_smallest_input_that_does_it(
    subject: ChildSubject, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(child, "PATIENCE", 4.0)
    outcome = run(subject, "wordpiece.all-or-unknown", "law all_or_unknown")
    assert outcome.verdict is Verdict.ERRORS
    assert outcome.reason
    assert outcome.reason.startswith(reason)
    assert outcome.counterexample
    word = str(outcome.counterexample.given[-1]["input"])
    assert "ab" in word or "e" in word


@pytest.mark.parametrize("subject", ["nothing", "crashes", "hangs"], indirect=True)
def test_the_run_goes_on_afterwards(subject: ChildSubject) -> None:
    first = run(subject, "wordpiece.longest-match", "example 1")
    assert first.verdict is (Verdict.HOLDS if subject.name == "exec:nothing" else Verdict.ERRORS)
    assert run(subject, "wordpiece.vocabulary-order", "law vocabulary_order").verdict is Verdict.HOLDS


@pytest.mark.parametrize("subject", ["hangs"], indirect=True)
def test_hangs_take_no_more_time_than_they_are_given(subject: ChildSubject, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child, "PATIENCE", 1.5)
    started = time.monotonic()
    outcomes = [run(subject, "wordpiece.all-or-unknown", "law all_or_unknown") for _ in range(3)]
    assert time.monotonic() - started < 30
    assert outcomes[0].verdict is Verdict.ERRORS
    assert outcomes[-1].verdict is Verdict.NOT_RUN
    assert "1.5 s went to calls" in str(outcomes[-1].reason)


def test_a_subject_that_takes_all_memory_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    if not Path("/proc/self/statm").exists():
        pytest.skip("not run: the memory of a process is read from /proc")
    monkeypatch.setattr(process, "MOST_MEMORY", 2**28)
    subject = misbehaving("devours")
    outcome = run(subject, "wordpiece.longest-match", "example 1")
    assert outcome.verdict is Verdict.ERRORS
    assert "of memory" in str(outcome.reason)


@pytest.mark.parametrize("subject", ["floods"], indirect=True)
def test_an_answer_without_an_end_is_cut_off(subject: ChildSubject, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "LONGEST_LINE", 2**22)
    outcome = run(subject, "wordpiece.longest-match", "example 1")
    assert outcome.reason == "it wrote over 4 MiB without an end"


@pytest.mark.parametrize("subject", ["stops reading"], indirect=True)
def test_a_subject_that_stops_reading_blocks_nobody(subject: ChildSubject) -> None:
    started = time.monotonic()
    handle = subject.new("wordpiece", {"vocab": ["a"]})
    with pytest.raises(process.Hang, match="had not read all of the question"):
        subject.call(handle, "tokenize", [{"word": "a" * 1_000_000}])
    assert time.monotonic() - started < 20


@pytest.mark.parametrize("subject", ["tires"], indirect=True)
def test_a_fault_that_a_fresh_process_has_not_depends_on_earlier_calls(subject: ChildSubject) -> None:
    clauses = ["wordpiece.longest-match", "wordpiece.all-or-unknown", "wordpiece.spells-the-word"] * 4
    laws = [(clause, f"law {clause.partition('.')[2].replace('-', '_')}") for clause in clauses]
    outcomes = (run(subject, *law) for law in laws)
    failed = next(outcome for outcome in outcomes if outcome.verdict is Verdict.FAILS)
    assert failed.counterexample
    assert "depends on earlier calls" in failed.counterexample.note


@pytest.mark.parametrize("subject", ["crashes when freed", "hangs when freed"], indirect=True)
def test_a_subject_that_breaks_when_nothing_depends_on_it_is_started_anew(subject: ChildSubject) -> None:
    """Letting an instance go is no part of any example: it must not take the run along."""
    outcomes = [run(subject, "wordpiece.longest-match", f"example {number}") for number in (1, 2)]
    assert [outcome.verdict for outcome in outcomes] == [Verdict.HOLDS, Verdict.HOLDS]


@pytest.mark.parametrize("subject", ["errs at the end"], indirect=True)
def test_a_fault_at_the_end_of_a_batch_is_found(subject: ChildSubject) -> None:
    outcome = run(subject, "wordpiece.pure", "law pure")
    assert outcome.verdict is Verdict.FAILS
    assert outcome.counterexample
    assert "given together" in outcome.counterexample.note


@pytest.mark.parametrize("subject", ["crashes"], indirect=True)
def test_of_a_batch_the_input_that_did_it_is_found(subject: ChildSubject) -> None:
    handle = subject.new("wordpiece", {"vocab": ["[UNK]", "a"]})
    answers = subject.call(handle, "tokenize", [{"word": word} for word in ("a", "x", "ab", "a")])
    assert answers[:2] == [{"output": {"pieces": ["a"]}}, {"output": {"pieces": ["[UNK]"]}}]
    assert answers[2] == {"failed": "it crashed (SIGABRT)"}


@pytest.mark.parametrize(
    ("how", "problem"),
    [
        ("lies", r"its operations of wordpiece are \['tokenise'\]"),
        ("hangs at once", "it gave no answer"),
        ("tells nothing", "of wordpiece it does not tell pieces of tokenize, which laws cannot do without"),
        ("tells too much", "of wordpiece it tells pieces of splits, which the spec does not know"),
        ("lists no outputs", r"its outputs of wordpiece are \['pieces'\]: lists of outputs by operation"),
        ("turns text round", "its handshake names the round trip 'backwards'; there are exact, NFC, NFD, NFKC, NFKD"),
    ],
)
def test_a_handshake_that_cannot_be_true_is_refused(how: str, problem: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child, "START", 1.0)
    with pytest.raises(UsageError, match=f"the adapter is broken: exec:{how}: {problem}"):
        misbehaving(how)


def test_an_adapter_that_never_works_is_said_to_be_broken_once(goldpiece: Goldpiece) -> None:
    command = f"exec:{sys.executable} {SUBJECTS / 'misbehaves.py'} raises"
    done = goldpiece("check", command)
    assert done.returncode == 2
    assert done.stderr.count("the adapter is broken") == 1
    assert "nothing works" in done.stderr


@pytest.mark.parametrize("command", ["exec:", "exec:no-such-program --x", "exec:'"])
def test_a_command_that_is_none_is_named(command: str) -> None:
    with pytest.raises(UsageError, match="exec:"):
        find_subject(command, SPECS)


@pytest.mark.parametrize(("program", "starter"), [("node", "subject.js"), (sys.executable, "subject.py")])
def test_the_starters_hold(goldpiece: Goldpiece, program: str, starter: str) -> None:
    if shutil.which(program) is None:
        pytest.skip(f"not run: {program} is not installed")
    done = goldpiece("check", f"exec:{program} {STARTERS / starter}", "--spec", "wordpiece")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "12 holds · 1 unsupported" in done.stdout


def test_a_starter_is_written_and_nothing_is_written_over(goldpiece: Goldpiece, tmp_path: Path) -> None:
    assert "goldpiece check exec:'node subject.js'" in goldpiece("subject", "new", "--lang", "javascript").stdout
    assert (tmp_path / "subject.js").read_bytes() == (STARTERS / "subject.js").read_bytes()
    again = goldpiece("subject", "new", "--lang", "javascript")
    assert again.returncode == 2
    assert "subject.js is there already" in again.stderr


def test_the_page_about_the_protocol_is_that_of_the_specs() -> None:
    assert (room("spec") / "PROTOCOL.md").read_text(encoding="utf-8") == protocol(SPECS)


def test_what_a_python_subject_prints_is_no_answer(goldpiece: Goldpiece) -> None:
    done = goldpiece("check", "tiny:Prints", "--clause", "wordpiece.longest-match")
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_python_subject_that_crashes_does_not_take_the_run_along(goldpiece: Goldpiece) -> None:
    done = goldpiece("check", "tiny:Aborts", "--clause", "wordpiece.all-or-unknown")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "it crashed (SIGABRT)" in done.stdout
