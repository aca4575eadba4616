"""One tokenizer by the kernels: rows of texts and pairs, and those of them that the reference has to encode."""

from collections.abc import Sequence
from itertools import pairwise, repeat
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldpiece.encoding import Encodings, IdRows
from goldpiece.errors import UsageError
from goldpiece.fast.wordpiece.coverage import Coverage
from goldpiece.fast.wordpiece.decode import Forms, flat
from goldpiece.fast.wordpiece.engine import Engine
from goldpiece.fast.wordpiece.kernels import NO_TOKEN
from goldpiece.fast.wordpiece.outputs import IDS
from goldpiece.fast.wordpiece.rows import Laid, lay_out
from goldpiece.fast.wordpiece.tables import Tables
from goldpiece.reference import tokenizer as reference
from goldpiece.reference.padding import Padding
from goldpiece.reference.truncation import Truncation

Errors: TypeAlias = Literal["strict", "replace"]


class Twin:
    """What encodes for a tokenizer, with special tokens in text or without."""

    def __init__(self, tokenizer: reference.Tokenizer, parse_special: bool, cache_bytes: int) -> None:
        self._tokenizer, self._parse_special = tokenizer, parse_special
        normalizer, ids = tokenizer._normalizer, tokenizer.ids
        self._coverage = Coverage.of(tokenizer.added, normalizer, parse_special)
        model = tokenizer._model if parse_special else tokenizer._model_of_plain_text
        entries = set(model.vocab)
        tables = Tables(
            normalizer=normalizer,
            ids={entry: ids[entry] for entry in entries if entry},
            unknown=ids[tokenizer.unk_token] if tokenizer.unk_token in entries else None,
            prefix=tokenizer.prefix,
            most_chars=tokenizer.max_input_chars,
            added={token: ids[token] for token in self._coverage.found},
        )
        self.engine = Engine(tables, cache_bytes)
        self._forms: dict[bool, Forms] = {}
        self._frame = ids.get(tokenizer.cls_token, NO_TOKEN), ids.get(tokenizer.sep_token, NO_TOKEN)

    @property
    def has_frame(self) -> bool:
        """Whether the vocabulary has the tokens of a frame; if not, the reference says so."""
        return NO_TOKEN not in self._frame

    def _ids_around(self, framed: bool) -> tuple[int, int]:
        return self._frame if framed else (NO_TOKEN, NO_TOKEN)

    def ids_of_text(self, text: str, framed: bool) -> NDArray[np.int32] | None:
        """The ids of one text; None where it is left to the reference."""
        if not self._coverage.is_whole and self._coverage.leaves(text):
            return None
        return self.engine.ids_of_text(text, *self._ids_around(framed))

    def encodings_of_text(self, text: str, framed: bool) -> Encodings | None:
        """The same with all that is known of the tokens."""
        if not self._coverage.is_whole and self._coverage.leaves(text):
            return None
        arrays = self.engine.tokens_of_text(text, *self._ids_around(framed))
        if arrays is None:
            return None
        starts = np.array((0, len(arrays[IDS])), np.int64)
        return Encodings(**arrays, row_starts=starts, texts=[(text, None)], vocab=self._tokenizer.all_tokens)

    def ids(
        self, texts: Sequence[str], pairs: Sequence[str | None] | None, framed: bool, errors: Errors, workers: int
    ) -> IdRows:
        """The ids of rows, each of a text or of a text and its pair."""
        arrays, starts = self._encode(texts, pairs, framed, errors, workers, with_all=False)
        return IdRows(arrays[IDS], starts)

    def encodings(
        self, texts: Sequence[str], pairs: Sequence[str | None] | None, framed: bool, errors: Errors, workers: int
    ) -> Encodings:
        """The same with all that is known of the tokens."""
        arrays, starts = self._encode(texts, pairs, framed, errors, workers, with_all=True)
        rows = list(zip(texts, pairs or repeat(None), strict=False))
        return Encodings(**arrays, row_starts=starts, texts=rows, vocab=self._tokenizer.all_tokens)

    def lay_out(
        self,
        texts: Sequence[str],
        pairs: Sequence[str | None] | None,
        framed: bool,
        truncation: Truncation | None,
        padding: Padding,
    ) -> Laid:
        """Rows in one width. Raises what the reference raises, if not always the first that it would come upon."""
        firsts = self.ids(texts, None, False, "strict", 1)
        seconds = has_second = None
        if pairs:
            seconds = self.ids([pair or "" for pair in pairs], None, False, "strict", 1)
            has_second = np.array([pair is not None for pair in pairs])
            if len(firsts) != len(seconds):
                raise UsageError(f"{len(firsts)} texts have {len(seconds)} pairs: give one for each, or None")
        return lay_out(firsts, seconds, has_second, self._ids_around(framed), truncation, padding)

    def texts(self, rows: IdRows | Sequence[Sequence[int]], skip_special_tokens: bool) -> list[str] | None:
        """The texts of rows of ids; None if no token has one of the ids."""
        if skip_special_tokens not in self._forms:
            tokens, decoder = self._tokenizer.all_tokens, self._tokenizer._decoder
            self._forms[skip_special_tokens] = Forms(tokens, decoder, skip_special_tokens)
        ids, starts = (rows.flat.astype(np.int64), rows.row_starts) if isinstance(rows, IdRows) else flat(rows)
        return self._forms[skip_special_tokens].texts(ids, starts)

    def _encode(
        self,
        texts: Sequence[str],
        pairs: Sequence[str | None] | None,
        framed: bool,
        errors: Errors,
        workers: int,
        with_all: bool,
    ) -> tuple[dict[str, NDArray[Any]], NDArray[np.int64]]:
        """The arrays of all rows, and where in them each row starts."""
        each, numbers = _in_a_row(texts, pairs) if pairs else (texts, np.zeros(len(texts), np.uint8))
        left = (
            [] if self._coverage.is_whole else [place for place, text in enumerate(each) if self._coverage.leaves(text)]
        )
        found = self.engine.encode(
            each, numbers, self._ids_around(framed), left=left, workers=workers, with_all=with_all
        )
        firsts = np.flatnonzero(numbers == 0)
        starts = np.append(found.starts[firsts], found.starts[-1]) if pairs else found.starts
        if not found.left:
            return found.arrays, starts
        rows = sorted({int(row) for row in np.searchsorted(firsts, found.left, side="right") - 1})
        own = reference.Tokenizer.encode_batch(
            self._tokenizer,
            [texts[row] for row in rows],
            [pairs[row] for row in rows] if pairs else None,
            framed,
            self._parse_special,
            errors,
        )
        return _mended(found.arrays, starts, rows, own)


def _in_a_row(texts: Sequence[str], pairs: Sequence[str | None]) -> tuple[list[str], NDArray[np.uint8]]:
    """Texts, each with its pair behind it if it has one, and which of its row each is."""
    rows = [(text,) if pair is None else (text, pair) for text, pair in zip(texts, pairs, strict=True)]
    numbers = [number for row in rows for number in range(len(row))]
    return [text for row in rows for text in row], np.array(numbers, np.uint8)


def _mended(
    found: dict[str, NDArray[Any]], starts: NDArray[np.int64], rows: list[int], own: Encodings
) -> tuple[dict[str, NDArray[Any]], NDArray[np.int64]]:
    """What was found, with rows of the reference in the places of those that were left to it."""
    lengths = np.diff(starts)
    lengths[rows] = np.diff(own.row_starts)
    arrays = {}
    for name, array in found.items():
        parts = [array[: starts[rows[0]]]]
        for place, (row, following) in enumerate(pairwise([*rows, len(starts) - 1])):
            parts.append(getattr(own, name)[own.row_starts[place] : own.row_starts[place + 1]])
            parts.append(array[starts[row + 1] : starts[following]])
        arrays[name] = np.concatenate(parts)
    return arrays, np.cumsum([0, *lengths], dtype=np.int64)
