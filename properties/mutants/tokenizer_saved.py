"""Mutants of the tokenizer that is saved and read again."""

from dataclasses import replace
from functools import cached_property
from typing import Self

from goldpiece.reference.tokenizer import Tokenizer
from goldpiece.suite.mutants import mutant


@mutant(breaks="tokenizer.saved", story="is read again as one that lowercases, whatever it was")
class ReadAsUncased(Tokenizer):
    @cached_property
    def _read_again(self) -> Self:
        return replace(super()._read_again, lowercase=True)


@mutant(breaks="tokenizer.saved", story="leaves the added tokens out of the file")
class ForgetsAddedTokens(Tokenizer):
    @cached_property
    def _read_again(self) -> Self:
        return replace(super()._read_again, added_tokens=(), verbatim_tokens=())
