"""Mutants of the WordPiece model."""

import unicodedata

from goldpiece.reference.wordpiece import UnknownTokenMissing, WordPiece
from goldpiece.suite.mutants import mutant


@mutant(breaks="wordpiece.spells-the-word", story="skips a character that no entry matches, and goes on behind it")
class SkipsWhatItLacks(WordPiece):
    def tokenize(self, word: str) -> list[str]:
        known = [char for place, char in enumerate(word) if self._longest_match(word, place) > place]
        return super().tokenize("".join(known))


@mutant(breaks="wordpiece.longest-match", story="takes the shortest entry that fits")
class ShortestMatch(WordPiece):
    def _longest_match(self, word: str, start: int) -> int:
        fitting = (end for end in range(start + 1, len(word) + 1) if self._written(word, start, end) in self._entries)
        return next(fitting, start)


@mutant(
    breaks="wordpiece.longest-match",
    story="lengthens a piece letter by letter, and stops where one length has no entry",
)
class StopsAtTheFirstGap(WordPiece):
    def _longest_match(self, word: str, start: int) -> int:
        end = start
        while end < len(word) and self._written(word, start, end + 1) in self._entries:
            end += 1
        return end


@mutant(breaks="wordpiece.longest-match", story="numbers entries in sixteen bits, and loses those beyond")
class SixteenBits(WordPiece):
    def __post_init__(self) -> None:
        object.__setattr__(self, "_entries", frozenset(list(self.vocab)[:65536]))


@mutant(breaks="wordpiece.longest-match", story="knows no continuation of more than sixteen letters")
class ShortContinuations(WordPiece):
    def _longest_match(self, word: str, start: int) -> int:
        return super()._longest_match(word[: start + 16] if start else word, start)


@mutant(breaks="wordpiece.unknown-parameter", story="never takes the unknown token for a piece")
class UnknownIsNoPiece(WordPiece):
    def tokenize(self, word: str) -> list[str]:
        pieces = super().tokenize(word)
        return self._unknown(word) if self.unk_token in pieces else pieces


@mutant(
    breaks="wordpiece.all-or-unknown",
    report="google-research/bert#763",
    story="emits the pieces before the dead end, and the unknown token behind them",
)
class UnknownBehindTheStart(WordPiece):
    def tokenize(self, word: str) -> list[str]:
        pieces: list[str] = []
        start = 0
        while start < len(word):
            end = self._longest_match(word, start)
            if end == start:
                return pieces + self._unknown(word)
            pieces.append(self._written(word, start, end))
            start = end
        return pieces


@mutant(
    breaks="wordpiece.all-or-unknown",
    report="probe:tokie-partial-word",
    story="keeps the pieces before the dead end, and drops the rest",
)
class KeepsTheStart(UnknownBehindTheStart):
    def _unknown(self, word: str) -> list[str]:
        return []


@mutant(breaks="wordpiece.all-or-unknown", story="goes back to a shorter piece when it comes to a dead end")
class Backtracks(WordPiece):
    def tokenize(self, word: str) -> list[str]:
        return self._from(word, 0) or super().tokenize(word)

    def _from(self, word: str, start: int) -> list[str] | None:
        if start == len(word):
            return []
        for end in range(len(word), start, -1):
            rest = self._from(word, end) if self._written(word, start, end) in self._entries else None
            if rest is not None:
                return [self._written(word, start, end), *rest]
        return None


@mutant(breaks="wordpiece.word-start", story="lets a continuation begin a word when no other entry fits")
class ContinuationAtTheStart(WordPiece):
    def tokenize(self, word: str) -> list[str]:
        first = next((end for end in range(len(word), 0, -1) if self.prefix + word[:end] in self._entries), 0)
        if first and self._longest_match(word, 0) == 0:
            return super().tokenize(self.prefix + word)
        return super().tokenize(word)


@mutant(
    breaks="wordpiece.word-start",
    story="never lets an entry with the prefix begin a word, not even one that begins with the prefix itself",
)
class NoLiteralPrefix(WordPiece):
    def tokenize(self, word: str) -> list[str]:
        return self._unknown(word) if word.startswith(self.prefix) else super().tokenize(word)


@mutant(breaks="wordpiece.length-limit", story="takes the limit for the first length that is too long")
class LimitOffByOne(WordPiece):
    def tokenize(self, word: str) -> list[str]:
        return self._unknown(word) if len(word) == self.max_input_chars else super().tokenize(word)


@mutant(breaks="wordpiece.length-limit", story="counts the bytes of UTF-8")
class LimitInBytes(WordPiece):
    def tokenize(self, word: str) -> list[str]:
        bytes_ = len(word.encode("utf-8", "surrogatepass"))
        return self._unknown(word) if bytes_ > self.max_input_chars else super().tokenize(word)


@mutant(breaks="wordpiece.length-limit", story="counts the units of UTF-16, as a string of Java or JavaScript does")
class LimitInUtf16(WordPiece):
    def tokenize(self, word: str) -> list[str]:
        units = len(word.encode("utf-16-le", "surrogatepass")) // 2
        return self._unknown(word) if units > self.max_input_chars else super().tokenize(word)


@mutant(
    breaks="wordpiece.length-limit",
    report="huggingface/transformers#17551",
    story="has no limit, which the report takes for right",
)
class NoLimit(WordPiece):
    def tokenize(self, word: str) -> list[str]:
        if len(word) > self.max_input_chars + 1000:  # where this plain code would take for ever
            return super().tokenize(word)
        return WordPiece(self.vocab, self.unk_token, self.prefix, len(word) + 1).tokenize(word)


@mutant(breaks="wordpiece.prefix-parameter", story='uses "##" whatever prefix is asked for')
class PrefixFixed(WordPiece):
    def _written(self, word: str, start: int, end: int) -> str:
        return ("##" if start else "") + word[start:end]


@mutant(breaks="wordpiece.unknown-parameter", story='answers "[UNK]" whatever the unknown token is called')
class UnknownFixed(WordPiece):
    def _unknown(self, word: str) -> list[str]:
        return ["[UNK]"]


@mutant(breaks="wordpiece.unknown-token-missing", story="answers with an unknown token that the vocabulary lacks")
class UnknownInvented(WordPiece):
    def _unknown(self, word: str) -> list[str]:
        return [self.unk_token]


@mutant(
    breaks="wordpiece.unknown-token-missing",
    story="refuses every word when the vocabulary lacks the unknown token",
)
class UnknownAlwaysNeeded(WordPiece):
    def tokenize(self, word: str) -> list[str]:
        if self.unk_token not in self._entries:
            raise UnknownTokenMissing(word, self.unk_token)
        return super().tokenize(word)


@mutant(breaks="wordpiece.empty-pieces", story="takes the empty word for an unknown one")
class EmptyIsUnknown(WordPiece):
    def tokenize(self, word: str) -> list[str]:
        return super().tokenize(word) if word else self._unknown(word)


@mutant(breaks="wordpiece.empty-pieces", story="lets the bare prefix continue a word where nothing else does")
class BarePrefixContinues(WordPiece):
    def tokenize(self, word: str) -> list[str]:
        pieces = super().tokenize(word)
        if pieces == [self.unk_token] and word and self.prefix in self._entries and self.unk_token != word:
            end = self._longest_match(word, 0)
            return [word[:end], self.prefix] if end else pieces
        return pieces


@mutant(breaks="wordpiece.exact-characters", story="looks words up in lower case")
class FoldsCase(WordPiece):
    def tokenize(self, word: str) -> list[str]:
        return super().tokenize(word.casefold())


@mutant(breaks="wordpiece.exact-characters", story="composes words before it looks them up")
class Composes(WordPiece):
    def tokenize(self, word: str) -> list[str]:
        return super().tokenize(unicodedata.normalize("NFC", word))


@mutant(breaks="wordpiece.exact-characters", story="trims white space from words")
class Trims(WordPiece):
    def tokenize(self, word: str) -> list[str]:
        return super().tokenize(word.strip())


@mutant(breaks="wordpiece.exact-characters", story="ends a word at a NUL, as a string of C does")
class StopsAtNul(WordPiece):
    def tokenize(self, word: str) -> list[str]:
        whole, nul, _ = word.partition("\x00")
        fitting = [entry for entry in self.vocab if nul and entry.startswith(whole + nul)]
        return fitting[:1] or super().tokenize(word)


@mutant(breaks="wordpiece.vocabulary-order", story="takes the first entry in the vocabulary that fits")
class FirstEntryWins(WordPiece):
    def _longest_match(self, word: str, start: int) -> int:
        for entry in self.vocab:
            spelt = entry.removeprefix(self.prefix) if start else entry
            if spelt and word.startswith(spelt, start) and self._written(word, start, start + len(spelt)) == entry:
                return start + len(spelt)
        return start


@mutant(breaks="wordpiece.pure", story="caches the pieces of a word under the beginning of the word")
class CachesByBeginning(WordPiece):
    def tokenize(self, word: str) -> list[str]:
        cache: dict[str, list[str]] = self.__dict__.setdefault("cache", {})
        key = word[:2]
        if key not in cache:
            cache[key] = super().tokenize(word)
        return cache[key]


@mutant(breaks="wordpiece.pure", story="forgets an entry once it has used it")
class ForgetsEntries(WordPiece):
    def tokenize(self, word: str) -> list[str]:
        pieces = super().tokenize(word)
        object.__setattr__(self, "_entries", self._entries - (set(pieces[1:]) - {self.unk_token}))
        return pieces
