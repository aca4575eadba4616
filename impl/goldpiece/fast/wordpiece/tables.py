"""What the kernels know of a tokenizer: what each code point is, the vocabulary, and the added tokens."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldpiece.fast.wordpiece import layout, trie
from goldpiece.fast.wordpiece.cache import key_masks
from goldpiece.fast.wordpiece.characters import ALONE, POINTS, character_tables
from goldpiece.reference.normalizer import Normalizer

Ints: TypeAlias = NDArray[np.int64]

MISSING = (1 << 29) - 1  # stands for the unknown token where the vocabulary has none
ASCII_SPACES = b" \t\n\r"


class Tables:
    """Arrays that nothing changes."""

    def __init__(
        self,
        normalizer: Normalizer,
        ids: dict[str, int],
        unknown: int | None,
        prefix: str,
        most_chars: int,
        added: dict[str, int],
    ) -> None:
        chars = character_tables(normalizer)
        encoded = {entry.encode("utf-8", "surrogatepass"): number for entry, number in ids.items()}
        self.lacks_unknown = unknown is None
        self.unknown = MISSING if unknown is None else unknown
        self.bytes_growth, self.chars_growth = chars.bytes_growth, chars.chars_growth
        alone = np.zeros(POINTS, np.uint32)
        alone[chars.alone] = self.unknown + 1
        if most_chars >= 1:
            by_char = {entry: number for entry, number in ids.items() if len(entry) == 1}
            for entry, number in by_char.items():
                if chars.classes[ord(entry)] == ALONE and ord(entry) not in chars.written:
                    alone[ord(entry)] = number + 1
            for point, word in chars.written.items():
                alone[point] = by_char.get(word, self.unknown) + 1
        self._ids = trie.build(encoded)
        self._added = trie.build({token.encode(): number for token, number in added.items()})
        firsts = {ord(token[0]) for token in added}
        self._arrays: dict[int, NDArray[np.generic]] = {
            layout.CLASSES: chars.classes,
            layout.FORMS: chars.forms,
            layout.FORM_BYTES: chars.form_bytes,
            layout.ALONE_IDS: alone,
            layout.ASCII: ascii_table(alone, firsts),
            layout.KEYS: key_masks(),
            layout.TRIE: self._ids,
            layout.ADDED: self._added,
        }
        self._numbers = {
            layout.CONTINUATION: trie.walk(self._ids, prefix.encode("utf-8", "surrogatepass")),
            layout.UNKNOWN: self.unknown,
            layout.MOST_CHARS: max(-1, min(most_chars, 1 << 62)),
        }

    def fill(self, state: Ints) -> None:
        """Puts the addresses of the tables into the state of a worker, which must not outlive them."""
        for place, array in self._arrays.items():
            state[place] = array.ctypes.data
        for place, number in self._numbers.items():
            state[place] = number


def ascii_table(alone: NDArray[np.uint32], firsts: set[int]) -> NDArray[np.uint32]:
    """See goldpiece.fast.wordpiece.layout; `firsts` are the first characters of added tokens."""
    table = np.zeros(256, np.uint32)
    for byte in range(0x21, 0x7F):
        if not chr(byte).isalnum():
            table[byte] = int(alone[byte]) << layout.TAIL_SHIFT | (layout.MAY_BEGIN if byte in firsts else 0)
    for byte in ASCII_SPACES:
        table[byte] = layout.IS_SPACE
    return table
