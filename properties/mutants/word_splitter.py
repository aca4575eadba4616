"""Mutants of the word splitter."""

import re
import string
import unicodedata
from typing import TypeAlias

from goldpiece.reference.word_splitter import WordSplitter
from goldpiece.suite.mutants import mutant

Split: TypeAlias = tuple[list[str], list[tuple[int, int]]]


class Cuts(WordSplitter):
    """A splitter with a pattern of its own for one unit."""

    wrong: str
    of: str

    def split(self, text: str) -> Split:
        if self.unit != self.of:
            return super().split(text)
        written = text.lower() if self.lowercase else text
        sources = [place for place, char in enumerate(text) for _ in (char.lower() if self.lowercase else char)]
        spans = [match.span() for match in re.finditer(self.wrong, written)]
        return (
            [written[start:end] for start, end in spans],
            [(sources[start], sources[end - 1] + 1) for start, end in spans],
        )


@mutant(breaks="word_splitter.white-space", story="cuts at the blank alone")
class CutsAtBlanks(Cuts):
    of, wrong = "white_space", "[^ ]+"


@mutant(
    breaks="word_splitter.white-space",
    story="cuts at what Unicode calls white space, and not at the separators of ASCII",
)
class KeepsSeparators(Cuts):
    of, wrong = "white_space", r"[\S\x1c-\x1f]+"


@mutant(breaks="word_splitter.white-space", story="cuts at a zero-width space")
class CutsAtZeroWidth(Cuts):
    of, wrong = "white_space", r"[^\s\u200b]+"


@mutant(breaks="word_splitter.words", story="knows the letters and digits of ASCII alone")
class AsciiWords(Cuts):
    of, wrong = "words", "[A-Za-z0-9_]+"


@mutant(breaks="word_splitter.words", story="cuts at the low line")
class CutsAtTheLowLine(Cuts):
    of, wrong = "words", r"[^\W_]+"


@mutant(breaks="word_splitter.words", story="drops words of one letter, as a vectorizer does")
class DropsSingleLetters(Cuts):
    of, wrong = "words", r"\w\w+"


@mutant(breaks="word_splitter.words", story="keeps marks within words, as other engines' \\w does")
class MarksWithinWords(WordSplitter):
    def split(self, text: str) -> Split:
        if self.unit != "words":
            return super().split(text)
        letters = "".join("a" if unicodedata.category(char)[0] == "M" else char for char in text)
        _, offsets = WordSplitter("words", lowercase=False).split(letters)
        return [text[start:end].lower() if self.lowercase else text[start:end] for start, end in offsets], offsets


@mutant(breaks="word_splitter.words-and-marks", story="takes marks that stand together for one token")
class RunsOfMarks(Cuts):
    of, wrong = "words_and_marks", r"\w+|[^\w\s]+"


@mutant(breaks="word_splitter.words-and-marks", story="drops every mark that is not of ASCII")
class AsciiMarks(Cuts):
    of, wrong = "words_and_marks", rf"\w+|[{re.escape(string.punctuation)}]"


@mutant(breaks="word_splitter.characters", story="drops white space")
class DropsSpaces(Cuts):
    of, wrong = "characters", r"\S"


@mutant(breaks="word_splitter.characters", story="drops line ends, which the dot of a pattern does not match")
class DropsLineEnds(Cuts):
    of, wrong = "characters", "."


@mutant(breaks="word_splitter.characters", story="keeps a mark with its letter")
class KeepsMarksWithLetters(Cuts):
    of, wrong = "characters", r"(?s:.[\u0300-\u036f]*)"


@mutant(breaks="word_splitter.lowercase", story="lowercases whatever it is told")
class AlwaysLowercases(WordSplitter):
    def split(self, text: str) -> Split:
        tokens, offsets = super().split(text)
        return [token.lower() for token in tokens], offsets


@mutant(breaks="word_splitter.lowercase", story="lowercases token by token, so that an apostrophe ends a Greek word")
class LowercasesTokens(WordSplitter):
    def split(self, text: str) -> Split:
        tokens, offsets = WordSplitter(self.unit, lowercase=False).split(text)
        return [token.lower() for token in tokens] if self.lowercase else tokens, offsets


@mutant(breaks="word_splitter.lowercase", story="folds case, which makes ss of a sharp s")
class FoldsCase(WordSplitter):
    def split(self, text: str) -> Split:
        tokens, offsets = super().split(text)
        return [token.casefold() for token in tokens] if self.lowercase else tokens, offsets


@mutant(breaks="word_splitter.offsets", story="gives offsets in the lowercased text")
class OffsetsInLowercased(WordSplitter):
    def split(self, text: str) -> Split:
        return WordSplitter(self.unit, lowercase=False).split(text.lower() if self.lowercase else text)


@mutant(breaks="word_splitter.offsets", story="counts the bytes of UTF-8")
class OffsetsInBytes(WordSplitter):
    def split(self, text: str) -> Split:
        tokens, offsets = super().split(text)
        places = [0]
        for char in text:
            places.append(places[-1] + len(char.encode("utf-8", "surrogatepass")))
        return tokens, [(places[start], places[end]) for start, end in offsets]


@mutant(breaks="word_splitter.offsets", story="looks each token up in the text, and finds an earlier one like it")
class OffsetsBySearch(WordSplitter):
    def split(self, text: str) -> Split:
        tokens, offsets = super().split(text)
        starts = [text.find(text[start:end]) for start, end in offsets]
        return tokens, [(first, first + end - start) for first, (start, end) in zip(starts, offsets, strict=True)]


@mutant(breaks="word_splitter.unknown-unit", story="takes a name that it does not know for the default")
class TakesAnyUnit(WordSplitter):
    def __init__(self, unit: str = "words_and_marks", lowercase: bool = True) -> None:
        known = unit if unit in ("white_space", "words", "characters") else "words_and_marks"
        super().__init__(known, lowercase)  # type: ignore[arg-type]


@mutant(breaks="word_splitter.any-length", story="counts offsets in sixteen bits")
class SixteenBits(WordSplitter):
    def split(self, text: str) -> Split:
        tokens, offsets = super().split(text)
        return tokens, [(start & 0xFFFF, end & 0xFFFF) for start, end in offsets]


@mutant(breaks="word_splitter.pure", story="goes on counting where the text before ended")
class GoesOnCounting(WordSplitter):
    def split(self, text: str) -> Split:
        before = self.__dict__.get("before", 0)
        self.__dict__["before"] = before + len(text)
        tokens, offsets = super().split(text)
        return tokens, [(start + before, end + before) for start, end in offsets]
