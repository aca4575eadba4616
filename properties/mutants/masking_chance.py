"""Mutants of masking: what replaces what is selected, and masks that should differ."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from goldpiece.reference.masking import Masking, Replacement
from goldpiece.suite.mutants import mutant

from .masking import OtherDraws

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
