"""Texts to record and to measure with: two that need no download, those of the data folder, and files of the user's."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import accumulate
from pathlib import Path
from random import Random

from goldpiece.corpus.streams import opened
from goldpiece.errors import FileError, UsageError
from goldpiece.formats.content import cause, up_to
from goldpiece.suite.data import data_file

DOCUMENT = 2_000  # characters, about
LARGEST = 200_000_000  # bytes of a corpus, unpacked: what fits into memory with the text that is made of it

# What the generated text is made of: letters of each script, what parts its words, and what ends its sentences.
_SCRIPTS: Mapping[str, tuple[str, str, str]] = {
    "Latin": ("aàábcçdðeèéêfghiíïjklmnñoóöøpqrsßtuúüvwxyýzž", " ", ".!?"),
    "Vietnamese": ("aăâbcdđeêghiklmnoôơpqrstuưvxyấềộứạọ", " ", ".?"),
    "Greek": ("αάβγδεέζηήθιίκλμνξοόπρσςτυύφχψωώ", " ", ".;"),
    "Cyrillic": ("абвгґдеёжзийіїклмнопрстуфхцчшщъыьэюя", " ", ".!?"),
    "Armenian": ("աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆ", " ", "։"),
    "Hebrew": ("אבגדהוזחטיךכלםמןנסעףפץצקרשת\u05b0\u05b8\u05b9", " ", ".?"),
    "Arabic": ("ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىي\u064e\u0651", " ", ".؟"),
    "Devanagari": ("अआइईउऊएऐओऔकखगघचछजझटठडढणतथदधनपफबभमयरलवशषसह\u093e\u093f\u0940\u0947\u094d", " ", "।"),
    "Bengali": ("অআইঈউঊএঐকখগঘচছজঝটঠডঢণতথদধনপফবভমযরলশষসহ\u09be\u09bf\u09cd", " ", "।"),
    "Tamil": ("அஆஇஈஉஊஎஏஐகஙசஞடணதநபமயரலவழளறன\u0bbe\u0bbf\u0bcd", " ", "."),
    "Thai": ("กขคงจฉชซญดตถทธนบปผฝพฟภมยรลวศสหอฮะาเแโ\u0e31\u0e34\u0e48\u0e49", " ", " "),
    "Georgian": ("აბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰ", " ", "."),
    "Hangul": ("가각간갈감갑강같거건걸게겨고곳과관국그기길나남내너노는다당대더도동되든", " ", ".?"),
    "Kana": (
        "あいうえおかがきぎくぐけげこごさざしすせそただちつてでとどなにぬねのはばぱひふへほアイウカガキザ",
        "",
        "。",
    ),
    "Han": ("的一是不了人我在有他这为之大来以个中上们到说国和地也子时道出而要于就下得可你年生", "", "。！？"),
    "Emoji": ("😀😂🙏🏽👍🎉🔥👩\u200d🚀❤\ufe0f🇩🇪", " ", "!"),
}
_WORDS, _SENTENCES, _LONGEST_WORD, _LONGEST_SENTENCE = 200, 300, 9, 14  # for each script


def topics() -> str:
    """The reference that ships with CPython, as plain text: about half a megabyte of English with code in it."""
    from pydoc_data.topics import topics as pages  # noqa: PLC0415 (large, and seldom wanted)

    return "\n".join(pages[name] for name in sorted(pages))


@cache
def generated(seed: int = 0) -> str:
    """Made-up text in many scripts, one sentence a line: the same wherever and whenever it is made.

    Words are drawn by Zipf's law, so that they come again as those of real text do.
    """
    draw = Random(seed).random  # the only method whose sequence Python promises never to change
    return "".join(f"{_sentence(draw, script)}\n" for script in _scripts_as_drawn(draw))


def _scripts_as_drawn(draw: Callable[[], float]) -> Iterator["_Script"]:
    scripts = [_Script(draw, *parts) for parts in _SCRIPTS.values()]
    for _ in range(_SENTENCES * len(scripts)):
        yield scripts[int(draw() * len(scripts))]


class _Script:
    """The made-up words of one script."""

    def __init__(self, draw: Callable[[], float], letters: str, space: str, ends: str) -> None:
        self.space, self.ends = space, ends
        self.words = [
            "".join(letters[int(draw() * len(letters))] for _ in range(1 + int(draw() * _LONGEST_WORD)))
            for _ in range(_WORDS)
        ]
        self.weights = list(accumulate(1 / rank for rank in range(1, _WORDS + 1)))

    def word(self, draw: Callable[[], float]) -> str:
        sought = draw() * self.weights[-1]
        return next(word for word, weight in zip(self.words, self.weights, strict=True) if sought < weight)


def _sentence(draw: Callable[[], float], script: _Script) -> str:
    words = [script.word(draw) for _ in range(1 + int(draw() * _LONGEST_SENTENCE))]
    if draw() < 0.2:
        words.append(f"{int(draw() * 10**6):,}")
    first = words[0].capitalize() if draw() < 0.7 else words[0].upper()
    comma = "," if draw() < 0.3 else ""
    return script.space.join([first + comma, *words[1:]]) + script.ends[int(draw() * len(script.ends))]


CORPORA: Mapping[str, Callable[[], str]] = {
    "topics": topics,
    "generated": generated,
    "multilingual": lambda: _text(data_file("corpora/multilingual.txt.gz")),
    "tinyshakespeare": lambda: _text(data_file("corpora/tinyshakespeare.txt.gz")),
    "linuxdoc": lambda: _text(data_file("corpora/linuxdoc.txt.gz"), limit=3_000_000),
}
DATA_CORPORA = ("multilingual", "tinyshakespeare", "linuxdoc")  # those that the data folder holds


def read_corpus(name: str) -> str:
    """The text of a corpus: one of CORPORA by its name, else a file in UTF-8, compressed if it ends in `.gz` or `.zst`.

    Raises FileError, UsageError where a package is missing, and DataMissing for a corpus of the data folder that is
    not there.
    """
    if name in CORPORA:
        return CORPORA[name]()
    try:
        Path(name).stat()
    except (OSError, ValueError) as error:
        problem = f"there is no corpus {name!r} ({cause(error)})"
        raise UsageError(f"{problem}: give the path of a text file, or one of {', '.join(CORPORA)}") from error
    return _text(Path(name))


def _text(path: Path, limit: int | None = None) -> str:
    """What a file holds; with `limit`, no more than its first so many bytes, cut at a line end."""
    with opened(path) as stream:
        content = up_to(stream.file, path, LARGEST) if limit is None else stream.file.read(limit)
    if limit is not None:
        content = content[: content.rfind(b"\n") + 1]
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise FileError(path, None, f"byte {error.start} is not UTF-8", "Save the file as UTF-8") from error


def documents(text: str, size: int = DOCUMENT) -> Iterator[str]:
    """The text in pieces of about `size` characters, cut behind line ends; joined they are the text again.

    A line is never cut, so one longer than `size` is a document of its own length.
    """
    begin = 0
    while begin < len(text):
        end = text.find("\n", begin + size - 1) + 1 or len(text)
        yield text[begin:end]
        begin = end
