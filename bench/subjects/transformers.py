"""transformers' collator for masked language models: the step that masks an array, called as the collator calls it."""

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from itertools import accumulate
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldpiece.reference.masking import SPECIAL_TOKENS
from goldpiece.suite.values import Value

from ..definitions import is_a_mask, words_by_prefix
from ..workloads import Builder, Ready, Setup

HAVE_IT = find_spec("transformers") is not None

Arrays: TypeAlias = dict[str, NDArray[np.int64]]


def mask(setup: Setup) -> Ready[Arrays, tuple[Any, Any]]:
    """It masks an array in place, so that each call makes a copy first; that is timed as well.

    Which tokens are special, and of whole words the offsets, is given with the array, as its tokenizer gives it. Of
    whole words it masks all, which is the less work.
    """
    from transformers import DataCollatorForLanguageModeling  # noqa: PLC0415 (it takes seconds to import)

    from goldpiece.suite.subjects.transformers_collator import tokenizer_of  # noqa: PLC0415

    vocab, by_words = setup.config["vocab"], setup.config["unit"] == "word"
    collator = DataCollatorForLanguageModeling(
        tokenizer_of(vocab, SPECIAL_TOKENS, "[MASK]"),
        whole_word_mask=by_words,
        mask_replace_prob=1.0 if by_words else 0.8,
        random_replace_prob=0.0 if by_words else 0.1,
        return_tensors="np",
        seed=setup.config["seed"],
    )
    collator.create_rng()
    special = np.array([token in SPECIAL_TOKENS for token in vocab], np.int64)

    def take(rows: Sequence[Sequence[int]]) -> Arrays:
        ids = np.array(rows)
        arrays = {"inputs": ids, "special_tokens_mask": special[ids]}
        return arrays | {"offset_mapping": np.array([offsets(row, vocab) for row in rows])} if by_words else arrays

    def call(arrays: Arrays) -> tuple[Any, Any]:
        made: tuple[Any, Any] = collator.numpy_mask_tokens(**arrays | {"inputs": arrays["inputs"].copy()})
        return made

    def plain(result: tuple[Any, Any]) -> Value:
        return [each.tolist() for each in result]

    return Ready(call, plain, take, is_a_mask(vocab, by_words))


def offsets(row: Sequence[int], vocab: Sequence[str]) -> list[tuple[int, int]]:
    """Where the tokens are in a text of the row's words, each behind a space."""
    begins = {word[0] for word in words_by_prefix(row, vocab)}
    ends = list(accumulate(len(vocab[number]) + (place in begins) for place, number in enumerate(row)))
    return [(end - len(vocab[number]), end) for number, end in zip(row, ends, strict=True)]


# Of budgets it has but one.
OPERATIONS: Mapping[str, Builder] = {"masking/subwords": mask, "masking/whole-words": mask}
