"""Mutants of the pre-tokenizer."""

import re
import string
import unicodedata
from typing import TypeAlias

from goldpiece.reference.pre_tokenizer import PreTokenizer
from goldpiece.suite.mutants import mutant

Words: TypeAlias = tuple[list[str], list[tuple[int, int]]]


class Blind(PreTokenizer):
    """A pre-tokenizer that takes some characters for the letter a."""

    unseen: re.Pattern[str]

    def pre_tokenize(self, text: str) -> Words:
        _, offsets = super().pre_tokenize(self.unseen.sub("a", text))
        return [text[start:end] for start, end in offsets], offsets


@mutant(breaks="pre_tokenizer.white-space", story="does not take the ideographic space for white space")
class KeepsIdeographicSpace(Blind):
    unseen = re.compile("\u3000")


@mutant(breaks="pre_tokenizer.white-space", story="makes a token of a run of white space")
class SpacesAsToken(PreTokenizer):
    def pre_tokenize(self, text: str) -> Words:
        tokens, offsets = super().pre_tokenize(text)
        spans = sorted(offsets + [run.span() for run in re.finditer("[ \t\n]{2,}", text)])
        return ([text[start:end] for start, end in spans], spans) if len(spans) > len(tokens) else (tokens, offsets)


@mutant(
    breaks="pre_tokenizer.white-space", story="cuts where str.split cuts under hf too, also at the separators of ASCII"
)
class PythonsWhiteSpace(PreTokenizer):
    def pre_tokenize(self, text: str) -> Words:
        _, offsets = super().pre_tokenize(re.sub("[\x1c-\x1f]", " ", text))
        return [text[start:end] for start, end in offsets], offsets


@mutant(breaks="pre_tokenizer.punctuation", story="takes only ASCII punctuation for punctuation")
class AsciiPunctuation(PreTokenizer):
    def pre_tokenize(self, text: str) -> Words:
        letters = "".join(
            "a" if unicodedata.category(char)[0] == "P" and char not in string.punctuation else char for char in text
        )
        _, offsets = super().pre_tokenize(letters)
        return [text[start:end] for start, end in offsets], offsets


@mutant(breaks="pre_tokenizer.punctuation", story="keeps ASCII symbols such as $ and + within words")
class SymbolsWithinWords(Blind):
    unseen = re.compile(r"[$+<=>^`|~]")


@mutant(breaks="pre_tokenizer.punctuation", story="keeps an apostrophe with the letters behind it")
class ApostropheWithWord(PreTokenizer):
    def pre_tokenize(self, text: str) -> Words:
        _, offsets = super().pre_tokenize(text)
        joined: list[tuple[int, int]] = []
        for start, end in offsets:
            if joined and joined[-1][1] == start and text[joined[-1][0] : start] == "'":
                joined[-1] = (joined[-1][0], end)
            else:
                joined.append((start, end))
        return [text[start:end] for start, end in joined], joined


@mutant(breaks="pre_tokenizer.punctuation", story="takes a run of one punctuation mark for one token")
class PunctuationRuns(PreTokenizer):
    def pre_tokenize(self, text: str) -> Words:
        _, offsets = super().pre_tokenize(text)
        joined: list[tuple[int, int]] = []
        for start, end in offsets:
            if joined and joined[-1][1] == start and text[start - 1] == text[start] and not text[start].isalnum():
                joined[-1] = (joined[-1][0], end)
            else:
                joined.append((start, end))
        return [text[start:end] for start, end in joined], joined


@mutant(breaks="pre_tokenizer.nothing-lost", story="drops a lone mark at the start of a word")
class DropsLeadingMarks(PreTokenizer):
    def pre_tokenize(self, text: str) -> Words:
        tokens, offsets = super().pre_tokenize(text)
        kept = [place for place, token in enumerate(tokens) if unicodedata.category(token[0])[0] != "M"]
        return [tokens[place] for place in kept], [offsets[place] for place in kept]


@mutant(breaks="pre_tokenizer.nothing-lost", story="cuts around every symbol, and not only around punctuation")
class CutsAtSymbols(PreTokenizer):
    def pre_tokenize(self, text: str) -> Words:
        spans: list[tuple[int, int]] = []
        for start, end in super().pre_tokenize(text)[1]:
            pieces = re.finditer("[€→©]|[^€→©]+", text[start:end])
            spans += [(start + piece.start(), start + piece.end()) for piece in pieces]
        return [text[start:end] for start, end in spans], spans


@mutant(breaks="pre_tokenizer.nothing-lost", story="forgets the last word when no white space follows it")
class ForgetsTheLast(PreTokenizer):
    def pre_tokenize(self, text: str) -> Words:
        tokens, offsets = super().pre_tokenize(text)
        return (tokens[:-1], offsets[:-1]) if offsets and offsets[-1][1] == len(text) else (tokens, offsets)


@mutant(breaks="pre_tokenizer.offsets", report="huggingface/tokenizers#156", story="counts the bytes of UTF-8")
class OffsetsInBytes(PreTokenizer):
    def pre_tokenize(self, text: str) -> Words:
        tokens, offsets = super().pre_tokenize(text)
        places = [0]
        for char in text:
            places.append(places[-1] + len(char.encode("utf-8", "surrogatepass")))
        return tokens, [(places[start], places[end]) for start, end in offsets]


@mutant(
    breaks="pre_tokenizer.offsets",
    report="huggingface/transformers#16321",
    story="takes the first letter of the text for a space that it has put before it",
)
class LosesTheFirstLetter(PreTokenizer):
    def pre_tokenize(self, text: str) -> Words:
        tokens, offsets = super().pre_tokenize(text)
        return tokens, [(start or 1, end) for start, end in offsets]


@mutant(breaks="pre_tokenizer.offsets", story="counts the units of UTF-16")
class OffsetsInUtf16(PreTokenizer):
    def pre_tokenize(self, text: str) -> Words:
        tokens, offsets = super().pre_tokenize(text)
        places = [0]
        for char in text:
            places.append(places[-1] + 1 + (char > "\uffff"))
        return tokens, [(places[start], places[end]) for start, end in offsets]


@mutant(
    breaks="pre_tokenizer.offsets",
    story="looks each token up in the text from the start, and finds an earlier one like it",
)
class OffsetsBySearch(PreTokenizer):
    def pre_tokenize(self, text: str) -> Words:
        tokens, _ = super().pre_tokenize(text)
        return tokens, [(text.index(token), text.index(token) + len(token)) for token in tokens]


@mutant(breaks="pre_tokenizer.any-length", story="counts offsets in sixteen bits")
class SixteenBits(PreTokenizer):
    def pre_tokenize(self, text: str) -> Words:
        tokens, offsets = super().pre_tokenize(text)
        return tokens, [(start & 0xFFFF, end & 0xFFFF) for start, end in offsets]


@mutant(breaks="pre_tokenizer.chunks", story="cuts at punctuation only before the first space")
class CutsBeforeTheFirstSpace(PreTokenizer):
    def pre_tokenize(self, text: str) -> Words:
        first, space, rest = text.partition(" ")
        letters = "".join("a" if char in string.punctuation else char for char in rest)
        _, offsets = super().pre_tokenize(first + space + letters)
        return [text[start:end] for start, end in offsets], offsets


@mutant(breaks="pre_tokenizer.pure", story="goes on counting where the text before ended")
class GoesOnCounting(PreTokenizer):
    def pre_tokenize(self, text: str) -> Words:
        seen: list[str] = self.__dict__.setdefault("seen", [])
        before = sum(map(len, seen))
        seen.append(text)
        tokens, offsets = super().pre_tokenize(text)
        return tokens, [(start + before, end + before) for start, end in offsets]
