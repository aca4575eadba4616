"""Texts and vocabularies made for each other: words of the text, cut into pieces or not, and text around them.

Where the subject is ready made there is the text alone.
"""

from dataclasses import dataclass, field

from hypothesis import strategies as st

from goldpiece.suite.scope import Scope
from goldpiece.suite.values import Value

from ..oracles import normalizer, pre_tokenizer
from . import once
from .unicode import texts

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]

# Added tokens that differ in their normalized forms, and ways to write each that normalize to the same.
SPELLINGS = {
    "ABC": ["ABC", "abc", "aBc", "A\u0301bc", "ab\u00adc"],
    "<e>": ["<e>", "<E>", "<\u00c9>", "<e\u0301>", "<e\u200b>"],
    "Ca f\u00e9": ["Ca f\u00e9", "ca fe", "CA FE\u0301", "ca\tfe", "ca\u00a0fe"],
    "\u00c5b": ["\u00c5b", "ab", "\u212bB", "a\u030ab"],
    "\u4e2d": ["\u4e2d"],
}
CARELESS = ["[sep]", "[Mask]", "[SE\u0301P]", "[CL\u00adS]", "\uff3bSEP\uff3d", "[ SEP ]"]  # no special tokens


@dataclass(frozen=True)
class Case:
    """A vocabulary, unless the subject has its own, a text, and added tokens."""

    vocab: list[str]
    text: str
    config: dict[str, Value] = field(default_factory=dict)  # what the subject is built with

    @property
    def is_bert(self) -> bool:
        """Whether the vocabulary is known: it then holds the special tokens of BERT."""
        return bool(self.vocab)

    def of(self, text: str) -> "Case":
        """The same with another text."""
        return Case(self.vocab, text, self.config)


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


def cases(scope: Scope) -> st.SearchStrategy[Case]:
    """A text, and a vocabulary that knows some of its words whole, some in pieces, and some not."""
    scope.chosen()
    return _cases(scope)


@st.composite
def _cases(draw: st.DrawFn, scope: Scope) -> Case:
    text = draw(plain_texts(scope))
    entries: list[str] = []
    for word, _ in words_of(scope, text):
        cut = draw(once.integers(0, len(word)))
        if cut == 0:
            continue
        entries += [word[:cut], *(["##" + word[cut:]] if cut < len(word) else [])]
    # Most have a word of their own: some tokenizers refuse to be built without one.
    entries += draw(once.sampled_from([(), ("a",), ("a",), ("a",)]))
    vocab = draw(st.permutations(list(dict.fromkeys([*SPECIAL, *entries]))))
    return Case(vocab, text, {"vocab": vocab})


def any_cases(scope: Scope) -> st.SearchStrategy[Case]:
    """The same, or text alone for a subject that is ready made."""
    return plain_texts(scope).map(lambda text: Case([], text)) if scope.fixed else _cases(scope)


def several(scope: Scope) -> st.SearchStrategy[tuple[Case, list[str]]]:
    """A case and other texts, some of which are the same; the subject may be ready made."""
    return st.tuples(any_cases(scope), st.lists(plain_texts(scope), max_size=3))


@st.composite
def _added(draw: st.DrawFn, scope: Scope) -> Case:
    tokens = draw(once.lists(once.sampled_from(list(SPELLINGS)), min_size=1, max_size=3, unique=True))
    verbatim = [token for token in tokens if draw(st.booleans())]
    spellings = [spelling for token in tokens for spelling in SPELLINGS[token]]
    kinds = [
        st.sampled_from(kind) for kind in (tokens, spellings, spellings, SPECIAL[2:], CARELESS, ["x", " ", ".", "ab"])
    ]
    part = st.one_of(*kinds, plain_texts(scope))
    text = "".join(draw(once.lists(part, min_size=draw(once.sampled_from([0, 2, 4])), max_size=6)))
    vocab = draw(st.permutations([*SPECIAL, "x", "a", "##b", "##c", "[", "]", "sep", "mask"]))
    normalized = [token for token in tokens if token not in verbatim]
    return Case(vocab, text, {"vocab": vocab, "added_tokens": normalized, "verbatim_tokens": verbatim})


def added(scope: Scope) -> st.SearchStrategy[Case]:
    """Added tokens, verbatim ones, and special ones, and a text in which they are written in various ways."""
    scope.chosen()
    for name in ("added_tokens", "verbatim_tokens"):
        scope.required(name, [["<m>"]])
    return _added(scope)


def kept(scope: Scope) -> st.SearchStrategy[Case]:
    """Cases of tokenizers that differ in all that can be saved of one; the subject may be ready made."""
    if scope.fixed:
        return any_cases(scope)
    kinds = [_cases(scope), *([_added(scope)] if scope.values("added_tokens", [["<m>"]]) == [["<m>"]] else [])]
    lowercase = st.sampled_from(scope.values("lowercase", [True, False]))
    return st.tuples(st.one_of(kinds), lowercase).map(
        lambda drawn: Case(drawn[0].vocab, drawn[0].text, {**drawn[0].config, "lowercase": drawn[1]})
    )


def padded(scope: Scope) -> st.SearchStrategy[Case]:
    """A case whose text may hold the token that padding is made of."""
    case = any_cases(scope)
    return st.one_of(case, case.map(lambda case: case.of(f"[PAD]{case.text}")))
