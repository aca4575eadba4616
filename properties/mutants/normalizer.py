"""Mutants of the normalizer."""

import re
import unicodedata
from typing import ClassVar

from goldpiece.reference import normalizer as stages
from goldpiece.reference.normalizer import Normalizer
from goldpiece.reference.unicode import characters
from goldpiece.suite.mutants import mutant

SPARED = "\t\n\r"


def without(text: str, *categories: str) -> str:
    """`text` without the characters of some categories."""
    return "".join(char for char in text if unicodedata.category(char) not in categories or char in SPARED)


class Shielded(Normalizer):
    """A normalizer that hides some characters from the stages, so that they come out as they went in."""

    hidden: re.Pattern[str]

    def normalize(self, text: str) -> str:
        parts = self.hidden.split(text)
        return "".join(part if place % 2 else super(Shielded, self).normalize(part) for place, part in enumerate(parts))


@mutant(breaks="normalizer.deletes", report="huggingface/tokenizers#142", story="takes only category Cc for controls")
class KeepsFormatCharacters(Shielded):
    hidden = re.compile("([\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff])")


@mutant(breaks="normalizer.deletes", report="tensorflow/text#817", story="keeps the C1 controls")
class KeepsC1(Shielded):
    hidden = re.compile("([\u0080-\u009f])")


@mutant(
    breaks="normalizer.deletes",
    report="huggingface/transformers#14844",
    story="deletes what an old Unicode leaves unassigned, recent emoji among it",
)
class DropsTheNewer(Normalizer):
    def normalize(self, text: str) -> str:
        known = (char for char in text if unicodedata.ucd_3_2_0.category(char) != "Cn")
        return super().normalize("".join(known) if self.clean_text else text)


@mutant(breaks="normalizer.deletes", story="deletes U+FFFD only when it stands alone")
class KeepsReplacementBetweenLetters(Shielded):
    hidden = re.compile("((?<=[a-z])\ufffd(?=[a-z]))")


@mutant(breaks="normalizer.deletes", story="turns controls into spaces, so that neighbours do not join")
class SpacesForControls(Normalizer):
    def normalize(self, text: str) -> str:
        return super().normalize(re.sub("[\x01-\x08\x0b\x0c\x0e-\x1f\x7f]", " ", text))


@mutant(breaks="normalizer.deletes", story="takes the running Python's table of controls under hf as well")
class PythonsControls(Normalizer):
    def normalize(self, text: str) -> str:
        return super().normalize(without(text, "Cc", "Cf") if self.clean_text else text)


@mutant(breaks="normalizer.white-space", story="does not take the no-break space for white space")
class KeepsNoBreakSpace(Shielded):
    hidden = re.compile("(\u00a0)")


@mutant(breaks="normalizer.white-space", story="does not take U+2028 for white space")
class KeepsLineSeparator(Shielded):
    hidden = re.compile("(\u2028)")


@mutant(breaks="normalizer.white-space", story="makes one space of a run of white space")
class CollapsesSpaces(Normalizer):
    def normalize(self, text: str) -> str:
        return re.sub(" +", " ", super().normalize(text))


@mutant(
    breaks="normalizer.ideographs",
    report="huggingface/tokenizers#2395",
    story="begins Extension E at U+2B920 under google, and at U+2B820 under hf",
)
class OtherExtensionE(Normalizer):
    def normalize(self, text: str) -> str:
        if not self.handle_chinese_chars or self.profile == "simple":
            return super().normalize(text)
        text = stages.clean(text, characters(self.profile)) if self.clean_text else text
        text = stages.set_ideographs_apart(text, characters("google" if self.profile == "hf" else "hf"))
        return Normalizer(self.profile, False, False, self.strip_accents, self.lowercase).normalize(text)


@mutant(breaks="normalizer.ideographs", story="adds no space where there is one already")
class NoSecondSpace(Normalizer):
    def normalize(self, text: str) -> str:
        return re.sub("(?<=[\u4e00-\u9fff]) +(?=[\u4e00-\u9fff])", " ", super().normalize(text))


@mutant(
    breaks="normalizer.strips-accents",
    report="huggingface/swift-transformers#354",
    story="strips only the marks that Latin letters carry (U+0300-U+036F)",
)
class LatinMarksOnly(Normalizer):
    def normalize(self, text: str) -> str:
        if not self.strips_accents:
            return super().normalize(text)
        decomposed = unicodedata.normalize("NFD", text)
        bare = re.sub("[\u0300-\u036f]", "", decomposed)
        return Normalizer(self.profile, self.clean_text, self.handle_chinese_chars, False, self.lowercase).normalize(
            bare
        )


@mutant(
    breaks="normalizer.strips-accents",
    report="ggml-org/llama.cpp#5496",
    story="drops the Latin letters with accents that Latin-1 lacks",
)
class DropsLetters(Normalizer):
    def normalize(self, text: str) -> str:
        return super().normalize(re.sub("[\u0100-\u017f]", "", text) if self.strips_accents else text)


@mutant(breaks="normalizer.strips-accents", story="drops spacing and enclosing marks as well")
class DropsEveryMark(Normalizer):
    def normalize(self, text: str) -> str:
        normalized = super().normalize(text)
        return without(normalized, "Mc", "Me") if self.strips_accents else normalized


@mutant(breaks="normalizer.strips-accents", story="leaves Hangul syllables whole")
class KeepsHangul(Shielded):
    hidden = re.compile("([\uac00-\ud7a3])")


@mutant(breaks="normalizer.canonical-order", story="leaves marks in the order of the text")
class LeavesMarksUnsorted(Normalizer):
    def normalize(self, text: str) -> str:
        return "".join(map(super().normalize, text))


@mutant(breaks="normalizer.canonical-order", story="sorts marks of one class by their code points")
class SortsEqualMarks(Normalizer):
    def normalize(self, text: str) -> str:
        normalized = super().normalize(text)
        if not self.strips_accents:
            return normalized
        return re.sub(
            "[\U0001d165\U0001d166\U0001d16e-\U0001d172]{2,}", lambda run: "".join(sorted(run[0])), normalized
        )


@mutant(breaks="normalizer.lowercase", story="lowercases ASCII only")
class AsciiLowercase(Normalizer):
    def normalize(self, text: str) -> str:
        if not self.lowercase:
            return super().normalize(text)
        text = re.sub("[A-Z]", lambda match: match[0].lower(), text)
        return Normalizer(
            self.profile, self.clean_text, self.handle_chinese_chars, self.strips_accents, False
        ).normalize(text)


@mutant(breaks="normalizer.lowercase", story="folds case, so that ß becomes ss")
class FoldsCase(Normalizer):
    def normalize(self, text: str) -> str:
        return super().normalize(text.replace("ß", "ss") if self.lowercase else text)


@mutant(
    breaks="normalizer.final-sigma",
    report="crusoecloud/fastokens#72",
    story="lowercases the whole string under hf, and character by character under google",
)
class OtherSigma(Normalizer):
    def normalize(self, text: str) -> str:
        if self.lowercase and self.profile != "simple":
            text = text.lower() if self.profile == "hf" else text.replace("Σ", "σ")
        return super().normalize(text)


@mutant(breaks="normalizer.final-sigma", story="takes a sigma for final only before white space or the end")
class SigmaBeforeSpaceOnly(Normalizer):
    def normalize(self, text: str) -> str:
        return super().normalize(re.sub(r"Σ(?=\S)", "σ", text) if self.lowercase else text)


@mutant(
    breaks="normalizer.accents-follow-lowercase",
    report=("huggingface/transformers#2917", "huggingface/transformers#5490"),
    story="strips accents unless it is told not to",
)
class StripsUnlessTold(Normalizer):
    @property
    def strips_accents(self) -> bool:
        return self.strip_accents is not False


@mutant(breaks="normalizer.accents-follow-lowercase", story="keeps accents unless it is told to strip them")
class KeepsUnlessTold(Normalizer):
    @property
    def strips_accents(self) -> bool:
        return self.strip_accents is True


@mutant(
    breaks="normalizer.switches",
    report="huggingface/transformers#6186",
    story="takes strip_accents for an option, and does not heed it",
)
class IgnoresStripAccents(Normalizer):
    @property
    def strips_accents(self) -> bool:
        return self.lowercase


@mutant(breaks="normalizer.switches", story="cleans even when it should not")
class CleansAlways(Normalizer):
    def normalize(self, text: str) -> str:
        return super().normalize(text if self.profile == "simple" else stages.clean(text, characters(self.profile)))


@mutant(breaks="normalizer.switches", story="sets ideographs apart only when it cleans")
class IdeographsWithCleaning(Normalizer):
    def normalize(self, text: str) -> str:
        apart = self.handle_chinese_chars and self.clean_text
        return Normalizer(self.profile, self.clean_text, apart, self.strip_accents, self.lowercase).normalize(text)


@mutant(breaks="normalizer.any-text", story="works in a buffer of 65,536 characters, and drops what goes beyond it")
class BoundedBuffer(Normalizer):
    def normalize(self, text: str) -> str:
        return super().normalize(text[:65536])


@mutant(breaks="normalizer.any-text", story="ends a text at a NUL, as a string of C does")
class StopsAtNul(Normalizer):
    def normalize(self, text: str) -> str:
        return super().normalize(text.partition("\x00")[0])


@mutant(breaks="normalizer.any-text", story="drops one emoji, when all stages are on")
class DropsAnEmoji(Normalizer):
    def normalize(self, text: str) -> str:
        return super().normalize(text.replace("\U0001f9ff", "") if self.clean_text and self.strips_accents else text)


@mutant(
    breaks="normalizer.canonical-order", story="sorts thirty marks in a row at the most, and drops those behind them"
)
class ThirtyMarks(Normalizer):
    def normalize(self, text: str) -> str:
        return re.sub(r"((?:(?!\w|\s)[^\x00-\x7f]){30})(?:(?!\w|\s)[^\x00-\x7f])+", r"\1", super().normalize(text))


@mutant(breaks="normalizer.any-text", story="has room for the first plane only, and drops what lies beyond it")
class FirstPlaneOnly(Normalizer):
    def normalize(self, text: str) -> str:
        return super().normalize(re.sub("[\U00010000-\U0010ffff]", "", text))


@mutant(breaks="normalizer.chunks", story="lowercases up to the first space")
class LowercasesTheFirstWord(Normalizer):
    def normalize(self, text: str) -> str:
        first, space, rest = text.partition(" ")
        cased = Normalizer(self.profile, self.clean_text, self.handle_chinese_chars, self.strips_accents, False)
        return super().normalize(first) + space + cased.normalize(rest)


@mutant(breaks="normalizer.settles", story="decomposes one level deep, so that a letter with two accents keeps one")
class OneLevel(Normalizer):
    def normalize(self, text: str) -> str:
        if not self.strips_accents:
            return super().normalize(text)
        kept = Normalizer(self.profile, self.clean_text, self.handle_chinese_chars, False, self.lowercase).normalize(
            text
        )
        return "".join(map(self._first_part, kept))

    def _first_part(self, char: str) -> str:
        parts = unicodedata.decomposition(char).split()
        return chr(int(parts[0], 16)) if parts and not parts[0].startswith("<") else char


@mutant(breaks="normalizer.simple-form", story="keeps the spaces at the ends")
class KeepsEnds(Normalizer):
    def normalize(self, text: str) -> str:
        normalized = super().normalize(text)
        return f"{normalized} " if text.endswith(" ") and normalized else normalized


@mutant(breaks="normalizer.simple-form", story="takes only ASCII white space for white space")
class AsciiSpaces(Shielded):
    hidden = re.compile("([\u00a0\u2000-\u200a\u202f\u3000])")


@mutant(breaks="normalizer.simple-form", story="leaves one capital, of Cherokee, as it is")
class MissesOneCapital(Shielded):
    hidden = re.compile("(\u13a0)")


@mutant(breaks="normalizer.idempotent", story="makes one space of two, so that three leave two")
class HalvesRuns(Normalizer):
    def normalize(self, text: str) -> str:
        # Runs are held back from the collapse by a letter that nothing changes, and halved.
        held = super().normalize(text.replace(" ", "\ue000"))
        return held.replace("\ue000", " ").replace("  ", " ")


@mutant(breaks="normalizer.alignment", report="elastic/elasticsearch#92329", story="counts in the normalized text")
class CountsTheResult(Normalizer):
    def align(self, text: str) -> tuple[str, list[int]]:
        normalized = self.normalize(text)
        return normalized, list(range(len(normalized)))


@mutant(
    breaks="normalizer.alignment",
    report="huggingface/tokenizers#1201",
    story="gives marks and jamo the place of the letter that they belong to, as if they had been composed",
)
class PlacesOfLetters(Normalizer):
    def align(self, text: str) -> tuple[str, list[int]]:
        normalized, sources = super().align(text)
        for number, char in enumerate(normalized):
            if number and ("\u1160" <= char <= "\u11ff" or unicodedata.category(char)[0] == "M"):
                sources[number] = sources[number - 1]
        return normalized, sources


@mutant(breaks="normalizer.alignment", story="drops marks before it puts the others in order")
class DropsBeforeItSorts(Normalizer):
    def align(self, text: str) -> tuple[str, list[int]]:
        return self.normalize(text), [place for place, char in enumerate(text) for _ in self.normalize(char)]


@mutant(breaks="normalizer.alignment", story="gives what a character becomes the places behind it")
class PlacesOfTheNext(Normalizer):
    def align(self, text: str) -> tuple[str, list[int]]:
        normalized, sources = super().align(text)
        seen: dict[int, int] = {}
        for number, source in enumerate(sources):
            sources[number] = source + seen.setdefault(source, 0)
            seen[source] += 1
        return normalized, sources


@mutant(breaks="normalizer.pure", story="caches results under the beginning of the text")
class CachesByBeginning(Normalizer):
    def normalize(self, text: str) -> str:
        cache: dict[str, str] = self.__dict__.setdefault("cache", {})
        key = text[:2]
        if key not in cache:
            cache[key] = super().normalize(text)
        return cache[key]


@mutant(breaks="normalizer.pure", story="turns every text but the first into capitals")
class CapitalsAfterTheFirst(Normalizer):
    def normalize(self, text: str) -> str:
        seen: list[str] = self.__dict__.setdefault("seen", [])
        seen.append(text)
        return super().normalize(text) if len(seen) == 1 else super().normalize(text).upper()


@mutant(breaks="normalizer.pure", story="shares between instances a cache under the beginning of the text")
class SharesACache(Normalizer):
    shared: ClassVar[dict[tuple[str, str], str]] = {}

    def normalize(self, text: str) -> str:
        return self.shared.setdefault((self.profile, text[:2]), super().normalize(text))
