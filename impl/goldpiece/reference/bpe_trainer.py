"""BPE trainer: the most frequent pair of neighbours becomes one symbol, over and over. Spec: spec/bpe_trainer.yaml."""

from collections.abc import Container, Iterator, Set
from dataclasses import dataclass

from goldpiece.reference.training import Form, Trainer


@dataclass(frozen=True)
class BPETrainer(Trainer):
    """`end_of_word` marks the end of a word: the last symbol carries it, or it follows as a symbol of its own.

    The other parameters are those of Trainer: `size` counts special tokens and alphabet as well.
    """

    end_of_word: str = ""
    end_of_word_apart: bool = False

    def _symbols_of(self, forms: Set[Form], kept: Container[str]) -> list[str]:
        """The mark comes last, where it is a symbol of its own."""
        found = super()._symbols_of(forms, kept)
        known = {"", *found, *self.special_tokens}
        return [*found, self.end_of_word] if self.end_of_word_apart and self.end_of_word not in known else found

    def _initial_forms(self) -> set[Form]:
        """Any character may end a word."""
        return {(character, marked) for character in self.initial_alphabet for marked in (False, True)}

    def _forms(self, word: str) -> list[Form]:
        return [(character, place == len(word) - 1) for place, character in enumerate(word)]

    def _written(self, form: Form) -> str:
        character, is_last = form
        return character + self.end_of_word if is_last and not self.end_of_word_apart else character

    def _symbols(self, word: str) -> Iterator[str]:
        yield from super()._symbols(word)
        if self.end_of_word_apart and self.end_of_word:
            yield self.end_of_word
