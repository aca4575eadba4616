"""Ids to texts, many rows at once: each token is some bytes as the first of a row, and some as another."""

from collections.abc import Sequence
from itertools import chain, pairwise

import numpy as np
from numpy.typing import NDArray

from goldpiece.fast.wordpiece.compilation import kernel
from goldpiece.fast.wordpiece.memory import copy, int_at, put_int
from goldpiece.reference.decoder import Decoder

FORM = 32  # bytes of what is known of a token: two places in the bytes of all, each with a length
SKIPPED = -1  # the length of a special token that is left out


class Forms:
    """What the tokens of a vocabulary are in a text, with special tokens or without. Made by asking the reference."""

    def __init__(self, tokens: Sequence[str], decoder: Decoder, skip_special_tokens: bool) -> None:
        skipped = set(decoder.special_tokens) if skip_special_tokens else set()
        text = bytearray()
        table = np.zeros((len(tokens), FORM // 8), np.int64)
        for number, token in enumerate(tokens):
            if token in skipped:
                table[number] = SKIPPED
                continue
            first = decoder.decode([token], skip_special_tokens=False)
            later = decoder.decode([token, token], skip_special_tokens=False).removeprefix(first)
            for place, form in enumerate((first, later)):
                written = form.encode("utf-8", "surrogatepass")
                table[number, 2 * place : 2 * place + 2] = len(text), len(written)
                text += written
        self._table, self._text = table, np.frombuffer(bytes(text) or bytes(1), np.uint8)

    def texts(self, ids: NDArray[np.int64], row_starts: NDArray[np.int64]) -> list[str] | None:
        """The texts of rows of ids; None if no token has one of the ids."""
        if len(ids) and (ids.min() < 0 or ids.max() >= len(self._table)):
            return None
        most = int(np.maximum(self._table[:, 1], self._table[:, 3])[ids].clip(0).sum())
        out, ends = np.empty(most + 1, np.uint8), np.zeros(len(row_starts), np.int64)
        table, text = self._table.ctypes.data, self._text.ctypes.data
        given = ids.ctypes.data, row_starts.ctypes.data, len(row_starts) - 1
        _join(table, text, *given, out.ctypes.data, ends.ctypes.data)
        written, borders = out.tobytes(), ends.tolist()
        return [written[start:end].decode("utf-8", "surrogatepass") for start, end in pairwise(borders)]


def flat(rows: Sequence[Sequence[int]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """All ids, and where each row starts."""
    starts = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    return np.fromiter(chain.from_iterable(rows), np.int64, int(starts[-1])), starts


@kernel()
def _join(table: int, text: int, ids: int, starts: int, rows: int, out: int, ends: int) -> None:
    """Writes the texts of rows end to end, and where each of them ends behind the 0 in `ends`."""
    written = 0
    for row in range(rows):
        is_first = True
        for place in range(int_at(starts + 8 * row), int_at(starts + 8 * row + 8)):
            form = table + FORM * int_at(ids + 8 * place)
            if int_at(form + 8) == SKIPPED:
                continue
            if not is_first:
                form += FORM // 2
            is_first = False
            copy(out + written, text + int_at(form), int_at(form + 8))
            written += int_at(form + 8)
        put_int(ends + 8 * row + 8, written)
