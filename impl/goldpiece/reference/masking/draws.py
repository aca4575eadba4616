"""The random numbers of a row: a pure function of seed, epoch and the row's key. Clause masking.draws defines them.

Counters give them and no generator is stepped, so that any position can be asked for alone, in any order and by any
number of workers.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

BITS = 2**64 - 1  # all arithmetic is modulo 2^64
GAMMA = 0x9E3779B97F4A7C15  # the step and the mixer are those of SplitMix64 (Steele, Lea, Flood 2014)

SELECTION, ACTION, WORD, SPAN = range(4)  # what a position's numbers are for
STREAMS = 4


def mixed(number: int) -> int:
    """64 bits that each depend on all bits of `number`, one to one."""
    number &= BITS
    number = (number ^ number >> 30) * 0xBF58476D1CE4E5B9 & BITS
    number = (number ^ number >> 27) * 0x94D049BB133111EB & BITS
    return number ^ number >> 31


def absorbed(numbers: Iterable[int]) -> int:
    """A state that depends on all numbers and on their order."""
    state = 0
    for number in numbers:
        state = mixed((state ^ number & BITS) + GAMMA)
    return state


def digest(ids: Sequence[int]) -> int:
    """A number that stands for the ids of a row: their sum, each with a weight of its place."""
    return sum(mixed(GAMMA * (place + 1)) * (number + 1) for place, number in enumerate(ids)) & BITS


@dataclass(frozen=True)
class Draws:
    """The random numbers of one row."""

    state: int

    @classmethod
    def of(cls, seed: int, epoch: int, ids: Sequence[int], index: int | None = None) -> "Draws":
        """Those of a row that is known by its index, else by its own ids, padding not among them."""
        key = (1, digest(ids)) if index is None else (0, index)
        return cls(absorbed((seed, epoch, *key)))

    def number(self, place: int, stream: int) -> int:
        """64 bits for the token at `place`; within a row no two are the same."""
        return mixed(self.state + GAMMA * (STREAMS * place + stream + 1))

    def fraction(self, place: int, stream: int) -> float:
        """A number of [0, 1), of 53 bits."""
        return as_fraction(self.number(place, stream))

    def below(self, limit: int, place: int, stream: int) -> int:
        """A whole number of [0, limit), where `limit` is at most 2^32; none has 1 + limit / 2^32 times its share."""
        return (self.number(place, stream) >> 32) * limit >> 32

    def fraction_of_row(self) -> float:
        """A number of [0, 1) for the row as a whole."""
        return as_fraction(mixed(self.state))


def as_fraction(number: int) -> float:
    """The upper 53 of 64 bits as a fraction."""
    return (number >> 11) / 2**53
