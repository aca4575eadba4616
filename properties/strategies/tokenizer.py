"""Texts and vocabularies made for each other: words of the text, cut into pieces or not, and text around them."""

from dataclasses import dataclass

from hypothesis import strategies as st

from goldpiece.suite.scope import Scope

from ..oracles import normalizer, pre_tokenizer
from .unicode import texts

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


@dataclass(frozen=True)
class Case:
    """A vocabulary and a text."""

    vocab: list[str]
    text: str


def words_of(scope: Scope, text: str) -> list[tuple[str, list[int]]]:
    """The words of the normalized form of a text, and the place in the text that each of their characters came from."""
    assert scope.profile is not None
    on = {"clean_text": True, "handle_chinese_chars": True, "strip_accents": True, "lowercase": True}
    known = normalizer.definition_of(scope.profile)
    normalized = known.normalize(text, **on)
    sources = known.sources(text, **on)
    spans = pre_tokenizer.definition_of(scope.profile).spans(normalized)
    return [(normalized[start:end], sources[start:end]) for start, end in spans]


def plain_texts(scope: Scope) -> st.SearchStrategy[str]:
    """Text that holds no special token and no lone surrogate."""
    bare = texts(scope).map(lambda text: "".join(char for char in text if not "\ud800" <= char <= "\udfff"))
    return bare.filter(lambda text: not any(token in text for token in SPECIAL))


@st.composite
def cases(draw: st.DrawFn, scope: Scope) -> Case:
    """A text, and a vocabulary that knows some of its words whole, some in pieces, and some not."""
    text = draw(plain_texts(scope))
    entries: list[str] = []
    for word, _ in words_of(scope, text):
        cut = draw(st.integers(0, len(word)))
        if cut == 0:
            continue
        entries += [word[:cut], *(["##" + word[cut:]] if cut < len(word) else [])]
    vocab = draw(st.permutations(list(dict.fromkeys([*SPECIAL, *entries]))))
    return Case(vocab, text)


def several(scope: Scope) -> st.SearchStrategy[tuple[Case, list[str]]]:
    """A case and other texts, some of which are the same."""
    return st.tuples(cases(scope), st.lists(plain_texts(scope), max_size=3))
