"""Parameters of golden sets that are made of files of the data folder, of which nothing is recorded."""

from collections.abc import Callable, Mapping
from functools import partial

from goldpiece.formats import bpe_files
from goldpiece.reference.word_splitter import Unit, WordSplitter
from goldpiece.suite.data import data_file
from goldpiece.suite.values import Value


def gpt2() -> Mapping[str, Value]:
    """The table of GPT-2's files. Raises DataMissing."""
    vocab = bpe_files.read_encoder(data_file("gpt2/encoder.json"))
    merges = bpe_files.read_merges(data_file("gpt2/vocab.bpe"))
    return {"vocab": list(vocab), "merges": [list(pair) for pair in merges]}


def sms(unit: Unit) -> Mapping[str, Value]:
    """The words or characters of the SMS Spam Collection, without the rows that it has twice. Raises DataMissing."""
    rows = dict.fromkeys(data_file("sms/SMSSpamCollection").read_text(encoding="utf-8").splitlines())
    split = WordSplitter(unit).split
    return {"corpus": [token for row in rows for token in split(row.partition("\t")[2])[0]]}


MADE_OF_DATA: Mapping[str, Callable[[], Mapping[str, Value]]] = {
    "gpt2": gpt2,
    "sms-words": partial(sms, "words"),
    "sms-characters": partial(sms, "characters"),
}
