"""MaskingCollator in front of torch: in the worker processes of a DataLoader, and in a loop that trains."""

import multiprocessing
from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from goldpiece import MaskingCollator

torch: Any = pytest.importorskip("torch", reason="not run: torch is not installed")

# Python 3.12 and newer warn of a fork beside threads, and torch has threads.
pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")

VOCAB = [
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "[MASK]",
    *(f"{mark}{letter}" for letter in "abcdefgh" for mark in ("", "##")),
]
METHODS = [each for each in ("fork", "spawn") if each in multiprocessing.get_all_start_methods()]


def row(number: int) -> list[int]:
    """A framed row of one word again and again, longer or shorter, which a model can learn to fill in."""
    first = 5 + 2 * (number % 8)
    return [2, *[first, first + 1] * (6 + number % 5), 3]


EXAMPLES = [{"input_ids": row(number), "index": number} for number in range(32)]


def loader(collate: Any, examples: Iterable[Mapping[str, Any]] = EXAMPLES, **options: Any) -> Any:
    return torch.utils.data.DataLoader(list(examples), 4, collate_fn=collate, **options)


def lists(batches: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [{name: tensor.tolist() for name, tensor in batch.items()} for batch in batches]


@pytest.mark.parametrize("method", METHODS)
def test_workers_that_live_on_draw_what_one_process_draws_and_see_the_epoch(method: str) -> None:
    collate = MaskingCollator(VOCAB, whole_word_mask=True, return_tensors="pt", seed=3)
    workers = loader(collate, num_workers=2, multiprocessing_context=method, persistent_workers=True)
    seen = []
    for epoch in (0, 1):
        collate.set_epoch(epoch)
        seen.append(lists(workers))
        assert seen[-1] == lists(loader(collate))
    labels = [[batch["labels"] for batch in epoch] for epoch in seen]
    assert labels[0] != labels[1]
    del workers


@pytest.mark.skipif("fork" not in METHODS, reason="not run: processes cannot be forked here")
def test_a_run_that_is_taken_up_again_draws_the_same_masks() -> None:
    collate = MaskingCollator(VOCAB, return_tensors="pt", seed=3)
    collate.set_epoch(5)
    order = [EXAMPLES[number] for number in torch.randperm(len(EXAMPLES), generator=torch.Generator().manual_seed(1))]
    whole = lists(loader(collate, order))
    for workers in (1, 2):
        again = MaskingCollator(VOCAB, return_tensors="pt", seed=3)
        again.set_epoch(5)
        rest = loader(again, order[12:], num_workers=workers, multiprocessing_context="fork")
        assert lists(rest) == whole[3:]


class Model(torch.nn.Module):  # type: ignore[misc]
    """Guesses each token from what stands in its row."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding = torch.nn.Embedding(len(VOCAB), 16)
        self.output = torch.nn.Linear(32, len(VOCAB))

    def forward(self, input_ids: Any, attention_mask: Any) -> Any:
        each = self.embedding(input_ids)
        mask = attention_mask[..., None]
        mean = (each * mask).sum(1, keepdim=True) / mask.sum(1, keepdim=True)
        return self.output(torch.cat([each, mean.expand_as(each)], -1))


@pytest.mark.skipif("fork" not in METHODS, reason="not run: processes cannot be forked here")
def test_a_model_learns_from_what_two_workers_collate() -> None:
    torch.manual_seed(0)
    collate = MaskingCollator(VOCAB, 0.3, return_tensors="pt", seed=3)
    batches = loader(collate, shuffle=True, num_workers=2, multiprocessing_context="fork", persistent_workers=True)
    model = Model()
    losses = []
    for epoch in range(6):
        collate.set_epoch(epoch)
        of_epoch = []
        for batch in batches:
            labels = batch.pop("labels")
            loss = torch.nn.functional.cross_entropy(model(**batch).flatten(0, 1), labels.flatten())
            gradients = torch.autograd.grad(loss, list(model.parameters()))
            with torch.no_grad():  # an optimizer of torch takes seconds to import
                for parameter, gradient in zip(model.parameters(), gradients, strict=True):
                    parameter.sub_(2 * gradient)
            of_epoch.append(loss.item())
        losses.append(sum(of_epoch) / len(of_epoch))
    del batches
    assert losses[-1] < losses[0] / 3, losses
