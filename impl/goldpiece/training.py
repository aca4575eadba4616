"""Training on texts: cut into words as the tokenizer will cut them, counted, and learnt by the efficient trainers."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from goldpiece.fast.bpe_trainer import BPETrainer
from goldpiece.fast.wordpiece_trainer import WordPieceTrainer
from goldpiece.reference.added_tokens import AddedTokens
from goldpiece.reference.bpe_tokenizer import END_OF_TEXT
from goldpiece.reference.byte_level import ALPHABET, ByteLevel
from goldpiece.reference.normalizer import Normalizer
from goldpiece.reference.pre_tokenizer import PreTokenizer
from goldpiece.reference.training import Trained
from goldpiece.reference.unicode import UnicodeProfile
from goldpiece.reference.wordpiece_trainer import SPECIAL_TOKENS


def train_wordpiece(
    texts: Iterable[str],
    size: int,
    *,
    lowercase: bool = True,
    profile: UnicodeProfile = "hf",
    special_tokens: Sequence[str] = SPECIAL_TOKENS,
    **options: object,
) -> Trained:
    """A WordPiece vocabulary of `size` entries for `Tokenizer(vocab=…tokens)`, learnt from texts.

    The texts are normalized and cut as that tokenizer does it; special tokens in them are not counted. `options` are
    the other parameters of WordPieceTrainer. Raises NoRoom, and what that raises.
    """
    normalizer, pre_tokenizer = Normalizer(profile=profile, lowercase=lowercase), PreTokenizer(profile=profile)

    def words(text: str) -> Sequence[str]:
        return pre_tokenizer.pre_tokenize(normalizer.normalize(text))[0]

    counts = Counter(_words(texts, special_tokens, words))
    trainer = WordPieceTrainer(size, special_tokens=special_tokens, **options)  # type: ignore[arg-type]
    return trainer.train_from_counts(list(counts), list(counts.values()))


def train_bpe(
    texts: Iterable[str],
    size: int,
    *,
    pattern: str = "gpt2",
    special_tokens: Sequence[str] = (END_OF_TEXT,),
    **options: object,
) -> Trained:
    """Entries and merges for `BPETokenizer(vocab=…tokens, merges=…merges)`, learnt from the bytes of texts.

    All 256 bytes are entries, so that nothing is unknown. `options` are the other parameters of BPETrainer. Raises
    NoRoom, UnknownPattern, LoneSurrogate, and what that raises.
    """
    byte_level = ByteLevel(pattern)
    counts = Counter(_words(texts, special_tokens, lambda text: byte_level.pre_tokenize(text)[0]))
    options = {"initial_alphabet": list(ALPHABET), **options}
    trainer = BPETrainer(size, special_tokens=special_tokens, **options)  # type: ignore[arg-type]
    return trainer.train_from_counts(list(counts), list(counts.values()))


def _words(texts: Iterable[str], special_tokens: Sequence[str], cut: Callable[[str], Sequence[str]]) -> Iterator[str]:
    """The words of what stands between special tokens."""
    special = AddedTokens(list(special_tokens), special=list(special_tokens))
    for text in texts:
        parts, _, found = special.split(text, parse_special=True)
        for part, token in zip(parts, found, strict=True):
            if token is None:
                yield from cut(part)
