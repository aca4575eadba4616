"""Mutants of masking: chances, words of tokens, leaks and draws. Those of single rows are in masking.py."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from goldpiece.reference.masking import Masked, Masking, Replacement
from goldpiece.reference.masking.draws import Draws
from goldpiece.reference.masking.selection import Row, Selection, Spans
from goldpiece.reference.masking.words import NOT_SELECTED, Leak, Scheme
from goldpiece.suite.mutants import mutant

from .masking import OtherBudget, OtherDraws, right_selection

Spans_ = list[tuple[int, int]]


# Selection.


@mutant(
    breaks="masking.equal-chances",
    report="google-research/text-to-text-transfer-transformer#905",
    story="always leaves the first unit, so that each row begins clean",
)
class BeginsClean(OtherBudget):
    def chosen(self, units: Sequence[range], row: Row) -> list[range]:
        return super().chosen(units[1:], row)


@mutant(breaks="masking.equal-chances", story="selects a word where the lot of any of its tokens is in it")
class LongWordsMore(OtherBudget):
    def chosen(self, units: Sequence[range], row: Row) -> list[range]:
        return [unit for unit in units if any(row.draws.fraction(place, 0) < self.rate for place in unit)]


@mutant(breaks="masking.equal-chances-of-fraction", story="rounds the number of units down, and never up")
class RoundsDown(OtherBudget):
    def chosen(self, units: Sequence[range], row: Row) -> list[range]:
        by_lot = sorted(units, key=lambda unit: row.draws.number(unit.start, 0))
        return by_lot[: int(self.rate * len(units))]


@mutant(breaks="masking.equal-chances-of-fraction", story="takes units that stand side by side, from a random one on")
class TakesNeighbours(OtherBudget):
    def chosen(self, units: Sequence[range], row: Row) -> list[range]:
        count = len(super().chosen(units, row))
        begin = row.draws.below(max(1, len(units) - count + 1), 0, 2)
        return list(units[begin : begin + count])


@mutant(breaks="masking.independence", story="has one lot for two units that stand side by side")
class SelectsInPairs(OtherBudget):
    def chosen(self, units: Sequence[range], row: Row) -> list[range]:
        return [unit for place, unit in enumerate(units) if row.draws.fraction(place // 2, 0) < self.rate]


class OtherSpans(Masking):
    """A mutant that cuts spans with other parameters."""

    @cached_property
    def selection(self) -> Selection:
        return Selection(self.spans(), right_selection(self).budget)

    def spans(self) -> Spans:
        """How it cuts them."""
        return Spans(self.span_p, self.span_limit)


@mutant(breaks="masking.span-lengths", story="has 0.2 for span_p, whatever is asked for")
class SpansFixed(OtherSpans):
    def spans(self) -> Spans:
        return Spans(0.2, self.span_limit)


@mutant(breaks="masking.span-lengths", story="has spans of up to ten words, whatever limit is asked for")
class LimitFixed(OtherSpans):
    def spans(self) -> Spans:
        return Spans(self.span_p, 10)


class _Even(Spans):
    @property
    def chances(self) -> list[float]:
        return [length / self.limit for length in range(1, self.limit)]


@mutant(breaks="masking.span-lengths", story="has spans of each length alike")
class SpansEven(OtherSpans):
    def spans(self) -> Spans:
        return _Even(self.span_p, self.span_limit)


# Replacement.


class OtherReplacement(Masking):
    """A mutant whose replacement is built otherwise."""

    @cached_property
    def replacement(self) -> Replacement:
        return self.changed(super().replacement)

    def changed(self, right: Replacement) -> Replacement:
        """What it has in the place of the right one."""
        return right


@mutant(breaks="masking.rates", report="facebookresearch/fairseq#758", story="never replaces by a random token")
class NeverRandom(OtherReplacement):
    def changed(self, right: Replacement) -> Replacement:
        return replace(right, random_rate=0.0)


@mutant(
    breaks="masking.rates",
    report="lucidrains/mlm-pytorch#6",
    story="draws for the mask anew after the random tokens, and overwrites most of them",
)
class MaskOverwrites(OtherReplacement):
    def changed(self, right: Replacement) -> Replacement:
        return replace(right, random_rate=right.random_rate * (1 - right.mask_rate))


@mutant(breaks="masking.rates", story="masks three in a hundred too many")
class MasksTooMany(OtherReplacement):
    def changed(self, right: Replacement) -> Replacement:
        mask_rate = min(1.0, right.mask_rate + 0.03)
        return replace(right, mask_rate=mask_rate, random_rate=min(right.random_rate, 1 - mask_rate))


@mutant(breaks="masking.rates", story="has 80, 10 and 10 percent, whatever is asked for")
class RatesFixed(OtherReplacement):
    def changed(self, right: Replacement) -> Replacement:
        return replace(right, mask_rate=0.8, random_rate=0.1)


@mutant(breaks="masking.random-words", report="huggingface/transformers#15342", story="may draw special tokens")
class DrawsSpecialTokens(OtherReplacement):
    def changed(self, right: Replacement) -> Replacement:
        return replace(right, random_ids=range(len(self.vocab)))


@mutant(
    breaks="masking.random-words", report="d2l-ai/d2l-en#1979", story="writes the token where the others have their ids"
)
class WritesTheToken(OtherReplacement):
    def changed(self, right: Replacement) -> Replacement:
        return replace(right, random_ids=[self.vocab[number] for number in right.random_ids])  # type: ignore[misc]


@mutant(breaks="masking.random-words", story="never draws the last token")
class NeverTheLast(OtherReplacement):
    def changed(self, right: Replacement) -> Replacement:
        return replace(right, random_ids=right.random_ids[:-1])


@mutant(breaks="masking.random-words", story="draws the first tokens more often, by a remainder")
class ByRemainder(OtherReplacement):
    def changed(self, right: Replacement) -> Replacement:
        return replace(right, random_ids=[right.random_ids[lot % len(right.random_ids)] for lot in range(32)])


@mutant(breaks="masking.random-special", story="never draws special tokens")
class SparesSpecialTokens(OtherReplacement):
    def changed(self, right: Replacement) -> Replacement:
        return replace(right, random_ids=[each for each in right.random_ids if self.vocab[each] not in self._special])


@mutant(breaks="masking.replaces-by-token", story="has one lot for all tokens of a word")
class OneLotForAWord(OtherReplacement):
    def changed(self, right: Replacement) -> Replacement:
        return replace(right, per="unit")


@mutant(breaks="masking.replaces-by-unit", story="has a lot for each token, whatever is asked for")
class OneLotForAToken(OtherReplacement):
    def changed(self, right: Replacement) -> Replacement:
        return replace(right, per="token")


@mutant(breaks="masking.parameters-count", story="masks whole words all, whatever rates are asked for")
class MasksWholeWords(OtherReplacement):
    def changed(self, right: Replacement) -> Replacement:
        return replace(right, mask_rate=1.0, random_rate=0.0) if self.unit == "word" else right


# What a mask depends on.


@mutant(
    breaks="masking.epochs", report="facebookresearch/fairseq#1383", story="has the masks of the first epoch in each"
)
class OneEpoch(OtherDraws):
    def key(self, row: Sequence[int], index: int | None, epoch: int) -> tuple[int, int | None, int]:
        return self.seed, index, 0


@mutant(
    breaks="masking.rows-differ",
    report="facebookresearch/fairseq#1383",
    story="begins anew for each row, so that all have one mask",
)
class OneMask(OtherDraws):
    def key(self, row: Sequence[int], index: int | None, epoch: int) -> tuple[int, int | None, int]:
        return self.seed, 0, epoch


@mutant(breaks="masking.seeds", story="has one seed, whatever is asked for")
class SeedFixed(OtherDraws):
    def key(self, row: Sequence[int], index: int | None, epoch: int) -> tuple[int, int | None, int]:
        return 42, index, epoch


# Words of tokens, segments and leaks.


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
    def identify_word_groups(self, tokens: Sequence[str]) -> Spans_:
        return [
            (start, end)
            for start, end in super().identify_word_groups(tokens)
            if self._scheme.mark != "##" or not tokens[start].startswith("##")
        ]


@mutant(breaks="masking.orphans", story="takes special tokens for words")
class SpecialTokensAreWords(Masking):
    def identify_word_groups(self, tokens: Sequence[str]) -> Spans_:
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
                known[-1 - known.index(new)] if label not in (NOT_SELECTED, new) and new != self.replacement.mask_id else new
                for new, label in zip(*rows, strict=True)
            ]
            for rows in zip(right.input_ids, right.labels, strict=True)
        ]
        return Masked(seen, right.labels)
