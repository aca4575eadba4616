"""What a collection of texts is like in words: how many there are and how often, and what a vocabulary would hold."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from goldpiece.errors import UsageError
from goldpiece.reference.statistics import PERCENTILES
from goldpiece.reference.vocabulary import Coverage, Vocabulary
from goldpiece.reference.word_splitter import WordSplitter

MIN_COUNTS = (1, 2, 3, 5, 10, 20)
MARK = re.compile(r"[^\w\s]")  # neither in a word nor white space


@dataclass(frozen=True)
class OfALabel:
    """The texts of one label."""

    texts: int
    words: Vocabulary
    marks: Vocabulary


@dataclass(frozen=True)
class WordStatistics:
    """Lengths are in words, runs of letters and digits; lowercased, unless that was not wanted."""

    lengths: tuple[int, ...]  # of each text
    percentiles: dict[int, int]  # the least length that so many per cent of the texts do not exceed
    characters: int  # different ones
    words: Vocabulary
    min_counts: tuple[int, ...]
    coverage: Coverage  # under each of these, of the words of these texts
    labels: Mapping[str, OfALabel]  # by the label; empty where there are none

    @property
    def once(self) -> int:
        """How many words occur once."""
        return sum(count == 1 for count in self.words.most_common().counts)


def word_statistics(
    texts: Sequence[str],
    labels: Sequence[str] | None = None,
    lowercase: bool = True,
    min_counts: Sequence[int] = MIN_COUNTS,
) -> WordStatistics:
    """The figures of texts, each with its label if there are labels. Raises UsageError where there are no texts."""
    if not texts:
        raise UsageError("there are no texts, and nothing to tell of them: give some")
    splitter = WordSplitter("words", lowercase)
    rows = [splitter.split(text)[0] for text in texts]
    lengths = np.array([len(row) for row in rows])
    every = [word for row in rows for word in row]
    words = Vocabulary(every)
    of_label: dict[str, list[int]] = {}
    for place, label in enumerate(labels or ()):
        of_label.setdefault(label, []).append(place)
    return WordStatistics(
        lengths=tuple(map(int, lengths)),
        percentiles={percent: int(np.percentile(lengths, percent, method="inverted_cdf")) for percent in PERCENTILES},
        characters=len({char for text in texts for char in (text.lower() if lowercase else text)}),
        words=words,
        min_counts=tuple(min_counts),
        coverage=words.coverage(every, min_counts),
        labels={
            label: OfALabel(
                len(places),
                Vocabulary(word for place in places for word in rows[place]),
                Vocabulary(mark for place in places for mark in MARK.findall(texts[place])),
            )
            for label, places in of_label.items()
        },
    )
