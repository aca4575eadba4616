"""Compares `goldpiece.Tokenizer` by its kernels with Hugging Face tokenizers on texts made to part them.

    python impl/tests/fuzz_wordpiece.py --texts 2000000 --seed 1

draws so many texts, some of them with a pair, encodes them under several vocabularies and switches in one batch after
another, by large caches and by small ones that turn all the time, in one thread and in two, and compares ids, offsets,
word ids, type ids, sequence ids and masks. It ends with 1 at the first difference, which it prints.
"""

import argparse
import sys
import tempfile
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldpiece import Encodings, Tokenizer
from goldpiece.encoding import NONE
from goldpiece.fast.tokenizer import LEAST_CACHE
from goldpiece.suite.data import data_folder

SCALARS = [point for point in range(sys.maxunicode + 1) if not 0xD800 <= point < 0xE000]
MARKS = [point for point in SCALARS if unicodedata.combining(chr(point))]
WORDS = (
    *(
        "the",
        "The",
        "unaffable",
        "internationalization",
        "don’t",
        "naïve",
        "Straße",
        "İstanbul",
        "가나다",
        "東京",
        "カタカナ",
    ),
    *("привет", "العربية،", "हिन्दी", "ไทยภาษา", "😀", "##ing", "1,000.50", "C++", "a_b", "ﬁ", "Å", "𝔘", "ẞ", "ǅ", "Ⅷ"),
    *("ΑΣ", "Σ", "ᬓ᭄", "[MASK]", "[CLS]", "[SEP]", "[PAD]", "[UNK]", "[mask]", "[MASK"),
)
ODD = [
    "\u0301",
    "e\u0301",
    "\0",
    "a\0",
    "\x7f",
    "\x0b",
    "\x1c",
    "\u00ad",
    "\ufffd",
    "\u200b",
    "\u2028",
    "\u3000",
    "\ufeff",
]
GAPS = ["", " ", " ", "  ", "\n", "\t", ".", ", ", "-", "\u3000", "\x01"]
BORDERS = (15, 16, 17, 31, 32, 33, 63, 64, 65, 99, 100, 101, 127, 128, 129)  # where keys, blocks and words end


def text(random: Random) -> str:
    """A text of one of several kinds, mostly short."""
    kind, parts = random.random(), []
    for _ in range(random.randrange(30)):
        if kind < 0.2:
            parts.append(chr(random.choice(SCALARS)) if random.random() < 0.5 else random.choice(" a.b"))
        elif kind < 0.4:
            parts.append(chr(random.randrange(0x3100)))
        elif kind < 0.75:
            parts += random.choice(WORDS), random.choice(GAPS)
        elif kind < 0.85:
            parts += random.choice([*ODD, *WORDS]), random.choice(GAPS)
        elif kind < 0.9:
            parts += random.choice("xé한") * random.choice(BORDERS), random.choice(GAPS)
        elif kind < 0.95:
            parts.append(chr(random.randrange(128)))
        else:
            parts.append(chr(random.choice(MARKS)) if random.random() < 0.4 else random.choice("aé한 ."))
    return "".join(parts)


@dataclass(frozen=True)
class Setting:
    """A tokenizer of ours and the peer's of the same tokenizer.json."""

    name: str
    ours: Tokenizer
    peer: Any  # of a library without types


def settings(folder: Path) -> Iterator[Setting]:
    """The vocabularies of BERT where there are any, and one of letters, with and without lowercasing."""
    import tokenizers  # noqa: PLC0415 (the texts serve those who have not installed it as well)

    vocabularies = {"letters": LETTERS}
    for name in ("uncased", "cased"):
        path = data_folder() / "bert" / f"bert-base-{name}-vocab.txt"
        if path.exists():
            vocabularies[name] = list(Tokenizer.from_vocab(path).vocab)
    for name, vocab in vocabularies.items():
        for lowercase in (True, False):
            ours = Tokenizer(
                vocab, lowercase=lowercase, engine="fast", cache_bytes=LEAST_CACHE if lowercase else 1 << 25
            )
            path = folder / f"{name}-{lowercase}.json"
            ours.save(path)
            yield Setting(f"{name}, lowercase={lowercase}", ours, tokenizers.Tokenizer.from_file(str(path)))


LETTERS = [
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "[MASK]",
    *map(chr, range(33, 127)),
    *(f"##{chr(c)}" for c in range(97, 123)),
]
LETTERS += [
    "the",
    "un",
    "##aff",
    "##able",
    "x" * 16,
    "x" * 17,
    "##" + "x" * 16,
    "東",
    "京",
    "é",
    "한",
    "ᄒ",
    "##ᅡ",
    "##ᆫ",
]


ALONE = 50  # of so many texts one is encoded by itself as well
# What is compared, by the names of the peer: of ours the flat array, and what stands there for None.
COMPARED = {
    "ids": "flat_ids",
    "offsets": "flat_offsets",
    "word_ids": "flat_word_ids",
    "type_ids": "flat_type_ids",
    "sequence_ids": "flat_sequence_ids",
    "special_tokens_mask": "flat_special_tokens_mask",
}


def difference(ours: Encodings, theirs: Sequence[Any]) -> int | None:
    """The first row that is not the same; None if all are."""
    if all(_is_same(getattr(ours, mine), [getattr(row, name) for row in theirs]) for name, mine in COMPARED.items()):
        return None
    return next(
        row
        for row, (mine, their) in enumerate(zip(ours, theirs, strict=True))
        if any(getattr(mine, name) != getattr(their, name) for name in COMPARED)
    )


def _is_same(mine: NDArray[Any], theirs: Sequence[Sequence[Any]]) -> bool:
    found = [NONE if each is None else each for row in theirs for each in row]
    return len(mine) == len(found) and np.array_equal(mine, np.array(found, mine.dtype).reshape(mine.shape))


def difference_otherwise(
    tokenizer: Tokenizer, texts: Sequence[str], pairs: Sequence[str | None] | None, right: Encodings
) -> int | None:
    """The first row that is not the same where ids alone are asked for, or one text alone; None if all are."""
    ids = tokenizer.encode_ids_batch(texts, pairs)
    if not (np.array_equal(ids.flat, right.flat_ids) and np.array_equal(ids.row_starts, right.row_starts)):
        return next(row for row in range(len(right)) if ids[row].tolist() != right[row].ids)
    for row in range(0, len(texts), ALONE):
        given = texts[row], pairs[row] if pairs else None
        one = tokenizer.encode(*given)
        same = all(getattr(one, name) == getattr(right[row], name) for name in COMPARED)
        if not same or tokenizer.encode_ids(*given).tolist() != one.ids:
            return row
    return None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--batch", type=int, default=2_000)
    given = parser.parse_args()
    random, done, tokens = Random(given.seed), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        known = list(settings(Path(folder)))
        while done < given.texts:
            setting = known[(done // given.batch) % len(known)]
            texts = [text(random) for _ in range(given.batch)]
            pairs = [text(random) if random.random() < 0.5 else None for _ in texts] if random.random() < 0.3 else None
            ours = setting.ours.encode_batch(texts, pairs, workers=random.choice((1, 1, 2)))
            rows = (
                texts if pairs is None else [(a, b) if b is not None else a for a, b in zip(texts, pairs, strict=True)]
            )
            row = difference(ours, setting.peer.encode_batch(rows))
            if row is None:
                row = difference_otherwise(setting.ours, texts, pairs, ours)
            if row is not None:
                sys.stdout.write(f"{setting.name}: seed {given.seed}, row {row} behind {done}: {rows[row]!a}\n")
                return 1
            done += len(texts) + sum(pair is not None for pair in pairs or ())
            tokens += len(ours.flat_ids)
    sys.stdout.write(f"{done:,} texts, {tokens:,} tokens, {len(known)} settings, seed {given.seed}: no difference\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
