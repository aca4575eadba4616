"""The subjects `real-wordpiece` and `rustbpe`: trainers of other libraries, which take texts and no counts."""

from collections import Counter
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any, NamedTuple

from goldpiece.errors import UsageError
from goldpiece.formats.bpe_files import merges_of_ranks
from goldpiece.reference.bpe import Pair, count_pairs, merge_pair
from goldpiece.reference.wordpiece_trainer import SPECIAL_TOKENS
from goldpiece.suite.spec import Specs
from goldpiece.suite.subject import Declaration, Subject
from goldpiece.suite.subjects.objects import Factory, ObjectSubject, declare

REAL_WORDPIECE, RUSTBPE = "real-wordpiece", "rustbpe"
MODULES = {REAL_WORDPIECE: "real_wordpiece", RUSTBPE: "rustbpe"}
INSTALLED_BY = {
    REAL_WORDPIECE: "pip install tokenizers && pip install --no-deps real-wordpiece",  # it asks for an old tokenizers
    RUSTBPE: "pip install rustbpe",
}
HAVE = {name: find_spec(module) is not None for name, module in MODULES.items()}
BYTES = 256
ASCII = 0x80
USUAL = 2  # the min_frequency of the spec

if HAVE[REAL_WORDPIECE]:
    import tokenizers as hf
    from real_wordpiece import trainer as real
if HAVE[RUSTBPE]:
    import rustbpe as rust


class RealWordPiece:
    """RealWordPieceTrainer, told the words in place of texts, and watched as it merges"""

    def __init__(
        self,
        size: int,
        *,
        special_tokens: Sequence[str] = SPECIAL_TOKENS,
        initial_alphabet: Sequence[str] = (),
        limit_alphabet: int | None = None,
        min_frequency: int | None = None,
        prefix: str = "##",
    ) -> None:
        if min_frequency is None:
            raise NotImplementedError("a usual min_frequency: it has none")
        self.trainer = real.RealWordPieceTrainer(
            size, min_frequency, False, list(special_tokens), limit_alphabet, initial_alphabet, prefix
        )

    def train(self, words: list[str]) -> object:
        merges: list[tuple[str, str]] = []
        begin = self.trainer.init_tokenize_words

        def watched(*given: Any) -> Any:
            tokenization = begin(*given)
            merge = tokenization.merge_pair

            def noted(pair: tuple[str, str], joined: str) -> None:
                merges.append(pair)
                merge(pair, joined)

            tokenization.merge_pair = noted
            return tokenization

        self.trainer.init_tokenize_words = watched
        self.trainer.calculate_word_counts = lambda *_: Counter(words)  # its own would cut them at spaces
        whole = hf.Tokenizer(hf.models.WordPiece({"[UNK]": 0}, unk_token="[UNK]"))
        try:
            self.trainer.train_tokenizer(words, whole)
        finally:
            self.trainer.init_tokenize_words = begin
        ids = whole.get_vocab()
        return sorted(ids, key=lambda token: ids[token]), merges


class RustBPE:
    """Tokenizer.train_from_iterator, each text a word; each character is a byte, in their order

    Bytes that no word has, which are entries of it, are left out, and so are the merges of pairs that occur once.
    """

    def __init__(self, size: int) -> None:
        self.size = size

    def train(self, words: list[str]) -> object:
        return self.spelt(self.trained(self.in_bytes(words)))

    def in_bytes(self, words: Sequence[str]) -> "Spelling":
        """Words of the first characters that there are, in the place of theirs."""
        alphabet = sorted({character for word in words for character in word})
        if len(alphabet) > ASCII:
            raise NotImplementedError("more characters than there are bytes that are text by themselves")
        if self.size < len(alphabet):
            raise NotImplementedError("a size that has no room for the alphabet")
        byte_of = str.maketrans({character: chr(place) for place, character in enumerate(alphabet)})
        return Spelling(words, alphabet, [word.translate(byte_of) for word in words])

    def trained(self, given: "Spelling") -> "tuple[Spelling, rust.Tokenizer]":
        whole = rust.Tokenizer()
        whole.train_from_iterator(given.texts, BYTES + self.size - len(given.alphabet), pattern=r"(?s:.+)")
        return given, whole

    def spelt(self, learnt: "tuple[Spelling, rust.Tokenizer]") -> tuple[list[str], Sequence[Pair]]:
        """The entries and merges, in the characters of the words."""
        (words, alphabet, _), whole = learnt
        ranks = {bytes(token): rank for token, rank in whole.get_mergeable_ranks()}
        made = merges_of_ranks(sorted(ranks, key=lambda token: ranks[token]))
        spelt = [tuple("".join(alphabet[byte] for byte in part) for part in pair) for pair in made]
        merges = _frequent([(first, second) for first, second in spelt], words)
        return [*alphabet, *map("".join, merges)], merges


class Spelling(NamedTuple):
    """Words, the characters that they have, and the words in bytes: the number of each character."""

    words: Sequence[str]
    alphabet: Sequence[str]
    texts: Sequence[str]


def _frequent(merges: Sequence[Pair], words: Sequence[str]) -> Sequence[Pair]:
    """The merges up to the first of a pair that occurs once."""
    rows = [list(word) for word in words]
    for rank, pair in enumerate(merges):
        if sum(count_pairs(row)[pair] for row in rows) < USUAL:
            return merges[:rank]
        rows = [merge_pair(row, pair) for row in rows]
    return merges


FACTORIES: Mapping[str, tuple[str, Factory]] = {
    REAL_WORDPIECE: ("wordpiece_trainer", RealWordPiece),
    RUSTBPE: ("bpe_trainer", RustBPE),
}


def rival_trainer(name: str, specs: Specs) -> Subject:
    """The subject of that name. Raises UsageError where its package is not installed."""
    if not HAVE[name]:
        raise UsageError(
            f"the subject {name!r} needs the package {name}, which is not installed: run `{INSTALLED_BY[name]}`"
        )
    component, factory = FACTORIES[name]
    others = [spec.name for spec in specs if spec.name != component]
    declaration = Declaration(
        name=name,
        version=version(name),
        profiles=("hf",),
        surrogates=False,
        components={component: declare(specs.named(component), factory)},
        reasons=dict.fromkeys(others, f"{name} offers no such component"),
    )
    return ObjectSubject(declaration, specs, {component: factory})
