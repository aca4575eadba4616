"""Mutants of the post-processor."""

from collections.abc import Sequence
from dataclasses import replace

from goldpiece.reference.post_processor import Framed, PostProcessor
from goldpiece.suite.mutants import mutant

Tokens = Sequence[str]


@mutant(breaks="post_processor.single", story="leaves out the separator behind a single sequence")
class NoSeparatorBehindOne(PostProcessor):
    def process(self, first: Tokens, second: Tokens | None = None) -> Framed:
        framed = super().process(first, second)
        if second is not None:
            return framed
        return Framed(*(values[:-1] for values in vars(framed).values()))


@mutant(breaks="post_processor.pair", story="takes an empty second sequence for none")
class EmptyIsNone(PostProcessor):
    def process(self, first: Tokens, second: Tokens | None = None) -> Framed:
        return super().process(first, second or None)


@mutant(breaks="post_processor.pair", story="separates the sequences by two separators, as other models do")
class TwoSeparators(PostProcessor):
    def process(self, first: Tokens, second: Tokens | None = None) -> Framed:
        return super().process(first if second is None else [*first, self.sep_token], second)


@mutant(breaks="post_processor.type-ids", report="huggingface/transformers#15735", story="gives every token type id 0")
class AllOfTypeZero(PostProcessor):
    def process(self, first: Tokens, second: Tokens | None = None) -> Framed:
        framed = super().process(first, second)
        return replace(framed, type_ids=[0] * len(framed.tokens))


@mutant(breaks="post_processor.type-ids", story="gives the last separator type id 0")
class LastSeparatorIsFirst(PostProcessor):
    def process(self, first: Tokens, second: Tokens | None = None) -> Framed:
        framed = super().process(first, second)
        return replace(framed, type_ids=[*framed.type_ids[:-1], 0])


@mutant(breaks="post_processor.type-ids", story="gives the separator between the sequences type id 1")
class MiddleSeparatorIsSecond(PostProcessor):
    def process(self, first: Tokens, second: Tokens | None = None) -> Framed:
        framed = super().process(first, second)
        ones = 0 if second is None else len(second) + 2
        return replace(framed, type_ids=[0] * (len(framed.tokens) - ones) + [1] * ones)


@mutant(
    breaks="post_processor.special-tokens-mask",
    story="marks every token that is called like a special one, also one that was in the text",
)
class MarksByName(PostProcessor):
    def process(self, first: Tokens, second: Tokens | None = None) -> Framed:
        framed = super().process(first, second)
        marked = [int(token in (self.cls_token, self.sep_token)) for token in framed.tokens]
        return replace(framed, special_tokens_mask=marked)


@mutant(breaks="post_processor.attention-mask", story="hides the tokens that the frame added")
class HidesTheFrame(PostProcessor):
    def process(self, first: Tokens, second: Tokens | None = None) -> Framed:
        framed = super().process(first, second)
        return replace(framed, attention_mask=[1 - bit for bit in framed.special_tokens_mask])


@mutant(breaks="post_processor.sequence-ids", story="counts a separator to the sequence before it")
class SeparatorInSequence(PostProcessor):
    def process(self, first: Tokens, second: Tokens | None = None) -> Framed:
        framed = super().process(first, second)
        return replace(framed, sequence_ids=[None, *framed.type_ids[1:]])


@mutant(breaks="post_processor.one-length", story="gives the attention mask of the tokens without their frame")
class ShortMask(PostProcessor):
    def process(self, first: Tokens, second: Tokens | None = None) -> Framed:
        framed = super().process(first, second)
        return replace(framed, attention_mask=[1] * framed.special_tokens_mask.count(0))


@mutant(breaks="post_processor.tokens-as-parameters", story='frames with "[CLS]" and "[SEP]" whatever is asked for')
class FrameFixed(PostProcessor):
    def process(self, first: Tokens, second: Tokens | None = None) -> Framed:
        return PostProcessor().process(first, second)
