"""The efficient twins of the reference, called as a user of the library calls them."""

from collections.abc import Mapping
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldpiece.fast.bpe import BPE
from goldpiece.fast.bpe_tokenizer import BPETokenizer
from goldpiece.fast.bpe_trainer import BPETrainer
from goldpiece.fast.masking import Masking
from goldpiece.fast.tokenizer import Tokenizer, has_numba
from goldpiece.fast.wordpiece_trainer import WordPieceTrainer
from goldpiece.reference.training import Trained

from ..tables import UNKNOWN, byte_table, table
from ..workloads import Builder, Ready, Setup
from .reference import plain_training

Array: TypeAlias = NDArray[np.int64]


def mask(setup: Setup) -> Ready[Array, tuple[Array, Array]]:
    """From an array to arrays, as a collator has and wants them."""
    return Ready(
        Masking(**setup.config).mask_arrays,
        lambda result: [each.tolist() for each in result],
        np.array,
    )


def merge(setup: Setup) -> Ready[str, tuple[list[str], list[tuple[int, int]]]]:
    return Ready(BPE(*table(setup.config["vocab"]), UNKNOWN).tokenize, lambda result: result[0])


def encode_bytes(setup: Setup) -> Ready[str, list[int]]:
    encode_ = BPETokenizer(*byte_table(setup.config["vocab"])).encode
    return Ready(lambda text: encode_(text).ids)


def learn_merges(setup: Setup) -> Ready[list[str], Trained]:
    return Ready(BPETrainer(**setup.config).train, plain_training)


def learn_pieces(setup: Setup) -> Ready[list[str], Trained]:
    return Ready(WordPieceTrainer(**setup.config).train, plain_training)


def encode(setup: Setup) -> Ready[str, list[int]]:
    encode_ = Tokenizer(**setup.config, engine="fast").encode
    return Ready(lambda text: encode_(text).ids)


def encode_batch(setup: Setup) -> Ready[list[str], list[list[int]]]:
    encode_ = Tokenizer(**setup.config, engine="fast").encode_batch
    return Ready(lambda texts: encode_(texts).ids)


OPERATIONS: Mapping[str, Builder] = {
    **({"tokenizer.encode": encode, "tokenizer.encode_batch": encode_batch} if has_numba() else {}),
    "masking.mask": mask,
    "bpe.tokenize": merge,
    "bpe_tokenizer.encode": encode_bytes,
    "bpe_trainer.train": learn_merges,
    "wordpiece_trainer.train": learn_pieces,
}
