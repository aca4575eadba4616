"""Ready-made tokenizers of other libraries, and of whoever has `encode` and `decode`."""

import base64
import io
import re
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from goldpiece.errors import FileError, UsageError
from goldpiece.suite.checks import checks_of
from goldpiece.suite.loader import load_specs
from goldpiece.suite.spec import Depth
from goldpiece.suite.subjects import in_this_process
from goldpiece.suite.verdict import Verdict

from .conftest import SUBJECTS

ROUND_TRIP = "tokenizer.text-round-trip"


@pytest.fixture(autouse=True)
def _in_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(SUBJECTS))


def verdicts(name: str, clauses: Sequence[str]) -> list[str]:
    """What the law of each clause says."""
    specs = load_specs()
    subject = in_this_process(name, specs)
    found = [
        check.run(subject, specs, Depth.QUICK, 0, shrink=False)
        for clause in clauses
        for check in checks_of(specs, clause)
        if check.kind == "law" and check.profile == "hf"
    ]
    return [outcome.verdict.value for outcome in found]


def test_ids_alone_are_enough() -> None:
    clauses = ["tokenizer.pure", "tokenizer.any-ids", "tokenizer.unknown-ids", ROUND_TRIP, "tokenizer.threads"]
    assert verdicts("fixed:Exact", clauses) == ["holds"] * 5
    assert verdicts("fixed:Exact", ["tokenizer.offsets-ascend", "tokenizer.one-length"]) == ["unsupported"] * 2


def test_a_form_that_is_not_kept() -> None:
    assert verdicts("fixed:DeclaresTooMuch", [ROUND_TRIP]) == ["fails"]
    assert verdicts("fixed:Right", [ROUND_TRIP]) == ["unsupported"]


@pytest.mark.parametrize("name", ["fixed:Plain", "fixed:plain"])
def test_what_takes_a_text_and_gives_ids(name: str) -> None:
    clauses = ["tokenizer.pure", "tokenizer.any-ids", "tokenizer.batches", ROUND_TRIP, "tokenizer.tokens-of-ids"]
    assert verdicts(name, clauses) == ["holds", "holds", "holds", "holds", "unsupported"]


def test_a_plain_one_may_have_switches() -> None:
    subject = in_this_process("fixed:Switched", load_specs())
    handle = subject.new("tokenizer", {})

    def ids(framed: bool) -> Any:
        given = {"text": "a", "pair": None, "add_special_tokens": framed, "parse_special": True}
        return subject.call(handle, "encode", [given])[0]

    assert [ids(False), ids(True)] == [{"output": {"ids": [97]}}, {"output": {"ids": [1, 97, 2]}}]
    decoded = subject.call(handle, "decode", [{"ids": [1, 97, 2], "skip_special_tokens": True}])
    assert decoded == [{"output": {"text": "a"}}]
    assert subject.call(handle, "encode_batch", [{"texts": ["a", ""]}]) == [{"output": {"ids": [[1, 97, 2], [1, 2]]}}]


def test_outputs_that_laws_need_cannot_be_left_out() -> None:
    with pytest.raises(
        UsageError, match="TellsNoIds: of tokenizer it does not tell ids of encode, which laws cannot do"
    ):
        in_this_process("fixed:TellsNoIds", load_specs())


@pytest.fixture
def ranks(tmp_path: Path) -> Path:
    path = tmp_path / "toy.tiktoken"
    tokens = [*(bytes([number]) for number in range(256)), b"ab", b" a", b" ab"]
    lines = [f"{base64.b64encode(token).decode()} {rank}\n" for rank, token in enumerate(tokens)]
    path.write_text("".join(lines), encoding="ascii")
    return path


FIXED = ["tokenizer.ids-of-tokens", "tokenizer.vocabulary", "tokenizer.any-ids", "tokenizer.batches"]


def test_ranks_of_tiktoken(ranks: Path) -> None:
    pytest.importorskip("tiktoken", reason="not run: tiktoken is not installed; it is in the extra `peers`")
    assert verdicts(f"tiktoken:{ranks}", [*FIXED, ROUND_TRIP]) == ["holds"] * 5
    ranks.write_text("nothing\n", encoding="ascii")
    with pytest.raises(FileError, match=r"toy\.tiktoken: tiktoken makes no encoding of it"):
        in_this_process(f"tiktoken:{ranks}", load_specs())
    with pytest.raises(UsageError, match="there is no file 'nothing', and tiktoken knows gpt2, "):
        in_this_process("tiktoken:nothing", load_specs())


def test_tiktoken_fetches_nothing(ranks: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load: Any = pytest.importorskip("tiktoken.load", reason="not run: the extra `peers` is not installed")
    asked: list[str] = []
    monkeypatch.setattr("requests.get", asked.append)
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    place = "https://example.invalid/toy.tiktoken"

    def toy() -> Mapping[str, Any]:
        found = load.load_tiktoken_bpe(place)
        return {"name": "toy", "pat_str": r"\S+|\s+", "mergeable_ranks": found, "special_tokens": {}}

    monkeypatch.setattr("tiktoken.registry.ENCODING_CONSTRUCTORS", {"toy": toy})
    monkeypatch.setattr("tiktoken.registry.ENCODINGS", {})
    with pytest.raises(
        UsageError, match=r"has not got toy at hand, .*: save https://example\.invalid/toy\.tiktoken"
    ) as told:
        in_this_process("tiktoken:toy", load_specs())
    assert not asked
    (name,) = re.findall("[0-9a-f]{40}", str(told.value))
    (tmp_path / name).write_bytes(ranks.read_bytes())
    in_this_process("tiktoken:toy", load_specs())
    assert not asked


def test_a_model_of_sentencepiece(tmp_path: Path) -> None:
    package: Any = pytest.importorskip(
        "sentencepiece", reason="not run: sentencepiece is not installed; it is in the extra `rivals`"
    )
    model, path = io.BytesIO(), tmp_path / "toy.model"
    sentences = iter(["the quick brown fox", "hello world café", "a b c d e f g"] * 20)
    package.SentencePieceTrainer.train(
        sentence_iterator=sentences, model_writer=model, vocab_size=45, hard_vocab_limit=False, minloglevel=2
    )
    path.write_bytes(model.getvalue())
    assert verdicts(f"sentencepiece:{path}", [*FIXED, "tokenizer.offsets-ascend"]) == ["holds"] * 5
    with pytest.raises(FileError, match=r"none\.model: sentencepiece makes no tokenizer of it"):
        in_this_process(f"sentencepiece:{tmp_path / 'none.model'}", load_specs())


def test_files_of_transformers(tmp_path: Path) -> None:
    transformers: Any = pytest.importorskip("transformers", reason="not run: the extra `transformers` is not installed")
    vocab = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "##b"]
    transformers.BertTokenizer(vocab={token: place for place, token in enumerate(vocab)}).save_pretrained(tmp_path)
    for path in (tmp_path, tmp_path / "tokenizer.json"):
        assert verdicts(f"transformers:{path}", [*FIXED, "tokenizer.plain-text"]) == ["holds"] * 5
    (tmp_path / "tokenizer.json").write_text("{}", encoding="utf-8")
    with pytest.raises(FileError, match=r"tokenizer\.json: transformers .* makes no tokenizer of it"):
        in_this_process(f"transformers:{tmp_path / 'tokenizer.json'}", load_specs())
    with pytest.raises(FileError, match=r"none: there is no such file or folder"):
        in_this_process(f"transformers:{tmp_path / 'none'}", load_specs())


def test_the_bert_tokenizer_of_transformers() -> None:
    pytest.importorskip("transformers", reason="not run: the extra `transformers` is not installed")
    clauses = ["tokenizer.tokens", "tokenizer.frame-only-adds", "tokenizer.special-tokens-in-text"]
    assert verdicts("transformers", clauses) == ["holds", "fails", "holds"]


@pytest.mark.parametrize(
    ("kind", "module", "name", "absent"),
    [
        ("tiktoken", "ready_tiktoken", "HAVE_TIKTOKEN", False),
        ("sentencepiece", "sentencepiece", "find_spec", lambda _: None),
        ("transformers", "transformers", "find_spec", lambda _: None),
    ],
)
def test_a_package_that_is_missing_is_named(
    kind: str, module: str, name: str, absent: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_module(f"goldpiece.suite.subjects.{module}"), name, absent)
    with pytest.raises(UsageError, match=f"'{kind}:x' needs the package {kind}, which is not installed"):
        in_this_process(f"{kind}:x", load_specs())


def test_byte_level_files_of_hugging_face_declare_a_round_trip(tmp_path: Path) -> None:
    hf = pytest.importorskip("tokenizers", reason="not run: the extra `peers` is not installed")
    alphabet = hf.pre_tokenizers.ByteLevel.alphabet()

    def saved(normalizer: object, add_prefix_space: bool) -> str:
        whole = hf.Tokenizer(hf.models.BPE({char: place for place, char in enumerate(sorted(alphabet))}, []))
        if normalizer:
            whole.normalizer = normalizer
        whole.pre_tokenizer = hf.pre_tokenizers.ByteLevel(add_prefix_space=add_prefix_space)
        whole.decoder = hf.decoders.ByteLevel()
        path = tmp_path / "tokenizer.json"
        whole.save(str(path))
        return f"hf:{path}"

    for normalizer, form in ((None, "exact"), (hf.normalizers.NFC(), "NFC"), (hf.normalizers.Lowercase(), None)):
        assert in_this_process(saved(normalizer, False), load_specs()).declaration.round_trip == form
    assert in_this_process(saved(None, True), load_specs()).declaration.round_trip is None
    assert verdicts(saved(hf.normalizers.NFC(), False), [ROUND_TRIP]) == [Verdict.HOLDS.value]
