"""Mutants of the word vocabulary."""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property

from goldpiece.reference.vocabulary import Counted, Coverage, Vocabulary
from goldpiece.suite.mutants import mutant


class Rearranged(Vocabulary):
    """A vocabulary whose entries are arranged in another way."""

    def arranged(self, tokens: list[str]) -> list[str]:
        raise NotImplementedError

    @cached_property
    def tokens(self) -> list[str]:
        return self.arranged(super().tokens)

    @property
    def behind(self) -> list[str]:
        """The entries behind the special tokens."""
        return super().tokens[len(self.special_tokens) :]


@mutant(breaks="vocabulary.specials-first", story="puts the special tokens last")
class SpecialsLast(Rearranged):
    def arranged(self, tokens: list[str]) -> list[str]:
        return [*self.behind, *self.special_tokens]


@mutant(breaks="vocabulary.specials-first", story="sorts the special tokens")
class SortsSpecials(Rearranged):
    def arranged(self, tokens: list[str]) -> list[str]:
        return [*sorted(self.special_tokens), *self.behind]


@mutant(breaks="vocabulary.by-count", story="keeps the order of the corpus")
class InOrderOfTheCorpus(Rearranged):
    def arranged(self, tokens: list[str]) -> list[str]:
        return [*self.special_tokens, *sorted(self.behind, key=list(dict.fromkeys(self.corpus)).index)]


@mutant(breaks="vocabulary.by-count", story="puts the rarest first")
class RarestFirst(Rearranged):
    def arranged(self, tokens: list[str]) -> list[str]:
        return [*self.special_tokens, *sorted(self.behind, key=lambda token: self._counts[token])]


@mutant(breaks="vocabulary.ties", story="sorts what is equally frequent by spelling")
class TiesBySpelling(Rearranged):
    def arranged(self, tokens: list[str]) -> list[str]:
        return [*self.special_tokens, *sorted(self.behind, key=lambda token: (-self._counts[token], token))]


@mutant(breaks="vocabulary.ties", story="takes the last of what is equally frequent first")
class TiesByLastAppearance(Rearranged):
    def arranged(self, tokens: list[str]) -> list[str]:
        order = {token: place for place, token in enumerate(self.corpus)}
        return [*self.special_tokens, *sorted(self.behind, key=lambda token: (-self._counts[token], -order[token]))]


@mutant(breaks="vocabulary.min-count", story="wants one more than min_count")
class MoreThanMinCount(Rearranged):
    def arranged(self, tokens: list[str]) -> list[str]:
        kept = [token for token in self.behind if self._counts[token] > self.min_count or self.min_count == 1]
        return [*self.special_tokens, *kept]


@mutant(breaks="vocabulary.max-size", story="does not count the special tokens")
class SizeWithoutSpecials(Vocabulary):
    def __init__(self, corpus: Iterable[str], max_size: int | None = None, **options: object) -> None:
        special = options.get("special_tokens", ("<pad>", "<unk>"))
        assert isinstance(special, Sequence)
        larger = max_size + len(special) if max_size is not None and max_size >= len(special) else max_size
        super().__init__(corpus, max_size=larger, **options)  # type: ignore[arg-type]


@mutant(breaks="vocabulary.max-size", story="leaves the most frequent out")
class CutsTheFrequent(Rearranged):
    def arranged(self, tokens: list[str]) -> list[str]:
        known = Vocabulary(self.corpus, self.special_tokens, self.unk_token, self.min_count)
        others = known.tokens[len(self.special_tokens) :]
        room = len(others) if self.max_size is None else self.max_size - len(self.special_tokens)
        return [*self.special_tokens, *others[max(0, len(others) - room) :]]


@mutant(breaks="vocabulary.no-room", story="cuts special tokens off where there is no room for them")
class CutsSpecials(Rearranged):
    def __init__(self, corpus: Iterable[str], max_size: int | None = None, **options: object) -> None:
        super().__init__(corpus, max_size=None, **options)  # type: ignore[arg-type]
        object.__setattr__(self, "max_size", max_size)

    def arranged(self, tokens: list[str]) -> list[str]:
        return tokens[: self.max_size]


@mutant(breaks="vocabulary.special-in-corpus", story="lists a special token again where the corpus has it")
class SpecialsTwice(Rearranged):
    def arranged(self, tokens: list[str]) -> list[str]:
        return [*self.special_tokens, *(token for token in self._counts if self._counts[token] >= self.min_count)]


@mutant(breaks="vocabulary.special-in-corpus", story="does not count special tokens")
class SpecialsNotCounted(Vocabulary):
    def entries(self) -> Counted:
        tokens, counts = super().entries()
        skipped = len(self.special_tokens)
        return Counted(tokens, [0] * skipped + counts[skipped:])


@mutant(breaks="vocabulary.special-token-twice", story="takes a special token that is named twice for one")
class DropsTheSecond(Vocabulary):
    def __init__(
        self, corpus: Iterable[str], special_tokens: Sequence[str] = ("<pad>", "<unk>"), **options: object
    ) -> None:
        super().__init__(corpus, tuple(dict.fromkeys(special_tokens)), **options)  # type: ignore[arg-type]


@mutant(
    breaks="vocabulary.unknown-token-not-special", story="notices only at the first unknown token that there is none"
)
class NoticesLate(Vocabulary):
    def __init__(self, corpus: Iterable[str], unk_token: str | None = "<unk>", **options: object) -> None:
        super().__init__(corpus, unk_token=None, **options)  # type: ignore[arg-type]
        object.__setattr__(self, "unk_token", unk_token)


class Folded(Vocabulary):
    """A vocabulary that compares tokens in another form."""

    def folded(self, token: str) -> str:
        raise NotImplementedError

    def __init__(self, corpus: Iterable[str], **options: object) -> None:
        super().__init__([self.folded(token) for token in corpus], **options)  # type: ignore[arg-type]


@mutant(breaks="vocabulary.exact-tokens", story="composes characters")
class Composes(Folded):
    def folded(self, token: str) -> str:
        return unicodedata.normalize("NFC", token)


@mutant(breaks="vocabulary.exact-tokens", story="lowercases")
class Lowercases(Folded):
    def folded(self, token: str) -> str:
        return token.lower()


@mutant(breaks="vocabulary.exact-tokens", story="strips white space")
class Strips(Folded):
    def folded(self, token: str) -> str:
        return token.strip()


@mutant(breaks="vocabulary.bijection", story="counts ids from 1 when it looks up, and from 0 when it decodes")
class CountsFromOne(Vocabulary):
    def encode(self, tokens: Iterable[str]) -> list[int]:
        return [number + 1 for number in super().encode(tokens)]


@mutant(breaks="vocabulary.unknown", story="leaves out what it does not know")
class DropsUnknown(Vocabulary):
    def encode(self, tokens: Iterable[str]) -> list[int]:
        return super().encode(token for token in tokens if token in self)


@mutant(breaks="vocabulary.unknown", story="gives what it does not know the id 1, whatever stands there")
class UnknownIsOne(Vocabulary):
    def encode(self, tokens: Iterable[str]) -> list[int]:
        return [self.ids.get(token, 1) for token in tokens]


@mutant(breaks="vocabulary.unknown", story="looks up in the whole corpus, whatever min_count is")
class IgnoresMinCount(Vocabulary):
    def encode(self, tokens: Iterable[str]) -> list[int]:
        return Vocabulary(self.corpus, self.special_tokens, self.unk_token).encode(tokens)


@mutant(breaks="vocabulary.unknown-token-missing", story="gives the id 0 where nothing stands for the unknown")
class UnknownIsZero(Vocabulary):
    def encode(self, tokens: Iterable[str]) -> list[int]:
        return super().encode(tokens) if self.unk_token else [self.ids.get(token, 0) for token in tokens]


@mutant(breaks="vocabulary.unknown-id", story="counts negative ids from the end")
class CountsFromTheEnd(Vocabulary):
    def decode(self, ids: Iterable[int]) -> list[str]:
        size = len(self)
        return super().decode(number + size if -size <= number < 0 else number for number in ids)


@mutant(breaks="vocabulary.unknown-id", story="gives the unknown token for an id that there is not")
class UnknownForAnyId(Vocabulary):
    def decode(self, ids: Iterable[int]) -> list[str]:
        return [self.tokens[number] if 0 <= number < len(self) else "<unk>" for number in ids]


@mutant(breaks="vocabulary.counts-add-up", story="counts only what becomes an entry")
class CountsEntries(Vocabulary):
    def most_common(self, limit: int | None = None) -> Counted:
        tokens, counts = super().most_common()
        kept = [place for place, token in enumerate(tokens) if token in self][:limit]
        return Counted([tokens[place] for place in kept], [counts[place] for place in kept])


@mutant(breaks="vocabulary.most-common", story="gives at least one token, also for a limit of 0")
class AtLeastOne(Vocabulary):
    def most_common(self, limit: int | None = None) -> Counted:
        return super().most_common(limit or None)


@mutant(breaks="vocabulary.most-common", story="breaks ties by spelling when it lists what is frequent")
class ListsBySpelling(Vocabulary):
    def most_common(self, limit: int | None = None) -> Counted:
        tokens, counts = super().most_common()
        ranked = sorted(zip(tokens, counts, strict=True), key=lambda pair: (-pair[1], pair[0]))[:limit]
        return Counted([token for token, _ in ranked], [count for _, count in ranked])


@mutant(breaks="vocabulary.coverage", story="takes the share of different tokens, and not of all")
class ShareOfDifferent(Vocabulary):
    def coverage(self, tokens: Iterable[str], min_counts: Sequence[int]) -> Coverage:
        return super().coverage(dict.fromkeys(tokens), min_counts)


@mutant(breaks="vocabulary.coverage", story="does not count the special tokens into the size")
class SizesWithoutSpecials(Vocabulary):
    def coverage(self, tokens: Iterable[str], min_counts: Sequence[int]) -> Coverage:
        sizes, unknown = super().coverage(tokens, min_counts)
        return Coverage([size - len(self.special_tokens) for size in sizes], unknown)


@mutant(breaks="vocabulary.monotone", story="gives the figures in the order of the sizes")
class SortsTheFigures(Vocabulary):
    def coverage(self, tokens: Iterable[str], min_counts: Sequence[int]) -> Coverage:
        sizes, unknown = super().coverage(tokens, min_counts)
        return Coverage(sorted(sizes), unknown)


@mutant(breaks="vocabulary.pure", story="learns what it is asked for")
class Learns(Vocabulary):
    def encode(self, tokens: Iterable[str]) -> list[int]:
        several = list(tokens)
        found = super().encode(several)
        for token, count in Counter(several).items():
            self._counts.setdefault(token, count)  # type: ignore[attr-defined]
            if token not in self.tokens:
                self.tokens.append(token)
        return found
