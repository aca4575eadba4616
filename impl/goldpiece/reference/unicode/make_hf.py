"""Writes hf.json: what Hugging Face tokenizers does with every code point. Run it when their tables change.

python -m goldpiece.reference.unicode.make_hf          # writes
python -m goldpiece.reference.unicode.make_hf --check  # says whether the file is what it would write; exit 1 if not
"""

import json
import sys
import textwrap
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator

import tokenizers
from tokenizers import AddedToken, Tokenizer
from tokenizers.models import WordLevel
from tokenizers.normalizers import NFD, BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer

from goldpiece.reference.unicode import hf, ranges

SCALARS = [point for point in range(sys.maxunicode + 1) if not 0xD800 <= point <= 0xDFFF]
HANGUL = range(0xAC00, 0xD7A4)

# One mark of each combining class, from an old Unicode: what a mark does beside these tells its class.
WITNESSES = {
    1: 0x334,
    7: 0x93C,
    8: 0x3099,
    9: 0x94D,
    **{10 + place: 0x5B0 + place for place in range(10)},
    20: 0x5BB,
    21: 0x5BC,
    22: 0x5BD,
    23: 0x5BF,
    24: 0x5C1,
    25: 0x5C2,
    26: 0xFB1E,
    **{27 + place: 0x64B + place for place in range(8)},
    35: 0x670,
    36: 0x711,
    84: 0xC55,
    91: 0xC56,
    103: 0xE38,
    107: 0xE48,
    118: 0xEB8,
    122: 0xEC8,
    129: 0xF71,
    130: 0xF72,
    132: 0xF74,
    202: 0x321,
    214: 0x1DCE,
    216: 0x31B,
    218: 0x302A,
    220: 0x316,
    222: 0x59A,
    224: 0x302E,
    226: 0x1D16D,
    228: 0x5AE,
    230: 0x300,
    232: 0x315,
    233: 0x35C,
    234: 0x35D,
    240: 0x345,
}


def table() -> dict[str, str | list[str] | dict[str, str]]:
    """The content of hf.json."""

    def stage(**switch: bool) -> Callable[[str], str]:
        off = {"clean_text": False, "handle_chinese_chars": False, "strip_accents": False, "lowercase": False}
        normalize: Callable[[str], str] = BertNormalizer(**(off | switch)).normalize_str
        return normalize

    clean, apart, strip, lower = (
        stage(**{name: True}) for name in ("clean_text", "handle_chinese_chars", "strip_accents", "lowercase")
    )
    nfd: Callable[[str], str] = NFD().normalize_str
    cut: Callable[[str], list[tuple[str, tuple[int, int]]]] = BertPreTokenizer().pre_tokenize_str
    classes = defaultdict(list)
    for point in SCALARS:
        if number := combining_class(chr(point), nfd):
            classes[number].append(point)
    return {
        "about": f"Unicode as Hugging Face tokenizers {tokenizers.__version__} sees it; written by make_hf.py",
        "deleted": lines(ranges.write(point for point in SCALARS if clean(chr(point)) == "")),
        "spaces": lines(ranges.write(point for point in SCALARS if clean(chr(point)) == " ")),
        "ideographs": lines(ranges.write(point for point in SCALARS if apart(chr(point)) == f" {chr(point)} ")),
        "nonspacing": lines(ranges.write(point for point in SCALARS if strip(chr(point)) == "")),
        "white_space": lines(ranges.write(point for point in SCALARS if len(cut(f"a{chr(point)}b")) == 2)),
        "punctuation": lines(ranges.write(point for point in SCALARS if len(cut(f"a{chr(point)}b")) == 3)),
        "word": lines(ranges.write(word_characters())),
        "combining_class": {str(number): ranges.write(points) for number, points in sorted(classes.items())},
        "decomposition": lines(forms(nfd, (point for point in SCALARS if point not in HANGUL))),
        "lowercase": lines(forms(lower, SCALARS)),
    }


def word_characters() -> Iterator[int]:
    """The code points beside which an added token is not found if it is a single word."""
    whole = Tokenizer(WordLevel({"?": 0}, "?"))
    whole.add_tokens([AddedToken("X", single_word=True, normalized=False)])
    block = 1 << 16  # code points in one text, where each has three characters: X, itself and a space
    for first in range(0, len(SCALARS), block):
        points = SCALARS[first : first + block]
        encoded = whole.encode("".join(f"X{chr(point)} " for point in points))
        found = {start for number, (start, _) in zip(encoded.ids, encoded.offsets, strict=True) if number}
        yield from (point for place, point in enumerate(points) if 3 * place not in found)


def combining_class(mark: str, nfd: Callable[[str], str]) -> int:
    """The class that `nfd` gives `mark`; 0 if it keeps its place."""

    def overtaken(first: str, second: str) -> bool:
        return nfd(first + second) != first + second

    if nfd(mark) != mark or not (overtaken(chr(WITNESSES[240]), mark) or overtaken(mark, chr(WITNESSES[234]))):
        return 0
    return next(
        number
        for number, witness in WITNESSES.items()
        if not overtaken(mark, chr(witness)) and not overtaken(chr(witness), mark)
    )


def forms(change: Callable[[str], str], points: Iterable[int]) -> str:
    """Every code point that `change` changes, with what it becomes: `c0=41+300`."""
    changed = ((point, change(chr(point))) for point in points)
    return " ".join(
        f"{point:x}=" + "+".join(f"{ord(char):x}" for char in form) for point, form in changed if form != chr(point)
    )


def lines(text: str) -> list[str]:
    return textwrap.wrap(text, 110, break_long_words=False, break_on_hyphens=False)


def main() -> int:
    content = json.dumps(table(), indent=0) + "\n"
    if "--check" in sys.argv[1:]:
        same = hf.FILE.read_text(encoding="utf-8") == content
        sys.stdout.write(f"{hf.FILE.name} is {'up to date' if same else 'stale: run make_hf without --check'}\n")
        return 0 if same else 1
    hf.FILE.write_text(content, encoding="utf-8")
    sys.stdout.write(f"wrote {hf.FILE}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
