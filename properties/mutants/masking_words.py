"""Mutants of masking: words of tokens, segments, leaks, and the draws that are defined."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from goldpiece.reference.masking import NOT_SELECTED, Masked, Masking
from goldpiece.reference.masking.draws import Draws
from goldpiece.reference.masking.selection import Row
from goldpiece.reference.masking.words import Leak, Scheme
from goldpiece.suite.mutants import mutant

from .masking_budgets import OtherBudget

Groups = list[tuple[int, int]]


class _Anywhere(Scheme):
    def marks(self, token: str) -> bool:
        return self.mark[0] in token


@mutant(breaks="masking.continuations", story="takes any token with a # for a continuation")
class HashAnywhere(Masking):
    @cached_property
    def _scheme(self) -> Scheme:
        return _Anywhere(super()._scheme.mark)


class _OneSign(Scheme):
    def __init__(self, mark: str, sign: str) -> None:
        object.__setattr__(self, "mark", mark)
        object.__setattr__(self, "sign", sign)

    def marks(self, token: str) -> bool:
        return token.startswith(self.sign)  # type: ignore[attr-defined]


@mutant(breaks="masking.word-starts", story="takes \u2581 for \u0120")
class OneSignForBoth(Masking):
    @cached_property
    def _scheme(self) -> Scheme:
        right = super()._scheme
        return _OneSign(right.mark, "\u0120") if right.mark == "\u2581" else right


@mutant(breaks="masking.word-starts", story="takes \u0120 for \u2581")
class OtherSignForBoth(Masking):
    @cached_property
    def _scheme(self) -> Scheme:
        right = super()._scheme
        return _OneSign(right.mark, "\u2581") if right.mark == "\u0120" else right


class _EndsBegin(Scheme):
    def begins_word(self, token: str, before: str | None) -> bool:
        return before is None or self.marks(token)


@mutant(breaks="masking.word-ends", story="begins a word at the token that ends one")
class EndsBegin(Masking):
    @cached_property
    def _scheme(self) -> Scheme:
        return _EndsBegin(super()._scheme.mark)


@mutant(breaks="masking.orphans", story="leaves out what continues a word that is not there")
class DropsOrphans(Masking):
    def identify_word_groups(self, tokens: Sequence[str]) -> Groups:
        return [
            (start, end)
            for start, end in super().identify_word_groups(tokens)
            if self._scheme.mark != "##" or not tokens[start].startswith("##")
        ]


@mutant(breaks="masking.orphans", story="takes special tokens for words")
class SpecialTokensAreWords(Masking):
    def identify_word_groups(self, tokens: Sequence[str]) -> Groups:
        return Masking.identify_word_groups(replace(self, special_tokens=()), tokens)


@mutant(breaks="masking.scheme-of-vocabulary", story="takes the first mark that any entry has")
class FirstMark(Masking):
    @cached_property
    def _scheme(self) -> Scheme:
        schemes = map(Scheme, ("##", "\u0120", "\u2581", "</w>"))
        return next(each for each in schemes if any(map(each.marks, self.vocab)))


@mutant(breaks="masking.scheme-of-vocabulary", story="counts entries that are a mark and nothing else")
class BareMarksCount(Masking):
    @cached_property
    def _scheme(self) -> Scheme:
        schemes = [Scheme(mark) for mark in ("</w>", "\u2581", "\u0120", "##")]
        return max(schemes, key=lambda each: sum(map(each.marks, self.vocab)))


@mutant(breaks="masking.segments", story="has no word for a token that begins outside of all segments")
class OutsideIsNone(Masking):
    def segment(self, offsets: Sequence[Sequence[int]], segments: Sequence[Sequence[int]]) -> list[int | None]:
        inside = [any(first <= start < last for first, last in segments) for start, _ in offsets]
        found = super().segment(offsets, segments)
        return [word if held else None for word, held in zip(found, inside, strict=True)]


@mutant(breaks="masking.segments", story="goes by where a token ends")
class ByItsEnd(Masking):
    def segment(self, offsets: Sequence[Sequence[int]], segments: Sequence[Sequence[int]]) -> list[int | None]:
        ends = [(end - 1 if end > start else start, end) for start, end in offsets]
        return super().segment(ends, segments)


@mutant(breaks="masking.leak", story="takes every selected token of a word with several for a leak")
class AllLeak(Masking):
    def leak(self, labels: Sequence[int], groups: Sequence[Sequence[int]]) -> Leak:
        hidden = [label for start, end in groups if end - start > 1 for label in labels[start:end]]
        return Leak(super().leak(labels, groups).selected, sum(label != NOT_SELECTED for label in hidden))


@mutant(breaks="masking.leak", story="counts words and not tokens")
class CountsWords(Masking):
    def leak(self, labels: Sequence[int], groups: Sequence[Sequence[int]]) -> Leak:
        selected = sum(any(label != NOT_SELECTED for label in labels[start:end]) for start, end in groups)
        return Leak(selected, min(selected, super().leak(labels, groups).leaking))


# The draws that are defined.


@mutant(breaks="masking.draws", story="forgets the order of the ids")
class OrderOfIdsForgotten(Masking):
    def draws(self, ids: Sequence[int], index: int | None, epoch: int) -> list[list[int]]:
        return super().draws(sorted(ids), index, epoch)


@mutant(breaks="masking.draws", story="has the same numbers in each epoch")
class EpochNotAbsorbed(Masking):
    def draws(self, ids: Sequence[int], index: int | None, epoch: int) -> list[list[int]]:
        return super().draws(ids, index, 0)


@mutant(breaks="masking.exact-masks", story="selects by the largest numbers")
class LargestFirst(OtherBudget):
    def chosen(self, units: Sequence[range], row: Row) -> list[range]:
        return super().chosen(units, replace(row, draws=_Upside(row.draws.state)))


class _Upside(Draws):
    def number(self, place: int, stream: int) -> int:
        return 2**64 - 1 - super().number(place, stream)


@mutant(breaks="masking.exact-masks", story="draws random tokens by a remainder")
class RandomByRemainder(Masking):
    def mask(self, ids, word_ids=None, attention_mask=None, indexes=None, epoch=0):  # type: ignore[no-untyped-def]
        right = super().mask(ids, word_ids, attention_mask, indexes, epoch)
        known = self.replacement.random_ids
        seen = [
            [
                known[-1 - known.index(new)]
                if label not in (NOT_SELECTED, new) and new != self.replacement.mask_id
                else new
                for new, label in zip(*rows, strict=True)
            ]
            for rows in zip(right.input_ids, right.labels, strict=True)
        ]
        return Masked(seen, right.labels)
