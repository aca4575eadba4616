"""Parity on real text: `goldpiece.Tokenizer` gives what Hugging Face tokenizers gives, document by document.

Of the corpora in the data folder a sample is compared. This compares all of it, in some minutes, and prints how much:

    GOLDPIECE_PARITY=full pytest impl/tests/test_parity.py -rP
"""

import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from time import perf_counter
from typing import Any

import pytest

from goldpiece import BPETokenizer, Tokenizer
from goldpiece.formats import vocab_txt
from goldpiece.reference.byte_level import PATTERNS, bytes_of
from goldpiece.reference.tokenizer import SPECIAL_TOKENS
from goldpiece.suite.corpus import documents, read_corpus
from goldpiece.suite.data import DataMissing, data_file
from goldpiece.suite.subjects.ready import HAVE_IT
from goldpiece.suite.subjects.tiktoken import HAVE_TIKTOKEN
from goldpiece.suite.subjects.tokenizers import Tokenizer as Peer
from goldpiece.suite.subjects.tokenizers_bpe import BPETokenizer as BytePeer

if HAVE_TIKTOKEN:
    import tiktoken

FULL = os.environ.get("GOLDPIECE_PARITY") == "full"
SAMPLE = 60  # documents of each corpus

pytestmark = pytest.mark.skipif(not HAVE_IT, reason="not run: the extra `peers` is not installed")


@dataclass(frozen=True)
class Difference:
    """The shortest part of a document, in whole lines, on which the two part, and what each makes of it."""

    text: str
    ours: object
    theirs: object


class Pair:
    """Our tokenizer and theirs, of one vocabulary."""

    def __init__(self, vocab: Sequence[str], lowercase: bool) -> None:
        self.ours = Tokenizer.from_vocab(vocab, lowercase=lowercase)
        self.theirs = Peer(list(vocab), lowercase=lowercase)
        self.tokens = 0  # compared so far

    def difference(self, text: str) -> Difference | None:
        """None if they agree in all that an encoding says of its tokens."""
        ours, theirs = map(_seen, (self.ours.encode(text), self.theirs.whole.encode(text)))
        self.tokens += len(theirs["ids"])
        if ours == theirs:
            return None
        shorter = (self.difference(line) for line in text.splitlines(keepends=True) if line != text)
        found = next((part for part in shorter if part is not None), None)
        return found or Difference(text, *_first_that_differs(ours, theirs))


def _seen(encoding: object) -> dict[str, list[object]]:
    names = ("ids", "tokens", "offsets", "word_ids", "sequence_ids", "type_ids", "special_tokens_mask")
    return {name: getattr(encoding, name) for name in names}


def _first_that_differs(ours: dict[str, list[object]], theirs: dict[str, list[object]]) -> tuple[object, object]:
    name = next(name for name in ours if ours[name] != theirs[name])
    return {name: ours[name]}, {name: theirs[name]}


def _embedded_vocab(corpus: str) -> list[str]:
    """The words that come most often, the beginnings and ends of all, and most characters: for what is one piece, many
    pieces and none."""
    words = Counter(word for word in read_corpus(corpus).casefold().split())
    pieces = Counter(word[:length] for word in words for length in range(1, 5))
    endings = Counter(f"##{word[-length:]}" for word in words for length in range(1, 5) if length < len(word))
    chars = Counter(char for word in words for char in word)
    frequent = [*words.most_common(500), *pieces.most_common(500), *endings.most_common(500)]
    alphabet = [entry for char, count in chars.items() if count > 1 for entry in (char, f"##{char}")]
    return list(dict.fromkeys([*SPECIAL_TOKENS, *(entry for entry, _ in frequent), *alphabet]))


@pytest.mark.parametrize("lowercase", [True, False], ids=["lowercase", "as it is"])
@pytest.mark.parametrize("corpus", ["topics", "generated"])
def test_embedded_text(corpus: str, lowercase: bool) -> None:
    pair = Pair(_embedded_vocab(corpus), lowercase)
    texts = list(islice(documents(read_corpus(corpus)), 0, None, 4))
    assert [pair.difference(text) for text in texts] == [None] * len(texts)
    ids = Counter(number for text in texts for number in pair.ours.encode(text).ids)
    unknown, tokens = ids[pair.ours.ids["[UNK]"]], ids.total()
    assert 0 < unknown < tokens / 2  # else little was compared
    assert len(ids) > 500


@pytest.mark.parametrize(
    ("vocab", "lowercase"),
    [("bert/bert-base-uncased-vocab.txt", True), ("bert/bert-base-cased-vocab.txt", False)],
    ids=["uncased", "cased"],
)
@pytest.mark.parametrize("corpus", ["multilingual", "tinyshakespeare", "linuxdoc"])
def test_real_text(corpus: str, vocab: str, lowercase: bool) -> None:
    try:
        pair = Pair(vocab_txt.read(data_file(vocab)), lowercase)
        texts = list(_chosen(corpus))
    except DataMissing as missing:
        pytest.skip(f"not run: {missing}")
    begin = perf_counter()
    differences = [found for text in texts if (found := pair.difference(text)) is not None]
    seconds = perf_counter() - begin
    sys.stdout.write(
        f"{corpus}, {vocab}: {len(texts):,} documents, {pair.tokens:,} tokens, {len(differences):,} documents differ, "
        f"{seconds:.0f} s\n"
    )
    assert differences[:3] == []
    assert pair.tokens > 100 * len(texts)


@pytest.mark.parametrize("corpus", ["multilingual", "tinyshakespeare", "linuxdoc"])
def test_real_text_in_bytes(corpus: str) -> None:
    """GPT-2's files: what tokenizers gives, the ids of tiktoken where it is installed, and the text again."""
    try:
        ours = BPETokenizer.from_files(data_file("gpt2/encoder.json"), data_file("gpt2/vocab.bpe"))
        texts = list(_chosen(corpus))
    except DataMissing as missing:
        pytest.skip(f"not run: {missing}")
    theirs = BytePeer(list(ours.vocab), [list(pair) for pair in ours.merges], special_tokens=ours.special_tokens).whole
    openai = _tiktoken(ours) if HAVE_TIKTOKEN else None
    tokens = 0
    for text in texts:
        found, right = ours.encode(text), theirs.encode(text)
        assert (found.ids, found.tokens, found.offsets) == (right.ids, right.tokens, right.offsets)
        assert openai is None or found.ids == openai.encode_ordinary(text)
        assert ours.decode(found.ids) == text
        tokens += len(found.ids)
    sys.stdout.write(f"{corpus}, GPT-2: {len(texts):,} documents, {tokens:,} tokens, no difference\n")


def _tiktoken(ours: BPETokenizer) -> Any:
    """Its encoding of the same files."""
    ranks = {bytes_of(token): number for number, token in enumerate(ours.vocab) if token not in ours.special_tokens}
    special = {token: ours.ids[token] for token in ours.special_tokens}
    return tiktoken.Encoding("gpt2", pat_str=PATTERNS["gpt2"], mergeable_ranks=ranks, special_tokens=special)


def _chosen(corpus: str) -> Iterator[str]:
    """All documents of a corpus, or a sample that is spread over it."""
    texts = list(documents(read_corpus(corpus)))
    return islice(texts, 0, None, 1 if FULL else max(1, len(texts) // SAMPLE))


def test_a_difference_is_found_and_made_small() -> None:
    pair = Pair([*SPECIAL_TOKENS, "a", "b"], lowercase=True)
    object.__setattr__(pair.ours, "lowercase", False)
    found = pair.difference("a b\nb A\na\n")
    assert found == Difference("b A\n", {"ids": [2, 6, 1, 3]}, {"ids": [2, 6, 5, 3]})
