"""Mutants of the BPE trainer: its entries, its alphabet, and what it counts."""

import unicodedata
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence

from goldpiece.reference.bpe import Pair, merge_pair
from goldpiece.reference.bpe_trainer import BPETrainer
from goldpiece.reference.training import Form, Part, Trained
from goldpiece.suite.mutants import mutant


class Rearranged(BPETrainer):
    """A trainer whose entries are arranged in another way."""

    def arranged(self, tokens: list[str]) -> list[str]:
        raise NotImplementedError

    def train_from_counts(self, words: Sequence[str], counts: Sequence[int]) -> Trained:
        found = super().train_from_counts(words, counts)
        return found._replace(tokens=self.arranged(found.tokens))


@mutant(breaks="bpe_trainer.specials-first", story="puts the special tokens last")
class SpecialsLast(Rearranged):
    def arranged(self, tokens: list[str]) -> list[str]:
        special = len(self.special_tokens)
        return tokens[special:] + tokens[:special]


@mutant(breaks="bpe_trainer.specials-first", story="sorts the special tokens")
class SortsSpecials(Rearranged):
    def arranged(self, tokens: list[str]) -> list[str]:
        special = len(self.special_tokens)
        return sorted(tokens[:special]) + tokens[special:]


class Changed(BPETrainer):
    """A trainer that takes some parameters for others."""

    def changed(self, parameters: dict[str, object]) -> None:
        raise NotImplementedError

    def __init__(self, **parameters: object) -> None:
        self.changed(parameters)
        super().__init__(**parameters)  # type: ignore[arg-type]


@mutant(breaks="bpe_trainer.special-token-twice", story="takes a special token that is named twice for one")
class DropsTheSecond(Changed):
    def changed(self, parameters: dict[str, object]) -> None:
        given = parameters.get("special_tokens", ())
        assert isinstance(given, Sequence)
        parameters["special_tokens"] = list(dict.fromkeys(given))


@mutant(breaks="bpe_trainer.alphabet", story="lists the characters in the order in which they are met")
class AlphabetAsMet(BPETrainer):
    def _alphabet(self, corpus: Mapping[str, int]) -> list[str]:
        met = {symbol: None for word in corpus for symbol in self._symbols(word)}
        known = super()._alphabet(corpus)
        return [symbol for symbol in met if symbol in known] + [symbol for symbol in known if symbol not in met]


@mutant(breaks="bpe_trainer.alphabet", story="leaves the characters out that no merge has joined")
class OnlyLettersOfMerges(BPETrainer):
    def _alphabet(self, corpus: Mapping[str, int]) -> list[str]:
        joined = {symbol for word in corpus if len(word) > 1 for symbol in self._symbols(word)}
        return [symbol for symbol in super()._alphabet(corpus) if symbol in joined]


@mutant(breaks="bpe_trainer.initial-alphabet", story="takes only the characters of the words")
class NothingInitial(Changed):
    def changed(self, parameters: dict[str, object]) -> None:
        parameters.pop("initial_alphabet", None)


@mutant(breaks="bpe_trainer.initial-alphabet", story="takes the initial alphabet without the mark of the end of a word")
class InitialUnmarked(BPETrainer):
    def _initial_forms(self) -> set[Form]:
        return {(character, False) for character in self.initial_alphabet}


@mutant(breaks="bpe_trainer.not-a-character", story="takes the first character of what is several")
class TakesTheFirst(Changed):
    def changed(self, parameters: dict[str, object]) -> None:
        given = parameters.get("initial_alphabet", ())
        assert isinstance(given, Sequence)
        parameters["initial_alphabet"] = [entry[0] for entry in given if entry]


@mutant(breaks="bpe_trainer.limit-alphabet", story="takes what stands on both sides of a lost character for neighbours")
class ClosesTheGap(BPETrainer):
    def _parts(self, corpus: Mapping[str, int], alphabet: Container[str]) -> list[Part]:
        return [([each for each in self._symbols(word) if each in alphabet], count) for word, count in corpus.items()]


@mutant(breaks="bpe_trainer.limit-alphabet", story="keeps the characters of the lowest code points")
class KeepsTheLowest(BPETrainer):
    def _characters(self, corpus: Mapping[str, int]) -> Container[str]:
        others = sorted({char for word in corpus for char in word} - set(self.initial_alphabet))
        room = None if self.limit_alphabet is None else max(0, self.limit_alphabet - len(set(self.initial_alphabet)))
        return {*self.initial_alphabet, *others[:room]}


@mutant(breaks="bpe_trainer.limit-alphabet", story="adds the initial alphabet to the characters that may be")
class InitialOnTop(BPETrainer):
    def _characters(self, corpus: Mapping[str, int]) -> Container[str]:
        known = BPETrainer(self.size, limit_alphabet=self.limit_alphabet)._characters(corpus)
        assert isinstance(known, set)
        return known | set(self.initial_alphabet)


@mutant(breaks="bpe_trainer.no-room", story="gives more entries than it was asked for where the alphabet is larger")
class GoesBeyond(BPETrainer):
    def train_from_counts(self, words: Sequence[str], counts: Sequence[int]) -> Trained:
        large = {**vars(self), "size": 1 << 20}
        found = BPETrainer(**{**large, "min_frequency": 1 << 60}).train_from_counts(words, counts)
        if len(found.tokens) > self.size:
            return found._replace(short_by=0)
        return super().train_from_counts(words, counts)


@mutant(breaks="bpe_trainer.no-room", story="cuts off the end of an alphabet that there is no room for")
class CutsTheAlphabet(BPETrainer):
    def _alphabet(self, corpus: Mapping[str, int]) -> list[str]:
        return super()._alphabet(corpus)[: max(0, self.size - len(self.special_tokens))]


@mutant(breaks="bpe_trainer.end-of-word", story="does not mark the end of a word")
class NoMark(Changed):
    def changed(self, parameters: dict[str, object]) -> None:
        parameters.pop("end_of_word", None)


@mutant(breaks="bpe_trainer.end-of-word", story="puts the characters that carry the mark behind all others")
class MarkedLast(BPETrainer):
    def _alphabet(self, corpus: Mapping[str, int]) -> list[str]:
        return sorted(super()._alphabet(corpus), key=lambda symbol: (len(symbol) > 1, symbol))


@mutant(breaks="bpe_trainer.end-of-word-apart", story="lets the last character carry the mark")
class MarksAttached(Changed):
    def changed(self, parameters: dict[str, object]) -> None:
        parameters.pop("end_of_word_apart", None)


@mutant(breaks="bpe_trainer.end-of-word-apart", story="puts the mark in front of the alphabet")
class MarkInFront(BPETrainer):
    def _alphabet(self, corpus: Mapping[str, int]) -> list[str]:
        found = super()._alphabet(corpus)
        return found[-1:] + found[:-1] if self.end_of_word_apart else found


@mutant(
    breaks="bpe_trainer.specials-are-not-learnt",
    report="huggingface/tokenizers#1200",
    story="hands a special token a second id where a character is spelt like it",
)
class SecondId(BPETrainer):
    def _alphabet(self, corpus: Mapping[str, int]) -> list[str]:
        plain = BPETrainer(self.size, initial_alphabet=self.initial_alphabet)
        return plain._alphabet(corpus)


@mutant(breaks="bpe_trainer.specials-are-not-learnt", story="merges the text of a special token")
class LearnsSpecials(BPETrainer):
    def _may_be(self, pair: Pair) -> bool:
        return super()._may_be(pair) or "".join(pair) in self.special_tokens


@mutant(breaks="bpe_trainer.specials-are-not-learnt", story="counts the words that are special tokens")
class CountsSpecials(BPETrainer):
    def _corpus(self, words: Sequence[str], counts: Sequence[int]) -> Mapping[str, int]:
        return BPETrainer(self.size)._corpus(words, counts)


@mutant(breaks="bpe_trainer.from-counts", story="takes every count for 1")
class EveryCountIsOne(BPETrainer):
    def train(self, words: Iterable[str]) -> Trained:
        counts = Counter(words)
        return super().train_from_counts(list(counts), list(counts.values()))

    def train_from_counts(self, words: Sequence[str], counts: Sequence[int]) -> Trained:
        return super().train_from_counts(words, [min(count, 1) for count in counts])


@mutant(breaks="bpe_trainer.from-counts", story="keeps the last count of a word that is given again")
class LastCount(BPETrainer):
    def _corpus(self, words: Sequence[str], counts: Sequence[int]) -> Mapping[str, int]:
        super()._corpus(words, counts)
        last = dict(zip(words, counts, strict=False))
        return super()._corpus(list(last), list(last.values()))


@mutant(breaks="bpe_trainer.counts-do-not-fit", story="takes as many words as there are counts")
class TakesWhatFits(BPETrainer):
    def _corpus(self, words: Sequence[str], counts: Sequence[int]) -> Mapping[str, int]:
        fits = min(len(words), len(counts))
        return super()._corpus(words[:fits], counts[:fits])


@mutant(breaks="bpe_trainer.counts-do-not-fit", story="takes a negative count for none")
class NegativeIsNone(BPETrainer):
    def _corpus(self, words: Sequence[str], counts: Sequence[int]) -> Mapping[str, int]:
        return super()._corpus(words, [max(0, count) for count in counts])


@mutant(
    breaks="bpe_trainer.large-counts",
    report="huggingface/tokenizers#437",
    story="counts in 32 bits",
)
class CountsIn32Bits(BPETrainer):
    def _score(self, pair: Pair, pairs: Mapping[Pair, int], symbols: Mapping[str, int]) -> tuple[object, ...]:
        return ((pairs[pair] + (1 << 31)) % (1 << 32) - (1 << 31),)


@mutant(breaks="bpe_trainer.prefix", story="sorts the entries when it is done")
class SortsEntries(Rearranged):
    def arranged(self, tokens: list[str]) -> list[str]:
        return sorted(tokens)


@mutant(breaks="bpe_trainer.order-of-words", story="takes of equals the pair that the corpus has first")
class FirstSeenAnyway(Changed):
    def changed(self, parameters: dict[str, object]) -> None:
        parameters["ties"] = "first_seen"


@mutant(breaks="bpe_trainer.spells-the-words", story="leaves out the entries that no word is cut into in the end")
class LeavesPartsOut(BPETrainer):
    def train_from_counts(self, words: Sequence[str], counts: Sequence[int]) -> Trained:
        found = super().train_from_counts(words, counts)
        alphabet = frozenset(found.tokens[: len(found.tokens)])
        parts = self._parts(self._corpus(words, counts), alphabet)
        for pair in found.merges:
            parts = [(merge_pair(symbols, pair), times) for symbols, times in parts]
        used = {symbol for symbols, _ in parts for symbol in symbols}
        return found._replace(tokens=[token for token in found.tokens if token in used])


class Folded(BPETrainer):
    """A trainer that reads words in another form."""

    def folded(self, word: str) -> str:
        raise NotImplementedError

    def train_from_counts(self, words: Sequence[str], counts: Sequence[int]) -> Trained:
        return super().train_from_counts([self.folded(word) for word in words], counts)


@mutant(breaks="bpe_trainer.exact-characters", story="composes characters")
class Composes(Folded):
    def folded(self, word: str) -> str:
        return unicodedata.normalize("NFC", word)


@mutant(breaks="bpe_trainer.exact-characters", story="lowercases")
class Lowercases(Folded):
    def folded(self, word: str) -> str:
        return word.lower()


@mutant(breaks="bpe_trainer.exact-characters", story="strips white space")
class Strips(Folded):
    def folded(self, word: str) -> str:
        return word.strip()


@mutant(breaks="bpe_trainer.pure", story="goes on with the words that it was trained on before")
class Remembers(BPETrainer):
    def _corpus(self, words: Sequence[str], counts: Sequence[int]) -> Mapping[str, int]:
        seen: Counter[str] = self.__dict__.setdefault("seen", Counter())
        seen.update(super()._corpus(words, counts))
        return Counter(seen)
