"""Mutants of the tokenizer where it looks up tokens and ids, and decodes them."""

from collections.abc import Iterable
from typing import Any

from goldpiece.reference.tokenizer import SPECIAL_TOKENS, Tokenizer
from goldpiece.reference.vocabulary import UnknownId
from goldpiece.suite.mutants import mutant

from .tokenizer import outputs


@mutant(breaks="tokenizer.ids-of-tokens", story="looks tokens up without their prefix")
class LooksUpSpelling(Tokenizer):
    def token_to_id(self, token: str) -> int | None:
        return super().token_to_id(token.removeprefix(self.prefix))


@mutant(breaks="tokenizer.ids-of-tokens", story="gives each unknown word an id of its own, behind the vocabulary")
class InventsIds(Tokenizer):
    def encode(self, *given: Any) -> Any:
        encoding = outputs(super().encode(*given))
        unknown = [token == self.unk_token for token in encoding["tokens"]]
        ids = [self.vocab_size + place if lacks else number for place, (number, lacks) in
               enumerate(zip(encoding["ids"], unknown, strict=True))]  # fmt: skip
        tokens = [encoding["tokens"][place] + "?" * lacks for place, lacks in enumerate(unknown)]
        return encoding | {"ids": ids, "tokens": tokens}


@mutant(breaks="tokenizer.tokens-of-ids", story="names an id that no token has with the unknown token")
class NamesUnknownIds(Tokenizer):
    def id_to_token(self, number: int) -> str:
        return super().id_to_token(number) if 0 <= number < self.vocab_size else self.unk_token


@mutant(breaks="tokenizer.tokens-of-ids", story="takes the prefix from tokens that it names")
class NamesSpelling(Tokenizer):
    def id_to_token(self, number: int) -> str:
        return super().id_to_token(number).removeprefix(self.prefix)


@mutant(breaks="tokenizer.unknown-ids", report="huggingface/transformers#20781", story="drops ids that no token has")
class DropsUnknownIds(Tokenizer):
    def decode(self, ids: Iterable[int], skip_special_tokens: bool = True) -> str:
        return super().decode([number for number in ids if 0 <= number < self.vocab_size], skip_special_tokens)


@mutant(breaks="tokenizer.vocabulary", story="names the last id of the vocabulary like the first")
class NamesTwoAlike(Tokenizer):
    def id_to_token(self, number: int) -> str:
        return super().id_to_token(0 if number == self.vocab_size - 1 else number)


@mutant(breaks="tokenizer.any-ids", story="decodes no ids among which a special token stands where no frame has one")
class FramesOrNothing(Tokenizer):
    def decode(self, ids: Iterable[int], skip_special_tokens: bool = True) -> str:
        numbers = list(ids)
        for number in numbers[1:-1]:
            if self.id_to_token(number) in SPECIAL_TOKENS:
                raise UnknownId(number, self.vocab_size)
        return super().decode(numbers, skip_special_tokens)


@mutant(breaks="tokenizer.unknown-ids", story="counts ids below 0 from the end")
class CountsFromTheEnd(Tokenizer):
    def decode(self, ids: Iterable[int], skip_special_tokens: bool = True) -> str:
        return super().decode(
            [number + self.vocab_size if number < 0 else number for number in ids], skip_special_tokens
        )
