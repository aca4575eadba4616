"""Subjects that are one ready tokenizer: laws that speak of any are put to it, and can fail; the others say why not."""

import json
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TypeAlias

import pytest

from goldpiece.errors import FileError, GoldpieceError, UsageError
from goldpiece.reference.tokenizer import Tokenizer
from goldpiece.suite.checks import all_checks, checks_of
from goldpiece.suite.loader import load_specs
from goldpiece.suite.spec import Depth
from goldpiece.suite.subjects import in_this_process
from goldpiece.suite.verdict import Verdict

from .conftest import SUBJECTS, Goldpiece

Files: TypeAlias = Callable[[str], Path]

# Each clause that speaks of any tokenizer, and a tokenizer that breaks it.
BROKEN = {
    "tokenizer.offsets-ascend": "CountsBytes",
    "tokenizer.one-length": "OneTypeTooFew",
    "tokenizer.attention-mask": "HidesTheEnd",
    "tokenizer.frame-only-adds": "LowercasesFramed",
    "tokenizer.ids-of-tokens": "LooksUpLowercased",
    "tokenizer.tokens-of-ids": "NamesEveryId",
    "tokenizer.vocabulary": "NamesTwoAlike",
    "tokenizer.any-ids": "DecodesNoRepetition",
    "tokenizer.special-tokens-in-text": "NeverParses",
    "tokenizer.plain-text": "AlwaysParses",
    "tokenizer.unknown-ids": "DropsUnknownIds",
    "tokenizer.batches": "StripsInBatches",
    "tokenizer.pure": "KeepsByEnd",
    "tokenizer.threads": "KeepsTheText",
    "tokenizer.saved": "ForgetsSpecialTokens",
}


@pytest.fixture(autouse=True)
def _in_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(SUBJECTS))


def verdicts(name: str) -> dict[str, set[Verdict]]:
    """What comes of the checks of each clause of the tokenizer."""
    specs = load_specs()
    subject = in_this_process(name, specs)
    found: dict[str, set[Verdict]] = {}
    for check in all_checks(specs):
        if check.spec.name == "tokenizer" and check.profile == "hf" and check.concerns(subject.declaration):
            outcome = check.run(subject, specs, Depth.QUICK, seed=0, shrink=False)
            found.setdefault(check.clause.id, set()).add(outcome.verdict)
            if outcome.verdict is Verdict.UNSUPPORTED and check.clause.law:
                reasons = ("any vocab but its own", "frames no text", "no lone surrogates", "encode_saved")
                assert any(reason in str(outcome.reason) for reason in reasons), outcome.reason
    return found


def holding(found: dict[str, set[Verdict]]) -> set[str]:
    return {clause for clause, verdicts in found.items() if verdicts == {Verdict.HOLDS}}


@pytest.fixture
def few_examples(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which clauses can speak of a tokenizer, and that they hold, is seen in fewer than to find a fault takes."""
    monkeypatch.setattr(Depth, "examples", 25)


@pytest.mark.usefixtures("few_examples")
@pytest.mark.parametrize("name", ["fixed:Right", "fixed:ready"])
def test_what_speaks_of_any_tokenizer_holds_of_a_right_one(name: str) -> None:
    """And for each of these clauses there is one that breaks it."""
    found = verdicts(name)
    assert holding(found) == BROKEN.keys()
    assert {clause for clause in found if found[clause] == {Verdict.UNSUPPORTED}} == found.keys() - BROKEN.keys()


@pytest.mark.parametrize(("clause", "name"), BROKEN.items())
def test_a_broken_one_is_found_out(clause: str, name: str) -> None:
    specs = load_specs()
    subject = in_this_process(f"fixed:{name}", specs)
    for seed in range(3):
        (outcome,) = (
            check.run(subject, specs, Depth.QUICK, seed, shrink=False)
            for check in checks_of(specs, clause)
            if check.kind == "law" and check.profile == "hf"
        )
        assert outcome.verdict is Verdict.FAILS, outcome.reason


@pytest.fixture
def files(tmp_path: Path) -> Files:
    """A tokenizer.json of each kind, as Hugging Face tokenizers writes it."""
    hf = pytest.importorskip("tokenizers", reason="not run: the extra `peers` is not installed")
    corpus = ["the quick brown fox", "a lazy dog jumps", "hello worlds", "Café 中文"] * 20

    def wordpiece() -> object:
        vocab = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"abcdefghij", *(f"##{char}" for char in "abcdefghij")]
        whole = hf.Tokenizer(hf.models.WordPiece({token: n for n, token in enumerate(vocab)}, unk_token=vocab[1]))
        whole.normalizer, whole.pre_tokenizer = hf.normalizers.BertNormalizer(), hf.pre_tokenizers.BertPreTokenizer()
        whole.add_special_tokens(vocab[:5])
        whole.post_processor = hf.processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
        whole.enable_truncation(4)
        whole.enable_padding(length=20)
        return whole

    def bpe() -> object:
        whole = hf.Tokenizer(hf.models.BPE())
        whole.pre_tokenizer, whole.decoder = hf.pre_tokenizers.ByteLevel(), hf.decoders.ByteLevel()
        whole.post_processor = hf.processors.ByteLevel(trim_offsets=True)
        alphabet = hf.pre_tokenizers.ByteLevel.alphabet()
        trainer = hf.trainers.BpeTrainer(vocab_size=300, initial_alphabet=alphabet, show_progress=False)
        whole.train_from_iterator(corpus, trainer)
        return whole

    def unigram() -> object:
        whole = hf.Tokenizer(hf.models.Unigram())
        whole.normalizer, whole.pre_tokenizer = hf.normalizers.NFKC(), hf.pre_tokenizers.Metaspace()
        special = ["<unk>", "<s>", "</s>"]
        trainer = hf.trainers.UnigramTrainer(
            vocab_size=60, special_tokens=special, unk_token=special[0], show_progress=False
        )
        whole.train_from_iterator(corpus, trainer)
        whole.post_processor = hf.processors.TemplateProcessing(
            single="<s> $A </s>", pair="<s> $A </s> $B </s>", special_tokens=[("<s>", 1), ("</s>", 2)]
        )
        return whole

    kinds: dict[str, Callable[[], object]] = {"wordpiece": wordpiece, "bpe": bpe, "unigram": unigram}

    def make(kind: str) -> Path:
        path = tmp_path / f"{kind}.json"
        kinds[kind]().save(str(path))  # type: ignore[attr-defined]
        return path

    return make


@pytest.mark.parametrize(
    ("kind", "failing", "unsupported"),
    [
        ("wordpiece", {"tokenizer.unknown-ids"}, set[str]()),
        ("bpe", {"tokenizer.unknown-ids"}, {"tokenizer.special-tokens-in-text", "tokenizer.plain-text"}),
        ("unigram", {"tokenizer.unknown-ids", "tokenizer.plain-text"}, set[str]()),
    ],
)
def test_files_of_hugging_face(files: Files, kind: str, failing: set[str], unsupported: set[str]) -> None:
    """Of Unigram, a special token in text that is not to be parsed is the piece of that spelling all the same."""
    found = verdicts(f"hf:{files(kind)}")
    assert holding(found) == BROKEN.keys() - failing - unsupported
    assert {clause for clause in found if Verdict.FAILS in found[clause]} == failing
    assert not any(Verdict.ERRORS in each for each in found.values())


def test_what_is_known_of_all_files_is_declared(goldpiece: Goldpiece, files: Files) -> None:
    done = goldpiece("check", f"hf:{files('bpe')}", "--spec", "tokenizer")
    assert done.returncode == 0, done.stdout
    assert "≠ tokenizer.unknown-ids [hf] diverges" in done.stdout
    assert "tokenizer.tokens, " in done.stdout
    assert "the subject does not take any vocab but its own, which is fixed" in " ".join(done.stdout.split())


@pytest.mark.usefixtures("few_examples")
def test_our_tokenizer_of_a_vocabulary(tmp_path: Path) -> None:
    path = tmp_path / "vocab.txt"
    path.write_text("[UNK]\n[CLS]\n[SEP]\na\n##b\n", encoding="utf-8")
    subject = in_this_process(f"reference:{path}", load_specs())
    assert subject.declaration.profiles == ("hf", "google")
    assert holding(verdicts(f"reference:{path}")) == BROKEN.keys()


@pytest.mark.usefixtures("few_examples")
def test_our_tokenizer_of_a_tokenizer_json(tmp_path: Path) -> None:
    path = tmp_path / "tokenizer.json"
    Tokenizer.from_vocab(["[UNK]", "[CLS]", "[SEP]", "a"]).save(path)
    subject = in_this_process(f"reference:{path}", load_specs())
    assert subject.declaration.profiles == ("hf",)
    handle = subject.new("tokenizer", {})
    assert subject.call(handle, "token_to_id", [{"token": "a"}]) == [{"output": {"number": 3}}]
    assert holding(verdicts(f"reference:{path}")) == BROKEN.keys()


@pytest.mark.parametrize("kind", ["hf", "reference"])
def test_a_file_that_is_missing(tmp_path: Path, kind: str) -> None:
    with pytest.raises(GoldpieceError, match=r"none\.txt: it cannot be read"):
        in_this_process(f"{kind}:{tmp_path / 'none.txt'}", load_specs())


@pytest.mark.parametrize("content", [b"", b"\xff", b"{}", json.dumps({"model": {"type": "Unheard"}}).encode()])
def test_a_file_that_is_broken(tmp_path: Path, content: bytes) -> None:
    pytest.importorskip("tokenizers", reason="not run: the extra `peers` is not installed")
    path = tmp_path / "tokenizer.json"
    path.write_bytes(content)
    with pytest.raises(FileError, match=r"tokenizer\.json: (it cannot be read|tokenizers .* makes no tokenizer of it)"):
        in_this_process(f"hf:{path}", load_specs())


def test_the_package_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("goldpiece.suite.subjects.ready"), "HAVE_IT", False)
    with pytest.raises(UsageError, match=r"'hf:x\.json' needs the package tokenizers, .*pip install tokenizers"):
        in_this_process("hf:x.json", load_specs())


def test_what_encodes_nothing_is_no_tokenizer() -> None:
    found = in_this_process("goldpiece.reference.decoder:Decoder", load_specs())
    assert "tokenizer" not in found.declaration.components
