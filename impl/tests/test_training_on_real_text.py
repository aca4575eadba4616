"""Training on real text gives what it gave, merge by merge; others that do the same confirm it.

Byte-level BPE is confirmed by the trainer of tokenizers, here. The likelihood rule has no other trainer that is exact;
of the messages the first 200 merges, with their counts, were made by the reference too, which counts all again after
each. Messages are trained on in any case. This trains on linuxdoc as well, its first lines and all of it:

    GOLDPIECE_PARITY=full pytest impl/tests/test_training_on_real_text.py
"""

import json
import os
from collections.abc import Sequence
from functools import cache
from itertools import islice
from typing import NamedTuple

import pytest

from goldpiece import train_bpe, train_wordpiece
from goldpiece.formats.fingerprint import fingerprint
from goldpiece.reference.byte_level import ALPHABET
from goldpiece.reference.training import Trained
from goldpiece.suite.corpus import read_corpus
from goldpiece.suite.data import DataMissing, data_file
from goldpiece.suite.subjects.ready import HAVE_IT

FULL = os.environ.get("GOLDPIECE_PARITY") == "full"
SAMPLE = 20_000  # lines of linuxdoc


class Seen(NamedTuple):
    """What is kept of a training; of the texts nothing is."""

    tokens: str  # fingerprints
    merges: str
    learnt: int  # merges
    first: list[int]  # the counts of the first merges
    last: int
    occurrences: int  # of all pairs when they were merged
    short_by: int


def seen(found: Trained) -> Seen:
    counts = found.counts
    digests = fingerprint(found.tokens), fingerprint(map(" ".join, found.merges))
    return Seen(*digests, len(found.merges), counts[:3], counts[-1], sum(counts), found.short_by)


@cache
def texts_of(name: str) -> Sequence[str]:
    try:
        if name == "sms":
            lines = data_file("sms/SMSSpamCollection").read_text(encoding="utf-8").split("\n")
            return [line.partition("\t")[2] for line in lines if line]
        path = data_file("corpora/linuxdoc.txt.gz")
    except DataMissing as missing:
        pytest.skip(f"not run: {missing}")
    lines = read_corpus(str(path)).split("\n")
    return lines if name == "whole" else list(islice(lines, SAMPLE))


def entries_of(name: str) -> int:
    """How many entries a corpus is trained to."""
    if name != "sms" and not FULL:
        pytest.skip("not run: GOLDPIECE_PARITY is not full")
    return 30_000 if name == "whole" else 2_000


BPE = {
    "sms": Seen(
        "ccef9f88f3d49a547400a0b5633bd74372cda70706bf12b19e6f8c5c66862231",
        "7f27aafcd6e4bd6dac96acc01b5284204e84933c96b984d9dc30b29ab07bb1c3",
        *(1743, [7618, 5791, 5621], 18, 293278, 0),
    ),
    "sample": Seen(
        "618e33f2cfbc910ae58cd23f2f6216eaa4a19b8f5f26ca472b0c107fd1992af0",
        "d46fa258955548ce668cb5cd71a904b253da8de6ed25b61bec7c2b3269568bbf",
        *(1743, [25835, 21092, 11953], 33, 580434, 0),
    ),
    "whole": Seen(
        "738f6f4a3fc88bdde1f8f9135e67b07be4966f19f25375006fabdf8d8e20f5a2",
        "20080d239ecc961760d587df22283d1252ad2bad6e6dc6563e205e801e3c8738",
        *(29743, [876017, 423978, 397303], 11, 19924748, 0),
    ),
}
LIKELIHOOD = {
    "sms": Seen(
        "e8d467ae0fe7eb390031fa0b57d1b41a430533d77308ddd9f49a6b023cc235b0",
        "ce8e397ab39aa8cfe53bb84280b7c16f6443f04dc0ed4f4ca7e5c818ae4a974b",
        *(1881, [162, 266, 174], 20, 211533, 0),
    ),
    "sample": Seen(
        "2d25284829b9dfb8e381afd7c3ac30c47d44da9ca1e36951aa0e1b1ba9fff814",
        "896f33bd23643fe5e87816fb0c5bc73b5d032e7a0efcf7cdd4e1503f1dee6ce7",
        *(1885, [45, 54, 32], 29, 286436, 0),
    ),
    "whole": Seen(
        "f0f74a241eeae828211ca9670177f50e15b7b89241325457188eb19415f63e26",
        "4bed16f458c910592285812508363e580afd15a3cfe583bdf4e69ec8cf7d1587",
        *(24281, [291, 291, 36], 26, 13498199, 5570),
    ),
}
FREQUENCY = {
    "sample": Seen(
        "f95f0015e18daee013bc8eb4ae35547cdd21a4818176bb5c73f73ea710f48cfe",
        "83ffcf838f427745bac3e13286f07f33b7da1baf1284d79dced3f75cee367341",
        *(1885, [9798, 9588, 6530], 23, 405115, 0),
    ),
}


@pytest.mark.parametrize("name", BPE)
def test_bpe(name: str) -> None:
    size = entries_of(name)
    assert seen(train_bpe(texts_of(name), size)) == BPE[name]


@pytest.mark.skipif(not HAVE_IT, reason="not run: the extra `peers` is not installed")
@pytest.mark.parametrize("name", BPE)
def test_tokenizers_learns_the_same_bpe(name: str) -> None:
    import tokenizers as hf  # noqa: PLC0415 (it may not be there)

    whole = hf.Tokenizer(hf.models.BPE())
    whole.pre_tokenizer = hf.pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = hf.trainers.BpeTrainer(
        vocab_size=entries_of(name),
        min_frequency=2,
        special_tokens=["<|endoftext|>"],
        initial_alphabet=list(ALPHABET),
        show_progress=False,
    )
    whole.train_from_iterator(texts_of(name), trainer)
    ids = whole.get_vocab()
    merges = [" ".join(pair) for pair in json.loads(whole.to_str())["model"]["merges"]]
    right = BPE[name]
    assert (fingerprint(sorted(ids, key=lambda token: ids[token])), fingerprint(merges)) == right[:2]


@pytest.mark.parametrize("name", LIKELIHOOD)
def test_likelihood(name: str) -> None:
    size = entries_of(name)
    assert seen(train_wordpiece(texts_of(name), size)) == LIKELIHOOD[name]


@pytest.mark.parametrize("name", FREQUENCY)
def test_frequency(name: str) -> None:
    size = entries_of(name)
    assert seen(train_wordpiece(texts_of(name), size, rule="frequency")) == FREQUENCY[name]
