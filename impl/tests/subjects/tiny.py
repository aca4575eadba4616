"""Tiny subjects, each of which should get one verdict and no other."""

import os
import sys
import time
from typing import Any

from goldpiece.reference.masking import Masked, Masking
from goldpiece.reference.normalizer import Normalizer
from goldpiece.reference.wordpiece import WordPiece


class Right(WordPiece):
    """Always right, and takes lone surrogates."""

    surrogates = True


class Wrong:
    """Always wrong."""

    def __init__(
        self, vocab: list[str], unk_token: str = "[UNK]", prefix: str = "##", max_input_chars: int = 100
    ) -> None:
        pass

    def tokenize(self, word: str) -> list[str]:
        return ["wrong", word]


class Slow(Right):
    """Right, and takes its time."""

    def tokenize(self, word: str) -> list[str]:
        time.sleep(0.03)
        return super().tokenize(word)


class Raises(Wrong):
    """Always raises."""

    def tokenize(self, word: str) -> list[str]:
        raise LookupError(f"no idea what {word!r} is")


class RaisesWhenBuilt(Wrong):
    """Cannot be built."""

    def __init__(self, vocab: list[str]) -> None:
        raise MemoryError(f"{len(vocab)} entries")


class Exits(Wrong):
    """Ends the process instead of answering."""

    def tokenize(self, word: str) -> list[str]:
        raise SystemExit(len(word) * 0)


class Unreadable(Exception):
    """Cannot be shown."""

    def __repr__(self) -> str:
        raise RuntimeError

    __str__ = __repr__


class RaisesWhatCannotBeRead(Wrong):
    """Raises an exception whose message cannot be read."""

    def tokenize(self, word: str) -> list[str]:
        raise Unreadable(word)


class GivesWhatCannotBeRead(Wrong):
    """Gives an object that cannot be shown."""

    def tokenize(self, word: str) -> Unreadable:  # type: ignore[override]
        return Unreadable(word)


class Mutates(WordPiece):
    """Right, and empties the list that it was given."""

    def __init__(self, vocab: list[str], unk_token: str = "[UNK]") -> None:
        super().__init__(list(vocab), unk_token)
        vocab.clear()


class Text(str):
    """A string that has its own idea of how it is written."""

    __slots__ = ()

    def __str__(self) -> str:
        return "nonsense"


class SpeaksItsOwnText(WordPiece):
    """Right, in strings of a class of its own."""

    def tokenize(self, word: str) -> list[str]:
        return [Text(piece) for piece in super().tokenize(word)]


class WrongShape(Wrong):
    """Gives one text where a list of tokens is promised."""

    def tokenize(self, word: str) -> str:  # type: ignore[override]
        return " ".join(word)


class Nothing(Wrong):
    """Has the operation, and supports none of its inputs."""

    def tokenize(self, word: str) -> list[str]:
        raise NotImplementedError("words")


class Shortest(WordPiece):
    """Takes the shortest entry at each place, on which all else that pieces are held to depends."""

    def _longest_match(self, word: str, start: int) -> int:
        ends = (end for end in range(start + 1, len(word) + 1) if self._written(word, start, end) in self._entries)
        return next(ends, start)


class LabelTooMany(Masking):
    """Gives more labels than there are tokens."""

    def mask(self, *rows: Any) -> Masked:
        masked = super().mask(*rows)
        return masked._replace(labels=[[*row, -100] for row in masked.labels])


class NoSuchForm(Right):
    """Says that text comes back in a form that there is not."""

    round_trip = "NFX"


class ListsOutputs(Right):
    """Says what it tells, and not of which operation."""

    outputs = ("ids",)


class LessThanHalf(WordPiece):
    """Right about the few words that it supports."""

    def tokenize(self, word: str) -> list[str]:
        if len(word) > 1:
            raise NotImplementedError("words of more than one letter")
        return super().tokenize(word)


class MoreThanHalf(WordPiece):
    """Right about most words, and does not support the others."""

    def tokenize(self, word: str) -> list[str]:
        if "中" in word:
            raise NotImplementedError("Chinese")
        return super().tokenize(word)


class DefaultsOnly:
    """Takes a vocabulary and no other parameter."""

    def __init__(self, vocab: list[str]) -> None:
        self.model = WordPiece(vocab)

    def tokenize(self, word: str) -> list[str]:
        return self.model.tokenize(word)


class Deaf(WordPiece):
    """Cannot hear the end of words that are too long for it; how long is one more keyword."""

    def __init__(self, vocab: list[str], unk_token: str = "[UNK]", threshold: int = 5) -> None:
        super().__init__(vocab, unk_token)
        object.__setattr__(self, "threshold", threshold)

    def tokenize(self, word: str) -> list[str]:
        return super().tokenize(word[: self.__dict__["threshold"]])


class Moody(WordPiece):
    """Right twice and wrong once, in turn."""

    calls = 0

    def tokenize(self, word: str) -> list[str]:
        Moody.calls += 1
        return ["moody"] if Moody.calls % 3 == 0 else super().tokenize(word)


class ShouldNotMatter(WordPiece):
    """Wrong only where a clause is an option: it refuses lone surrogates, and says that it takes them."""

    surrogates = True

    def tokenize(self, word: str) -> list[str]:
        word.encode()
        return super().tokenize(word)


def normalize(text: str) -> str:
    """A function, without any switch."""
    return Normalizer().normalize(text)


def tokenize(word: str, vocab: list[str], unk_token: str = "[UNK]") -> tuple[str, ...]:
    """A function that takes one parameter besides the vocabulary, and gives a tuple."""
    return tuple(WordPiece(vocab, unk_token).tokenize(word))


class Namespace:
    """An object that holds both components."""

    wordpiece = DefaultsOnly
    normalizer = Normalizer("google")
    profiles = ("google",)


both = Namespace()
ready = Normalizer()
__version__ = "1.2.3"


class Prints(Right):
    """Right, and writes to standard output what is no answer."""

    def tokenize(self, word: str) -> list[str]:
        sys.stdout.write(f"a word: {word!a}\n")
        os.write(1, b"{}\n")
        return super().tokenize(word)


class Aborts(Right):
    """Takes the whole process along where a word holds an x."""

    def tokenize(self, word: str) -> list[str]:
        if "x" in word:
            os.abort()
        return super().tokenize(word)
