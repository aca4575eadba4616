"""What replaces what is selected: the mask token, a random token, or the token itself."""

from collections.abc import Sequence
from dataclasses import dataclass

from goldpiece.reference.masking.draws import ACTION, WORD
from goldpiece.reference.masking.errors import RateOutOfRange, UnknownChoice
from goldpiece.reference.masking.selection import Row, check_rate

PER = ("token", "unit")


@dataclass(frozen=True)
class Replacement:
    """The rule of 80, 10 and 10 percent, with rates of one's own.

    `per` says whether each token of a unit has a lot of its own, or the unit has one for all; a random unit still gets
    a random token for each of its own.
    """

    mask_id: int
    random_ids: Sequence[int]  # what a random token is drawn from, evenly
    mask_rate: float = 0.8
    random_rate: float = 0.1
    per: str = "token"

    def __post_init__(self) -> None:
        check_rate("mask_rate", self.mask_rate)
        check_rate("random_rate", self.random_rate)
        if self.mask_rate + self.random_rate > 1:
            raise RateOutOfRange("mask_rate + random_rate", self.mask_rate + self.random_rate)
        if self.per not in PER:
            raise UnknownChoice("replace_per", self.per, PER)

    def replaced(self, row: Row, units: Sequence[range]) -> list[int]:
        """The ids of the row, with what stands in the place of its selected units."""
        ids = list(row.ids)
        for unit in units:
            for place in unit:
                lot = row.draws.fraction(unit.start if self.per == "unit" else place, ACTION)
                if lot < self.mask_rate:
                    ids[place] = self.mask_id
                elif lot < self.mask_rate + self.random_rate:
                    ids[place] = self.random_ids[row.draws.below(len(self.random_ids), place, WORD)]
        return ids
