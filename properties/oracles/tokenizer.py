"""What spec/tokenizer.yaml defines: the stages one after another, each by its own definition."""

from dataclasses import dataclass
from typing import Any

from goldpiece.suite.scope import Scope

from ..strategies import added_tokens as added_cases
from ..strategies import wordpiece as wordpiece_cases
from ..strategies.tokenizer import SPECIAL, Case, words_of
from . import added_tokens, normalizer, pre_tokenizer
from .wordpiece import longest_pieces


@dataclass(frozen=True)
class Expected:
    """What is expected of the tokens of a text."""

    tokens: list[str]
    offsets: list[list[int]]
    word_ids: list[int]


def tokens_of(scope: Scope, case: Case) -> Expected:
    """The words of the normalized text, each by trying every entry."""
    expected = Expected([], [], [])
    for number, (word, sources) in enumerate(words_of(scope, case.text)):
        _add(expected, case, word, sources, number)
    return expected


def tokens_with_added(scope: Scope, case: Case) -> Expected:
    """The same of a text with added tokens: cut at special and verbatim ones, its normalized parts at the others."""
    assert scope.profile is not None
    cuts = added_tokens.definition_of("hf")
    known = normalizer.definition_of(scope.profile)
    on = {"clean_text": True, "handle_chinese_chars": True, "strip_accents": True, "lowercase": True}
    added: Any = case.config["added_tokens"]
    verbatim: Any = case.config["verbatim_tokens"]
    forms = {known.normalize(token, **on): token for token in added}
    expected = Expected([], [], [])
    word = 0
    for start, end, special in _cut(cuts, [*SPECIAL, *verbatim], case.text):
        if special is not None:
            _add(expected, case, special, list(range(start, end)), word, whole=special)
            word += 1
            continue
        text = known.normalize(case.text[start:end], **on)
        sources = [start + place for place in known.sources(case.text[start:end], **on)]
        for begin, stop, form in _cut(cuts, list(forms), text):
            if form is not None:
                _add(expected, case, form, sources[begin:stop], word, whole=forms[form])
                word += 1
                continue
            for first, last in pre_tokenizer.definition_of(scope.profile).spans(text[begin:stop]):
                place = slice(begin + first, begin + last)
                _add(expected, case, text[place], sources[place], word)
                word += 1
    return expected


def _cut(cuts: added_tokens.Definition, tokens: list[str], text: str) -> list[tuple[int, int, str | None]]:
    cut: Any = cuts.cut(added_cases.Case(tokens, text))
    return [(start, end, token) for (start, end), token in zip(cut["offsets"], cut["added"], strict=True)]


def _add(expected: Expected, case: Case, word: str, sources: list[int], number: int, whole: str | None = None) -> None:
    """Adds a word, the one token `whole` or cut into pieces; `sources` says where each of its characters came from."""
    pieces = [whole] if whole else pieces_of(case, word)
    done = 0
    for piece in pieces:
        length = len(word) if len(pieces) == 1 else len(piece.removeprefix("##") if done else piece)
        expected.offsets.append([sources[done], sources[done + length - 1] + 1])
        done += length
    expected.tokens.extend(pieces)
    expected.word_ids.extend([number] * len(pieces))


def pieces_of(case: Case, word: str) -> list[str]:
    """The pieces of a word; one of more than 100 characters is unknown."""
    return longest_pieces(wordpiece_cases.Case(case.vocab, word)) if len(word) <= 100 else ["[UNK]"]


def known_words(scope: Scope, case: Case) -> list[str]:
    """The words of the normalized text, the unknown token in the place of each that is unknown."""
    words = [word for word, _ in words_of(scope, case.text)]
    return [word if pieces_of(case, word) != ["[UNK]"] else "[UNK]" for word in words]
