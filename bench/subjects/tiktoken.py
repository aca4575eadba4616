"""tiktoken, called as a user of the library calls it."""

from collections.abc import Mapping
from typing import Any

from goldpiece.reference.byte_level import PATTERNS, bytes_of
from goldpiece.suite.subjects.tiktoken import HAVE_TIKTOKEN

from ..tables import byte_table
from ..workloads import Builder, Ready, Setup

if HAVE_TIKTOKEN:
    import tiktoken as openai


def encode(setup: Setup) -> Ready[str, list[int]]:
    """With special tokens sought, of which there are none."""
    encode_ = _encoding(setup).encode
    return Ready(lambda text: encode_(text, allowed_special="all"))


def decode(setup: Setup) -> Ready[list[int], str]:
    return Ready(_encoding(setup).decode)


def _encoding(setup: Setup) -> Any:
    """Its ranks are those of the entries: of such a table they say what the merges say."""
    entries, _ = byte_table(setup.config["vocab"])
    ranks = {bytes_of(entry): number for number, entry in enumerate(entries)}
    return openai.Encoding("of a workload", pat_str=PATTERNS["gpt2"], mergeable_ranks=ranks, special_tokens={})


OPERATIONS: Mapping[str, Builder] = {"bpe_tokenizer.encode": encode, "bpe_tokenizer.decode": decode}
