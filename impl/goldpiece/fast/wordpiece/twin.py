"""One tokenizer by the kernels: rows of texts and pairs, and those of them that the reference has to encode."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldpiece.encoding import Encodings, IdRows
from goldpiece.errors import UsageError
from goldpiece.fast.wordpiece.coverage import Coverage
from goldpiece.fast.wordpiece.decode import Forms, flat
from goldpiece.fast.wordpiece.engine import IDS, Engine, Found, Tables
from goldpiece.fast.wordpiece.kernels import NO_TOKEN
from goldpiece.fast.wordpiece.rows import Laid, lay_out
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

    def ids(
        self, texts: Sequence[str], pairs: Sequence[str | None] | None, framed: bool, errors: Errors, workers: int
    ) -> IdRows:
        """The ids of rows, each of a text or of a text and its pair."""
        arrays, starts, _ = self._encode(texts, pairs, framed, errors, workers, with_all=False)
        return IdRows(arrays[IDS], starts)

    def encodings(
        self, texts: Sequence[str], pairs: Sequence[str | None] | None, framed: bool, errors: Errors, workers: int
    ) -> Encodings:
        """The same with all that is known of the tokens."""
        arrays, starts, rows = self._encode(texts, pairs, framed, errors, workers, with_all=True)
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
    ) -> tuple[dict[str, NDArray[Any]], NDArray[np.int64], list[tuple[str, str | None]]]:
        """The arrays of all rows, where in them each row starts, and the rows."""
        rows = list(zip(texts, pairs or [None] * len(texts), strict=True))
        if not pairs:
            each, numbers = texts, np.zeros(len(texts), np.uint8)
        else:
            each = [text for row in rows for text in row if text is not None]
            numbers = np.array(
                [number for row in rows for number, text in enumerate(row) if text is not None], np.uint8
            )
        firsts = np.flatnonzero(numbers == 0)
        left = (
            [] if self._coverage.is_whole else [place for place, text in enumerate(each) if self._coverage.leaves(text)]
        )
        found = self.engine.encode(
            each, numbers, self._ids_around(framed), left=left, workers=workers, with_all=with_all
        )
        starts = found.starts if not pairs else np.append(found.starts[firsts], found.starts[-1])
        if found.left:
            of_reference = sorted({int(row) for row in np.searchsorted(firsts, found.left, side="right") - 1})
            return *self._mended(found, starts, of_reference, rows, framed, errors), rows
        return found.arrays, starts, rows

    def _mended(
        self,
        found: Found,
        starts: NDArray[np.int64],
        left: list[int],
        rows: list[tuple[str, str | None]],
        framed: bool,
        errors: Errors,
    ) -> tuple[dict[str, NDArray[Any]], NDArray[np.int64]]:
        """What was found, with the rows of the reference in the places of those that were left to it."""
        texts, pairs = [rows[row][0] for row in left], [rows[row][1] for row in left]
        own = reference.Tokenizer.encode_batch(self._tokenizer, texts, pairs, framed, self._parse_special, errors)
        lengths = np.diff(starts)
        lengths[left] = np.diff(own.row_starts)
        arrays = {}
        for name, array in found.arrays.items():
            parts = [array[: starts[left[0]]]]
            for place, (row, following) in enumerate(pairwise([*left, len(rows)])):
                parts.append(getattr(own, name)[own.row_starts[place] : own.row_starts[place + 1]])
                parts.append(array[starts[row + 1] : starts[following]])
            arrays[name] = np.concatenate(parts)
        return arrays, np.cumsum([0, *lengths], dtype=np.int64)
