"""Faults of a trainer of any kind, in its entries, alphabet and counts; each of them is a mutant of every trainer."""

import unicodedata
from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, TypeVar

from goldpiece.reference.training import Form, Part, Trained, Trainer
from goldpiece.suite.mutants import mutant

K = TypeVar("K", bound=type)


@dataclass(frozen=True)
class Fault:
    """What is wrong with a trainer, before it is said which trainer that is."""

    breaks: str  # the id of a clause, without the component
    story: str
    kind: type


FAULTS: list[Fault] = []


def fault(breaks: str, story: str) -> Callable[[K], K]:
    """Makes a class a fault that every trainer can have."""

    def mark(kind: K) -> K:
        FAULTS.append(Fault(breaks, story, kind))
        return kind

    return mark


def mutants_of(trainer: type, module: str, reports: Mapping[str, str]) -> dict[str, type]:
    """A mutant of a trainer for each fault, as the classes of a module; `reports` says what some of them re-enact."""
    component = module.rpartition(".")[2]
    made: dict[str, type] = {}
    for each in FAULTS:
        name = each.kind.__name__
        broken = type(name, (each.kind, trainer), {"__module__": module})
        made[name] = mutant(f"{component}.{each.breaks}", each.story, reports.get(name, ()))(broken)
    return made


def right(trainer: Trainer, **changed: object) -> Trainer:
    """A trainer without the fault, with the same parameters but for those that are named."""
    kind = next(each for each in type(trainer).__mro__ if each.__module__.startswith("goldpiece.reference"))
    same: dict[str, Any] = {each.name: getattr(trainer, each.name) for each in fields(trainer)}
    made: Trainer = kind(**same | changed)
    return made


class Rearranged(Trainer):
    """A trainer whose entries are arranged in another way."""

    def arranged(self, tokens: list[str]) -> list[str]:
        raise NotImplementedError

    def train_from_counts(self, words: Sequence[str], counts: Sequence[int]) -> Trained:
        found = super().train_from_counts(words, counts)
        return found._replace(tokens=self.arranged(found.tokens))


@fault(breaks="specials-first", story="puts the special tokens last")
class SpecialsLast(Rearranged):
    def arranged(self, tokens: list[str]) -> list[str]:
        special = len(self.special_tokens)
        return tokens[special:] + tokens[:special]


@fault(breaks="specials-first", story="sorts the special tokens")
class SortsSpecials(Rearranged):
    def arranged(self, tokens: list[str]) -> list[str]:
        special = len(self.special_tokens)
        return sorted(tokens[:special]) + tokens[special:]


class Changed(Trainer):
    """A trainer that takes some parameters for others."""

    def changed(self, parameters: dict[str, object]) -> None:
        raise NotImplementedError

    def __init__(self, **parameters: object) -> None:
        self.changed(parameters)
        super().__init__(**parameters)  # type: ignore[arg-type]


@fault(breaks="special-token-twice", story="takes a special token that is named twice for one")
class DropsTheSecond(Changed):
    def changed(self, parameters: dict[str, object]) -> None:
        given = parameters.get("special_tokens", ())
        assert isinstance(given, Sequence)
        parameters["special_tokens"] = list(dict.fromkeys(given))


@fault(breaks="alphabet", story="lists the characters in the order in which they are met")
class AlphabetAsMet(Trainer):
    def _alphabet(self, corpus: Mapping[str, int]) -> list[str]:
        met = {symbol: None for word in corpus for symbol in self._symbols(word)}
        known = super()._alphabet(corpus)
        return [symbol for symbol in met if symbol in known] + [symbol for symbol in known if symbol not in met]


@fault(breaks="alphabet", story="leaves out characters that are words by themselves, and stand in no other")
class OnlyLettersBesideOthers(Trainer):
    def _alphabet(self, corpus: Mapping[str, int]) -> list[str]:
        joined = {symbol for word in corpus if len(word) > 1 for symbol in self._symbols(word)}
        return [symbol for symbol in super()._alphabet(corpus) if symbol in joined]


@fault(breaks="initial-alphabet", story="takes only the characters of the words")
class NothingInitial(Changed):
    def changed(self, parameters: dict[str, object]) -> None:
        parameters.pop("initial_alphabet", None)


@fault(breaks="initial-alphabet", story="takes the initial alphabet without the mark of the end of a word")
class InitialUnmarked(Trainer):
    def _initial_forms(self) -> set[Form]:
        return {(character, False) for character in self.initial_alphabet}


@fault(breaks="not-a-character", story="takes the first character of what is several")
class TakesTheFirst(Changed):
    def changed(self, parameters: dict[str, object]) -> None:
        given = parameters.get("initial_alphabet", ())
        assert isinstance(given, Sequence)
        parameters["initial_alphabet"] = [entry[0] for entry in given if entry]


@fault(breaks="limit-alphabet", story="takes what stands on both sides of a lost character for neighbours")
class ClosesTheGap(Trainer):
    def _parts(self, corpus: Mapping[str, int], alphabet: Container[str]) -> Iterable[Part]:
        return [([each for each in self._symbols(word) if each in alphabet], count) for word, count in corpus.items()]


@fault(breaks="limit-alphabet", story="keeps the characters of the lowest code points")
class KeepsTheLowest(Trainer):
    def _characters(self, corpus: Mapping[str, int]) -> Container[str]:
        others = sorted({char for word in corpus for char in word} - set(self.initial_alphabet))
        room = None if self.limit_alphabet is None else max(0, self.limit_alphabet - len(set(self.initial_alphabet)))
        return {*self.initial_alphabet, *others[:room]}


@fault(breaks="limit-alphabet", story="adds the initial alphabet to the characters that may be")
class InitialOnTop(Trainer):
    def _characters(self, corpus: Mapping[str, int]) -> Container[str]:
        known = right(self, initial_alphabet=())._characters(corpus)
        assert isinstance(known, set)
        return known | set(self.initial_alphabet)


@fault(breaks="no-room", story="gives more entries than it was asked for where the alphabet is larger")
class GoesBeyond(Trainer):
    def train_from_counts(self, words: Sequence[str], counts: Sequence[int]) -> Trained:
        found = right(self, size=1 << 20, min_frequency=1 << 60).train_from_counts(words, counts)
        if len(found.tokens) > self.size:
            return found._replace(short_by=0)
        return super().train_from_counts(words, counts)


@fault(breaks="no-room", story="cuts off the end of an alphabet that there is no room for")
class CutsTheAlphabet(Trainer):
    def _alphabet(self, corpus: Mapping[str, int]) -> list[str]:
        return super()._alphabet(corpus)[: max(0, self.size - len(self.special_tokens))]


@fault(
    breaks="specials-are-not-learnt",
    story="hands a special token a second id where a character is spelt like it",
)
class SecondId(Trainer):
    def _alphabet(self, corpus: Mapping[str, int]) -> list[str]:
        return right(self, special_tokens=())._alphabet(corpus)


@fault(breaks="specials-are-not-learnt", story="counts the words that are special tokens")
class CountsSpecials(Trainer):
    def _corpus(self, words: Sequence[str], counts: Sequence[int]) -> Mapping[str, int]:
        return right(self, special_tokens=())._corpus(words, counts)


@fault(breaks="from-counts", story="takes every count for 1")
class EveryCountIsOne(Trainer):
    def train(self, words: Iterable[str]) -> Trained:
        counts = Counter(words)
        return super().train_from_counts(list(counts), list(counts.values()))

    def train_from_counts(self, words: Sequence[str], counts: Sequence[int]) -> Trained:
        return super().train_from_counts(words, [min(count, 1) for count in counts])


@fault(breaks="from-counts", story="keeps the last count of a word that is given again")
class LastCount(Trainer):
    def _corpus(self, words: Sequence[str], counts: Sequence[int]) -> Mapping[str, int]:
        super()._corpus(words, counts)
        last = dict(zip(words, counts, strict=False))
        return super()._corpus(list(last), list(last.values()))


@fault(breaks="counts-do-not-fit", story="takes as many words as there are counts")
class TakesWhatFits(Trainer):
    def _corpus(self, words: Sequence[str], counts: Sequence[int]) -> Mapping[str, int]:
        fits = min(len(words), len(counts))
        return super()._corpus(words[:fits], counts[:fits])


@fault(breaks="counts-do-not-fit", story="takes a negative count for none")
class NegativeIsNone(Trainer):
    def _corpus(self, words: Sequence[str], counts: Sequence[int]) -> Mapping[str, int]:
        return super()._corpus(words, [max(0, count) for count in counts])


class Folded(Trainer):
    """A trainer that reads words in another form."""

    def folded(self, word: str) -> str:
        raise NotImplementedError

    def train_from_counts(self, words: Sequence[str], counts: Sequence[int]) -> Trained:
        return super().train_from_counts([self.folded(word) for word in words], counts)


@fault(breaks="exact-characters", story="composes characters")
class Composes(Folded):
    def folded(self, word: str) -> str:
        return unicodedata.normalize("NFC", word)


@fault(breaks="exact-characters", story="lowercases")
class Lowercases(Folded):
    def folded(self, word: str) -> str:
        return word.lower()


@fault(breaks="exact-characters", story="strips white space")
class Strips(Folded):
    def folded(self, word: str) -> str:
        return word.strip()


@fault(breaks="pure", story="goes on with the words that it was trained on before")
class Remembers(Trainer):
    def _corpus(self, words: Sequence[str], counts: Sequence[int]) -> Mapping[str, int]:
        seen: Counter[str] = self.__dict__.setdefault("seen", Counter())
        seen.update(super()._corpus(words, counts))
        return Counter(seen)
