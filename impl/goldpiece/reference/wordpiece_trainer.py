"""WordPiece trainer: the neighbours that are likeliest together become one piece. Spec: spec/wordpiece_trainer.yaml."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from goldpiece.errors import GoldpieceError
from goldpiece.reference.bpe import Pair
from goldpiece.reference.training import FIRST_SEEN, Form, Trainer

LIKELIHOOD, FREQUENCY = "likelihood", "frequency"
RULES = (LIKELIHOOD, FREQUENCY)
ANY, WORD_INITIAL = "any", "word_initial"
ELIGIBLE = (ANY, WORD_INITIAL)

SPECIAL_TOKENS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
# By likelihood, pairs of what is rare come first: without a floor the vocabulary fills up with parts of words that are
# met once or twice. The most frequent pairs are as good with any.
FLOOR = {LIKELIHOOD: 20, FREQUENCY: 2}


class UnknownRule(GoldpieceError):
    """A name that stands for no rule of what is merged."""

    def __init__(self, rule: str) -> None:
        super().__init__(f"rule = {rule!r}: give one of {', '.join(RULES)}")


class UnknownEligibility(GoldpieceError):
    """A name that does not say which pairs may be merged."""

    def __init__(self, eligible: str) -> None:
        super().__init__(f"eligible = {eligible!r}: give one of {', '.join(ELIGIBLE)}")


@dataclass(frozen=True)
class WordPieceTrainer(Trainer):
    """`prefix` begins every piece that does not begin a word; `rule` is `likelihood` or `frequency`.

    A `min_frequency` of None is 20 by likelihood and 2 by frequency. `eligible` is `any`, or `word_initial` if the
    first piece of a merge has to begin a word. The other parameters are those of Trainer.
    """

    special_tokens: Sequence[str] = SPECIAL_TOKENS
    min_frequency: int | None = None
    prefix: str = "##"
    rule: str = LIKELIHOOD
    eligible: str = ANY

    def __post_init__(self) -> None:
        """Raises UnknownRule and UnknownEligibility, and what Trainer does."""
        if self.rule not in RULES:
            raise UnknownRule(self.rule)
        if self.eligible not in ELIGIBLE:
            raise UnknownEligibility(self.eligible)
        super().__post_init__()

    @property
    def _floor(self) -> int:
        return FLOOR[self.rule] if self.min_frequency is None else self.min_frequency

    def _forms(self, word: str) -> list[Form]:
        return [(character, place > 0) for place, character in enumerate(word)]

    def _initial_forms(self) -> set[Form]:
        """Any character may begin a word or go on with one."""
        return {(character, continues) for character in self.initial_alphabet for continues in (False, True)}

    def _written(self, form: Form) -> str:
        character, continues = form
        return self.prefix + character if continues else character

    def _score(self, pair: Pair, pairs: Mapping[Pair, int], symbols: Mapping[str, int]) -> tuple[object, ...]:
        """freq(ab) / (freq(a) · freq(b)), exactly; of equals, what occurs more often, unless the corpus decides."""
        often = super()._score(pair, pairs, symbols)
        if self.rule == FREQUENCY:
            return often
        likelihood = Fraction(pairs[pair], symbols[pair[0]] * symbols[pair[1]])
        return (likelihood,) if self.ties == FIRST_SEEN else (likelihood, *often)

    def _joined(self, pair: Pair) -> str:
        first, second = pair
        return first + second.removeprefix(self.prefix)

    def _may_be(self, pair: Pair) -> bool:
        begins_a_word = not self.prefix or not pair[0].startswith(self.prefix)
        return super()._may_be(pair) and (begins_a_word or self.eligible == ANY)

    def _length(self, token: str) -> int:
        """The prefix does not count."""
        return len(token.removeprefix(self.prefix))
