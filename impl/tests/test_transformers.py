"""transformers beside ours: its collator as a subject, and our collator in its Trainer."""

import json
import os
import warnings
from collections.abc import Iterable, Mapping
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from goldpiece import MaskingCollator
from goldpiece.reference.masking import NOT_SELECTED, Masking
from goldpiece.suite.divergences import declared_for, read_divergences
from goldpiece.suite.loader import load_specs
from goldpiece.suite.recorded.judging import judged, load_judgments
from goldpiece.suite.recorded.record import read_record
from goldpiece.suite.subjects import in_this_process

from .conftest import Goldpiece

transformers: Any = pytest.importorskip("transformers", reason="not run: the extra `transformers` is not installed")
tokenizers = pytest.importorskip("tokenizers", reason="not run: the extra `peers` is not installed")

# Python 3.12 and newer warn of a fork beside threads, and torch has threads.
pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="not run: processes cannot be forked here")

VOCAB = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *(f"{mark}{letter}" for letter in "abcd" for mark in ("", "##"))]
ROWS = [[2, *[5 + number % 8, 6, 7] * (2 + number % 3), 3] for number in range(12)]


def tokenizer() -> Any:
    words = tokenizers.models.WordPiece({token: number for number, token in enumerate(VOCAB)}, unk_token="[UNK]")
    whole = tokenizers.Tokenizer(words)
    whole.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    names = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    return transformers.PreTrainedTokenizerFast(tokenizer_object=whole, mask_token="[MASK]", **names)


def labels(batches: Iterable[Mapping[str, Any]]) -> list[Any]:
    return [batch["labels"].tolist() for batch in batches]


@pytest.mark.parametrize("path", ["numpy", "torch"])
def test_it_parts_from_the_specs_as_it_is_declared_to(path: str) -> None:
    if path == "torch":
        pytest.importorskip("torch", reason="not run: torch is not installed")
    name, specs = f"transformers-collator:{path}", load_specs()
    subject, declared_in = in_this_process(name, specs), declared_for(name)
    assert declared_in
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it says that it sets other rates for whole words
        for declared in read_divergences(declared_in, specs):
            spec, operation = specs.named(declared.clause.partition(".")[0]), specs.clause(declared.clause).operation
            config = {key: value for key, value in declared.given.items() if key in spec.parameters}
            given = {key: declared.given[key] for key in spec.operations[operation].input}
            (answer,) = subject.call(subject.new(spec.name, config), operation, [given])
            assert answer.get("output", answer) == declared.actual, declared.clause


def test_check_takes_it_by_name(goldpiece: Goldpiece) -> None:
    done = goldpiece("check", "transformers-collator:numpy", "--clause", "masking.small-rows")
    assert done.returncode == 0, done.stdout
    assert f"transformers-collator:numpy {transformers.__version__}" in done.stdout
    assert "≠ masking.small-rows diverges (must)" in done.stdout


def test_our_collator_takes_its_tokenizer_and_what_that_makes() -> None:
    whole = tokenizer()
    encoded = whole(["ab cd", "a"])
    examples = [
        {"input_ids": ids, "word_ids": encoded.word_ids(number)} for number, ids in enumerate(encoded["input_ids"])
    ]
    ours = MaskingCollator(whole, 1.0, mask_replace_prob=1.0, random_replace_prob=0.0, whole_word_mask=True)
    theirs = transformers.DataCollatorForLanguageModeling(
        whole, mlm_probability=1.0, mask_replace_prob=1.0, random_replace_prob=0.0, return_tensors="np"
    )
    one, other = ours(examples), theirs([{"input_ids": example["input_ids"]} for example in examples])
    for name in ("input_ids", "labels", "attention_mask"):
        np.testing.assert_array_equal(one[name], other[name])


@needs_fork
def test_its_workers_repeat_themselves_and_ours_do_not() -> None:
    """The reason that is declared for masking.epochs, and why ours has epochs."""
    torch: Any = pytest.importorskip("torch", reason="not run: torch is not installed")
    theirs = transformers.DataCollatorForLanguageModeling(tokenizer(), seed=1)
    ours = MaskingCollator(VOCAB, return_tensors="pt", seed=1)
    seen = []
    for collate in (theirs, ours):
        batches = torch.utils.data.DataLoader(
            [{"input_ids": row} for row in ROWS], 4, collate_fn=collate, num_workers=2, multiprocessing_context="fork"
        )
        of_epochs = []
        for epoch in (0, 1):
            ours.set_epoch(epoch)
            of_epochs.append(labels(batches))
        seen.append(of_epochs)
    assert seen[0][0] == seen[0][1]
    assert seen[1][0] != seen[1][1]


@needs_fork
def test_what_its_workers_make_shows_so_in_a_record(tmp_path: Path) -> None:
    torch: Any = pytest.importorskip("torch", reason="not run: torch is not installed")
    theirs = transformers.DataCollatorForLanguageModeling(tokenizer(), mlm_probability=0.5, seed=1)
    random = Random(2)
    data = [{"input_ids": [2, *random.choices(range(5, 13), k=60), 3]} for _ in range(160)]
    loader = torch.utils.data.DataLoader(data, 8, collate_fn=theirs, num_workers=2, multiprocessing_context="fork")
    path = tmp_path / "batches.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for epoch in range(2):
            for batch in loader:
                fields = {name: tensor.tolist() for name, tensor in batch.items()}
                file.write(json.dumps({"epoch": epoch, **fields}) + "\n")
    record = read_record(path, Masking(VOCAB, rate=0.5), {})
    found = {clause: judged(judgment, record).verdict.value for clause, judgment in load_judgments().items()}
    assert {clause for clause, verdict in found.items() if verdict == "fails"} == {
        "masking.epochs",
        "masking.random-words",
    }
    assert found["masking.equal-chances"] == found["masking.rates"] == found["masking.rows-differ"] == "holds"


def test_trainer_takes_our_collator(tmp_path: Path) -> None:
    torch: Any = pytest.importorskip("torch", reason="not run: torch is not installed")
    pytest.importorskip("accelerate", reason="not run: accelerate is not installed")
    collate = MaskingCollator(VOCAB, return_tensors="pt", seed=1)
    seen: list[Mapping[str, Any]] = []

    class Epochs(transformers.TrainerCallback):  # type: ignore[misc]
        def on_epoch_begin(self, _args: Any, state: Any, _control: Any, **_: Any) -> None:
            collate.set_epoch(int(state.epoch))

    class Tiny(torch.nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.embedding = torch.nn.Embedding(len(VOCAB), len(VOCAB))

        def forward(self, input_ids: Any, attention_mask: Any, labels: Any) -> Any:
            seen.append({"input_ids": input_ids, "attention_mask": attention_mask, "labels": labels})
            scores = self.embedding(input_ids)
            return {"loss": torch.nn.functional.cross_entropy(scores.flatten(0, 1), labels.flatten()), "logits": scores}

    arguments = transformers.TrainingArguments(
        str(tmp_path),
        num_train_epochs=2,
        per_device_train_batch_size=4,
        dataloader_num_workers=2,
        dataloader_persistent_workers=True,
        save_strategy="no",
        report_to="none",
        disable_tqdm=True,
        use_cpu=True,
        seed=3,
    )
    data = [{"input_ids": row} for row in ROWS]
    transformers.Trainer(Tiny(), arguments, collate, data, callbacks=[Epochs()]).train()
    assert len(seen) == 6
    again = MaskingCollator(VOCAB, return_tensors="np", seed=1)
    for number, batch in enumerate(seen):
        again.set_epoch(number // 3)
        originals = torch.where(batch["labels"] == NOT_SELECTED, batch["input_ids"], batch["labels"]).numpy()
        rows = [row[mask].tolist() for row, mask in zip(originals, batch["attention_mask"].numpy() == 1, strict=True)]
        np.testing.assert_array_equal(again(rows)["labels"], batch["labels"].numpy())
