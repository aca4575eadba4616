"""MaskingCollator: any kind of example, every field kept, the same masks in any process."""

import multiprocessing
import pickle
from multiprocessing.queues import SimpleQueue
from typing import Any

import numpy as np
import pytest

from goldpiece import MaskingCollator, Tokenizer
from goldpiece.collator import BadExample, PadTokenMissing, TorchMissing
from goldpiece.errors import GoldpieceError
from goldpiece.reference.masking import NOT_SELECTED, Masking

VOCAB = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "##b", "c", "##d", "e"]
LONG, SHORT = [2, 5, 6, 7, 8, 8, 9, 3], [2, 9, 5, 3]
MANY = [[2, *[5, 6, 7, 8, 9] * 8, 3]]
ROWS = [LONG, SHORT, LONG]


def collator(**options: Any) -> MaskingCollator:
    return MaskingCollator(VOCAB, 0.5, **options)


def test_lists_of_ids_are_padded_and_masked_as_the_reference_masks_them() -> None:
    batch = collator(return_tensors="list", seed=4)(ROWS)
    right = Masking(VOCAB, rate=0.5, seed=4).mask(ROWS)
    assert batch["attention_mask"] == [[1] * 8, [1] * 4 + [0] * 4, [1] * 8]
    assert batch["input_ids"] == [row + [0] * (8 - len(row)) for row in right.input_ids]
    assert batch["labels"] == [row + [NOT_SELECTED] * (8 - len(row)) for row in right.labels]


@pytest.mark.parametrize("whole_word_mask", [False, True])
def test_all_kinds_of_examples_give_the_same(whole_word_mask: bool) -> None:
    tokenizer = Tokenizer(VOCAB)
    encodings = tokenizer.encode_batch(["ab cdd e", "e a"])
    plain = [encoding.ids for encoding in encodings]
    words = [encoding.word_ids for encoding in encodings]
    make = MaskingCollator(tokenizer, 0.5, whole_word_mask=whole_word_mask, seed=1)
    kinds: list[list[Any]] = [
        list(encodings),
        [{"input_ids": ids, "word_ids": numbers} for ids, numbers in zip(plain, words, strict=True)],
        [{"input_ids": np.array(ids), "attention_mask": np.ones(len(ids), int)} for ids in plain],
        [{"input_ids": np.array([ids]), "attention_mask": np.ones((1, len(ids)), int)} for ids in plain],
        [np.array(ids) for ids in plain],
        [np.array([ids]) for ids in plain],
        plain,
    ]
    batches = [make(examples) for examples in kinds]
    for batch in batches:
        for name in ("input_ids", "labels", "attention_mask"):
            assert batch[name].dtype == np.int64
            assert batch[name].tolist() == batches[0][name].tolist()
    assert set(batches[0]) == {"input_ids", "token_type_ids", "attention_mask", "labels"}


def test_every_field_is_kept_and_those_of_tokens_are_padded() -> None:
    examples = [
        {
            "input_ids": ids,
            "token_type_ids": [1] * len(ids),
            "special_tokens_mask": [0] * len(ids),
            "pos": list(range(len(ids))),
            "box": [[1, 2]] * len(ids),
            "score": 0.5,
            "name": "x",
            "index": number,
        }
        for number, ids in enumerate([LONG, SHORT])
    ]
    batch = collator(helpers=["index"])(examples)
    assert batch["token_type_ids"].tolist() == [[1] * 8, [1] * 4 + [0] * 4]
    assert batch["special_tokens_mask"].tolist() == [[0] * 8, [0] * 4 + [1] * 4]
    assert batch["pos"].tolist() == [list(range(8)), [0, 1, 2, 3, 0, 0, 0, 0]]
    assert batch["box"].tolist() == [[[1, 2]] * 8, [[1, 2]] * 4 + [[0, 0]] * 4]
    assert batch["score"].tolist() == [0.5, 0.5]
    assert batch["name"] == ["x", "x"]
    assert "index" not in batch
    assert set(collator()(examples)) == {*batch, "labels"} - {"special_tokens_mask"}


def test_special_tokens_are_those_of_the_tokenizer() -> None:
    peer = pytest.importorskip("tokenizers", reason="not run: the extra `peers` is not installed")
    theirs = peer.Tokenizer(peer.models.WordPiece({token: number for number, token in enumerate(VOCAB)}))
    theirs.add_special_tokens(["[MASK]", "[PAD]", "e"])
    masked = MaskingCollator(theirs, 1.0)([theirs.encode("e"), theirs.encode("a")])
    assert masked["labels"].tolist() == [[NOT_SELECTED], [5]]
    named = MaskingCollator(VOCAB, 1.0, special_tokens=["a", "[MASK]"])([[2, 5, 9]])
    assert named["labels"].tolist() == [[2, NOT_SELECTED, 9]]


def test_widths_and_sides() -> None:
    wide = collator(pad_to_multiple_of=5)(ROWS)
    assert {name: values.shape for name, values in wide.items()} == dict.fromkeys(wide, (3, 10))
    left = collator(padding_side="left")([SHORT, LONG])
    right = collator()([SHORT, LONG])
    assert left["attention_mask"][0].tolist() == [0] * 4 + [1] * 4
    assert left["labels"][0, 4:].tolist() == right["labels"][0, :4].tolist()


def test_masks_go_by_index_or_ids_and_not_by_the_batch() -> None:
    def examples(*indexes: int) -> list[dict[str, Any]]:
        return [{"input_ids": LONG, "index": index} for index in indexes]

    make = collator(seed=2)
    together = make(examples(0, 1, 2, 3))["labels"]
    assert len({tuple(row) for row in together.tolist()}) > 1
    assert make(examples(3))["labels"].tolist() == [together[3].tolist()]
    make.set_epoch(1)
    assert make(examples(0, 1, 2, 3))["labels"].tolist() != together.tolist()
    make.set_epoch(0)
    assert make(examples(0, 1, 2, 3))["labels"].tolist() == together.tolist()


def test_empty_batches_and_rows() -> None:
    assert {name: np.shape(values) for name, values in collator()([]).items()} == {
        "input_ids": (0, 0),
        "attention_mask": (0, 0),
        "labels": (0, 0),
    }
    batch = collator(return_tensors="list")([[], [2, 3], [5]])
    assert batch["attention_mask"] == [[0, 0], [1, 1], [1, 0]]
    assert batch["labels"][:2] == [[NOT_SELECTED] * 2] * 2


@pytest.mark.parametrize(
    ("options", "examples", "message"),
    [
        ({}, [{"input_ids": LONG, "labels": LONG}], "example 0 of the batch brings labels, which masking is to make"),
        ({}, [{"ids": LONG}], "example 0 of the batch has no input_ids, only ids"),
        ({}, [{"input_ids": LONG}, {"input_ids": LONG, "x": 1}], "example 1 of the batch and the first have not the"),
        ({}, [{"input_ids": LONG, "word_ids": [0]}], "example 0 of the batch has 1 word_ids for 8 ids"),
        ({}, [np.zeros((2, 3), int)], r"example 0 of the batch has input_ids of the shape \(2, 3\)"),
        ({}, [[5, 99]], "row 0 has the id 99: ids go from 0 to 9"),
        ({"pad_token": "<pad>"}, ROWS, "the vocabulary has no pad token: name it as pad_token"),
    ],
)
def test_bad_examples_are_named(options: dict[str, Any], examples: list[Any], message: str) -> None:
    with pytest.raises(GoldpieceError, match=message):
        collator(**options)(examples)
    assert issubclass(BadExample, GoldpieceError)
    assert issubclass(PadTokenMissing, GoldpieceError)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"mask_replace_prob": 0.95}, r"mask_rate \+ random_rate is 1.05"),
        ({"return_tensors": "tf"}, "there is no return_tensors 'tf': there are np, pt, list"),
        ({"padding_side": "both"}, "there is no padding_side 'both'"),
        ({"pad_to_multiple_of": 0}, "there is no pad_to_multiple_of '0'"),
        ({"whole_word_mask": True, "unit": "span"}, "there is no unit with whole_word_mask 'span'"),
        ({"mask_token": "<mask>"}, "the vocabulary has no '<mask>'"),
    ],
)
def test_bad_options_are_refused_before_the_training_starts(options: dict[str, Any], message: str) -> None:
    with pytest.raises(GoldpieceError, match=message):
        collator(**options)


def test_tensors() -> None:
    torch = pytest.importorskip("torch", reason="not run: torch is not installed")
    batch = collator(return_tensors="pt")(ROWS)
    assert all(isinstance(values, torch.Tensor) for values in batch.values())
    assert batch["labels"].tolist() == collator()(ROWS)["labels"].tolist()


def test_tensors_without_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "torch", None)
    with pytest.raises(TorchMissing, match='ask for "np"'):
        collator(return_tensors="pt")(ROWS)


def test_a_copy_has_an_epoch_of_its_own() -> None:
    make = collator()
    make.set_epoch(3)
    copy = pickle.loads(pickle.dumps(make))  # noqa: S301 (our own)
    assert copy.epoch == 3
    assert copy(ROWS)["labels"].tolist() == make(ROWS)["labels"].tolist()
    copy.set_epoch(4)
    assert make.epoch == 3


def work(make: MaskingCollator, asked: "SimpleQueue[bool]", given: "SimpleQueue[Any]") -> None:
    """A worker that lives from epoch to epoch."""
    while asked.get():
        given.put(make(MANY)["labels"].tolist())


@pytest.mark.parametrize(
    "method", [each for each in ("fork", "spawn") if each in multiprocessing.get_all_start_methods()]
)
def test_the_epoch_reaches_workers_that_live_on(method: str) -> None:
    context = multiprocessing.get_context(method)
    make = collator(seed=9)
    asked: SimpleQueue[bool] = context.SimpleQueue()
    given: SimpleQueue[Any] = context.SimpleQueue()
    worker = context.Process(target=work, args=(make, asked, given), daemon=True)  # type: ignore[attr-defined]
    worker.start()
    seen = []
    for epoch in (0, 1):
        make.set_epoch(epoch)
        asked.put(True)
        seen.append(given.get())
        assert seen[-1] == make(MANY)["labels"].tolist()
    asked.put(False)
    worker.join()
    assert seen[0] != seen[1]
