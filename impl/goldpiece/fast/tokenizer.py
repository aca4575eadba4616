"""The WordPiece tokenizer with compiled kernels: what users get."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from goldpiece.encoding import Encoding, Encodings, IdRows
from goldpiece.errors import FileError, GoldpieceError, UsageError
from goldpiece.reference import tokenizer as reference
from goldpiece.reference.batch import Tensors, as_tensors
from goldpiece.reference.batching import HowToCut, HowToPad, padding_of, truncation_of

if TYPE_CHECKING:
    from goldpiece.fast.wordpiece.twin import Twin

EngineName: TypeAlias = Literal["auto", "reference", "fast"]
Errors: TypeAlias = Literal["strict", "replace"]

WORTH = 1_000_000  # characters, from which on the start of the twin is worth its time: some seconds of the reference
LEAST_CACHE = 1 << 17  # bytes
AT_ONCE = 4096  # texts of a stream that are encoded together
INPUTS = ("input_ids", "token_type_ids", "attention_mask")
BLOCK = 1 << 24  # characters of a file that are encoded together


@dataclass(frozen=True)
class Tokenizer(reference.Tokenizer):
    """See goldpiece.reference.tokenizer.Tokenizer: the same results, by the kernels of goldpiece.fast.wordpiece.

    `engine` is "reference", "fast", which needs numba (the extra `fast`), or "auto": the reference until a million
    characters have been encoded, and the kernels from then on, if numba is there. `engine_in_use` tells which it is.
    What the kernels do not cover is left to the reference, text by text: see goldpiece.fast.wordpiece.coverage. Raises
    UsageError for an engine that there is not.
    """

    engine: EngineName = field(default="auto", compare=False)
    cache_bytes: int = field(default=1 << 25, compare=False)  # of the word cache of each thread at work

    def __post_init__(self) -> None:
        if not isinstance(self.cache_bytes, int) or self.cache_bytes < LEAST_CACHE:
            raise UsageError(f"cache_bytes = {self.cache_bytes!r}: give a whole number from {LEAST_CACHE} on")
        if self.engine not in get_args(EngineName):
            raise UsageError(f"there is no engine {self.engine!r}; there are {', '.join(get_args(EngineName))}")
        if self.engine == "fast" and not has_numba():
            raise UsageError(
                "engine='fast' needs numba, which is not installed: install goldpiece[fast], or take 'auto'"
            )

    @property
    def engine_in_use(self) -> Literal["reference", "fast"]:
        """What encodes a text that comes now."""
        is_fast = self.engine == "fast" or (self.engine == "auto" and self._work.is_worth_it and has_numba())
        return "fast" if is_fast else "reference"

    # Text to ids, and to all that is known of them.

    def encode(
        self,
        text: str,
        pair: str | None = None,
        add_special_tokens: bool = True,
        parse_special: bool = True,
        errors: Errors = "strict",
    ) -> Encoding:
        """See the reference."""
        if pair is None:
            twin = self._twin_for((text,), None, add_special_tokens, parse_special)
            made = None if twin is None else twin.encodings_of_text(text, add_special_tokens)
            if made is not None:
                return made[0]
        return super().encode(text, pair, add_special_tokens, parse_special, errors)

    def encode_batch(
        self,
        texts: Sequence[str],
        pairs: Sequence[str | None] | None = None,
        add_special_tokens: bool = True,
        parse_special: bool = True,
        errors: Errors = "strict",
        workers: int = 1,
    ) -> Encodings:
        """See the reference. The kernels take `workers` threads at once, which changes no result."""
        twin = self._twin_for(texts, pairs, add_special_tokens, parse_special)
        if twin is None:
            return super().encode_batch(texts, pairs, add_special_tokens, parse_special, errors)
        return twin.encodings(texts, pairs, add_special_tokens, errors, workers)

    def encode_ids_batch(
        self,
        texts: Sequence[str],
        pairs: Sequence[str | None] | None = None,
        add_special_tokens: bool = True,
        parse_special: bool = True,
        errors: Errors = "strict",
        workers: int = 1,
    ) -> IdRows:
        """The ids that `encode_batch` gives, and nothing else. Raises what it raises."""
        twin = self._twin_for(texts, pairs, add_special_tokens, parse_special)
        if twin is None:
            found = super().encode_batch(texts, pairs, add_special_tokens, parse_special, errors)
            return IdRows(found.flat_ids, found.row_starts)
        return twin.ids(texts, pairs, add_special_tokens, errors, workers)

    def encode_ids(
        self,
        text: str,
        pair: str | None = None,
        add_special_tokens: bool = True,
        parse_special: bool = True,
        errors: Errors = "strict",
    ) -> NDArray[np.int32]:
        """The ids that `encode` gives, and nothing else. Raises what it raises."""
        if pair is None:
            twin = self._twin_for((text,), None, add_special_tokens, parse_special)
            ids = None if twin is None else twin.ids_of_text(text, add_special_tokens)
            if ids is not None:
                return ids
        return self.encode_ids_batch([text], [pair], add_special_tokens, parse_special, errors)[0]

    def __call__(
        self,
        texts: Sequence[str],
        pairs: Sequence[str | None] | None = None,
        *,
        add_special_tokens: bool = True,
        truncation: HowToCut = None,
        max_length: int | None = None,
        stride: int = 0,
        overflow: bool = False,
        padding: HowToPad = None,
        pad_to_multiple_of: int | None = None,
        return_tensors: Tensors | None = None,
    ) -> dict[str, Any]:
        """See the reference. Padded rows without overflow are written by the kernels where they stay."""
        how: dict[str, Any] = {
            "add_special_tokens": add_special_tokens,
            "truncation": truncation,
            "max_length": max_length,
            "stride": stride,
            "overflow": overflow,
            "padding": padding,
            "pad_to_multiple_of": pad_to_multiple_of,
            "return_tensors": return_tensors,
        }
        is_odd = max_length is not None and not truncation and padding != "max_length"
        if isinstance(texts, str) or is_odd or overflow or stride or not padding:
            return super().__call__(texts, pairs, **how)
        twin = self._twin_for(texts, pairs, add_special_tokens, True)
        if twin is None:
            return super().__call__(texts, pairs, **how)
        try:
            cut = truncation_of(self.profile, truncation, max_length, stride, overflow) if truncation else None
            width = max_length if padding == "max_length" else None
            filling = padding_of(padding, width, pad_to_multiple_of, self.pad_id)
            assert filling is not None  # since padding is asked for
            laid = twin.lay_out(texts, pairs, add_special_tokens, cut, filling)
        except (GoldpieceError, ValueError, TypeError):
            return super().__call__(texts, pairs, **how)  # which raises for the text that it comes upon first
        arrays = (laid.ids, laid.type_ids, laid.attention_mask)
        return {name: as_tensors(array, return_tensors) for name, array in zip(INPUTS, arrays, strict=True)}

    def decode_batch(self, rows: IdRows | Iterable[Iterable[int]], skip_special_tokens: bool = True) -> list[str]:
        """The texts of rows of ids, as `decode` gives them. Raises UnknownId."""
        kept = rows if isinstance(rows, IdRows) else [list(row) for row in rows]
        if self.engine_in_use == "fast" and (made := self._start(True).texts(kept, skip_special_tokens)) is not None:
            return made
        return [self.decode(map(int, row), skip_special_tokens) for row in kept]

    def encode_ids_stream(
        self,
        texts: Iterable[str],
        add_special_tokens: bool = True,
        parse_special: bool = True,
        errors: Errors = "strict",
        workers: int = 1,
    ) -> Iterator[IdRows]:
        """The ids of texts as they come, some thousands of texts at a time. Raises what `encode` raises."""
        coming = iter(texts)
        while batch := list(islice(coming, AT_ONCE)):
            yield self.encode_ids_batch(batch, None, add_special_tokens, parse_special, errors, workers)

    def encode_ids_file(
        self, path: Path | str, add_special_tokens: bool = True, parse_special: bool = True, workers: int = 1
    ) -> Iterator[IdRows]:
        """The ids of each line of a text file in UTF-8, some megabytes of lines at a time; a line ends with LF.

        Raises FileError where the file cannot be read, and what `encode` raises.
        """
        try:
            with Path(path).open(encoding="utf-8", newline="\n") as file:
                while lines := file.readlines(BLOCK):
                    texts = [line.removesuffix("\n") for line in lines]
                    yield self.encode_ids_batch(texts, None, add_special_tokens, parse_special, "strict", workers)
        except (OSError, UnicodeDecodeError) as error:
            raise FileError(path, None, f"it cannot be read: {error}", "Give a text file in UTF-8") from error

    # Which engine encodes.

    @cached_property
    def _work(self) -> "_Work":
        return _Work()

    def _twin_for(
        self, texts: Sequence[str], pairs: Sequence[str | None] | None, framed: bool, parse_special: bool
    ) -> "Twin | None":
        """The twin that encodes these texts; None if the reference does."""
        work = self._work
        twin = work.twins.get(parse_special)
        if twin is None and self.engine != "reference":
            if not work.is_worth_it:
                work.chars += sum(map(len, texts)) + sum(len(pair) for pair in pairs or () if pair is not None)
            if self.engine_in_use == "fast":
                twin = self._start(parse_special)
        return twin if twin is not None and (not framed or twin.has_frame) else None

    def _start(self, parse_special: bool) -> "Twin":
        from goldpiece.fast.wordpiece.twin import Twin  # noqa: PLC0415 (numba is imported only where it is needed)

        with self._work.lock:  # two threads may come at once
            twin = self._work.twins.get(parse_special)
            if twin is None:
                twin = self._work.twins[parse_special] = Twin(self, parse_special, self.cache_bytes)
            return twin

    def __getstate__(self) -> dict[str, object]:
        """What is pickled: the fields, for the tables of the kernels lie where they lie in this process alone."""
        return {each.name: getattr(self, each.name) for each in fields(self)}


@dataclass(eq=False)
class _Work:
    """What a tokenizer has done, and what it does it with: a twin each with and without special tokens in text."""

    chars: int = 0
    twins: "dict[bool, Twin]" = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)

    @property
    def is_worth_it(self) -> bool:
        return self.chars >= WORTH or bool(self.twins)


def has_numba() -> bool:
    """Whether numba is installed."""
    return find_spec("numba") is not None
