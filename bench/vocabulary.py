"""The vocabulary that workloads need: one made here, which needs no download, or a file."""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from goldpiece.formats import vocab_txt
from goldpiece.reference.normalizer import Normalizer
from goldpiece.reference.pre_tokenizer import PreTokenizer
from goldpiece.reference.tokenizer import SPECIAL_TOKENS
from goldpiece.suite.corpus import generated, topics
from goldpiece.suite.data import data_file

from .workloads import Workload

ENDING = 3  # characters of the longest piece that is made from the end of a word


def small_vocabulary(entries: int) -> list[str]:
    """So many entries, the same wherever they are made of the same texts: those that come with Python and Goldpiece.

    Special tokens, each character at the start of a word and within one, the endings of words, then whole words; each
    kind by falling count, and by code points where counts are the same. So every word has a segmentation, common words
    are one piece, and about a third of the others end in one. The pages of Python differ between its versions, and with
    them the entries: compare subjects within one run, and not runs.
    """
    normalized = Normalizer().normalize(topics() + generated())
    words = Counter(PreTokenizer().pre_tokenize(normalized)[0])
    chars, endings = Counter[str](), Counter[str]()
    for word, count in words.items():
        for char in word:
            chars[char] += count
        for length in range(2, min(ENDING + 1, len(word))):
            endings[f"##{word[-length:]}"] += count
    alphabet = [entry for char in _by_count(chars) for entry in (char, f"##{char}")]
    several = _by_count(Counter({word: count for word, count in words.items() if len(word) > 1}))
    found = dict.fromkeys([*SPECIAL_TOKENS, *alphabet, *_by_count(endings)[: entries // 8], *several])
    return list(found)[:entries]


def _by_count(counted: Counter[str]) -> list[str]:
    return sorted(counted, key=lambda entry: (-counted[entry], entry))


@cache
def read_vocabulary(name: str | None, entries: int) -> Sequence[str]:
    """The vocabulary of a run: the small one of so many entries, or that of the file at the path `name`.

    A name such as `bert-base-uncased` that is no path is one of the data folder. Raises FileError, DataMissing.
    """
    if name is None:
        return small_vocabulary(entries)
    return vocab_txt.read(name if Path(name).exists() else data_file(f"bert/{name}-vocab.txt"))


def vocabulary_of(workload: Workload, of_the_run: Sequence[str]) -> Sequence[str]:
    """What it is measured with: the vocabulary of the run, or that of the data folder which is its own.

    Raises FileError, DataMissing.
    """
    return vocab_txt.read(data_file(workload.data_vocab)) if workload.data_vocab else of_the_run
